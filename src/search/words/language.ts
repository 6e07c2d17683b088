/** Language rules for words: stemming and stop words. */

import { loadLanguagePack } from './language-packs.ts'

/** A language, as far as search knows it. */
export interface Language {
  /** Returns the stem of a word; null if it has no inflected forms. */
  readonly stem: (word: string) => string | null
  /** Words that occur in every text: a page need not have them. */
  readonly stopWords: ReadonlySet<string>
}

/** Any language: words have no other forms. */
export const noLanguage: Language = { stem: () => null, stopWords: new Set() }

/** Shorter words are not forms of others; longer strings are not words. */
const shortestWord = 3
const longestWord = 32

/** Maximum cached stems: the libraries take microseconds for each. */
const maxRemembered = 100_000

/** Loads the rules of a language by its code; an unknown language has none. */
export async function loadLanguage(code: string): Promise<Language> {
  const pack = await loadLanguagePack(code)
  return pack === null ? noLanguage : languageOf(pack.stemmer, pack.stopWords)
}

/** Makes a language of a stemmer and its stop words. */
export function languageOf(stemmer: (word: string) => string, stopWords: Iterable<string>): Language {
  const remembered = new Map<string, string | null>()
  const stem = (word: string): string | null => {
    const cached = remembered.get(word)
    if (cached !== undefined) return cached
    const found = isWord(word) ? stemmer(word) || null : null
    if (remembered.size >= maxRemembered) remembered.clear()
    remembered.set(word, found)
    return found
  }
  return { stem, stopWords: new Set(stopWords) }
}

function isWord(word: string): boolean {
  return word.length >= shortestWord && word.length <= longestWord && /^[\p{L}\p{M}]+$/u.test(word)
}
