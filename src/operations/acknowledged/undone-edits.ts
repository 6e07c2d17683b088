/**
 * Acknowledged commits that are on the branch, but were undone by a later commit that had not seen them: a plain `git
 * commit` from a stale index or file, or a merge that kept the other side.
 */

import type { BranchRecord } from '../../store/acknowledged/branch-record.ts'
import type { OpenLoss } from '../../store/acknowledged/verified.ts'
import { type GitRevert, gitReverts, parseMessage } from '../../store/format/trailers.ts'
import type { CommitChanges, PathChange } from '../../store/git/backend.ts'
import { hasWords, mayComeFrom } from '../comparing/word-bag.ts'
import { createPause } from '../workers/pause.ts'
import { type ChangedPage, mergedPages, pagesOf } from './changed-pages.ts'
import {
  holds,
  holdsByMerge,
  inverseOf,
  isReordered,
  keepsChange,
  type LineChange,
  lineChange,
  type TextChange,
} from './held-change.ts'
import { keyOf } from './lost-edits.ts'
import { withoutMoved } from './moved-lines.ts'
import type { Texts } from './text-cache.ts'
import { deletionCheck } from './undone-deletions.ts'
import type { ValueEdits } from './value-edits.ts'

/** Acknowledged commits by their positions in the index. */
export interface IndexedCommits {
  /** Full hash by ordinal in the index. */
  readonly byOrdinal: ReadonlyMap<number, string>
  /** Commits that the wiki made, also settled ones: what they undo is intended. */
  readonly own: ReadonlySet<string>
  /** Ordinals of the acknowledged commits made while the work tree had other changes to the same files. */
  readonly passed: ReadonlySet<number>
}

interface ReadableCommits extends IndexedCommits {
  readonly editOf: EditOf
}

/** An acknowledged revision of a page. */
interface AcknowledgedEdit {
  readonly commit: string
  readonly change: TextChange
}

/**
 * Number of acknowledged revisions of a page checked before each commit of others. The check continues while it finds
 * something.
 */
const usualDepth = 50

/** Finds the acknowledged edits that commits after this position in the index undid. */
export async function findUndoneEdits(
  record: BranchRecord,
  texts: Texts,
  indexed: IndexedCommits,
  values: ValueEdits,
  after: number,
): Promise<OpenLoss[]> {
  if (indexed.byOrdinal.size === 0) return []
  const { index } = record
  const acknowledged: ReadableCommits = { ...indexed, editOf: editReader(record, texts) }
  const first = Math.max(after + 1, Math.min(...acknowledged.byOrdinal.keys()) + 1)
  const isAcknowledged = (revision: number) => acknowledged.byOrdinal.has(index.revision(revision).commit)
  const losses: OpenLoss[] = []
  const pause = createPause()
  const deletionsUndone = deletionCheck(record, texts, acknowledged, (step, earlier) =>
    undoneBy(record, step, earlier, acknowledged),
  )
  for (let ordinal = first; ordinal < index.commitCount; ordinal++) {
    await pause()
    const { hash, onChain } = index.commit(ordinal)
    if (acknowledged.own.has(hash)) continue
    const revised = pagesOf(record, ordinal)
    if (!onChain && !revised.some(({ earlier }) => earlier.some(isAcknowledged))) continue
    const commit = await record.changes(hash)
    if (commit === null || isImport(commit)) continue
    const pages = commit.parents.length > 1 ? await mergedPages(record, ordinal, commit, revised) : revised
    const undone: OpenLoss[] = []
    for (const page of pages)
      if (page.earlier.some(isAcknowledged)) undone.push(...(await undoneOn(record, texts, commit, page, acknowledged)))
    if (onChain) undone.push(...(await deletionsUndone(commit, ordinal)), ...(await values.undoneBy(commit, ordinal)))
    const unnamed = await withoutNamed(record, undone, gitReverts(commit.message))
    const meant = await revertedPaths(record, commit, revised)
    const unmeant = unnamed.filter(({ path }) => path === null || !meant.has(path))
    losses.push(...(await withoutMoved(record, texts, commit, unmeant)))
  }
  return losses
}

/** Imports add their texts on top of existing ones. */
function isImport({ message }: CommitChanges): boolean {
  return parseMessage(message).origin !== undefined
}

/**
 * Lists the paths that a revert by the wiki in another clone changes on purpose: those of the commit that it names, and those of pages
 * that the commit edited. `git commit --amend` may have added others. If the named commit is unknown, all paths count.
 */
