/**
 * The only file that syncs. Two rules make what is acknowledged survive a power failure:
 *
 * - Content is on the disk before it gets its name. Otherwise the name may come back with an empty file.
 * - Names (created, replaced, removed) are on the disk before a write is acknowledged, and are synced after all locks are released.
 *   A sync writes whatever changed in the file system before it, so a lock that stands would come back, too, empty and without an owner.
 *
 * Each function of `private-files.ts` and `replace-file.ts` that changes a name notes its folder here, and `namesSynced` syncs the
 * noted folders. What can be made again (caches, with checksums) is exempt: see `leaveUnsynced`.
 */

import { closeSync, constants, fsync, fsyncSync, openSync } from 'node:fs'
import { dirname, sep } from 'node:path'

/** State of the whole process. */
interface Names {
  /** Folders with names that may not be on the disk. */
  readonly changed: Set<string>
  /** Syncs that are not done. Their folders are not in `changed` any more, and others may rely on them. */
  readonly running: Set<Promise<void>>
  /** See `leaveUnsynced`. */
  readonly exempt: Set<string>
}

/** Each bundle of the command line contains this module: names that were changed in one are synced by all. */
const { changed, running, exempt } = namesOfProcess()

function namesOfProcess(): Names {
  const name = Symbol.for('gitwiki durable names')
  const shared = globalThis as { [name: symbol]: Names | undefined }
  shared[name] ??= { changed: new Set(), running: new Set(), exempt: new Set() }
  return shared[name]
}

/** From now on names in a folder, and below it, are not noted: what is there can be made again, or its owner wants no syncs. */
export function leaveUnsynced(folder: string): void {
  exempt.add(folder)
}

/** Ends that. */
export function syncAgain(folder: string): void {
  exempt.delete(folder)
}

/** Notes that a name was created, replaced or removed. */
export function noteName(path: string): void {
  const folder = dirname(path)
  if (!isExempt(folder)) changed.add(folder)
}

/** The same where the folder is exempt, for a file that cannot be made again. */
export function noteDurableName(path: string): void {
  changed.add(dirname(path))
}

function isExempt(folder: string): boolean {
  for (const one of exempt) if (isWithin(folder, one)) return true
  return false
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder + sep) || path.startsWith(`${folder}/`)
}

/**
 * Resolves when all names that this process has changed before the call are on the disk; with a folder, those in it and below it.
 * Rejects with the system's error: then they may or may not be. The caller has released its locks.
 */
export async function namesSynced(within?: string): Promise<void> {
  const folders = [...changed].filter(folder => within === undefined || isWithin(folder, within))
  for (const folder of folders) changed.delete(folder)
  for (const folder of folders) {
    const sync: Promise<void> = folderSynced(folder).finally(() => running.delete(sync))
    running.add(sync)
  }
  // Also those of other callers: a folder that they have taken is not on the disk before its sync is done.
  await Promise.all(running)
}

async function folderSynced(folder: string): Promise<void> {
  try {
    const file = openFolder(folder)
    if (file !== null) await contentSynced(file).finally(() => closeSync(file))
  } catch (error) {
    if (cannotSync(error)) return
    // The next write must not be acknowledged either, unless it can be synced then.
    changed.add(folder)
    throw error
  }
}

/**
 * Syncs a folder now: its names must be on the disk before something else gets one. Not while a lock of git's stands. Throws the
 * system's error.
 */
export function syncFolder(folder: string): void {
  const file = openFolder(folder)
  if (file === null) return
  try {
    fsyncSync(file)
    changed.delete(folder)
  } catch (error) {
    if (!cannotSync(error)) throw error
  } finally {
    closeSync(file)
  }
}

/**
 * Null if it cannot be synced. One that is gone has its own name in the folder above it; one that its user may change but not read
 * cannot be opened.
 */
function openFolder(folder: string): number | null {
  try {
    return openSync(folder, constants.O_RDONLY | (constants.O_DIRECTORY ?? 0))
  } catch (error) {
    if (unopened.has((error as NodeJS.ErrnoException).code ?? '') || cannotSync(error)) return null
    throw error
  }
}

const unopened: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'EACCES'])

/**
 * Errors of systems that cannot sync a folder. Linux: EINVAL (some FUSE and network file systems), ENOSYS, ENOTSUP. Windows, whose
 * file systems order renames themselves, cannot flush one that is open for reading. Any other error, such as EIO, means that
 * names may be lost. Source: fsync(2), FlushFileBuffers.
 */
const withoutFolderSync: ReadonlySet<string> = new Set([
  'EINVAL',
  'ENOSYS',
  'ENOTSUP',
  'EOPNOTSUPP',
  ...(sep === '\\' ? ['EISDIR', 'EPERM', 'EACCES', 'EBADF'] : []),
])

function cannotSync(error: unknown): boolean {
  return withoutFolderSync.has((error as NodeJS.ErrnoException).code ?? '')
}

/** Returns when the content of an open file is on the disk. Throws the system's error. */
export function syncContent(file: number): void {
  fsyncSync(file)
}

/** Open files that are about to be synced, with the callbacks for the result. */
let unsynced: { readonly file: number; readonly done: (error: Error | null) => void }[] = []

/**
 * Resolves when the content of an open file is on the disk. Files requested in one turn of the event loop are synced together
 * at its end: all of them are written before the first sync starts, so the file system needs only one transaction.
 */
export function contentSynced(file: number): Promise<void> {
  return new Promise((resolve, reject) => {
    if (unsynced.length === 0) setImmediate(syncTogether)
    unsynced.push({ file, done: error => (error === null ? resolve() : reject(error)) })
  })
}

function syncTogether(): void {
  const files = unsynced
  unsynced = []
  for (const { file, done } of files) fsync(file, done)
}
