/** Refuses to blank a page unless that was requested. */

import { WikiError } from '../../core/errors.ts'

/** Creates the error for an empty text; `name` is the title or the path of a file. */
export function emptyText(name: string): WikiError {
  const hint = 'Add --allow-empty to save it anyway; wiki page delete removes a page'
  return new WikiError('wiki-empty-text', { params: [name], hint })
}
