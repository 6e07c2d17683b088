/** `[[File:name|options|caption]]`. */

import { namespaceIds } from '../../core/namespaces.ts'
import type { Title } from '../../core/title.ts'
import { externalAttributes } from '../links/external.ts'
import { decodePercent, linkTarget, type PageTarget, readTitle } from '../links/target.ts'
import { mediaElement } from '../media/element.ts'
import type { GalleryItem } from '../media/gallery.ts'
import { type MediaOptions, type MediaPart, readMediaOptions } from '../media/options.ts'
import { isBlock, type MediaContext, type MediaFile, type MediaLink } from '../media/resolved-file.ts'
import { addType } from '../passes/types.ts'
import { decodeEntities } from '../sanitize/entities.ts'
import { cleanUrl, escapeTitle, protocolOf } from '../sanitize/urls.ts'
import type { ChildNode, ElementNode } from '../tree/node.ts'
import { type LinkShape, linkAddress } from './link-shape.ts'
import { emit, expandedText, hasNodes, pageOffset, type Scan, scanPart, scanText, skipBlank } from './scan.ts'

/** Scans a file link. */
export function scanFile(scan: Scan, shape: LinkShape, { title }: PageTarget): boolean {
  const { textStart, textEnd, start, end } = shape
  const parts = textStart === -1 ? [] : splitParts(scan, textStart, textEnd)
  const options = readMediaOptions(
    parts.map(({ part }) => part),
    { words: scan.run.site.mediaWords },
  )
  const node = fileElement(scan, options, { title, parts })
  if (parts.some(({ isShared }) => isShared)) {
    addType(node, 'mw:Placeholder')
    node.data.keepsSource = true
  }
  if (/(?:^|\s)mw:ExpandedAttrs(?:\s|$)/.test(node.attributes.get('typeof') ?? ''))
    node.attributes.set('about', scan.run.about())
  node.data.parsoid = {
    ...node.data.parsoid,
    a: { resource: `./${escapeTitle(node.data.media?.key ?? '')}` },
    sa: { resource: scan.text.slice(start + 2, textStart === -1 ? end - 2 : textStart - 1) },
    optList: options.list.map(({ key, part }) => ({ ck: key, ak: part.source })),
  }
  const unused = unusedParts(options)
  if (unused.length > 0) node.data.problems = [{ type: 'bogus-image-options', params: { items: unused } }]
  if (node.name === 'figure') node.data.widths = { open: 2, close: 2 }
  emit(
    scan,
    {
      kind: 'atom',
      level: isBlock(options) ? 'block' : 'inline',
      nodes: [node],
      start: pageOffset(scan, start),
      end: pageOffset(scan, end),
    },
    start,
    end,
  )
  return true
}

/** Parts without an effect: unknown ones, and all sizes but the last. A framed file has its own size. */
function unusedParts({ list }: MediaOptions): string[] {
  const isFramed = list.some(({ key }) => key === 'framed')
  const lastSize = isFramed ? undefined : list.findLast(({ key }) => key === 'width')
  const isUnused = (option: MediaOptions['list'][number]) =>
    option.key === 'bogus' || (option.key === 'width' && option !== lastSize)
  return list.filter(isUnused).map(({ part }) => part.source)
}

/** A part between the pipes, with the function that makes its nodes. */
interface FilePart {
  readonly part: MediaPart
  /** True if one template produced several parts. */
  readonly isShared: boolean
  readonly read: () => ChildNode[]
}

/** Splits the text after the title at the pipes that are not inside a link, template, table or tag. */
function splitParts(scan: Scan, from: number, to: number): FilePart[] {
  return splitRanges(scan, from, to).flatMap(([start, end]) => readPart(scan, start, end))
}

/** One part of the source; several if a template in it contained pipes. */
function readPart(scan: Scan, start: number, end: number): FilePart[] {
  const source = scan.text.slice(start, end)
  const range = { start: pageOffset(scan, start), end: pageOffset(scan, end) }
  const text = hasNodes(scan, start, end) ? expandedText(scan, start, end) : source
  const read = (): ChildNode[] => inlineNodes(scan, start, end)
  if (text === source || !text.includes('|')) return [{ part: { source, text, ...range }, isShared: false, read }]
  const inner = textScan(scan, text)
  const pieces = splitRanges(inner, 0, text.length)
  if (pieces.length === 1) return [{ part: { source, text, ...range }, isShared: false, read }]
  return pieces.map(([from, to]) => {
    const piece = text.slice(from, to)
    return {
      part: { source: piece, text: piece, ...range },
      isShared: true,
      read: () => inlineNodes(inner, from, to),
    }
  })
}

function splitRanges(scan: Scan, from: number, to: number): [start: number, end: number][] {
  const ranges: [number, number][] = []
  const tables = findTables(scan, from, to)
  let start = from
  for (let at = from; at < to; at = tables.get(at) ?? endOfConstruct(scan, at, to)) {
    if (scan.text.charCodeAt(at) !== 124) continue
    ranges.push([start, at])
    start = at + 1
  }
  return [...ranges, [start, to]]
}

/** Offset after the construct that begins here and encloses its pipes; the next character if there is none. */
function endOfConstruct({ text, nodeAt, brackets }: Scan, at: number, to: number): number {
  switch (text.charCodeAt(at)) {
    case 123: // {
    case 60: // <
      return nodeAt.get(at)?.end ?? at + 1
    case 45: // -
      return brackets.get(at) ?? at + 1
    case 91: // [
      return brackets.get(at) ?? endOfAddressLink(text, at, to)
    default:
      return at + 1
  }
}

