/** System failures that prevent every write. They are not bugs of this program. */

import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import { WikiError } from '../../core/errors.ts'
import type { Repository } from './repository.ts'

/** Reason why nothing can be written, by the system's error code. */
const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the file system is read-only',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  EIO: 'the disk fails',
}

/** Returns true if an error means that the system refuses to write. */
export function isWriteFailure(error: unknown): boolean {
  return reasonOf(error) !== undefined
}

/** Returns `wiki-cannot-write` for such an error, and for any other of the system; one that is none of these unchanged. */
export function writeFailure({ gitDirectory }: Repository, error: unknown): unknown {
  const { code, syscall, path } = error as NodeJS.ErrnoException
  // Another program may have replaced a file by a folder, or removed one.
  const reason = reasonOf(error) ?? (syscall === undefined ? undefined : `the system reports ${code} for ${syscall}`)
  if (reason === undefined) return error
  const inTheWay = code === 'ENOTDIR' || code === 'EEXIST' ? fileAbove(path) : null
  const hint = inTheWay === null ? undefined : `A file is where a folder belongs: move ${inTheWay} away`
  return new WikiError('wiki-cannot-write', { params: [gitDirectory, reason], ...(hint && { hint }) })
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

function reasonOf(error: unknown): string | undefined {
  return reasons[(error as NodeJS.ErrnoException).code ?? '']
}
