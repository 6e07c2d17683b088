/** Normalises the characters of a title: spaces, composition, first letter, case. */

import { composed, fullCaseFold } from './composed-text.ts'

const bidiMarks = /[\u200e\u200f\u202a-\u202e]/g
const spaces = /[ _\u00a0\u1680\u180e\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/g

/**
 * Converts a title to URL form: without bidi marks, in NFC, with each run of spaces and underscores as one underscore.
 * Leading and trailing ones are not removed.
 *
 * Source: MediaWiki MediaWikiTitleCodec::splitTitleString.
 */
export function underscoreTitle(text: string): string {
  if (isPlain(text)) return text.replaceAll(' ', '_')
  // Bidi marks are removed first, because the characters around them may compose.
  return composed(text.replace(bidiMarks, '')).replace(spaces, '_')
}

/** Returns true for ASCII text without consecutive spaces or underscores, which most titles are. */
function isPlain(text: string): boolean {
  let before = 0
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit > 126) return false
    const isSpace = unit === 32 || unit === 95
    if (isSpace && before === 32) return false
    before = isSpace ? 32 : unit
  }
  return true
}

/** Removes underscores at both ends. */
export function trimUnderscores(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && text[start] === '_') start++
  while (end > start && text[end - 1] === '_') end--
  return text.slice(start, end)
}

/**
 * Folds a title for case-insensitive comparison: full case folding, NFC, underscores as spaces. Idempotent. Leading and
 * trailing spaces stay, so a prefix may end in a space.
 */
export function foldTitle(text: string): string {
  if (isPlain(text)) return text.replaceAll('_', ' ').toLowerCase()
  const spaced = underscoreTitle(text).replaceAll('_', ' ')
  return composed(fullCaseFold(spaced).replaceAll('ς', 'σ'))
}

/** Letters whose title case is a single letter other than their upper case, after their title case. */
const digraphs = [
  ['ǅ', 'Ǆǆ'],
  ['ǈ', 'Ǉǉ'],
  ['ǋ', 'Ǌǌ'],
  ['ǲ', 'Ǳǳ'],
] as const
const greekWithIota = 'ᾀᾁᾂᾃᾄᾅᾆᾇᾐᾑᾒᾓᾔᾕᾖᾗᾠᾡᾢᾣᾤᾥᾦᾧ'
const titleCases: ReadonlyMap<string, string> = new Map([
  ...digraphs.flatMap(([title, letters]) => [title, ...letters].map(letter => [letter, title] as const)),
  ...[...greekWithIota].map(letter => [letter, String.fromCodePoint(letter.codePointAt(0)! + 8)] as const),
  ['ᾳ', 'ᾼ'],
  ['ῃ', 'ῌ'],
  ['ῳ', 'ῼ'],
])
/** Georgian has capitals, but does not use them at the start of a sentence or title. */
const georgian = /^[\u10d0-\u10ff]/

/**
 * Capitalises the first letter of a title if its capital is a single code point: é to É, while ß stays.
 *
 * Source: MediaWiki Language::ucfirst (Unicode title case).
 */
export function capitalizeTitle(text: string): string {
  const unit = text.charCodeAt(0)
  if (unit >= 32 && unit < 97) return text
  const first = String.fromCodePoint(text.codePointAt(0) ?? 0)
  const capital = titleCases.get(first) ?? (georgian.test(first) ? first : first.toUpperCase())
  const isSingle = capital.length === String.fromCodePoint(capital.codePointAt(0)!).length
  if (capital === first || text === '' || !isSingle) return text
  // The capital may compose with the next mark even if the small letter did not.
  return composed(capital + text.slice(first.length))
}
