/**
 * The one implementation of locks: git's lock files, taken the way git takes them, so that native git and the wiki exclude each other, and
 * the wiki's own. A lock of the wiki names its owner, so that one whose process is dead is recognised and removed.
 * Source: docs/rooms/store.md, "Whose lock it is".
 */

import { closeSync, fstatSync, statSync } from 'node:fs'
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { WikiError } from '../../core/errors.ts'
import { pathArgument } from '../../core/shell-quote.ts'
import { repositoryAround, showLife } from '../../files/life-sign.ts'
import {
  identityOf,
  isLeftBehind,
  isLocal,
  isOfThisBoot,
  isOlderThanBoot,
  isOpenSomewhere,
  isRunning,
  lifeOf,
  ownerPattern,
  ownName,
} from '../../files/owner.ts'
import { linkFile, makeFolder, openFile, removeFile, setTime, writeAll } from '../../files/private-files.ts'
import { namesIn, readOpen } from '../../files/read-file.ts'

/** Milliseconds to wait for a lock that another process holds. */
const waitMilliseconds = 2000

/**
 * Age in milliseconds from which another program's lock is probably abandoned. Git's locks do not name their owner, so such a
 * lock is removed only if it is older than the machine's start, but the wait for it is short.
 */
const staleMilliseconds = 10_000
const staleWaitMilliseconds = 250

/** Milliseconds without a sign of life after which an owner that cannot be seen from here is dead, and those between two signs. */
const silentMilliseconds = 30_000
const beatMilliseconds = silentMilliseconds / 5
/** Maximum milliseconds to wait for a decision. */
const longestWatch = silentMilliseconds + beatMilliseconds

/** A lock that this process has taken. Call it to release the lock; further calls do nothing. */
export interface Held {
  (): void
  /** Returns false if others took this process for dead, because it was stopped for long, and removed its lock. */
  readonly isHeld: () => boolean
}

export interface LockOptions {
  /** Milliseconds to wait for it. */
  readonly wait?: number
  /** Milliseconds after which a lock that names no owner is abandoned; without it only one from before the machine's start is. */
  readonly abandonedAfter?: number
}

/** Takes `<path>.lock`. Throws `wiki-locked` when another process keeps it. */
export async function takeLockFile(
  path: string,
  { wait = waitMilliseconds, abandonedAfter = Number.POSITIVE_INFINITY }: LockOptions = {},
): Promise<Held> {
  const lock = `${path}.lock`
  const start = performance.now()
  for (let pause = 1; ; pause = Math.min(pause * 2, 50)) {
    const held = tryLock(lock, abandonedAfter)
    if (held !== null) return held
    const age = ageOf(lock)
    const limit = age > staleMilliseconds ? Math.min(wait, staleWaitMilliseconds) : wait
    const waited = performance.now() - start
    if (waited > limit && !(isUndecided(lock) && waited < limit + longestWatch)) throw lockedError(lock, age)
    await sleep(pause)
  }
}

/** Takes a lock, a path, or returns null if another process holds it. */
export function tryLock(lock: string, abandonedAfter?: number): Held | null {
  return toEnd(lockSteps(lock, abandonedAfter))
}

/** The same for the lock of a folder of the wiki, from which the temporary files of dead processes are removed. */
export function tryFolderLock(lock: string): Held | null {
  makeFolder(dirname(lock))
  const held = tryLock(lock)
  if (held !== null) clearTemporaries(dirname(lock))
  return held
}

/** Steps of `tryLock`. Between two of them others may do anything. */
export function* lockSteps(lock: string, abandonedAfter = Number.POSITIVE_INFINITY): Generator<void, Held | null> {
  const held = yield* createSteps(lock)
  if (held !== null) return held
  return (yield* clearSteps(lock, { abandonedAfter })) ? yield* createSteps(lock) : null
}

