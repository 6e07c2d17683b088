/** The bytes of a commit. */

import type { Author } from './entries.ts'

export interface CommitParts {
  readonly tree: string
  readonly parent: string | null
  /** As `ident` formats them. */
  readonly author: string
  readonly committer: string
  readonly message: string
}

/** Formats a commit. */
export function commitContent({ tree, parent, author, committer, message }: CommitParts): Buffer {
  const parents = parent === null ? '' : `parent ${parent}\n`
  return Buffer.from(`tree ${tree}\n${parents}author ${author}\ncommitter ${committer}\n\n${message}`)
}

/** Formats a name, address and time for a commit, without characters that would break the line. */
export function ident(author: Author, time: Date): string {
  // Git stores no time before 1970.
  const seconds = Math.max(0, Math.floor(time.getTime() / 1000) || 0)
  return `${identName(author.name) || 'unknown'} <${identName(author.address)}> ${seconds} +0000`
}

/** Removes the characters that git does not allow in a name. */
export function identName(name: string): string {
  return name.replace(/[<>\p{Cc}]/gu, '').trim()
}
