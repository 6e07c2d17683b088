/**
 * Detects the layout of a page without known wikitext: HTML printed by MediaWiki shows how its lists and rows were
 * written.
 */

import type { ChildNode, ElementNode, FragmentNode, ParentNode } from '../wikitext/tree/node.ts'
import { placeOf } from '../wikitext/tree/place.ts'
import { elementsOf, isBlock, isElement, isGap, isItem, isList, isNew } from './node-queries.ts'

export interface Layout {
  /** True for a page that MediaWiki printed for readers. Bullets then have no space after them. */
  readonly isPrinted: boolean
  /** True if lists are surrounded by blank lines and bullets are followed by a space, as Parsoid writes new content. */
  readonly setsListsApart: boolean
  /** True if the HTML marks sections for editors. */
  readonly hasSections: boolean
}

/** Detects the layout of a page that is written without its source. */
export function layoutOf(tree: FragmentNode, html: string, { setsListsApart }: Pick<Layout, 'setsListsApart'>): Layout {
  const hasSections = html.includes('data-mw-section-id')
  return { isPrinted: !setsListsApart && isPrinted(tree), setsListsApart, hasSections }
}

/**
 * Returns true if MediaWiki printed the page for readers: no element records a source range, no list starts with a line
 * break, and every list has line breaks between its items.
 */
function isPrinted(tree: FragmentNode): boolean {
  let lists = 0
  for (const element of elementsOf(tree)) {
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

/** The text of an item is one line; a nested list starts on its own line. */
function isPrintedItem({ children }: ElementNode): boolean {
  return children.every((node, index) => {
    if (node.kind !== 'text' || !node.text.includes('\n')) return true
    const next = children[index + 1]
    return next !== undefined && isList(next) && node.text.indexOf('\n') === node.text.length - 1
  })
}

/**
 * Returns true if a cell shares the line of the previous cell, according to the page or to the row that MediaWiki
 * printed: only the last cell of a line ends with a line break.
 */
export function continuesRow(node: ElementNode): boolean {
  if (node.data.parsoid?.stx === 'row') return true
  const { parent } = node
  if (!isNew(node) || parent === null || !endsLine(parent.children.findLast(isCell))) return false
  const before = cellBefore(parent, node)
  // A block ends its line in any case.
  return isElement(before, node.name) && !endsLine(before) && !before.children.some(isBlock)
}

function cellBefore(parent: ParentNode, node: ElementNode): ChildNode | null {
  for (let index = placeOf(parent, node) - 1; index >= 0; index--) {
    if (isCell(parent.children[index]!)) return parent.children[index]!
  }
  return null
}

function isCell(node: ChildNode): boolean {
  return node.kind === 'element'
}

/** Returns true if the text of an element ends with a line break. */
export function endsLine(node: ChildNode | undefined): boolean {
  const last = node?.kind === 'element' ? node.children.at(-1) : undefined
  return last?.kind === 'text' && last.text.endsWith('\n')
}
