/** `<img src="path">` of wikitext in repositories: shows a picture of the wiki. Any other tag stays text, as in MediaWiki. */

import { namespaceIds } from '../../core/namespaces.ts'
import { joinPath } from '../../links/resolve.ts'
import { readTitle } from '../links/target.ts'
import { mediaElement } from '../media/element.ts'
import type { FoundFile } from '../media/file-lookup.ts'
import { type MediaPart, readMediaOptions } from '../media/options.ts'
import { addType } from '../passes/types.ts'
import { decodeEntities } from '../sanitize/entities.ts'
import { textNode } from '../tree/node.ts'
import { emit, pageOffset, type Scan } from './scan.ts'

/** Maximum length of a tag, UTF-16 units. */
const longestTag = 2000

/** Scans the tag that ends at `end`; returns false if it shows no file of the wiki. */
export function scanImage(scan: Scan, nameEnd: number, end: number): boolean {
  const { at, text, run } = scan
  if (run.site.config.links === 'mediawiki' || end - at > longestTag) return false
  const attributes = readTag(text.slice(nameEnd, end - 1))
  const file = findPicture(scan, attributes.get('src') ?? '')
  if (file === null) return false
  const node = mediaElement(readMediaOptions(partsOf(attributes), { words: run.site.mediaWords }), {
    file: { title: file.title.key, name: file.title.name, metadata: file.metadata, thumbnail: null },
    caption: attributes.has('title') ? [textNode(attributes.get('title') ?? '')] : null,
    context: { thumbnailWidth: run.thumbnailWidth, resolveLink: () => null, parse: part => [textNode(part.text)] },
  })
  // Its whole source is stored, because wikitext has another syntax for a picture.
  addType(node, 'mw:Placeholder')
  node.data = { ...node.data, media: file.title, keepsSource: true }
  const place = { start: pageOffset(scan, at), end: pageOffset(scan, end) }
  emit(scan, { kind: 'atom', level: 'inline', nodes: [node], ...place }, at, end)
  return true
}

function readTag(source: string): ReadonlyMap<string, string> {
  const found = source.matchAll(/([a-z]{1,20})\s{0,9}=\s{0,9}(?:"([^"]*)"|'([^']*)'|([^\s"'>/][^\s"'>]*))/gi)
  return new Map(
    [...found].map(([, name = '', double, single, bare]) => [
      name.toLowerCase(),
      decodeEntities(double ?? single ?? bare?.replace(/\/$/, '') ?? ''),
    ]),
  )
}

/** Looks for the file in the page's folder, then at the root. */
function findPicture({ run }: Scan, source: string): FoundFile | null {
  if (source === '' || /^[a-z][a-z0-9+.-]*:|^\/\//i.test(source)) return null
  const folder = run.title.text.includes('/') ? run.title.text.replace(/\/[^/]*$/, '') : ''
  const places = source.startsWith('/') ? [''] : [folder, '']
  for (const place of new Set(places)) {
    const title = readTitle(`File:${joinPath(place, source)}`, run.site)
    const file = title?.namespace === namespaceIds.file ? run.findFile(title) : null
    if (file?.metadata) return file
  }
  return null
}

function partsOf(attributes: ReadonlyMap<string, string>): MediaPart[] {
  const [width, height] = ['width', 'height'].map(
    name => /^\d{1,5}(?=(?:px)?$)/.exec(attributes.get(name) ?? '')?.[0] ?? '',
  )
  const size = height === '' ? width : `${width}x${height}`
  const alt = attributes.get('alt') ?? ''
  const texts = [...(size === '' ? [] : [`${size}px`]), ...(alt === '' ? [] : [`alt=${alt}`])]
  return texts.map(text => ({ source: text, text, start: 0, end: 0 }))
}
