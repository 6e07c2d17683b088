/**
 * A branch that moved past a work tree: a commit in a linked work tree, a push to here and `git update-ref` leave this work
 * tree's index unchanged, and its next `git commit` would revert them. HEAD's log shows the commit that the index belongs to.
 */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PathChange } from '../git/backend.ts'
import { compareCommits, type ReadObject } from '../git/walk.ts'
import { lastFollowed } from '../repository/head-log.ts'
import { refPath } from '../repository/ref-update.ts'
import { type Repository, readRef } from '../repository/repository.ts'

/** Polls until a git command that is moving HEAD has ended. A killed one leaves its lock; then the result is unknown. */
const maxChecks = 20

/** Milliseconds between two polls. */
const checkPause = 5

/** A branch that is at another commit than the index of a work tree. */
export interface WorkTreeLag {
  readonly from: string
  readonly to: string
}

/** Returns the commit from which the branch moved past the work tree; null if it did not, or if that is unknown. */
export async function workTreeLag(repository: Repository): Promise<WorkTreeLag | null> {
  for (let look = 0; look < maxChecks; look++) {
    const seen = lookAt(repository)
    if (seen === null || seen.from === seen.to) return null
    // Git writes the log and the branch one after the other, under these locks.
    const again = isMoving(repository) ? null : lookAt(repository)
    if (again?.from === seen.from && again.to === seen.to) return seen
    await sleep(checkPause)
  }
  return null
}

/** Lists the branch's changes on the way; empty if git has pruned the commit it left. */
export async function lagChanges(read: ReadObject, { from, to }: WorkTreeLag): Promise<readonly PathChange[]> {
  try {
    return await compareCommits(read, { from, to }, () => true)
  } catch {
    return []
  }
}

function lookAt(repository: Repository): WorkTreeLag | null {
  const to = readRef(repository, repository.branch)
  const from = to === null ? null : lastFollowed(repository, to)
  return to === null || from === null ? null : { from, to }
}

function isMoving(repository: Repository): boolean {
  return [refPath(repository), join(repository.gitDirectory, 'HEAD')].some(path => existsSync(`${path}.lock`))
}
