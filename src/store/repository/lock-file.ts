/**
 * Git's lock files, taken the way git takes them, so that native git and the wiki exclude each other. Locks of the wiki name
 * their owner, so those of killed processes are recognised and removed.
 */

import { readdirSync, statSync } from 'node:fs'
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { WikiError } from '../../core/errors.ts'
import { inShellQuotes } from '../../core/shell-quote.ts'
import { linkFile, removeFile, writeFile } from '../../files/private-files.ts'
import { readText } from '../../files/read-file.ts'

/** Milliseconds to wait for a lock that another process holds. */
const waitMilliseconds = 2000

/**
 * Age in milliseconds from which another program's lock is probably abandoned. Git's locks do not name their owner, so such a
 * lock is never removed here, but the wait for it is short.
 */
const staleMilliseconds = 10_000
const staleWaitMilliseconds = 250

/** Takes `<path>.lock`; returns the function that releases it. Throws `wiki-locked` when another process keeps it. */
export async function takeLockFile(path: string, { wait = waitMilliseconds } = {}): Promise<() => void> {
  const lock = `${path}.lock`
  const start = performance.now()
  for (let pause = 1; !createLock(lock); pause = Math.min(pause * 2, 50)) {
    removeLeftovers(lock)
    const age = ageOf(lock)
    const limit = age > staleMilliseconds ? Math.min(wait, staleWaitMilliseconds) : wait
    if (performance.now() - start > limit) throw lockedError(lock, age)
    await sleep(pause)
  }
  return () => freeLock(lock)
}

/** Milliseconds since the file was written; 0 if it is gone. For a time in the future the distance counts. */
function ageOf(path: string): number {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat === undefined ? 0 : Math.abs(Date.now() - stat.mtimeMs)
}

function lockedError(lock: string, age: number): WikiError {
  const seconds = Math.round(age / 1000)
  const hint = `It is ${seconds} ${seconds === 1 ? 'second' : 'seconds'} old. If no git command is running there, remove it: rm ${inShellQuotes(lock)}`
  return new WikiError('wiki-locked', { params: [lock], hint })
}

/** Removes a lock, or the file that became one. A failure is ignored: the work under the lock is done, or about to begin. */
function freeLock(lock: string): void {
  try {
    removeFile(lock)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
  }
}

/** Removes remains of killed processes: the lock of a path, and files about to replace one. */
export function clearLeftovers(path: string): void {
  removeLeftovers(`${path}.lock`)
  const start = `${basename(path)}.wiki-`
  for (const name of namesIn(dirname(path))) {
    const owner = name.startsWith(start)
      ? /^(?:turn\.wiki-)?(\d+)(?:\D.*)?\.lock$/s.exec(name.slice(start.length))?.[1]
      : undefined
    if (owner !== undefined && !isRunning(Number(owner))) removeFile(join(dirname(path), name))
  }
}

/**
 * Name of a temporary file of this process beside a path, to be renamed or linked to it. It ends like a lock, because git takes
 * every other name among the refs for a ref.
 */
export function pathBeside(path: string, purpose = ''): string {
  return `${path}.wiki-${process.pid}${purpose}.lock`
}

/**
 * Creates a lock file; false if one exists already. It appears with its content in one step: a kill leaves either none or one
 * that names its owner.
 */
export function createLock(lock: string): boolean {
  const temporary = pathBeside(lock.replace(/\.lock$/, ''))
  try {
    writeFile(temporary, ownerLine())
    linkFile(temporary, lock)
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return false
    if (code === undefined || !withoutLinks.has(code)) throw error
    return createEmpty(lock)
  } finally {
    // A failure here would leave the lock without an owner that frees it.
    freeLock(temporary)
  }
}

/** Errors of file systems without hard links. */
const withoutLinks: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'ENOSYS'])

function createEmpty(lock: string): boolean {
  try {
    writeFile(lock, ownerLine(), { isNew: true })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/** The start time distinguishes this process from earlier ones with its number. */
function ownerLine(): string {
  return `wiki ${process.pid} ${hostname()} ${performance.timeOrigin}\n`
}

/**
 * Removes a lock whose owner is dead. One process at a time may do so, and it checks again when its turn comes: another may have
 * removed that lock meanwhile and taken its own. A process killed in its turn leaves a mark of that, whether or not a lock
 * exists.
 */
export function removeLeftovers(lock: string): void {
  const turn = `${lock.replace(/\.lock$/, '')}.wiki-turn.lock`
  if (isLeftBehind(turn)) removeFile(turn)
  if (!isLeftBehind(lock) || !createLock(turn)) return
  try {
    if (isLeftBehind(lock)) removeFile(lock)
  } finally {
    removeFile(turn)
  }
}

function isLeftBehind(lock: string): boolean {
  const [, pid, host, began] = /^wiki (\d+) (\S+)(?: ([\d.]+))?\n$/.exec(readOwner(lock)) ?? []
  if (host !== hostname()) return false
  if (Number(pid) !== process.pid) return !isRunning(Number(pid))
  // In a container a process often has the number of its predecessor. The time of the file says nothing: clocks jump.
  return began !== undefined && Number(began) !== performance.timeOrigin
}

function readOwner(lock: string): string {
  try {
    return readText(lock, 'latin1').slice(0, 300)
  } catch {
    return ''
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** Returns true if a process of this machine is running. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
