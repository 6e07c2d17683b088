/** A stamp of what shows or hides pages without a revision of theirs. */

import { hash } from 'node:crypto'
import { deletionsOf } from './changes.ts'
import type { RevisionIndex } from './index/revision-index.ts'
import { comparePrecedence } from './pages.ts'

const stamps = new WeakMap<RevisionIndex, { readonly state: string; readonly stamp: string }>()

/**
 * Returns a stamp of the deleted pages, and of the titles that several files have, with the order of the files. If it is that of an earlier
 * state with the same settings, every page that has come, gone or moved since has a revision since. Numbers of pages and of deletions do not
 * show that: one page that is restored and one that is deleted leave both as they were, while the deleted one reveals another file.
 * Computed once for each state of the index, in time that grows with the changes since the base was written, and with the shared titles.
 */
export function pagesStamp(index: RevisionIndex): string {
  const state = `${index.state.tip} ${index.revisionCount} ${index.commitCount}`
  const found = stamps.get(index)
  if (found?.state === state) return found.stamp
  const stamp = makeStamp(index)
  stamps.set(index, { state, stamp })
  return stamp
}

function makeStamp(index: RevisionIndex): string {
  const deletions = deletionsOf(index)
  // Each later deletion is of a later commit, so a set that is as large and ends with the same commit is the same set.
  const last = deletions.at(-1)
  const deleted = last === undefined ? [] : [deletions.length, index.commit(last.commit).hash]
  const pathOf = (ordinal: number) => index.pages.at(ordinal).path
  const shared = [...index.pages.sharedKeys().values()].map(same =>
    [...same].sort((a, b) => comparePrecedence(pathOf(a), pathOf(b))).map(ordinal => index.pageId(ordinal)),
  )
  // Titles are left out: a page with another title has a revision.
  shared.sort(([a = 0], [b = 0]) => a - b)
  return hash('sha256', JSON.stringify([deleted, shared])).slice(0, 16)
}
