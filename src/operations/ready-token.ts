/** Keeps a valid token in a file for the tools of one machine. Anyone who can read the file may write to the wiki. */

import { statSync } from 'node:fs'
import { isAbsolute, relative, resolve, sep } from 'node:path'
import { isWikiError, WikiError } from '../core/errors.ts'
import { setMode } from '../files/private-files.ts'
import { readText } from '../files/read-file.ts'
import type { Author } from '../store/format/entries.ts'
import { replaceDurably } from '../store/repository/durable-file.ts'
import { lasting } from '../store/repository/write-failure.ts'
import { createToken, openTokenBook, revokeToken, type Token } from './tokens.ts'
import type { Wiki } from './wiki.ts'

const tokenForm = /^wiki_[\w-]{43}$/

/** The token in a file. */
export interface ReadyToken {
  readonly token: Token
  /** True if git would commit the file. */
  readonly mayBeCommitted: boolean
}

/**
 * Makes sure that a file, readable only by its owner, contains a valid token, and returns its description. An existing
 * token stays; a revoked one is replaced. A file with any other content is never overwritten. Errors: badvalue (of the
 * name), wiki-bad-token-path, wiki-locked, wiki-bad-token-file.
 */
export async function readyToken(
  wiki: Wiki,
  { path, author }: { readonly path: string; readonly author: () => Promise<Author> },
): Promise<ReadyToken> {
  const mayBeCommitted = isInWorkTree(wiki, path)
  const present = attempt(path, 'be read', () => readToken(path))
  const existing = present === null ? null : openTokenBook(wiki).find(present)
  if (existing !== null) {
    attempt(path, 'be kept from others', () => setMode(path, 0o600))
    return { token: existing, mayBeCommitted }
  }
  const { name, address } = await author()
  const { token, ...made } = await createToken(wiki, { name, address })
  try {
    attempt(path, 'be written', () => replaceDurably(path, `${token}\n`, { mode: 0o600 }))
    await lasting(path)
  } catch (error) {
    await revokeToken(wiki, made.id)
    throw error
  }
  return { token: made, mayBeCommitted }
}

/** Returns true for a file that `git add .` would add. */
function isInWorkTree({ store }: Wiki, path: string): boolean {
  const { workTree, gitDirectory } = store.repository
  return workTree !== null && isInside(workTree, path) && !isInside(gitDirectory, path)
}

function isInside(folder: string, path: string): boolean {
  const from = relative(folder, resolve(path))
  return !isAbsolute(from) && from.split(sep, 1)[0] !== '..'
}

/** Returns the token in a file; null if the file is missing or empty. */
function readToken(path: string): string | null {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (stat === undefined || (stat.isFile() && stat.size === 0)) return null
  const text = stat.isFile() && stat.size < 1000 ? readText(path).trim() : ''
  if (tokenForm.test(text)) return text
  throw new WikiError('wiki-bad-token-path', { params: [path, 'it contains something that is not a token'] })
}

/** Runs an operation on the file, and converts system errors to `wiki-bad-token-path`. */
function attempt<Result>(path: string, what: string, action: () => Result): Result {
  try {
    return action()
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code
    if (isWikiError(cause) || code === undefined) throw cause
    throw new WikiError('wiki-bad-token-path', { params: [path, `it cannot ${what} (${code})`], cause })
  }
}
