/** The lock of the index folder: who holds it may write there. Readers need none. */

import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createLock, isRunning, removeLeftBehind } from '../lock-file.ts'

/** A lock of another machine, or of a process whose number was given out again, counts as left behind after this time. */
const staleMilliseconds = 15 * 60 * 1000

/** Takes the lock; gives the function that frees it, or null if another process holds it. */
export function takeLock(path: string): (() => void) | null {
  mkdirSync(dirname(path), { recursive: true })
  if (!createLock(path)) {
    if (isStale(path)) rmSync(path, { force: true })
    else removeLeftBehind(path)
    if (!createLock(path)) return null
  }
  clearTemporaries(dirname(path))
  return () => rmSync(path, { force: true })
}

function isStale(path: string): boolean {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat !== undefined && Date.now() - stat.mtimeMs > staleMilliseconds
}

/** A process that was killed may have left half a base, which is large. */
function clearTemporaries(folder: string): void {
  for (const name of readdirSync(folder)) {
    const owner = /\.(\d+)\.tmp$|\.wiki-(\d+)\.lock$/.exec(name)?.slice(1).find(Boolean)
    if (owner !== undefined && !isRunning(Number(owner))) rmSync(join(folder, name), { force: true })
  }
}
