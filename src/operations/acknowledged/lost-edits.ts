/**
 * Acknowledged commits that are missing from the branch's history, and those among them whose changes the texts lack.
 */

import { configFile } from '../../core/config.ts'
import type { BranchRecord } from '../../store/acknowledged/branch-record.ts'
import type { Acknowledgement } from '../../store/acknowledged/log.ts'
import type { OpenLoss } from '../../store/acknowledged/verified.ts'
import { newLayout } from '../../store/format/trailers.ts'
import type { CommitChanges, CommitHeader, PathChange } from '../../store/git/backend.ts'
import { createPause, stepsAtOnce } from '../workers/pause.ts'
import { carriersOf, forkReader, type HeldChange, replacedText } from './carriers.ts'
import { conflictsWith, hasLines, holds, keepsChange, leads, lineChange } from './held-change.ts'
import { pathsAtTip } from './paths-at-tip.ts'
import type { Texts } from './text-cache.ts'
import type { ValueEdits } from './value-edits.ts'

/** Result of looking for acknowledged commits on the branch. */
export interface LostEdits {
  readonly losses: readonly OpenLoss[]
  /** Commits whose changes the branch contains, by another commit or in its texts. */
  readonly absorbed: readonly string[]
  /** Commits of the branch that replaced absorbed ones. */
  readonly replays: readonly string[]
  /** Those that make the same change and nothing else: their authors saw what the authors of the absorbed ones saw. */
  readonly rebased: readonly string[]
}

/** Commits in the record. */
export interface Recorded {
  /** Those that count as acknowledged. */
  readonly recorded: ReadonlySet<string>
  /** Those that the wiki made, also settled ones. */
  readonly own: ReadonlySet<string>
  /** Those of the record, whatever became of them. */
  readonly known: ReadonlySet<string>
  readonly values: ValueEdits
}

interface LostCommit extends CommitChanges {
  /** Merge commit that reaches it but dropped its change; null if the branch does not reach it. */
  readonly by: string | null
}

/**
 * Checks acknowledged commits that are not in the index. A commit is absorbed if another one by the same author at the same time
 * makes the same change (a rebase, a cherry-pick, an amended commit), or if the text of every page it changed contains its change
 * or a later one made on top of it.
 */
export async function findLostEdits(
  record: BranchRecord,
  texts: Texts,
  acknowledged: readonly Acknowledgement[],
  { recorded, own, known, values }: Recorded,
): Promise<LostEdits> {
  const reached = await record.reached(new Set(acknowledged.map(({ commit }) => commit)))
  const missing: OpenLoss[] = []
  const lost: LostCommit[] = []
  const absorbed: string[] = []
  for (const { commit, kind } of acknowledged) {
    const changes = withoutLayout(await record.changes(commit))
    // A killed writer may have noted a commit whose objects it never wrote.
    if (changes === null && kind === 'noted') continue
    if (changes === null) missing.push({ kind: 'missing', commit, path: null, by: null })
    else if (changes.changes.length === 0) absorbed.push(commit)
    else lost.push({ ...changes, by: reached.get(commit) ?? null })
  }
  const replays = await findReplays(record, texts, lost, { recorded, known })
  // The copy of a commit that has changed more than an acknowledged one has done so, too.
  const ofWiki = lost.filter(({ hash }) => own.has(hash))
  const rebased = await rebasedAmong(record, texts, ofWiki, replays)
  const left = lost.filter(({ hash }) => !replays.has(hash))
  const { losses, there, merges } = await judgeAll(record, texts, left, { own, values })
  const open = new Set(losses.map(({ commit }) => commit))
  const held = left.map(({ hash }) => hash).filter(hash => !open.has(hash))
  const isHeld = (change: PathChange, blob: string) => isHeldBy(texts, change, blob)
  const carriers = await carriersOf(
    record,
    there.filter(({ commit }) => !open.has(commit)),
    isHeld,
  )
  const instead = [...new Set([...replays.values(), ...carriers, ...merges])].filter(commit => !recorded.has(commit))
  const isMoved = (commit: string) => rebased.has(commit) || own.has(commit)
  return {
    losses: [...missing, ...losses],
    absorbed: [...absorbed, ...replays.keys(), ...held],
    replays: instead.filter(commit => !isMoved(commit)),
    rebased: instead.filter(isMoved),
  }
}

