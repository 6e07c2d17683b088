/** Undoes a whole commit: all pages and media files that it changed, created, moved and deleted. */

import { WikiError } from '../core/errors.ts'
import { unifiedPatch } from '../diff/unified.ts'
import type { BranchRecord } from '../store/acknowledged/branch-record.ts'
import type { CommitPlan } from '../store/format/entries.ts'
import { movedPath, newLayout } from '../store/format/trailers.ts'
import type { PathChange } from '../store/git/backend.ts'
import { missingObject } from '../store/repository/missing-object.ts'
import type { Store } from '../store/store.ts'
import { Overlay, planChanges, type RestoredPath, type WantedChanges } from './acknowledged/plan-restore.ts'
import { type ChangeRequest, planOf, readSaved } from './editing/edit.ts'
import { cleanComment } from './editing/edit-summary.ts'
import { checkHasParents } from './resources/shallow.ts'
import type { Wiki } from './wiki.ts'

export interface UndoCommitRequest extends ChangeRequest {
  /** Hash of a commit of the branch, or another git name of it. */
  readonly commit: string
  readonly minor?: boolean | undefined
  readonly bot?: boolean | undefined
  /** Checks everything and writes nothing. */
  readonly dryRun?: boolean | undefined
  /** Called under the lock, before the plan; throws what forbids it. */
  readonly check?: () => void
}

export interface UndoneCommit {
  /** Full hash of the undone commit. */
  readonly undone: string
  /** Hash of the new commit; null in a dry run, and if the branch contains no change of the commit any more. */
  readonly commit: string | null
  readonly changed: boolean
  /** Titles of the changed pages. */
  readonly titles: readonly string[]
  readonly comment: string
  /** Difference as a patch; only in a dry run. */
  readonly patch?: string
  readonly leftAlone: readonly string[]
}

/**
 * Undoes a commit by one new commit. Later edits stay, merged by words. If the commit moved a page, it returns to its old title, in place of
 * the redirect that it left, and keeps its id. If it moved several, or the page's links changed with it, the redirects are deleted by a commit
 * before: the branch gets both, or neither. Errors:
 * undo-failure if the same words were changed since, or a page that it created was edited; wiki-usage if it is not a
 * commit of the branch, changes no page, or moves all files into a layout; rest-permission-denied-revision,
 * wiki-title-collision, wiki-no-author, rest-resource-limit-exceeded, and those of the store's commit.
 */
export async function undoCommit({ store }: Wiki, request: UndoCommitRequest): Promise<UndoneCommit> {
  await store.refresh()
  // A name such as `HEAD` means the same commit when the plan runs again.
  const { hash } = await findCommit(store, request.commit)
  const comment = commentOf(hash, request)
  let undoing = await planUndoing(store, hash, !request.dryRun)
  const { titles } = undoing
  if (request.dryRun) {
    const { record, changes } = undoing
    const patch = await patchOf(record, changes)
    return { undone: hash, commit: null, changed: changes.length > 0, titles, comment, patch, leftAlone: [] }
  }
  const committed = await store.commit(async () => {
    request.check?.()
    undoing = await planUndoing(store, hash, true)
    return undoing.changes.length === 0 ? null : commitPlan(undoing, { comment, request })
  })
  const { commit, leftAlone } = committed
  if (commit !== null) await readSaved(store, commit, () => ({ tip: store.tip }))
  return { undone: hash, commit, changed: commit !== null, titles: undoing.titles, comment, leftAlone }
}

/** The pages that a commit moved. */
export interface MovedByCommit {
  /** The changes at their new paths. */
  readonly moved: readonly PathChange[]
  /** True if the commit only moved one page and edited others: it created, deleted or replaced nothing else. */
  readonly isAlone: boolean
}

/** Finds the pages that a commit of the branch moved. */
export async function movedBy({ store }: Wiki, hash: string): Promise<MovedByCommit> {
  const record = await store.record()
  const found = await record.changes(hash)
  const all = found?.changes.filter(({ path }) => path !== 'wiki.json') ?? []
  const left = found === null ? null : movedPath(found.message)
  const pages = all.filter(({ path }) => record.kindOf(path) === 'page')
  const moves = movesOf(pages.map(change => inverseOf(change, pages, left)))
  const declared = moves.length > 0 || left === null ? [] : declaredMoves(pages, left)
  const ends = [...moves, ...declared]
  const paths = new Set(ends.flatMap(({ from, to }) => [from, to]))
  const isEdit = ({ path, before, after }: PathChange) =>
    before !== null && after !== null && record.kindOf(path) === 'page'
  return {
    moved: ends.flatMap(({ from }) => pages.filter(({ path }) => path === from)),
    isAlone: ends.length === 1 && all.every(change => paths.has(change.path) || isEdit(change)),
  }
}

