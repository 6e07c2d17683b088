/** The date of a page, for clients that keep it. */

import type { Store } from '../../store/store.ts'

/**
 * Returns the latest time of a page's revisions up to this one, ISO 8601. Authors and git choose the times of commits, so a revision may be older than the
 * one that it follows, but the date of a page does not go back.
 */
export function lastEdit(store: Store, { id, timestamp }: { readonly id: number; readonly timestamp: string }): string {
  const page = store.pageById(store.revision(id)?.page ?? 0)
  let last = timestamp
  if (page !== undefined) for (const one of store.revisionsOf(page)) if (one.timestamp > last) last = one.timestamp
  return last
}
