/**
 * The last words of the names of pictures, in lower case: `b.jpg` for `A_b.jpg`. A text that has none of a wiki's pictures cannot show
 * one, and need not be rendered to know that.
 */

import { composed } from '../../core/composed-text.ts'

/** Maximum words of a page. One with more may show any picture. */
const maxWords = 100

/** Maximum length of a word before its extension: that of a title. A longer one names no file. */
const longest = 255

const extension = 'jpe?g|png|gif|svg|webp|tiff?|avif'
const sign = String.raw`[^\s_/|[\]{}<>"'=:(),&;]`
const word = new RegExp(`(?<!${sign})${sign}{0,${longest}}\\.(?:${extension})(?![\\p{L}\\p{N}])`, 'giu')

/** Names that a template or a module completes. */
const computed = new RegExp(`\\}${sign}{0,${longest}}\\.(?:${extension})|#invoke`, 'i')

/** Lists the words in a text; null if it may show a picture under any name. Linear in the text. */
export function pictureWords(text: string): readonly string[] | null {
  const words = computed.test(text) ? null : lastWords(text, maxWords + 1)
  if (words === null || words.length > maxWords) return null
  // A percent sign stands for another letter.
  return words.some(name => name.includes('%')) ? null : words
}

/** Lists the last words of the names of pictures in a text, at most so many. */
export function lastWords(text: string, most: number): readonly string[] {
  const words = new Set<string>()
  for (const [found] of text.matchAll(word)) {
    words.add(composed(found).toLowerCase())
    if (words.size === most) break
  }
  return [...words]
}
