/** Scans the constructs that begin with `[`: page links, categories, files, and external links. */

import { namespaceIds } from '../../core/namespaces.ts'
import { specialPageName } from '../expansion/special-pages.ts'
import { shownTarget } from '../links/default-label.ts'
import { foreignUrl, isLanguageProperty, type LinkTarget, linkTarget } from '../links/target.ts'
import { mediaLinkElement } from '../media/element.ts'
import { markRed } from '../passes/red-links.ts'
import { escapeTitle, protocolOf } from '../sanitize/urls.ts'
import { type ChildNode, type ElementNode, element, textNode } from '../tree/node.ts'
import { textOf } from '../tree/walk.ts'
import { maxDepth } from './depth.ts'
import { isAddressBreak, scanExternalLink } from './external-links.ts'
import { scanFile } from './files.ts'
import { type LinkShape, levelOf, linkAddress, linkShape } from './link-shape.ts'
import {
  emit,
  expandedText,
  flushText,
  nodesBetween,
  pageOffset,
  pageRange,
  type Scan,
  scanPart,
  scanText,
} from './scan.ts'
import { describeTemplates, isPipe, type LinkPart } from './templated-parts.ts'
import { type AtomToken, isBlank } from './token.ts'

/** Scans a link; false if the bracket is text. */
export function scanBracket(scan: Scan): boolean {
  const { text } = scan
  if (text.charCodeAt(scan.at + 1) === 91) {
    if (text.charCodeAt(scan.at + 2) === 91 && !passBrackets(scan)) return true
    const { at } = scan
    const end = scan.brackets.get(at)
    if (end !== undefined && end <= scan.end && scan.depth < maxDepth) return scanLink(scan, linkShape(scan, at, end))
    return false
  }
  return scanExternalLink(scan)
}

function bracketsFrom(text: string, at: number): number {
  let end = at
  while (text.charCodeAt(end) === 91) end++
  return end - at
}

/**
 * Skips the first of many brackets, which pair from the left: of four, the last two may open a link; of three, two would open
 * one whose target begins with the third, which is invalid. False if no link can follow.
 */
function passBrackets(scan: Scan): boolean {
  const count = bracketsFrom(scan.text, scan.at)
  const isOdd = count % 2 === 1
  scan.lineStart = false
  scan.at += isOdd ? count - 1 : count - 2
  if (isOdd && !scanExternalLink(scan)) scan.at++
  return !isOdd
}

function scanLink(scan: Scan, shape: LinkShape): boolean {
  const source = expandedText(scan, shape.start + 2, shape.targetEnd)
  if (protocolOf(source.trim()) !== undefined) return false
  if (shape.textStart === -1 && source.includes('|') && !holdsLink(scan, shape))
    return scanTemplatedLink(scan, shape, source)
  const target = linkTarget(source, scan.run.site, scan.run.title)
  if (target === null) {
    if (source.startsWith('::')) noteColons(scan, shape, source)
    return false
  }
  if (shape.textStart !== -1 && shape.textStart === shape.textEnd) return false
  if (target.kind === 'page' && !target.isPlain) {
    if (target.title.namespace === namespaceIds.file && !target.isMedia) return scanFile(scan, shape, target)
    if (target.title.namespace === categoryNamespace)
      return !holdsLink(scan, shape) && scanCategory(scan, shape, target.title.key)
  }
  if (target.kind === 'foreign' && isLanguageProperty(target.wiki, target.isPlain))
    return scanLanguage(scan, shape, target)
  if (holdsLink(scan, shape)) return false
  return scanPageLink(scan, shape, target, source)
}

/** A link whose pipe comes from a template is scanned again in the expanded text. */
function scanTemplatedLink(scan: Scan, { start, targetEnd, end }: LinkShape, source: string): boolean {
  const { run, frame, depth } = scan
  const text = `[[${source}]]`
  const preprocessed = run.expander.preprocessExpanded(text)
  const inner = scanText(run, { text, frame: run.expander.withText(frame, text), preprocessed }, { depth: depth + 1 })
  run.scanTo(inner, text.length)
  const [token, ...others] = inner.out
  if (token?.kind !== 'atom' || others.length > 0) {
    const isPipesOnly = nodesBetween(scan, start, end).every(node => isPipe(scan, node))
    if (isPipesOnly)
      emit(scan, { kind: 'text', text, start: pageOffset(scan, start), end: pageOffset(scan, end) }, start, end)
    return isPipesOnly
  }
  const [link] = token.nodes
  if (link?.kind === 'element') describeTemplates(scan, link, [['href', start + 2, targetEnd]])
  emit(scan, { ...token, start: pageOffset(scan, start), end: pageOffset(scan, end) }, start, end)
  return true
}

const categoryNamespace = 14

