/** The tree of a Markdown page: removes forbidden HTML, and makes links, pictures, tasks and alerts. */

import { changeAnchor, headingSlug } from '../../core/anchors.ts'
import type { Title } from '../../core/title.ts'
import { hasExpression, readExpression } from '../../links/expression.ts'
import { hasPictureExtension } from '../../links/names.ts'
import { isAllowedTag } from '../sanitize/allowed.ts'
import { sanitizeAttributes } from '../sanitize/attributes.ts'
import { escapeId } from '../sanitize/ids.ts'
import { cleanUrl, escapeTitle, isSafeUrl } from '../sanitize/urls.ts'
import { type ChildNode, type ElementNode, element, type ParentNode, replaceWith, textNode } from '../tree/node.ts'
import { stepsOf, textOf } from '../tree/walk.ts'
import { kindTitle } from './note-markup.ts'
import { linkAttributes } from './wiki-link-rule.ts'

/** Elements allowed in addition to those of wikitext. */
const ownTags: ReadonlySet<string> = new Set([
  'details',
  'summary',
  'section',
  'thead',
  'tbody',
  'tfoot',
  'colgroup',
  'col',
])
/** Wikitext elements with metadata of the page instead of text. */
const metadataTags: ReadonlySet<string> = new Set(['meta', 'link'])
/** Elements whose content is not text. */
const silentTags: ReadonlySet<string> = new Set([
  ...['script', 'style', 'template', 'noscript', 'iframe', 'object', 'embed', 'applet', 'svg', 'math', 'head', 'title'],
  ...['textarea', 'select', 'audio', 'video', 'canvas', 'frameset', 'noframes', 'noembed', 'xmp', 'plaintext'],
])
/** Elements in which white space between children is invisible. */
const containers: ReadonlySet<string> = new Set(
  'ul ol table thead tbody tfoot tr blockquote section div details dl li'.split(' '),
)

/** Cleans a tree in place. */
export function cleanMarkdown(body: ParentNode, title: Title): void {
  for (const { element: node } of stepsOf(body)) {
    if (silentTags.has(node.name)) replaceWith(node, [])
    else if (node.name === 'a') cleanLink(node, title)
    else if (node.name === 'img') cleanPicture(node, title)
    else if (isAllowed(node.name)) cleanElement(node)
    else replaceWith(node, node.children)
  }
  dropSpace(body)
  for (const { element: node } of stepsOf(body)) {
    dropSpace(node)
    if (node.name === 'li') markTask(node)
    else if (node.name === 'blockquote') markAlert(node)
  }
}

function isAllowed(tag: string): boolean {
  return ownTags.has(tag) || (isAllowedTag(tag) && !metadataTags.has(tag))
}

function cleanElement(node: ElementNode): void {
  const isOpen = node.name === 'details' && node.attributes.has('open')
  const { allowed } = sanitizeAttributes(ownTags.has(node.name) ? 'div' : node.name, node.attributes)
  replaceAttributes(node, allowed)
  if (isOpen) node.attributes.set('open', '')
}

function replaceAttributes(node: ElementNode, attributes: Iterable<readonly [string, string]>): void {
  const entries = [...attributes]
  node.attributes.clear()
  for (const [name, value] of entries) node.attributes.set(name, value)
}

/** Removes comments, and white space between blocks. */
function dropSpace(node: ParentNode): void {
  const isContainer = node.kind !== 'element' || containers.has(node.name)
  let kept = 0
  for (const child of node.children) {
    const isSpace = child.kind === 'comment' || (isContainer && child.kind === 'text' && isLineFeed(child.text))
    // In place: a page may have more children than a call has arguments.
    if (!isSpace) node.children[kept++] = child
  }
  node.children.length = kept
}

function isLineFeed(text: string): boolean {
  return text.includes('\n') && text.trim() === ''
}

