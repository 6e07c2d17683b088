/** Writes the children of a node: gaps, unchanged source, and each element by its handler. */

import type { ChildNode, ElementNode, ParentNode, TextNode } from '../wikitext/tree/node.ts'
import { wholeKey } from '../wikitext/tree/tag-source.ts'
import type { Context } from './context.ts'
import { needsNewStart } from './elements/tables.ts'
import { exactGaps } from './exact-gaps.ts'
import { handlerOf } from './handlers.ts'
import { aroundList, atEnd, atStart, between, leavesTermLine } from './line-breaks.ts'
import { groupEnd, isGap, isItem, isList, isNew, isSpaceAt, isTag } from './node-queries.ts'
import { endedLine, sourceGap, unchangedLines, unchangedRun } from './original.ts'
import { sourceGuard } from './quote-guards.ts'
import { gapInParagraph, oneParagraph, writeText } from './text.ts'
import { gapText, type Limits, limit, lineBreakAfter, space, type Writer, write } from './writer.ts'

/** Writes the children of a node. */
export function writeChildren(writer: Writer, parent: ParentNode, context: Context): void {
  const children = contentOf(writer, parent)
  const exact = exactGaps(parent)
  let last: ChildNode | null = null
  for (let index = 0; index < children.length; ) {
    const run =
      writer.original === null || needsNewStart(writer, children[index]!) || leavesTermLine(children[index]!)
        ? null
        : unchangedRun(writer.original, children, index)
    const end = run?.end ?? groupEnd(children, index)
    const node = run === null ? children[index]! : children.slice(index, end).find(child => !isGap(child))
    if (run === null && isGapIn(children[index]!, context)) writeGap(writer, children, index, context)
    else {
      if (node !== undefined) {
        if (exact.before.has(node) && !leavesTermLine(node)) keepGap(writer, children, index)
        else for (const wish of wishesAt(writer, { parent, last, node })) limit(writer, wish)
        last = children.slice(index, end).findLast(child => !isGap(child)) ?? node
      }
      if (run === null) writeNode(writer, node!, context)
      else writeUnchanged(writer, run.text)
      if (context.isLine && run !== null) continueLine(writer, children[end])
    }
    if (writer.original !== null) addSourceGap(writer, children, end - 1)
    index = end
  }
  if (last === null) return
  if (exact.isEnd) writer.gap.isFromSource = true
  else for (const wish of atEnd(parent, last)) limit(writer, wish)
}

function wishesAt(
  { layout }: Writer,
  { parent, last, node }: { parent: ParentNode; last: ChildNode | null; node: ChildNode },
): Limits[] {
  if (last === null) return atStart(parent, node)
  return layout.setsListsApart ? [...between(last, node), ...aroundList(last, node)] : between(last, node)
}

/** Writes an unchanged gap. If the previous node ended with a line break, it still does. */
function keepGap(writer: Writer, children: readonly ChildNode[], index: number): void {
  const before = children[index - 1]
  writer.gap.isFromSource = true
  if (before !== undefined && writer.original !== null && endedLine(writer.original, before)) limit(writer, { min: 1 })
}

