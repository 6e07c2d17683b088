/** One file of a commit, read without its neighbours. */

import { fileModes, findEntry, treeMode, treeOfCommit } from './objects.ts'
import type { ReadObject } from './walk.ts'

/** Hash of the blob at a path of a commit; null where there is none. */
export async function blobAt(read: ReadObject, commit: string, path: string): Promise<string | null> {
  const names = path.split('/')
  let tree = treeOfCommit((await read(commit)).content)
  for (const [depth, name] of names.entries()) {
    const isLast = depth === names.length - 1
    const entry = findEntry((await read(tree)).content, name)
    if (entry === null || (isLast ? !fileModes.has(entry.mode) : entry.mode !== treeMode)) return null
    if (isLast) return entry.hash
    tree = entry.hash
  }
  return null
}

/** Text of the file at a path of a commit; null where there is none. */
export async function readTreeFile(read: ReadObject, commit: string, path: string): Promise<string | null> {
  const blob = await blobAt(read, commit, path)
  return blob === null ? null : (await read(blob)).content.toString('utf8')
}
