/** The words of the lines in one comparison, and the comparisons of these lines. */

import { type Lines, lineAt } from './lines.ts'
import { diffWords, maySurpass, similarity, type WordDiff } from './word-diff.ts'
import { countNumbers, splitWords, type WordNumbers, type Words } from './words.ts'
import type { WorkLimit } from './work-limit.ts'
import { createWorkspace, room } from './workspace.ts'

export interface Vocabulary {
  /** Compares two lines by their words. */
  readonly diff: (fromLine: number, toLine: number) => WordDiff
  /**
   * Returns the similarity of a line of `to` to one of `from`, which is not quite symmetric. A result up to `floor`
   * need not be exact.
   */
  readonly likeness: (toLine: number, fromLine: number, floor: number) => number
}

/**
 * Maximum cells of all comparisons that look for moved lines, far above those of real pages. Further pairs of lines
 * count as dissimilar.
 */
const maxMoveCells = 10_000_000_000

/** Creates the vocabulary of two texts whose lines are numbered with the same map of `distinct` lines. */
export function createVocabulary(from: Lines, to: Lines, distinct: number, work?: WorkLimit): Vocabulary {
  const numbers: WordNumbers = new Map()
  const wordLists = new Array<Words | undefined>(distinct)
  const likenesses = new Map<number, number>()
  const workspace = createWorkspace(0, work)
  let cellsLeft = maxMoveCells

  const wordsOf = (lines: Lines, line: number): Words => {
    const id = lines.ids[line]!
    wordLists[id] ??= splitWords(lineAt(lines, line), numbers)
    return wordLists[id]
  }
  const compare = (first: Words, second: Words): WordDiff => {
    workspace.slots = room(workspace.slots, countNumbers(numbers))
    return diffWords(first, second, workspace)
  }
  const likenessOf = (first: Words, second: Words, floor: number): number | null => {
    workspace.slots = room(workspace.slots, countNumbers(numbers))
    if (cellsLeft <= 0 || !maySurpass(floor, first, second, workspace)) return null
    const pair = compare(first, second)
    if (!pair.changes.overLimit) cellsLeft -= pair.changes.cells
    return similarity(pair)
  }
  return {
    diff: (fromLine, toLine) => compare(wordsOf(from, fromLine), wordsOf(to, toLine)),
    likeness: (toLine, fromLine, floor) => {
      const key = to.ids[toLine]! * distinct + from.ids[fromLine]!
      const likeness = likenesses.get(key) ?? likenessOf(wordsOf(to, toLine), wordsOf(from, fromLine), floor)
      if (likeness !== null) likenesses.set(key, likeness)
      return likeness ?? 0
    },
  }
}
