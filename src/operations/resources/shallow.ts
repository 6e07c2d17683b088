/** Pages whose history a shallow clone holds only in part. */

import type { PageEntry } from '../../store/format/entries.ts'
import type { Store } from '../../store/store.ts'

/** Returns true if the clone may lack the beginning of a page: in a shallow one the oldest commit stands for all before it. */
export function lacksBeginning(store: Store, page: PageEntry): boolean {
  if (!store.shallow) return false
  const oldest = store.revision(1, { deleted: true })
  return oldest === undefined || store.revision(page.first, { deleted: true })?.commit === oldest.commit
}
