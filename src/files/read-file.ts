/**
 * Opens and reads files whose names the program knows: those of git's directory, caches, settings. Whoever packed a repository may
 * have put a pipe in place of one, and reading it would block the only thread until somebody writes to it; so it is opened
 * without waiting, and refused. All functions but `namesIn` throw the system's error.
 */

import {
  closeSync,
  constants,
  createReadStream,
  fstatSync,
  openSync,
  type ReadStream,
  readdirSync,
  readFileSync,
} from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'

/** Code of the error for a pipe or a socket in place of a file. The system has the same code for a pipe without a reader. */
export const noFileCode = 'ENXIO'

/** Code of the error for a file that is larger than its reader allows. */
export const largeFileCode = 'EFBIG'

/** Absent on Windows, which has no pipes in folders. */
const withoutWaiting = constants.O_NONBLOCK ?? 0

/** Opens a file, or a folder, with flags of `node:fs`. */
export function openWithoutWaiting(path: string, flags: number, mode?: number): number {
  const file = openSync(path, flags | withoutWaiting, mode)
  const stat = fstatSync(file)
  if (!stat.isFIFO() && !stat.isSocket()) return file
  closeSync(file)
  throw noFile(path)
}

/**
 * Reads a whole file, up to a maximum of bytes. A device is empty: `/dev/null` stands for a file without content, and others may never
 * end.
 */
export function readBytes(path: string, most = mostBytes): Buffer {
  const file = openWithoutWaiting(path, constants.O_RDONLY)
  try {
    const stat = fstatSync(file)
    if (stat.size > most) throw largeFile(path)
    return stat.isCharacterDevice() ? Buffer.alloc(0) : readOpen(file)
  } finally {
    closeSync(file)
  }
}

/** Maximum bytes that node reads at once. */
const mostOpenBytes = 2 ** 31 - 1

/** Reads an open file from its current position to its end. */
export function readOpen(file: number): Buffer {
  if (fstatSync(file).size > mostOpenBytes) throw largeFile()
  return readFileSync(file)
}

/** Maximum bytes of a file that is read whole. A string of node has at most twice as many characters. */
const mostBytes = 256 * 1024 * 1024

/** Reads a whole file as text. */
export function readText(path: string, encoding: 'utf8' | 'latin1' = 'utf8', most = mostBytes): string {
  return readBytes(path, most).toString(encoding)
}

/** As `openWithoutWaiting` for a regular file, without blocking the event loop: a waiting call would take one of node's few threads. */
export async function openLater(path: string, flags: number = constants.O_RDONLY, mode?: number): Promise<FileHandle> {
  const file = await open(path, flags | withoutWaiting, mode)
  if ((await file.stat()).isFile()) return file
  await file.close()
  throw noFile(path)
}

/** As `readBytes`, without blocking the event loop. */
export async function readBytesLater(path: string): Promise<Buffer> {
  const file = await openLater(path)
  try {
    return await file.readFile()
  } finally {
    await file.close()
  }
}

/** As `readText`, without blocking the event loop. */
export async function readTextLater(path: string): Promise<string> {
  return (await readBytesLater(path)).toString('utf8')
}

/** Opens a stream of a file's bytes. */
export function readStream(path: string): ReadStream {
  return streamOpen(openWithoutWaiting(path, constants.O_RDONLY))
}

/** Opens a stream of an open file's bytes, which closes the file at its end. */
export function streamOpen(file: number): ReadStream {
  return createReadStream('', { fd: file })
}

/** Returns the names in a folder; none if it cannot be read. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function largeFile(path?: string): Error {
  return Object.assign(new Error('a file is too large to be read'), {
    code: largeFileCode,
    syscall: 'read',
    ...(path !== undefined && { path }),
  })
}

function noFile(path: string): Error {
  return Object.assign(new Error('a pipe is in its place'), { code: noFileCode, syscall: 'open', path })
}
