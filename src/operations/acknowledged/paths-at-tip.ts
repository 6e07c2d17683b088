/** Finds the current paths of pages that lost commits changed; the pages may have moved since. */

import type { BranchRecord } from '../../store/acknowledged/branch-record.ts'
import type { CommitChanges, PathChange } from '../../store/git/backend.ts'
import { deletedAt } from '../../store/index/deletions.ts'
import { createPause, stepsAtOnce } from '../workers/pause.ts'
import { forkReader } from './carriers.ts'
import { pagesEdited } from './pages-edited.ts'

/** Changes of one commit. */
type ChangedPaths = Pick<CommitChanges, 'hash' | 'changes'>

/** A change to a file that the tip does not have, or has for another page, and the commit that made it. */
interface RemovedPath {
  readonly commit: string
  readonly path: string
}

/** Older revisions of a deleted page are not compared. */
const depth = 2000

/**
 * Returns a function from a file that a commit changed to its path at the tip: its own, that of the page that had its text before or
 * after the change or where the commit's history leaves the branch, or that of the page to which `git mv` moved it. A page that was at
 * its path already when the change was made is a different page with the same text.
 */
export async function pathsAtTip(
  record: BranchRecord,
  commits: readonly ChangedPaths[],
): Promise<(commit: string, change: PathChange) => string> {
  const { index } = record
  const wanted = await goneFiles(record, commits)
  const found = new Map<string, string>()
  const pause = createPause()
  for (let at = 0; wanted.size > 0 && at < index.revisionCount; at++) {
    if (at % stepsAtOnce === 0) await pause()
    const gone = wanted.get(index.log.blobOf(at))
    if (gone === undefined) continue
    const { path, deleted } = index.pages.at(index.revision(at).page)
    if (deleted) continue
    for (const { commit, path: former } of gone)
      if ((await record.blobAt(commit, path)) === null) found.set(`${commit} ${former}`, path)
  }
  return (commit, { path, before }) =>
    found.get(`${commit} ${path}`) ?? (before === null ? null : heirOf(record, path)) ?? path
}

/**
 * Finds the page that was created with an older text of a deleted page, in the commit that deleted it: `git mv`, committed after
 * others had edited the page. Returns its current path; null if there is none.
 */
function heirOf({ index }: BranchRecord, path: string): string | null {
  if (index.pages.atPath(path) !== undefined) return null
  const page = deletedAt(index, path)
  if (page === undefined) return null
  const { deletedBy, latest } = index.pages.at(page)
  for (const other of pagesEdited(index, deletedBy as number)) {
    const { first, deleted, path: now } = index.pages.at(other)
    const isNew = !deleted && index.revision(first).commit === deletedBy
    if (isNew && index.log.wasBlob(index.log.blobOf(first), latest, depth)) return now
  }
  return null
}

/** Returns true if the page at a path had one of the texts: another page may have taken the path. Also true for media files. */
function hadText({ index }: BranchRecord, path: string, blobs: readonly (string | null)[]): boolean {
  const page = index.pages.atPath(path)
  if (page === undefined) return true
  const { latest } = index.pages.at(page)
  return blobs.some(
    blob => blob !== null && (index.log.blobOf(latest) === blob || index.log.wasBlob(blob, latest, depth)),
  )
}

/**
 * Files that the tip lacks, or has for other pages, by the hashes of their texts before and after the change, and on the branch below
 * it.
 */
async function goneFiles(
  record: BranchRecord,
  commits: readonly ChangedPaths[],
): Promise<ReadonlyMap<string, readonly RemovedPath[]>> {
  const gone = new Map<string, RemovedPath[]>()
  const forkOf = forkReader(record)
  for (const { hash, changes } of commits)
    for (const { path, before, after } of changes) {
      if (record.tip === null || before === null) continue
      const isFile = (await record.blobAt(record.tip, path)) !== null
      if (isFile && hadText(record, path, [before, after])) continue
      const fork = await forkOf(hash)
      const below = fork === -1 ? null : await record.blobAt(record.index.commit(fork).hash, path)
      if (isFile && hadText(record, path, [below])) continue
      for (const blob of new Set([before, after, below]))
        if (blob !== null) gone.set(blob, [...(gone.get(blob) ?? []), { commit: hash, path }])
    }
  return gone
}
