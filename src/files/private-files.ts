/**
 * Writing to files whose folders are the program's own or were named by the user: git's directory, caches, outputs. The paths are
 * not the repository's to choose; files of the work tree go through `replace-file.ts`. All functions throw the system's error.
 */

import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  createWriteStream,
  fsync,
  ftruncateSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  renameSync,
  rmSync,
  utimesSync,
  type WriteStream,
  writeFileSync,
  writeSync,
} from 'node:fs'

/** Makes a folder and those above it. Returns the first one that was missing. */
export function makeFolder(path: string): string | undefined {
  return mkdirSync(path, { recursive: true })
}

/** Makes one folder, which must not exist yet. */
export function makeOneFolder(path: string): void {
  mkdirSync(path)
}

/** Makes a folder with a name of its own and returns its path. */
export function makeTemporaryFolder(start: string): string {
  return mkdtempSync(start)
}

/** Removes a file, if there is one. */
export function removeFile(path: string): void {
  rmSync(path, { force: true })
}

/** Removes a folder with all that is in it, if there is one. */
export function removeFolder(path: string): void {
  rmSync(path, { recursive: true, force: true })
}

/** Renames a file or folder; a file of the new name is replaced. */
export function renameFile(from: string, to: string): void {
  renameSync(from, to)
}

/** Gives a file a second name, which must be free. */
export function linkFile(from: string, to: string): void {
  linkSync(from, to)
}

/** Copies a file; one of the new name is replaced. */
export function copyFile(from: string, to: string): void {
  copyFileSync(from, to)
}

export interface WriteOptions {
  /** If true, the file must not exist yet. */
  readonly isNew?: boolean
  /** If true, the content is flushed to disk before the function returns. */
  readonly isSynced?: boolean
}

/** Writes a file as a whole. A reader may see a part of it: where that matters, write another name and rename. */
export function writeFile(
  path: string,
  content: string | Uint8Array,
  { isNew = false, isSynced = false }: WriteOptions = {},
): void {
  writeFileSync(path, content, { flag: isNew ? 'wx' : 'w', flush: isSynced })
}

/** Appends to a file, which is made if missing. */
export function appendToFile(path: string, content: string): void {
  appendFileSync(path, content)
}

/**
 * Opens a file: to read, to change (`r+`), replacing what is there (`w`), as a new one (`wx`, to read as well: `wx+`), or to append to it
 * and read it (`a+`).
 */
export function openFile(path: string, access: 'r' | 'r+' | 'w' | 'wx' | 'wx+' | 'a+', mode?: number): number {
  return openSync(path, access, mode)
}

/** Writes a part of the bytes, from an offset on, where the file stands. Returns how many were written. */
export function writeSome(file: number, bytes: Uint8Array, offset: number): number {
  return writeSync(file, bytes, offset)
}

/** Writes all of the bytes: at a position of the file, or where it stands. */
export function writeAll(file: number, content: Uint8Array | string, position: number | null = null): void {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  for (let at = 0; at < bytes.length; )
    at += writeSync(file, bytes, at, bytes.length - at, position === null ? null : position + at)
}

/** Open files that are about to be synced, and the callbacks for the result. */
let unsynced: { readonly file: number; readonly done: (error: Error | null) => void }[] = []

/**
 * Resolves when written data of an open file is on disk. Files requested in one turn of the event loop are synced together after
 * it: when the first sync begins all of them are written, so the file system needs one transaction for all.
 */
export function syncFile(file: number): Promise<void> {
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

/** Cuts an open file to a length in bytes. */
export function cutFile(file: number, length: number): void {
  ftruncateSync(file, length)
}

/** Sets the mode of a file or folder. */
export function setMode(path: string, mode: number): void {
  chmodSync(path, mode)
}

/** Gives a file the time at which it was used last. */
export function setTime(path: string, time: Date): void {
  utimesSync(path, time, time)
}

/** Opens a stream that writes a file from its start. */
export function writeStream(path: string, { isNew = false }: Pick<WriteOptions, 'isNew'> = {}): WriteStream {
  return createWriteStream(path, { flags: isNew ? 'wx' : 'w' })
}
