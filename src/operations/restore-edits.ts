/** Restores lost acknowledged edits, each as a separate commit. */

import { configFile } from '../core/config.ts'
import { isWikiError, WikiError } from '../core/errors.ts'
import { shellQuote } from '../core/shell-quote.ts'
import type { WikiConfig } from '../core/wiki-config.ts'
import { unifiedPatch } from '../diff/unified.ts'
import type { BranchRecord } from '../store/acknowledged/branch-record.ts'
import type { Acknowledgement } from '../store/acknowledged/log.ts'
import type { RepairedBranch } from '../store/acknowledged/repair.ts'
import type { OpenLoss } from '../store/acknowledged/verified.ts'
import type { Author, CommitPlan } from '../store/format/entries.ts'
import { hiddenParts } from '../store/format/hidden-revisions.ts'
import { newLayout, parseMessage } from '../store/format/trailers.ts'
import type { CommitHeader } from '../store/git/backend.ts'
import type { Store } from '../store/store.ts'
import { shortName } from './access/served-branch.ts'
import { findLosses } from './acknowledged/find-losses.ts'
import { Overlay, planRestore, type RestoredPath } from './acknowledged/plan-restore.ts'
import { migrateLayout } from './migrate-layout.ts'
import { recordedCommit, verifyWiki } from './verify-wiki.ts'
import type { Wiki } from './wiki.ts'

export interface RestoreRequest {
  /** Lost commits, as full hashes or prefixes; all lost ones if omitted or empty. */
  readonly commits?: readonly string[] | undefined
  /** Writes nothing and reports the changes. */
  readonly dryRun?: boolean | undefined
  /** First puts a branch that names no whole commit back to its last one. */
  readonly repair?: boolean | undefined
  /** Called with the number of lost edits before any is restored; restores nothing if it throws. Not called in a dry run. */
  readonly accept?: ((lost: number) => Promise<void>) | undefined
  /** Returns the author of the commit if the name of the edit's author is hidden. */
  readonly author: () => Promise<Author>
}

export type { RepairedBranch }

/** A restored edit. */
export interface RestoredEdit {
  /** The commit that was lost. */
  readonly restored: string
  /** The commit that restores it; null in a dry run, and if the branch already had the edit. */
  readonly commit: string | null
  readonly titles: readonly string[]
  /** The changes as a patch; only in a dry run. */
  readonly patch?: string
  /** Work-tree files left unchanged. */
  readonly leftAlone: readonly string[]
}

/** Another branch that has lost edits. */
export interface LosingBranch {
  /** Short name. */
  readonly branch: string
  /** Number of the edits. */
  readonly lost: number
  /** Command line that restores them. */
  readonly restore: string
}

export interface RestoredEdits {
  /** The branch, short name; `HEAD` where it is detached. */
  readonly branch: string
  /** The commits between which the branch was put back, or would be in a dry run; null if it was not. */
  readonly repaired: RepairedBranch | null
  readonly restored: readonly RestoredEdit[]
  /** Edits that could not be restored, in order, with the reason. */
  readonly failures: readonly { readonly commit: string; readonly error: WikiError }[]
}

/** Maximum number of rounds of one call. A restored commit of git may undo edits itself, which the next round restores. */
const maxRounds = 3

/**
 * Merges each lost edit by words into the page's latest text, oldest first, in separate commits by the edits' authors.
 * Edits that cannot be merged are skipped and reported. Errors: wiki-usage for a commit that was not lost, and those of
 * the store's commit.
 */
export async function restoreEdits(wiki: Wiki, request: RestoreRequest): Promise<RestoredEdits> {
  const repaired = request.repair ? await wiki.store.repair({ dryRun: request.dryRun ?? false }) : null
  const branch = shortName(wiki.store.repository.branch)
  if (repaired !== null && request.dryRun) return { branch, repaired, restored: [], failures: [] }
  const isChosen = request.dryRun || (request.commits ?? []).length > 0
  let { restored, failures, mayUndo } = await restoreRound(wiki, request)
  for (let round = 1; round < maxRounds && mayUndo && !isChosen; round++) {
    const next = await restoreRound(wiki, { ...request, accept: undefined })
    restored = [...restored, ...next.restored]
    ;({ failures, mayUndo } = next)
  }
  return { branch, repaired, restored, failures }
}

