/** Deleted pages and media files as the index has them. */

import type { DeletedFile, Deletion, PageEntry } from './format/entries.ts'
import { hiddenParts } from './format/hidden-revisions.ts'
import { changesOfCommit, type ReadObject } from './git/walk.ts'
import { deletedTitled, deletionOfFile } from './index/deletions.ts'
import { fileKey, kindOfPath } from './index/record-writer.ts'
import type { RevisionIndex } from './index/revision-index.ts'
import { pageAt } from './pages.ts'
import { type IndexView, isoTime } from './revisions.ts'

/** Finds the pages that were deleted under a canonical key, the last deleted one first. */
export function deletedPagesWithKey(index: RevisionIndex, key: string): PageEntry[] {
  return deletedTitled(index, key).map(ordinal => pageAt(index, ordinal))
}

/** Finds who deleted a page, when and why; null for a page that exists, or never did. */
export function deletionOfPage({ index, config }: IndexView, id: number): Deletion | null {
  const ordinal = index.pageOrdinal(id)
  const row = ordinal === undefined ? undefined : index.pages.at(ordinal)
  if (row === undefined || row.deletedBy === null) return null
  const commit = index.commit(row.deletedBy)
  const { user, name } = index.author(commit.author)
  return {
    commit: commit.hash,
    timestamp: isoTime(commit.time),
    user: { id: user, name },
    comment: index.comment(commit),
    // The commit may have changed other pages too: parts hidden there are hidden here.
    hidden: [...commit.hidden, ...hiddenParts(config.hidden, commit.hash)],
  }
}

/** Finds the media file last deleted under a canonical key, as it was before; null if there is none. */
export async function deletedFileWithKey(
  { index, rules }: IndexView,
  read: ReadObject,
  key: string,
): Promise<DeletedFile | null> {
  const commit = deletionOfFile(index, key)
  if (commit === undefined) return null
  const { hash } = index.commit(commit)
  const filter = (path: string) => kindOfPath(path, rules.root) === 'file'
  const { changes } = await changesOfCommit(read, hash, { shallow: new Set(), filter })
  const gone = changes.find(({ path, after }) => after === null && fileKey(path, rules) === key)
  return gone?.before == null ? null : { path: gone.path, blob: gone.before, commit: hash }
}