/** A commit that declares a layout loses only its settings: the files that it moves keep their titles and texts elsewhere. */
function withoutLayout(commit: CommitChanges | null): CommitChanges | null {
  if (commit === null || newLayout(commit.message) === null) return commit
  const { changes } = commit
  const gone = new Set(changes.filter(({ after }) => after === null).map(({ before }) => before))
  const come = new Set(changes.filter(({ before }) => before === null).map(({ after }) => after))
  const isMoved = ({ before, after }: PathChange) =>
    (after === null && come.has(before)) || (before === null && gone.has(after))
  return { ...commit, changes: changes.filter(change => !isMoved(change)) }
}

/**
 * Finds commits of the branch that make the change of a lost one: lost commit to its replay. Each replays only one
 * commit.
 */
async function findReplays(
  record: BranchRecord,
  texts: Texts,
  lost: readonly LostCommit[],
  { recorded, known }: Pick<Recorded, 'recorded' | 'known'>,
): Promise<Map<string, string>> {
  const candidates = await candidatesFor(record, lost, recorded)
  const replays = new Map<string, string>()
  const taken = new Set<string>()
  const match = async (isReplay: (one: LostCommit, other: CommitChanges) => Promise<boolean> | boolean) => {
    for (const one of lost) {
      if (replays.has(one.hash)) continue
      for (const other of candidates.get(keyOf(one)) ?? []) {
        if (taken.has(other.hash) || !(await isReplay(one, other))) continue
        replays.set(one.hash, other.hash)
        taken.add(other.hash)
        break
      }
    }
  }
  await match((one, other) => isSamePatch(texts, one, other))
  // A replay after a resolved conflict counts only if it cannot replay another commit. A settled commit that the branch has again, as from
  // before an amendment, was made earlier.
  const counts = new Map<string, number>()
  for (const one of lost) counts.set(keyOf(one), (counts.get(keyOf(one)) ?? 0) + 1)
  const isOnly = (one: LostCommit, other: CommitChanges) =>
    counts.get(keyOf(one)) === 1 &&
    one.message === other.message &&
    hasPaths(one, other) &&
    !isSquash(one, other) &&
    !known.has(other.hash)
  await match(async (one, other) => isOnly(one, other) && !(await isOverwritten(texts, one, other)))
  return replays
}

/** Lists the replays that a rebase without conflicts or a rewritten history would have made. */
async function rebasedAmong(
  record: BranchRecord,
  texts: Texts,
  lost: readonly LostCommit[],
  replays: ReadonlyMap<string, string>,
): Promise<ReadonlySet<string>> {
  const rebased = new Set<string>()
  for (const { hash, changes } of lost) {
    const replay = replays.get(hash)
    const others = replay === undefined ? undefined : (await record.changes(replay))?.changes
    if (replay === undefined || others?.length !== changes.length) continue
    const same = new Map(others.map(other => [other.path, other]))
    let isSame = true
    for (const change of changes) isSame &&= await isRebased(texts, change, same.get(change.path))
    if (isSame) rebased.add(replay)
  }
  return rebased
}

async function isRebased(texts: Texts, change: PathChange, other: PathChange | undefined): Promise<boolean> {
  if (other === undefined) return false
  if (other.after === change.after && other.before === change.before) return true
  if (change.after === null || other.after === null) return false
  const [before, after, from, to] = await textsOf(texts, [change.before, change.after, other.before, other.after])
  if (before === undefined || after === undefined || from === undefined || to === undefined) return false
  return leads({ before, after }, from, to)
}

/**
 * Returns true if another commit in place of this one lacks its words, although they could be added without a conflict: `git commit
 * --amend` and `git rebase --autosquash` record a text that was made before the edit. A user who resolves a conflict has seen it.
 */
async function isOverwritten(texts: Texts, { changes }: LostCommit, other: CommitChanges): Promise<boolean> {
  const others = new Map(other.changes.map(change => [change.path, change]))
  for (const change of changes) if (await isDropped(texts, change, others.get(change.path) as PathChange)) return true
  return false
}

/** Without texts to compare, a change of the same content to other content drops the first one. */
async function isDropped(texts: Texts, { before, after }: PathChange, other: PathChange): Promise<boolean> {
  if (other.after === after) return false
  const hasTexts = after !== null && other.after !== null
  const [old, edited, base, text] = hasTexts ? await textsOf(texts, [before, after, other.before, other.after]) : []
  if (old === undefined || edited === undefined || base === undefined || text === undefined)
    return other.before === before
  const edit = { before: old, after: edited }
  return !conflictsWith(edit, base) && !keepsChange(edit, text)
}

