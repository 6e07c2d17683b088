/** A shallow clone, which has only part of the history. */

import { WikiError } from '../../core/errors.ts'
import { shortHash } from '../../core/short-hash.ts'
import type { PageEntry } from '../../store/format/entries.ts'
import type { Store } from '../../store/store.ts'

/**
 * Returns true if the clone may lack revisions of a page. A commit at the boundary of a shallow clone contains the
 * state of all earlier commits, so a page in it may be the work of other authors. There may be several such commits,
 * and some of them are not among the oldest.
 */
export function lacksBeginning(store: Store, page: PageEntry): boolean {
  const { boundary } = store
  if (boundary.size === 0) return false
  for (const { commit } of store.revisionsOf(page)) if (boundary.has(commit)) return true
  return false
}

/**
 * Throws `wiki-usage` for a commit at the boundary of a shallow clone: its changes are unknown here, and what it contains looks
 * like its own work.
 */
export function checkHasParents({ boundary }: Pick<Store, 'boundary'>, commit: string): void {
  if (!boundary.has(commit)) return
  throw new WikiError('wiki-usage', {
    params: [`This clone is shallow and lacks what was before ${shortHash(commit)}`],
    hint: 'git fetch --deepen=1 origin',
  })
}
