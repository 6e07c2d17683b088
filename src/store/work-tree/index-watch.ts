/**
 * A look after git's index by who lives on: another git command may bring back what an older index had, or HEAD may come to the
 * wiki's branch with an index that was read before the branch moved (`put-back.ts`).
 */

import { type FSWatcher, statSync, watch } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { ReadObject } from '../git/walk.ts'
import { checkoutsOf } from '../repository/checkouts.ts'
import { refPath } from '../repository/ref-update.ts'
import type { Repository } from '../repository/repository.ts'
import { mendIndex } from './put-back.ts'

/** Milliseconds until the first look after a write. */
const firstPause = 25

/** The pauses double up to this many milliseconds; then there are no more looks. */
const lastPause = 60_000

export interface IndexWatch {
  /** To be called after each write, before its lock of the index is freed. */
  readonly written: () => void
  readonly end: () => void
}

/** Looks after the index for a while after each write. No process stays alive for it. */
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

/** Looks after the index each time that it, HEAD or the branch changes in any work tree. Returns what ends that. For a server. */
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

/** Null where the system has no watches left: writes and starts look all the same. */
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

/** Gives a function that looks, one look at a time, unless nothing changed since the last one. */
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

/** Differs when another file has taken the place of an index, a HEAD or the branch. */
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
