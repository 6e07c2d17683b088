/** Pages whose history a shallow clone holds only in part. */

import type { PageEntry } from '../../store/format/entries.ts'
import type { Store } from '../../store/store.ts'

/**
 * Returns true if the clone may lack revisions of a page. A commit whose parents a shallow clone lacks stands for all before it: what it
 * has of a page may be the work of others. There may be several such commits, of which some are not among the oldest.
 */
export function lacksBeginning(store: Store, page: PageEntry): boolean {
  const { boundary } = store
  if (boundary.size === 0) return false
  for (const { commit } of store.revisionsOf(page)) if (boundary.has(commit)) return true
  return false
}
