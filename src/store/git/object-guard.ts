/**
 * Protects new objects from `git gc`. Git prunes objects that no ref names, with `--prune=now` even new ones, and decides that
 * before the branch moves. So objects written during a collection go into a pack that git must keep, and every write checks,
 * before it is acknowledged and for a while afterwards, that its objects still exist.
 */

import { existsSync, statSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { mayHaveContainers } from '../../files/life-sign.ts'
import { isGit, isOlderThanBoot, isRunning } from '../../files/owner.ts'
import { removeFile } from '../../files/private-files.ts'
import { namesIn, readText } from '../../files/read-file.ts'
import type { Repository } from '../repository/repository.ts'
import { keepNote, type NewObjects } from './new-objects.ts'

/** Milliseconds after a write at which its objects are checked again. */
const checkDelays = [250, 1000, 5000, 30_000]

/** Maximum bytes of objects held for these checks; older writes are checked no more. */
const heldBytes = 32 * 1024 * 1024

/** Milliseconds for which a pack is kept after its collection has ended. */
const protectedMilliseconds = 60_000

/** Milliseconds after which git ignores the file of another collection. */
const longestCollection = 12 * 60 * 60 * 1000

/** Milliseconds for which a collection counts whose process is not seen here. */
const unseenCollection = 60 * 60 * 1000

/**
 * Returns true if `git gc` may be running. Source: git's builtin/gc.c, `gc.pid`: its process and host. Git names no more, so the number of
 * one in a container tells nothing here: a number that no git has counts for an hour, and where containers work on the repository as
 * long as git itself would wait. After a killed collection writes become packs for that time, or until the next collection.
 */
export function isCollecting({ commonDirectory }: Pick<Repository, 'commonDirectory'>): boolean {
  const path = join(commonDirectory, 'gc.pid')
  const [, pid, host] = /^(\d+) (\S+)/.exec(textOf(path)) ?? []
  if (pid === undefined) return false
  const time = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()
  if (Math.abs(Date.now() - time) > longestCollection) return false
  if (host !== hostname()) return true
  if (isOlderThanBoot(time)) return false
  if (isRunning(Number(pid)) && isGit(Number(pid))) return true
  return mayHaveContainers(commonDirectory) || Math.abs(Date.now() - time) < unseenCollection
}

/** Lets git collect our packs again when no running collection might prune their objects. */
export function releasePacks(repository: Repository): void {
  if (isCollecting(repository)) return
  const folder = join(repository.objectDirectory, 'pack')
  for (const name of namesIn(folder)) {
    const path = join(folder, name)
    if (!name.endsWith('.keep') || textOf(path) !== keepNote) continue
    if (Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) > protectedMilliseconds) removeFile(path)
  }
}

/** Protects the objects of a process's writes. Its timers keep no process alive. */
export class ObjectGuard {
  readonly #repository: Repository
  readonly #held = new Map<NewObjects, NodeJS.Timeout | null>()
  #heldBytes = 0

  constructor(repository: Repository) {
    this.#repository = repository
  }

  /** Writes objects and syncs them to disk. */
  async write(objects: NewObjects): Promise<void> {
    await objects.write(this.#repository.objectDirectory, { isKept: isCollecting(this.#repository) })
  }

  /**
   * Protects objects from a collection that began after they were written. Called under the branch's lock: a later collection
   * finds the branch moved.
   */
  keep(objects: NewObjects): void {
    if (isCollecting(this.#repository)) objects.keep(this.#repository.objectDirectory)
  }

  /** Writes objects again that were pruned before the branch named them, and goes on checking. */
  async secure(objects: NewObjects): Promise<void> {
    await this.#look(objects)
    this.#drop(objects)
    this.#held.set(objects, null)
    this.#heldBytes += objects.bytes
    this.#wait(objects, 0)
    for (const oldest of this.#held.keys()) {
      if (this.#heldBytes <= heldBytes) break
      this.#drop(oldest)
    }
  }

  /** Looks no longer. */
  end(): void {
    for (const objects of [...this.#held.keys()]) this.#drop(objects)
  }

  async #look(objects: NewObjects): Promise<void> {
    const { objectDirectory } = this.#repository
    if (!objects.areLoose(objectDirectory))
      await objects.rewrite(objectDirectory, { isKept: isCollecting(this.#repository) })
  }

  #wait(objects: NewObjects, at: number): void {
    const pause = checkDelays[at]
    if (pause === undefined) {
      this.#drop(objects)
      return
    }
    const timer = setTimeout(() => {
      // A full disk may have room at the next check.
      void this.#look(objects)
        .catch(() => {})
        .then(() => {
          if (this.#held.has(objects)) this.#wait(objects, at + 1)
        })
    }, pause)
    this.#held.set(objects, timer.unref())
  }

  #drop(objects: NewObjects): void {
    clearTimeout(this.#held.get(objects) ?? undefined)
    if (this.#held.delete(objects)) this.#heldBytes -= objects.bytes
  }
}

function textOf(path: string): string {
  try {
    return existsSync(path) ? readText(path, 'latin1') : ''
  } catch {
    return ''
  }
}