/** The move from a path that a commit names, as its inverse; see docs/reference/storage.md. */
function declaredMoves(pages: readonly PathChange[], left: string): ReturnType<typeof movesOf> {
  const source = pages.find(({ path }) => path === left)
  if (source === undefined) return []
  const added = pages.filter(({ before, after }) => before === null && after !== null)
  const targets = added.length > 0 ? added : pages.filter(({ after }) => after !== null && after === source.before)
  return targets.length === 1 ? targets.map(({ path }) => ({ from: path, to: left })) : []
}

/** The inverse of a commit at the tip. */
interface Undoing extends FoundCommit {
  readonly record: BranchRecord
  readonly changes: readonly RestoredPath[]
  readonly titles: readonly string[]
}

async function planUndoing(store: Store, name: string, isWritten: boolean): Promise<Undoing> {
  const found = await findCommit(store, name)
  const { hash, inverse } = found
  const record = await store.record()
  const overlay = await overlayFor(new Overlay(record, isWritten), inverse)
  const changes = await planChanges(store, record, overlay, await wantedOf(hash, inverse, { record, overlay }))
  return { ...found, record, changes, titles: changes.map(({ path }) => record.titleOf(path) ?? path) }
}

interface FoundCommit {
  readonly hash: string
  /** Former path of a page, if the commit names it. */
  readonly left: string | null
  /** The inverse of its changes. */
  readonly inverse: readonly InverseChange[]
}

/** The inverse of a change; `redirect` is the blob that a move left at the path. */
interface InverseChange extends PathChange {
  readonly redirect: string | null
}

async function findCommit(store: Store, name: string): Promise<FoundCommit> {
  const hash = await store.trees.commitNamed(name)
  const record = await store.record()
  if (hash === null || (await record.reached(new Set([hash]))).get(hash) === undefined)
    throw usage(`${name} is not a commit of this branch`, 'wiki log --hash lists them')
  checkHasParents(store, hash)
  const found = await record.changes(hash)
  if (found === undefined || found === null) throw missingObject(hash)
  const layout = newLayout(found.message)
  if (layout !== null)
    throw usage(
      `${name} moved all files into another layout`,
      `Move them back with: wiki migrate-layout ${layout === 'sharded' ? 'folders' : 'sharded'}`,
    )
  // Settings are left out, because an undo must not reveal hidden texts.
  const changes = found.changes.filter(({ path }) => path !== 'wiki.json')
  const left = movedPath(found.message)
  if (changes.length === 0) throw usage(`${name} changes no page`, 'Change settings with: wiki config set')
  return { hash, left, inverse: changes.map(change => inverseOf(change, changes, left)) }
}

function usage(sentence: string, hint: string): WikiError {
  return new WikiError('wiki-usage', { params: [sentence], hint })
}

/** A path with a redirect or note left by a move counts as free. It is deleted before the page returns. */
function inverseOf(
  { path, before, after }: PathChange,
  all: readonly PathChange[],
  left: string | null,
): InverseChange {
  const isMoved = path === left || all.some(other => other.before === null && other.after === before)
  const isLeft = before !== null && after !== null && isMoved
  return { path, before: isLeft ? null : after, after: before, redirect: isLeft ? after : null }
}

interface Tip {
  readonly record: BranchRecord
  readonly overlay: Overlay
}

async function wantedOf(hash: string, inverse: readonly InverseChange[], tip: Tip): Promise<WantedChanges> {
  const short = hash.slice(0, 10)
  const conflict: WantedChanges['conflict'] = (title, data) =>
    new WikiError('undo-failure', {
      params: [title],
      hint: `Nothing of ${short} was undone. Pages are undone one by one by the ids of their revisions`,
      data: { base: short, current: 'now', commit: hash, ...data },
    })
  const moves = movesOf(inverse)
  const done = new Set<string>()
  for (const { from, to } of moves) {
    if ((await tip.overlay.blobAt(from)) !== null) continue
    // The page was already restored or moved again, so its destination is unknown.
    if ((await tip.overlay.blobAt(to)) === null) throw conflict(tip.record.titleOf(to) ?? to, { path: to })
    for (const path of [from, to]) done.add(path)
  }
  return {
    commit: hash,
    all: inverse,
    paths: new Set(inverse.map(({ path }) => path).filter(path => !done.has(path))),
    fixed: new Set(moves.flatMap(({ from, to }) => [from, to])),
    conflict,
    denied: () => new WikiError('rest-permission-denied-revision', { params: [short] }),
  }
}