/** Lists the other branches that have lost edits: `restoreEdits` works on one. */
export async function otherLosingBranches(wiki: Wiki): Promise<readonly LosingBranch[]> {
  const own = shortName(wiki.store.repository.branch)
  const counts = new Map<string, Set<string>>()
  for (const { branch, isGone, commit } of (await verifyWiki(wiki)).lost)
    if (branch !== own && !isGone) counts.set(branch, (counts.get(branch) ?? new Set()).add(commit))
  return [...counts].map(([branch, commits]) => ({
    branch,
    lost: commits.size,
    restore: `wiki restore --branch ${shellQuote(branch)}`,
  }))
}

interface Round extends Pick<RestoredEdits, 'restored' | 'failures'> {
  /** True if a commit was restored that git made in place of an acknowledged one: `git commit --amend` records older files, too. */
  readonly mayUndo: boolean
}

async function restoreRound(wiki: Wiki, request: RestoreRequest): Promise<Round> {
  const { store } = wiki
  await store.refresh()
  const { record, losses } = await findLosses(store)
  const replays = new Set(record.events().flatMap(({ commit, kind }) => (kind === 'replay' ? [commit] : [])))
  const restored: RestoredEdit[] = []
  const failures: { commit: string; error: WikiError }[] = []
  const overlay = new Overlay(record, false)
  const chosen = chosenLosses(await record.everyEvent(), losses, request.commits ?? [])
  if (!request.dryRun && chosen.size > 0) await request.accept?.(chosen.size)
  for (const [commit, paths] of chosen)
    try {
      const lost = { commit, paths, isReplay: replays.has(commit) }
      const layout = await lostLayout(record, lost)
      if (layout !== null) restored.push(await restoreLayout(wiki, lost, layout, request))
      else restored.push(await (request.dryRun ? preview(store, record, overlay, lost) : restore(store, lost, request)))
    } catch (error) {
      if (!isWikiError(error) || !ownFailures.has(error.code)) throw error
      failures.push({ commit, error: error.code === 'wiki-title-collision' ? takenTitle(commit, error) : error })
    }
  return { restored, failures, mayUndo: restored.some(edit => edit.commit !== null && replays.has(edit.restored)) }
}

/** The title was free when the edit was made. */
function takenTitle(commit: string, { code, params }: WikiError): WikiError {
  const short = commit.slice(0, 10)
  return new WikiError(code, {
    params,
    hint:
      `Rename or remove what has the title now, then: wiki restore ${short}. Or save the text (git show ${short}) under another title, ` +
      `then: wiki verify --accept ${short}`,
    data: { commit },
  })
}

/** Errors that concern a single edit and do not stop the others. */
const ownFailures: ReadonlySet<string> = new Set([
  'edit-conflict',
  'rest-permission-denied-revision',
  'rest-resource-limit-exceeded',
  'wiki-title-collision',
  'wiki-objects-missing',
  'wiki-conversion-failed',
  'wiki-uncommitted',
])

/** Lists lost commits with their paths. */
function chosenLosses(
  events: readonly Acknowledgement[],
  losses: readonly OpenLoss[],
  commits: readonly string[],
): Map<string, Set<string>> {
  const wanted = commits.map(prefix => recordedCommit(events, prefix))
  const lost = new Map<string, Set<string>>()
  for (const { commit, path } of losses) {
    if (wanted.length > 0 && !wanted.includes(commit)) continue
    lost.set(commit, (lost.get(commit) ?? new Set()).add(path ?? ''))
  }
  for (const commit of wanted)
    if (!lost.has(commit))
      throw new WikiError('wiki-usage', {
        params: [`Nothing of ${commit.slice(0, 10)} was lost`],
        hint: 'wiki verify lists lost edits',
      })
  return lost
}

type Layout = WikiConfig['layout']

interface LostCommit {
  readonly commit: string
  readonly paths: ReadonlySet<string>
  /** True if git made it in place of an acknowledged one. */
  readonly isReplay: boolean
}

/** The layout into which a lost commit moved the wiki's files; null if it lost anything else. */
async function lostLayout(record: BranchRecord, { commit, paths }: LostCommit): Promise<Layout | null> {
  if (paths.size !== 1 || !paths.has(configFile)) return null
  const layout = newLayout((await record.header(commit))?.message ?? '')
  return layout === 'sharded' || layout === 'folders' ? layout : null
}

