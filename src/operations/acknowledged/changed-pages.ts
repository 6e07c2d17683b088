/** Pages that a commit changed, with their revisions before it. */

import type { BranchRecord } from '../../store/acknowledged/branch-record.ts'
import type { CommitChanges } from '../../store/git/backend.ts'
import { createPause, stepsAtOnce } from '../workers/pause.ts'

/** Maximum number of a page's revisions before a commit. */
const farthest = 2000

/** A commit's revision of a page, and the page's revisions before it, newest first. */
export interface ChangedPage {
  readonly blob: string
  readonly earlier: readonly number[]
}

/** Lists the pages of which a commit is a revision. */
export function pagesOf({ index }: BranchRecord, ordinal: number): ChangedPage[] {
  const pages: ChangedPage[] = []
  for (let at = index.firstRevisionOf(ordinal); at < index.revisionCount; at++) {
    const { commit, blob, previous } = index.revision(at)
    if (commit !== ordinal) break
    const earlier: number[] = []
    for (let one = previous; one !== null && earlier.length < farthest; one = index.log.previousOf(one))
      earlier.push(one)
    pages.push({ blob, earlier })
  }
  return pages
}

/** Revisions before a merge among which the pages that have moved since are looked for. */
const mergeDepth = 20_000

/**
 * Lists the pages that a merge changed against its first parent: those of which it is a revision, and those that take another side's
 * text, which may drop an edit without a revision of the merge. They may have moved since.
 */
export async function mergedPages(
  record: BranchRecord,
  ordinal: number,
  { changes }: CommitChanges,
  revised: readonly ChangedPage[],
): Promise<readonly ChangedPage[]> {
  const { index } = record
  const revisedBlobs = new Set(revised.map(({ blob }) => blob))
  const pages: ChangedPage[] = []
  const moved = new Map<string, string>()
  for (const { path, before, after } of changes) {
    if (after === null || revisedBlobs.has(after) || record.kindOf(path) !== 'page') continue
    const page = index.pages.atPath(path)
    const earlier = page === undefined ? [] : revisionsBefore(record, page, ordinal)
    const isPage = before === null || earlier.some(revision => index.log.blobOf(revision) === before)
    if (isPage) pages.push({ blob: after, earlier })
    else moved.set(before, after)
  }
  for (const [page, blob] of await pagesWith(record, ordinal, moved))
    pages.push({ blob, earlier: revisionsBefore(record, page, ordinal) })
  return [...revised, ...pages]
}

/** Lists a page's revisions before a commit, newest first. */
function revisionsBefore({ index }: BranchRecord, page: number, ordinal: number): readonly number[] {
  const earlier: number[] = []
  for (let at: number | null = index.pages.at(page).latest; at !== null; at = index.log.previousOf(at))
    if (index.revision(at).commit < ordinal && earlier.push(at) === farthest) break
  return earlier
}

/** Finds the pages that had texts before a commit. Returns the values of these texts by page. */
async function pagesWith(
  { index }: BranchRecord,
  ordinal: number,
  values: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<number, string>> {
  const found = new Map<number, string>()
  const wanted = new Map(values)
  const first = index.firstRevisionOf(ordinal)
  const pause = createPause()
  for (let at = first - 1; at >= Math.max(0, first - mergeDepth) && wanted.size > 0; at--) {
    if (at % stepsAtOnce === 0) await pause()
    const blob = index.log.blobOf(at)
    const value = wanted.get(blob)
    if (value === undefined) continue
    wanted.delete(blob)
    const { page } = index.revision(at)
    if (!index.pages.at(page).deleted) found.set(page, value)
  }
  return found
}