/** Returns the texts of blobs; [] if one is missing or binary. */
async function textsOf(texts: Texts, blobs: readonly (string | null)[]): Promise<string[]> {
  const found: string[] = []
  for (const blob of blobs) {
    const text = await texts.of(blob)
    if (text === null || isBinary(text)) return []
    found.push(text)
  }
  return found
}

/** A rebase, a cherry-pick and `git commit --amend` keep the author and the time of a commit. */
export function keyOf({ authorName, authorAddress, time }: CommitHeader): string {
  return `${time} ${authorName} <${authorAddress}>`
}

/**
 * Lists indexed commits with the author and time of a lost one, oldest first. Acknowledged ones count only as
 * themselves.
 */
async function candidatesFor(
  record: BranchRecord,
  lost: readonly LostCommit[],
  recorded: ReadonlySet<string>,
): Promise<Map<string, CommitChanges[]>> {
  const found = new Map<string, CommitChanges[]>()
  const { index } = record
  const times = new Set(lost.map(({ time }) => time))
  const pause = createPause()
  for (let ordinal = 0; times.size > 0 && ordinal < index.commitCount; ordinal++) {
    if (ordinal % stepsAtOnce === 0) await pause()
    const { hash, time } = index.commit(ordinal)
    if (!times.has(time) || recorded.has(hash)) continue
    const commit = await record.changes(hash)
    if (commit !== null) found.set(keyOf(commit), [...(found.get(keyOf(commit)) ?? []), commit])
  }
  return found
}

function hasPaths(one: CommitChanges, other: CommitChanges): boolean {
  const paths = new Set(other.changes.map(({ path }) => path))
  return one.changes.every(({ path }) => paths.has(path))
}

/**
 * Returns true if a commit creates a file that the other one changed: it has everything from before, too, as the first one of those that
 * `git fast-export main~5..main` writes, which has no parent.
 */
function isSquash(one: CommitChanges, other: CommitChanges): boolean {
  const created = new Set(other.changes.filter(({ before }) => before === null).map(({ path }) => path))
  return one.changes.some(({ path, before }) => before !== null && created.has(path))
}

/** Returns true if both change the same paths by the same lines. */
async function isSamePatch(texts: Texts, one: CommitChanges, other: CommitChanges): Promise<boolean> {
  if (!hasPaths(one, other)) return false
  const changes = new Map(other.changes.map(change => [change.path, change]))
  for (const change of one.changes)
    if (!(await isSameChange(texts, change, changes.get(change.path) as PathChange))) return false
  return true
}

async function isSameChange(texts: Texts, one: PathChange, other: PathChange): Promise<boolean> {
  if (one.after === other.after && one.before === other.before) return true
  if ((one.after === null) !== (other.after === null)) return false
  const [a, b] = [await linesOf(texts, one), await linesOf(texts, other)]
  return a !== null && a === b
}

/** Null if the changes cannot be distinguished. */
async function linesOf(texts: Texts, { before, after }: PathChange): Promise<string | null> {
  const [old, now] = [await texts.of(before), await texts.of(after)]
  if (old === null || now === null) return null
  const { added, removed } = lineChange({ before: old, after: now })
  return added.length + removed.length === 0 ? null : JSON.stringify([[...added].sort(), [...removed].sort()])
}

/** A change of a lost commit. */
interface LostChange {
  readonly commit: string
  readonly change: PathChange
}

/** A change that the branch contains, or contained until an author who had seen it replaced it. */
interface Judged extends LostChange {
  /** Blob of the last text that contains it; null for a missing file. */
  readonly text: string | null
}

interface Judgement {
  readonly losses: readonly OpenLoss[]
  /** Changes that the branch's texts contain, or contained until an author who had seen them replaced them. */
  readonly there: readonly HeldChange[]
  /** Merges that have settings and media files of commits they brought. */
  readonly merges: ReadonlySet<string>
}

/**
 * Judges from the newest to the oldest. An edit that a later acknowledged one replaced is not lost if the branch
 * contains both together, because the later author saw it.
 */
