/**
 * The lock of git's index. `git switch`, `git commit` and others free it when the index is written, and move HEAD or its branch
 * after that. Who takes the lock in between sees an index that belongs to no HEAD yet, so that moment is waited out.
 */

import { statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { treeOfCommit } from '../git/objects.ts'
import type { ReadObject } from '../git/walk.ts'
import { type Checkout, hasBranch } from '../repository/checkouts.ts'
import { takeLockFile } from '../repository/lock-file.ts'
import { readRef } from '../repository/repository.ts'
import { cacheTreeOf } from './staging.ts'

/** Milliseconds that a git command which holds the index is waited for: a switch of branches writes many files. */
const waitMilliseconds = 10_000

/** Milliseconds between two looks at an index that is not locked. */
const lookPause = 5

/** Milliseconds after which an index that agrees with no HEAD is what somebody left: staged work, or a git that was killed. */
const betweenMilliseconds = 200

/**
 * Locks git's index of a work tree, when no git command stands between its index and its HEAD. Throws `wiki-locked`. The look comes
 * before the lock, too: `git revert` writes the index and locks it again to commit, does not wait for the lock, and would leave
 * what it staged.
 */
export async function lockIndex(checkout: Checkout, read: ReadObject): Promise<() => void> {
  for (;;) {
    while (await isBetween(checkout, read)) await sleep(lookPause)
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

/**
 * Locks git's index of all work trees, in their order. One that cannot be locked (its disk is read-only, or another user's) is passed over
 * where it has another branch. Throws `wiki-locked`.
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

/** Milliseconds that a switch to the branch may take from its writing of the index to its move of HEAD. */
const switchMilliseconds = 10_000

/**
 * Tells if `git switch` is in progress: HEAD names another branch, but a fresh index holds exactly this commit, and
 * HEAD follows next. The caller holds the lock of the index.
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
 * Tells if git has just written the whole index for another commit than HEAD's. Git stores the tree in the index, and
 * ours leave it out.
 */
async function isBetween(checkout: Checkout, read: ReadObject): Promise<boolean> {
  const path = join(checkout.gitDirectory, 'index')
  if (ageOf(path) > betweenMilliseconds) return false
  const tree = cacheTreeOf(path)
  const head = readRef(checkout, 'HEAD')
  return tree !== null && head !== null && tree !== (await treeOf(read, head))
}

/** Milliseconds since the file was written, also where another machine's clock is ahead; far in the past where there is none. */
function ageOf(path: string): number {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat === undefined ? Number.POSITIVE_INFINITY : Math.abs(Date.now() - stat.mtimeMs)
}

async function treeOf(read: ReadObject, commit: string): Promise<string> {
  return treeOfCommit((await read(commit)).content)
}
