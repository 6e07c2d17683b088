/** The attributes files of a commit, for a branch that no work tree follows, and for folders that the work tree lacks. */

import { fileModes, findEntry, type TreeEntry, treeMode, treeOfCommit } from '../../git/objects.ts'
import type { ReadObject } from '../../git/walk.ts'

/** A commit and a reader of its objects; `commit` null: there is none yet. */
export interface ReadTree {
  readonly commit: string | null
  readonly read: ReadObject
}

/** Maximum folders whose trees are remembered. */
const folderLimit = 20_000

/**
 * Returns a function that reads attributes files of a commit by path: their bytes, null if there is none. The tree of a folder is found
 * from that of its parent, so that all files on the way to a deep folder take time in proportion to its depth.
 */
export function tipAttributes({ commit, read }: ReadTree): (path: string) => Promise<Buffer | null> {
  const trees = new Map<string, Promise<string | null>>()

  async function entryAt(path: string): Promise<TreeEntry | null> {
    const slash = path.lastIndexOf('/')
    const tree = await treeAt(slash < 0 ? '' : path.slice(0, slash))
    if (tree === null) return null
    return findEntry((await read(tree)).content, path.slice(slash + 1)) ?? null
  }

  function treeAt(folder: string): Promise<string | null> {
    const cached = trees.get(folder)
    if (cached !== undefined) return cached
    if (trees.size >= folderLimit) trees.clear()
    const tree = findTree(folder)
    trees.set(folder, tree)
    return tree
  }

  async function findTree(folder: string): Promise<string | null> {
    if (folder === '') return commit === null ? null : treeOfCommit((await read(commit)).content)
    const entry = await entryAt(folder)
    return entry?.mode === treeMode ? entry.hash : null
  }

  return async path => {
    const entry = await entryAt(path)
    return entry !== null && fileModes.has(entry.mode) ? (await read(entry.hash)).content : null
  }
}
