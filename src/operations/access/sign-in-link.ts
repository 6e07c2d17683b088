/** The file with the link that signs in the user who started a server whose output is a log. */

import { accessPath, makeAccessFolder } from '../../store/repository/access-folder.ts'
import { replaceDurably } from '../../store/repository/durable-file.ts'
import type { Repository } from '../../store/repository/repository.ts'
import { writeFailure } from '../../store/repository/write-failure.ts'

/**
 * Writes the newest link to a file that only its owner can read, in place of an earlier one, and returns the file's path. An old link
 * is not removed: it is valid once, for minutes. Errors: wiki-cannot-write.
 */
export function keepSignInLink(repository: Repository, link: string): string {
  const path = accessPath(repository, 'sign-in-link')
  try {
    makeAccessFolder(path)
    replaceDurably(path, `${link}\n`, { mode: 0o600 })
    return path
  } catch (error) {
    throw writeFailure(repository, error)
  }
}
