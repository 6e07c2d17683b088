/** The author of an edit over the API. */

import { WikiError } from '../../core/errors.ts'
import type { Writer } from '../../http/access.ts'

/**
 * Returns the author of an edit, and whether it is a bot's: by the right of the token, unless the client says that it is none.
 *
 * Errors: rest-write-denied where a client without that right asks for it.
 */
export function editor(writer: Writer | null, bot?: boolean | undefined): Pick<Writer, 'author' | 'bot'> {
  if (writer === null) throw new Error('A route that writes must say so in the table of routes')
  if (bot === true && !writer.bot)
    throw new WikiError('rest-write-denied', { hint: 'Only a token made with --bot may mark edits as a bot’s' })
  return { author: writer.author, bot: writer.bot && bot !== false }
}
