/** Parts of long lists, and cursors to the next part. */

import { WikiError } from '../../core/errors.ts'
import { type Pause, sortInTurns } from '../workers/pause.ts'

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
export async function partOf<Member extends Ranked>(
  all: readonly Member[],
  { limit, after }: { readonly limit: number; readonly after?: string | undefined },
  pause: Pause,
): Promise<ListPart<Member>> {
  const last = after === undefined ? null : readCursor(after)
  const ordered = await sortInTurns(all, byRank, pause)
  const first = last === null ? 0 : ordered.findIndex(member => byRank(member, last) > 0)
  const start = first === -1 ? ordered.length : first
  const members = ordered.slice(start, start + limit)
  const end = members.at(-1)
  return {
    members,
    next: end === undefined || start + limit >= ordered.length ? null : writeCursor(end),
    total: ordered.length,
  }
}

/** Returns the cursor of the part after a member. */
export function writeCursor({ rank, key }: Ranked): string {
  return `${rank}:${key}`
}

/** Returns the member that a cursor names. Errors: badvalue. */
export function readCursor(cursor: string): Ranked {
  const [, rank = '', key = ''] = /^(-?\d{1,15}):(.*)$/s.exec(cursor) ?? []
  if (rank === '') throw new WikiError('badvalue', { params: ['after', cursor] })
  return { rank: Number(rank), key }
}
