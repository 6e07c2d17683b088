/**
 * The two forms of a page's text. The file in git ends with one line feed, as git and editors expect. `source` in the
 * API has no trailing white space, as in MediaWiki. Sizes are those of `source`: the store does not count a final line
 * feed.
 */

import type { ContentModel } from '../../core/content-models.ts'
import { WikiError } from '../../core/errors.ts'
import { savedForm, unsayable } from '../../core/line-ends.ts'

/** Maximum bytes of a searched text, and default maximum of a saved `source`. */
export const maxSourceBytes = 2 * 1024 * 1024

/** Characters that PHP's rtrim removes: tab, line feed, vertical tab, carriage return, space, NUL. */
const trailing: ReadonlySet<number> = new Set(Array.from('\t\n\v\r \0', sign => sign.charCodeAt(0)))

/** Returns the `source` of a file's text: without one final line feed. */
export function sourceOfFile(text: string): string {
  return text.endsWith('\n') ? text.slice(0, -1) : text
}

/**
 * Returns the file's text for a submitted source: in the form in which pages are saved, and with one final line feed in place of
 * trailing white space; "" for an empty page. An edit then restores the characters of its page's file where nothing changed.
 */
export function fileOfSource(source: string): string {
  const text = savedForm(withoutTrailingSpace(source))
  return text === '' ? '' : `${text}\n`
}

/**
 * Validates a text before saving; `limit` is the setting `limits.source`, in UTF-8 bytes without the final line feed.
 *
 * Errors: apierror-contenttoobig, invalid-json-data.
 */
export function checkSource(file: string, model: ContentModel, limit = maxSourceBytes): void {
  if (Buffer.byteLength(sourceOfFile(file)) > limit) {
    throw new WikiError('apierror-contenttoobig', { params: [limit] })
  }
  if (model === 'json') checkJson(file)
}

/**
 * Refuses a character that no page can hold in a text that is recorded as it is, unless the text had it before. Errors: wiki-bad-character.
 */
export function checkCharacters(name: string, text: string, before: string): void {
  for (const character of new Set(text.match(unsayable))) {
    if (before.includes(character)) continue
    const line = text.slice(0, text.indexOf(character)).split('\n').length
    const code = character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')
    throw new WikiError('wiki-bad-character', { params: [name, `U+${code}`, line] })
  }
}

function checkJson(text: string): void {
  try {
    JSON.parse(text)
  } catch (error) {
    throw new WikiError('invalid-json-data', { params: [error instanceof Error ? error.message : ''], cause: error })
  }
}

/** A regular expression would take quadratic time on long runs of spaces inside the text. */
function withoutTrailingSpace(text: string): string {
  let end = text.length
  while (end > 0 && trailing.has(text.charCodeAt(end - 1))) end--
  return text.slice(0, end)
}
