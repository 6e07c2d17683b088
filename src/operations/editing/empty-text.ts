/** The refusal to blank a page that nobody has asked to blank. */

import { WikiError } from '../../core/errors.ts'

/** Makes the error for an empty text; `name` is what would be blanked: a title, or the path of a file. */
export function emptyText(name: string): WikiError {
  const hint = 'Add --allow-empty to save it all the same; wiki page delete removes a page'
  return new WikiError('wiki-empty-text', { params: [name], hint })
}
