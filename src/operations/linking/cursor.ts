/** Parts of long lists, and cursors to the next part. */

import { WikiError } from '../../core/errors.ts'

/** A member of a list that is ordered by descending rank, then by key. */
export interface Ranked {
  readonly rank: number
  readonly key: string
}

/** A part of a list. */
export interface ListPart<Member> {
  readonly members: readonly Member[]
  /** Cursor of the next part; null at the end. */
  readonly next: string | null
  readonly total: number
}

/** Orders members by descending rank, then by key. */
export function byRank(a: Ranked, b: Ranked): number {
  return b.rank - a.rank || (a.key < b.key ? -1 : Number(a.key > b.key))
}

/**
 * Returns a part of a list in the order of `byRank`. A cursor names its last member, so that edits do not shift the
 * next part. Errors: badvalue.
 */
export function partOf<Member extends Ranked>(all: readonly Member[], asked: AskedPart): ListPart<Member> {
  return partOfOrdered(all, member => member, asked)
}

interface AskedPart {
  readonly limit: number
  readonly after?: string | undefined
}

/** The same for members whose rank and key are read lazily. */
export function partOfOrdered<Member>(
  all: readonly Member[],
  rankedOf: (member: Member) => Ranked,
  { limit, after }: AskedPart,
): ListPart<Member> {
  const last = after === undefined ? null : readCursor(after)
  const start = last === null ? 0 : firstAfter(all, rankedOf, last)
  const members = all.slice(start, start + limit)
  const end = members.at(-1)
  const next = end === undefined || start + limit >= all.length ? null : writeCursor(rankedOf(end))
  return { members, next, total: all.length }
}

function firstAfter<Member>(all: readonly Member[], rankedOf: (member: Member) => Ranked, last: Ranked): number {
  let [low, high] = [0, all.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (byRank(rankedOf(all[middle] as Member), last) > 0) high = middle
    else low = middle + 1
  }
  return low
}

function writeCursor({ rank, key }: Ranked): string {
  return `${rank}:${key}`
}

function readCursor(cursor: string): Ranked {
  const [, rank = '', key = ''] = /^(-?\d{1,15}):(.*)$/s.exec(cursor) ?? []
  if (rank === '') throw new WikiError('badvalue', { params: ['after', cursor] })
  return { rank: Number(rank), key }
}
