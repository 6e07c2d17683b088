/**
 * Acknowledged edits of pages that a later commit deleted without having seen them, and acknowledged deletions of pages that a later
 * commit took back.
 */

import type { BranchRecord } from '../../store/acknowledged/branch-record.ts'
import type { OpenLoss } from '../../store/acknowledged/verified.ts'
import type { CommitChanges, PathChange } from '../../store/git/backend.ts'
import { deletedAt } from '../../store/index/deletions.ts'
import { sharesMost } from '../comparing/word-bag.ts'
import { pagesEdited } from './pages-edited.ts'
import type { Texts } from './text-cache.ts'

/** Acknowledged commits by their positions in the index. */
interface Acknowledged {
  readonly byOrdinal: ReadonlyMap<number, string>
  /** Ordinals of those made while the work tree had other changes to the same files. */
  readonly passed: ReadonlySet<number>
}

/** Lists the edits, among revisions of a page, newest first, that a commit undid by replacing one text by another. */
type UndoneBy = (
  step: { readonly from: string; readonly to: string },
  earlier: readonly number[],
) => Promise<readonly { readonly commit: string }[]>

/** Seconds within which nobody can have seen an edit. A deletion this soon after the edit was staged before it. */
const unseenSeconds = 60

/** Revisions of a page that are compared. */
const depth = 2000

/** Maximum pages that a commit adds that are compared with those that it deletes: a move with an older text. */
const addedLimit = 20

/** Maximum acknowledged commits among which the deletion of a page is looked for. */
const deletionLimit = 200

/** Returns a function that lists the losses by a commit with an ordinal. */
export function deletionCheck(
  record: BranchRecord,
  texts: Texts,
  acknowledged: Acknowledged,
  undoneBy: UndoneBy,
): (commit: CommitChanges, ordinal: number) => Promise<OpenLoss[]> {
  const deletedPages = deletedPagesOf(record, acknowledged)
  const scope = { record, texts, acknowledged, undoneBy }
  return async (commit, ordinal) => {
    const losses: OpenLoss[] = []
    const added = addedPages(record, commit)
    let pages: ReadonlyMap<string, number> | undefined
    const pageAt: PageAt = path => {
      pages ??= pagesByPath(record, ordinal)
      return pages.get(path)
    }
    for (const change of commit.changes) {
      const { path, before, after } = change
      if (record.kindOf(path) !== 'page') continue
      const undone =
        after === null
          ? await editsOfDeleted(scope, { commit, added }, change, deletedPages.get(path) ?? [])
          : before === null
            ? await deletionOf(scope, { path, after }, { ordinal, pageAt })
            : []
      for (const edit of undone) losses.push({ kind: 'undone', commit: edit, path, by: commit.hash })
    }
    return losses
  }
}

interface Scope {
  readonly record: BranchRecord
  readonly texts: Texts
  readonly acknowledged: Acknowledged
  readonly undoneBy: UndoneBy
}

/** Pages that a commit adds. */
interface Added {
  readonly changes: readonly PathChange[]
  readonly blobs: ReadonlySet<string | null>
}

/** Computed once for a commit, which may move thousands of pages. */
function addedPages(record: BranchRecord, { changes }: CommitChanges): Added {
  const added = changes.filter(({ before, path }) => before === null && record.kindOf(path) === 'page')
  return { changes: added, blobs: new Set(added.map(({ after }) => after)) }
}

/** Returns the page with a path among those that a commit edited. */
type PageAt = (path: string) => number | undefined

function pagesByPath({ index }: BranchRecord, ordinal: number): ReadonlyMap<string, number> {
  // The first one of a path counts.
  return new Map(
    pagesEdited(index, ordinal)
      .map(page => [index.pages.at(page).path, page] as const)
      .reverse(),
  )
}

/** Lists the ordinals of deleted pages that acknowledged commits edited, by their last paths. */
function deletedPagesOf({ index }: BranchRecord, { byOrdinal }: Acknowledged): Map<string, number[]> {
  const found = new Map<string, number[]>()
  const edited = new Set([...byOrdinal.keys()].flatMap(ordinal => pagesEdited(index, ordinal)))
  for (const page of edited) {
    const { deleted, path } = index.pages.at(page)
    if (deleted) found.set(path, [...(found.get(path) ?? []), page])
  }
  return found
}

/** Lists the acknowledged edits of a page that a commit deleted, oldest first, which its author had not seen. */
async function editsOfDeleted(
  scope: Scope,
  { commit, added }: { readonly commit: CommitChanges; readonly added: Added },
  { path, before }: PathChange,
  pages: readonly number[],
): Promise<readonly string[]> {
  const { index } = scope.record
  if (added.blobs.has(before)) return []
  const page = pages.find(one => index.log.blobOf(index.pages.at(one).latest) === before)
  if (page === undefined) return []
  const unseen = unseenEdits(scope, commit, added.blobs, page)
  const dropped = commit.parents.length > 1 ? await droppedByMerge(scope, commit, path, page) : []
  const undone = await undoneByMove(scope, added.changes, page, before)
  return [...new Set([...unseen, ...dropped, ...undone])].reverse()
}

