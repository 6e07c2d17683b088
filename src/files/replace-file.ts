/**
 * Changes files of a work tree that other programs may change at the same time. The old file is first moved aside,
 * compared, and moved back if it is not the file that was read. Its replacement never overwrites anything. So at every
 * moment all content has a name, and the journal records these names. New content is synced before it gets the file's name: after a
 * power failure the file would be empty otherwise, and the next `git commit -a` would record that.
 */

import {
  closeSync,
  constants,
  fchmodSync,
  linkSync,
  lstatSync,
  openSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { contentSynced, noteName } from './durable.ts'
import { whileHeld } from './held-file.ts'
import { keepReplaced } from './replaced-files.ts'
import { holdParent, readRegular, type WorkFile, type WorkTree } from './work-file.ts'

/** A change to one file. */
export interface FileChange {
  /** The file as it was read; null if it did not exist. */
  readonly found: WorkFile | null
  /** New content; null removes the file. */
  readonly content: Uint8Array | null
  /** Random part of the names that this change uses. The journal records it before the first of them exists. */
  readonly id: string
  /** Folder for the old file, which other programs may still have open: see `replaced-files.ts`. Without it the file is deleted. */
  readonly replaced?: string | undefined
  /** Another spelling of the path, which the disk treats as equal and the new content gets. */
  readonly as?: string | undefined
}

/** Takes an old file away, from the path where it is now. */
type TakeAway = (from: string, found: WorkFile) => void

/** The paths of one change. */
interface ChangePaths {
  readonly file: string
  /** Path that the new content gets. */
  readonly placed: string
  /** Path of the new content until it is in place. */
  readonly temporary: string
  /** Path to which the old file is moved. */
  readonly aside: string
  /** Path of our own content if it had to be moved out again. */
  readonly away: string
  /** Returns names for content that has no other place. */
  readonly kept: (attempt: number) => string
}

/** Mode of new files, before the umask. */
const usualMode = 0o666

/**
 * Writes the new content of a file beside it, if there is one and a folder for it; resolves when it is on the disk. Those of one turn of the
 * event loop are synced together. Throws the system's error.
 */
export async function writeBeside(tree: WorkTree, path: string, { found, content, id }: FileChange): Promise<void> {
  const held = content === null ? 'absent' : holdParent(tree, path, found === null)
  if (content === null || typeof held === 'string') return
  let file: number
  try {
    file = writeNew(pathsOf(held.folder.at, held.name, id).temporary, content, modeFor(found))
  } finally {
    held.folder.release()
  }
  await contentSynced(file).finally(() => closeSync(file))
}

/**
 * Changes a file if it is still as it was read, to the content that `writeBeside` has written. Otherwise returns false and leaves the other program's file. If other
 * programs wrote two versions meanwhile, the newer one keeps the name, and the older one is renamed to
 * `<name>.kept-<random>` in the same folder. Throws the system's error if a file cannot be written; the file is then
 * unchanged.
 */
export function changeFile(
  tree: WorkTree,
  path: string,
  { found, content, id, replaced, as = path }: FileChange,
): boolean {
  const isNew = found === null
  const held = holdParent(tree, path, isNew && content !== null)
  if (typeof held === 'string') return held === 'absent' && content === null && found === null
  const { folder, name } = held
  let isDone: boolean
  try {
    const placed = as.slice(as.lastIndexOf('/') + 1)
    const paths = { ...pathsOf(folder.at, name, id), placed: folder.at(placed) }
    const takeAway = takerTo(replaced, path)
    if (content !== null) isDone = found === null ? place(paths) : replace(paths, found, content, takeAway)
    else isDone = found === null || remove(paths, found, takeAway)
    isDone &&= folder.isSame()
  } finally {
    folder.release()
    noteNames(tree, path, isNew || content === null)
  }
  if (isDone && content === null) removeEmptyFolders(tree, path)
  return isDone
}

function takerTo(folder: string | undefined, path: string): TakeAway {
  return (from, found) => {
    if (folder === undefined || !keepReplaced(folder, from, { path, found })) unlinkSync(from)
  }
}

/** Notes that names have changed in the file's folder, and with the folders of a new or removed file in those above it. */
function noteNames({ top }: WorkTree, path: string, withFolders: boolean): void {
  noteName(join(top, path))
  const names = path.split('/')
  if (withFolders) for (let depth = names.length - 1; depth > 0; depth--) noteName(join(top, ...names.slice(0, depth)))
}

function pathsOf(at: (name: string) => string, name: string, id: string): ChangePaths {
  // A name has at most 255 bytes.
  const copyName = `${Buffer.from(name).subarray(0, 200).toString()}.kept-${id.slice(0, 8)}`
  return {
    file: at(name),
    placed: at(name),
    temporary: at(`.wiki-${id}.tmp`),
    aside: at(`.wiki-${id}.old`),
    away: at(`.wiki-${id}.away`),
    kept: attempt => at(attempt === 0 ? copyName : `${copyName}-${attempt}`),
  }
}

function place(paths: ChangePaths): boolean {
  const isPlaced = placeTemporary(paths)
  removeIf(paths.temporary)
  return isPlaced
}

function placeTemporary(paths: ChangePaths): boolean {
  try {
    return linkNew(paths.temporary, paths.placed)
  } catch (error) {
    if (isSystemError(error)) removeIf(paths.temporary)
    throw error
  }
}

function replace(paths: ChangePaths, found: WorkFile, content: Uint8Array, takeAway: TakeAway): boolean {
  if (!takeAside(paths, found)) {
    removeIf(paths.temporary)
    return false
  }
  let isPlaced: boolean
  try {
    isPlaced = placeTemporary(paths)
  } catch (error) {
    if (isSystemError(error)) giveBack(paths.aside, paths)
    throw error
  }
  const isUntouched = dropAside(paths, found, { placed: isPlaced ? content : null, takeAway })
  removeIf(paths.temporary)
  return isPlaced && isUntouched
}

function remove(paths: ChangePaths, found: WorkFile, takeAway: TakeAway): boolean {
  if (!takeAside(paths, found)) return false
  return dropAside(paths, found, { placed: null, takeAway })
}

/** Moves the file aside if it is the one that was read. Any other file is moved back. */
function takeAside(paths: ChangePaths, found: WorkFile): boolean {
  if (!holds(paths.file, found.content)) return false
  try {
    renameSync(paths.file, paths.aside)
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return false
    throw error
  }
  const isSame = holds(paths.aside, found.content)
  if (!isSame) giveBack(paths.aside, paths)
  return isSame
}

/**
 * Takes the old file away, unless a program wrote to it meanwhile. In that case it is restored, and our new file `placed`
 * is removed.
 */
function dropAside(
  paths: ChangePaths,
  found: WorkFile,
  { placed, takeAway }: { readonly placed: Uint8Array | null; readonly takeAway: TakeAway },
): boolean {
  if (removeSame(paths.aside, found, takeAway)) return true
  const isOurs = (file: string) => placed !== null && holds(file, placed)
  makeRoom(paths, isOurs)
  giveBack(paths.aside, paths)
  if (isOurs(paths.away)) unlinkSync(paths.away)
  else if (exists(paths.away)) giveBack(paths.away, paths)
  return false
}

/** Takes a file away if it is as it was read. It is held before, because nothing may come between the comparison and that. */
function removeSame(path: string, found: WorkFile, takeAway: TakeAway): boolean {
  return whileHeld(path, () => {
    if (!holds(path, found.content)) return false
    takeAway(path, found)
    return true
  })
}

/** Moves the file away if it may be deleted. Any other file keeps its name. */
function makeRoom(paths: ChangePaths, isOurs: (file: string) => boolean): void {
  if (!isOurs(paths.file)) return
  try {
    renameSync(paths.file, paths.away)
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return
    throw error
  }
  if (!isOurs(paths.away)) giveBack(paths.away, paths)
}

/** Moves a file to the original name or, if that is taken, to a free name beside it. */
function giveBack(from: string, paths: ChangePaths): void {
  for (let attempt = 0, to = paths.file; !giveName(from, to); attempt++) to = paths.kept(attempt)
}

/** Moves a file, link or folder to a free name. Returns false if the name is taken. */
function giveName(from: string, to: string): boolean {
  const stat = lstatSync(from)
  try {
    if (stat.isFile()) return linkNew(from, to) && removeIf(from)
    if (stat.isSymbolicLink()) {
      symlinkSync(readlinkSync(from), to)
      return removeIf(from)
    }
  } catch (error) {
    if (isSystemError(error, 'EEXIST')) return false
    if (!isSystemError(error)) throw error
  }
  return renameNew(from, to)
}

/** A killed change. */
export interface Recovery extends Pick<FileChange, 'id' | 'replaced'> {
  readonly mayDelete: (content: Buffer) => boolean
}

/**
 * Completes a killed change: deletes the content that was about to be placed, and moves the old file back. `mayDelete`
 * recognises contents that may be deleted: the old one, and the one to be placed.
 */
export function recoverFile(tree: WorkTree, path: string, { id, mayDelete, replaced }: Recovery): void {
  const held = holdParent(tree, path, false)
  if (typeof held === 'string') return
  try {
    const paths = pathsOf(held.folder.at, held.name, id)
    const isOurs = (file: string) => {
      const reading = readRegular(file)
      return reading !== null && typeof reading === 'object' && mayDelete(reading.content)
    }
    removeIf(paths.temporary)
    const takeAway = takerTo(replaced, path)
    for (const from of [paths.aside, paths.away]) recoverAside(from, paths, { isOurs, takeAway })
  } finally {
    held.folder.release()
    noteNames(tree, path, false)
  }
}

function recoverAside(
  from: string,
  paths: ChangePaths,
  { isOurs, takeAway }: { readonly isOurs: (file: string) => boolean; readonly takeAway: TakeAway },
): void {
  if (!exists(from)) return
  if (isOurs(from)) {
    const found = readRegular(from)
    if (!exists(paths.file) && giveName(from, paths.file)) return
    if (found !== null && typeof found === 'object') takeAway(from, found)
    return
  }
  if (from === paths.aside && !exists(paths.away)) makeRoom(paths, isOurs)
  giveBack(from, paths)
}

function exists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}

