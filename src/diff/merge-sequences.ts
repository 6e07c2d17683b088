/**
 * Three-way merge of lists of numbers, which represent lines or words. Source: docs/reference/comparison.md#merging.
 */

import { eachSpan, type Span } from './changes.ts'
import { findChanges } from './common-subsequence.ts'
import type { Workspace } from './workspace.ts'

/** A range of all three lists, and the list to take it from. */
export interface MergePart {
  /** `both`: the two sides made the same change. `conflict`: they made different changes. */
  readonly take: 'base' | 'mine' | 'theirs' | 'both' | 'conflict'
  readonly base: Span
  readonly mine: Span
  readonly theirs: Span
}

/** Conditions under which two changes are separate. */
export interface MergeOptions {
  /**
   * Returns true if unchanged items of the base, a range of at least one, separate changes of the two sides. If
   * omitted, they do.
   */
  readonly partsSides?: (start: number, end: number) => boolean
  /** Returns true if unchanged items of the base separate two changes of one side. If omitted, they do. */
  readonly partsChanges?: (start: number, end: number) => boolean
  /**
   * Maximum number of items of one list times items of another, beyond which everything counts as changed. No limit if
   * omitted.
   */
  readonly maxCells?: number
}

/** Items of the base that one side replaced with its own. Either may be empty. */
interface Hunk {
  readonly base: Span
  /** Number of items by which the side grows. */
  readonly growth: number
}

/** Position of the iteration in one side. */
interface Walk {
  readonly list: Int32Array
  readonly hunks: readonly Hunk[]
  /** Number of hunks taken, in total and since the last part. */
  next: number
  taken: number
  growth: number
  /** Number of items that are already in parts. */
  reached: number
}

/**
 * Splits three lists into parts, in order. Every item of each list is in exactly one part. Overlapping or adjacent
 * changes of the two sides form one part. All numbers are below the size of the workspace.
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
  eachSpan(changes, (baseStart, baseEqual, _baseEnd, start, equal) => {
    if (equal === start && baseEqual === baseStart) return
    const growth = equal - start - (baseEqual - baseStart)
    const last = hunks.at(-1)
    if (last === undefined || partsChanges(last.base.end, baseStart)) {
      hunks.push({ base: { start: baseStart, end: baseEqual }, growth })
    } else {
      hunks[hunks.length - 1] = { base: { start: last.base.start, end: baseEqual }, growth: last.growth + growth }
    }
  })
  return { list, hunks, next: 0, taken: 0, growth: 0, reached: 0 }
}

function nextStart({ hunks, next }: Walk): number {
  return hunks[next]?.base.start ?? Number.POSITIVE_INFINITY
}

/** Returns true if a hunk that starts at `start` is separate from one that ends at `end`. */
type IsBeyond = (end: number, start: number) => boolean

/** Takes the hunks at a position and all that overlap or touch them, on both sides, and returns the end of the last. */
function takeTouching(start: number, mine: Walk, theirs: Walk, isBeyond: IsBeyond): number {
  let end = start
  let taken: number
  do {
    taken = mine.taken + theirs.taken
    end = takeUpTo(mine, takeUpTo(theirs, end, isBeyond), isBeyond)
  } while (taken !== mine.taken + theirs.taken)
  return end
}

/** Takes the hunks of one side that touch a position, and returns the larger of the position and their end. */
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

/** Creates the next part from a range of the base and the hunks taken since the last one. */
function createPart(base: Span, mineWalk: Walk, theirsWalk: Walk): MergePart {
  const [mineChanged, theirsChanged] = [mineWalk.taken > 0, theirsWalk.taken > 0]
  const mine = passSpan(mineWalk, base)
  const theirs = passSpan(theirsWalk, base)
  const spans = { base, mine, theirs }
  if (!theirsChanged) return { take: mineChanged ? 'mine' : 'base', ...spans }
  if (!mineChanged) return { take: 'theirs', ...spans }
  return { take: areEqual(mineWalk.list, mine, theirsWalk.list, theirs) ? 'both' : 'conflict', ...spans }
}

/** Returns the range of one side that corresponds to a range of the base, and advances past it. */
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
