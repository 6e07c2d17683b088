/** System failures that prevent every write. They are not bugs of this program. */

import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import { WikiError } from '../../core/errors.ts'
import { namesSynced } from '../../files/durable.ts'
import { noFileCode } from '../../files/read-file.ts'
import type { Repository } from './repository.ts'

const owner = 'Run this as a user who may write there, or let this one write'

/** Reason why nothing can be written, and a remedy, by the system's error code. */
const reasons: Readonly<Record<string, readonly [reason: string, hint: string]>> = {
  ENOSPC: ['the disk is full', 'Free space on it, then try again'],
  EDQUOT: ['the disk quota is used up', 'Free space, or ask for a larger quota, then try again'],
  EROFS: ['the file system is read-only', 'Work in a clone on another file system'],
  EACCES: ['permission denied', owner],
  EPERM: ['permission denied', owner],
  EMFILE: ['too many files are open', 'Start this program with a higher limit: ulimit -n'],
  ENFILE: ['too many files are open', 'Raise the limit of the system, or end other programs'],
  EFBIG: ['a file would be larger than this program may write', 'Start this program with a higher limit: ulimit -f'],
  EIO: ['the disk fails', 'Clone the repository to another disk'],
}

/** Returns true if an error means that the system refuses to write. */
export function isWriteFailure(error: unknown): boolean {
  return reasonOf(error) !== undefined
}

/** Returns `wiki-cannot-write` for such an error, and for any other of the system; one that is none of these unchanged. */
export function writeFailure({ gitDirectory }: Repository, error: unknown): unknown {
  const { code, syscall, path } = error as NodeJS.ErrnoException
  // Another program may have replaced a file by a folder, or removed one.
  if (code === noFileCode && path !== undefined) {
    const reason = `${path} is a pipe`
    return new WikiError('wiki-cannot-write', { params: [gitDirectory, reason], hint: 'Move it away' })
  }
  const inTheWay = code === 'ENOTDIR' || code === 'EEXIST' ? fileAbove(path) : null
  const moveAway = inTheWay === null ? undefined : `A file is where a folder belongs: move ${inTheWay} away`
  const [reason, hint] = reasonOf(error) ?? [syscall && `the system reports ${code} for ${syscall}`, moveAway]
  if (reason === undefined) return error
  return new WikiError('wiki-cannot-write', { params: [gitDirectory, reason], ...(hint && { hint }) })
}

/**
 * Resolves when what was written is on the disk, so that it may be acknowledged; the caller has released its locks. Throws
 * `wiki-not-synced` with a name for it: it is written, and may or may not last.
 */
export async function lasting(what: string): Promise<void> {
  try {
    await namesSynced()
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code === undefined) throw cause
    const hint = 'Check the disk, and then whether the change is there, before making it again'
    throw new WikiError('wiki-not-synced', { params: [what, code], hint, cause })
  }
}

/** The file that a path uses as a folder, or ends at. */
function fileAbove(path: string | undefined): string | null {
  for (let at = path ?? '/'; at !== dirname(at); at = dirname(at)) if (isFile(at)) return at
  return null
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile()
  } catch {
    return false
  }
}

function reasonOf(error: unknown): readonly [reason: string, hint: string] | undefined {
  return reasons[(error as NodeJS.ErrnoException).code ?? '']
}
