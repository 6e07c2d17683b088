/** Removes refs of left heads that keep nothing but edits settled long ago, so that git may collect them. */

import { listAway } from '../git/ancestry.ts'
import type { ReadObject } from '../git/walk.ts'
import { runGit } from '../repository/process.ts'
import type { Repository } from '../repository/repository.ts'
import { type Acknowledgement, isAcknowledged, readLog } from './log.ts'
import { orphanedPlaces, type RecordPaths, recordPaths } from './record-paths.ts'
import { leftHeads, newestAcknowledged } from './refs.ts'
import { withSeries } from './series.ts'

/** Milliseconds for which a settled edit stays: as long as git keeps a reflog. Source: git-config(1), gc.reflogExpire. */
const settledMilliseconds = 90 * 24 * 60 * 60 * 1000

/** Maximum heads of a record that are examined in one pass, and commits before each; and records of branches that are gone. */
const headLimit = 256
const commitLimit = 1000
const recordLimit = 64

export interface LeftHistory {
  readonly read: ReadObject
  /** Returns true if the branch contains a commit. */
  readonly isIndexed: (commit: string) => boolean
}

/**
 * Removes the refs of left heads behind which every recorded commit was settled 90 days ago: those of the branch, and those of
 * branches that are gone, for which the newest acknowledged commit counts as left, too. Requires a git binary.
 */
export async function dropSettledHeads(repository: Repository, history: LeftHistory): Promise<void> {
  const own = recordPaths(repository)
  const dropped = await settledRefs(own, leftRefs(repository, own), history)
  for (const place of orphanedPlaces(repository).slice(0, recordLimit)) {
    const newest = newestAcknowledged(repository, place)
    const refs = [...leftRefs(repository, place), ...(newest === null ? [] : [{ name: place.newest, head: newest }])]
    dropped.push(...(await settledRefs(place, refs, history)))
  }
  if (dropped.length === 0) return
  const input = dropped.map(({ name, head }) => `delete ${name} ${head}\n`).join('')
  runGit(['update-ref', '--stdin'], { gitDirectory: repository.gitDirectory, input })
}

interface LeftRef {
  readonly name: string
  readonly head: string
}

function leftRefs(repository: Repository, place: RecordPaths): LeftRef[] {
  return leftHeads(repository, place)
    .slice(0, headLimit)
    .map(head => ({ name: `${place.leftBehind}${head}`, head }))
}

async function settledRefs({ log }: RecordPaths, refs: readonly LeftRef[], history: LeftHistory): Promise<LeftRef[]> {
  if (refs.length === 0) return []
  const events = new Map(readLog(log).map(event => [event.commit, event]))
  const settled: LeftRef[] = []
  for (const ref of refs) if (await isSettled(ref.head, events, history)) settled.push(ref)
  return settled
}

/** False also for a head that is not in the log, or that leads too far: its commits cannot be judged. */
async function isSettled(
  head: string,
  events: ReadonlyMap<string, Acknowledgement>,
  { read, isIndexed }: LeftHistory,
): Promise<boolean> {
  const event = events.get(head)
  // An edit that the branch has needs no ref of a branch that is gone.
  if (isIndexed(head)) return event !== undefined && isOld(event)
  if (event?.kind !== 'settled') return false
  try {
    const away = await listAway(read, new Set([head]), isIndexed, commitLimit)
    if (away.length === commitLimit) return false
    // The commits of a series have no lines of their own until they are settled.
    const ofSeries = await withSeries(
      away.flatMap(commit => events.get(commit) ?? []),
      { read, index: unordered },
    )
    const all = new Map([...ofSeries.map(one => [one.commit, one] as const), ...events])
    return away.every(commit => isOver(all.get(commit)))
  } catch {
    // Git lacks an object: nothing says what the ref keeps.
    return false
  }
}

/** None of the commits is on the branch. */
const unordered = { commitCount: 0, commit: () => ({ hash: '' }) }

/** A commit without an event was made by plain git, or its event was dropped with the oldest ones. */
function isOver(event: Acknowledgement | undefined): boolean {
  return event === undefined || (!isAcknowledged(event) && isOld(event))
}

function isOld({ changed, time }: Acknowledgement): boolean {
  return Date.parse(changed ?? time) < Date.now() - settledMilliseconds
}