/** An address without a path stays on its page. */
const ownAddress = /^(?:[#?]|$)/

/** The target without an expression of a site generator around it. */
function plainTarget(href: string): string {
  return hasExpression(href) ? (readExpression(href)?.target ?? href) : href
}

function cleanLink(node: ElementNode, title: Title): void {
  const { attributes } = node
  const parts = attributes.get(linkAttributes.parts)
  if (parts !== undefined) {
    bracketLink(node, readParts(parts), { isEmbed: attributes.has(linkAttributes.embed), title })
    return
  }
  const href = attributes.get('href')
  const id = escapeId(attributes.get('id') ?? attributes.get('name') ?? '')
  const className = attributes.get('class') ?? ''
  attributes.clear()
  if (href === undefined) becomeSpan(node)
  else if (isForeign(href)) externalLink(node, href)
  else if (ownAddress.test(plainTarget(href))) ownLink(node, plainTarget(href).replace(/^\?[^#]*/, ''), title)
  else node.data.written = { from: title.key, target: href, syntax: 'path' }
  if (id !== '') attributes.set('id', id)
  if (/^footnote-[a-z]+$/.test(className)) attributes.set('class', className)
}

/** The parts between the brackets; attributes that a page forged are treated as text. */
function readParts(json: string): readonly string[] {
  try {
    const parts: unknown = JSON.parse(json)
    if (Array.isArray(parts) && parts.length > 0 && parts.every(part => typeof part === 'string')) return parts
  } catch {
    // Another extension's.
  }
  return ['']
}

/** A picture's parts are its options; of any other link one part is the target and one the text. */
function bracketLink(
  node: ElementNode,
  parts: readonly string[],
  { isEmbed, title }: { isEmbed: boolean; title: Title },
): void {
  const [target = '', ...rest] = parts
  node.attributes.clear()
  const isPicture = hasPictureExtension(target.replace(/#.*/s, ''))
  const address = [target, rest[0] ?? ''].find(isForeign)
  if (address !== undefined) {
    externalLink(node, address)
    setText(node, address === target ? (rest[0] ?? target) : target)
    return
  }
  const place = [target, rest[0] ?? ''].find(part => part.startsWith('#'))
  if (place !== undefined) {
    ownLink(node, `#${changeAnchor(place, anchor => headingSlug(anchor.slice(anchor.lastIndexOf('#') + 1)))}`, title)
    setText(node, place === target ? (rest[0] ?? target.slice(1)) : target)
    return
  }
  const picture = isPicture && (isEmbed || rest.every(part => optionPattern.test(part))) ? bracketPicture(rest) : null
  const second = picture === null ? rest[0] : undefined
  node.data.written = { from: title.key, target, syntax: 'name', second, ...(picture ? { picture } : { isEmbed }) }
  if (picture === null) setText(node, second ?? target)
}

const optionPattern = /^(?:\d+(?:x\d+)?|(?:alt|width|height|align|float|frame)(?:=.*)?)$/

function bracketPicture(options: readonly string[]) {
  const value = (name: string) => options.find(option => option.startsWith(`${name}=`))?.slice(name.length + 1) ?? ''
  const width = /^\d+/.exec(value('width'))?.[0] ?? ''
  const height = /^\d+/.exec(value('height'))?.[0] ?? ''
  const own = options.find(option => /^\d+(?:x\d+)?$/.test(option))
  const text = options.find(option => !optionPattern.test(option)) ?? ''
  const size = own ?? (height === '' ? width : `${width}x${height}`)
  return { alt: value('alt') || text, title: '', size: size === '' ? '' : `${size}px` }
}

function setText(node: ElementNode, text: string): void {
  const child = textNode(text)
  child.parent = node
  node.children.splice(0, node.children.length, child)
}

function ownLink(node: ElementNode, href: string, title: Title): void {
  node.attributes.set('rel', 'mw:WikiLink')
  node.attributes.set('href', `./${escapeTitle(title.key)}${href.replaceAll(' ', '_')}`)
  node.attributes.set('title', title.text)
}

function externalLink(node: ElementNode, href: string): void {
  const clean = isSafeUrl(href) ? cleanUrl(href) : null
  if (clean === null) {
    becomeSpan(node)
    return
  }
  node.attributes.set('rel', 'mw:ExtLink nofollow')
  node.attributes.set('href', clean)
  node.attributes.set('class', 'external text')
}

function becomeSpan(node: ElementNode): void {
  Object.assign(node, { name: 'span' })
}

/** A picture of the wiki is shown; an external one becomes a link, since nothing is loaded from other sites. */
function cleanPicture(node: ElementNode, page: Title): void {
  const { attributes } = node
  const [source, alt, title] = ['src', 'alt', 'title'].map(name => attributes.get(name) ?? '') as [
    string,
    string,
    string,
  ]
  const size = attributes.get(linkAttributes.size) ?? sizeOf(attributes)
  attributes.clear()
  Object.assign(node, { name: 'a', children: [] })
  if (!isForeign(source)) {
    node.data.written = { from: page.key, target: source, syntax: 'path', picture: { alt, title, size } }
    return
  }
  const text = textNode(alt === '' ? source : alt)
  text.parent = node
  node.children.push(text)
  if (isInLink(node)) becomeSpan(node)
  else externalLink(node, source)
}

function isInLink(node: ElementNode): boolean {
  for (let up = node.parent; up !== null && up.kind === 'element'; up = up.parent) if (up.name === 'a') return true
  return false
}

function sizeOf(attributes: ReadonlyMap<string, string>): string {
  const [width, height] = ['width', 'height'].map(
    name => /^\d{1,5}(?=(?:px)?$)/.exec(attributes.get(name) ?? '')?.[0] ?? '',
  )
  if (width + height! === '') return ''
  return height === '' ? `${width}px` : `${width}x${height}px`
}

/** `[ ]` and `[x]` at the beginning of an item are a checkbox. */
function markTask(item: ElementNode): void {
  const [first] = item.children
  const holder = first?.kind === 'element' && first.name === 'p' ? first : item
  const [text] = holder.children
  const [marker, sign] = text?.kind === 'text' ? (/^\[([ xX])\](?=\s)/.exec(text.text) ?? []) : []
  if (marker === undefined || text?.kind !== 'text') return
  text.text = text.text.slice(marker.length)
  const box = element('input', [
    ['type', 'checkbox'],
    ['disabled', ''],
    ...(sign === ' ' ? [] : [['checked', ''] as [string, string]]),
  ])
  box.parent = holder
  holder.children.unshift(box)
  item.attributes.set('class', 'task-list-item')
}

/**
 * `> [!NOTE]` is a box with a heading, `> [!NOTE]-` one that opens. Source: https://docs.github.com/get-started/writing-on-github (Alerts),
 * https://help.obsidian.md/callouts
 */
function markAlert(quote: ElementNode): void {
  const [paragraph] = quote.children
  const text = paragraph?.kind === 'element' && paragraph.name === 'p' ? paragraph.children[0] : undefined
  const [marker, kind = '', sign = ''] =
    text?.kind === 'text' ? (/^\[!([\w-]{1,30})\]([+-]?)[ \t]*/.exec(text.text) ?? []) : []
  if (marker === undefined || text?.kind !== 'text' || paragraph?.kind !== 'element') return
  text.text = text.text.slice(marker.length)
  const title = takeLine(paragraph)
  if (paragraph.children.length === 0) quote.children.shift()
  const isEmpty = textOf(title).trim() === ''
  const heading = element(
    sign === '' ? 'p' : 'summary',
    [['class', 'markdown-alert-title']],
    isEmpty ? [textNode(kindTitle(kind))] : title,
  )
  heading.parent = quote
  quote.children.unshift(heading)
  Object.assign(quote, { name: sign === '' ? 'div' : 'details' })
  quote.attributes.set('class', `markdown-alert markdown-alert-${kind.toLowerCase()}`)
  if (sign === '+') quote.attributes.set('open', '')
}

/** Removes the nodes of the first line of a paragraph, and returns them. */
function takeLine(paragraph: ElementNode): ChildNode[] {
  const line: ChildNode[] = []
  // Moved without a search for their places, because a paragraph may have many.
  for (let node = paragraph.children.shift(); node !== undefined; node = paragraph.children.shift()) {
    if (node.kind === 'element' && node.name === 'br') {
      const [next] = paragraph.children
      if (next?.kind === 'text') next.text = next.text.replace(/^\n/, '')
      return line
    }
    node.parent = null
    const feed = node.kind === 'text' ? node.text.indexOf('\n') : -1
    if (node.kind === 'text' && feed !== -1) {
      const rest = node.text.slice(feed + 1)
      if (rest !== '') paragraph.children.unshift(Object.assign(textNode(rest), { parent: paragraph }))
      return [...line, textNode(node.text.slice(0, feed))]
    }
    line.push(node)
  }
  return line
}

/** Returns true for an address of another site. */
function isForeign(href: string): boolean {
  return (
    /^(?:[a-z][a-z0-9+.-]*:)?\/\//i.test(href) ||
    /^(?:mailto|tel|xmpp|sip|sips|sms|geo|magnet|news|bitcoin|urn|javascript|vbscript|data|file|blob):/i.test(href)
  )
}
