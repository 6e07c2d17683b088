/** How a page was printed that says nothing of its wikitext: what MediaWiki prints tells how its lists and rows were written. */

import type { ElementNode, FragmentNode, ParentNode } from '../wikitext/tree/node.ts'
import { walk } from '../wikitext/tree/walk.ts'
import { isElement, isItem, isList } from './facts.ts'
import { isGap } from './writer.ts'

export interface Layout {
  /** True for a page that MediaWiki printed for readers: no space follows a bullet. */
  readonly isPrinted: boolean
  /** True for a page whose sections an editor was told. */
  readonly hasSections: boolean
}

/** Reads the layout of a page that is written without its source. */
export function layoutOf(tree: FragmentNode, html: string): Layout {
  return { isPrinted: isPrinted(tree), hasSections: html.includes('data-mw-section-id') }
}

/**
 * Tells whether a page is one that MediaWiki printed for readers: nothing of it tells its place in a source, no list breaks its line
 * before the first item, and all lists do so between items.
 */
function isPrinted(tree: FragmentNode): boolean {
  let lists = 0
  for (const { element } of walk(tree)) {
    if (element.data.range != null || (isItem(element) && !isPrintedItem(element))) return false
    if (!isList(element)) continue
    if (!isPrintedList(element)) return false
    lists++
  }
  return lists > 0
}

function isPrintedList({ children }: ElementNode): boolean {
  return children.every((node, index) => {
    if (node.kind === 'element') return index === 0 || !isItem(children[index - 1]!)
    return index > 0 && index < children.length - 1 && isGap(node)
  })
}

/** Lines of an item are one; a list in it begins on a line of its own. */
function isPrintedItem({ children }: ElementNode): boolean {
  return children.every((node, index) => {
    if (node.kind !== 'text' || !node.text.includes('\n')) return true
    const next = children[index + 1]
    return next !== undefined && isList(next) && node.text.indexOf('\n') === node.text.length - 1
  })
}

/** Tells whether a row was printed by MediaWiki: of cells on one line only the last one ends with a line break. */
export function isPrintedRow(row: ParentNode): boolean {
  const last = row.children.findLast(child => isElement(child))
  return last !== undefined && endsLine(last)
}

/** Tells whether the text of a cell ends with a line break. */
export function endsLine(node: ElementNode): boolean {
  const last = node.children.at(-1)
  return last?.kind === 'text' && last.text.endsWith('\n')
}
