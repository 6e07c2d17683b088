/** A token ready in a file, for the tools of one machine: who can read the file may write to the wiki. */

import { chmodSync, readFileSync, statSync } from 'node:fs'
import { WikiError } from '../core/errors.ts'
import { replaceDurably } from '../store/durable-file.ts'
import type { Author } from '../store/entries.ts'
import { createToken, openTokenBook, type Token } from './tokens.ts'
import type { Wiki } from './wiki.ts'

const tokenForm = /^wiki_[\w-]{43}$/

/**
 * Makes sure that a file, readable by its owner alone, holds a token that is in force, and tells whose it is. One that is there
 * stays; another takes the place of one that was revoked. A file that holds anything else is nobody's to overwrite.
 *
 * Errors: badvalue (of the name), wiki-bad-token-path, wiki-locked, wiki-bad-token-file.
 */
export async function readyToken(
  wiki: Wiki,
  { path, author }: { readonly path: string; readonly author: () => Promise<Author> },
): Promise<Token> {
  const present = readToken(path)
  const known = present === null ? null : openTokenBook(wiki).find(present)
  if (known !== null) {
    chmodSync(path, 0o600)
    return known
  }
  const { token, ...made } = await createToken(wiki, await author().then(({ name, address }) => ({ name, address })))
  write(path, `${token}\n`)
  return made
}

/** The token in a file; null where there is no file, or an empty one. */
function readToken(path: string): string | null {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (stat === undefined || (stat.isFile() && stat.size === 0)) return null
  const text = stat.isFile() && stat.size < 1000 ? readFileSync(path, 'utf8').trim() : ''
  if (tokenForm.test(text)) return text
  throw new WikiError('wiki-bad-token-path', { params: [path, 'it holds something that is no token'] })
}

function write(path: string, text: string): void {
  try {
    replaceDurably(path, text, { mode: 0o600 })
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw new WikiError('wiki-bad-token-path', { params: [path, `it cannot be written (${code})`], cause })
  }
}
