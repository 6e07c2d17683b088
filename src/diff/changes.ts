/** Unchanged and changed items of two lists, and an iteration over both. */

/** A range of items; the end is exclusive. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** One flag per item: 0 = it has a partner on the other side, in order; 1 = changed. */
export interface Changes {
  readonly from: Uint8Array
  readonly to: Uint8Array
  /** Number of items of one list times that of the other, between their common prefix and suffix. */
  readonly cells: number
  /** True if there were too many cells to compare. Every item then counts as changed. */
  readonly overLimit: boolean
}

/** Changed items of both lists (from `start` to `equal`), then unchanged ones (from `equal` to `end`). */
export type VisitSpan = (
  fromStart: number,
  fromEqual: number,
  fromEnd: number,
  toStart: number,
  toEqual: number,
  toEnd: number,
) => void

/** Iterates over two lists from start to end. Each step covers changed items and the unchanged ones after them. */
export function eachSpan({ from, to }: Changes, visit: VisitSpan): void {
  let fromEnd = 0
  let toEnd = 0
  while (fromEnd < from.length || toEnd < to.length) {
    const fromStart = fromEnd
    const toStart = toEnd
    while (from[fromEnd] === 1) fromEnd++
    while (to[toEnd] === 1) toEnd++
    const fromEqual = fromEnd
    const toEqual = toEnd
    while (from[fromEnd] === 0 && to[toEnd] === 0) {
      fromEnd++
      toEnd++
    }
    visit(fromStart, fromEqual, fromEnd, toStart, toEqual, toEnd)
  }
}
