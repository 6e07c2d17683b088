/** Records the branches that servers of this repository serve, each in a file named after the server's process. */

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder, removeFile, writeFile } from '../../files/private-files.ts'
import { readText } from '../../files/read-file.ts'
import { isRunning } from './lock-file.ts'
import type { Repository } from './repository.ts'

/** Records that this process serves the repository's branch; returns a function that removes the record. */
export function announceServing({
  commonDirectory,
  branch,
}: Pick<Repository, 'commonDirectory' | 'branch'>): () => void {
  const file = join(folderOf(commonDirectory), `${process.pid}`)
  try {
    makeFolder(folderOf(commonDirectory))
    writeFile(file, `${branch}\n${startOf(process.pid)}\n`)
  } catch {
    // A read-only wiki can be served all the same.
  }
  return () => removeFile(file)
}

/** Lists the branches of running servers, full names, each once. */
export function servedBranches(commonDirectory: string): string[] {
  const folder = folderOf(commonDirectory)
  const branches = namesIn(folder).flatMap(name => branchOf(join(folder, name), Number(name)) ?? [])
  return [...new Set(branches)].toSorted()
}

/** Returns the branch in a server's file; null if the server has ended, also while this reads, or was killed. */
function branchOf(file: string, pid: number): string | null {
  if (!isRunning(pid)) return null
  try {
    const [branch = '', start = ''] = readText(file).split('\n')
    return branch !== '' && start === startOf(pid) ? branch : null
  } catch {
    return null
  }
}

/**
 * Start of a process, in ticks since the machine started: another process that got the number of a killed one has another. "" where
 * the system does not tell. Source: proc_pid_stat(5), field 22.
 */
function startOf(pid: number): string {
  try {
    // The second field is the program's name in parentheses, and may contain any character.
    return readText(`/proc/${pid}/stat`).replace(/^.*\)/s, '').split(' ')[20] ?? ''
  } catch {
    return ''
  }
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
