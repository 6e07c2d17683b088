/** The commit at which two lines of history parted. */

import { setImmediate as turn } from 'node:timers/promises'
import type { CommitHeader } from './backend.ts'
import { parseCommit } from './objects.ts'
import type { ReadObject } from './walk.ts'

/** Commits that are read before others have their turn. */
const commitsAtOnce = 50

/** Commits that are looked at, at most: both sides of a change are a small part of a history. */
const commitLimit = 200_000

/** Sides that reach a commit: one, the other, both; and what a common ancestor reaches. */
const [first, second, stale] = [1, 2, 4]
const both = first | second

/**
 * Returns the newest commit that two commits have in common, as `git merge-base` does; null where they have none in this clone.
 * `shallow` has the commits at which a shallow clone is cut off: they have no parents here.
 */
export async function mergeBase(
  { read, shallow }: { readonly read: ReadObject; readonly shallow: ReadonlySet<string> },
  one: string,
  other: string,
): Promise<string | null> {
  const headerOf = async (hash: string): Promise<CommitHeader> => {
    const commit = parseCommit(hash, (await read(hash)).content)
    return shallow.has(hash) ? { ...commit, parents: [] } : commit
  }
  const sides = new Map([[one, first]])
  sides.set(other, (sides.get(other) ?? 0) | second)
  const queue: CommitHeader[] = []
  for (const hash of sides.keys()) insert(queue, await headerOf(hash))
  const found: string[] = []
  const isFresh = ({ hash }: CommitHeader): boolean => (sides.get(hash)! & stale) === 0
  // Clock skew can make one candidate an ancestor of another, so with several candidates the walk continues.
  const isOpen = (): boolean => queue.some(isFresh) || (found.length > 1 && queue.length > 0)
  for (let count = 1; isOpen() && count <= commitLimit; count++) {
    if (count % commitsAtOnce === 0) await turn()
    const { hash, parents } = queue.pop()!
    const reached = sides.get(hash)!
    if (reached === both) found.push(hash)
    const passed = (reached & both) === both ? reached | stale : reached
    for (const parent of parents) {
      const known = sides.get(parent) ?? 0
      if ((known | passed) === known) continue
      sides.set(parent, known | passed)
      insert(queue, await headerOf(parent))
    }
  }
  return found.find(hash => (sides.get(hash)! & stale) === 0) ?? null
}

/** Adds a commit to a queue whose newest one stands at the end. */
function insert(queue: CommitHeader[], commit: CommitHeader): void {
  let [low, high] = [0, queue.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (queue[middle]!.time <= commit.time) low = middle + 1
    else high = middle
  }
  queue.splice(low, 0, commit)
}
