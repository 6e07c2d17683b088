/** Writes results of any size to the file that a user names. */

import { realpathSync, statSync } from 'node:fs'
import type { Writable } from 'node:stream'
import { writeStream } from '../files/private-files.ts'
import { removeFile, renameFile } from '../files/private-files-async.ts'
import { randomName } from '../files/random-name.ts'
import { removeAtSignal } from '../files/unfinished.ts'

/** The file appears only when it is complete. A device or a pipe is written to: it must not be replaced by a file. */
export async function writeOutputFile(path: string, write: (file: Writable) => Promise<void>): Promise<void> {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found !== undefined && !found.isFile()) return write(writeStream(path))
  // A link stays, and its file is replaced.
  const target = found === undefined ? path : realpathSync(path)
  const part = `${target}.${randomName()}.part`
  const finished = removeAtSignal(part)
  try {
    await write(writeStream(part, { isNew: true }))
    await renameFile(part, target)
  } catch (error) {
    // The file that the user named, in place of ours.
    if (error instanceof Error && 'path' in error && error.path === part) error.path = path
    throw error
  } finally {
    await removeFile(part)
    finished()
  }
}
