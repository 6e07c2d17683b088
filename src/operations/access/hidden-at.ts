/** Decides whether a file of a commit is hidden if its revision is unknown. */

import { isTextHidden } from '../../store/format/hidden-revisions.ts'
import type { Store } from '../../store/store.ts'
import { isHidden } from './hidden.ts'

/** Returns true if the text is hidden in any revision, unless it is the page's latest text, which is public. */
export function isHiddenAt(store: Store, path: string, blob: string): boolean {
  if (!isTextHidden(store.config.hidden, blob)) return false
  const page = store.pageAtPath(path)
  const latest = page === undefined ? undefined : store.revision(page.latest)
  return latest?.blob !== blob || isHidden(latest, 'text')
}