async function revertedPaths(
  record: BranchRecord,
  { message, changes }: CommitChanges,
  revised: readonly ChangedPage[],
): Promise<ReadonlySet<string>> {
  const { reverts } = parseMessage(message)
  if (reverts === null || gitReverts(message).length > 0) return new Set()
  const named = new Set((await record.changes(reverts))?.changes.map(({ path }) => path))
  const { index } = record
  const isRevised = ({ earlier }: ChangedPage) =>
    earlier.some(revision => index.commit(index.revision(revision).commit).hash === reverts)
  const blobs = new Set(revised.filter(isRevised).map(({ blob }) => blob))
  const meant = changes.filter(({ path, after }) => named.has(path) || (after !== null && blobs.has(after)))
  return new Set((meant.length === 0 ? changes : meant).map(({ path }) => path))
}

/**
 * Leaves out the commits that a `git revert` names. The revert may have undone more: an edit that arrived while it ran.
 */
async function withoutNamed(
  record: BranchRecord,
  losses: readonly OpenLoss[],
  reverts: readonly GitRevert[],
): Promise<OpenLoss[]> {
  const left: OpenLoss[] = []
  for (const loss of losses)
    if (!(await someAsync(reverts, revert => isNamed(record, revert, loss.commit)))) left.push(loss)
  return left
}

/** Returns true if a revert names a commit, another one of the same edit (after a rebase of both), or the merge that brought it in. */
async function isNamed(record: BranchRecord, { commit, mainline }: GitRevert, edit: string): Promise<boolean> {
  if (edit.startsWith(commit) || (await isSameEdit(record, commit, edit))) return true
  return mainline !== null && (await record.descends(commit, edit)) && !(await record.descends(mainline, edit))
}

/** Rebases and cherry-picks leave an edit's author, time and message. */
async function isSameEdit(record: BranchRecord, one: string, other: string): Promise<boolean> {
  if (one.length < other.length || record.index.log.hasCommit(one)) return false
  const [a, b] = [await record.header(one), await record.header(other)]
  if (a === null || b === null || a.parents.length > 1) return false
  return keyOf(a) === keyOf(b) && a.message === b.message
}

/** A text of a page, and the one after a commit. */
type TextStep = Pick<Step, 'from' | 'to'>

/** A commit's text of a page beside that of one of its parents. */
interface Step {
  readonly parent: string
  readonly from: string
  readonly to: string
}

async function undoneOn(
  record: BranchRecord,
  texts: Texts,
  commit: CommitChanges,
  { blob, earlier }: ChangedPage,
  acknowledged: ReadableCommits,
): Promise<OpenLoss[]> {
  const change = commit.changes.find(({ after }) => after === blob)
  const path = change?.path ?? null
  const steps = await stepsOf(record, texts, commit, { blob, path, previous: earlier[0] })
  const losses = new Map<string, OpenLoss>()
  for (const step of steps) {
    const undone = await undoneBy(record, step, earlier, acknowledged)
    // The author of a merge has seen both of its sides.
    if (steps.length === 1) {
      undone.push(...(await overwrittenBy(record, step, earlier, acknowledged)))
      undone.push(...(await sinceFormerText(record, step, { blob, earlier }, acknowledged)))
    }
    for (const edit of undone) {
      const others = steps.filter(({ parent, from }) => parent !== step.parent && !holds(edit.change, from))
      const wasUndoneThere = await someAsync(others, ({ parent }) => record.descends(parent, edit.commit))
      if (!wasUndoneThere) losses.set(edit.commit, { kind: 'undone', commit: edit.commit, path, by: commit.hash })
    }
  }
  return [...losses.values()]
}

/** Returns the page's texts at a commit's parents. If the page moved, the previous revision replaces the parent. */
async function stepsOf(
  record: BranchRecord,
  texts: Texts,
  { parents }: CommitChanges,
  {
    blob,
    path,
    previous,
  }: { readonly blob: string; readonly path: string | null; readonly previous: number | undefined },
): Promise<Step[]> {
  const to = await texts.of(blob)
  const before = previous === undefined ? null : record.index.log.blobOf(previous)
  const steps: Step[] = []
  for (const parent of parents) {
    const at = path === null ? null : await record.blobAt(parent, path)
    const from = await texts.of(at ?? (parents.length === 1 ? before : null))
    if (to !== null && from !== null && from !== '') steps.push({ parent, from, to })
  }
  return steps
}

