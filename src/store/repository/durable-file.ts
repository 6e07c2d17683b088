/** Replaces files atomically: the new content is synced before it gets the name, which `namesSynced` syncs. */

import { closeSync, lstatSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { contentSynced, noteDurableName, noteName, syncContent } from '../../files/durable.ts'
import { showLife } from '../../files/life-sign.ts'
import { ownName } from '../../files/owner.ts'
import {
  copyFile,
  makeFolder,
  openFile,
  removeEmptyFolder,
  removeFile,
  renameOver,
  writeAll,
} from '../../files/private-files.ts'
import { clearLeftovers, pathBeside, takeLockFile } from './lock-file.ts'
import type { Repository } from './repository.ts'
import { hasSyncSettings, isSynced, knownVersion } from './sync-settings.ts'

/** Mode of a file that is not private, before the umask. */
const usualMode = 0o666

/** Replaces a file, with its final mode from the start. The caller awaits `namesSynced` when its locks are released. */
export function replaceDurably(
  path: string,
  text: string,
  { mode = usualMode }: { readonly mode?: number } = {},
): void {
  const temporary = pathBeside(path, '-new')
  // A file left by a killed process may have another mode.
  removeFile(temporary)
  try {
    const file = openFile(temporary, 'wx', mode)
    try {
      writeAll(file, text)
      syncContent(file)
    } finally {
      closeSync(file)
    }
    renameOver(temporary, path)
  } catch (error) {
    tryToRemove(temporary)
    throw error
  }
  noteDurableName(path)
}

/**
 * Replaces a file by what `change` makes of it, under its lock: of two processes that change it at once, each sees the other's change.
 * `change` reads the file itself and returns its new text, or null if nothing is to change; if it throws, the file stays. The folder must
 * exist. The caller awaits `namesSynced`. Errors: wiki-locked, and those of the system.
 */
export async function changeFile(
  path: string,
  change: () => string | null,
  options: { readonly mode?: number } = {},
): Promise<void> {
  clearLeftovers(path)
  const release = await takeLockFile(path)
  try {
    const text = change()
    if (text !== null) replaceDurably(path, text, options)
  } finally {
    release()
  }
}

/** Copies a file, and syncs the copy before it gets its name. */
export function copyDurably(from: string, to: string): void {
  const temporary = `${to}.tmp`
  try {
    copyFile(from, temporary)
    const file = openFile(temporary, 'r')
    try {
      syncContent(file)
    } finally {
      closeSync(file)
    }
    renameOver(temporary, to)
  } catch (error) {
    tryToRemove(temporary)
    throw error
  }
}

/** A file's new content, synced to disk under another name. */
export interface PreparedFile {
  /** Renames it to the file. */
  readonly publish: () => void
  /** Removes it, unless it was renamed. */
  readonly discard: () => void
}

/** Number of files that this process has prepared. */
let prepared = 0

/**
 * Writes a ref's new content beside `beside` and syncs it, together with everything else written in this turn of the event loop.
 */
export async function prepareFile(path: string, text: string, { beside = path } = {}): Promise<PreparedFile> {
  const temporary = pathBeside(beside, `-${++prepared}-new`)
  // It may have to wait for a lock: others see that it is not left behind.
  const endSign = onceOnly(showLife(dirname(temporary), ownName()))
  try {
    const file = openIn(temporary)
    try {
      writeAll(file, text)
      if (isSynced(path, 'reference')) await contentSynced(file)
    } finally {
      closeSync(file)
    }
  } catch (error) {
    tryToRemove(temporary)
    endSign()
    throw error
  }
  let isPublished = false
  const publish = () => {
    renameToRef(temporary, path)
    isPublished = true
    endSign()
  }
  const discard = () => {
    if (!isPublished) removeFile(temporary)
    endSign()
  }
  return { publish, discard }
}

function onceOnly(end: () => void): () => void {
  let isEnded = false
  return () => {
    if (!isEnded) end()
    isEnded = true
  }
}

/** Git leaves empty folders where refs below a name were, and removes them like this. Source: git's refs/files-backend.c. */
function renameToRef(from: string, to: string): void {
  try {
    renameOver(from, to)
  } catch (error) {
    if (lstatSync(to, { throwIfNoEntry: false })?.isDirectory() !== true) throw error
    removeEmptyFolder(to)
    renameOver(from, to)
  }
}

/** Removes what a failed write has left. Its own error is the one to report. */
function tryToRemove(path: string): void {
  try {
    removeFile(path)
  } catch {
    // The next process that opens the wiki removes it.
  }
}

/** Attempts to create a file in a folder that `git pack-refs` may remove while it is empty. */
const folderAttempts = 50

function openIn(path: string): number {
  for (let attempt = 0; ; attempt++) {
    try {
      return openFile(path, 'wx')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || attempt === folderAttempts) throw error
      makeFolder(dirname(path))
    }
  }
}

/** Milliseconds by which the time of a file system may be behind ours: some count in units of two seconds. */
const clockSlack = 2000

/**
 * To be called when a git has ended that writes. Git syncs contents (before 2.36 neither refs nor its index), but no names, and renames its lock
 * files while it holds others. Syncs contents that git has not, and notes the names that it has changed since a time, in milliseconds since 1970: those of refs, the
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
  if (!hasSyncSettings(knownVersion())) await Promise.all(files.map(fileSynced))
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
