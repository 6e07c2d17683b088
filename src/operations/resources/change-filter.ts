/** Filters by who made a change and when: those of a page's history and of the whole wiki's changes. */

import type { RevisionEntry } from '../../store/format/entries.ts'
import { isHidden } from '../access/hidden.ts'

export interface MadeBy {
  /** Part of the user's name, in any case. */
  readonly user?: string | undefined
  /** First and last moment, both included: milliseconds since 1970. */
  readonly since?: number | undefined
  readonly until?: number | undefined
}

type Made = Pick<RevisionEntry, 'user' | 'hidden'>

/** Makes the filter by time. */
export function timeFilter({ since, until }: MadeBy): (change: { readonly timestamp: string }) => boolean {
  if (since === undefined && until === undefined) return () => true
  const [first, last] = [since ?? Number.NEGATIVE_INFINITY, until ?? Number.POSITIVE_INFINITY]
  return ({ timestamp }) => {
    const time = Date.parse(timestamp)
    return time >= first && time <= last
  }
}

/** Makes the filter by user. Nobody finds a user who is hidden. */
export function userFilter({ user }: MadeBy): (change: Made) => boolean {
  if (user === undefined) return () => true
  const wanted = foldName(user)
  return change => !isHidden(change, 'user') && foldName(change.user.name).includes(wanted)
}

function foldName(name: string): string {
  return name.normalize('NFC').toLowerCase()
}
