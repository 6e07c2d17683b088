/** Acknowledged changes of media files that a later commit undid. */

import type { BranchRecord } from '../../store/acknowledged/branch-record.ts'
import type { OpenLoss } from '../../store/acknowledged/verified.ts'
import type { CommitChanges, PathChange } from '../../store/git/backend.ts'

/**
 * Lists the changes of media files, among the acknowledged commits by ordinal, that a commit with an ordinal undid, because it restored
 * a content from before them. The index has no history of files.
 */
export async function filesUndone(
  record: BranchRecord,
  { hash, changes }: CommitChanges,
  byOrdinal: ReadonlyMap<number, string>,
  ordinal: number,
): Promise<OpenLoss[]> {
  const files = changes.filter(({ path, before }) => before !== null && record.kindOf(path) === 'file')
  if (files.length === 0) return []
  const edits = new Map<string, { readonly commit: string; readonly change: PathChange }[]>()
  for (const [at, commit] of [...byOrdinal].sort(([a], [b]) => a - b)) {
    if (at >= ordinal) break
    for (const change of (await record.changes(commit))?.changes ?? [])
      edits.set(change.path, [...(edits.get(change.path) ?? []), { commit, change }])
  }
  return files.flatMap(({ path, before, after }) => {
    const made = edits.get(path) ?? []
    const last = made.findLastIndex(({ change }) => change.after === before)
    const first = made.slice(0, last + 1).findLastIndex(({ change }) => change.before === after)
    const undone = first === -1 ? [] : made.slice(first, last + 1)
    return undone.map(({ commit }): OpenLoss => ({ kind: 'undone', commit, path, by: hash }))
  })
}
