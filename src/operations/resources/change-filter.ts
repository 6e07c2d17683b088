/** Filters by author and time, for a page's history and for the whole wiki's changes. */

import { composed } from '../../core/composed-text.ts'
import type { RevisionEntry } from '../../store/format/entries.ts'
import { isHidden } from '../access/hidden.ts'

export interface MadeBy {
  /** Part of the user's name, in any case. */
  readonly user?: string | undefined
  /** True if `user` is the whole name, in its own case. */
  readonly isWholeName?: boolean | undefined
  /** First and last time, both inclusive, in milliseconds since 1970. */
  readonly since?: number | undefined
  readonly until?: number | undefined
}

type Authored = Pick<RevisionEntry, 'user' | 'hidden'>

/** Creates the filter by time, in milliseconds since 1970. */
export function timeFilter({ since, until }: MadeBy): (time: number) => boolean {
  const [first, last] = [since ?? Number.NEGATIVE_INFINITY, until ?? Number.POSITIVE_INFINITY]
  return time => time >= first && time <= last
}

/** Creates the filter by user. Hidden users match no filter. Each name is tested once: a long history has few. */
export function userFilter({ user, isWholeName = false }: MadeBy): (change: Authored) => boolean {
  if (user === undefined) return () => true
  if (isWholeName) return change => !isHidden(change, 'user') && change.user.name === user
  const wanted = foldName(user)
  const answers = new Map<string, boolean>()
  return change => {
    if (isHidden(change, 'user')) return false
    const { name } = change.user
    const answer = answers.get(name) ?? foldName(name).includes(wanted)
    answers.set(name, answer)
    return answer
  }
}

function foldName(name: string): string {
  return composed(name).toLowerCase()
}
