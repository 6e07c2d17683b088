/** Splits texts into words: the one rule for the index, for queries and for the marks in excerpts. */

import { composed } from '../../core/composed-text.ts'

/** A word of a text, or one sign of a script that is written without spaces. */
export interface Token {
  /** UTF-16 offsets into the text. */
  readonly start: number
  readonly end: number
  /** Case-folded, NFC. */
  readonly word: string
  /** The same without accents; equal to `word` where there are none. */
  readonly plain: string
  /** True for a sign: a Han, kana or Hangul character, an emoji. */
  readonly sign: boolean
}

/**
 * Longer words (mostly encoded data) are cut to this many UTF-16 units, because MiniSearch recurses on the length of a word.
 */
export const longestWord = 64

/**
 * Korean has spaces, but attaches particles to the words. U+30FC and U+FF70 are the length mark of kana, which belongs to no
 * script.
 */
const scriptsOfSigns = ['Han', 'Hiragana', 'Katakana', 'Bopomofo', 'Hangul']
const signClass = `${classOf(scriptsOfSigns)}\\p{ExtPict}\\u30FC\\uFF70`

/** Scripts without spaces for which the platform has dictionaries. */
const gluedClass = classOf(['Thai', 'Lao', 'Khmer', 'Myanmar'])

/** UTF-16 units that are segmented at a time: the cost grows faster than the text. */
const gluedChunk = 128

/** A Hangul syllable in decomposed text: leading consonant, vowels, final consonants. */
const decomposedSyllable = '[\\u1100-\\u115F][\\u1160-\\u11A7]{0,3}[\\u11A8-\\u11FF]{0,3}'

/** Runs that hold whole words, and perhaps symbols beyond ASCII. This takes a fifth of the time of Unicode classes. */
const roughRun = /[0-9A-Za-z\x80-\uFFFF]+/g
/** Words go on across what nobody sees, such as a soft hyphen or a mark of direction. */
const wordRun = /[\p{L}\p{M}\p{N}\p{ExtPict}\p{DI}]+/gu
const unseen = /\p{DI}+/gu
const anySign = new RegExp(`[${signClass}${gluedClass}]`, 'u')
const signOrWord = new RegExp(
  `(${decomposedSyllable}|[${signClass}][\\p{M}\\p{DI}\\uFF9E\\uFF9F]*)|([${gluedClass}][${gluedClass}\\p{M}]*)|[^${signClass}${gluedClass}]+`,
  'gu',
)

const notAscii = /[^\0-\x7F]/

/** Vowel signs of scripts in which they are letters stay; in these, readers leave marks and letters that modify others out. */
const scriptsWithMarks = ['Inherited', 'Latin', 'Greek', 'Cyrillic', 'Armenian', 'Coptic', 'Arabic', 'Hebrew', 'Syriac']
const accents = new RegExp(`(?=\\p{Mn})${`[${classOf(scriptsWithMarks)}]`}|(?=\\p{Lm})[\\p{Dia}\\u0640]`, 'gu')

/** Lists the tokens of a text in order: runs of letters, marks and digits; everything else only separates them. */
export function* listTokens(text: string): Generator<Token, void, undefined> {
  for (const rough of text.matchAll(roughRun)) {
    if (!notAscii.test(rough[0])) yield asciiToken(rough[0], rough.index)
    else yield* splitRun(rough[0], rough.index)
  }
}

/** True if both tokens are signs and the second directly follows the first. */
export function adjoins(first: Token, second: Token): boolean {
  return first.sign && second.sign && first.end === second.start
}

/**
 * The form of a folded word that all its spellings share: without accents, pointing and other forms of letters and digits (`ﬁ`, `Ａ`, `³`,
 * `٣`). Vowel signs of other scripts are not accents. Never "".
 */
export function stripAccents(word: string): string {
  if (!notAscii.test(word)) return word
  const same = word.normalize('NFKD')
  // A fraction is not its digits.
  const letters = same.includes('\u2044') ? word.normalize('NFD') : same.toLowerCase()
  return composed(letters.replace(accents, '').replace(undecomposed, inLetters).replace(otherDigit, inDigits)) || word
}

