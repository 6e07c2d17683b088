/** Bold and italic text. */

import type { ElementNode } from '../../wikitext/tree/node.ts'
import { placeOf } from '../../wikitext/tree/place.ts'
import type { Context } from '../context.ts'
import { gapText, type Writer, write } from '../writer.ts'

const marks: Readonly<Record<string, string>> = { b: "'''", i: "''" }

/** Writes apostrophes around text. */
export function quote(writer: Writer, node: ElementNode, context: Context): void {
  const mark = marks[node.name]!
  const { autoInsertedStart, autoInsertedEnd } = node.data.parsoid ?? {}
  if (!node.children.length) return
  if (autoInsertedStart !== true) write(writer, guard(writer, node) + mark)
  writer.children(writer, node, { ...context, term: false })
  if (autoInsertedEnd !== true) write(writer, mark)
}

/** An apostrophe of the text before the marks would be counted with them. */
function guard(writer: Writer, node: ElementNode): string {
  if (gapText(writer) !== '' || !writer.tail.endsWith("'")) return ''
  const { parent } = node
  const before = parent?.children[placeOf(parent, node) - 1]
  return before?.kind === 'text' || (before?.kind === 'element' && (before.name === 'b' || before.name === 'i'))
    ? '<nowiki/>'
    : ''
}
