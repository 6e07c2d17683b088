/** Checks a merged text as a whole: both sides were right, and the result is. Source: docs/reference/comparison.md#merging. */

import type { Span } from './changes.ts'
import { readConstructs } from './constructs.ts'
import { kindOfLine } from './line-kinds.ts'
import { type Lines, numberOf, splitLines } from './lines.ts'
import type { ThreeWays } from './merge-units.ts'
import { isWord, splitCells, splitSentences, splitWords } from './sentences.ts'

/** Lines of a merged text, and where they are in each side; null for a side that has not got them. */
export interface MergedLines {
  /** Whole lines. */
  readonly text: string
  readonly mine: Span | null
  readonly theirs: Span | null
}

/**
 * Returns true if every line of a merged text stands inside the constructs in which its writer put it, nothing is open or closed
 * without its other half that a side had whole, no key stands there twice, no sentence that both sides added, and no line that a side
 * took away. `numbers` are those of the lines.
 */
export function isWholeMerge(
  lines: ThreeWays<Lines>,
  merged: readonly MergedLines[],
  numbers: Map<string, number>,
): boolean {
  const { base, mine, theirs } = lines
  const ids = idsOf(merged, lines, numbers)
  const each = [base.ids, mine.ids, theirs.ids, ids] as const
  if (repeats(each, numbers)) return false
  const contexts = new Map<string, number>()
  const result = readConstructs(splitLines(merged.map(({ text }) => text).join(''), new Map()), contexts)
  const [one, other] = [readConstructs(mine, contexts), readConstructs(theirs, contexts)]
  for (const [kind, count] of result.faults)
    if (count > Math.max(one.faults.get(kind) ?? 0, other.faults.get(kind) ?? 0)) return false
  return (
    standsAsWritten(merged, result.contexts, one.contexts, other.contexts) &&
    standsAsWritten(merged, ...headingsOf(each, numbers))
  )
}

/** Stands for a heading that a merged text has not got: another side renamed or removed it. */
const gone = -1

/** Returns true if a property of the lines of a merged text is one that the line has in a side that has it. */
function standsAsWritten(
  merged: readonly MergedLines[],
  result: Int32Array,
  mine: Int32Array,
  theirs: Int32Array,
): boolean {
  let at = 0
  for (const part of merged) {
    const span = part.mine ?? part.theirs!
    for (let line = 0; line < span.end - span.start; line++, at++) {
      const isAs = (side: Int32Array, own: Span | null): boolean =>
        own !== null && (side[own.start + line] === result[at] || side[own.start + line] === gone)
      if (!isAs(mine, part.mine) && !isAs(theirs, part.theirs)) return false
    }
  }
  return true
}

/** Returns for each line of the merged text, of mine and of theirs the heading that it stands under; 0 for a blank one, which stands between. */
function headingsOf(
  [, mine, theirs, merged]: readonly [Int32Array, Int32Array, Int32Array, ArrayLike<number>],
  numbers: ReadonlyMap<string, number>,
): [merged: Int32Array, mine: Int32Array, theirs: Int32Array] {
  const [isHeading, isBlank] = [new Uint8Array(numbers.size), new Uint8Array(numbers.size)]
  for (const [line, id] of numbers) {
    if (/^[=#]/.test(line) && kindOfLine(line).kind === 'heading') isHeading[id] = 1
    if (line.trim() === '') isBlank[id] = 1
  }
  const inMerged = new Set(Array.from(merged).filter(id => isHeading[id] === 1))
  return [merged, mine, theirs].map(ids => {
    let heading = 0
    return Int32Array.from(ids as Int32Array, id => {
      if (isHeading[id] === 1) heading = inMerged.has(id) ? id + 1 : gone
      return isBlank[id] === 1 ? 0 : heading
    })
  }) as [Int32Array, Int32Array, Int32Array]
}

/** Number of times that a unit stands in the base, in mine, in theirs, and in the merged text. */
type Counts = [base: number, mine: number, theirs: number, merged: number]

/**
 * Returns true if a line, a sentence or an item of one name stands in a merged text more often than in the sides, or though one side
 * took it away: both added it, or one moved what the other deleted.
 */
function repeats(ids: readonly ArrayLike<number>[], numbers: ReadonlyMap<string, number>): boolean {
  const counts = ids.map(list => {
    const counted = new Int32Array(numbers.size)
    for (let at = 0; at < list.length; at++) counted[list[at]!]!++
    return counted
  }) as [Int32Array, Int32Array, Int32Array, Int32Array]
  const [units, words] = [new Map<string, Counts>(), new Map<string, Counts>()]
  for (const [line, id] of numbers) {
    const [before, one, other, after] = counts.map(counted => counted[id]!) as Counts
    if (before === one && before === other && before === after) continue
    for (const unit of unitsOf(line)) count(units, unit, [before, one, other, after])
    for (const word of splitWords(line).filter(isWord)) count(words, word, [before, one, other, after])
  }
  // Words that one side removed with a line that both removed, and the other put elsewhere.
  for (const [before, one, other, after] of words.values())
    if (one < before !== other < before && after > one + other - before) return true
  return [...units.values()].some(([before, one, other, after]) => {
    // Both changed it: it is new as a whole.
    if (one === 0 && other === 0) return false
    // A line that one side moved, and the other added once more, is not the same one.
    if (one >= before && other >= before)
      return after > Math.max(one, other) || (before > 0 && after < Math.max(one, other))
    return after > (one < before && other < before ? Math.min(one, other) : one + other - before)
  })
}

/** Returns the numbers of the lines of a merged text. A line that both sides changed gets a new one. */
function idsOf(
  merged: readonly MergedLines[],
  { mine, theirs }: { readonly mine: Lines; readonly theirs: Lines },
  numbers: Map<string, number>,
): number[] {
  const ids: number[] = []
  const take = (list: Int32Array, { start, end }: Span): void => {
    for (let at = start; at < end; at++) ids.push(list[at]!)
  }
  for (const part of merged) {
    if (part.mine === null) take(theirs.ids, part.theirs!)
    else if (part.theirs === null || mine.ids[part.mine.start] === theirs.ids[part.theirs.start])
      take(mine.ids, part.mine)
    else ids.push(numberOf(part.text.slice(0, -1), numbers))
  }
  return ids
}

function count(units: Map<string, Counts>, unit: string, more: Counts): void {
  const counts = units.get(unit) ?? [0, 0, 0, 0]
  for (const [at, times] of more.entries()) counts[at]! += times
  units.set(unit, counts)
}

/** Number of words from which a text is a sentence of its own. */
const sentenceWords = 3

/** Returns what a line says that must not be said twice: itself, its sentences, and the name of an item or a row. */
function unitsOf(line: string): string[] {
  const { kind, name, identity } = kindOfLine(line)
  const sentences = splitSentences(line).map(one => one.trim())
  if (kind === 'rule' || kind === 'blank' || /^[ \t]*[<{`~]/.test(line)) return []
  const cells = kind === 'row' ? splitCells(line).filter(isWord) : []
  // A cell alone in its line may be equal in many rows.
  if (kind === 'row' && cells.length < 2) return []
  const names = [line, name, cells[0] ?? '', kind === 'key' ? identity : '']
  return [...sentences.filter(isSentence), ...names.filter(isWord).map(one => `: ${one.trim()}`)]
}

function isSentence(text: string): boolean {
  return text.length > 8 && splitWords(text).filter(isWord).length >= sentenceWords
}