/** Maximum characters of an external link that may contain pipes. */
const longestLink = 2000

function endOfAddressLink(text: string, at: number, to: number): number {
  if (protocolOf(text.slice(at + 1, at + 21)) === undefined) return at + 1
  const close = /^[^\]\n]*\]/.exec(text.slice(at, Math.min(to, at + longestLink)))
  return close === null ? at + 1 : at + close[0].length
}

/** Tables that begin a line in a range of the text: their starts and ends. */
function findTables(scan: Scan, from: number, to: number): ReadonlyMap<number, number> {
  const tables = new Map<number, number>()
  if (!scan.text.slice(from, to).includes('{|')) return tables
  const open: number[] = []
  const { text, nodeAt } = scan
  let at = text.indexOf('\n', from)
  while (at !== -1 && at < to) {
    const start = skipIndent(scan, at + 1)
    if (text.startsWith('{|', start)) open.push(start)
    const begin = text.startsWith('|}', start) ? open.pop() : undefined
    if (begin !== undefined && start + 2 <= to) tables.set(begin, start + 2)
    at = nextLine(text, nodeAt, start)
  }
  return tables
}

/** White space and comments that may precede a table's signs, and colons. */
function skipIndent(scan: Scan, from: number): number {
  let at = skipBlank(scan, from)
  while (scan.text[at] === ':') at = skipBlank(scan, at + 1)
  return at
}

/** Offset of the next line break outside of templates and tags. */
function nextLine(text: string, nodeAt: Scan['nodeAt'], from: number): number {
  let at = from
  while (at < text.length && text.charCodeAt(at) !== 10) at = nodeAt.get(at)?.end ?? at + 1
  return at < text.length ? at : -1
}

/** Begins to scan text of templates. */
function textScan({ run, frame, depth }: Scan, text: string): Scan {
  const own = run.expander.withText(frame, text)
  return scanText(run, { text, frame: own, preprocessed: run.expander.preprocessExpanded(text) }, { depth: depth + 1 })
}

function inlineNodes(scan: Scan, start: number, end: number): ChildNode[] {
  const inner = scanPart(scan, start, end, { hasLines: true, inLink: false })
  scan.run.scanTo(inner, end)
  return scan.run.inlineNodes(inner.out)
}

interface FileElementOptions {
  readonly title: Title
  readonly parts: readonly FilePart[]
  readonly asFigure?: boolean
}

/** Makes the element of a file. */
function fileElement(scan: Scan, options: MediaOptions, { title, parts, asFigure }: FileElementOptions): ElementNode {
  const readers = new Map(parts.map(({ part, read }) => [part, read]))
  // Computed once: a part may contain files, whose parts may contain files, and so on.
  const nodesByPart = new Map<MediaPart, ChildNode[]>()
  const parse = (part: MediaPart): ChildNode[] => {
    const nodes = nodesByPart.get(part) ?? readers.get(part)?.() ?? []
    nodesByPart.set(part, nodes)
    return nodes
  }
  const { run } = scan
  const context: MediaContext = {
    thumbnailWidth: run.thumbnailWidth,
    resolveLink: target => resolveLink(scan, target),
    parse,
  }
  const caption = options.caption === null ? null : parse(options.caption)
  const { title: found, metadata } = run.findFile(title)
  const file: MediaFile = {
    title: found.key,
    name: found.name,
    metadata,
    thumbnail: thumbnailOf(scan, options),
    refusal: metadata !== null && run.isBadFile(found) ? 'badfile' : null,
  }
  const node = mediaElement(options, { file, caption, context, asFigure: asFigure ?? false })
  node.data = { ...node.data, media: found }
  return node
}

/** The picture of `thumb=`; null if there is none. */
function thumbnailOf({ run }: Scan, { format, values }: MediaOptions): MediaFile['thumbnail'] {
  if (format !== 'manualthumb') return null
  const title = readTitle(values.get('manualthumb')!.value, run.site, namespaceIds.file)
  if (title?.namespace !== namespaceIds.file) return { name: null, metadata: null }
  return { name: title.name, metadata: run.findFile(title).metadata }
}

/** Scans the text after `link=`: a URL, or the target of a wikitext link, with or without its brackets. */
function resolveLink({ run }: Scan, text: string): MediaLink | null {
  if (protocolOf(text) !== undefined) {
    const href = cleanUrl(text)
    return href === null ? null : { href, title: null, attributes: externalAttributes(href, run.site) }
  }
  const target = linkTarget(text.replace(/^\[\[([^|\]]*)(?:\|[^\]]*)?\]\]$/, '$1'), run.site, run.title)
  if (target === null) return null
  return linkAddress(target, run.title)
}

/** Makes the figure of a file for a gallery; null if `target` names no file. `scan` covers options and caption. */
export function galleryItem(scan: Scan, target: string, size: string): GalleryItem | null {
  const { site } = scan.run
  const title = readTitle(decodePercent(decodeEntities(target)), site, namespaceIds.file)
  if (title?.namespace !== namespaceIds.file) return null
  const parts = scan.end === 0 ? [] : splitParts(scan, 0, scan.end)
  const wanted: MediaPart = { source: size, text: size, start: -1, end: -1 }
  const options = readMediaOptions([...parts.map(({ part }) => part), wanted], {
    words: site.mediaWords,
    formatless: true,
  })
  return { figure: fileElement(scan, options, { title, parts, asFigure: true }), title: title.key }
}
