/** The author of an edit over the API. */

import { WikiError } from '../../core/errors.ts'
import type { Writer } from '../../http/access.ts'

/**
 * Returns the author of an edit, and whether it is a bot's: according to the token, unless the client declares that it
 * is not.
 *
 * Errors: wiki-bot-denied.
 */
export function editor(writer: Writer | null, bot?: boolean | undefined): Pick<Writer, 'author' | 'bot'> {
  if (writer === null) throw new Error('A route that writes must say so in the table of routes')
  if (bot === true && !writer.bot) throw new WikiError('wiki-bot-denied')
  return { author: writer.author, bot: writer.bot && bot !== false }
}
