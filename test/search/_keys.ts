/** The keys of texts as a list. */

import { readKeys } from '../../src/search/words/keys.ts'

/** Lists the keys of texts, one for each occurrence. */
export function listKeys(texts: readonly string[]): string[] {
  const keys: string[] = []
  readKeys(texts, 1, {
    word: (text, start, end) => void keys.push(text.slice(start, end).toLowerCase()),
    key: key => void keys.push(key),
  })
  return keys
}
