/**
 * The last words of the names of pictures, in lower case: `b.jpg` for `A_b.jpg`. A text that has none of a wiki's pictures cannot show
 * one, and need not be rendered to know that.
 */

import { composed } from '../../core/composed-text.ts'

/** Maximum words of a page. One with more may show any picture. */
const maxWords = 100

const extension = 'jpe?g|png|gif|svg|webp|tiff?|avif'
const word = new RegExp(`([^\\s_/|[\\]{}<>"'=:(),&;]{0,80})\\.(${extension})(?![\\p{L}\\p{N}])`, 'giu')

/** Names that a template, a module or a percent sign completes. */
const computed = new RegExp(`[}%][^\\s_/|[\\]{}<>"'=:(),&;]{0,80}\\.(?:${extension})|#invoke`, 'i')

/** Lists the words in a text; null if it may show a picture under any name. Linear in the text. */
export function pictureWords(text: string): readonly string[] | null {
  const words = computed.test(text) ? null : lastWords(text, maxWords + 1)
  return words !== null && words.length <= maxWords ? words : null
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
