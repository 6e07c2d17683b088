/** Finds the current paths of pages that lost commits changed; the pages may have moved since. */

import type { BranchRecord } from '../../store/acknowledged/branch-record.ts'
import type { CommitChanges, PathChange } from '../../store/git/backend.ts'
import { createPause, stepsAtOnce } from '../workers/pause.ts'

/** Changes of one commit. */
type ChangedPaths = Pick<CommitChanges, 'hash' | 'changes'>

/** A change to a file that the tip does not have, and the commit that made it. */
interface Gone {
  readonly commit: string
  readonly path: string
}

/**
 * Returns a function from a changed file to its path at the tip: its own, or that of the page that had its text before or after
 * the change. A page that was at its path already when the change was made is a different page with the same text.
 */
export async function pathsAtTip(
  record: BranchRecord,
  commits: readonly ChangedPaths[],
): Promise<(change: PathChange) => string> {
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
      if ((await record.blobAt(commit, path)) === null) found.set(former, path)
  }
  return ({ path }) => found.get(path) ?? path
}

/** Files missing from the tip, by the hashes of their texts before and after the change. */
async function goneFiles(
  record: BranchRecord,
  commits: readonly ChangedPaths[],
): Promise<ReadonlyMap<string, readonly Gone[]>> {
  const gone = new Map<string, Gone[]>()
  for (const { hash, changes } of commits)
    for (const { path, before, after } of changes) {
      if (record.tip === null || before === null || (await record.blobAt(record.tip, path)) !== null) continue
      for (const blob of [before, after])
        if (blob !== null) gone.set(blob, [...(gone.get(blob) ?? []), { commit: hash, path }])
    }
  return gone
}
