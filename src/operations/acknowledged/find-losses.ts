/** Compares the record of acknowledged commits with the branch: which commits are missing from it, and which it has undone. */

import { createHash } from 'node:crypto'
import type { BranchRecord } from '../../store/acknowledged/branch-record.ts'
import { type Acknowledgement, isAcknowledged } from '../../store/acknowledged/log.ts'
import { nothingVerified, type OpenLoss, type Verified } from '../../store/acknowledged/verified.ts'
import type { CommitChanges } from '../../store/git/backend.ts'
import type { Store } from '../../store/store.ts'
import { createPause, stepsAtOnce } from '../workers/pause.ts'
import { findLostEdits, type LostEdits } from './lost-edits.ts'
import { pathsAtTip } from './paths-at-tip.ts'
import { readTexts } from './text-cache.ts'
import { findUndoneEdits, isBack, type PathNow } from './undone-edits.ts'
import { ValueEdits } from './value-edits.ts'

/** Milliseconds within which a noted commit may still be on its way to the branch. */
const recentMilliseconds = 60_000

/** Result of one check of the record. */
export interface Losses {
  readonly record: BranchRecord
  /** Number of acknowledged commits that are not settled. */
  readonly checked: number
  /** In the order in which the edits were acknowledged. */
  readonly losses: readonly OpenLoss[]
}

/**
 * Finds acknowledged edits that were lost. Commits that the last check found clean are skipped while the branch only grows. Edits
 * that the branch has by other means (a rebase, a squashed merge) are updated in the record.
 */
export async function findLosses(store: Store): Promise<Losses> {
  const record = await currentRecord(store)
  const events = await record.concerns(await record.everyEvent())
  const checked = events.filter(isAcknowledged).length
  const verified = record.verified()
  const digest = digestOf(events)
  if (verified.tip !== null && verified.tip === record.tip && verified.events === digest)
    return { record, checked, losses: verified.open }
  let current = events
  let found = await examine(record, current, verified)
  // The commits that replaced acknowledged ones may themselves have been undone since, repeatedly.
  for (let round = 0; found.absorbed.length > 0 && round < maxRounds; round++) {
    await bringUpToDate(record, found)
    current = withReplays(current, found)
    found = await examine(record, current, nothingVerified)
  }
  record.keep({
    tip: record.tip,
    commits: record.index.commitCount,
    orphaned: digestOf(orphanedOf(current)),
    events: digestOf(current),
    open: found.losses,
  })
  return { record, checked, losses: found.losses }
}

/** Commits whose events change. */
type Found = Pick<LostEdits, 'absorbed' | 'replays' | 'rebased'>

/** Maximum number of rounds. Each includes the replacements that the previous one found. */
const maxRounds = 3

/** Returns the record as it will be after `bringUpToDate`. */
function withReplays(events: readonly Acknowledgement[], { absorbed, replays, rebased }: Found): Acknowledgement[] {
  const time = new Date().toISOString()
  const changed = new Map(events.map(event => [event.commit, event]))
  for (const commit of replays) changed.set(commit, { commit, time, kind: 'replay', isReplay: true })
  for (const commit of rebased) changed.set(commit, { commit, time, kind: 'moved' })
  for (const commit of absorbed) changed.set(commit, { time, ...changed.get(commit), commit, kind: 'settled' })
  return [...changed.values()]
}

/**
 * Updates the index after every recently noted commit has reached the branch or was cancelled, then reads the record once more.
 */
async function currentRecord(store: Store): Promise<BranchRecord> {
  const record = await store.record()
  await ignoringWriteFailure(() => record.recover())
  const recent = Date.now() - recentMilliseconds
  if (record.events().some(({ kind, time }) => kind === 'noted' && Date.parse(time) > recent))
    await record.waitForWriter()
  await store.refresh({ force: true })
  return store.record()
}

