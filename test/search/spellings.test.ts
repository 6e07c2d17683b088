/** One word is found by each of its spellings: those that a page shows are found by those that people type. */

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseQuery } from '../../src/search/query/query.ts'
import { sortedAs } from '../../src/search/words/tokens.ts'
import { listKeys } from './_keys.ts'

/** True if a text has all words of a query, each in one of its forms. */
function isFound(query: string, text: string): boolean {
  const keys = new Set(listKeys([text]))
  const { parts } = parseQuery(query)
  return (
    parts.length > 0 &&
    parts.every(({ alternatives }) => alternatives.some(one => one.every(({ key }) => keys.has(key))))
  )
}

describe('a word is found by', () => {
  const cases: readonly (readonly [what: string, text: string, query: string])[] = [
    ['letters without a decomposition', 'Żółw', 'zolw'],
    ['letters without a decomposition', 'Œuvre', 'oeuvre'],
    ['letters without a decomposition', 'Søren Đặng', 'soren dang'],
    ['an identifier without its separator', 'ESP32-C6', 'ESP32C6'],
    ['an identifier with a separator', 'ESP32C6', 'ESP32-C6'],
    ['an identifier with its zeros', 'bip-0032', 'bip0032'],
    ['a hyphen of another kind', 'ESP32\u2011C6', 'ESP32-C6'],
    ['a hyphen of another kind', 'multi\u2010sig', 'multi-sig'],
    ['an apostrophe of another kind', 'O’Neill', "O'Neill"],
    ['no apostrophe', 'O’Neill', 'oneill'],
    ['an apostrophe that is missing in the text', 'dont', 'don’t'],
    ['an apostrophe that is a letter', 'Oʼneill', 'oneill'],
    ['Arabic without vowels', 'كِتَابٌ', 'كتاب'],
    ['Arabic without its stretched line', 'كـــتاب', 'كتاب'],
    ['Arabic without hamza', 'أحمد', 'احمد'],
    ['Hebrew without points', 'שָׁלוֹם', 'שלום'],
    ['Persian without a joiner', 'می\u200Cخواهم', 'میخواهم'],
    ['digits of another script', '٢٠٢٦ २०२६', '2026'],
    ['a soft hyphen', 'Donau\u00ADdampf', 'donaudampf'],
    ['other widths', 'ＷＩＫＩ ﾊﾞｽ', 'wiki バス'],
    ['other forms of letters', 'ﬁnal 𝐁𝐨𝐥𝐝 x²', 'final bold x2'],
    ['Greek without accents', 'Ἀθήνη', 'αθηνη'],
    ['Russian without a stress', 'замо́к', 'замок'],
  ]
  test.each(cases)('%s: %s by %s', (_, text, query) => {
    expect(isFound(query, text)).toBe(true)
  })

  test.each([
    ['½', '12'],
    ['1.5', '15'],
    ['end.Start', 'endstart'],
    ['कि', 'क'],
  ])('another word, it is not: %s by %s', (text, query) => {
    expect(isFound(query, text)).toBe(false)
  })
})

describe('what is copied from a page finds it', () => {
  const scripts =
    'Latin Greek Cyrillic Armenian Georgian Hebrew Arabic Syriac Thaana Nko Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala Thai Lao Tibetan Myanmar Khmer Ethiopic Cherokee Mongolian Hangul Han Hiragana Katakana Bopomofo Tifinagh Yi Javanese'.split(
      ' ',
    )
  const signsOf = (script: string): string[] => {
    // The parts of Korean syllables join the syllable before them when it is decomposed.
    const sign = new RegExp(`(?=\\p{sc=${script}})[\\p{L}\\p{M}\\p{Nd}](?<![\\u1100-\\u11FF])`, 'u')
    return Array.from({ length: 0xd7ff }, (_, code) => String.fromCharCode(code)).filter(one => sign.test(one))
  }
  test.each(scripts)('in %s', script => {
    const unit = fc.constantFrom(...signsOf(script), ' ', '-', '’')
    const text = fc.string({ unit, minLength: 1, maxLength: 30 })
    fc.assert(
      fc.property(text, written => {
        fc.pre(parseQuery(written).parts.length > 0)
        expect(isFound(written, written)).toBe(true)
        expect(isFound(written.normalize('NFD'), written)).toBe(true)
        expect(isFound(written.normalize('NFC'), written)).toBe(true)
        expect(isFound(written.toUpperCase(), written)).toBe(true)
      }),
      { numRuns: 30, seed: 42 },
    )
  })
})

// The platform may know newer letters.
test('letters without a decomposition are those that Unicode sorts as others', () => {
  const { compare } = new Intl.Collator('und', { sensitivity: 'base' })
  expect(Object.entries(sortedAs).filter(([letter, others]) => compare(letter, others) !== 0)).toEqual([])
  const early = Array.from({ length: 0x250 - 0x80 }, (_, at) => String.fromCharCode(0x80 + at))
  const other = early.filter(
    letter => /\p{Ll}/u.test(letter) && /\p{sc=Latin}/u.test(letter) && letter.normalize('NFKD') === letter,
  )
  const ascii = [...'abcdefghijklmnopqrstuvwxyz']
  const isSortedAs = (letter: string): boolean =>
    ascii.some(one => compare(letter, one) === 0 || ascii.some(next => compare(letter, one + next) === 0))
  expect(other.filter(letter => isSortedAs(letter) && sortedAs[letter] === undefined)).toEqual([])
})
