/**
 * The edits of one side, each with the places that it could mean: an edit is anchored between items that have no twin near it.
 *
 * Source: docs/reference/comparison.md#merging.
 */

import { eachSpan, type Span } from './changes.ts'
import { findChanges } from './common-subsequence.ts'
import type { Workspace } from './workspace.ts'

/** Items of the base that one side replaced with its own. Either may be empty. */
export interface Edit {
  readonly base: Span
  readonly side: Span
  /** The items that the edit could have replaced as well: it contains `base`. */
  readonly reach: Span
}

/** A base and a changed list. All numbers are below the size of the workspace. */
export interface Pair {
  readonly base: Int32Array
  readonly side: Int32Array
  /** By number: true for an item that occurs everywhere and so identifies no place, such as a blank line. */
  readonly isWeak: (id: number) => boolean
  /** By number: true for a weak item that may be passed without another meaning. */
  readonly isBlank: (id: number) => boolean
}

export interface AnchorOptions {
  /** Number of unchanged items, none of them weak, that keep two edits of one side apart; 1 if omitted. */
  readonly between?: number
  /** Maximum number of items of one list times items of another, beyond which everything counts as changed. */
  readonly maxCells?: number
}

/** Compares two lists, and returns the edits in order. */
export function anchoredEdits(pair: Pair, workspace: Workspace, options: AnchorOptions = {}): Edit[] {
  const { base, side } = pair
  const { between = 1, maxCells = Number.POSITIVE_INFINITY } = options
  const edits: { base: Span; side: Span }[] = []
  const content = new Content(pair)
  eachSpan(findChanges(base, side, workspace, { shift: 'down', maxCells }), (from, fromEqual, _, to, toEqual) => {
    if (fromEqual === from && toEqual === to) return
    const edit = { base: { start: from, end: fromEqual }, side: { start: to, end: toEqual } }
    const last = edits.at(-1)
    if (last === undefined) {
      content.begin(edit)
      edits.push(edit)
      return
    }
    content.add(edit)
    // Lines that were only replaced, one by one, leave the lines between them at their places.
    const isInPlace = between === 1 && from > last.base.end && keepsCount(last) && keepsCount(edit)
    if (isInPlace || content.countAnchors(last.base.end, from, between) >= between) {
      content.begin(edit)
      edits.push(edit)
    } else {
      edits[edits.length - 1] = {
        base: { start: last.base.start, end: fromEqual },
        side: { start: last.side.start, end: toEqual },
      }
    }
  })
  return withReach(pair, edits, { start: 0, end: base.length })
}

function keepsCount({ base, side }: { base: Span; side: Span }): boolean {
  return base.end - base.start === side.end - side.start
}

/** Adds to edits of one side, in order, what they could have replaced as well within a range of the base. */
export function withReach(pair: Pair, edits: readonly { base: Span; side: Span }[], within: Span): Edit[] {
  const content = new Content(pair)
  return edits.map((edit, at) => {
    const least = edits[at - 1]?.base.end ?? within.start
    const most = edits[at + 1]?.base.start ?? within.end
    content.begin(edit)
    const start = Math.min(slideUp(pair, edit, least), content.twinsUp(edit.base.start, least))
    const end = Math.max(slideDown(pair, edit, most), content.twinsDown(edit.base.end, most))
    return { ...edit, reach: { start, end } }
  })
}

/** Returns the start to which a run of the edit could move up along equal items. */
function slideUp({ base, side }: Pair, edit: { base: Span; side: Span }, least: number): number {
  const steps = (list: Int32Array, { start, end }: Span): number => {
    let step = 0
    const most = end > start ? edit.base.start - least : 0
    while (step < most && list[start - 1 - step] === list[end - 1 - step]) step++
    return step
  }
  return edit.base.start - Math.max(steps(base, edit.base), steps(side, edit.side))
}

function slideDown({ base, side }: Pair, edit: { base: Span; side: Span }, most: number): number {
  const steps = (list: Int32Array, { start, end }: Span): number => {
    let step = 0
    const left = end > start ? most - edit.base.end : 0
    while (step < left && list[start + step] === list[end + step]) step++
    return step
  }
  return edit.base.end + Math.max(steps(base, edit.base), steps(side, edit.side))
}

/** The items that an edit removes or adds. An equal item near it is a twin, which it could mean instead. */
class Content {
  readonly #pair: Pair
  #ids = new Set<number>()

  constructor(pair: Pair) {
    this.#pair = pair
  }

  /** Starts with the items of one edit. */
  begin(edit: { base: Span; side: Span }): void {
    this.#ids = new Set()
    this.add(edit)
  }

  add(edit: { base: Span; side: Span }): void {
    const { base, side } = this.#pair
    for (let at = edit.base.start; at < edit.base.end; at++) this.#ids.add(base[at]!)
    for (let at = edit.side.start; at < edit.side.end; at++) this.#ids.add(side[at]!)
  }

  /** Counts items of the base that identify their place, up to a number of them. */
  countAnchors(start: number, end: number, most: number): number {
    let count = 0
    for (let at = start; at < end && count < most; at++) if (this.#isAnchor(at)) count++
    return count
  }

  twinsUp(start: number, least: number): number {
    let reached = start
    for (let at = start - 1; at >= least && !this.#isAnchor(at); at--) if (this.#isTwin(at)) reached = at
    return reached
  }

  twinsDown(end: number, most: number): number {
    let reached = end
    for (let at = end; at < most && !this.#isAnchor(at); at++) if (this.#isTwin(at)) reached = at + 1
    return reached
  }

  #isTwin(at: number): boolean {
    const id = this.#pair.base[at]!
    return this.#ids.has(id) && !this.#pair.isBlank(id)
  }

  #isAnchor(at: number): boolean {
    const id = this.#pair.base[at]!
    return !this.#ids.has(id) && !this.#pair.isWeak(id)
  }
}
