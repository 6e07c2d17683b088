/**
 * Writes files in folders that belong to the program or that the user named: git's directory, caches, outputs. The
 * repository does not choose these paths; files of the work tree go through `replace-file.ts`. All functions throw the
 * system's error.
 */

import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  createWriteStream,
  existsSync,
  fstatSync,
  ftruncateSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  unlinkSync,
  utimesSync,
  type WriteStream,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'
import { noteName, syncContent } from './durable.ts'
import { whileHeld } from './held-file.ts'
import { randomName } from './random-name.ts'
import { openWithoutWaiting } from './read-file.ts'

/** Choices that hold for the whole process. */
interface Choices {
  /** Folders that only others make: see `leaveToOthers`. */
  readonly leftToOthers: Set<string>
  /** Folders in which this process changes nothing: see `keepUnchanged`. */
  readonly unchanged: Set<string>
  /** See `fitWhenMade`. */
  fitNew: ((path: string) => void) | null
}

/** Each bundle of the command line contains this module: the choices made in one hold in all. */
const choices = choicesOfProcess()

function choicesOfProcess(): Choices {
  const name = Symbol.for('gitwiki private files')
  const shared = globalThis as { [name: symbol]: Choices | undefined }
  shared[name] ??= { leftToOthers: new Set(), unchanged: new Set(), fitNew: null }
  return shared[name]
}

const { leftToOthers, unchanged } = choices

/**
 * From now on `makeFolder` makes no such folder, only those below it: a git directory that was moved away under a running process must
 * not be begun again in its old place, where nobody reads it.
 */
export function leaveToOthers(folder: string): void {
  leftToOthers.add(folder)
}

/**
 * From now on each change in a folder fails as if the system denied it. Root may write in the repository of another user, who could then
 * not replace what root made there.
 */
export function keepUnchanged(folder: string): void {
  unchanged.add(folder)
}

/** Ends that. */
export function permitChanges(folder: string): void {
  unchanged.delete(folder)
}

/** Throws if the path is in such a folder. */
export function checkMayChange(path: string): void {
  if (unchanged.size === 0) return
  for (const folder of unchanged)
    if (path === folder || path.startsWith(folder + sep) || path.startsWith(`${folder}/`))
      throw Object.assign(new Error(`EACCES: permission denied, '${path}'`), { code: 'EACCES', path })
}

/** The same for a removal. There may be nothing to remove. */
export function checkMayRemove(path: string): void {
  if (unchanged.size > 0 && lstatSync(path, { throwIfNoEntry: false }) !== undefined) checkMayChange(path)
}

/** From now on `fit` is called with each new folder, and with each file that is opened for writing and that others may read. */
export function fitWhenMade(fit: (path: string) => void): void {
  choices.fitNew = fit
}

/** To be called after other means have created a file that others may read. */
export function madeFile(path: string): void {
  choices.fitNew?.(path)
}