/** Returns true if the path is a regular file with exactly this content. */
function holds(path: string, content: Uint8Array): boolean {
  const reading = readRegular(path, content.length)
  return reading !== null && typeof reading === 'object' && reading.content.equals(content)
}

/** The mode of the file that was read, regardless of the umask; null for that of a new file. */
function modeFor(found: WorkFile | null): number | null {
  return found === null ? null : Number(found.stat.mode) & 0o777
}

/** Creates a file with its whole content; returns it open. A given mode ignores the umask. */
function writeNew(path: string, content: Uint8Array, mode: number | null): number {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0)
  const handle = openSync(path, flags, mode === null ? usualMode : mode & 0o600)
  try {
    for (let at = 0; at < content.length; ) at += writeSync(handle, content, at)
    if (mode !== null) fchmodSync(handle, mode)
    return handle
  } catch (error) {
    closeSync(handle)
    unlinkSync(path)
    throw error
  }
}

/** Errors of file systems without hard links. Windows reports EISDIR. */
const withoutLinks = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EISDIR', 'EMLINK'] as const

/**
 * Creates a hard link to a regular file, or renames it if the file system has no hard links. Returns false if the name
 * is taken.
 */
function linkNew(from: string, to: string): boolean {
  try {
    linkSync(from, to)
    return true
  } catch (error) {
    if (isSystemError(error, 'EEXIST')) return false
    if (!withoutLinks.some(code => isSystemError(error, code))) throw error
    return renameNew(from, to)
  }
}

/** Another program could create the file between the check and the rename. A copy would be visible half written. */
function renameNew(from: string, to: string): boolean {
  if (exists(to)) return false
  renameSync(from, to)
  return true
}

function removeIf(path: string): true {
  try {
    unlinkSync(path)
  } catch (error) {
    if (!isSystemError(error, 'ENOENT')) throw error
  }
  return true
}

/** Removes the empty folders of a path, innermost first. */
function removeEmptyFolders(tree: WorkTree, path: string): void {
  const names = path.split('/')
  for (let depth = names.length - 1; depth > 0; depth--) {
    const held = holdParent(tree, names.slice(0, depth).join('/'), false)
    if (typeof held === 'string') return
    try {
      rmdirSync(held.folder.at(held.name))
    } catch {
      return
    } finally {
      held.folder.release()
    }
  }
}

/** Returns true for an error of the system, with this code if one is given. */
function isSystemError(error: unknown, code?: string): boolean {
  const found = (error as NodeJS.ErrnoException | null)?.code
  return code === undefined ? typeof found === 'string' : found === code
}
