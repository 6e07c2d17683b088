/** Refuses a commit with too many files before git reads it, because git collects them in its memory. */

import { parseTree, treeMode, treeOfCommit } from './objects.ts'
import { maxFiles, tooLarge } from './size-limits.ts'
import type { ReadObject } from './walk.ts'

/** Maximum number of trees that are read: a repository with more of them is as large as it seems. */
const maxTrees = 10_000

interface OpenTree {
  readonly hash: string
  readonly folders: readonly string[]
  /** Number of folders that were counted. */
  done: number
  /** Files and folders in it that were counted, at any depth. */
  count: number
}

/**
 * Counts the files and folders of a commit. Each tree is read once, however often it is contained in others. Errors: wiki-too-large,
 * those of `read`.
 */
export async function checkTreeSize(read: ReadObject, commit: string): Promise<void> {
  const counts = new Map<string, number>()
  const open: OpenTree[] = []
  const enter = async (hash: string): Promise<void> => {
    // Until it is counted: a tree that contains itself has no end.
    counts.set(hash, Number.POSITIVE_INFINITY)
    open.push(await openTree(read, hash))
  }
  await enter(treeOfCommit((await read(commit)).content))
  for (let top = open.at(-1); top !== undefined && counts.size < maxTrees; top = open.at(-1)) {
    const next = top.folders[top.done]
    const known = counts.get(next ?? '')
    if (next === undefined) counts.set(top.hash, (open.pop() as OpenTree).count)
    else if (known === undefined) await enter(next)
    else {
      top.done++
      top.count += known
      if (top.count > maxFiles) throw tooLarge(`the limit of ${maxFiles} files and folders`)
    }
  }
}

async function openTree(read: ReadObject, hash: string): Promise<OpenTree> {
  const entries = parseTree((await read(hash)).content)
  const folders = entries.filter(({ mode }) => mode === treeMode).map(entry => entry.hash)
  return { hash, folders, done: 0, count: entries.length }
}
