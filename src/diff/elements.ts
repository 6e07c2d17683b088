/**
 * Converts the steps between two texts to the elements of a comparison. Source: docs/reference/comparison.md#output.
 */

import type { DiffElement } from '../core/comparison.ts'
import { byteCounter, type Lines, lineAt } from './lines.ts'
import { describeMove, type LooseLine } from './moves.ts'
import type { Operation } from './operations.ts'
import type { OutputLimit } from './output-limit.ts'
import { mergeLines, type WordDiff } from './word-diff.ts'
import { untilNul } from './words.ts'

/** Input of `listElements`. */
export interface ElementSource {
  readonly from: Lines
  readonly to: Lines
  readonly operations: readonly Operation[]
  /** The lines of all operations that add or delete, in order. */
  readonly looseLines: readonly LooseLine[]
  /** Compares the words of two lines. */
  readonly compare: (from: number, to: number) => WordDiff
  readonly limit: OutputLimit
}

/** The source, and the byte offset of each line, which must be requested in ascending order. */
interface Page extends ElementSource {
  readonly fromOffset: (line: number) => number
  readonly toOffset: (line: number) => number
}

/** Number of lines shown before and after each change. */
const contextLines = 2

/** Lists the elements of a comparison in order. Unchanged lines are listed only next to changes. */
export function listElements(source: ElementSource): DiffElement[] {
  const { operations, looseLines } = source
  const page: Page = { ...source, fromOffset: lineOffsets(source.from), toOffset: lineOffsets(source.to) }
  const elements: DiffElement[] = []
  const push = (element: DiffElement): void => {
    source.limit.count(element.text.length, element.highlightRanges?.length ?? 0)
    elements.push(element)
  }
  let loose = 0
  for (const [number, operation] of operations.entries()) {
    if (operation.kind === 'copy') {
      for (const line of contextOf(operation, number, operations.length)) {
        push(unchangedElement(page, operation, line))
      }
    }
    for (const [line, pair] of operation.pairs.entries()) push(changedElement(page, operation, line, pair))
    for (; looseLines[loose]?.operation === number; loose++) {
      const element = looseElement(page, operation, looseLines[loose]!)
      if (element !== null) push(element)
    }
  }
  return elements
}

function lineOffsets({ text, starts }: Lines): (line: number) => number {
  const bytesBefore = byteCounter(text)
  return line => bytesBefore(starts[line]!)
}

/** Lists the lines of an unchanged range that are near the previous or next operation. */
function contextOf({ from, fromEnd }: Operation, number: number, operations: number): number[] {
  const size = fromEnd - from
  const head = number > 0 ? Math.min(contextLines, size) : 0
  const tail = number < operations - 1 ? Math.min(contextLines, size - head) : 0
  const lines: number[] = []
  for (let line = 0; line < head; line++) lines.push(line)
  for (let line = size - tail; line < size; line++) lines.push(line)
  return lines
}

function unchangedElement({ to, fromOffset, toOffset }: Page, operation: Operation, line: number): DiffElement {
  const toLine = operation.to + line
  const offset = { from: fromOffset(operation.from + line), to: toOffset(toLine) }
  return { type: 0, lineNumber: toLine + 1, text: lineAt(to, toLine), offset }
}

function changedElement(
  { fromOffset, toOffset }: Page,
  operation: Operation,
  line: number,
  pair: WordDiff,
): DiffElement {
  const toLine = operation.to + line
  const offset = { from: fromOffset(operation.from + line), to: toOffset(toLine) }
  const { text, highlightRanges } = mergeLines(pair)
  return { type: 3, lineNumber: toLine + 1, text, offset, highlightRanges }
}

/** Writes a line that only one text has, or that moved; null if its partner's element shows it. */
function looseElement(page: Page, operation: Operation, loose: LooseLine): DiffElement | null {
  const { partner, fate } = loose
  if (partner === null || fate === 'plain') return plainElement(page, loose)
  if (fate === 'hidden') return null
  if (fate === 'joined') return joinedElement(page, operation, loose, partner)
  return loose.side === 'from' ? movedFromElement(page, loose, partner) : movedToElement(page, loose, partner)
}

function plainElement(page: Page, loose: LooseLine): DiffElement {
  const { side, index } = loose
  const text = lineAt(page[side], index)
  const offset = offsetOf(page, loose)
  return side === 'from' ? { type: 2, text, offset } : { type: 1, lineNumber: index + 1, text, offset }
}

/** Writes two lines as one changed line at the position of the first. */
function joinedElement(page: Page, operation: Operation, loose: LooseLine, partner: LooseLine): DiffElement {
  const [from, to] = loose.side === 'from' ? [loose, partner] : [partner, loose]
  const toLine = loose.side === 'from' ? operation.to : loose.index
  const { text, highlightRanges } = mergeLines(page.compare(from.index, to.index))
  const offset = { from: page.fromOffset(from.index), to: page.toOffset(to.index) }
  return { type: 3, lineNumber: toLine + 1, text, offset, highlightRanges }
}

function movedFromElement(page: Page, loose: LooseLine, partner: LooseLine): DiffElement {
  const text = untilNul(lineAt(page.from, loose.index))
  return { type: 4, moveInfo: describeMove(loose, partner), text, offset: offsetOf(page, loose) }
}

function movedToElement(page: Page, loose: LooseLine, partner: LooseLine): DiffElement {
  const { text, highlightRanges } = mergeLines(page.compare(partner.index, loose.index))
  const moveInfo = describeMove(loose, partner)
  return { type: 5, lineNumber: loose.index + 1, moveInfo, text, offset: offsetOf(page, loose), highlightRanges }
}

function offsetOf({ fromOffset, toOffset }: Page, { side, index }: LooseLine): DiffElement['offset'] {
  return side === 'from' ? { from: fromOffset(index), to: null } : { from: null, to: toOffset(index) }
}
