/** Links to pages and to URLs. */

import { decodeEntities } from '../../wikitext/sanitize/entities.ts'
import { cleanUrl } from '../../wikitext/sanitize/urls.ts'
import type { ChildNode, ElementNode } from '../../wikitext/tree/node.ts'
import { placeOf } from '../../wikitext/tree/place.ts'
import { copyNodes, textOf } from '../../wikitext/tree/walk.ts'
import type { Context } from '../context.ts'
import { hasType, isElement, isEncapsulated, isNew } from '../node-queries.ts'
import { finish, gapText, innerWriter, limit, type Writer, write } from '../writer.ts'
import { expandedAttributes, shownText, sourceOf, templatedRows } from './attributes.ts'
import { isPicture, media, pictureOf } from './media.ts'
import { bareHref, decoded, interwikiTarget, isAddress, relativeTarget, samePage, targetOf } from './targets.ts'

/** Returns true if an element is a link. */
export function isLink(node: ElementNode): boolean {
  return node.name === 'a' && node.attributes.has('href')
}

/** Writes a link in the shortest form that means the same. */
export function link(writer: Writer, node: ElementNode, context: Context): void {
  const rel = node.attributes.get('rel') ?? ''
  const href = node.attributes.get('href')!
  const isPage = /\bmw:(?:WikiLink|MediaLink)/.test(rel) || !isAddress(href)
  const [only] = node.children
  if (node.children.length === 1 && isPicture(only!)) {
    media(writer, pictureOf(copyNodes([node]).children), context)
    return
  }
  if (isEmptied(writer, node)) return
  const plain = textOf(node.children)
  if (isMagic(writer, node, plain) && !/Interwiki/.test(rel)) {
    bare(
      writer,
      node,
      node.children.every(child => child.kind === 'text')
        ? plain
        : linkText(writer, node, { ...context, link: 'external' }),
    )
    return
  }
  if (context.link !== '' && context.link !== 'media') {
    writer.children(writer, node, context)
    return
  }
  const target = isPage
    ? targetOf(writer, node)
    : node.children.length > 0 && (rel.includes('mw:ExtLink') || isNew(node))
      ? interwikiTarget(writer, href, node)
      : null
  if (target !== null) {
    pageLink(writer, node, context, target)
    return
  }
  if (!isPage || isAddress(href)) {
    externalLink(writer, node, context)
    return
  }
  writer.children(writer, node, context)
}

/** Returns true for a link to a page whose text an edit removed: nobody can see it any more. An address would show a number. */
function isEmptied({ original }: Writer, node: ElementNode): boolean {
  const isPage = /\bmw:WikiLink/.test(node.attributes.get('rel') ?? '')
  const twin = isPage && node.children.length === 0 ? original?.twins.get(node) : undefined
  return twin?.kind === 'element' && twin.children.length > 0
}

function linkText(writer: Writer, node: ElementNode, context: Context): string {
  const inner = innerWriter(writer)
  writer.children(inner, node, context)
  return finish(inner)
}

