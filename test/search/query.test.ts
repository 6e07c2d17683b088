import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hasPhrases, loosenQuery, parseQuery, type QueryPart, replaceWords } from '../../src/search/query.ts'

/** A query in one line: pairs in brackets, phrases in quotes, an asterisk for a beginning. */
const show = (parts: readonly QueryPart[]) => parts.map(showPart).join(' ')

function showPart({ kind, words, prefix }: QueryPart): string {
  const text = words.join(kind === 'pair' ? '' : ' ') + (prefix ? '*' : '')
  return { word: text, sign: `(${text})`, pair: `[${text}]`, phrase: `"${text}"` }[kind]
}

describe('a query', () => {
  const cases: readonly (readonly [what: string, query: string, parts: string])[] = [
    ['is words', 'Brillig Slithy', 'brillig slithy'],
    ['separates at symbols', 'a=b OP_CHECKSIG rt.js', 'a b op checksig rt js'],
    ['has phrases in quotes', 'x "slithy toves" y', 'x "slithy toves" y'],
    ['has phrases in curly quotes', '“slithy toves”', '"slithy toves"'],
    ['takes a phrase of one word literally', '"quotes"', '"quotes"'],
    ['forgets an empty phrase', '"" x " - "', 'x'],
    ['takes a quote without its partner for a symbol', '"slithy toves', 'slithy toves'],
    ['takes the odd quote for a symbol', '"a b" "c d', '"a b" c d'],
    ['has beginnings with an asterisk', 'bril* slithy', 'bril* slithy'],
    ['has beginnings before other symbols', '(bril*) x', 'bril* x'],
    ['has beginnings at the end of a phrase', '"slithy tov*"', '"slithy tov*"'],
    ['has no beginnings of two letters', 'ab* 東*', 'ab (東)'],
    ['has no asterisk within', 'foo*bar *baz', 'foo bar baz'],
    ['has pairs of signs', '東京大学', '[東京] [京大] [大学]'],
    ['has single signs', '東 京x', '(東) (京) x'],
    ['has phrases of signs', '"東京 tower"', '"東 京 tower"'],
    ['has each thing once', 'a b A 東 東 "a" a', 'a b (東) "a"'],
    ['has no operators', 'a OR -b (c', 'a or b c'],
    ['is nothing without words', ' *"\'=\u{1F1E6}', ''],
    ['is nothing when empty', '', ''],
  ]
  test.each(cases)('%s', (_, text, expected) => {
    expect(show(parseQuery(text).parts)).toBe(expected)
  })

  test('is read as far as 16 words', () => {
    const words = Array.from({ length: 40 }, (_, index) => `w${index}`)
    expect(show(parseQuery(words.join(' ')).parts)).toBe(words.slice(0, 16).join(' '))
    expect(parseQuery(`"${words.join(' ')}"`).parts.map(part => part.words.length)).toEqual([16])
  })

  test('is read as far as 300 characters, whole words', () => {
    expect(show(parseQuery(`${'-'.repeat(290)} foo foobar`).parts)).toBe('foo')
    expect(show(parseQuery('x'.repeat(10_000)).parts)).toBe('x'.repeat(64))
  })

  test('never fails and stays small, whatever is typed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), text => {
        const { parts } = parseQuery(text)
        expect(parts.flatMap(part => part.words).length).toBeLessThanOrEqual(2 * 16)
        expect(parts.flatMap(part => part.keys).every(({ key }) => /^[^ ]+$/.test(key))).toBe(true)
      }),
    )
  })

  test('has phrases only where several words are quoted', () => {
    expect(hasPhrases(parseQuery('a "b c"'))).toBe(true)
    expect(hasPhrases(parseQuery('a "b" 東京'))).toBe(false)
  })
})

describe('a query that found nothing', () => {
  const cases: readonly (readonly [what: string, query: string, parts: string])[] = [
    ['loses its accents', 'Café naïve "Café"', 'cafe naive "café"'],
    ['has the beginning of a last word', 'slithy bril', 'slithy bril*'],
    ['has no beginning of two letters', 'slithy br', 'slithy br'],
    ['has no beginning where it ends otherwise', 'bril 東京', 'bril [東京]'],
  ]
  test.each(cases)('%s', (_, text, expected) => {
    expect(show(loosenQuery(parseQuery(text)).parts)).toBe(expected)
  })

  test('takes other words, but keeps what was quoted', () => {
    const query = replaceWords(parseQuery('zorblat "slithy toves"'), ['zorblatt', 'slithy', 'toves'])
    expect(show(query.parts)).toBe('"slithy toves" zorblatt')
  })
})
