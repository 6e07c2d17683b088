/** Finds the merge base of two commits. */

import { setImmediate as turn } from 'node:timers/promises'
import type { CommitHeader } from './backend.ts'
import { parseCommit } from './objects.ts'
import type { ReadObject } from './walk.ts'

/** Commits read between two yields to the event loop. */
const commitsAtOnce = 50

/** Maximum commits visited: both sides of a change are a small part of a history. */
const commitLimit = 200_000

/** Flags: reached by one side, the other, both; reached by a common ancestor. */
const [first, second, stale] = [1, 2, 4]
const both = first | second

/**
 * Returns the newest common commit of two commits, as `git merge-base` does; null if this clone has none, or may lack a newer one.
 * `shallow` contains the boundary commits of a shallow clone: they have no parents here.
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
  const walked = new Map<string, number>()
  const isFresh = ({ hash }: CommitHeader): boolean => (sides.get(hash)! & stale) === 0
  // Clock skew can make one candidate an ancestor of another, so with several candidates the walk continues.
  // A boundary commit of one side may hide a newer common commit, unless it is an ancestor of one, which the rest of the walk finds out.
  const cut: string[] = []
  const isOpen = (): boolean => queue.some(isFresh) || (found.length + cut.length > 1 && queue.length > 0)
  for (let count = 1; isOpen() && count <= commitLimit; count++) {
    if (count % commitsAtOnce === 0) await turn()
    const { hash, parents } = queue.pop()!
    const reached = sides.get(hash)!
    // A commit that both sides reach in one step is twice in the queue.
    if (walked.get(hash) === reached) continue
    walked.set(hash, reached)
    if (reached === both) found.push(hash)
    else if (reached < both && shallow.has(hash)) cut.push(hash)
    const passed = (reached & both) === both ? reached | stale : reached
    for (const parent of parents) {
      const before = sides.get(parent) ?? 0
      if ((before | passed) === before) continue
      sides.set(parent, before | passed)
      insert(queue, await headerOf(parent))
    }
  }
  if (cut.some(hash => sides.get(hash)! < both)) return null
  return found.find(hash => (sides.get(hash)! & stale) === 0) ?? null
}

/** Adds a commit to a queue whose newest one is last. */
function insert(queue: CommitHeader[], commit: CommitHeader): void {
  let [low, high] = [0, queue.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (queue[middle]!.time <= commit.time) low = middle + 1
    else high = middle
  }
  queue.splice(low, 0, commit)
}
