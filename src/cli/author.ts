/** Determines the author of an edit. */

import { isWikiError, WikiError } from '../core/errors.ts'
import type { ChangeRequest } from '../operations/editing/edit.ts'
import type { Context } from './context.ts'

type Author = ChangeRequest['author']

const hint = 'git config --global user.name "Your Name" && git config --global user.email you@example.org'

/**
 * Returns the author from `--user`, or from `git var GIT_AUTHOR_IDENT`: GIT_AUTHOR_NAME and GIT_AUTHOR_EMAIL, each with
 * git's settings as its fallback. Errors: wiki-no-author; wiki-usage if `--user` does not have the form `Name
 * <address>`.
 */
export async function findAuthor(context: Context, user: string | undefined): Promise<Author> {
  return chooseAuthor(user, async () => (await context.wiki()).store.author(context.io.env))
}

/** The same if there may be no repository yet. The author is then requested from git. */
export async function findFirstAuthor(context: Context, user: string | undefined): Promise<Author> {
  return chooseAuthor(user, async () => {
    try {
      return await (await context.wiki()).store.author(context.io.env)
    } catch (error) {
      if (!isWikiError(error, 'wiki-not-found')) throw error
      const { userOf } = await import('../operations/access/user-of.ts')
      return userOf(context.io.env)
    }
  })
}

async function chooseAuthor(
  user: string | undefined,
  configured: () => Promise<Partial<Author> | null>,
): Promise<Author> {
  if (user !== undefined) return parseAuthor(user)
  const { name, address } = (await configured()) ?? {}
  if (!name || !address) throw new WikiError('wiki-no-author', { hint })
  return { name, address }
}

/** `Jane Doe <jane@example.org>` → its parts. Errors: wiki-usage. */
function parseAuthor(text: string): Author {
  const match = /^([^<>\n]*[^<>\s])\s*<([^<>\s]+)>$/.exec(text.trim())
  if (match === null) throw new WikiError('wiki-usage', { params: [`--user must be "Name <address>", not "${text}"`] })
  return { name: match[1]?.trim() ?? '', address: match[2] ?? '' }
}
