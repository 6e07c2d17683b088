/** Normalises the characters of a title: spaces, composition, first letter, case. */

const bidiMarks = /[\u200e\u200f\u202a-\u202e]/g
const spaces = /[ _\u00a0\u1680\u180e\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/g

/**
 * Brings a title to its URL form: no bidi marks, NFC, every run of spaces and underscores one underscore.
 * The ends are not trimmed.
 *
 * Source: MediaWiki MediaWikiTitleCodec::splitTitleString.
 */
export function underscoreTitle(text: string): string {
  if (isPlain(text)) return text.replaceAll(' ', '_')
  // Marks go first: what they kept apart may compose.
  return text.replace(bidiMarks, '').normalize('NFC').replace(spaces, '_')
}

/** True for text of ASCII in which no two spaces or underscores follow each other: most titles are no other. */
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
 * Folds a title for comparison without regard to case: full case folding, NFC, underscores as spaces. Idempotent.
 * The ends are not trimmed, so that a prefix may end in a space.
 */
export function foldTitle(text: string): string {
  if (isPlain(text)) return text.replaceAll('_', ' ').toLowerCase()
  const spaced = underscoreTitle(text).replaceAll('_', ' ')
  // Lower, upper, lower: only so do the sharp s and its capital, and the Greek iota below, fold alike.
  return spaced.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFC')
}

/** Letters whose title case is another single letter than their upper case: title case, then the letters. */
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
/** Georgian letters have capitals, but no sentence or title begins with one. */
const georgian = /^[\u10d0-\u10ff]/

/**
 * Turns the first letter of a title into a capital where that is a single code point: é to É, while ß stays.
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
  // A capital may compose with the mark after it where the small letter does not.
  return (capital + text.slice(first.length)).normalize('NFC')
}
