/** What begins with `[`: links between pages, categories, files, and links to addresses. */

import { namespaceIds } from '../../core/namespaces.ts'
import { foreignUrl, isLanguageProperty, type LinkTarget, linkTarget } from '../links/target.ts'
import { mediaLinkElement } from '../media/element.ts'
import { escapeTitle } from '../sanitize/urls.ts'
import { type ChildNode, type ElementNode, element, textNode } from '../tree/node.ts'
import { maximumDepth } from './depth.ts'
import { scanExternalLink } from './external-links.ts'
import { scanFile } from './files.ts'
import { type LinkShape, linkAddress, linkShape } from './link-shape.ts'
import { emit, expandedText, pageRange, type Scan, scanPart } from './scan.ts'
import type { AtomToken } from './token.ts'

/** Reads a link; false where the bracket is text. */
export function scanBracket(scan: Scan): boolean {
  const { at, text } = scan
  if (text.charCodeAt(at + 1) === 91) {
    const end = scan.brackets.get(at)
    if (end !== undefined && end <= scan.end && scan.depth < maximumDepth)
      return scanLink(scan, linkShape(scan, at, end))
    return false
  }
  return scanExternalLink(scan)
}

function scanLink(scan: Scan, shape: LinkShape): boolean {
  const source = expandedText(scan, shape.start + 2, shape.targetEnd)
  const target = linkTarget(source, scan.run.site, scan.run.title)
  if (target === null) return false
  if (target.kind === 'page' && !target.isPlain) {
    if (target.title.namespace === namespaceIds.file && !target.isMedia) return scanFile(scan, shape, target)
    if (target.title.namespace === categoryNamespace) return scanCategory(scan, shape, target.title.key)
  }
  if (target.kind === 'foreign' && isLanguageProperty(target.wiki, target.isPlain))
    return scanLanguage(scan, shape, target)
  if (holdsLink(scan, shape)) return false
  return scanPageLink(scan, shape, target, source)
}

const categoryNamespace = 14

/** A link cannot stand in a link: then the outer one is text. */
function holdsLink({ brackets, text }: Scan, { textStart, textEnd }: LinkShape): boolean {
  if (textStart === -1) return false
  for (let at = text.indexOf('[[', textStart); at !== -1 && at < textEnd; at = text.indexOf('[[', at + 1)) {
    if (brackets.has(at)) return true
  }
  return false
}

function scanCategory(scan: Scan, shape: LinkShape, key: string): boolean {
  const sort = shape.textStart === -1 ? '' : expandedText(scan, shape.textStart, shape.textEnd).trim()
  const href = `./${escapeTitle(key)}${sort === '' ? '' : `#${encodeURIComponent(sort)}`}`
  const link = element('link', [
    ['rel', 'mw:PageProp/Category'],
    ['href', href],
  ])
  link.data = { parsoid: { stx: shape.textStart === -1 ? 'simple' : 'piped' }, category: { key, sort } }
  emitAtom(scan, shape, [link], 'transparent')
  return true
}

function scanLanguage(scan: Scan, shape: LinkShape, target: LinkTarget & { kind: 'foreign' }): boolean {
  const link = element('link', [
    ['rel', 'mw:PageProp/Language'],
    ['href', foreignUrl(target)],
  ])
  // A prefix alone names no page.
  if (target.name !== '' || target.fragment !== null) {
    link.data = { language: { code: target.wiki.prefix, title: target.name.replaceAll('_', ' ') } }
  }
  emitAtom(scan, shape, [link], 'transparent')
  return true
}

function scanPageLink(scan: Scan, shape: LinkShape, target: LinkTarget, source: string): boolean {
  const children = shape.textStart === -1 ? [textNode(shownTarget(source))] : linkText(scan, shape)
  const trailEnd = endOfTrail(scan, shape.end)
  const trail = scan.text.slice(shape.end, trailEnd)
  if (trail !== '') addText(children, trail)
  const link = linkElement(scan, target, children)
  const parsoid = {
    stx: shape.textStart === -1 ? 'simple' : 'piped',
    sa: { href: source },
    ...(trail && { tail: trail }),
  }
  link.data = { ...link.data, parsoid, ...(target.kind === 'page' && !target.isMedia && { link: target.title }) }
  emitAtom(scan, { ...shape, end: trailEnd }, [link], 'inline')
  return true
}

function linkElement(scan: Scan, target: LinkTarget, children: ChildNode[]): ElementNode {
  if (target.kind !== 'page' || !target.isMedia) return element('a', linkAttributes(scan, target), children)
  const { title } = target
  const { namespaces } = scan.run.site.rules
  const key = `${namespaces.get(namespaceIds.media)!.name}:${title.name}`
  const link = mediaLinkElement({ title: key, name: title.name, facts: scan.run.findFile(title).facts }, children)
  link.data = { ...link.data, media: title }
  return link
}

function shownTarget(source: string): string {
  return source.startsWith(':') ? source.slice(1) : source
}

function addText(children: ChildNode[], text: string): void {
  const last = children.at(-1)
  if (last?.kind === 'text') last.text += text
  else children.push(textNode(text))
}

function linkText(scan: Scan, { textStart, textEnd }: LinkShape): ChildNode[] {
  const inner = scanPart(scan, textStart, textEnd, { hasLines: false })
  scan.run.scanTo(inner, textEnd)
  return scan.run.inlineNodes(inner.out)
}

function endOfTrail(scan: Scan, from: number): number {
  const { linkTrail } = scan.run.site
  linkTrail.lastIndex = from
  const trail = linkTrail.exec(scan.text)?.[0] ?? ''
  return Math.min(from + trail.length, scan.end)
}

function linkAttributes({ run }: Scan, target: LinkTarget): [string, string][] {
  const { href, title } = linkAddress(target, run.title)
  const isForeign = target.kind === 'foreign'
  const attributes: [string, string][] = [
    ['rel', isForeign ? 'mw:WikiLink/Interwiki' : 'mw:WikiLink'],
    ['href', href],
  ]
  if (title !== null) attributes.push(['title', title])
  if (isForeign) attributes.push(['class', 'extiw'])
  return attributes
}

function emitAtom(scan: Scan, { start, end }: LinkShape, nodes: ElementNode[], level: AtomToken['level']): void {
  emit(scan, { kind: 'atom', level, nodes, ...pageRange(scan, start, end) }, start, end)
}
