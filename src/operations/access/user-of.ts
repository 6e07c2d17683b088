/** Reads the user's identity from git if no wiki exists yet. */

import type { Author } from '../../store/format/entries.ts'
import { gitIdentity } from '../../store/repository/identity.ts'

/** Returns the name and address that git would write into a first commit; null if it has none. */
export function userOf(environment: Readonly<Record<string, string | undefined>>): Author | null {
  return gitIdentity({ repository: null, role: 'author', environment, mayRunGit: true })
}
