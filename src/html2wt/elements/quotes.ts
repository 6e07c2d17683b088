/** Bold and italic text. */

import type { ChildNode, ElementNode } from '../../wikitext/tree/node.ts'
import { placeOf } from '../../wikitext/tree/place.ts'
import type { Context } from '../context.ts'
import { isBlock, isNew, isTag, lastContent } from '../node-queries.ts'
import { quoteGuard, sourceGuard } from '../quote-guards.ts'
import { gapText, type Writer, write } from '../writer.ts'
import { tag } from './tags.ts'

const delimiters: Readonly<Record<string, string>> = { b: "'''", i: "''" }

/** Writes apostrophes around text. They end with their line, so that blocks need a tag. */
export function quote(writer: Writer, node: ElementNode, context: Context): void {
  const delimiter = delimiters[node.name]!
  const { autoInsertedStart, autoInsertedEnd } = node.data.parsoid ?? {}
  if (!node.children.length) {
    if (isUnclosedRow(node, delimiter)) write(writer, delimiter)
    return
  }
  const inner = { ...context, term: false, isLine: context.isLine || isNew(node) }
  if (isNew(node) && (isBlank(node) || isInLike(node))) {
    writer.children(writer, node, isBlank(node) ? inner : context)
    return
  }
  if (isNew(node) && node.children.some(child => isBlock(child) && !isTag(child))) {
    tag(writer, node, context)
    return
  }
  if (autoInsertedStart !== true) write(writer, guard(writer, node) + delimiter)
  writer.children(writer, node, inner)
  if (autoInsertedEnd === true) return
  const isApostrophe = gapText(writer) === '' && lastContent(node)?.kind === 'text' && writer.tail.endsWith("'")
  write(writer, (isApostrophe ? guardOf(writer, node) : '') + delimiter)
}

/** Returns true for apostrophes at the end of a line that the source has without text; an edit may have removed the text. */
function isUnclosedRow({ data: { range } }: ElementNode, { length }: string): boolean {
  return range != null && range.closeWidth === 0 && range.openWidth === length && range.end - range.start === length
}

/** Returns true if an element displays nothing but spaces, which look the same in bold. */
function isBlank({ children }: ElementNode): boolean {
  return children.every(child => child.kind === 'text' && child.text.trim() === '')
}

/** Apostrophes before the delimiters would be counted as part of them. */
function guard(writer: Writer, node: ElementNode): string {
  if (gapText(writer) !== '' || !writer.tail.endsWith("'")) return ''
  const { parent } = node
  const before = parent?.children[placeOf(parent, node) - 1]
  if (before?.kind === 'text') return guardOf(writer, node)
  return before?.kind === 'element' && isQuote(before) && isLongRow(before, node) ? '<nowiki/>' : ''
}

/** Unchanged apostrophes need a guard only where the rest of the line changes what they mean. */
function guardOf({ original }: Writer, node: ElementNode): string {
  return original?.same.has(node) ? sourceGuard : quoteGuard
}

/** Bold inside bold has no effect. The text of a link is separate. */
function isInLike(node: ElementNode): boolean {
  for (let at = node.parent; at?.kind === 'element' && at.name !== 'a'; at = at.parent)
    if (at.name === node.name && !isTag(at)) return true
  return false
}

function isQuote(node: ChildNode | undefined): boolean {
  return node?.kind === 'element' && Object.hasOwn(delimiters, node.name)
}

/** Three apostrophes beside two can be separated; longer rows cannot. */
function isLongRow(before: ElementNode, node: ElementNode): boolean {
  return before.name === node.name || isQuote(before.children.at(-1)) || isQuote(node.children[0])
}