/**
 * Lists the edits that one step undid. Either the step undid one edit, or it restored the text from before an edit and so undid
 * everything since.
 */
async function undoneBy(
  record: BranchRecord,
  { from, to }: TextStep,
  earlier: readonly number[],
  { byOrdinal, editOf }: ReadableCommits,
): Promise<AcknowledgedEdit[]> {
  const step = { ...lineChange({ before: from, after: to }), isReordered: isReordered({ before: from, after: to }) }
  const undone = new Map<string, AcknowledgedEdit>()
  const passed: AcknowledgedEdit[] = []
  for (let at = 0, last = 0; at < earlier.length && passed.length - last < usualDepth; at++) {
    const revision = earlier[at] as number
    const commit = byOrdinal.get(record.index.revision(revision).commit)
    if (commit === undefined) continue
    const edit = await editOf(commit, revision)
    if (edit === null) continue
    passed.push(edit)
    const isBack = revertsChange({ before: edit.change.before, after: from }, to, step)
    const found = isBack ? passed : revertsChange(edit.change, to, step) ? heldTogether(passed, from) : []
    for (const one of found)
      if (!holds(one.change, to) && !holds(inverseOf(one.change), from)) undone.set(one.commit, one)
    if (found.length > 0) last = passed.length
  }
  return [...undone.values()]
}

/**
 * Returns the last of these edits, newest first, if a text contains it: alone, together with later ones, which changed its words (then
 * with these), or by most of its words, if others added words to its lines; otherwise none.
 */
function heldTogether(edits: readonly AcknowledgedEdit[], text: string): readonly AcknowledgedEdit[] {
  const last = edits.at(-1)
  if (last === undefined) return []
  const { before } = last.change
  const at = edits.findLastIndex(({ change: { after } }) => holds({ before, after }, text))
  if (at !== -1) return edits.slice(at)
  return keepsChange(last.change, text) ? [last] : []
}

/**
 * Lists acknowledged edits made while the work tree had changes to the page, which the commit of these changes
 * overwrote. That commit has not seen them, whatever its text is.
 */
async function overwrittenBy(
  record: BranchRecord,
  { from, to }: Step,
  earlier: readonly number[],
  { byOrdinal, own, passed, editOf }: ReadableCommits,
): Promise<AcknowledgedEdit[]> {
  const { index } = record
  const overwritten: AcknowledgedEdit[] = []
  for (const revision of earlier.slice(0, usualDepth)) {
    const ordinal = index.revision(revision).commit
    // A user's commit of the file ends the range that the file had not seen.
    if (!own.has(index.commit(ordinal).hash)) break
    const commit = passed.has(ordinal) ? byOrdinal.get(ordinal) : undefined
    const edit = commit === undefined ? null : await editOf(commit, revision)
    if (edit === null || !holds(edit.change, from) || holds(edit.change, to)) continue
    if (!keepsChange(edit.change, to)) overwritten.push(edit)
  }
  return overwritten
}

/** Lists the edits made since a page had exactly the text that a commit gives it again: the commit undid what others had written, too. */
async function sinceFormerText(
  record: BranchRecord,
  { from, to }: Step,
  { blob, earlier }: ChangedPage,
  { byOrdinal, editOf }: ReadableCommits,
): Promise<AcknowledgedEdit[]> {
  const { index } = record
  const undone: AcknowledgedEdit[] = []
  const former = earlier.findIndex(revision => index.log.blobOf(revision) === blob)
  for (const revision of earlier.slice(0, Math.max(0, former))) {
    const commit = byOrdinal.get(index.revision(revision).commit)
    const edit = commit === undefined ? null : await editOf(commit, revision)
    if (edit === null || holds(edit.change, to)) continue
    // A later edit may have added words to its line.
    if (holds(edit.change, from) || keepsChange(edit.change, from)) undone.push(edit)
  }
  return undone
}

/**
 * Returns true if a step undoes a change. To save time, a step that shares no line with the change is skipped. A text that has
 * nothing of the one before the change replaced the whole page: it lacks the change, but was not made without having seen it.
 */
