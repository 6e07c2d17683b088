/** `[[File:name|options|caption]]`. */

import { namespaceIds } from '../../core/namespaces.ts'
import type { Title } from '../../core/title.ts'
import { linkTarget, type PageTarget, readTitle } from '../links/target.ts'
import { mediaElement } from '../media/element.ts'
import type { GalleryItem } from '../media/gallery.ts'
import { mediaWords } from '../media/magic-words.ts'
import { type MediaOptions, type MediaPart, readMediaOptions } from '../media/options.ts'
import { isBlock, type MediaContext, type MediaFile, type MediaLink } from '../media/shown.ts'
import { decodeEntities } from '../sanitize/entities.ts'
import { cleanUrl, protocolOf } from '../sanitize/urls.ts'
import type { ChildNode } from '../tree/node.ts'
import { findPipe, type LinkShape, pageHref } from './link-shape.ts'
import { emit, expandedText, pageOffset, pageRange, type Scan, scanPart } from './scan.ts'

/** Reads a file; false where it is text. */
export function scanFile(scan: Scan, shape: LinkShape, { title }: PageTarget): boolean {
  const parts = shape.textStart === -1 ? [] : splitParts(scan, shape.textStart, shape.textEnd)
  const words = mediaWords(scan.run.site.language)
  const options = readMediaOptions(
    parts.map(({ part }) => part),
    { words },
  )
  const node = mediaElement(options, {
    file: fileOf(scan, title, options),
    caption: captionOf(scan, options, parts),
    context: contextOf(scan, parts),
  })
  node.data = { ...node.data, media: title }
  const { start, end } = shape
  const level = isBlock(options) ? 'block' : 'inline'
  emit(scan, { kind: 'atom', level, nodes: [node], ...pageRange(scan, start, end) }, start, end)
  return true
}

/** Makes the figure of a gallery's line: the scan is over what stands after the line's first pipe. */
export function galleryItem(scan: Scan, target: string, size: string): GalleryItem | null {
  const { site } = scan.run
  const title = readTitle(decodeEntities(target), site, namespaceIds.file)
  if (title === null || title.namespace !== namespaceIds.file) return null
  const parts = scan.text === '' ? [] : splitParts(scan, 0, scan.text.length)
  const sizePart: MediaPart = { source: size, text: size, start: -1, end: -1 }
  const words = mediaWords(site.language)
  const options = readMediaOptions([...parts.map(({ part }) => part), sizePart], { words, formatless: true })
  const figure = mediaElement(options, {
    file: fileOf(scan, title, options),
    caption: captionOf(scan, options, parts),
    context: contextOf(scan, parts),
    asFigure: true,
  })
  figure.data = { ...figure.data, media: title }
  return { figure, title: title.key }
}

/** A part, and where it stands in the scan's text. */
interface PlacedPart {
  readonly part: MediaPart
  readonly start: number
  readonly end: number
}

function splitParts(scan: Scan, start: number, end: number): PlacedPart[] {
  const parts: PlacedPart[] = []
  for (let from = start; ; ) {
    const pipe = findPipe(scan, from, end)
    const to = pipe === -1 ? end : pipe
    const text = expandedText(scan, from, to)
    const range = { start: pageOffset(scan, from), end: pageOffset(scan, to) }
    parts.push({ part: { source: scan.text.slice(from, to), text, ...range }, start: from, end: to })
    if (pipe === -1) return parts
    from = pipe + 1
  }
}

function fileOf({ run }: Scan, title: Title, options: MediaOptions): MediaFile {
  const manual = options.values.get('manualthumb')
  return {
    title: title.key,
    name: title.name,
    facts: run.fileFacts(title),
    thumbnail: manual === undefined ? null : thumbnailOf(run, manual.value),
  }
}

function thumbnailOf(run: Scan['run'], name: string): NonNullable<MediaFile['thumbnail']> {
  const title = readTitle(name, run.site, namespaceIds.file)
  return title === null ? { name: null, facts: null } : { name: title.name, facts: run.fileFacts(title) }
}

function captionOf(scan: Scan, options: MediaOptions, parts: readonly PlacedPart[]): ChildNode[] | null {
  return options.caption === null ? null : parsePart(scan, options.caption, parts)
}

function parsePart(scan: Scan, part: MediaPart, parts: readonly PlacedPart[]): ChildNode[] {
  const placed = parts.find(one => one.part === part)
  if (placed === undefined) return []
  const inner = scanPart(scan, placed.start, placed.end, { inLink: false })
  scan.run.scanTo(inner, placed.end)
  return scan.run.inlineNodes(inner.out)
}

function contextOf(scan: Scan, parts: readonly PlacedPart[]): MediaContext {
  return {
    thumbnailWidth: scan.run.thumbnailWidth,
    resolveLink: target => resolveLink(scan, target),
    parse: part => parsePart(scan, part, parts),
  }
}

function resolveLink({ run }: Scan, source: string): MediaLink | null {
  const address = protocolOf(source) === undefined ? null : cleanUrl(decodeEntities(source))
  if (address !== null) return { href: address, title: null, attributes: [['rel', 'nofollow']] }
  const target = linkTarget(source.replace(/^\[\[|\]\]$/g, ''), run.site, run.title)
  switch (target?.kind) {
    case 'page':
      return { href: pageHref(target.title.key, target.fragment), title: target.title.text }
    case 'special':
      return { href: pageHref(target.key, target.fragment), title: target.key.replaceAll('_', ' ') }
    case 'fragment':
      return { href: pageHref(run.title.key, target.fragment), title: run.title.text }
    case 'foreign':
      return { href: target.wiki.url.replace('$1', () => target.name), title: `${target.wiki.prefix}:${target.name}` }
    default:
      return null
  }
}
