/** Compares two lines by words: their similarity, and both texts merged into one line. */

import type { HighlightRange } from '../core/comparison.ts'
import { type Changes, eachSpan } from './changes.ts'
import { findChanges } from './common-subsequence.ts'
import type { Words } from './words.ts'
import type { Workspace } from './workspace.ts'

/** The word comparison of two lines. */
export interface WordDiff {
  readonly from: Words
  readonly to: Words
  readonly changes: Changes
}

/** A line that contains the words of two lines, with the ranges that only one of them has. */
export interface MergedLine {
  readonly text: string
  readonly highlightRanges: readonly HighlightRange[]
}

/** Maximum words of one changed middle times words of the other. Source: wikidiff2 max_word_level_diff_complexity. */
const maxWordCells = 40_000_000

/** Compares the words of two lines. If their changed middles are too long together, they count as wholly changed. */
export function diffWords(from: Words, to: Words, workspace: Workspace): WordDiff {
  return { from, to, changes: findChanges(from.ids, to.ids, workspace, { maxCells: maxWordCells }) }
}

/**
 * Returns the fraction of bytes that two lines share, 0 to 1. Where words replace words, the larger side counts; 0 for
 * lines too long to compare.
 *
 * Source: docs/reference/comparison.md#similarity.
 */
export function similarity({ from, to, changes }: WordDiff): number {
  let copied = 0
  let total = 0
  eachSpan(changes, (fromStart, fromEqual, fromEnd, toStart, toEqual) => {
    const deleted = from.bytes[fromEqual]! - from.bytes[fromStart]!
    const added = to.bytes[toEqual]! - to.bytes[toStart]!
    const equal = from.bytes[fromEnd]! - from.bytes[fromEqual]!
    copied += equal
    total += equal + Math.max(deleted, added)
  })
  return copied === 0 ? 0 : copied / total
}

/**
 * Returns false if the words of two lines, in any order, rule out a similarity above `share`. Much cheaper than a
 * comparison; true promises nothing.
 */
export function maySurpass(share: number, from: Words, to: Words, { slots }: Workspace): boolean {
  const [fromSize, toSize] = [from.bytes[from.ids.length]!, to.bytes[to.ids.length]!]
  const larger = Math.max(fromSize, toSize)
  if (Math.min(fromSize, toSize) <= share * larger) return false
  for (let word = 0; word < from.ids.length; word++) slots[from.ids[word]!]! += bytesOf(from, word)
  let common = 0
  for (let word = 0; word < to.ids.length; word++) {
    const shared = Math.min(slots[to.ids[word]!]!, bytesOf(to, word))
    slots[to.ids[word]!]! -= shared
    common += shared
  }
  for (const id of from.ids) slots[id] = 0
  return common > share * larger
}

function bytesOf({ bytes }: Words, word: number): number {
  return bytes[word + 1]! - bytes[word]!
}

/** Merges two lines into one: deleted words come before added ones. Source: docs/reference/comparison.md#output. */
export function mergeLines({ from, to, changes }: WordDiff): MergedLine {
  const highlightRanges: HighlightRange[] = []
  let text = ''
  let bytes = 0
  const take = (words: Words, start: number, end: number, type?: 0 | 1): void => {
    if (start === end) return
    const length = words.bytes[end]! - words.bytes[start]!
    if (type !== undefined) highlightRanges.push({ start: bytes, length, type })
    text += words.line.slice(words.starts[start], words.starts[end])
    bytes += length
  }
  eachSpan(changes, (fromStart, fromEqual, fromEnd, toStart, toEqual) => {
    take(from, fromStart, fromEqual, 1)
    take(to, toStart, toEqual, 0)
    take(from, fromEqual, fromEnd)
  })
  return { text, highlightRanges }
}
