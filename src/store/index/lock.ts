/** The lock of the index folder: its holder may write there. Readers need none. */

import { readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { makeFolder, removeFile } from '../../files/private-files.ts'
import { createLock, isRunning, removeLeftovers } from '../repository/lock-file.ts'

/** A lock of another machine, or of a process whose number was reused, counts as abandoned after this time. */
const staleMilliseconds = 15 * 60 * 1000

/** Takes the lock; returns the function that releases it, or null if another process holds it. */
export function takeLock(path: string): (() => void) | null {
  makeFolder(dirname(path))
  if (!createLock(path)) {
    if (isStale(path)) removeFile(path)
    else removeLeftovers(path)
    if (!createLock(path)) return null
  }
  clearTemporaries(dirname(path))
  return () => removeFile(path)
}

function isStale(path: string): boolean {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat !== undefined && Date.now() - stat.mtimeMs > staleMilliseconds
}

/** A killed process may have left a partial base, which is large. */
function clearTemporaries(folder: string): void {
  for (const name of readdirSync(folder)) {
    const owner = /\.(\d+)\.tmp$|\.wiki-(\d+)\.lock$/.exec(name)?.slice(1).find(Boolean)
    if (owner !== undefined && !isRunning(Number(owner))) removeFile(join(folder, name))
  }
}
