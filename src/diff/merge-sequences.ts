/** Three-way merge of lists of numbers, which stand for lines or words. Source: docs/reference/comparison.md#merging. */

import { eachStretch, type Span } from './changes.ts'
import { findChanges } from './common-subsequence.ts'
import type { Workspace } from './workspace.ts'

/** A stretch of all three lists, and which of them has its content. */
export interface MergePart {
  /** Both: the two sides made the same change. Conflict: they made different ones. */
  readonly take: 'base' | 'mine' | 'theirs' | 'both' | 'conflict'
  readonly base: Span
  readonly mine: Span
  readonly theirs: Span
}

/** When two changes count as apart. */
export interface MergeOptions {
  /**
   * Returns true if unchanged items of the base, a range of at least one, keep changes of the two sides apart; missing: they do.
   */
  readonly partsSides?: (start: number, end: number) => boolean
  /** Returns true if unchanged items of the base make two changes of one side; missing: they do. */
  readonly partsChanges?: (start: number, end: number) => boolean
  /** Items of one list times items of another beyond which all counts as changed; missing: no limit. */
  readonly maxCells?: number
}

/** Items of the base that one side replaced by items of its own; either may be none. */
interface Hunk {
  readonly base: Span
  /** By how many items the side is longer for it. */
  readonly growth: number
}

/** Position of the iteration in one side. */
interface Walk {
  readonly list: Int32Array
  readonly hunks: readonly Hunk[]
  /** Hunks taken, of all and since the last part. */
  next: number
  taken: number
  growth: number
  /** Items that are in parts already. */
  reached: number
}

/**
 * Cuts three lists into parts, in order: every item of each list is in exactly one part. Changes of the two sides that
 * overlap or touch are one part. All numbers are below the size of the workspace.
 */
export function mergeSequences(
  base: Int32Array,
  mine: Int32Array,
  theirs: Int32Array,
  workspace: Workspace,
  options: MergeOptions = {},
): MergePart[] {
  const { partsSides = always } = options
  const [mineWalk, theirsWalk] = [walk(base, mine, workspace, options), walk(base, theirs, workspace, options)]
  const isBeyond = (end: number, start: number): boolean => start > end && partsSides(end, start)
  const parts: MergePart[] = []
  let reached = 0
  const passUpTo = (end: number): void => {
    const length = end - reached
    const hasPart = length > 0 || mineWalk.taken > 0 || theirsWalk.taken > 0
    if (hasPart) parts.push(createPart({ start: reached, end }, mineWalk, theirsWalk))
    reached = end
  }
  for (;;) {
    const start = Math.min(nextStart(mineWalk), nextStart(theirsWalk))
    if (start > base.length) break
    passUpTo(start)
    passUpTo(takeTouching(start, mineWalk, theirsWalk, isBeyond))
  }
  passUpTo(base.length)
  return parts
}

function always(): boolean {
  return true
}

function walk(
  base: Int32Array,
  list: Int32Array,
  workspace: Workspace,
  { partsChanges = always, maxCells = Number.POSITIVE_INFINITY }: MergeOptions,
): Walk {
  const hunks: Hunk[] = []
  const changes = findChanges(base, list, workspace, { shift: 'down', maxCells })
  eachStretch(changes, (baseStart, baseKept, _baseEnd, start, kept) => {
    if (kept === start && baseKept === baseStart) return
    const growth = kept - start - (baseKept - baseStart)
    const last = hunks.at(-1)
    if (last === undefined || partsChanges(last.base.end, baseStart)) {
      hunks.push({ base: { start: baseStart, end: baseKept }, growth })
    } else {
      hunks[hunks.length - 1] = { base: { start: last.base.start, end: baseKept }, growth: last.growth + growth }
    }
  })
  return { list, hunks, next: 0, taken: 0, growth: 0, reached: 0 }
}

function nextStart({ hunks, next }: Walk): number {
  return hunks[next]?.base.start ?? Number.POSITIVE_INFINITY
}

/** True if a hunk that starts at `start` has nothing to do with what ends at `end`. */
type IsBeyond = (end: number, start: number) => boolean

/** Takes the hunks at a place and all that overlap or touch them, of both sides, and returns where the last ends. */
function takeTouching(start: number, mine: Walk, theirs: Walk, isBeyond: IsBeyond): number {
  let end = start
  let taken: number
  do {
    taken = mine.taken + theirs.taken
    end = takeUpTo(mine, takeUpTo(theirs, end, isBeyond), isBeyond)
  } while (taken !== mine.taken + theirs.taken)
  return end
}

/** Takes the hunks of one side that touch a place, and returns the place or, where they reach further, their end. */
function takeUpTo(side: Walk, place: number, isBeyond: IsBeyond): number {
  let end = place
  while (side.next < side.hunks.length && !isBeyond(end, nextStart(side))) {
    const hunk = side.hunks[side.next++]!
    end = Math.max(end, hunk.base.end)
    side.growth += hunk.growth
    side.taken++
  }
  return end
}

/** Makes the next part of a range of the base and the hunks taken since the last one. */
function createPart(base: Span, mineWalk: Walk, theirsWalk: Walk): MergePart {
  const [mineChanged, theirsChanged] = [mineWalk.taken > 0, theirsWalk.taken > 0]
  const mine = passSpan(mineWalk, base)
  const theirs = passSpan(theirsWalk, base)
  const spans = { base, mine, theirs }
  if (!theirsChanged) return { take: mineChanged ? 'mine' : 'base', ...spans }
  if (!mineChanged) return { take: 'theirs', ...spans }
  return { take: areEqual(mineWalk.list, mine, theirsWalk.list, theirs) ? 'both' : 'conflict', ...spans }
}

/** Returns what answers on one side to a range of the base, and has it passed. */
function passSpan(side: Walk, base: Span): Span {
  const start = side.reached
  side.reached += base.end - base.start + side.growth
  side.growth = 0
  side.taken = 0
  return { start, end: side.reached }
}

function areEqual(first: Int32Array, firstSpan: Span, second: Int32Array, secondSpan: Span): boolean {
  if (firstSpan.end - firstSpan.start !== secondSpan.end - secondSpan.start) return false
  const shift = secondSpan.start - firstSpan.start
  for (let at = firstSpan.start; at < firstSpan.end; at++) if (first[at] !== second[at + shift]) return false
  return true
}