function toEnd<Result>(steps: Generator<void, Result>): Result {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/** Removes remains of dead processes: the lock of a path, and files about to replace one. */
export function clearLeftovers(path: string): void {
  removeLeftovers(`${path}.lock`)
  clearTemporaries(dirname(path), `${basename(path)}.wiki-`)
}

/** The same for all paths of a folder. */
export function clearFolder(folder: string): void {
  clearTemporaries(folder)
  for (const name of namesIn(folder)) if (name.endsWith('.lock')) removeLeftovers(join(folder, name))
}

/** Removes a lock whose owner is dead. */
export function removeLeftovers(lock: string): void {
  toEnd(clearSteps(lock))
}

/** Removes temporary files of dead processes from a folder: those whose names begin so. */
function clearTemporaries(folder: string, start = ''): void {
  for (const name of namesIn(folder)) {
    if (!name.startsWith(start) || !isTemporary(name)) continue
    const path = join(folder, name)
    const owner = ownerPattern.exec(name)?.[0]
    if (owner === undefined && markName.test(name)) removeLeftovers(path)
    // Those of earlier versions have only a number, which tells nothing.
    else if (isLeftBehind(path, owner ?? '', folder)) removeFile(path)
  }
}

/** Returns true for the name of a temporary file, of this version or of an earlier one. */
function isTemporary(name: string): boolean {
  return name.endsWith('.lock') ? name.includes('.wiki-') : /\.\d+\.tmp$/.test(name)
}

/** Matches the end of the mark of a process that removes a lock. */
const markName = /\.wiki-end-[^.]*\.lock$/

/**
 * Name of a temporary file of this process beside a path, to be renamed or linked to it. It ends like a lock, because git takes
 * every other name among the refs for a ref.
 */
export function pathBeside(path: string, purpose = ''): string {
  return `${path}.wiki-${ownName()}${purpose}.lock`
}

/** Number of locks that this process has taken. */
let taken = 0

/**
 * Mode of the wiki's locks, which nobody writes into. An empty or torn file of this mode was a lock of the wiki before a power cut: a
 * name and a mode reach the disk before a content.
 */
const lockMode = 0o444

/**
 * Creates a lock file; null if one exists already. It appears with its content in one step: a kill leaves either none or one
 * that names its owner.
 */
function* createSteps(lock: string): Generator<void, Held | null> {
  const endSign = showLife(dirname(lock), ownName())
  let held: Held | null = null
  try {
    const text = `wiki ${process.pid} ${hostname()} ${ownName()} ${++taken} ${identityOf(dirname(lock)) || '-'}\n`
    if (yield* placeSteps(lock, text)) held = hold(lock, text, endSign)
    return held
  } finally {
    if (held === null) endSign()
  }
}

function* placeSteps(lock: string, text: string): Generator<void, boolean> {
  const temporary = pathBeside(baseOf(lock), `-${taken}`)
  try {
    write(temporary, text, lockMode)
    yield
    linkFile(temporary, lock)
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return false
    if (code === undefined || !withoutLinks.has(code)) throw error
    return placeWithoutLinks(lock, text)
  } finally {
    // A failure here would leave the lock without an owner that frees it.
    tryToRemove(temporary)
  }
}

/** Errors of file systems without hard links. Windows reports EISDIR. */
const withoutLinks: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EISDIR'])

/** The lock is empty for a moment, so it has not the mode of those that never are. */
function placeWithoutLinks(lock: string, text: string): boolean {
  try {
    write(lock, text)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

function write(path: string, text: string, mode?: number): void {
  const file = openFile(path, 'wx', mode)
  try {
    writeAll(file, text)
  } finally {
    closeSync(file)
  }
}

/** The path that a lock, or a mark of its removal, is for. */
function baseOf(lock: string): string {
  return lock.replace(markName, '').replace(/\.lock$/, '')
}

/** Locks of this process. While there are any it shows that it runs, for those who cannot see its number. */
const locks = new Set<string>()
let beats: NodeJS.Timeout | undefined

function hold(lock: string, text: string, endSign: () => void): Held {
  locks.add(lock)
  beats ??= setInterval(beat, beatMilliseconds).unref()
  const isHeld = () => locks.has(lock) && lookAt(lock)?.text === text
  let isReleased = false
  const release = () => {
    if (isReleased) return
    isReleased = true
    if (isHeld()) tryToRemove(lock)
    locks.delete(lock)
    if (locks.size === 0) {
      clearInterval(beats)
      beats = undefined
    }
    endSign()
  }
  return Object.assign(release, { isHeld })
}

function beat(): void {
  for (const lock of locks)
    try {
      setTime(lock, new Date())
    } catch {
      // It is gone, or the disk does not answer.
    }
}

/** Removes a lock, or the file that became one. A failure is ignored: the work under the lock is done, or about to begin. */
function tryToRemove(path: string): void {
  try {
    removeFile(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
  }
}

/** A lock as it was found. */
interface Found {
  /** Null if it cannot be read. */
  readonly text: string | null
  readonly mode: number
  readonly time: number
  /** Changes with each sign of life. */
  readonly beat: string
  /** Differs from that of every other lock of this path. */
  readonly identity: string
}

/** Longest content of a lock that is read. */
const mostText = 1000

/** Number and host, for people; owner, count of its locks, identity of the folder. */
const ownPattern = /^wiki (\d+) (\S*) (\S+) (\d+) (\S+)\n$/
/** Locks of earlier versions: number, host and time of the start. */
const formerPattern = /^wiki (\d+) (\S+)(?: [\d.]+)?\n$/

/** Opens the lock: on a network file system only that asks for its present time. Null if there is none. */
function lookAt(lock: string): Found | null {
  let file: number
  try {
    file = openFile(lock, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    return { text: null, mode: 0, time: Number.NaN, beat: '', identity: '' }
  }
  try {
    const stat = fstatSync(file, { bigint: true })
    const text = stat.isFile() && stat.size <= mostText ? readOpen(file).toString('latin1') : null
    const [, , , owner, count] = ownPattern.exec(text ?? '') ?? []
    const beat = `${stat.ino} ${stat.mtimeNs}`
    const token = owner?.split('-').at(-1)
    const identity = token === undefined ? `${stat.ino}-${stat.mtimeNs}` : `${token}-${count}`
    return { text, mode: Number(stat.mode), time: Number(stat.mtimeMs), beat, identity }
  } catch {
    return { text: null, mode: 0, time: Number.NaN, beat: '', identity: '' }
  } finally {
    closeSync(file)
  }
}

/** Marks that one look may find, each of a process that died while it removed the one before. A hostile repository may have a circle. */
const mostMarks = 8

/**
 * Removes a lock whose owner is dead; returns true if it did. Of all who find it, the one that creates a mark for this very lock may do so,
 * after a second look: without the mark nobody removes it, so it cannot be replaced in between. A mark is a lock itself, so that of a dead
 * process is removed in the same way.
 */
function* clearSteps(
  lock: string,
  { depth = 0, abandonedAfter = Number.POSITIVE_INFINITY } = {},
): Generator<void, boolean> {
  const found = lookAt(lock)
  if (found === null) watches.delete(lock)
  if (found === null || !isAbandoned(lock, found, abandonedAfter)) return false
  const mark = `${baseOf(lock)}.wiki-end-${found.identity}.lock`
  yield
  let held = yield* createSteps(mark)
  // Another is removing it, or was killed at that.
  while (held === null) {
    if (depth === mostMarks || !(yield* clearSteps(mark, { depth: depth + 1 }))) return false
    held = yield* createSteps(mark)
  }
  try {
    yield
    if (lookAt(lock)?.identity !== found.identity) return true
    // A process that was only stopped for long has nothing left to put in place.
    yield
    clearFilesOf(lock, found)
    yield
    removeFile(lock)
    watches.delete(lock)
    return true
  } finally {
    held()
  }
}

/** Removes the files with which the lock's owner was about to replace what it locks. */
function clearFilesOf(lock: string, { text }: Found): void {
  const owner = ownPattern.exec(text ?? '')?.[3]
  if (owner === undefined || owner === ownName()) return
  const start = `${basename(baseOf(lock))}.wiki-${owner}`
  for (const name of namesIn(dirname(lock))) if (name.startsWith(start)) tryToRemove(join(dirname(lock), name))
}

function isAbandoned(lock: string, found: Found, abandonedAfter: number): boolean {
  const [, , , owner, , place] = ownPattern.exec(found.text ?? '') ?? []
  if (owner === undefined || place === undefined) return isAbandonedByNobody(lock, found, abandonedAfter)
  // Copied with a repository in which it was held.
  if (isOfThisBoot(owner) && place !== '-' && place !== identityOf(dirname(lock))) return true
  const life = lifeOf(owner, dirname(lock))
  if (life === 'unknown') return isSilent(lock, found)
  if (life === 'asked') watch(lock, found)
  else watches.delete(lock)
  return life === 'dead'
}

/** A lock that does not name its owner. */
function isAbandonedByNobody(lock: string, { text, mode, time }: Found, abandonedAfter: number): boolean {
  watches.delete(lock)
  const [, former, host] = formerPattern.exec(text ?? '') ?? []
  if (former !== undefined && host === hostname() && !isRunning(Number(former))) return true
  if (text !== null && former === undefined && (hasModeOfWiki(lock, mode) || isOfWiki(lock))) return true
  if (Math.abs(Date.now() - time) > abandonedAfter) return true
  return isLocal(dirname(lock)) && isOlderThanBoot(time) && !isOpenSomewhere(lock)
}

/** Git gives its lock of the settings the mode of their file, which somebody may have protected. Source: git's config.c. */
function hasModeOfWiki(lock: string, mode: number): boolean {
  const isReadOnly = (one: number) => (one & 0o222) === 0
  const base = statSync(baseOf(lock), { throwIfNoEntry: false })
  return isReadOnly(mode) && (base === undefined || !isReadOnly(base.mode))
}

/** True for a lock that git never takes, on a file system with hard links: there it is never empty while it is held. */
function isOfWiki(lock: string): boolean {
  const top = isLocal(dirname(lock)) ? repositoryAround(dirname(lock)) : null
  return top !== null && /^[\\/](?:worktrees[\\/][^\\/]+[\\/])?wiki[\\/]/.test(lock.slice(top.length))
}

/** A lock whose owner cannot be seen from here. */
interface Watch {
  readonly beat: string
  /** Since when it has not changed, by this process's clock, which nobody sets. */
  readonly since: number
  readonly hasBeaten: boolean
}
const watches = new Map<string, Watch>()

function watch(lock: string, { beat }: Found): Watch {
  const before = watches.get(lock)
  if (before?.beat === beat) return before
  const begun = { beat, since: performance.now(), hasBeaten: before !== undefined }
  watches.set(lock, begun)
  return begun
}

function isSilent(lock: string, found: Found): boolean {
  return performance.now() - watch(lock, found).since > silentMilliseconds
}

/** Returns true if the owner may be dead: it has shown no sign of life, but not for long. */
function isUndecided(lock: string): boolean {
  return watches.get(lock)?.hasBeaten === false
}

/** Milliseconds since the file was written; 0 if it is gone. For a time in the future the distance counts. */
function ageOf(path: string): number {
  const time = lookAt(path)?.time ?? Number.NaN
  return Number.isNaN(time) ? 0 : Math.abs(Date.now() - time)
}

function lockedError(lock: string, age: number): WikiError {
  const seconds = Math.round(age / 1000)
  const [, pid, host] = ownPattern.exec(lookAt(lock)?.text ?? '') ?? []
  const old = `It is ${seconds} ${seconds === 1 ? 'second' : 'seconds'} old.`
  const hint =
    pid === undefined
      ? `${old} If no git command is running there, remove it: rm ${pathArgument(lock)}`
      : `${old} Process ${pid} on ${host} holds it: wait for that, or end it`
  return new WikiError('wiki-locked', { params: [lock], hint })
}
