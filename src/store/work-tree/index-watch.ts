/**
 * Checks git's index for as long as the process lives: another git command may restore entries of an older index, or HEAD may
 * come to the wiki's branch with an index that was read before the branch moved (`index-repair.ts`).
 */

import { existsSync, type FSWatcher, readdirSync, statSync, watch } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { ReadObject } from '../git/walk.ts'
import { checkoutsOf } from '../repository/checkouts.ts'
import { refPath } from '../repository/ref-update.ts'
import type { Repository } from '../repository/repository.ts'
import { repairIndex } from './index-repair.ts'

/** Milliseconds until the first check after a write. */
const firstPause = 25

/** The pauses double up to this many milliseconds; then the checks end. */
const lastPause = 60_000

export interface IndexWatch {
  /** Puts checks off while a write runs: it would check itself in the middle. */
  readonly during: <Done>(write: () => Promise<Done>) => Promise<Done>
  /** To be called after each write, before its lock of the index is released. */
  readonly written: () => void
  readonly end: () => void
}

/** Checks the index for a while after each write. Its timers keep no process alive. */
export function indexWatch(repository: Repository, read: ReadObject): IndexWatch {
  const check = checkWhenChanged(repository, read)
  let [pause, hasEnded, isWriting] = [firstPause, false, false]
  let timer: NodeJS.Timeout | undefined
  const wait = (milliseconds: number) => {
    clearTimeout(timer)
    pause = milliseconds
    timer = setTimeout(() => {
      if (isWriting) return wait(pause)
      void check().then(() => {
        if (pause < lastPause && !hasEnded) wait(pause * 2)
      })
    }, pause).unref()
  }
  return {
    during: async write => {
      isWriting = true
      try {
        return await write()
      } finally {
        isWriting = false
      }
    },
    written: () => {
      check.seen()
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
 * Checks the index each time that it, HEAD or the branch changes in any work tree, also in one that is added later. Returns a
 * function that stops it. For a server.
 */
export function watchIndex(repository: Repository, read: ReadObject): () => void {
  const check = checkWhenChanged(repository, read)
  const { gitDirectory, commonDirectory } = repository
  const [branch, linked] = [refPath(repository), join(commonDirectory, 'worktrees')]
  const watchers = new Map<string, FSWatcher>()
  const watchOne = (folder: string, names: readonly string[] | null, changed: () => void) => {
    const watcher = watchers.has(folder) ? null : tryToWatch(folder, names, changed, () => watchers.delete(folder))
    if (watcher !== null) watchers.set(folder, watcher)
  }
  const changed = () => void check()
  /** Git makes the folder of the linked work trees with the first of them, and removes it with the last. */
  const watchAll = () => {
    for (const [folder, watcher] of watchers) if (!existsSync(folder) && watchers.delete(folder)) watcher.close()
    watchOne(commonDirectory, [...watchedNames, 'worktrees'], changedAll)
    watchOne(linked, null, changedAll)
    watchOne(dirname(branch), [basename(branch)], changed)
    // A new one has no HEAD for a moment.
    for (const folder of [gitDirectory, ...foldersIn(linked)]) watchOne(folder, watchedNames, changed)
  }
  const changedAll = () => {
    watchAll()
    changed()
  }
  changedAll()
  return () => {
    for (const watcher of watchers.values()) watcher.close()
    watchers.clear()
  }
}

function foldersIn(folder: string): string[] {
  try {
    return readdirSync(folder).map(name => join(folder, name))
  } catch {
    return []
  }
}

/** Null if there is no such folder, or the system has no watches left: writes and starts check all the same. */
function tryToWatch(
  folder: string,
  names: readonly string[] | null,
  changed: () => void,
  ended: () => void,
): FSWatcher | null {
  try {
    const watcher = watch(folder, { persistent: false }, (_, name) => {
      if (name === null || names === null || names.includes(name)) changed()
    })
    watcher.on('error', () => {
      watcher.close()
      ended()
    })
    return watcher
  } catch {
    return null
  }
}

/** Returns a function that checks, one check at a time, unless nothing changed since the last one. */
function checkWhenChanged(
  repository: Repository,
  read: ReadObject,
): (() => Promise<void>) & { readonly seen: () => void } {
  let seen: string | null = null
  let [running, isDue]: [Promise<void> | null, boolean] = [null, false]
  const lookOn = async () => {
    do {
      isDue = false
      const state = stateOf(repository)
      if (state === null || state === seen) continue
      const isLooked = (await repairIndex(repository, read).catch(() => null)) !== null
      seen = isLooked ? state : null
    } while (isDue)
  }
  const check = () => {
    isDue = true
    running ??= lookOn().finally(() => {
      running = null
    })
    return running
  }
  return Object.assign(check, {
    seen: () => {
      seen = stateOf(repository)
    },
  })
}

/**
 * Changes when another file replaces an index, a HEAD or the branch. Null if the repository cannot be read now, for example
 * because somebody is editing its settings.
 */
function stateOf(repository: Repository): string | null {
  try {
    const paths = checkoutsOf(repository).flatMap(({ gitDirectory }) => [
      join(gitDirectory, 'index'),
      join(gitDirectory, 'HEAD'),
    ])
    return [refPath(repository), ...paths].map(stateOfFile).join()
  } catch {
    return null
  }
}

function stateOfFile(path: string): string {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stat === undefined ? '' : `${stat.ino} ${stat.mtimeNs} ${stat.ctimeNs} ${stat.size}`
}