/**
 * Lists all edits of a page that one of them created; otherwise only the most recent ones, and those made beside changes of a work
 * tree to the page, such as its deletion. If the page moves with an older text, all edits since that text, newest first.
 */
function unseenEdits(
  { record: { index }, acknowledged: { byOrdinal, passed } }: Scope,
  { time }: CommitChanges,
  blobs: Added['blobs'],
  page: number,
): readonly string[] {
  const { first, latest } = index.pages.at(page)
  const since = byOrdinal.has(index.revision(first).commit) ? 0 : time - unseenSeconds
  const all: string[] = []
  const unseen: string[] = []
  for (let at: number | null = latest; at !== null; at = index.log.previousOf(at)) {
    // A move that was staged before the last edits carries an older text: what that text has is not lost.
    if (blobs.has(index.log.blobOf(at))) return all
    const ordinal = index.revision(at).commit
    const commit = byOrdinal.get(ordinal)
    if (commit === undefined) continue
    all.push(commit)
    if (passed.has(ordinal) || index.commit(ordinal).time >= since) unseen.push(commit)
  }
  return unseen
}

/** Lists the edits of a page that a merge deleted, unless a parent that lacks the page descends from them: it deleted the page. */
async function droppedByMerge(
  { record, acknowledged: { byOrdinal } }: Scope,
  { parents }: CommitChanges,
  path: string,
  page: number,
): Promise<readonly string[]> {
  const { index } = record
  const without: string[] = []
  for (const parent of parents) if ((await record.blobAt(parent, path)) === null) without.push(parent)
  const dropped: string[] = []
  for (let at: number | null = index.pages.at(page).latest; at !== null; at = index.log.previousOf(at)) {
    const commit = byOrdinal.get(index.revision(at).commit)
    if (commit === undefined) continue
    for (const parent of without) if (await record.descends(parent, commit)) return dropped
    dropped.push(commit)
  }
  return dropped
}

/** Lists the edits that a page lacks after a commit gave it another path and an older text with changes. */
async function undoneByMove(
  { record: { index }, texts, undoneBy }: Scope,
  added: readonly PathChange[],
  page: number,
  before: string | null,
): Promise<readonly string[]> {
  if (added.length > addedLimit) return []
  const from = await texts.of(before)
  const earlier: number[] = []
  for (let at: number | null = index.pages.at(page).latest; at !== null; at = index.log.previousOf(at))
    if (earlier.push(at) === depth) break
  for (const { after } of added) {
    const to = await texts.of(after)
    if (from === null || to === null || !sharesMost(to, from)) continue
    return (await undoneBy({ from, to }, earlier)).map(({ commit }) => commit)
  }
  return []
}

/** Lists the acknowledged deletion of a page that a commit adds again with a text from before it. */
async function deletionOf(
  { record, texts, acknowledged: { byOrdinal } }: Scope,
  { path, after }: { readonly path: string; readonly after: string | null },
  { ordinal, pageAt }: { readonly ordinal: number; readonly pageAt: PageAt },
): Promise<readonly string[]> {
  const { index } = record
  const deleted = deletedAt(index, path)
  const by = deleted === undefined ? undefined : (index.pages.at(deleted).deletedBy ?? undefined)
  if (deleted !== undefined && by !== undefined && by < ordinal) {
    const commit = byOrdinal.get(by)
    return commit !== undefined && (await hadText({ record, texts }, deleted, after)) ? [commit] : []
  }
  return deletionBefore(record, byOrdinal, { path, after, page: pageAt(path) }, ordinal)
}

/** Returns true if a page had this text, or one of which it has most words was its last. */
async function hadText(
  { record, texts }: Pick<Scope, 'record' | 'texts'>,
  page: number,
  blob: string | null,
): Promise<boolean> {
  const { index } = record
  const { latest } = index.pages.at(page)
  let steps = 0
  for (let at: number | null = latest; at !== null && steps++ < depth; at = index.log.previousOf(at))
    if (index.log.blobOf(at) === blob) return true
  const [text, last] = [await texts.of(blob), await texts.of(index.log.blobOf(latest))]
  return text !== null && last !== null && sharesMost(text, last)
}

/** The index has joined the page to its former revisions, and does not say who deleted it meanwhile. */
async function deletionBefore(
  record: BranchRecord,
  byOrdinal: ReadonlyMap<number, string>,
  { path, after, page }: { readonly path: string; readonly after: string | null; readonly page: number | undefined },
  ordinal: number,
): Promise<readonly string[]> {
  const { index } = record
  const former = page === undefined ? null : revisionBefore(record, page, ordinal)
  if (former === null || index.log.blobOf(former) !== after) return []
  const last = index.revision(former).commit
  for (let at = ordinal - 1, looked = 0; at > last && looked < deletionLimit; at--) {
    const commit = byOrdinal.get(at)
    if (commit === undefined) continue
    looked++
    const changes = (await record.changes(commit))?.changes ?? []
    if (changes.some(change => change.path === path && change.after === null)) return [commit]
  }
  return []
}

function revisionBefore({ index }: BranchRecord, page: number, ordinal: number): number | null {
  for (let at: number | null = index.pages.at(page).latest; at !== null; at = index.log.previousOf(at))
    if (index.revision(at).commit < ordinal) return at
  return null
}
