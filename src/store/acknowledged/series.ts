/**
 * Series of acknowledged commits, such as those of an import: a hundred thousand are recorded by two lines of the log, which name the
 * last one, the first one and their number. The others are found through the index, or through the last one's parents.
 */

import { setImmediate as turn } from 'node:timers/promises'
import { isWikiError } from '../../core/errors.ts'
import { parseCommit } from '../git/objects.ts'
import type { ReadObject } from '../git/walk.ts'
import type { Acknowledgement } from './log.ts'

/** Commits of a branch in the order of its index. */
export interface OrderedCommits {
  readonly commitCount: number
  commit(ordinal: number): { readonly hash: string }
}

/** Commits that are examined before others get their turn. */
const commitsAtOnce = 2000

/**
 * Adds the other commits of each series before its last one. A commit that has an event of its own keeps that. Of a series that git
 * has lost in part, the commits from the last one to the gap are added.
 */
export async function withSeries(
  events: readonly Acknowledgement[],
  { index, read }: { readonly index: OrderedCommits; readonly read: ReadObject },
): Promise<Acknowledgement[]> {
  const tips = new Set(events.flatMap(({ commit, series }) => (series === undefined ? [] : [commit])))
  if (tips.size === 0) return [...events]
  const places = await placesOf(index, tips)
  const found = new Set(events.map(({ commit }) => commit))
  const all: Acknowledgement[] = []
  for (const event of events) {
    for (const commit of await othersOf(event, { index, read, place: places.get(event.commit) })) {
      if (found.has(commit)) continue
      found.add(commit)
      all.push({ ...othersEvent(event), commit })
    }
    all.push(event)
  }
  return all
}

/** Whatever became of the last commit since, the others were acknowledged with it. */
function othersEvent({ series: _, kind, ...event }: Acknowledgement): Acknowledgement {
  return { ...event, kind: kind === 'noted' ? kind : 'moved' }
}

interface Places {
  readonly index: OrderedCommits
  readonly read: ReadObject
  /** Place of the last commit in the index. */
  readonly place: number | undefined
}

/** Lists the commits of a series but for the last one, oldest first. */
async function othersOf(event: Acknowledgement, { index, read, place }: Places): Promise<readonly string[]> {
  const { commit, kind, series } = event
  if (series === undefined || kind === 'cancelled' || series.count < 2) return []
  const start = place === undefined ? -1 : place - series.count + 1
  if (start < 0 || index.commit(start).hash !== series.first) return othersByParents(commit, series, read)
  return Array.from({ length: series.count - 1 }, (_, at) => index.commit(start + at).hash)
}

async function othersByParents(
  last: string,
  { first, count }: NonNullable<Acknowledgement['series']>,
  read: ReadObject,
): Promise<string[]> {
  const others: string[] = []
  for (let at: string | null = last; at !== null && at !== first && others.length < count - 1; ) {
    if (others.length % commitsAtOnce === 0) await turn()
    at = await parentOf(at, read)
    if (at !== null) others.push(at)
  }
  return others.reverse()
}

/** Null also for a commit that git lacks. */
async function parentOf(commit: string, read: ReadObject): Promise<string | null> {
  try {
    return parseCommit(commit, (await read(commit)).content).parents[0] ?? null
  } catch (error) {
    if (isWikiError(error)) return null
    throw error
  }
}

async function placesOf(index: OrderedCommits, wanted: ReadonlySet<string>): Promise<ReadonlyMap<string, number>> {
  const places = new Map<string, number>()
  for (let ordinal = index.commitCount - 1; ordinal >= 0 && places.size < wanted.size; ordinal--) {
    if (ordinal % commitsAtOnce === 0) await turn()
    const { hash } = index.commit(ordinal)
    if (wanted.has(hash)) places.set(hash, ordinal)
  }
  return places
}