/** Returns true if the text alone, as the target of a link on this page, leads to the same page. */
function leadsTo(writer: Writer, text: string, target: string): boolean {
  // Of `../part` a link displays the whole title, and of `:page` no colon.
  if (/[[\]{}|<>\n]|^[\s:.]|\s$|^\/.*\/$|%|&[#\w]+;/.test(text)) return false
  const own = text.startsWith('/') ? relativeTarget(writer, text) : text
  return own !== null && samePage(writer, own, target)
}

function pageLink(writer: Writer, node: ElementNode, context: Context, target: string): void {
  const { parsoid = {} } = node.data
  const { tail = '', prefix = '' } = parsoid as { tail?: string; prefix?: string }
  const plain = textOf(node.children)
  const isPlain = node.children.every(child => child.kind === 'text')
  const shape = shapeOf(writer, {
    plain,
    isPlain,
    target,
    stx: parsoid.stx,
    isSame: isPlain && parsoid.stx === undefined && leadsTo(writer, plain, target),
    tail,
    prefix,
    shown: decoded(bareHref(node.attributes.get('href')!)).replaceAll('_', ' '),
  })
  const templated = templatedTarget(writer, node, target)
  if (shape !== null) {
    writeSimple(writer, node, templated === null ? shape : { ...shape, target: templated })
    return
  }
  const source = templated ?? target
  const text = linkText(writer, node, { ...context, link: 'wiki', isLine: context.isLine })
  const isBetween = text.startsWith(prefix) && text.endsWith(tail) && text.length >= prefix.length + tail.length
  if (prefix + tail !== '' && isBetween) {
    write(writer, `${prefix}[[${source}|${text.slice(prefix.length, text.length - tail.length)}]]${tail}`)
    return
  }
  if (tail !== '' && text.endsWith(tail)) {
    write(writer, `[[${source}|${text.slice(0, -tail.length)}]]${tail}`)
    return
  }
  const pipe =
    typeof parsoid.firstPipeSrc === 'string' && /^(?:\||\{\{!\}\})$/.test(parsoid.firstPipeSrc)
      ? parsoid.firstPipeSrc
      : '|'
  writeLink(writer, node, `[[${source}${pipe}${text === '' ? '<nowiki/>' : text}]]`)
}

/** Source of a target that templates contributed to; null if there are none or if the target was changed since. */
function templatedTarget(writer: Writer, node: ElementNode, target: string): string | null {
  if (!hasType(node, /^mw:ExpandedAttrs$/)) return null
  const html = templatedRows(node).find(([key]) => key.txt === 'href')?.[1].html
  if (html === undefined) return null
  const shown = shownText(writer, html).trim()
  return normal(shown) === normal(target) || samePage(writer, shown, target) ? sourceOf(writer, html) : null
}

interface Shape {
  readonly prefix: string
  readonly target: string
  readonly tail: string
}

interface LinkForm {
  readonly plain: string
  readonly isPlain: boolean
  readonly target: string
  readonly stx: unknown
  /** True if the text is another name of the target: of a subpage, or with another name of the namespace. */
  readonly isSame: boolean
  /** Title of the page that the address names, in reading form. */
  readonly shown: string
  readonly tail: string
  readonly prefix: string
}

/** Chooses the form without a pipe if the text equals the target. */
function shapeOf(writer: Writer, { plain, isPlain, target, stx, isSame, tail, prefix, shown }: LinkForm): Shape | null {
  if (!isPlain || stx === 'piped') return null
  if (isSame)
    return { prefix: '', target: `${target.startsWith(':') && !plain.startsWith('/') ? ':' : ''}${plain}`, tail: '' }
  const middle = plain.slice(prefix.length, plain.length - tail.length)
  if (plain.startsWith(prefix) && plain.endsWith(tail) && saysTarget(middle, target)) {
    return { prefix, target: stx === 'simple' ? target : preferred(middle, target), tail }
  }
  if (
    stx === 'simple' &&
    plain.startsWith(prefix) &&
    plain.endsWith(tail) &&
    (middle === shown || isFragmentOf(middle, shown))
  )
    return { prefix, target, tail }
  if (stx !== undefined || tail !== '') return null
  const bare = target.replace(/^:/, '')
  writer.site.linkTrail.lastIndex = bare.length
  if (plain.startsWith(bare) || plain.startsWith(lowered(bare))) {
    const rest = writer.site.linkTrail.exec(plain)?.[0] ?? ''
    if (rest !== '' && bare.length + rest.length === plain.length)
      return { prefix: '', target: preferred(plain.slice(0, bare.length), target), tail: rest }
  }
  return null
}

/** A link within the page displays only the fragment. */
function isFragmentOf(text: string, shown: string): boolean {
  return text.startsWith('#') && shown.endsWith(text)
}

function lowered(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}

function normal(text: string): string {
  return text
    .trim()
    .replace(/^:/, '')
    .replace(/[_ \u00a0]+/g, ' ')
    .trim()
}

/** Returns true if a link to the target displays this text without a pipe. A link never displays a leading colon. */
function saysTarget(text: string, target: string): boolean {
  if (text.startsWith(':')) return false
  const [shown, named] = [normal(text), normal(decodeEntities(decoded(target)))]
  if (shown === '' || /^\s|\s$/.test(text)) return text === target
  return (
    shown === named ||
    foldPrefix(shown) === foldPrefix(named) ||
    shown === lowered(named) ||
    lowered(shown) === named ||
    text === target.replace(/^\/|\/$/g, '')
  )
}

/** Prefixes are case-insensitive. */
function foldPrefix(text: string): string {
  return text.replace(/^[^:]+:/, prefix => prefix.toLowerCase()).replace(/^([^:]+):+/, '$1:')
}

/** Returns true if two texts differ only in the case of their prefix. */
function isPrefixCase(text: string, target: string): boolean {
  return (
    text.replace(/^[^:#]+:/, prefix => prefix.toLowerCase()) ===
    target.replace(/^:/, '').replace(/^[^:#]+:/, prefix => prefix.toLowerCase())
  )
}

function preferred(text: string, target: string): string {
  if (/&[#\w]+;|#/.test(text) && !isPrefixCase(text, target))
    return text.includes('_') ? target : target.replaceAll('_', ' ')
  return target.startsWith(':') && !text.startsWith(':') ? `:${text}` : text
}

/** Writes a link so that a preceding bracket and following letters do not become part of it. */
function writeLink(writer: Writer, node: ElementNode, text: string): void {
  const [brackets] = gapText(writer) === '' ? (/(?<!\[)\[*$/.exec(writer.tail) ?? ['']) : ['']
  write(writer, (brackets.length % 2 === 1 && text.startsWith('[[') ? '<nowiki/>' : '') + text)
  const next = node.parent?.children[placeOf(node.parent, node) + 1]
  if (next?.kind === 'text' && text.endsWith(']]') && isTrail(writer, next.text)) write(writer, '<nowiki/>')
}

function writeSimple(writer: Writer, node: ElementNode, { prefix, target, tail }: Shape): void {
  const { linkPrefix } = writer.site
  const guard =
    prefix === '' && linkPrefix !== null && gapText(writer) === '' && endsWithPrefix(writer) ? '<nowiki/>' : ''
  writeLink(writer, node, `${guard}${prefix}[[${target}]]${tail}`)
}

/** Letters right after a link are its trail, so that they do not become a prefix of the next link. */
function endsWithPrefix({ site, tail }: Writer): boolean {
  if (site.linkPrefix?.test(tail) !== true) return false
  const end = tail.lastIndexOf(']]')
  if (end === -1) return true
  site.linkTrail.lastIndex = end + 2
  return site.linkTrail.exec(tail)?.[0].length !== tail.length - end - 2
}

const magic = /^(?:RFC|PMID|ISBN)\s/

function externalLink(writer: Writer, node: ElementNode, context: Context): void {
  const href = inCell(addressOf(writer, node), context)
  const plain = textOf(node.children)
  const isExpanded = hasType(node, /^mw:ExpandedAttrs$/) && plain === node.attributes.get('href')
  const shown = isExpanded && isFreeClass(node) ? href : bareText(node, plain, href)
  if (shown !== null) {
    bare(writer, node, shown)
    return
  }
  const isNumbered = /\bautonumber\b/.test(node.attributes.get('class') ?? '')
  if ((isNumbered && /^\[?\d*\]?$/.test(plain)) || (isNew(node) && node.children.length === 0)) {
    write(writer, `[${href}]`)
    return
  }
  const text = linkText(writer, node, { ...context, link: 'external', isLine: true })
  limit(writer, {})
  const empty = isNumbered || !wasParted(node) ? '' : ' <nowiki/>'
  write(writer, text === '' ? `[${href}${empty}]` : `[${href} ${text}]`)
}

/** Returns true if the renderer made the link of a bare URL. */
function isFreeClass({ attributes }: ElementNode): boolean {
  return /(?:^|\s)free(?:\s|$)/.test(attributes.get('class') ?? '')
}

/**
 * Returns true for an outer link that was split at a nested link: the nested link's range lies within its own. Such a
 * link is not an empty numbered link.
 */
function wasParted(node: ElementNode): boolean {
  const next = node.parent?.children[placeOf(node.parent, node) + 1]
  if (next?.kind !== 'element' || next.data.range == null || node.data.range == null) return false
  return next.data.range.start < node.data.range.end
}

/** Returns the URL alone if the link displays it; null if the link needs brackets. */
function bareText(node: ElementNode, plain: string, href: string): string | null {
  const { stx, dsrWithText } = node.data.parsoid ?? {}
  if ((stx !== 'url' && !isNew(node)) || dsrWithText === true) return null
  if (!node.children.every(child => child.kind === 'text')) return null
  if (plain === href || (stx === 'url' && cleanUrl(plain) === href)) return isFree(plain) ? plain : null
  const isAddress = plain === node.attributes.get('href') || (stx === 'url' && plain === decodeEntities(href))
  return isAddress && isFree(href) ? href : null
}

/** Writes a bare URL or magic link so that adjacent characters do not become part of it. */
function bare(writer: Writer, node: ElementNode, text: string): void {
  const isBeside =
    (/[\p{L}\p{N}_]$/u.test(writer.tail) && writer.hasOutput) || (followsLink(node) && isTrail(writer, text))
  const before = isBeside && gapText(writer) === '' ? '<nowiki/>' : ''
  const isBracketed = gapText(writer) === '' && writer.tail.endsWith('[')
  write(writer, before + text)
  writer.isAddressOpen ||= isBracketed
  const next = node.parent?.children[placeOf(node.parent, node) + 1]
  if (next === undefined) return
  const after = next.kind === 'text' ? next.text : callText(next)
  if (after === '') return
  const continues = magic.test(text) ? /^[\p{L}\p{N}_]/u.test(after) : continuesAddress(text, after)
  if (continues) write(writer, '<nowiki/>')
}

/** The text of a call if all of it can be part of an address, which it then continues; otherwise empty. */
function callText(node: ChildNode): string {
  const isText = isElement(node, 'span') && isEncapsulated(node) && node.children.every(({ kind }) => kind === 'text')
  const text = isText ? textOf(node.children) : ''
  return /[\s<>"[\]]/.test(text) ? '' : text
}

/** Returns true if a link is right before a node. */
function followsLink(node: ElementNode): boolean {
  return isElement(node.parent?.children[placeOf(node.parent, node) - 1] ?? null, 'a')
}

/** Returns true if a text right after the brackets of a link would become part of it. */
function isTrail({ site: { linkTrail }, tail }: Writer, text: string): boolean {
  linkTrail.lastIndex = 0
  return tail.endsWith(']]') && linkTrail.test(text)
}

function continuesAddress(address: string, after: string): boolean {
  const [found] = /^[^\s<>"[\]]+/.exec(after) ?? ['']
  const signs = address.includes('(') ? /^[,.;:!?\\]+$/ : /^[,.;:!?\\)]+$/
  return found !== '' && !signs.test(found) && !/^''/.test(found)
}

function isFree(href: string): boolean {
  return !href.startsWith('//') && !/[,.;:!?\\]$/.test(href) && !/[\s<>"[\]]/.test(href.replace(host, ''))
}

/** Returns true if the text alone would produce this magic link. */
function isMagic({ site }: Writer, node: ElementNode, text: string): boolean {
  const [, word, number = ''] = /^(RFC|PMID|ISBN)\s+([\d-][\d\s\u00a0-]*[Xx]?)$/.exec(text) ?? []
  if (word === undefined || !site.magicLinks.has(word)) return false
  const isOld = !isNew(node) && node.data.parsoid?.stx !== 'magiclink'
  return (!isOld || /\bmw-magiclink\b/.test(node.attributes.get('class') ?? '')) && isMagicAddress(node, number)
}

function isMagicAddress({ attributes }: ElementNode, number: string): boolean {
  const href = attributes.get('href')!
  if (href.includes('Special:BookSources/')) return true
  return (
    /^(?:https?:)?\/\/(?:tools\.ietf|datatracker\.ietf|www\.ncbi\.nlm\.nih)/.test(href) &&
    !href.includes('#') &&
    /\d+/.exec(href)?.[0] === number.trim()
  )
}

/** A numeric IPv6 host keeps its brackets. */
const host = /^[a-z+.-]*:?\/\/\[[\da-f:.]+\]/i

/** In a header cell two exclamation marks separate cells, also within an address. */
function inCell(address: string, { cell }: Context): string {
  return cell === 'th' ? address.replace(/!(?=!)/g, '%21') : address
}

function addressOf(writer: Writer, node: ElementNode): string {
  const href = node.attributes.get('href')!
  const expanded = expandedAttributes(node, writer).values.get('href')
  if (expanded?.isWhole === false) return expanded.text
  const { a, sa } = (node.data.parsoid ?? {}) as { a?: Record<string, string>; sa?: Record<string, string> }
  if (sa?.href !== undefined && a?.href === href) return sa.href
  const [number] = host.exec(href) ?? ['']
  return (
    number +
    href
      .slice(number.length)
      .replace(/[[\]<>"|\s]/g, sign => (sign === '[' ? '&#x5B;' : sign === ']' ? '&#x5D;' : encodeURIComponent(sign)))
  )
}
