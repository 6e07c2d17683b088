/** Finds the commits that a tip reaches, and the merges that brought them in. */

import { setImmediate as turn } from 'node:timers/promises'
import { parseCommit } from './objects.ts'
import type { ReadObject } from './walk.ts'

interface Merge {
  readonly hash: string
  /** Its parents but for the first. */
  readonly sides: readonly string[]
}

/** Commits read between two yields to the event loop. */
const commitsAtOnce = 50

/**
 * Finds which of the wanted commits a tip reaches: each with the merge of the first-parent chain that brought it in, null for
 * those on the chain. Reads the whole history once, so it suits few commits that the index lacks.
 */
export async function findReached(
  read: ReadObject,
  tip: string,
  wanted: ReadonlySet<string>,
): Promise<Map<string, string | null>> {
  const found = new Map<string, string | null>()
  const seen = new Set<string>()
  const parentsOf = parentReader(read)
  const merges: Merge[] = []
  for (let at: string | undefined = tip; at !== undefined && !seen.has(at); ) {
    seen.add(at)
    if (wanted.has(at)) found.set(at, null)
    const [first, ...sides]: readonly string[] = await parentsOf(at)
    if (sides.length > 0) merges.push({ hash: at, sides })
    at = first
  }
  for (const merge of merges.reverse())
    for await (const commit of sideCommits(merge, seen, parentsOf))
      if (wanted.has(commit)) found.set(commit, merge.hash)
  return found
}

/** Finds which of the wanted commits any of the tips reaches, without reading past commits that reach none of them. */
export async function findReachedByAny(
  read: ReadObject,
  tips: ReadonlySet<string>,
  wanted: ReadonlySet<string>,
  reachesNone: (commit: string) => boolean,
): Promise<Set<string>> {
  const found = new Set<string>()
  const seen = new Set<string>()
  const parentsOf = parentReader(read)
  const left = [...tips]
  for (let at = left.pop(); at !== undefined && found.size < wanted.size; at = left.pop()) {
    if (seen.has(at)) continue
    seen.add(at)
    if (wanted.has(at)) found.add(at)
    if (!reachesNone(at)) left.push(...(await parentsOf(at)))
  }
  return found
}

/** Lists the commits that the tips reach before indexed ones, children first. Visits a bounded number of commits. */
export async function listAway(
  read: ReadObject,
  tips: ReadonlySet<string>,
  isIndexed: (commit: string) => boolean,
  limit = 5000,
): Promise<string[]> {
  const parentsOf = parentReader(read)
  const seen = new Set<string>()
  const left = [...tips]
  for (let at = left.shift(); at !== undefined && seen.size < limit; at = left.shift()) {
    if (seen.has(at) || isIndexed(at)) continue
    seen.add(at)
    left.push(...(await parentsOf(at)))
  }
  return [...seen]
}

/** Returns true if a commit descends from another. Visits a bounded number of commits, and returns false beyond. */
export async function descends(read: ReadObject, from: string, ancestor: string, limit = 5000): Promise<boolean> {
  const parentsOf = parentReader(read)
  const seen = new Set<string>()
  for await (const commit of sideCommits({ hash: from, sides: [from] }, seen, parentsOf)) {
    if (commit === ancestor) return true
    if (seen.size > limit) return false
  }
  return false
}

async function* sideCommits(
  { sides }: Merge,
  seen: Set<string>,
  parentsOf: (hash: string) => Promise<readonly string[]>,
): AsyncIterable<string> {
  const left = [...sides]
  for (let at = left.shift(); at !== undefined; at = left.shift()) {
    if (seen.has(at)) continue
    seen.add(at)
    yield at
    left.push(...(await parentsOf(at)))
  }
}

/** A commit that this clone lacks, as at the boundary of a shallow one, has no parents here. */
function parentReader(read: ReadObject): (hash: string) => Promise<readonly string[]> {
  let count = 0
  return async hash => {
    if (++count % commitsAtOnce === 0) await turn()
    return read(hash).then(
      object => parentsIn(hash, object),
      () => [],
    )
  }
}

/** An annotated tag leads to what it names. */
function parentsIn(hash: string, { type, content }: Awaited<ReturnType<ReadObject>>): readonly string[] {
  if (type === 'commit') return parseCommit(hash, content).parents
  const target = type === 'tag' ? /^object ([0-9a-f]{40})\n/.exec(content.toString('latin1'))?.[1] : undefined
  return target === undefined ? [] : [target]
}
