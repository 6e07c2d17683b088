/** Decides whether a text contains a change that was made to another version of it. */

import { isWikiError } from '../../core/errors.ts'
import { type Merge, mergeTexts } from '../../diff/merge.ts'
import { createWorkLimit } from '../../diff/work-limit.ts'
import { hasWords, keepsWords, wordDistance } from '../comparing/word-bag.ts'

/** One change of a text. */
export interface TextChange {
  readonly before: string
  readonly after: string
}

/** Maximum length of a text that is merged, in UTF-16 units. Longer ones are compared only by lines. */
const longestMerged = 200_000

/** Maximum steps of one such merge, about a tenth of a second, because a server checks many edits at its start. */
const maxSteps = 2 ** 24

/**
 * Returns true if merging the change into the text changes nothing, or if the text has every line that it adds and none
 * that it removes.
 */
export function holds({ before, after }: TextChange, text: string): boolean {
  if (text === after || isSame(before, after)) return true
  return holdsByLines({ before, after }, text) || holdsByMerge({ before, after }, text)
}

/** Returns true if a text is the result of the change, or has every line that it adds and none that it removes. Takes linear time. */
export function hasLines(change: TextChange, text: string): boolean {
  return text === change.after || holdsByLines(change, text)
}

/** Returns true if merging the change into the text changes nothing. Also false for texts that take too many steps to merge. */
export function holdsByMerge(change: TextChange, text: string): boolean {
  const merge = mergedInto(change, text)
  return merge?.merged === true && isSame(merge.text, text)
}

/** Returns true if the change cannot be merged into the text. False for texts that take too many steps. */
export function conflictsWith(change: TextChange, text: string): boolean {
  return mergedInto(change, text)?.merged === false
}

/** Returns true if merging the change into one text gives another one. False for texts that take too many steps. */
export function leads(change: TextChange, from: string, to: string): boolean {
  const merge = mergedInto(change, from)
  return merge?.merged === true && isSame(merge.text, to)
}

/**
 * Returns true if a text has most of the words that a change added or removed. A change of nothing but the order of lines, or of
 * the space between words, must be there as a whole.
 */
export function keepsChange(change: TextChange, text: string): boolean {
  const { before, after } = change
  return wordDistance(before, after) === 0 ? holds(change, text) : keepsWords(text, before, after)
}

/**
 * Merges the change into another text; null for texts that take too many steps. The question is where its lines are. Whether both writers
 * would sign the result is another one: a merge that is refused because removed words stand elsewhere shows nobody what the change was.
 */
function mergedInto({ before, after }: TextChange, text: string): Merge | null {
  if (text === before) return { merged: true, text: after }
  if (Math.max(before.length, after.length, text.length) > longestMerged) return null
  try {
    return mergeTexts(before, after, text, { isCareful: false, work: createWorkLimit(maxSteps) })
  } catch (error) {
    if (isWikiError(error, 'wiki-texts-too-complex')) return null
    throw error
  }
}

/** Returns the inverse of a change. */
export function inverseOf({ before, after }: TextChange): TextChange {
  return { before: after, after: before }
}

/** White space at the end of a text is not content. */
function isSame(a: string, b: string): boolean {
  return a === b || a.trimEnd() === b.trimEnd()
}

function holdsByLines(change: TextChange, text: string): boolean {
  const { added, removed, counts } = lineChange(change)
  if (added.length + removed.length === 0) return false
  const there = countLines(text)
  if (added.length === 0 && isStillThere(change, removed, there)) return false
  return (
    added.every(line => (there.get(line) ?? 0) >= (counts.get(line) ?? 0)) &&
    removed.every(line => (there.get(line) ?? 0) <= (counts.get(line) ?? 0))
  )
}

/** Returns true if a text has one of the removed lines with other words in it: somebody changed it. */
function isStillThere({ before }: TextChange, removed: readonly string[], there: ReadonlyMap<string, number>): boolean {
  const old = countLines(before)
  const fresh = [...there.keys()].filter(line => !old.has(line)).map(wordsOf)
  return removed.some(line => fresh.some(other => hasWords(other, wordsOf(line))))
}

function wordsOf(line: string): string {
  return line.replace(/[^\p{L}\p{N}]+/gu, ' ')
}

/** Lines that a change adds and removes, without blank ones. */
export interface LineChange {
  readonly added: readonly string[]
  readonly removed: readonly string[]
  /** Number of occurrences of each line after the change. */
  readonly counts: ReadonlyMap<string, number>
}

/** Lists the lines that a change adds and removes. Lines that only change their places are neither. */
export function lineChange({ before, after }: TextChange): LineChange {
  const [old, counts] = [countLines(before), countLines(after)]
  const added = [...counts].filter(([line, count]) => count > (old.get(line) ?? 0)).map(([line]) => line)
  const removed = [...old].filter(([line, count]) => count > (counts.get(line) ?? 0)).map(([line]) => line)
  return { added, removed, counts }
}

/** Returns true if lines that are in both texts equally often have another order in the second one. */
export function isReordered({ before, after }: TextChange): boolean {
  const [old, now] = [countLines(before), countLines(after)]
  const common = (text: string) =>
    text
      .split('\n')
      .map(line => line.trimEnd())
      .filter(line => old.has(line) && old.get(line) === now.get(line))
  return common(before).join('\n') !== common(after).join('\n')
}

function countLines(text: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const part of text.split('\n')) {
    const line = part.trimEnd()
    if (line !== '') counts.set(line, (counts.get(line) ?? 0) + 1)
  }
  return counts
}
