/** Checks a merged text as a whole: both sides were right, and the result is. Source: docs/reference/comparison.md#merging. */

import type { Span } from './changes.ts'
import { type Constructs, readConstructs } from './constructs.ts'
import { kindOfLine } from './line-kinds.ts'
import { type Lines, splitLines } from './lines.ts'
import type { ThreeWays, Whereabouts } from './merge-units.ts'
import { isWord, splitCells, splitSentences, splitWords } from './sentences.ts'

/** Lines of a merged text. */
export interface MergedLines extends Whereabouts {
  /** Whole lines. */
  readonly text: string
  /** The base's lines that both sides reworded to these; absent if they are not, or both only removed them. */
  readonly changed?: Span
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
  const whole = splitLines(merged.map(({ text }) => text).join(''), numbers)
  const each = [base.ids, mine.ids, theirs.ids, whole.ids] as const
  if (repeats(each, numbers, merged)) return false
  const contexts = new Map<string, number>()
  const result = readConstructs(whole, contexts)
  const [one, other] = [readConstructs(mine, contexts), readConstructs(theirs, contexts)]
  let before: Constructs | undefined
  for (const [kind, count] of result.faults) {
    const [first, second] = [one.faults.get(kind) ?? 0, other.faults.get(kind) ?? 0]
    if (count <= Math.max(first, second)) continue
    before ??= readConstructs(base, contexts)
    if (count > first + second - (before.faults.get(kind) ?? 0)) return false
  }
  return (
    standsAsWritten(merged, [result.contexts, one.contexts, other.contexts], part => part.writer) &&
    // A line that was changed in its place stands under the heading that the other side put above it.
    standsAsWritten(merged, headingsOf(each, numbers), () => null)
  )
}

/** Stands for a heading that a merged text has not got: another side renamed or removed it. */
const gone = -1

/** A property of each line of the merged text, of mine and of theirs. */
type Properties = readonly [merged: Int32Array, mine: Int32Array, theirs: Int32Array]

/** Returns true if a property of the lines of a merged text is one that the line has in the text of its writer, or of any side if that is null. */
function standsAsWritten(
  merged: readonly MergedLines[],
  [result, mine, theirs]: Properties,
  writerOf: (part: MergedLines) => MergedLines['writer'],
): boolean {
  let at = 0
  for (const part of merged) {
    const span = part.mine ?? part.theirs!
    const writer = writerOf(part)
    for (let line = 0; line < span.end - span.start; line++, at++) {
      const isAs = (side: Int32Array, own: Span | null): boolean =>
        own !== null && (side[own.start + line] === result[at] || side[own.start + line] === gone)
      if (!(writer !== 'theirs' && isAs(mine, part.mine)) && !(writer !== 'mine' && isAs(theirs, part.theirs)))
        return false
    }
  }
  return true
}

/** Returns for each line of the merged text, of mine and of theirs the heading that it stands under; 0 for a blank one, which stands between. */
function headingsOf(
  [, mine, theirs, merged]: readonly [Int32Array, Int32Array, Int32Array, ArrayLike<number>],
  numbers: ReadonlyMap<string, number>,
): Properties {
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
function repeats(
  ids: readonly ArrayLike<number>[],
  numbers: ReadonlyMap<string, number>,
  merged: readonly MergedLines[],
): boolean {
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
  for (const [word, more] of wordsOfSameChanges(ids, numbers, merged)) count(words, word, more)
  // Words that one side removed with a line that both removed, and the other put elsewhere.
  for (const [before, one, other, after] of words.values())
    if (one < before !== other < before && after > one + other - before) return true
  return [...units].some(([unit, [before, one, other, after]]) => {
    // Both changed it: it is new as a whole.
    if (one === 0 && other === 0) return false
    if (one < before || other < before)
      return after > (one < before && other < before ? Math.min(one, other) : one + other - before)
    // A line that one side moved, and the other added once more, is not the same one.
    if (before > 0 && after < Math.max(one, other)) return !unit.startsWith(aloneUnit)
    if (after <= Math.max(one, other)) return false
    // A cell may be equal in many rows. One that was there once was moved by both.
    if (unit.startsWith(aloneUnit)) return before === 1 && one === 1 && other === 1
    return before > 0 ? !unit.startsWith(cellUnit) : isTelling(unit)
  })
}

/** Returns the words of the lines that both sides changed in the same way, to be taken from the counts: neither put such a word elsewhere. */
function* wordsOfSameChanges(
  [base]: readonly ArrayLike<number>[],
  numbers: ReadonlyMap<string, number>,
  merged: readonly MergedLines[],
): Iterable<[word: string, more: Counts]> {
  const same = merged.filter(({ changed }) => changed !== undefined)
  if (same.length === 0) return
  const names = [...numbers.keys()]
  for (const { changed, text } of same) {
    for (let at = changed!.start; at < changed!.end; at++)
      for (const word of splitWords(names[base![at]!]!).filter(isWord)) yield [word, [-1, 0, 0, 0]]
    for (const word of splitWords(text).filter(isWord)) yield [word, [0, -1, -1, -1]]
  }
}

function count(units: Map<string, Counts>, unit: string, more: Counts): void {
  const counts = units.get(unit) ?? [0, 0, 0, 0]
  for (let at = 0; at < counts.length; at++) counts[at]! += more[at]!
  units.set(unit, counts)
}

/** Number of words from which a text is a sentence of its own. */
const sentenceWords = 3

/** Starts of the units of a name, of the first cell of a row (no name if several rows have it), and of a cell alone in its line. */
const [nameUnit, cellUnit, aloneUnit] = ['\nname ', '\ncell ', '\nalone ']

/** Returns what a line says that must not be said twice: itself, its sentences, and the name of an item or a row. */
function unitsOf(line: string): string[] {
  const { kind, name, identity } = kindOfLine(line)
  if (kind === 'rule' || kind === 'blank') return []
  // A construct of one line.
  if (/^[ \t]*[<{`~]/.test(line)) return isSentence(line) ? [line] : []
  const cells = kind === 'row' ? splitCells(line).filter(isWord) : []
  if (kind === 'row' && cells.length < 2) return [aloneUnit + line]
  const sentences = splitSentences(line).map(one => one.trim())
  const named = (start: string, one: string): string[] => (isWord(one) ? [start + bareName(one)] : [])
  return [
    line,
    ...sentences.filter(one => one !== line && isSentence(one)),
    ...named(nameUnit, kind === 'key' ? identity : name),
    ...named(cellUnit, cells[0] ?? ''),
  ]
}

/** A name without its punctuation and blanks, in which two writers differ. */
function bareName(name: string): string {
  return name.replace(/[^\p{L}\p{N}]+/gu, '').toLowerCase()
}

/** Returns true for a name or a sentence. A line of one or two words may be meant twice. */
function isTelling(unit: string): boolean {
  return unit.startsWith(nameUnit) || unit.startsWith(cellUnit) || isSentence(unit)
}

function isSentence(text: string): boolean {
  return text.length > 8 && splitWords(text).filter(isWord).length >= sentenceWords
}