/** One leading colon turns a category or file into a link; more than one makes it text. */
function noteColons(scan: Scan, { start, end }: LinkShape, href: string): void {
  const at = pageRange(scan, start, end)
  if (at.start !== -1) scan.run.problems.push({ type: 'multi-colon-escape', params: { href }, at })
}

/** Links cannot nest: the outer one is text. */
function holdsLink({ brackets, text }: Scan, { start, textStart, textEnd }: LinkShape): boolean {
  const from = textStart === -1 ? start + 2 : textStart
  for (let at = text.indexOf('[[', from); at !== -1 && at < textEnd; at = text.indexOf('[[', at + 1)) {
    if (brackets.has(at) && !isInTag(text, from, at)) return true
  }
  return false
}

/** Brackets in an attribute's value are not a link. */
function isInTag(text: string, from: number, at: number): boolean {
  const before = text.slice(from, at)
  const open = before.lastIndexOf('<')
  return open > before.lastIndexOf('>') && /^<[a-z]+\s[^<]*=\s*["'][^<]*$/i.test(before.slice(open))
}

function scanCategory(scan: Scan, shape: LinkShape, key: string): boolean {
  // Spaces count, line breaks do not: a space at the start sorts a page before the others. Source: MediaWiki Parser.
  const sort = shape.textStart === -1 ? '' : expandedText(scan, shape.textStart, shape.textEnd).replaceAll('\n', '')
  const href = `./${escapeTitle(key)}${sort === '' ? '' : `#${encodeURIComponent(sort)}`}`
  const link = element('link', [
    ['rel', 'mw:PageProp/Category'],
    ['href', href],
  ])
  link.data = {
    parsoid: { stx: shape.textStart === -1 ? 'simple' : 'piped', ...hrefSource(scan, shape, href) },
    category: { key, sort },
  }
  const parts: LinkPart[] = [['href', shape.start + 2, shape.targetEnd]]
  if (shape.textStart !== -1) parts.push(['mw:sortKey', shape.textStart, shape.textEnd])
  describeTemplates(scan, link, parts)
  joinLines(scan, shape.start)
  emitAtom(scan, shape, [link], 'transparent')
  return true
}

/** Returns `data-parsoid` members with the source of the link's address: everything between the brackets. */
function hrefSource({ text }: Scan, { start, end }: LinkShape, href: string): Record<string, unknown> {
  return { a: { href }, sa: { href: text.slice(start + 2, end - 2) } }
}

function scanLanguage(scan: Scan, shape: LinkShape, target: LinkTarget & { kind: 'foreign' }): boolean {
  const link = element('link', [
    ['rel', 'mw:PageProp/Language'],
    ['href', foreignUrl(target)],
  ])
  link.data = { parsoid: hrefSource(scan, shape, foreignUrl(target)) }
  // A prefix alone names no page.
  if (target.name !== '' || target.fragment !== null) {
    link.data = { ...link.data, language: { code: target.wiki.prefix, title: target.name.replaceAll('_', ' ') } }
  }
  joinLines(scan, shape.start)
  emitAtom(scan, shape, [link], 'transparent')
  return true
}

function scanPageLink(scan: Scan, shape: LinkShape, target: LinkTarget, source: string): boolean {
  const { site, title } = scan.run
  const children = shape.textStart === -1 ? [textNode(shownTarget(source, target, title, site))] : linkText(scan, shape)
  const level = levelOf(children, target.kind === 'page' && target.isMedia)
  const trailEnd = level === 'block' ? shape.end : endOfTrail(scan, shape.end)
  const trail = scan.text.slice(shape.end, trailEnd)
  if (trail !== '') addText(children, trail)
  const prefix = linkPrefix(scan, shape.start)
  if (prefix !== '') children.unshift(textNode(prefix))
  const link = linkElement(scan, target, children)
  if (target.kind === 'special' && !isSpecialPage(target.key)) markRed(link, target.key.replaceAll('_', ' '))
  const parsoid: Record<string, unknown> = {
    stx: shape.textStart === -1 ? 'simple' : 'piped',
    a: { href: link.attributes.get(target.kind === 'page' && target.isMedia ? 'resource' : 'href') ?? '' },
    sa: { href: scan.text.slice(shape.start + 2, shape.targetEnd) },
  }
  if (trail !== '') parsoid.tail = trail
  if (prefix !== '') parsoid.prefix = prefix
  const widths = { open: shape.textStart === -1 ? 2 : shape.textStart - shape.start, close: trailEnd - shape.end + 2 }
  const { data } = link
  data.widths = widths
  data.parsoid = parsoid
  if (target.kind === 'page' && !target.isMedia) data.link = target.title
  if (shape.textStart === -1 && textOf(children) !== prefix + source + trail) data.keepsSource = true
  describeTemplates(scan, link, [['href', shape.start + 2, shape.targetEnd]])
  const place = { ...shape, start: shape.start - prefix.length, end: trailEnd }
  emitAtom(scan, place, [link], level)
  return true
}

/** True for a special page that MediaWiki has; the key is in URL form, with the namespace. */
function isSpecialPage(key: string): boolean {
  return specialPageName(/^[^:]*:([^/]*)/.exec(key)?.[1] ?? '') !== undefined
}

/** Steps of a link in addition to its token. */
const linkSteps = 2

function linkElement(scan: Scan, target: LinkTarget, children: ChildNode[]): ElementNode {
  scan.run.expander.spendSteps(linkSteps)
  if (target.kind !== 'page' || !target.isMedia) return pageLink(scan, target, children)
  const { title, metadata } = scan.run.findFile(target.title)
  const { namespaces } = scan.run.site.rules
  const key = `${namespaces.get(namespaceIds.media)!.name}:${title.name}`
  const link = mediaLinkElement({ title: key, name: title.name, metadata }, children)
  link.data = { ...link.data, media: title }
  return link
}

function addText(children: ChildNode[], text: string): void {
  const last = children.at(-1)
  if (last?.kind === 'text') last.text += text
  else children.push(textNode(text))
}

function linkText(scan: Scan, { textStart, textEnd }: LinkShape): ChildNode[] {
  const inner = scanPart(scan, textStart, textEnd, { hasLines: false, inLink: true })
  scan.run.scanTo(inner, textEnd)
  return scan.run.inlineNodes(inner.out)
}

/** Maximum characters of the text before a link that become part of it. */
const longestPrefix = 100

/** Letters directly before a link that belong to it, in languages that have this. */
function linkPrefix({ run, text, plain }: Scan, start: number): string {
  const { linkPrefix: pattern } = run.site
  if (pattern === null) return ''
  return pattern.exec(text.slice(Math.max(plain, start - longestPrefix), start))?.[0] ?? ''
}

/**
 * Adds the letters after a template to the link at the end of its text; returns their end. The link then belongs to the
 * template and the page.
 */
export function joinTrail(scan: Scan, at: number): number {
  const last = scan.out.at(-1)
  const [link] = last?.kind === 'atom' && last.nodes.length === 1 ? last.nodes : []
  if (link?.kind !== 'element' || link.data.parsoid?.stx === undefined) return at
  if (!/^mw:WikiLink\b/.test(link.attributes.get('rel') ?? '')) return at
  const end = endOfTrail(scan, at)
  if (end === at) return at
  addText(link.children, scan.text.slice(at, end))
  link.data.range = { start: pageOffset(scan, at), end: pageOffset(scan, end), openWidth: null, closeWidth: null }
  return end
}

/** True if a bare address begins here, and not only its protocol. */
function startsAddress({ inLink, text, end }: Scan, at: number): boolean {
  const protocol = inLink ? undefined : protocolOf(text.slice(at, at + longestProtocol))
  if (protocol === undefined || protocol === '//') return false
  const next = at + protocol.length
  return next < end && !isAddressBreak(text.charCodeAt(next)) && !/[,;.:!?\\)']/.test(text[next]!)
}

const longestProtocol = 20

/** Offset of the end of the letters that join a link; those of an address do not. */
function endOfTrail(scan: Scan, from: number): number {
  const { linkTrail } = scan.run.site
  if (startsAddress(scan, from)) return from
  linkTrail.lastIndex = from
  const trail = linkTrail.exec(scan.text)?.[0] ?? ''
  return Math.min(from + trail.length, scan.end)
}

function pageLink({ run }: Scan, target: LinkTarget, children: readonly ChildNode[]): ElementNode {
  const { href, title } = linkAddress(target, run.title)
  const isForeign = target.kind === 'foreign'
  const link = element('a', [], children)
  const { attributes } = link
  attributes.set('rel', isForeign ? 'mw:WikiLink/Interwiki' : 'mw:WikiLink')
  attributes.set('href', href)
  if (title !== null) attributes.set('title', title)
  if (isForeign) attributes.set('class', 'extiw')
  if (target.kind === 'fragment') attributes.set('class', 'mw-selflink-fragment')
  return link
}

/** Joins the lines before a category or language link at the start of a line: the line breaks become text. */
function joinLines(scan: Scan, at: number): void {
  flushText(scan, at)
  if (!scan.hasLines) return
  for (let index = scan.out.length - 1; index >= 0; index--) {
    const token = scan.out[index]!
    if (token.kind === 'newline') scan.out[index] = { ...token, kind: 'text', text: '\n' }
    else if (token.kind !== 'marker' && !(token.kind === 'text' && isBlank(token.text))) return
  }
}

function emitAtom(scan: Scan, { start, end }: LinkShape, nodes: ElementNode[], level: AtomToken['level']): void {
  emit(scan, { kind: 'atom', level, nodes, start: pageOffset(scan, start), end: pageOffset(scan, end) }, start, end)
}
