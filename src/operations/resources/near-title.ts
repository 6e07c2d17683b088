/** Finds the title that was meant by a misspelled one. */

import { nearest } from '../../core/nearest-name.ts'
import { foldTitlePrefix } from '../../core/title.ts'
import { listTokens } from '../../search/words/tokens.ts'
import type { Store } from '../../store/store.ts'

/** Maximum titles compared: those of the same beginning, and any others. A wiki with more has a search for it. */
const [maxBegun, maxOthers] = [2_000, 20_000]

/** Returns the title of the page that a title without a page probably means; undefined if none is near. */
export function nearTitle(store: Store, typed: string): string | undefined {
  const title = typed.replaceAll('_', ' ').trim()
  const begun = foldTitlePrefix(title.slice(0, 2), store.titles)
  return (
    nearest(title, titlesOf(store, begun, maxBegun), spelledPlainly) ??
    nearest(title, titlesOf(store, '', maxOthers), spelledPlainly)
  )
}

/** As the search compares words: without accents, vowel points and dashes. */
function spelledPlainly(title: string): string {
  let words = ''
  let last = 0
  for (const { plain, start, end } of listTokens(title)) {
    words += start > last ? ` ${plain}` : plain
    last = end
  }
  return words.trim() || title.toLowerCase()
}

function* titlesOf(store: Store, prefix: string, most: number): Generator<string, void, undefined> {
  let left = most
  for (const key of store.keys(prefix)) {
    if (left-- <= 0) return
    yield key.replaceAll('_', ' ')
  }
}
