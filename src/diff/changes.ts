/** Kept and changed items of two lists, and an iteration over both. */

/** A range of items; the end is exclusive. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** One flag an item: 0 = it has a partner on the other side, in order; 1 = changed. */
export interface Changes {
  readonly from: Uint8Array
  readonly to: Uint8Array
  /** Items of one list times items of the other, between their common start and their common end. */
  readonly cells: number
  /** True when the cells were too many to be looked at: then every item is changed. */
  readonly overLimit: boolean
}

/** Changed items of both lists (from `start` to `kept`), then kept ones (from `kept` to `end`). */
export type VisitStretch = (
  fromStart: number,
  fromKept: number,
  fromEnd: number,
  toStart: number,
  toKept: number,
  toEnd: number,
) => void

/** Walks two lists from start to end, in steps of what is changed and what is kept behind it. */
export function eachStretch({ from, to }: Changes, visit: VisitStretch): void {
  let fromEnd = 0
  let toEnd = 0
  while (fromEnd < from.length || toEnd < to.length) {
    const fromStart = fromEnd
    const toStart = toEnd
    while (from[fromEnd] === 1) fromEnd++
    while (to[toEnd] === 1) toEnd++
    const fromKept = fromEnd
    const toKept = toEnd
    while (from[fromEnd] === 0 && to[toEnd] === 0) {
      fromEnd++
      toEnd++
    }
    visit(fromStart, fromKept, fromEnd, toStart, toKept, toEnd)
  }
}