/** Moves the files again, also those of pages that were created, moved or edited since. */
async function restoreLayout(
  wiki: Wiki,
  { commit }: LostCommit,
  layout: Layout,
  request: RestoreRequest,
): Promise<RestoredEdit> {
  const { store } = wiki
  const record = await store.record()
  const migration = { layout, dryRun: request.dryRun, ...(await restoredFields(store, record, commit, request)) }
  const migrated = await migrateLayout(wiki, migration)
  const done = { restored: commit, commit: migrated.commit, titles: [], leftAlone: migrated.leftAlone }
  if (request.dryRun) return { ...done, patch: `${migrated.moves.length} files move into the layout ${layout}\n` }
  await record.add('settled', [commit])
  return done
}

async function restore(
  store: Store,
  { commit, paths, isReplay }: LostCommit,
  request: RestoreRequest,
): Promise<RestoredEdit> {
  let titles: readonly string[] = []
  const committed = await store.commit(async () => {
    const record = await store.record()
    const changes = await planRestore(store, record, new Overlay(record, true), commit, paths)
    titles = titlesOf(record, changes)
    return changes.length === 0 ? null : commitPlan(store, record, { commit, changes, titles }, request)
  })
  const record = await store.record()
  // The wiki did not choose this change, so it counts as git's: what it undoes is reported.
  if (isReplay && committed.commit !== null) await record.add('replay', [committed.commit])
  // The rest of it may be in no other commit: the next verification finds out.
  const changed = (await record.changes(commit))?.changes.length ?? 0
  if (paths.size >= changed) await record.add('settled', [commit])
  return { restored: commit, commit: committed.commit, titles, leftAlone: committed.leftAlone }
}

function titlesOf(record: BranchRecord, changes: readonly RestoredPath[]): string[] {
  return changes.map(({ path }) => record.titleOf(path) ?? path)
}

interface Restoring {
  readonly commit: string
  readonly changes: readonly RestoredPath[]
  readonly titles: readonly string[]
}

async function commitPlan(
  store: Store,
  record: BranchRecord,
  { commit, changes, titles }: Restoring,
  request: RestoreRequest,
): Promise<CommitPlan> {
  return {
    ...(await restoredFields(store, record, commit, request)),
    changes: changes.map(({ path, to, content }) => ({
      path,
      content: content ?? (to === null ? null : { blob: to }),
    })),
    subject: `Restore ${titles[0]}`,
  }
}

/** Returns the author, the flags and the comment of the commit that restores a lost one. */
async function restoredFields(
  store: Store,
  record: BranchRecord,
  commit: string,
  request: RestoreRequest,
): Promise<Pick<CommitPlan, 'author' | 'minor' | 'bot'> & { readonly comment: string }> {
  const header = (await record.header(commit)) as CommitHeader
  const hidden = hiddenParts(store.config.hidden, commit)
  const { comment, minor, bot } = parseMessage(header.message)
  const summary = hidden.includes('comment') ? '' : (comment.split('\n')[0] ?? '').slice(0, 400)
  return {
    author: hidden.includes('user') ? await request.author() : authorOf(header),
    comment: `Restore lost edit ${commit.slice(0, 10)}${summary === '' ? '' : `: ${summary}`}`,
    minor,
    bot,
  }
}

function authorOf({ authorName, authorAddress }: CommitHeader): Author {
  return { name: authorName, address: authorAddress }
}

async function preview(
  store: Store,
  record: BranchRecord,
  overlay: Overlay,
  { commit, paths }: LostCommit,
): Promise<RestoredEdit> {
  const changes = await planRestore(store, record, overlay, commit, paths)
  let patch = ''
  for (const change of changes) {
    overlay.set(change)
    patch += await patchOf(record, overlay, change)
  }
  return { restored: commit, commit: null, titles: titlesOf(record, changes), patch, leftAlone: [] }
}

async function patchOf(record: BranchRecord, overlay: Overlay, { path, from, to }: RestoredPath): Promise<string> {
  if (record.kindOf(path) === 'file')
    return `Media file ${path} ${to === null ? 'is deleted' : 'gets its lost content'}\n`
  const text = async (blob: string | null) => (blob === null ? '' : (await overlay.content(blob)).toString('utf8'))
  const names = { fromPath: from === null ? null : path, toPath: to === null ? null : path }
  return unifiedPatch(await text(from), await text(to), names)
}
