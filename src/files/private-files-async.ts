/**
 * Asynchronous variants of `private-files.ts`, which do not block the event loop. They are for caches, which have checksums and are made
 * again, and for outputs, which are written as by `cp`: nothing is synced. See `durable.ts`.
 */

import { constants } from 'node:fs'
import { type FileHandle, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { checkMayChange, checkMayRemove, endsLine, madeFile, makeFolder as makeFolderNow } from './private-files.ts'
import { randomName } from './random-name.ts'
import { openLater } from './read-file.ts'
import { removeAtSignal } from './unfinished.ts'

export type { FileHandle }

/** Creates a folder and its missing parents. */
export async function makeFolder(path: string): Promise<void> {
  makeFolderNow(path)
}

/** Removes a file if it exists. */
export async function removeFile(path: string): Promise<void> {
  checkMayRemove(path)
  await rm(path, { force: true })
}

/** Renames a file or folder. A file at the new path is replaced. */
export async function renameFile(from: string, to: string): Promise<void> {
  checkMayChange(to)
  await rename(from, to)
}

/**
 * Replaces a file atomically: readers never see part of it. A link at the path is replaced, not followed. The content
 * is first written to `<path>.<32 digits>.new`, which remains if the process is killed.
 */
export async function replaceFile(
  path: string,
  content: string | Uint8Array | AsyncIterable<Uint8Array>,
): Promise<void> {
  checkMayChange(path)
  const temporary = `${path}.${randomName()}.new`
  const finished = removeAtSignal(temporary)
  try {
    await writeFile(temporary, content, { flag: 'wx' })
    madeFile(temporary)
    await rename(temporary, path)
  } catch (error) {
    await removeFile(temporary)
    throw error
  } finally {
    finished()
  }
}

/** Appends whole lines to a file, which is created if missing. */
export async function appendLines(path: string, lines: string): Promise<void> {
  checkMayChange(path)
  const file = await openLater(path, constants.O_RDWR | constants.O_CREAT | constants.O_APPEND)
  madeFile(path)
  try {
    const { size } = await file.stat()
    await file.writeFile(endsLine(file.fd, size) ? lines : `\n${lines}`)
  } finally {
    await file.close()
  }
}

/** Opens a file for reading, or for changes (`r+`). */
export async function openFile(path: string, access: 'r' | 'r+' = 'r'): Promise<FileHandle> {
  if (access === 'r+') checkMayChange(path)
  return await openLater(path, access === 'r' ? constants.O_RDONLY : constants.O_RDWR)
}

/** Sets the time of a file's last use. */
export async function setTime(path: string, time: Date): Promise<void> {
  checkMayChange(path)
  await utimes(path, time, time)
}
