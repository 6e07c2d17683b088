/** Undoes revisions of a page. Later edits stay: the texts are merged by words. */

import { isUtf8 } from 'node:buffer'
import { WikiError } from '../core/errors.ts'
import { withLineEndsOf, withLineFeeds } from '../core/line-ends.ts'
import type { PageSource } from '../core/page.ts'
import { inShellQuotes, titleArgument } from '../core/shell-quote.ts'
import { shortHash } from '../core/short-hash.ts'
import type { CommitPlan, FileChange, PageEntry, RevisionEntry } from '../store/format/entries.ts'
import type { Store } from '../store/store.ts'
import { checkUnfiltered } from './access/filtered-text.ts'
import { checkVisible, isHidden } from './access/hidden.ts'
import { type ChangeRequest, committedPage, planOf } from './editing/edit.ts'
import { cleanComment } from './editing/edit-summary.ts'
import { findPage, latestOf } from './resources/find-page.ts'
import { writtenPage } from './resources/page-object.ts'
import { checkHasParents } from './resources/shallow.ts'
import { movedBy, undoCommit } from './undo-commit.ts'
import type { Wiki } from './wiki.ts'
import { type MergeFunction, rememberedMerge } from './workers/long-merge.ts'
import { writePatch } from './workers/long-patch.ts'

export interface UndoRequest extends ChangeRequest {
  /** Id of the newest revision to undo. */
  readonly revision: number
  /** Id of the newest earlier revision that stays; the previous one if omitted. */
  readonly after?: number | undefined
  /** Title of the page that the revisions must belong to; any page if omitted. */
  readonly title?: string | undefined
  readonly minor?: boolean | undefined
  readonly bot?: boolean | undefined
  /** Checks everything and writes nothing. */
  readonly dryRun?: boolean | undefined
  /** Expected commit of the page's latest revision, null for no page; not checked if missing. */
  readonly expected?: string | null | undefined
}

export interface UndoneRevisions {
  /** False if the page contains no change of these revisions any more, so that nothing was written. */
  readonly changed: boolean
  /** True if the text contains later edits. */
  readonly merged: boolean
  /** Ids of the undone revisions: the oldest and the newest. */
  readonly undone: readonly [oldest: number, newest: number]
  /** Edit summary of the new revision. */
  readonly comment: string
  /** The page with its new text; in a dry run, with its current revision and text. */
  readonly page: PageSource
  /** Difference as a patch; only in a dry run. */
  readonly patch?: string
  /** Hash of the commit; null if nothing was written. */
  readonly commit: string | null
  readonly leftAlone: readonly string[]
}

/** Returns the API's object of an undoing. */
export function undoneBody({ changed, merged, undone, comment, page, patch }: UndoneRevisions) {
  return { changed, merged, undone, comment, page, ...(patch !== undefined && { patch }) }
}

/** The revisions to undo, and the one that stays. */
interface Range {
  readonly page: PageEntry
  readonly newest: RevisionEntry
  /** The newest revision before them, whose text is restored. */
  readonly kept: RevisionEntry
  readonly oldest: number
}

/** The page's text before and after; `blob` if it equals that of an earlier revision. */
interface Outcome extends Range {
  readonly current: string
  readonly text: string
  readonly blob: string | null
}

/**
 * Undoes one revision, or all after `after` up to it, by one new revision. A revision that moved its page is undone with its whole commit: the
 * page gets its old title back, and the links that the commit changed their old targets. Source: MediaWiki ContentHandler::getUndoContent.
 * Errors: undo-failure if later edits changed the same words, or moved the undone text (its data are both differences: `local` of the undo, `remote` of the
 * later edits), undo-norev for the first revision of a page, rest-nonexistent-revision, rest-nonexistent-title-revision,
 * apierror-missingtitle for a deleted page, rest-permission-denied-revision, wiki-not-utf8, wiki-no-author,
 * rest-resource-limit-exceeded, rest-precondition-failed, and those of the store's commit.
 */
export async function undoRevisions(wiki: Wiki, request: UndoRequest): Promise<UndoneRevisions> {
  const { store } = wiki
  await store.refresh()
  const merge = rememberedMerge(wiki)
  let outcome = await decide(store, request, merge)
  if (outcome.oldest === outcome.newest.id && (await isMove(wiki, outcome))) return undoMove(wiki, outcome, request)
  if (request.dryRun) {
    const { page, current, text } = outcome
    store.checkRights({ author: request.author, changes: [page] })
    const patch = await writePatch(wiki, { from: current, to: text, fromPath: page.path, toPath: page.path })
    return { ...undone(store, outcome, request, { commit: null, leftAlone: [] }), patch }
  }
  const committed = await store.commit(async () => {
    outcome = await decideSame(store, request, merge, outcome)
    return outcome.text === outcome.current ? null : undoPlan(outcome, request)
  })
  const written = await committedPage(store, committed, outcome.page.key)
  const answer = undone(store, outcome, request, committed)
  return written === null
    ? answer
    : { ...answer, page: writtenPage(store, written.page, written.revision, outcome.text) }
}

