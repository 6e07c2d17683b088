import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readKeys } from '../../src/search/words/keys.ts'
import { listTokens } from '../../src/search/words/tokens.ts'
import { listKeys } from './_keys.ts'

const words = (text: string) => [...listTokens(text)].map(token => token.word)
const plains = (text: string) => [...listTokens(text)].map(token => token.plain)

describe('the words of a text', () => {
  const cases: readonly (readonly [what: string, text: string, words: readonly string[]])[] = [
    ['symbols separate', 'a=b {{cite web|url=x}} foo_bar', ['a', 'b', 'cite', 'web', 'url', 'x', 'foo', 'bar']],
    ['headings are words', '== History ==', ['history']],
    ['digits belong to words', 'BIP0039 v1.2', ['bip0039', 'v1', '2']],
    ['case is folded', 'ÄRGER Straße STRASSE', ['ärger', 'strasse', 'strasse']],
    ['a final sigma is a sigma', 'ΣΊΣΥΦΟΣ σίσυφος', ['σίσυφοσ', 'σίσυφοσ']],
    ['decomposed letters are composed', 'cafe\u0301', ['café']],
    ['symbols that are not ASCII separate', 'one—two\u00A0three', ['one', 'two', 'three']],
    ['letters beyond the first plane are letters', '𐐀𐐀 x', ['𐐨𐐨', 'x']],
    ['vowel signs stay with their letters', 'हिन्दी भाषा', ['हिन्दी', 'भाषा']],
    ['Han and kana are single signs', '東京タワー', ['東', '京', 'タ', 'ワ', 'ー']],
    ['Hangul is single signs', '위키는', ['위', '키', '는']],
    ['decomposed Hangul is the same signs', '위키는'.normalize('NFD'), ['위', '키', '는']],
    ['Thai is words', 'ภาษาไทยน้ำท่วม', ['ภาษา', 'ไทย', 'น้ำ', 'ท่วม']],
    ['Thai beside letters is words', 'wikiภาษาไทย', ['wiki', 'ภาษา', 'ไทย']],
    ['a word ends where signs begin', '第3回wiki大会', ['第', '3', '回', 'wiki', '大', '会']],
    ['an emoji is a sign', 'I❤️wiki😀', ['i', '❤', 'wiki', '😀']],
    ['what nobody sees is no word', '\uFE0F \u200B\u00AD', []],
    ['what nobody sees separates nothing', 'Do\u00ADnau می\u200Cخواهم \u200Eabc\u200F', ['donau', 'میخواهم', 'abc']],
    ['half a surrogate pair is a symbol', 'a\uD83Db', ['a', 'b']],
    ['nothing is in nothing', ' \n—"=*', []],
  ]
  test.each(cases)('%s', (_, text, expected) => {
    expect(words(text)).toEqual(expected)
  })

  test('offsets return the text of the word', () => {
    const text = 'Ein "Café" in 東京, cafe\u0301.'
    const slices = [...listTokens(text)].map(token => text.slice(token.start, token.end))
    expect(slices).toEqual(['Ein', 'Café', 'in', '東', '京', 'cafe\u0301'])
  })

  test('accents are removed from letters, and vowel signs of other scripts stay', () => {
    expect(plains('Café Žižek Ångström мой Hindi हिन्दी が')).toEqual([
      'cafe',
      'zizek',
      'angstrom',
      'мои',
      'hindi',
      'हिन्दी',
      'が',
    ])
    expect(plains('\u0301')).toEqual(['\u0301'])
  })

  test('a very long word is indexed by its first 64 letters', () => {
    const [token, ...others] = listTokens('x'.repeat(1_000_000))
    expect([token?.word.length, token?.end, others.length]).toEqual([64, 1_000_000, 0])
  })
})

describe('the keys of a text', () => {
  const cases: readonly (readonly [what: string, text: string, keys: readonly string[]])[] = [
    ['a word is one key for each occurrence', 'wiki a Wiki', ['wiki', 'a', 'wiki']],
    ['a word with accents has a second key without', 'Café', ['café', 'cafe']],
    ['a character is a token alone and with the next one', '東京都', ['東', '東京', '京', '京都', '都']],
    ['signs that something separates are no pair', '東、京x都', ['東', '京', 'x', '都']],
    [
      'an identifier is found whole, in parts and without its joint',
      'BIP-0032',
      ['bip', '0032', '32', 'bip-0032', 'bip0032', 'bip32'],
    ],
    ['a dot is no hyphen', 'wiki.json', ['wiki', 'json', 'wiki-json']],
    ['a line below joins too', 'OP_CHECKSIG', ['op', 'checksig', 'op-checksig', 'opchecksig']],
    ['a word of two is found as one', 'multi-sig', ['multi', 'sig', 'multi-sig', 'multisig']],
    ['the end of a sentence joins nothing', 'end. Start', ['end', 'start']],
    ['a long row is no identifier', 'a-b-c-d-e-f-g', ['a', 'b', 'c', 'd', 'e', 'f', 'g']],
  ]
  test.each(cases)('%s', (_, text, expected) => {
    expect(listKeys([text])).toEqual(expected)
  })

  test('have the positions of the tokens, whatever surrounds them', () => {
    const unit = fc.constantFrom(
      'a',
      'B',
      'É',
      '0',
      '7',
      '東',
      '京',
      '-',
      '_',
      '.',
      ' ',
      '\n',
      '=',
      '—',
      'ß',
      '😀',
      'ท',
    )
    fc.assert(
      fc.property(fc.array(fc.string({ unit, maxLength: 24 }), { maxLength: 3 }), texts => {
        const words: string[] = []
        const keep = (key: string, place: number): void => {
          if (place > 0) words[place] ??= key
        }
        readKeys(texts, 1, {
          word: (text, start, end, place) => keep(text.slice(start, end).toLowerCase(), place),
          key: keep,
        })
        const tokens = texts.flatMap(text => [undefined, ...[...listTokens(text)].map(token => token.word)])
        expect([...words]).toEqual(tokens.slice(0, words.length))
        expect(tokens.slice(words.length).every(word => word === undefined)).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  test('of long Thai text are found in linear time, and no word is split', { tags: 'long' }, () => {
    const words = [...listTokens('ภาษาไทย'.repeat(20_000))].map(token => token.word)
    expect(words.slice(0, 4)).toEqual(['ภาษา', 'ไทย', 'ภาษา', 'ไทย'])
    expect(new Set(words)).toEqual(new Set(['ภาษา', 'ไทย']))
  })
})
