/**
 * Makes durable what a git that has ended wrote: it syncs contents (`core.fsync=all`), but no names, and renames its lock files while it
 * holds others. Before 2.36 it syncs packs, and loose objects if asked to: refs and its index are synced here.
 */

import { closeSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { contentSynced, noteName } from '../../files/durable.ts'
import { openFile } from '../../files/private-files.ts'
import { hasSyncSettings } from '../repository/process.ts'
import type { Repository } from '../repository/repository.ts'

/** Milliseconds by which the time of a file system may be behind ours: some count in units of two seconds. */
const clockSlack = 2000

/**
 * Syncs contents that git has not, and notes the names that it has changed since a time, in milliseconds since 1970: those of refs, the
 * index and objects. The caller awaits `namesSynced`. Throws the system's error.
 */
export async function noteGitWrites(repository: Repository, since: number): Promise<void> {
  const { gitDirectory, commonDirectory, objectDirectory, branch } = repository
  const ref = join(branch === 'HEAD' ? gitDirectory : commonDirectory, branch)
  const files = [
    ref,
    join(commonDirectory, 'packed-refs'),
    ...['index', 'HEAD', 'config'].map(name => join(gitDirectory, name)),
  ]
  if (!hasSyncSettings()) await Promise.all(files.map(fileSynced))
  for (const file of files) noteName(file)
  for (const folder of objectFolders(objectDirectory)) if (isChanged(folder, since)) noteName(join(folder, 'any'))
}

async function fileSynced(path: string): Promise<void> {
  const file = openIfThere(path)
  if (file !== null) await contentSynced(file).finally(() => closeSync(file))
}

function openIfThere(path: string): number | null {
  try {
    return openFile(path, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** The folders that objects are in, and the one above them. */
function objectFolders(objectDirectory: string): string[] {
  const numbers = Array.from({ length: 256 }, (_, at) => at.toString(16).padStart(2, '0'))
  return [objectDirectory, ...['pack', 'info', ...numbers].map(name => join(objectDirectory, name))]
}

function isChanged(folder: string, since: number): boolean {
  return (statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0) >= since - clockSlack
}
