/**
 * Git's own maintenance, as after a `git commit`: if many objects are loose, git packs them in the background, if the
 * repository's configuration allows it (`gc.auto`, `maintenance.auto`). Nothing waits for it and no lock of ours is held: readers
 * find a packed object in its pack, and objects being written are too new to be pruned.
 */

import { join } from 'node:path'
import { namesSynced } from '../../files/durable.ts'
import { namesIn } from '../../files/read-file.ts'
import { noteGitWrites } from '../repository/durable-file.ts'
import { type Repository, readGitConfig } from '../repository/repository.ts'
import { releasePacks } from './object-guard.ts'
import type { LazyBackend } from './open-backend.ts'

/** Writes between two counts of loose objects. A command, which writes once, counts after its first. */
const writesBetween = 64

/** Maximum loose objects before git packs. Source: git-config(1), gc.auto. */
const defaultLimit = 6700

export interface HousekeepingOptions {
  readonly repository: Repository
  readonly backend: LazyBackend
  /** Called before git packs. */
  readonly beforePacking?: () => Promise<void>
}

/** Returns a function to call after each write: it counts now and then, one count at a time. */
export function housekeeping(options: HousekeepingOptions): () => void {
  let writes = 0
  let isLooking = false
  return () => {
    if (writes++ % writesBetween !== 0 || isLooking) return
    isLooking = true
    // A failure to pack does not fail the write.
    void tidy(options)
      .catch(() => {})
      .finally(() => {
        isLooking = false
      })
  }
}

async function tidy(options: HousekeepingOptions): Promise<void> {
  releasePacks(options.repository)
  await runHousekeeping(options)
}

/** Lets git pack loose objects if there are many; resolves at the end of git's process, false if none was started. */
export async function runHousekeeping({ repository, backend, beforePacking }: HousekeepingOptions): Promise<boolean> {
  if (!isDue(repository) || (await backend.choose()) !== 'git') return false
  const { askGit, runInBackground } = await import('../repository/process.ts')
  const { gitDirectory } = repository
  const output = await askGit(gitDirectory, [
    'config',
    '--type=bool',
    '--get-regexp',
    '^maintenance\\.(auto|gc\\.enabled)$',
  ])
  if (isSwitchedOff(output)) return false
  await beforePacking?.()
  const start = Date.now()
  // Unlike the lock of `git maintenance`, this one does not outlive a killed process.
  await runInBackground(gitDirectory, ['gc', '--auto', '--quiet'])
  // Also if git goes on in the background: it syncs packs before it removes what they contain, and its refs.
  await noteGitWrites(repository, start)
  await namesSynced()
  return true
}

/** Only one folder of 256 is counted, as in git. */
function isDue({ objectDirectory, commonDirectory }: Repository): boolean {
  const loose = namesIn(join(objectDirectory, '17')).length
  if (loose < 2) return false
  const setting = Number(readGitConfig(join(commonDirectory, 'config')).get('gc.auto') ?? defaultLimit)
  const limit = Number.isNaN(setting) ? defaultLimit : setting
  return limit > 0 && loose > Math.ceil(limit / 256)
}

/** Reads lines of a name and a value, in the order of their files: the last value of a name counts. */
function isSwitchedOff(output: string): boolean {
  const values = new Map(output.split('\n').map(line => [line.split(' ')[0], line.split(' ')[1]]))
  return [...values.values()].includes('false')
}
