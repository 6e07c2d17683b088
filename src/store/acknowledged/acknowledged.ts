/**
 * The record of acknowledged commits, kept outside the branch so that nothing git does to the branch takes it away: a commit is
 * noted before the branch moves to it, and a ref keeps its objects afterwards.
 */

import { isWikiError } from '../../core/errors.ts'
import { listAway } from '../git/ancestry.ts'
import { treeOfCommit } from '../git/objects.ts'
import type { ReadObject } from '../git/walk.ts'
import { type Repository, readRef } from '../repository/repository.ts'
import { type Acknowledgement, appendEvents, type EventKind, isAcknowledged, readLog, type Series } from './log.ts'
import { orphanedPlaces, recordPaths } from './record-paths.ts'
import {
  clearRefs,
  leftHeads,
  type NamedCommit,
  namedHeads,
  newestAcknowledged,
  type PreparedRef,
  prepareRef,
} from './refs.ts'
import { readVerified } from './verified.ts'

/** Commits that are made and not yet acknowledged. */
export interface Acknowledging<Done> {
  /** Full hashes, oldest first, each the parent of the next; at least one. */
  readonly commits: readonly string[]
  /** The series that the last of them ends. */
  readonly series?: Series | undefined
  /** Returns true if the branch already contains a commit. */
  readonly isIndexed: (commit: string) => boolean
  /** Resolves when their objects are on disk. */
  readonly written: Promise<unknown>
  /** Moves the branch to the last of them; null if it could not, because the branch moved first. */
  readonly move: () => Promise<Done | null>
  /** Those of the commits that went past changes of a work tree to the same files. */
  readonly passed?: ((done: Done) => readonly string[]) | undefined
}

/**
 * Notes commits while their objects are synced, moves the branch, and points a ref at the last of them before it returns the
 * result of the move. A kill at any moment leaves the note, or nothing: a noted commit that never reached the branch is reported
 * as lost, which is right if it was reported to its author as saved, and harmless otherwise. If the move returns null or throws,
 * the notes of commits that are not on the branch are cancelled. Throws what the move throws, and errors of writing the note.
 */
export async function acknowledge<Done>(
  repository: Repository,
  { commits, series, isIndexed, written, move, passed = () => [] }: Acknowledging<Done>,
): Promise<Done | null> {
  const refs = newRefs(repository, commits, isIndexed).map(ref => prepareRef(repository, recordPaths(repository), ref))
  let done: Done | null = null
  try {
    await Promise.all([written, note(repository, commits, series), ...refs])
    done = await move()
  } finally {
    const prepared = (await Promise.allSettled(refs)).flatMap(ref => (ref.status === 'fulfilled' ? [ref.value] : []))
    if (done !== null || isTip(repository, commits.at(-1) as string))
      await Promise.all([publish(prepared), noteMoved(repository, commits, done === null ? [] : passed(done))])
    else await Promise.all([discard(prepared), takeBack(repository, commits, isIndexed)])
  }
  return done
}

async function noteMoved(repository: Repository, commits: readonly string[], passed: readonly string[]): Promise<void> {
  await addLater(repository, 'moved', commits)
  if (passed.length > 0) await addLater(repository, 'passed', passed)
}

/**
 * Cancels the notes of commits that the branch lacks. Git may have undone only the later ones of a group: the others are saved,
 * and are not made again.
 */
async function takeBack(
  repository: Repository,
  commits: readonly string[],
  isIndexed: (commit: string) => boolean,
): Promise<void> {
  const saved = commits.filter(isIndexed)
  const newest = saved.at(-1)
  if (newest !== undefined) {
    await addLater(repository, 'moved', saved)
    await nameNewest(repository, newest, isIndexed)
  }
  const gone = commits.filter(commit => !saved.includes(commit))
  if (gone.length > 0) await addLater(repository, 'cancelled', gone)
}

async function note(repository: Repository, commits: readonly string[], series: Series | undefined): Promise<void> {
  const place = recordPaths(repository)
  const keep = () =>
    new Set([...readVerified(repository).open.map(({ commit }) => commit), ...leftHeads(repository, place)])
  await appendEvents(place.log, 'noted', commits, { durable: true, keep, series })
}

/** A failure after the branch has moved does not undo the commit. */
function isTip(repository: Repository, commit: string): boolean {
  try {
    return readRef(repository, repository.branch) === commit
  } catch {
    return false
  }
}

/** The old head comes first: if it cannot be kept under a name of its own, the ref of the newest one still names it. */
function newRefs(
  repository: Repository,
  commits: readonly string[],
  isIndexed: (commit: string) => boolean,
): NamedCommit[] {
  const { newest, leftBehind } = recordPaths(repository)
  const old = newestAcknowledged(repository, recordPaths(repository))
  const ref = { name: newest, commit: commits.at(-1) as string }
  return old === null || isIndexed(old) ? [ref] : [{ name: `${leftBehind}${old}`, commit: old }, ref]
}

/** The branch has moved, and the log records it: a failure to write the ref must not be reported as a failed write. */
async function publish(refs: readonly PreparedRef[]): Promise<void> {
  try {
    for (const ref of refs) await ref.publish()
  } catch {
    await discard(refs)
  }
}

/**
 * Appends later events of a note without waiting for the disk. If one is lost, `wiki verify` looks for the commit, and
 * reports nothing if its objects were never written.
 */
async function addLater(repository: Repository, kind: EventKind, commits: readonly string[]): Promise<void> {
  await appendEvents(recordPaths(repository).log, kind, commits, { durable: false }).catch(() => {})
}

