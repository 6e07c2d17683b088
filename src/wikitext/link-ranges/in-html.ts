/** Finds the links and pictures of HTML in a page. */

import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5'
import type { LinkRange } from './link-range.ts'

/** Maximum length of a tag, UTF-16 units. */
const longestTag = 4000
const addresses: Readonly<Record<string, string>> = { a: 'href', img: 'src' }

/** Finds the targets of `<a href>` and `<img src>` in a part of a text that begins at an offset. */
export function findTagLinks(source: string, offset: number): LinkRange[] {
  const links: LinkRange[] = []
  for (const { 0: start, index } of source.matchAll(/<(?:a|img)(?=[\s/])/gi)) {
    const end = source.indexOf('>', index + start.length)
    if (end === -1) return links
    if (end - index < longestTag) links.push(...linkOfTag(source.slice(index, end + 1), offset + index))
  }
  return links
}

function linkOfTag(tag: string, offset: number): LinkRange[] {
  const node = parseFragment(tag, { sourceCodeLocationInfo: true }).childNodes[0]
  if (node === undefined || !('tagName' in node)) return []
  const name = addresses[node.tagName]
  const place = name === undefined ? undefined : attributePlace(node, name)
  if (place === undefined) return []
  const value = /=\s*(["']?)([\s\S]*)$/.exec(tag.slice(place.startOffset, place.endOffset))
  const quote = value?.[1] ?? ''
  const target = quote === '' ? (value?.[2] ?? '') : (value?.[2]?.slice(0, -1) ?? '')
  if (target.trim() === '') return []
  const start = offset + place.endOffset - quote.length - target.length
  const enclosed = quote === '' ? 'none' : 'quotes'
  const isEmbed = node.tagName === 'img'
  return [{ form: 'path', start, end: start + target.length, textAt: null, second: null, enclosed, isEmbed }]
}

function attributePlace(node: DefaultTreeAdapterTypes.Element, name: string) {
  return node.sourceCodeLocation?.attrs?.[name]
}