/**
 * Latin letters that have no decomposition, each with the letters that it sorts as. Source: Unicode Technical Standard 10, Default
 * Unicode Collation Element Table; a test compares it with that of the platform.
 */
export const sortedAs: Readonly<Record<string, string>> = Object.fromEntries(
  'ßss æae ðd øo đd ħh łl œoe ƍzw ƾts ȸdb ȹqp ʣdz ʦts ʪls ʫlz ᵹg ᵺth ỻll ꜩtz ꜳaa ꜵao ꜷau ꜹav ꜻav ꜽay ꝏoo ꝛr ꝡvy ꝺd ꝼf ꞃr ꞅs ꞇt ꞛa ꞝo ꞟu ꞡg ꞣk ꞥn ꞧr ꞩs ꟁa ꟃw ꟙs'
    .split(' ')
    .map(pair => [...pair])
    .map(([letter, ...others]) => [letter, others.join('')]),
)
const undecomposed = new RegExp(`[${Object.keys(sortedAs).join('')}]`, 'gu')
const inLetters = (letter: string): string => sortedAs[letter] ?? letter

/** Decimal digits of other scripts, which Unicode keeps in rows of ten. */
const otherDigit = /(?![0-9])\p{Nd}/gu
const digit = /^\p{Nd}$/u

function inDigits(sign: string): string {
  const code = sign.codePointAt(0) as number
  let first = code
  while (digit.test(String.fromCodePoint(first - 1))) first--
  return String((code - first) % 10)
}

function* splitRun(rough: string, offset: number): Generator<Token, void, undefined> {
  for (const run of rough.matchAll(wordRun)) {
    if (anySign.test(run[0])) yield* splitSigns(run[0], offset + run.index)
    else yield* wordOf(run[0], offset + run.index)
  }
}

function* splitSigns(run: string, offset: number): Generator<Token, void, undefined> {
  for (const part of run.matchAll(signOrWord)) {
    const start = offset + part.index
    if (part[1] !== undefined) yield toSign(part[0], start)
    else if (part[2] !== undefined) yield* splitGlued(part[0], start)
    else yield* wordOf(part[0], start)
  }
}

/** A chunk may cut its last word, so the next chunk begins with it. */
function* splitGlued(run: string, offset: number): Generator<Token, void, undefined> {
  const segmenter = new Intl.Segmenter('th', { granularity: 'word' })
  for (let at = 0; at < run.length; ) {
    const chunk = run.slice(at, at + gluedChunk)
    const words = [...segmenter.segment(chunk)]
    if (words.length > 1 && at + chunk.length < run.length) words.pop()
    for (const { segment, index } of words) yield toToken(segment, offset + at + index)
    const last = words.at(-1)!
    at += last.index + last.segment.length
  }
}

function classOf(scripts: readonly string[]): string {
  return scripts.map(script => `\\p{sc=${script}}`).join('')
}

/** Makes the token of a run of ASCII letters and digits. */
export function asciiToken(raw: string, start: number): Token {
  const word = raw.slice(0, longestWord).toLowerCase()
  return { start, end: start + raw.length, word, plain: word, sign: false }
}

/** None where all of it is unseen. */
function* wordOf(raw: string, start: number): Generator<Token, void, undefined> {
  if (raw.replace(unseen, '') !== '') yield toToken(raw, start)
}

function toToken(raw: string, start: number): Token {
  const word = foldCase(raw.slice(0, longestWord))
  return { start, end: start + raw.length, word, plain: stripAccents(word), sign: false }
}

/** Signs have no case. Those of one unit before the compatibility ideographs are already normalized; half a width is the same sign. */
function toSign(raw: string, start: number): Token {
  const word = raw.length === 1 && raw < '\uF900' ? raw : normalize(raw.slice(0, longestWord).normalize('NFKC'))
  return { start, end: start + raw.length, word, plain: word, sign: true }
}

/** Upper case first, because only then do "ß" and "SS" become equal; JavaScript then writes a final sigma, which is undone. */
function foldCase(raw: string): string {
  return composed(normalize(raw).toUpperCase().toLowerCase().replaceAll('ς', 'σ'))
}

/** Never "": a combining mark alone is a word. */
function normalize(raw: string): string {
  return composed(raw.replace(unseen, '')) || raw
}