async function discard(refs: readonly PreparedRef[]): Promise<void> {
  for (const ref of refs) await ref.discard().catch(() => {})
}

/** Returns every commit that the branch's writers noted, oldest first, with its latest state. */
export function listAcknowledged(repository: Repository): Acknowledgement[] {
  return readLog(recordPaths(repository).log)
}

/** Returns what the writers of branches that are gone noted, as `listAcknowledged` does. */
export function listOrphaned(repository: Repository): Acknowledgement[] {
  return orphanedPlaces(repository).flatMap(({ log, branch }) => readLog(log).map(event => ({ ...event, branch })))
}

/** Settles commits of branches that are gone in the record that has them. */
export async function settleOrphaned(repository: Repository, commits: readonly string[]): Promise<void> {
  for (const { log } of orphanedPlaces(repository)) {
    const recorded = new Set(readLog(log).map(({ commit }) => commit))
    const present = commits.filter(commit => recorded.has(commit))
    if (present.length > 0) await appendEvents(log, 'settled', present, { durable: true })
  }
}

/**
 * Adds to the record: `settled` for commits whose loss is accepted or repaired, `replay` for those that replaced an acknowledged
 * one, `moved` for those that a deleted record is known to have had.
 */
export async function addEvents(
  repository: Repository,
  kind: 'moved' | 'replay' | 'settled',
  commits: readonly string[],
): Promise<void> {
  if (commits.length > 0) await appendEvents(recordPaths(repository).log, kind, commits, { durable: true })
}

/** Settles a whole series by its last commit: the record has a series of that one alone from then on. */
export async function endSeries(repository: Repository, commit: string): Promise<void> {
  const series = { first: commit, count: 1 }
  await appendEvents(recordPaths(repository).log, 'settled', [commit], { durable: true, series })
}

interface IndexedHistory extends Pick<Acknowledging<unknown>, 'isIndexed'> {
  readonly read: ReadObject
  /** Number of the newest acknowledgements whose objects are looked after. */
  readonly newest: number
}

/**
 * Completes the log from the refs, and the refs from the log: either may have been deleted or damaged, and `git push --mirror` from
 * another clone replaces the refs by those of that clone.
 */
export async function renewRecord(repository: Repository, history: IndexedHistory): Promise<void> {
  const place = recordPaths(repository)
  const heads = namedHeads(repository, place)
  const events = readLog(place.log)
  await renewLog(repository, heads, new Set(events.map(({ commit }) => commit)), history)
  await renewRefs(repository, heads, events, history)
}

/**
 * Adds the commits that the refs name, and those between them and the branch. A commit that was settled before, or made by plain
 * git, counts again if the log has lost it. Does nothing where the log has each commit that a ref names.
 */
async function renewLog(
  repository: Repository,
  heads: ReadonlySet<string>,
  logged: ReadonlySet<string>,
  { isIndexed, read }: IndexedHistory,
): Promise<void> {
  if ([...heads].every(head => logged.has(head))) return
  const away = await listAway(read, heads, isIndexed)
  const commits = [...[...heads].filter(isIndexed), ...away.reverse()]
  await addEvents(
    repository,
    'moved',
    commits.filter(commit => !logged.has(commit)),
  )
}

/** Names the acknowledged commits that neither the branch nor a ref reaches, so that git keeps their objects if it still has them. */
async function renewRefs(
  repository: Repository,
  heads: ReadonlySet<string>,
  events: readonly Acknowledgement[],
  { isIndexed, read, newest }: IndexedHistory,
): Promise<void> {
  const left = newestOf(events, newest).filter(commit => !heads.has(commit) && !isIndexed(commit))
  if (left.length === 0) return
  const place = recordPaths(repository)
  const reached = new Set(await listAway(read, heads, isIndexed))
  for (const commit of left) {
    if (reached.has(commit) || !(await isThere(read, commit))) continue
    await publish([await prepareRef(repository, place, { name: `${place.leftBehind}${commit}`, commit })])
    for (const one of await listAway(read, new Set([commit]), isIndexed)) reached.add(one)
  }
}

/** The newest acknowledged commits that are not settled, newest first. */
function newestOf(events: readonly Acknowledgement[], count: number): string[] {
  const commits: string[] = []
  for (let at = events.length - 1; at >= 0 && commits.length < count; at--)
    if (isAcknowledged(events[at] as Acknowledgement)) commits.push((events[at] as Acknowledgement).commit)
  return commits
}

/** A ref to a commit that git has removed would damage the repository. */
async function isThere(read: ReadObject, commit: string): Promise<boolean> {
  try {
    await read(treeOfCommit((await read(commit)).content))
    return true
  } catch (error) {
    if (isWikiError(error)) return false
    throw error
  }
}

/**
 * Points the ref of the newest acknowledged commit at a commit, and keeps the former head if the branch lacks it, and other commits that
 * the newest one does not reach.
 */
export async function nameNewest(
  repository: Repository,
  commit: string,
  isIndexed: (commit: string) => boolean,
  others: readonly string[] = [],
): Promise<void> {
  const place = recordPaths(repository)
  const left = others.map(other => ({ name: `${place.leftBehind}${other}`, commit: other }))
  const refs = [...left, ...newRefs(repository, [commit], isIndexed)]
  await publish(await Promise.all(refs.map(ref => prepareRef(repository, place, ref))))
}

/** Removes files that killed processes left beside the record. */
export function clearRecord(repository: Repository): void {
  clearRefs(repository, recordPaths(repository))
}