/** HTML encodes characters that could end a comment as references; wikitext encodes only a whole end. */
function commentText(text: string): string {
  const decoded = text.replace(/&#x(2D|3E|26);/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
  return `<!--${decoded.replace(/--(?:>|&(?:amp;)*gt;)/g, encodeEnd)}-->`
}

function encodeEnd(end: string): string {
  return end.replace('&', '&amp;').replace('>', '&gt;')
}

function isGapIn(node: ChildNode, { pre }: Context): boolean {
  return isGap(node) && (pre === '' || node.kind === 'comment')
}

function writeGap(writer: Writer, children: readonly ChildNode[], index: number, context: Context): void {
  const node = children[index]!
  if (node.kind === 'comment') {
    space(writer, commentText(node.text))
    return
  }
  if (node.kind !== 'text') return
  // Space before the first word of a paragraph would make preformatted text.
  if (index === 0 && /^[ \t]*$/.test(node.text) && startsParagraph(writer, node)) return
  if (!context.isLine || !node.text.includes('\n')) {
    // White space that an edit left is not the source's.
    if (writer.original?.same.has(node) === false) writer.gap.isFromSource = false
    space(writer, gapInParagraph(writer, node))
    return
  }
  const next = children.slice(index + 1).find(child => !isGap(child))
  if (next === undefined) return
  space(writer, isList(next) || isItem(next) ? node.text : ' ')
}

/** Returns true for white space that is new at the start of a paragraph. */
function startsParagraph({ original }: Writer, node: TextNode): boolean {
  const { parent } = node
  if (parent?.kind !== 'element' || parent.name !== 'p' || isTag(parent)) return false
  if (original === null) return isNew(parent)
  const twin = original.twins.get(node)
  return twin === undefined || twin.parent?.children[0] !== twin
}

/**
 * The line break that a list followed is a space before other content, because an item's text is one line. At its end there
 * is none.
 */
function continueLine({ gap }: Writer, next: ChildNode | undefined): void {
  if (next !== undefined && (isGap(next) || isList(next) || isItem(next))) return
  const text = gap.text.trimEnd()
  if (gap.text.slice(text.length).includes('\n')) gap.text = next === undefined ? text : `${text} `
}

/** Returns the children without white space left behind by a removed first or last list item. */
function contentOf({ original }: Writer, parent: ParentNode): readonly ChildNode[] {
  const { children } = parent
  if (parent.kind !== 'element' || !isList(parent) || isNew(parent)) return children
  const isSpace = (node: ChildNode | undefined): node is TextNode => node?.kind === 'text' && isGap(node)
  const twin = isSpace(children[0]) ? original?.twins.get(children[0]) : undefined
  const isMoved = twin === undefined ? original !== null : twin.parent?.children[0] !== twin
  return children.slice(isMoved && isSpace(children[0]) ? 1 : 0, isSpace(children.at(-1)) ? -1 : undefined)
}

/** Writes unchanged source. Line breaks at its end go into the gap. */
function writeUnchanged(writer: Writer, text: string): void {
  const [before] = isSpaceAt(text, 0) ? (/^\s*\n/.exec(text) ?? ['']) : ['']
  const after = lineBreakAfter(text.slice(before.length))
  writer.gap.isFromSource ||= before !== ''
  space(writer, before)
  if (text.startsWith("'") && writer.tail.endsWith("'") && gapText(writer) === '') write(writer, sourceGuard)
  write(writer, text.slice(before.length, text.length - after.length))
  writer.gap.isFromSource ||= after !== ''
  space(writer, after)
}

function addSourceGap(writer: Writer, children: readonly ChildNode[], index: number): void {
  const text = sourceGap(writer.original!, children, index)
  if (text === '') return
  writer.gap.isFromSource = true
  space(writer, text)
}

/** Returns the source stored with an element; null if there is none, or if the element was changed. */
function wholeSource(node: ElementNode): string | null {
  const recorded = node.data.parsoid?.whole
  if (!Array.isArray(recorded)) return null
  const [key, source] = recorded as unknown[]
  const isSame = typeof source === 'string' && key === wholeKey(node, node.attributes.get('data-mw-variant'))
  return isSame ? source : null
}

function writeNode(writer: Writer, node: ChildNode, context: Context): void {
  if (node.kind === 'text') writeChanged(writer, node, context)
  else if (node.kind === 'element') writeElement(writer, node, context)
}

/** Writes a changed text. Its unchanged lines keep their source. */
function writeChanged(writer: Writer, node: TextNode, context: Context): void {
  const isWhole = writer.original === null || context.isLine || oneParagraph(writer, node, node.text) !== node.text
  const unchanged = isWhole ? null : unchangedLines(writer.original!, node)
  if (unchanged === null) {
    writeText(writer, node, context)
    return
  }
  writeUnchanged(writer, unchanged.before)
  if (context.pre === 'indent' && unchanged.before !== '' && unchanged.changed !== '') write(writer, ' ')
  writeText(writer, node, context, unchanged)
  writeUnchanged(writer, unchanged.after)
}

function writeElement(writer: Writer, node: ElementNode, context: Context): void {
  const source = wholeSource(node)
  if (source !== null) write(writer, source)
  else handlerOf(node)(writer, node, context)
}
