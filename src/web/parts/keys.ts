/**
 * Keys of the pages: each is the `accesskey` of one element, which single keys press as well.
 * Source: MediaWiki's help page on keyboard shortcuts, for the letters.
 */

import type { WordKey } from '../words/words.ts'

/** Keys by what they do. */
export const keys = {
  search: 'f',
  toMainPage: 'z',
  recentChanges: 'r',
  randomPage: 'x',
  specialPages: 'q',
  read: 'c',
  talk: 't',
  edit: 'e',
  history: 'h',
  whatLinksHere: 'j',
  move: 'm',
  delete: 'd',
  olderEdit: 'p',
  newerEdit: 'n',
  keysTitle: '?',
} as const satisfies Partial<Record<WordKey, string>>

/** Returns the key of a link with this text; null if it has none. */
export function keyOf(word: WordKey): string | null {
  return Object.hasOwn(keys, word) ? keys[word as keyof typeof keys] : null
}
