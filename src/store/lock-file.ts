/**
 * Git's lock files, taken the way git takes them, so that native git and we exclude one another. Ours say who took them:
 * what a killed process left behind is recognised and removed.
 */

import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { WikiError } from '../core/errors.ts'

/** How long a lock that somebody else holds is waited for. */
const waitMilliseconds = 2000

/** Takes `<path>.lock`; gives the function that frees it. Throws `wiki-locked` when another process keeps it. */
export async function takeLockFile(path: string): Promise<() => void> {
  const lock = `${path}.lock`
  const end = Date.now() + waitMilliseconds
  for (let pause = 1; !create(lock); pause = Math.min(pause * 2, 50)) {
    removeLeftBehind(lock)
    if (Date.now() > end)
      throw new WikiError('wiki-locked', {
        params: [lock],
        hint: 'If no git command is running there, remove that file',
      })
    await sleep(pause)
  }
  return () => rmSync(lock, { force: true })
}

/** The lock appears with its content in one step: a kill leaves either none or one that names its owner. */
function create(lock: string): boolean {
  const temporary = `${lock}.${process.pid}`
  try {
    writeFileSync(temporary, ownerLine())
    linkSync(temporary, lock)
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return false
    if (code === undefined || !withoutLinks.has(code)) throw error
    return createEmpty(lock)
  } finally {
    rmSync(temporary, { force: true })
  }
}

/** What file systems without hard links answer. */
const withoutLinks: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'ENOSYS'])

function createEmpty(lock: string): boolean {
  try {
    writeFileSync(lock, ownerLine(), { flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

function ownerLine(): string {
  return `wiki ${process.pid} ${hostname()}\n`
}

function removeLeftBehind(lock: string): void {
  const owner = /^wiki (\d+) (\S+)\n$/.exec(readOwner(lock))
  if (owner?.[2] === hostname() && !isRunning(Number(owner[1]))) rmSync(lock, { force: true })
}

function readOwner(lock: string): string {
  try {
    return readFileSync(lock, 'latin1').slice(0, 300)
  } catch {
    return ''
  }
}

/** Whether a process of this machine is running. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
