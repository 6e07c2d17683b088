/** The attributes files of a commit, for a branch that no work tree follows. */

import { blobAt } from '../../git/tree-file.ts'
import type { ReadObject } from '../../git/walk.ts'

/** A commit and a reader of its objects; `commit` null: there is none yet. */
export interface ReadTree {
  readonly commit: string | null
  readonly read: ReadObject
}

/** Returns the bytes of an attributes file at a commit; null if there is none. */
export async function tipAttributes({ commit, read }: ReadTree, path: string): Promise<Buffer | null> {
  if (commit === null) return null
  const blob = await blobAt(read, commit, path)
  return blob === null ? null : (await read(blob)).content
}
