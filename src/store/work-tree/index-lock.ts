/**
 * The lock of git's index. `git switch`, `git commit` and others release it when the index is written, and move HEAD or its
 * branch after that. A process that takes the lock in between sees an index that belongs to no HEAD yet, so that moment is waited
 * out.
 */

import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { treeOfCommit } from '../git/objects.ts'
import type { ReadObject } from '../git/walk.ts'
import { type Checkout, hasBranch } from '../repository/checkouts.ts'
import { takeLockFile } from '../repository/lock-file.ts'
import { readRef } from '../repository/repository.ts'
import { cacheTreeOf } from './staging-file.ts'

/** Milliseconds to wait for a git command that holds the index: a switch of branches writes many files. */
const waitMilliseconds = 10_000

/** Milliseconds between two polls of an index that is not locked. */
const checkPause = 5

/** Milliseconds after which an index that matches no HEAD counts as abandoned: staged work, or a killed git. */
const betweenMilliseconds = 200

/**
 * Locks git's index of a work tree when no git command stands between its index and its HEAD. Throws `wiki-locked`. This is also
 * checked before the lock is taken: `git revert` writes the index and locks it again to commit, does not wait for the lock, and
 * would leave its changes staged.
 */
export async function lockIndex(checkout: Checkout, read: ReadObject): Promise<() => void> {
  for (;;) {
    await waitForHead(checkout, read)
    const release = await takeLockFile(join(checkout.gitDirectory, 'index'), { wait: waitMilliseconds })
    try {
      if (!(await isBetween(checkout, read))) return release
    } catch (error) {
      release()
      throw error
    }
    release()
  }
}

/** Polls while a command of git holds the lock of the index. */
const commandLooks = 20

/**
 * Waits until no git command stands between its index and its HEAD or, for a tenth of a second, holds the lock; returns the state of
 * both. It is another one after the next command.
 */
export async function settledState(checkout: Checkout, read: ReadObject): Promise<string> {
  const path = join(checkout.gitDirectory, 'index')
  for (let look = 0; look < commandLooks && existsSync(`${path}.lock`); look++) await sleep(checkPause)
  await waitForHead(checkout, read)
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false })
  return `${stat?.ino} ${stat?.mtimeNs} ${hasBranch(checkout)} ${readRef(checkout, 'HEAD')}`
}

async function waitForHead(checkout: Checkout, read: ReadObject): Promise<void> {
  while (await isBetween(checkout, read)) await sleep(checkPause)
}

/**
 * Locks git's index of all work trees, in order. One that cannot be locked (its disk is read-only, or it is another user's) is
 * skipped if it has another branch. Throws `wiki-locked`.
 */
export async function lockIndexes(checkouts: readonly Checkout[], read: ReadObject): Promise<() => void> {
  const releases: (() => void)[] = []
  const release = () => {
    for (const one of releases.reverse()) one()
  }
  try {
    for (const checkout of checkouts) {
      const lock = await lockIndex(checkout, read).catch(error => {
        if ((error as NodeJS.ErrnoException).code === undefined || hasBranch(checkout)) throw error
      })
      if (lock !== undefined) releases.push(lock)
    }
    return release
  } catch (error) {
    release()
    throw error
  }
}

/** Milliseconds that a switch to the branch may take from writing the index to moving HEAD. */
const switchMilliseconds = 10_000

/**
 * Returns true if `git switch` is in progress: HEAD names another branch, but a fresh index holds exactly this commit, and HEAD
 * follows next. The caller holds the lock of the index.
 */
export async function isSwitchingTo(checkout: Checkout, commit: string, read: ReadObject): Promise<boolean> {
  const path = join(checkout.gitDirectory, 'index')
  if (ageOf(path) > switchMilliseconds) return false
  const tree = cacheTreeOf(path)
  const head = readRef(checkout, 'HEAD')
  if (tree === null || head === null || head === commit) return false
  return tree === (await treeOf(read, commit)) && tree !== (await treeOf(read, head))
}

/**
 * Returns true if git has just written the whole index for another commit than HEAD's. Git stores the tree in the index; the wiki
 * omits it.
 */
async function isBetween(checkout: Checkout, read: ReadObject): Promise<boolean> {
  const path = join(checkout.gitDirectory, 'index')
  if (ageOf(path) > betweenMilliseconds) return false
  const tree = cacheTreeOf(path)
  const head = tree === null ? null : readRef(checkout, 'HEAD')
  return head !== null && tree !== (await treeOf(read, head))
}

/** Milliseconds since the file was written, also if another machine's clock is ahead; very many if there is none. */
function ageOf(path: string): number {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat === undefined ? Number.POSITIVE_INFINITY : Math.abs(Date.now() - stat.mtimeMs)
}

async function treeOf(read: ReadObject, commit: string): Promise<string> {
  return treeOfCommit((await read(commit)).content)
}