async function judgeAll(
  record: BranchRecord,
  texts: Texts,
  lost: readonly LostCommit[],
  { own, values }: Pick<Recorded, 'own' | 'values'>,
): Promise<Judgement> {
  const losses: OpenLoss[] = []
  const there: HeldChange[] = []
  const merges = new Set<string>()
  const tipPath = await pathsAtTip(record, lost)
  const forkOf = forkReader(record)
  const isHeldByLines = (change: PathChange, text: string) => isHeldBy(texts, change, text, hasLines)
  const first = firstOfPaths(lost)
  const later = new Map<string, Judged[]>()
  for (const { hash, by, changes } of [...lost].reverse()) {
    for (const change of [...changes].reverse()) {
      const at = tipPath(hash, change)
      const blob = record.tip === null ? null : await record.blobAt(record.tip, at)
      const above = later.get(change.path) ?? []
      const one = { commit: hash, change }
      // Lines of settings prove nothing: one line may be the value of another setting.
      const isThere =
        change.path !== configFile && (await isHeldSince(record, texts, first.get(change.path) ?? one, one, blob))
      const held = { ...one, path: at }
      const seen = above.filter(({ commit }) => own.has(commit))
      const replaced = isThere ? null : await replacedBy(record, texts, one, seen)
      const former =
        isThere || replaced !== null
          ? null
          : await replacedText(record, held, await forkOf(hash), { own, isHeldBy: isHeldByLines })
      const text = isThere ? blob : (replaced ?? former)
      const isHeld = isThere || text !== null
      if (isThere || former !== null) there.push({ ...held, text })
      if (isHeld) later.set(change.path, [...above, { ...one, text }])
      if (isHeld) continue
      const verdict = values.has(change.path) ? await values.judge({ commit: hash, by, change, path: at }, lost) : null
      if (verdict !== null && verdict.carrier !== null) merges.add(verdict.carrier)
      if (verdict?.isHeld !== true)
        losses.push({ kind: by === null ? 'lost' : 'undone', commit: hash, path: change.path, by })
    }
  }
  return { losses: losses.reverse(), there: there.reverse(), merges }
}

/** The first lost change of each path. */
function firstOfPaths(lost: readonly LostCommit[]): ReadonlyMap<string, LostChange> {
  const first = new Map<string, LostChange>()
  for (const { hash, changes } of lost)
    for (const change of changes) if (!first.has(change.path)) first.set(change.path, { commit: hash, change })
  return first
}

/**
 * Returns true if the branch's text contains the change. If the text before the first lost change contained it too, that proves
 * nothing: a page with repeated lines may resemble a later text of itself. Then all changes since must be there together.
 */
async function isHeldSince(
  record: BranchRecord,
  texts: Texts,
  first: LostChange,
  { commit, change }: LostChange,
  blob: string | null,
): Promise<boolean> {
  if (change.after === blob) return true
  if (!(await isHeldBy(texts, change, blob))) return false
  const { before } = first.change
  if (first.commit === commit || before === null || !(await isHeldBy(texts, change, before))) return true
  if (!(await record.descends(commit, first.commit))) return true
  return isHeldBy(texts, { ...change, before }, blob)
}

/**
 * Returns the blob of a text that contains a later change, made on top of this one; null if there is none. An edit on another line of
 * history replaced nothing, because its author had not seen the lost one; nor did one after a merge that had dropped this one, nor a
 * replay, such as a rebased commit into which an older file was put.
 */
async function replacedBy(
  record: BranchRecord,
  texts: Texts,
  { commit, change }: LostChange,
  above: readonly Judged[],
): Promise<string | null> {
  const isSeen = await someAsync(
    above,
    async later => later.text !== null && isHeldBy(texts, change, later.change.before),
  )
  if (!isSeen) return null
  for (const { commit: later, change: laterChange, text } of above) {
    const { after } = laterChange
    if (text === null || (await isHeldBy(texts, change, after))) continue
    if ((await isHeldBy(texts, { ...change, after }, text)) && (await record.descends(later, commit))) return text
  }
  return null
}

async function someAsync<Item>(items: readonly Item[], ask: (item: Item) => Promise<boolean>): Promise<boolean> {
  for (const item of items) if (await ask(item)) return true
  return false
}

/** Returns true if a file with this blob contains the change; null means a missing file. */
async function isHeldBy(texts: Texts, change: PathChange, blob: string | null, isIn = holds): Promise<boolean> {
  if (change.after === blob) return true
  if (blob === null || change.after === null) return false
  const [before, after, text] = [await texts.of(change.before), await texts.of(change.after), await texts.of(blob)]
  if (before === null || after === null || text === null || isBinary(after) || isBinary(text)) return false
  return isIn({ before, after }, text)
}

function isBinary(text: string): boolean {
  return text.includes('\0')
}