function revertsChange(
  change: TextChange,
  to: string,
  step: Pick<LineChange, 'added' | 'removed'> & { readonly isReordered: boolean },
): boolean {
  const { added, removed } = lineChange(change)
  const [gone, back] = [new Set(step.removed), new Set(step.added)]
  if (added.length + removed.length === 0)
    return isReordered(change) ? step.isReordered && restoresOrder(change, to) : isBlankedAgain(change, to)
  if (!added.some(line => gone.has(line)) && !removed.some(line => back.has(line))) return false
  const isReverted = holds(inverseOf(change), to) && !holds(change, to) && mayComeFrom(to, change.before)
  return isReverted && !rewords(change, to, step)
}

/** Returns true if a text has the blank lines from before a change of nothing but these. */
function isBlankedAgain(change: TextChange, to: string): boolean {
  return holdsByMerge(inverseOf(change), to) && !holdsByMerge(change, to)
}

/** Returns true if a text has the order of lines from before a change of nothing but their order. */
function restoresOrder({ before, after }: TextChange, to: string): boolean {
  return !isReordered({ before, after: to }) && isReordered({ before: after, after: to })
}

/**
 * Returns true if a step replaced the lines that a change added by new ones, with most of their words: its author has seen
 * them. Lines from before the change are not new.
 */
function rewords(change: TextChange, to: string, { added, removed }: Pick<LineChange, 'added' | 'removed'>): boolean {
  const old = new Set(change.before.split('\n').map(line => line.trimEnd()))
  const gone = new Set(removed)
  const lost = lineChange(change).added.filter(line => gone.has(line))
  const fresh = added.filter(line => !old.has(line))
  return hasWords(fresh.join('\n'), lost.join('\n')) && !holdsByMerge(inverseOf(change), to)
}

/** Reads an acknowledged revision's change of its page; null if a text is missing. */
type EditOf = (commit: string, revision: number) => Promise<AcknowledgedEdit | null>

function editReader(record: BranchRecord, texts: Texts): EditOf {
  const { log } = record.index
  // Only blobs are kept: every commit that follows an edit compares itself with it.
  const blobs = new Map<number, string | null>()
  return async (commit, revision) => {
    const blob = log.blobOf(revision)
    const known = blobs.get(revision)
    const from = known === undefined ? await blobBefore(record, commit, revision) : known
    blobs.set(revision, from)
    const [before, after] = [await texts.of(from), await texts.of(blob)]
    return before === null || after === null ? null : { commit, change: { before, after } }
  }
}

/**
 * Returns the blob that an edit replaced. After a merge the page's revision before it in the index may be that of another side, which the
 * merge did not take. A page that was moved, or created again, has its former text by the index alone.
 */
async function blobBefore(record: BranchRecord, commit: string, revision: number): Promise<string | null> {
  const { log } = record.index
  const previous = log.previousOf(revision)
  const edit = previous === null ? null : await record.changes(commit)
  const own = edit?.parents.length === 1 ? edit.changes.find(({ after }) => after === log.blobOf(revision)) : undefined
  return own?.before ?? (previous === null ? null : log.blobOf(previous))
}

/** Returns the path at the tip of a file that a commit changed. */
export type PathNow = (commit: string, change: PathChange) => Promise<string>

/**
 * Returns true if an undone edit is in the branch's text again, alone or together with the other edits undone with it.
 */
export async function isBack(
  record: BranchRecord,
  texts: Texts,
  { commit, path, by }: OpenLoss,
  pathNow: PathNow,
): Promise<boolean> {
  const { tip } = record
  if (tip === null || path === null || by === null) return false
  const changes = await record.changes(commit)
  const step = await record.changes(by)
  const change = changes?.changes.find(one => one.path === path) ?? changes?.changes[0]
  let now = await record.blobAt(tip, path)
  // Git has moved the page since, or deleted it.
  if (now === null && change !== undefined && (await record.blobAt(by, path)) !== null)
    now = await record.blobAt(tip, await pathNow(commit, change))
  if (change === undefined || now === null) return change?.after === now
  const [before, after, text] = [await texts.of(change.before), await texts.of(change.after), await texts.of(now)]
  if (before === null || after === null || text === null) return false
  if (holds({ before, after }, text)) return true
  // The other parents of a merge may lack the edit, and their texts prove nothing.
  return someAsync(step?.parents ?? [], async parent => {
    const seen = await texts.of(await record.blobAt(parent, path))
    return seen !== null && seen !== '' && holds({ before, after }, seen) && holds({ before, after: seen }, text)
  })
}

async function someAsync<Item>(items: readonly Item[], ask: (item: Item) => Promise<boolean>): Promise<boolean> {
  for (const item of items) if (await ask(item)) return true
  return false
}
