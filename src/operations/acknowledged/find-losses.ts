/** The record of acknowledged commits checked against the branch: what of it the branch does not have, or took back. */

import { createHash } from 'node:crypto'
import type { BranchRecord } from '../../store/acknowledged/branch-record.ts'
import type { Acknowledgement } from '../../store/acknowledged/log.ts'
import type { OpenLoss, Verified } from '../../store/acknowledged/verified.ts'
import type { Store } from '../../store/store.ts'
import { findLostEdits, type LostEdits } from './lost-edits.ts'
import { createPause, stepsAtOnce } from './pause.ts'
import { readTexts, type Texts } from './texts.ts'
import { findUndoneEdits, isBack } from './undone-edits.ts'

/** Milliseconds within which a noted commit may still be on its way to the branch. */
const recentMilliseconds = 60_000

/** A look at the record. */
export interface Losses {
  readonly record: BranchRecord
  /** Acknowledged commits that are not settled. */
  readonly checked: number
  /** In the order in which the edits were acknowledged. */
  readonly losses: readonly OpenLoss[]
}

/**
 * Looks for acknowledged edits that were lost. What the last look found clean is not looked at again while the branch only grows.
 * Where the branch has an edit by other means (a rebase, a squashed merge) the record is brought up to date.
 */
export async function findLosses(store: Store): Promise<Losses> {
  const record = await currentRecord(store)
  const events = record.events()
  const noted = events.filter(({ kind }) => kind === 'noted')
  const verified = record.verified()
  const digest = digestOf(events)
  if (verified.tip !== null && verified.tip === record.tip && verified.events === digest)
    return { record, checked: noted.length, losses: verified.open }
  const { losses, absorbed, replays } = await look(record, { events, noted, verified })
  const isNew = absorbed.length + replays.length > 0
  if (isNew) await bringUpToDate(record, { absorbed, replays })
  record.keep({ tip: record.tip, events: isNew ? '' : digest, open: losses })
  return { record, checked: noted.length, losses }
}

/**
 * Brings the index to the branch after every commit that was noted a moment ago has reached it or was cancelled: the record is read
 * once more afterwards.
 */
async function currentRecord(store: Store): Promise<BranchRecord> {
  const record = await store.record()
  const recent = Date.now() - recentMilliseconds
  if (record.events().some(({ kind, time }) => kind === 'noted' && Date.parse(time) > recent))
    await record.waitForWriter()
  await store.refresh({ force: true })
  return store.record()
}

interface Known {
  readonly events: readonly Acknowledgement[]
  readonly noted: readonly Acknowledgement[]
  readonly verified: Verified
}

async function look(record: BranchRecord, { events, noted, verified }: Known): Promise<LostEdits> {
  const texts = readTexts(record)
  const known = new Set(events.map(({ commit }) => commit))
  const places = await placesOf(record, new Set([...known, verified.tip]))
  const outside = noted.filter(({ commit }) => !places.has(commit))
  const lost = await findLostEdits(record, texts, outside, known)
  const byOrdinal = new Map<number, string>()
  for (const { commit } of noted) if (places.has(commit)) byOrdinal.set(places.get(commit) as number, commit)
  const seen = places.get(verified.tip ?? '')
  const undone = await findUndoneEdits(record, texts, { byOrdinal, known }, seen ?? -1)
  const before = seen === undefined ? [] : verified.open.filter(({ kind }) => kind === 'undone')
  const open = await stillUndone(record, texts, [...before, ...undone], new Set(byOrdinal.values()))
  const order = new Map(noted.map(({ commit }, at) => [commit, at]))
  const placeOf = ({ commit }: OpenLoss) => order.get(commit) ?? 0
  return { ...lost, losses: [...lost.losses, ...open].sort((a, b) => placeOf(a) - placeOf(b)) }
}

/** Ordinals in the index of the commits that it has. */
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

/** Each once, without those whose edits are settled or are back. */
async function stillUndone(
  record: BranchRecord,
  texts: Texts,
  losses: readonly OpenLoss[],
  noted: ReadonlySet<string>,
): Promise<OpenLoss[]> {
  const open = new Map<string, OpenLoss>()
  for (const loss of losses) {
    const key = `${loss.commit} ${loss.path}`
    if (!open.has(key) && noted.has(loss.commit) && !(await isBack(record, texts, loss))) open.set(key, loss)
  }
  return [...open.values()]
}

/** A record that cannot be written to is looked at anew each time. */
async function bringUpToDate(record: BranchRecord, { absorbed, replays }: Pick<LostEdits, 'absorbed' | 'replays'>) {
  try {
    await record.add('noted', replays)
    await record.add('settled', absorbed)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
  }
}

function digestOf(events: readonly Acknowledgement[]): string {
  const hash = createHash('sha1')
  for (const { commit, kind } of events) hash.update(`${commit} ${kind}\n`)
  return hash.digest('hex')
}
