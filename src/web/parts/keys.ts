/**
 * Keyboard shortcuts: each is the `accesskey` of one element, and also works as a single key. Source: MediaWiki's help
 * page on keyboard shortcuts, for the letters.
 */

import type { WordKey } from '../words/words.ts'

/** Keys by action. */
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

/** Returns the shortcut of a link with this message as its text; null if it has none. */
export function keyOf(word: WordKey): string | null {
  return Object.hasOwn(keys, word) ? keys[word as keyof typeof keys] : null
}