/**
 * True if the commit of a revision moved its page. Errors: wiki-usage if it also moved, created or deleted others, whose undo takes other
 * rights than that of an edit.
 */
async function isMove(wiki: Wiki, { newest, page }: Range): Promise<boolean> {
  const { moved, isAlone } = await movedBy(wiki, newest.commit)
  // The commit also changed the links of other pages: the undo of one of those is about that page alone.
  if (!moved.some(({ after }) => after === newest.blob)) return false
  if (isAlone) return true
  if (newest.blob !== wiki.store.revision(newest.previous ?? 0, { deleted: true })?.blob) return false
  throw new WikiError('wiki-usage', {
    params: [`Revision ${newest.id} moved "${page.title}" together with other changes`],
    hint: `Undo the commit as a whole: wiki undo ${shortHash(newest.commit)}`,
  })
}

async function undoMove(wiki: Wiki, range: Outcome, request: UndoRequest): Promise<UndoneRevisions> {
  const { store } = wiki
  const { newest, page } = range
  const { changed, comment, commit, leftAlone, patch } = await undoCommit(wiki, {
    ...request,
    commit: newest.commit,
    comment: commentOf(range, request),
    check: () => {
      const current = store.pageById(page.id) ?? page
      checkExpected(request, current, latestOf(store, current))
    },
  })
  const now = store.pageById(page.id) ?? page
  const latest = latestOf(store, now)
  return {
    changed,
    merged: false,
    undone: [newest.id, newest.id],
    comment,
    page: writtenPage(store, now, latest, await store.text(latest)),
    ...(patch !== undefined && { patch }),
    commit,
    leftAlone,
  }
}

/** Returns the resulting text and the automatic summary of an undo, without writing. Errors: as `undoRevisions`. */
export async function undoneText(
  wiki: Wiki,
  request: Pick<UndoRequest, 'revision' | 'after' | 'title'>,
): Promise<{ readonly text: string; readonly comment: string }> {
  await wiki.store.refresh()
  const asked = { ...request, comment: null, author: { name: '', address: '' }, dryRun: true }
  const outcome = await decide(wiki.store, asked, rememberedMerge(wiki))
  return { text: outcome.text, comment: commentOf(outcome, asked) }
}

async function decide(store: Store, request: UndoRequest, merge: MergeFunction): Promise<Outcome> {
  const range = findRange(store, request)
  const { page, newest, kept } = range
  const latest = latestOf(store, page)
  checkExpected(request, page, latest)
  for (const revision of [newest, kept, latest]) checkVisible(revision)
  const current = await store.text(latest)
  if (newest.blob === kept.blob) return { ...range, current, text: current, blob: null }
  if (latest.blob === newest.blob) return { ...range, current, text: await store.text(kept), blob: kept.blob }
  return {
    ...range,
    current,
    text: await mergedText(store, { ...range, current, isWritten: !request.dryRun }, merge),
    blob: null,
  }
}

/** Errors: rest-precondition-failed. */
function checkExpected({ expected }: UndoRequest, { title }: PageEntry, { commit }: RevisionEntry): void {
  if (expected !== undefined && expected !== commit)
    throw new WikiError('rest-precondition-failed', { params: [title], hint: 'Read the page again' })
}

/** Decides again, about the same revisions: since git pulled or rewrote commits, their ids may name others. */
async function decideSame(store: Store, request: UndoRequest, merge: MergeFunction, before: Outcome): Promise<Outcome> {
  const outcome = await decide(store, request, merge)
  const isSame = outcome.newest.commit === before.newest.commit && outcome.kept.commit === before.kept.commit
  if (isSame) return outcome
  const hint = 'Since git pulled or rewrote commits, its id names another revision. Read the history again'
  throw new WikiError('rest-nonexistent-revision', { params: [request.revision], hint })
}

function findRange(store: Store, { revision, after, title }: UndoRequest): Range {
  const newest = existing(store, revision)
  const page = store.pageById(newest.page)
  if (page === undefined) throw deletedPage(store, newest.page)
  if (title !== undefined && findPage(store, { title }).id !== page.id)
    throw new WikiError('rest-nonexistent-title-revision', { params: [revision, title] })
  if (after === undefined) checkHasParents(store, newest.commit)
  const first = after ?? newest.previous
  if (first === null)
    throw new WikiError('undo-norev', {
      params: [page.title],
      hint: `Delete it: wiki page delete ${titleArgument(page.title)}`,
    })
  const kept = existing(store, first)
  if (kept.page !== page.id || kept.sequence >= newest.sequence)
    throw new WikiError('rest-nonexistent-title-revision', {
      params: [first, page.title],
      hint: 'A range names two revisions of one page. The edits after the first one are undone',
    })
  return { page, newest, kept, oldest: oldestAfter(store, page, kept, newest) }
}

