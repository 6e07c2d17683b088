/** The steps that turn one list of lines into another. Source: docs/reference/comparison.md#operations. */

import { type Changes, eachSpan } from './changes.ts'
import { similarity, type WordDiff } from './word-diff.ts'

/**
 * One step over a range of lines of each text; ends are exclusive. The sides of `copy` and `change` have equal length.
 */
export interface Operation {
  readonly kind: 'copy' | 'change' | 'delete' | 'add'
  readonly from: number
  readonly fromEnd: number
  readonly to: number
  readonly toEnd: number
  /** For a change: the word comparison of each pair of lines. */
  readonly pairs: readonly WordDiff[]
}

/** Minimum similarity, exclusive, of two opposite lines that count as one changed line. */
const changeThreshold = 0.2

const noPairs: readonly WordDiff[] = []

/**
 * Lists the steps in order. Changed lines are paired in order. A pair with too little in common becomes an added line
 * followed by a deleted one, as does every line without a partner. Pairs that are too long to compare count as similar,
 * as in wikidiff2 since 1.14.
 */
export function listOperations(changes: Changes, compare: (from: number, to: number) => WordDiff): Operation[] {
  const operations: Operation[] = []
  const push = (
    kind: Operation['kind'],
    [from, fromEnd]: readonly [number, number],
    [to, toEnd]: readonly [number, number],
    pairs = noPairs,
  ): void => {
    if (from < fromEnd || to < toEnd) operations.push({ kind, from, fromEnd, to, toEnd, pairs })
  }
  eachSpan(changes, (fromStart, fromEqual, fromEnd, toStart, toEqual, toEnd) => {
    let from = fromStart
    let to = toStart
    let pairs: WordDiff[] = []
    const closeChange = (): void => {
      push('change', [from - pairs.length, from], [to - pairs.length, to], pairs)
      pairs = []
    }
    for (; from < fromEqual && to < toEqual; from++, to++) {
      const pair = compare(from, to)
      if (areAlike(pair)) {
        pairs.push(pair)
      } else {
        closeChange()
        push('add', [from, from], [to, to + 1])
        push('delete', [from, from + 1], [to + 1, to + 1])
      }
    }
    closeChange()
    push('delete', [from, fromEqual], [to, to])
    push('add', [fromEqual, fromEqual], [to, toEqual])
    push('copy', [fromEqual, fromEnd], [toEqual, toEnd])
  })
  return operations
}

function areAlike(pair: WordDiff): boolean {
  return pair.changes.overLimit || similarity(pair) > changeThreshold
}
