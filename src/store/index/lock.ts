/** The lock of the index folder: who holds it may write there. Readers need none. */

import { closeSync, mkdirSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname } from 'node:path'

/** A lock of another machine, or of a process whose number was given out again, counts as left behind after this time. */
const staleMilliseconds = 15 * 60 * 1000

/** Takes the lock; gives the function that frees it, or null where another process holds it. */
export function takeLock(path: string): (() => void) | null {
  mkdirSync(dirname(path), { recursive: true })
  if (!create(path)) {
    if (!isLeftBehind(path)) return null
    rmSync(path, { force: true })
    if (!create(path)) return null
  }
  return () => rmSync(path, { force: true })
}

function create(path: string): boolean {
  try {
    const file = openSync(path, 'wx')
    writeSync(file, `${process.pid} ${hostname()}\n`)
    closeSync(file)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

function isLeftBehind(path: string): boolean {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (stat === undefined) return true
  if (Date.now() - stat.mtimeMs > staleMilliseconds) return true
  const [pid, host] = readOwner(path)
  return host === hostname() && pid !== null && !isRunning(pid)
}

function readOwner(path: string): [pid: number | null, host: string] {
  try {
    const [pid, host = ''] = readFileSync(path, 'utf8').trim().split(' ')
    return [Number(pid) || null, host]
  } catch {
    return [null, '']
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
