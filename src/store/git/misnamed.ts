/** Names of files that are not UTF-8. */

import { fileModes, parseTree, treeMode, treeOfCommit } from './objects.ts'
import type { ReadObject } from './walk.ts'

/** Returns true for a name, given as Latin-1, whose bytes are not UTF-8. */
export function isMisnamed(name: string): boolean {
  const bytes = Buffer.from(name, 'latin1')
  return !Buffer.from(bytes.toString('utf8')).equals(bytes)
}

/**
 * Finds files of a commit whose names are not UTF-8, among these paths with U+FFFD for the invalid bytes. Returns the bytes of
 * their paths as Latin-1. Each folder of theirs is read once.
 */
export async function misnamedPaths(read: ReadObject, commit: string, paths: readonly string[]): Promise<string[]> {
  const folders = new Set<string>()
  for (const path of paths)
    for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) folders.add(path.slice(0, at + 1))
  const found: string[] = []
  const queue = [{ tree: treeOfCommit((await read(commit)).content), prefix: '' }]
  for (let folder = queue.pop(); folder !== undefined; folder = queue.pop()) {
    for (const { mode, name, hash } of parseTree((await read(folder.tree)).content, 'latin1')) {
      const path = folder.prefix + name
      if (mode === treeMode && folders.has(`${Buffer.from(path, 'latin1').toString('utf8')}/`))
        queue.push({ tree: hash, prefix: `${path}/` })
      else if (fileModes.has(mode) && isMisnamed(path)) found.push(path)
    }
  }
  return found.sort()
}
