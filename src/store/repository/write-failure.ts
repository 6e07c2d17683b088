/** Failures of the system that keep anybody from writing. They are no faults of this program. */

import { WikiError } from '../../core/errors.ts'
import type { Repository } from './repository.ts'

/** Why nothing can be written, by the system's error code. */
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

/** Tells if an error means that the system refuses to write. */
export function isWriteFailure(error: unknown): boolean {
  return reasonOf(error) !== undefined
}

/** Returns `wiki-cannot-write` for such an error; any other as it is. */
export function writeFailure({ gitDirectory }: Repository, error: unknown): unknown {
  const reason = reasonOf(error)
  return reason === undefined ? error : new WikiError('wiki-cannot-write', { params: [gitDirectory, reason] })
}

function reasonOf(error: unknown): string | undefined {
  return reasons[(error as NodeJS.ErrnoException).code ?? '']
}
