/** The date of a page, for clients that keep it. */

import type { Store } from '../../store/store.ts'

/** Maximum revisions whose times are compared: each response to a read does so, and a page may have tens of thousands. */
const mostRevisions = 100

/**
 * Returns the latest time of the last hundred revisions of a page up to this one, ISO 8601. Authors and git choose the times of commits, so
 * a revision may be older than the one that it follows, but the date of a page does not go back.
 */
export function lastEdit(store: Pick<Store, 'timesFrom'>, { id, timestamp }: Edit): string {
  let last = timestamp
  let left = mostRevisions
  for (const time of store.timesFrom(id)) {
    if (time > last) last = time
    if (--left === 0) break
  }
  return last
}

interface Edit {
  readonly id: number
  readonly timestamp: string
}
