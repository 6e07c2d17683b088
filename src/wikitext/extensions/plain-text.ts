/** Text in which only character references are markup: inside `<nowiki>` and `<pre>`. */

import { decodeEntity } from '../sanitize/entities.ts'
import { type ChildNode, type ElementNode, element, textNode } from '../tree/node.ts'

const reference = /&(?:#[xX][0-9A-Fa-f]+|#[0-9]+|[\p{L}][\p{L}\p{N}]{1,31});/gu

/** Converts source to texts and entities; `offset` is its start in the page's text, null if it is from elsewhere. */
export function plainText(source: string, offset: number | null): ChildNode[] {
  const nodes: ChildNode[] = []
  let from = 0
  for (const found of source.matchAll(reference)) {
    const decoded = decodeEntity(found[0])
    if (decoded === null) continue
    if (found.index > from) nodes.push(textNode(source.slice(from, found.index)))
    nodes.push(entityNode(found[0], { decoded, start: offset === null ? null : offset + found.index }))
    from = found.index + found[0].length
  }
  if (from < source.length) nodes.push(textNode(source.slice(from)))
  return nodes
}

/** Makes the element of a character reference. Source: MediaWiki DOM specification 2.8.0, Entities. */
export function entityNode(source: string, { decoded, start }: { decoded: string; start: number | null }): ElementNode {
  const node = element('span', [['typeof', 'mw:Entity']], [textNode(decoded)])
  node.data.parsoid = { src: source, srcContent: decoded }
  if (start !== null) node.data.range = { start, end: start + source.length, openWidth: null, closeWidth: null }
  return node
}
