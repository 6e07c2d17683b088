/** Pages that a commit edited. */

import type { BranchRecord } from '../../store/acknowledged/branch-record.ts'

/** Lists the ordinals of the pages of which a commit is a revision. */
export function pagesEdited(index: BranchRecord['index'], ordinal: number): number[] {
  const pages: number[] = []
  for (let at = index.firstRevisionOf(ordinal); at < index.revisionCount; at++) {
    const { commit, page } = index.revision(at)
    if (commit !== ordinal) break
    pages.push(page)
  }
  return pages
}
