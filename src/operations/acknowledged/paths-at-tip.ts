/** Finds the current paths of pages that lost commits changed; the pages may have moved since. */

import type { BranchRecord } from '../../store/acknowledged/branch-record.ts'
import type { PathChange } from '../../store/git/backend.ts'
import { createPause, stepsAtOnce } from './pause.ts'

/**
 * Returns what gives the path at the tip of a changed file: its own, or that of the page which had its text before or after the
 * change.
 */
export async function pathsAtTip(
  record: BranchRecord,
  changes: readonly PathChange[],
): Promise<(change: PathChange) => string> {
  const { tip, index } = record
  const wanted = new Map<string, PathChange>()
  for (const change of changes) {
    if (tip === null || change.before === null || (await record.blobAt(tip, change.path)) !== null) continue
    wanted.set(change.before, change)
    if (change.after !== null) wanted.set(change.after, change)
  }
  const found = new Map<string, string>()
  const pause = createPause()
  for (let at = 0; wanted.size > 0 && at < index.revisionCount; at++) {
    if (at % stepsAtOnce === 0) await pause()
    const change = wanted.get(index.log.blobOf(at))
    if (change === undefined) continue
    const { path, deleted } = index.pages.at(index.revision(at).page)
    if (!deleted) found.set(change.path, path)
  }
  return ({ path }) => found.get(path) ?? path
}