async function examine(
  record: BranchRecord,
  events: readonly Acknowledgement[],
  verified: Verified,
): Promise<LostEdits> {
  const texts = readTexts(record)
  const noted = events.filter(isAcknowledged)
  // A settled commit may be on the branch again, and be the only one that has its edit: it counts as one that nobody has recorded.
  const recorded = new Set(noted.map(({ commit }) => commit))
  const places = await placesOf(record, new Set([...recorded, verified.tip]))
  const outside = noted.filter(({ commit }) => !places.has(commit))
  // A replay may be a rebase, or a `git commit --amend` of files that are older than others' edits, also after it was settled.
  const own = new Set(events.flatMap(({ commit, isReplay }) => (isReplay ? [] : [commit])))
  const byOrdinal = new Map<number, string>()
  for (const { commit } of noted) if (places.has(commit)) byOrdinal.set(places.get(commit) as number, commit)
  const known = new Set(events.map(({ commit }) => commit))
  const values = new ValueEdits(record, texts, byOrdinal)
  const lost = await findLostEdits(record, texts, outside, { recorded, own, known, values })
  const seen = lastSeen(places, events, verified)
  const passed = new Set(
    noted.flatMap(({ commit, kind }) => {
      const place = kind === 'passed' ? places.get(commit) : undefined
      return place === undefined ? [] : [place]
    }),
  )
  const undone = await findUndoneEdits(record, texts, { byOrdinal, own, passed }, values, seen ?? -1)
  const before = seen === undefined ? [] : verified.open.filter(({ kind }) => kind === 'undone')
  const found = [...before, ...undone]
  // One pass over the index for all of them.
  let paths: ReturnType<typeof currentPaths> | undefined
  const pathNow: PathNow = async (commit, change) => {
    paths ??= currentPaths(record, found)
    return (await paths)(commit, change)
  }
  const isBackNow = (loss: OpenLoss) =>
    loss.path !== null && values.has(loss.path) ? values.isBack(loss) : isBack(record, texts, loss, pathNow)
  const open = await stillUndone(found, new Set(byOrdinal.values()), isBackNow)
  const order = orderOf(noted, places)
  const placeOf = ({ commit }: OpenLoss) => order.get(commit) ?? 0
  return { ...lost, losses: [...lost.losses, ...open].sort((a, b) => placeOf(a) - placeOf(b)) }
}

/** Part of a place in the order: replays before an edit keep their own order. */
const fraction = 2 ** -20

/** Returns the places of the commits in the order of the edits. A replay is noted late, but stands before the edits made on top of it. */
function orderOf(noted: readonly Acknowledgement[], places: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  const order = new Map(noted.map(({ commit }, at) => [commit, at]))
  const placed = noted.filter(({ commit }) => places.has(commit))
  const ordinalOf = ({ commit }: Acknowledgement) => places.get(commit) as number
  let next = noted.length
  for (const event of placed.sort((a, b) => ordinalOf(b) - ordinalOf(a))) {
    const own = order.get(event.commit) as number
    next = Math.min(own, next - fraction)
    order.set(event.commit, next)
  }
  return order
}

/**
 * Returns the ordinal of the last commit that the last check examined. All commits are examined again after the branch was rewritten,
 * also if a merge brings the former tip back, and after another branch is gone, whose edits concern this one since.
 */
function lastSeen(
  places: ReadonlyMap<string, number>,
  events: readonly Acknowledgement[],
  { tip, commits, orphaned }: Verified,
): number | undefined {
  const place = places.get(tip ?? '')
  return place === commits - 1 && orphaned === digestOf(orphanedOf(events)) ? place : undefined
}

function orphanedOf(events: readonly Acknowledgement[]): Acknowledgement[] {
  return events.filter(({ branch }) => branch !== undefined)
}

/** Ordinals of the indexed commits. */
async function placesOf(
  { index }: BranchRecord,
  wanted: ReadonlySet<string | null>,
): Promise<ReadonlyMap<string, number>> {
  const places = new Map<string, number>()
  const pause = createPause()
  for (let ordinal = 0; ordinal < index.commitCount; ordinal++) {
    if (ordinal % stepsAtOnce === 0) await pause()
    const { hash } = index.commit(ordinal)
    if (wanted.has(hash)) places.set(hash, ordinal)
  }
  return places
}

async function currentPaths(record: BranchRecord, losses: readonly OpenLoss[]): ReturnType<typeof pathsAtTip> {
  const commits: CommitChanges[] = []
  for (const commit of new Set(losses.map(loss => loss.commit))) {
    const changes = await record.changes(commit)
    if (changes !== null) commits.push(changes)
  }
  return pathsAtTip(record, commits)
}

/** Lists each once, without those whose edits are settled or restored. */
async function stillUndone(
  losses: readonly OpenLoss[],
  noted: ReadonlySet<string>,
  isRestored: (loss: OpenLoss) => Promise<boolean>,
): Promise<OpenLoss[]> {
  const open = new Map<string, OpenLoss>()
  for (const loss of losses) {
    const key = `${loss.commit} ${loss.path}`
    if (!open.has(key) && noted.has(loss.commit) && !(await isRestored(loss))) open.set(key, loss)
  }
  return [...open.values()]
}

/** If the record cannot be written, the next check starts from the beginning. */
async function bringUpToDate(record: BranchRecord, { absorbed, replays, rebased }: Found): Promise<void> {
  await ignoringWriteFailure(async () => {
    await record.add('replay', replays)
    await record.add('moved', rebased)
    await record.add('settled', absorbed)
  })
}

async function ignoringWriteFailure(write: () => Promise<void>): Promise<void> {
  try {
    await write()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
  }
}

function digestOf(events: readonly Acknowledgement[]): string {
  const hash = createHash('sha1')
  for (const { commit, kind } of events) hash.update(`${commit} ${kind}\n`)
  return hash.digest('hex')
}