/** Creates a folder and its missing parents. Returns the first one that was missing. */
export function makeFolder(path: string): string | undefined {
  if (leftToOthers.has(path) || isFolder(path)) return undefined
  const first = makeFolder(dirname(path))
  return makeUnlessThere(path) ? (first ?? path) : first
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

/** Another process may make it at the same time. */
function makeUnlessThere(path: string): boolean {
  try {
    makeOneFolder(path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !isFolder(path)) throw error
    return false
  }
}

/** As `makeFolder`, also for a new git directory. */
export function makeNewFolder(path: string): void {
  for (let at = path; !existsSync(at); at = dirname(at)) noteName(at)
  mkdirSync(path, { recursive: true })
}

/** Creates a folder, which must not exist. */
export function makeOneFolder(path: string): void {
  checkMayChange(path)
  mkdirSync(path)
  noteName(path)
  choices.fitNew?.(path)
}

/** Creates a folder with a unique name and returns its path. */
export function makeTemporaryFolder(start: string): string {
  return mkdtempSync(start)
}

/** Removes a file if it exists. `rmSync` would check it twice before. */
export function removeFile(path: string): void {
  checkMayRemove(path)
  try {
    unlinkSync(path)
    noteName(path)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error
  }
}

/**
 * Removes a folder and its content if it exists. It is renamed first: a process that still writes into it by its path,
 * as a hook may, would otherwise fill it again while it is removed.
 */
export function removeFolder(path: string): void {
  checkMayRemove(path)
  noteName(path)
  const hidden = `${path}.${randomName()}.old`
  removeAll(renamed(path, hidden) ? hidden : path)
}

/** Removes what processes left that were killed while they removed the folder. */
export function removeRemains(path: string): void {
  const start = `${basename(path)}.`
  for (const name of readdirSync(dirname(path)))
    if (name.startsWith(start) && remains.test(name.slice(start.length))) removeAll(join(dirname(path), name))
}

const remains = /^[0-9a-f]{32}\.old$/

/** Removals of a folder that is filled again: a file may be on its way into it when it is renamed. */
const removals = 20

function removeAll(path: string): void {
  for (let left = removals; ; left--)
    try {
      rmSync(path, { recursive: true, force: true })
      return
    } catch (error) {
      if (left === 0 || (error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error
    }
}

function renamed(from: string, to: string): boolean {
  try {
    renameSync(from, to)
    return true
  } catch {
    return false
  }
}

/** Removes a folder that contains nothing but empty folders. Throws if there is a file in it. */
export function removeEmptyFolder(path: string): void {
  checkMayChange(path)
  for (const name of readdirSync(path)) removeEmptyFolder(join(path, name))
  rmdirSync(path)
  noteName(path)
}

/** Renames a file or folder. A file at the new path is replaced. */
export function renameFile(from: string, to: string): void {
  checkMayChange(to)
  renameSync(from, to)
  noteRename(from, to)
}

function noteRename(from: string, to: string): void {
  noteName(from)
  noteName(to)
}

/** Renames a file to the path of another one, which is replaced. Does not wait until that is freed. */
export function renameOver(from: string, to: string): void {
  checkMayChange(to)
  whileHeld(to, () => renameSync(from, to))
  noteRename(from, to)
}

/** Creates a hard link to a file. The new path must be free. */
export function linkFile(from: string, to: string): void {
  checkMayChange(to)
  linkSync(from, to)
  noteName(to)
}

/** Copies a file. A file at the new path is replaced. */
export function copyFile(from: string, to: string): void {
  checkMayChange(to)
  copyFileSync(from, to)
  noteName(to)
  choices.fitNew?.(to)
}

export interface WriteOptions {
  /** If true, the file must not exist. */
  readonly isNew?: boolean
  /** If true, the content is flushed to disk before the function returns. */
  readonly isSynced?: boolean
}

/** Writes a whole file, not atomically. Where readers must not see part of it, write to another name and rename. */
export function writeFile(
  path: string,
  content: string | Uint8Array,
  { isNew = false, isSynced = false }: WriteOptions = {},
): void {
  const file = openFile(path, isNew ? 'wx' : 'w')
  try {
    writeFileSync(file, content)
    if (isSynced) syncContent(file)
  } finally {
    closeSync(file)
  }
}

/** Writes the whole file that a user names. It may be a device or a pipe, which is waited for. */
export function writeOutput(path: string, content: string | Uint8Array): void {
  writeFileSync(path, content)
}

/** Appends whole lines to a file, which is created if missing. With `isSynced` they are on the disk when the function returns. */
export function appendLines(
  path: string,
  lines: string,
  { isSynced = false }: Pick<WriteOptions, 'isSynced'> = {},
): void {
  const file = openFile(path, 'a+')
  try {
    writeLines(file, lines)
    if (isSynced) syncContent(file)
  } finally {
    closeSync(file)
  }
}

/** Appends whole lines to a file that is open for appending and reading; returns the size that it had. */
export function writeLines(file: number, lines: string): number {
  const { size } = fstatSync(file)
  writeAll(file, endsLine(file, size) ? lines : `\n${lines}`)
  return size
}

/**
 * Returns true if a file, open for reading, ends with a whole line. A killed process, a full disk or a power failure may have left a
 * torn one, which the next one must not continue.
 */
export function endsLine(file: number, size: number): boolean {
  const last = Buffer.alloc(1)
  return size === 0 || readSync(file, last, 0, 1, size - 1) === 0 || last[0] === lineFeed
}

const lineFeed = 0x0a

const { O_RDONLY, O_RDWR, O_WRONLY, O_CREAT, O_TRUNC, O_EXCL, O_APPEND } = constants

const accesses = {
  r: O_RDONLY,
  'r+': O_RDWR,
  w: O_WRONLY | O_CREAT | O_TRUNC,
  wx: O_WRONLY | O_CREAT | O_TRUNC | O_EXCL,
  'wx+': O_RDWR | O_CREAT | O_TRUNC | O_EXCL,
  a: O_WRONLY | O_CREAT | O_APPEND,
  'a+': O_RDWR | O_CREAT | O_APPEND,
} as const

/**
 * Opens a file for reading, for changes (`r+`), truncated (`w`), as a new file (`wx`, also readable: `wx+`), or for
 * appending (`a`, also readable: `a+`). A pipe is refused at once, not waited for.
 */
export function openFile(path: string, access: keyof typeof accesses, mode?: number): number {
  if (access !== 'r') checkMayChange(path)
  const file = openWithoutWaiting(path, accesses[access], mode)
  if (accesses[access] & O_CREAT && fstatSync(file).size === 0) noteName(path)
  // A mode for the owner alone is private.
  if (accesses[access] & O_CREAT && (mode === undefined || (mode & 0o077) !== 0)) choices.fitNew?.(path)
  return file
}

/** Writes some of the bytes, from an offset on, at the file's current position. Returns the number written. */
export function writeSome(file: number, bytes: Uint8Array, offset: number): number {
  return writeSync(file, bytes, offset)
}

/** Writes all of the bytes, at the given position or at the file's current one. */
export function writeAll(file: number, content: Uint8Array | string, position: number | null = null): void {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  for (let at = 0; at < bytes.length; )
    at += writeSync(file, bytes, at, bytes.length - at, position === null ? null : position + at)
}

/** Truncates an open file to a length in bytes. */
export function cutFile(file: number, length: number): void {
  ftruncateSync(file, length)
}

/** Sets the mode of a file or folder. */
export function setMode(path: string, mode: number): void {
  checkMayChange(path)
  chmodSync(path, mode)
}

/** Sets the time of a file's last use. */
export function setTime(path: string, time: Date): void {
  checkMayChange(path)
  utimesSync(path, time, time)
}

/** Opens a stream that writes a file from its start. */
export function writeStream(path: string, { isNew = false }: Pick<WriteOptions, 'isNew'> = {}): WriteStream {
  return createWriteStream(path, { flags: isNew ? 'wx' : 'w' })
}
