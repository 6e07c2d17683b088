/** Records the branches that servers of this repository serve, each in a file named after the server's process. */

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder, removeFile, writeFile } from '../../files/private-files.ts'
import { readText } from '../../files/read-file.ts'
import type { Repository } from './repository.ts'

/** Records that this process serves the repository's branch; returns a function that removes the record. */
export function announceServing({
  commonDirectory,
  branch,
}: Pick<Repository, 'commonDirectory' | 'branch'>): () => void {
  const file = join(folderOf(commonDirectory), `${process.pid}`)
  try {
    makeFolder(folderOf(commonDirectory))
    writeFile(file, `${branch}\n`)
  } catch {
    // A read-only wiki can be served all the same.
  }
  return () => removeFile(file)
}

/** Lists the branches of running servers, full names, each once. */
export function servedBranches(commonDirectory: string): string[] {
  const branches = new Set<string>()
  for (const name of namesIn(folderOf(commonDirectory))) {
    const file = join(folderOf(commonDirectory), name)
    if (isRunning(Number(name))) branches.add(readText(file).trim())
  }
  return [...branches].toSorted()
}

function folderOf(commonDirectory: string): string {
  return join(commonDirectory, 'wiki', '.serving')
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter(name => /^\d+$/.test(name))
  } catch {
    return []
  }
}

/** A process of another user may be running although it cannot be signalled. */
function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