/** Lists the moves among changes: pairs of a removed and an added path. */
function movesOf(changes: readonly PathChange[]): readonly { readonly from: string; readonly to: string }[] {
  const free = changes.filter(({ before, after }) => before === null && after !== null)
  return changes.flatMap(({ path, before, after }) => {
    if (before === null || after !== null) return []
    const at = free.findIndex(other => other.after === before)
    return at === -1 ? [] : free.splice(at, 1).map(to => ({ from: path, to: to.path }))
  })
}

/** Redirects left by moves count as deleted, unless they were edited since. */
async function overlayFor(overlay: Overlay, inverse: readonly InverseChange[]): Promise<Overlay> {
  for (const { path, redirect } of inverse)
    if (redirect !== null && (await overlay.blobAt(path)) === redirect)
      overlay.set({ path, from: redirect, to: null, content: null })
  return overlay
}

/** Deletes the redirects left by moves whose pages return; null if there are none. */
async function clearingPlan(undoing: Undoing, request: UndoCommitRequest): Promise<CommitPlan | null> {
  const { record, inverse } = undoing
  const planned = new Set(undoing.changes.map(({ path }) => path))
  const tip = new Overlay(record, true)
  const changes = []
  for (const { path, redirect } of inverse)
    if (redirect !== null && planned.has(path) && (await tip.blobAt(path)) === redirect)
      changes.push({ path, content: null })
  if (changes.length === 0) return null
  const comment = 'Deleted to make way for a page that moves back'
  return planOf(request, { changes, comment, subject: comment })
}

interface CommitToUndo {
  readonly comment: string
  readonly request: UndoCommitRequest
}

async function commitPlan(undoing: Undoing, { comment, request }: CommitToUndo): Promise<CommitPlan> {
  const { changes, hash, left } = undoing
  const files = changes.map(({ path, to, content }) => ({
    path,
    content: content ?? (to === null ? null : { blob: to }),
  }))
  const plan = planOf({ ...request, reverts: hash }, { changes: files, comment, subject: comment })
  // The page returns from the path that the commit moved it to, to its old path.
  const gone = changes.filter(({ to }) => to === null)
  if (replacesRedirect(undoing)) return { ...plan, moved: gone[0]!.path }
  const first = await clearingPlan(undoing, request)
  const isBack = left !== null && gone.length === 1 && changes.some(({ path, from }) => path === left && from === null)
  return { ...plan, ...(first !== null && { first }), ...(isBack && { moved: gone[0]!.path }) }
}

/** True if one page returns, as it is, to a path with the redirect that it left: the commit itself can say so. */
function replacesRedirect({ changes, inverse }: Undoing): boolean {
  const left = inverse.filter(({ redirect }) => redirect !== null).map(({ path }) => path)
  const gone = changes.filter(({ to }) => to === null)
  const added = changes.filter(({ from }) => from === null)
  const [page, back] = [gone[0], added[0]]
  if (left.length !== 1 || gone.length !== 1 || added.length !== 1 || back?.path !== left[0]) return false
  return page?.from === back?.to && back?.content == null
}

function commentOf(hash: string, { comment }: UndoCommitRequest): string {
  return cleanComment(comment ?? '') || `Undid commit ${hash.slice(0, 10)}`
}

async function patchOf(record: BranchRecord, changes: readonly RestoredPath[]): Promise<string> {
  const read = async (blob: string | null, content: Buffer | null) =>
    (content ?? (blob === null ? null : await record.content(blob)) ?? Buffer.alloc(0)).toString('utf8')
  let patch = ''
  for (const { path, from, to, content } of changes) {
    if (record.kindOf(path) === 'file') patch += `Media file ${path}\n`
    else {
      const names = { fromPath: from === null ? null : path, toPath: to === null ? null : path }
      patch += unifiedPatch(await read(from, null), await read(to, content), names)
    }
  }
  return patch
}
