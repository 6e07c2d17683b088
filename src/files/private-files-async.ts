/** `private-files.ts` for those who must not hold up the event loop. */

import { appendFile as append, type FileHandle, mkdir, open, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { randomName } from './random-name.ts'

export type { FileHandle }

/** Makes a folder and those above it. */
export async function makeFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true })
}

/** Removes a file, if there is one. */
export async function removeFile(path: string): Promise<void> {
  await rm(path, { force: true })
}

/** Renames a file or folder; a file of the new name is replaced. */
export async function renameFile(from: string, to: string): Promise<void> {
  await rename(from, to)
}

/**
 * Replaces a file by a new one: it is never there in part, and a link of its name is replaced, not followed. The content has
 * another name meanwhile, `<path>.<32 digits>.new`, which a killed process leaves.
 */
export async function replaceFile(path: string, content: string | Uint8Array): Promise<void> {
  const temporary = `${path}.${randomName()}.new`
  try {
    await writeFile(temporary, content, { flag: 'wx' })
    await rename(temporary, path)
  } catch (error) {
    await removeFile(temporary)
    throw error
  }
}

/** Appends to a file, which is made if missing. */
export async function appendToFile(path: string, content: string): Promise<void> {
  await append(path, content)
}

/** Opens a file. */
export async function openFile(path: string, access: string | number = 'r', mode?: number): Promise<FileHandle> {
  return await open(path, access, mode)
}

/** Gives a file the time at which it was used last. */
export async function setTime(path: string, time: Date): Promise<void> {
  await utimes(path, time, time)
}
