/** Records the branches that servers of this repository serve, each in a file named after the server's process. */

import { join } from 'node:path'
import { showLife } from '../../files/life-sign.ts'
import { isLeftBehind, ownName } from '../../files/owner.ts'
import { makeFolder, removeFile, writeFile } from '../../files/private-files.ts'
import { namesIn, readText } from '../../files/read-file.ts'
import type { Repository } from './repository.ts'

/** Records that this process serves the repository's branch; returns a function that removes the record. */
export function announceServing({
  commonDirectory,
  branch,
}: Pick<Repository, 'commonDirectory' | 'branch'>): () => void {
  const folder = folderOf(commonDirectory)
  const file = join(folder, ownName())
  const endSign = showLife(commonDirectory, ownName())
  try {
    makeFolder(folder)
    for (const name of namesIn(folder))
      if (isLeftBehind(join(folder, name), name, folder)) removeFile(join(folder, name))
    writeFile(file, `${branch}\n`)
  } catch {
    // A read-only wiki can be served all the same.
  }
  return () => {
    try {
      removeFile(file)
    } catch {
      // The disk may have become read-only. The file means nothing when this process is dead.
    }
    endSign()
  }
}

/** Lists the branches of servers that are not known to be dead, full names, each once. */
export function servedBranches(commonDirectory: string): string[] {
  const folder = folderOf(commonDirectory)
  const branches = namesIn(folder).flatMap(name => branchOf(join(folder, name), name, folder) ?? [])
  return [...new Set(branches)].toSorted()
}

/** Returns the branch in a server's file; null if the server has ended, also while this reads, or was killed. */
function branchOf(file: string, name: string, folder: string): string | null {
  if (isLeftBehind(file, name, folder)) return null
  try {
    return readText(file).split('\n')[0] || null
  } catch {
    return null
  }
}

function folderOf(commonDirectory: string): string {
  return join(commonDirectory, 'wiki', '.serving')
}