function existing(store: Store, id: number): RevisionEntry {
  const revision = store.revision(id, { deleted: true })
  if (revision === undefined) throw new WikiError('rest-nonexistent-revision', { params: [id] })
  return revision
}

function deletedPage(store: Store, id: number): WikiError {
  const title = store.pageById(id, { deleted: true })?.title ?? ''
  return new WikiError('apierror-missingtitle', { params: [title], hint: `wiki page restore ${titleArgument(title)}` })
}

/** Returns the revision right after the one that stays. */
function oldestAfter(store: Store, page: PageEntry, kept: RevisionEntry, newest: RevisionEntry): number {
  if (newest.previous === kept.id) return newest.id
  return store.history(page, { newerThan: kept.id, limit: 1 }).revisions[0]?.id ?? newest.id
}

interface Merging extends Range {
  readonly current: string
  /** False for a dry run. */
  readonly isWritten: boolean
}

async function mergedText(store: Store, range: Merging, merge: MergeFunction): Promise<string> {
  const { page, newest, kept, current, isWritten } = range
  if (newest.model !== page.model || kept.model !== page.model) throw conflict(range, {})
  await checkBytes(store, range)
  await checkUnfiltered(store, { path: page.path, blob: latestOf(store, page).blob }, isWritten)
  const [base, submitted] = [await store.text(newest), await store.text(kept)].map(withLineFeeds) as [string, string]
  const edits = { base, submitted, current: withLineFeeds(current), model: page.model, isUndo: true }
  const merged = await merge({ ...edits, policy: 'words', limit: store.config.limits.source })
  if ('text' in merged) return withLineEndsOf(current, merged.text)
  const { moved } = merged
  throw conflict(range, merged, moved && `A part of it has moved since: ${inShellQuotes(moved)}`)
}

/** A merge writes text, so bytes that are not UTF-8 would be lost. */
async function checkBytes(store: Store, { page, newest, kept }: Range): Promise<void> {
  for (const { blob } of [newest, kept, latestOf(store, page)])
    if (!isUtf8(await store.bytes(blob))) throw new WikiError('wiki-not-utf8', { params: [page.title] })
}

function conflict(
  { page, newest }: Range,
  { local, remote }: { readonly local?: unknown; readonly remote?: unknown },
  reason?: string,
): WikiError {
  const hint = `Undo the later edits too, or edit the page: wiki page edit ${titleArgument(page.title)}`
  return new WikiError('undo-failure', {
    params: [page.title],
    hint: reason === undefined ? hint : `${reason}. ${hint}`,
    data: {
      base: newest.id,
      current: page.latest,
      ...(local != null && { local: { diff: local } }),
      ...(remote != null && { remote: { diff: remote } }),
    },
  })
}

function undoPlan(outcome: Outcome, request: UndoRequest): CommitPlan {
  const { page, newest, text, blob } = outcome
  const change: FileChange = { path: page.path, content: blob === null ? Buffer.from(text) : { blob } }
  return planOf(
    { ...request, reverts: newest.commit },
    { changes: [change], comment: commentOf(outcome, request), subject: `Undo an edit of ${page.title}` },
  )
}

/** Returns the given summary, or MediaWiki's automatic one without links. Source: MediaWiki message undo-summary. */
function commentOf({ newest, oldest }: Range, { comment }: UndoRequest): string {
  const given = cleanComment(comment ?? '')
  if (given !== '') return given
  if (oldest !== newest.id) return `Undid revisions ${oldest} to ${newest.id}`
  return cleanComment(`Undid revision ${newest.id} by ${isHidden(newest, 'user') ? 'a hidden user' : newest.user.name}`)
}

function undone(
  store: Store,
  outcome: Outcome,
  request: UndoRequest,
  { commit, leftAlone }: { readonly commit: string | null; readonly leftAlone: readonly string[] },
): UndoneRevisions {
  const { page, newest, oldest, kept, current, text } = outcome
  return {
    changed: text !== current,
    merged: text !== current && page.latest !== newest.id && outcome.blob === null,
    undone: [oldest, newest.id],
    comment: commentOf({ page, newest, oldest, kept }, request),
    page: writtenPage(store, page, latestOf(store, store.pageById(page.id) ?? page), current),
    commit,
    leftAlone,
  }
}
