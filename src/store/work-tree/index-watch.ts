/**
 * Checks git's index for as long as the process lives: another git command may restore entries of an older index, or HEAD may
 * come to the wiki's branch with an index that was read before the branch moved (`put-back.ts`).
 */

import { type FSWatcher, statSync, watch } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { ReadObject } from '../git/walk.ts'
import { checkoutsOf } from '../repository/checkouts.ts'
import { refPath } from '../repository/ref-update.ts'
import type { Repository } from '../repository/repository.ts'
import { mendIndex } from './put-back.ts'

/** Milliseconds until the first check after a write. */
const firstPause = 25

/** The pauses double up to this many milliseconds; then the checks end. */
const lastPause = 60_000

export interface IndexWatch {
  /** To be called after each write, before its lock of the index is released. */
  readonly written: () => void
  readonly end: () => void
}

/** Checks the index for a while after each write. Its timers keep no process alive. */
export function indexWatch(repository: Repository, read: ReadObject): IndexWatch {
  const look = lookWhenChanged(repository, read)
  let [pause, hasEnded] = [firstPause, false]
  let timer: NodeJS.Timeout | undefined
  const wait = (milliseconds: number) => {
    clearTimeout(timer)
    pause = milliseconds
    timer = setTimeout(() => {
      void look().then(() => {
        if (pause < lastPause && !hasEnded) wait(pause * 2)
      })
    }, pause).unref()
  }
  return {
    written: () => {
      look.seen()
      wait(firstPause)
    },
    end: () => {
      hasEnded = true
      clearTimeout(timer)
    },
  }
}

/** Files whose replacement signals a change in a git directory: git renames its lock to one of them. */
const watchedNames: readonly string[] = ['HEAD', 'index']

/**
 * Checks the index each time that it, HEAD or the branch changes in any work tree. Returns a function that stops it. For a
 * server.
 */
export function watchIndex(repository: Repository, read: ReadObject): () => void {
  const look = lookWhenChanged(repository, read)
  const branch = refPath(repository)
  const places: readonly (readonly [folder: string, names: readonly string[]])[] = [
    ...checkoutsOf(repository).map(({ gitDirectory }) => [gitDirectory, watchedNames] as const),
    [dirname(branch), [basename(branch)]],
  ]
  const watchers = places.flatMap(([folder, names]) => tryToWatch(folder, names, () => void look()) ?? [])
  void look()
  return () => {
    for (const watcher of watchers) watcher.close()
  }
}

/** Null if the system has no watches left: writes and starts check all the same. */
function tryToWatch(folder: string, names: readonly string[], changed: () => void): FSWatcher | null {
  try {
    const watcher = watch(folder, { persistent: false }, (_, name) => {
      if (name === null || names.includes(name)) changed()
    })
    watcher.on('error', () => watcher.close())
    return watcher
  } catch {
    return null
  }
}

/** Returns a function that checks, one check at a time, unless nothing changed since the last one. */
function lookWhenChanged(
  repository: Repository,
  read: ReadObject,
): (() => Promise<void>) & { readonly seen: () => void } {
  let seen = ''
  let [running, isDue]: [Promise<void> | null, boolean] = [null, false]
  const lookOn = async () => {
    do {
      isDue = false
      const state = stateOf(repository)
      if (state === seen) continue
      const isLooked = (await mendIndex(repository, read).catch(() => null)) !== null
      seen = isLooked ? state : ''
    } while (isDue)
  }
  const look = () => {
    isDue = true
    running ??= lookOn().finally(() => {
      running = null
    })
    return running
  }
  return Object.assign(look, {
    seen: () => {
      seen = stateOf(repository)
    },
  })
}

/** Changes when another file replaces an index, a HEAD or the branch. */
function stateOf(repository: Repository): string {
  const paths = checkoutsOf(repository).flatMap(({ gitDirectory }) => [
    join(gitDirectory, 'index'),
    join(gitDirectory, 'HEAD'),
  ])
  return [refPath(repository), ...paths]
    .map(path => {
      const stat = statSync(path, { bigint: true, throwIfNoEntry: false })
      return stat === undefined ? '' : `${stat.ino} ${stat.mtimeNs} ${stat.ctimeNs} ${stat.size}`
    })
    .join()
}
