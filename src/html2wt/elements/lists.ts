/** Lists. */

import type { ChildNode, ElementNode } from '../../wikitext/tree/node.ts'
import { placeOf } from '../../wikitext/tree/place.ts'
import type { Context } from '../context.ts'
import { leavesTermLine } from '../line-breaks.ts'
import { firstContent, isElement, isEncapsulated, isGap, isItem, isList, isNew, lastContent } from '../node-queries.ts'
import { limit, startLine, type Writer, write } from '../writer.ts'
import { edges } from './inner-spaces.ts'

/** Writes a list by writing its items. */
export function list(writer: Writer, node: ElementNode, context: Context): void {
  writer.children(writer, node, context)
}

const signs: Readonly<Record<string, string>> = { ul: '*', ol: '#', dl: ':', dt: ';', dd: ':' }

/** Writes an item: the bullets of all enclosing lists, then its text. */
export function item(writer: Writer, node: ElementNode, context: Context): void {
  const own = node.parent?.kind === 'element' ? (signs[node.parent.name] ?? '*') : '*'
  const bullets = context.list + (node.name === 'li' ? own : signs[node.name]!)
  const first = firstContent(node)
  const { before, after } = edges(node, writer.original)
  const isOnOwnLine = node.children[0]?.kind === 'text' && node.children[0].text.includes('\n')
  if (first === undefined || !isList(first) || isOnOwnLine || beginsWithTemplate(first) || followsItem(node)) {
    const isRow = node.data.parsoid?.stx === 'row' && !leavesTermLine(node)
    const sign = isRow ? bullets.slice(-1) : bullets
    startLine(writer)
    const isBare = first === undefined || isList(first) || startsWithSpace(node) || writer.layout.isPrinted
    write(writer, sign + (isNew(node) ? (isBare ? '' : ' ') : before))
    if (first !== undefined && isList(first) && followsItem(node)) limit(writer, { min: 1 })
  }
  writer.children(writer, node, { ...context, list: bullets, isLine: true, term: node.name === 'dt' })
  if (after !== '' && !endsWithNewList(node)) writer.gap.text += after
}

/** The bullets of its list alone would put the list into the item before. */
function followsItem(node: ElementNode): boolean {
  for (let at = node.parent === null ? 0 : placeOf(node.parent, node) - 1; at >= 0; at--) {
    const before = node.parent!.children[at]!
    if (!isGap(before)) return isItem(before) && isElement(before, node.name)
  }
  return false
}

/** The source of a template in a list contains only the template's own bullets. */
function beginsWithTemplate(list: ChildNode): boolean {
  const first = list.kind === 'element' ? firstContent(list) : undefined
  return first !== undefined && isEncapsulated(first)
}

/** Spaces at the end of an item's line do not belong to a newly inserted list. */
function endsWithNewList(node: ElementNode): boolean {
  const last = lastContent(node)
  return isElement(last ?? null) && isList(last!) && isNew(last as ElementNode)
}

function startsWithSpace(node: ElementNode): boolean {
  const [first] = node.children
  return first?.kind === 'text' && /^\s/.test(first.text)
}
