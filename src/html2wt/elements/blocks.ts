/** Paragraphs, preformatted text, horizontal rules and line breaks. */

import type { ChildNode, ElementNode, ParentNode } from '../../wikitext/tree/node.ts'
import { placeOf } from '../../wikitext/tree/place.ts'
import type { Context } from '../context.ts'
import { firstContent, isElement, isGap, isNew, isTag } from '../node-queries.ts'
import { finish, innerWriter, limit, space, type Writer, write } from '../writer.ts'
import { hasOwnAttributes, startsWithBreak, tag } from './tags.ts'

/** Writes a paragraph. Only line breaks mark one in wikitext. */
export function paragraph(writer: Writer, node: ElementNode, context: Context): void {
  if (isNew(node) && ['dir', 'lang'].some(name => node.attributes.has(name))) tag(writer, node, context)
  else if (isFiller(node)) {
    if (writer.hasOutput && writer.original === null) limit(writer, { min: writer.gap.min + 1 })
  } else writer.children(writer, node, context)
}

/** Returns true for an empty paragraph before another one, which is an empty line more. */
function isFiller(node: ElementNode): boolean {
  const { parent } = node
  if (!isNew(node) || parent === null || hasOwnAttributes(node) || node.children.some(child => !isGap(child)))
    return false
  const next = contentAfter(parent, node)
  return isElement(next, 'p')
}

function contentAfter(parent: ParentNode, node: ElementNode): ChildNode | null {
  for (let index = placeOf(parent, node) + 1; index < parent.children.length; index++)
    if (!isGap(parent.children[index]!)) return parent.children[index]!
  return null
}

/** Writes `----`. */
export function hr(writer: Writer, { data }: ElementNode): void {
  const extra = Number(data.parsoid?.extra_dashes ?? 0)
  write(writer, '-'.repeat(4 + (Number.isInteger(extra) && extra > 0 ? Math.min(extra, 1000) : 0)))
}

/** Writes `<br />`. At the start of a paragraph it is written as an empty line. */
export function br(writer: Writer, node: ElementNode, context: Context): void {
  const { parent } = node
  const isEmptyLine =
    parent !== null &&
    isElement(parent, 'p') &&
    !isTag(parent) &&
    firstContent(parent) === node &&
    !context.isLine &&
    !hasOwnAttributes(node)
  if (!isEmptyLine) {
    tag(writer, node, context)
    return
  }
  if (!isNew(node)) return
  const isAlone = parent.children.every(child => child === node || isGap(child))
  const { min } = writer.gap
  writer.gap.max = Number.POSITIVE_INFINITY
  // After any block, a first empty line alone is not displayed.
  limit(writer, { min: !writer.hasOutput ? 1 : isAlone ? min + 1 : Math.max(min + 1, 3) })
  if (!writer.hasOutput) space(writer, isAlone ? '\n' : pageStart(parent.children[placeOf(parent, node) + 1]))
  if (isAlone) limit(writer, { min: min + (writer.hasOutput ? 2 : 1) })
}

/** Line breaks that make a `<br />` at the start of a page: two of them are not displayed there. */
function pageStart(next: ChildNode | undefined): string {
  return next?.kind === 'text' && next.text.startsWith('\n') ? '\n\n' : '\n\n\n'
}

/** Writes preformatted text: as lines that begin with a space, or as the tag. */
export function pre(writer: Writer, node: ElementNode, context: Context): void {
  const inner = innerWriter(writer)
  const isTagged = context.list !== '' || (isNew(node) && hasOwnAttributes(node)) || !holdsLines(node)
  if (isTagged) {
    tag(writer, node, { ...context, pre: 'tag' })
    return
  }
  writer.children(inner, node, { ...context, pre: 'indent' })
  const text = finish(inner).replace(/\n $/, '')
  write(writer, ` ${text}`)
}

function holdsLines(node: ElementNode): boolean {
  return node.children.length > 0 && !startsWithBreak(node)
}
