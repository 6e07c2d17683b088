import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Choice,
  parseQuery,
  type Query,
  type QueryPart,
  replaceWords,
  withPrefixQuery,
} from '../../src/search/query/query.ts'

/** A query in one line: pairs in brackets, phrases in quotes, an asterisk for a prefix. */
const show = (parts: readonly QueryPart[]) => parts.map(showPart).join(' ')

function showPart({ kind, words, prefix }: QueryPart): string {
  const text = words.join(kind === 'pair' ? '' : ' ') + (prefix ? '*' : '')
  return { word: text, sign: `(${text})`, pair: `[${text}]`, phrase: `"${text}"`, identifier: `<${text}>` }[kind]
}

describe('a query', () => {
  const cases: readonly (readonly [what: string, query: string, parts: string])[] = [
    ['is words', 'Brillig Slithy', 'brillig slithy'],
    ['separates at symbols', 'a=b', 'a b'],
    ['has identifiers', 'a OP_CHECKSIG rt.js', 'a <op checksig> <rt js>'],
    ['has no accents', 'Café "Café"', 'cafe "café"'],
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
    ['has no words that are excluded', 'a or -b (c', 'a or c'],
    ['is nothing without words', ' *"\'=\u{1F1E6}', ''],
    ['is nothing when empty', '', ''],
  ]
  test.each(cases)('%s', (_, text, expected) => {
    expect(show(parseQuery(text).parts)).toBe(expected)
  })

  test('is read up to 16 words', () => {
    const words = Array.from({ length: 40 }, (_, index) => `w${index}`)
    expect(show(parseQuery(words.join(' ')).parts)).toBe(words.slice(0, 16).join(' '))
    expect(parseQuery(`"${words.join(' ')}"`).parts.map(part => part.words.length)).toEqual([16])
  })

  test('is read up to 300 characters, in whole words', () => {
    expect(show(parseQuery(`${'-'.repeat(290)} foo foobar`).parts)).toBe('foo')
    expect(show(parseQuery('x'.repeat(10_000)).parts)).toBe('x'.repeat(64))
  })

  test('never fails and stays small, whatever the input', { tags: 'long' }, () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), text => {
        const { parts } = parseQuery(text)
        expect(parts.flatMap(part => part.words).length).toBeLessThanOrEqual(2 * 16)
        expect(parts.flatMap(part => part.alternatives.flat()).every(({ key }) => /^[^ ]+$/.test(key))).toBe(true)
      }),
    )
  })
})

/** A query as one expression. */
function showQuery({ parts, excluded, filters, choices }: Query): string {
  const showFilter = ({ kind, value, negated }: Query['filters'][number]) => `${negated ? '-' : ''}${kind}:${value}`
  const showChoice = (choice: Choice): string => {
    if ('at' in choice) return showPart(parts[choice.at]!)
    if ('part' in choice) return showPart(choice.part)
    if ('filter' in choice) return showFilter(choice.filter)
    if ('not' in choice) return `-${showChoice(choice.not)}`
    return 'any' in choice ? `(${choice.any.map(showChoice).join(' | ')})` : `(${choice.all.map(showChoice).join(' ')})`
  }
  const own = parts.filter(({ isChoice }) => !isChoice).map(showPart)
  return [
    ...own,
    ...excluded.map(part => `-${showPart(part)}`),
    ...filters.map(showFilter),
    ...choices.map(showChoice),
  ].join(' ')
}

describe('the operators of a query', () => {
  const cases: readonly (readonly [query: string, meaning: string])[] = [
    ['a OR b', '(a | b)'],
    ['a || b', '(a | b)'],
    ['a|b', '(a | b)'],
    ['a AND b', 'a b'],
    ['a && b', 'a b'],
    ['a NOT b', 'a -b'],
    ['a !b', 'a -b'],
    ['a AND NOT b', 'a -b'],
    ['NOT a', '-a'],
    ['NOT -a', 'a'],
    ['a or b and not c', 'a or b and not c'],
    ['a OR b c', '(a | (b c))'],
    ['a b OR c', '((a b) | c)'],
    ['a AND b OR c AND d', '((a b) | (c d))'],
    ['(a OR b) c', 'c (a | b)'],
    ['c (a|b) NOT d', 'c -d (a | b)'],
    ['NOT (a OR b) c', 'c -(a | b)'],
    ['-(a b) c', 'c -(a b)'],
    ['((a OR b) AND (c OR "d e"))', '(a | b) (c | "d e")'],
    ['"a OR b"', '"a or b"'],
    ['a OR -b', '(a | -b)'],
    ['a OR incategory:B', '(a | category:B)'],
    ['incategory:"A b|C" d', 'd (category:A b | category:C)'],
    ['-incategory:A|B', '-(category:A | category:B)'],
    ['(incategory:A_(b) OR linksto:C)', '(category:A_(b) | link:C)'],
    ['f(x) (y)', 'f x y'],
    ['OR', 'or'],
    ['AND gate', 'and gate'],
    ['a OR', 'a or'],
    ['a NOT', 'a not'],
    ['a OR OR b', '(a | b)'],
    ['(a OR b', '(a | b)'],
    ['a) OR b', '(a | b)'],
    ['() OR a', 'a'],
    ['a OR "" b', '(a | b)'],
    ['insource:/a|b/ c', 'c source:a|b'],
    ['ORACLE ANDES NOTE', 'oracle andes note'],
    ['bip 32 OR x', '((bip 32) | x)'],
  ]
  test.each(cases)('%s', (text, meaning) => {
    expect(showQuery(parseQuery(text))).toBe(meaning)
  })

  test('leave no text that could be a title', () => {
    expect(parseQuery('a OR b').text).toBe('')
    expect(parseQuery('a (b)').text).toBe('a (b)')
  })

  test('are read in any number, and never fail', { tags: 'long' }, () => {
    const words = fc.array(
      fc.constantFrom('a', 'b', 'OR', 'AND', 'NOT', '(', ')', '|', '-', '!', '"', 'incategory:c', '#d'),
    )
    fc.assert(
      fc.property(words, fc.constantFrom('', ' '), (list, space) => {
        const { parts, choices } = parseQuery(list.join(space))
        expect(parts.length).toBeLessThanOrEqual(2 * 16)
        expect(JSON.stringify(choices).length).toBeLessThan(20_000)
      }),
    )
    expect(parseQuery(`${'('.repeat(150)}a OR b`).parts).toHaveLength(2)
  })
})

describe('a tag', () => {
  test.each([
    ['#tide', ['#tide']],
    ['#Häfen/Nord-See', ['#hafen/nord-see']],
    ['#2026', ['2026']],
    ['c#', ['c#']],
  ])('%s', (text, keys) => {
    expect(parseQuery(text).parts[0]?.alternatives[0]?.map(({ key }) => key)).toEqual(keys)
  })
})

describe('the filters of a query', () => {
  const cases: readonly (readonly [what: string, query: string, filters: readonly object[], parts: string])[] = [
    ['name a category', 'x incategory:Food', [{ kind: 'category', value: 'Food', negated: false }], 'x'],
    ['may be quoted', 'incategory:"Sea food" x', [{ kind: 'category', value: 'Sea food' }], 'x'],
    ['may be in capitals', 'InCategory:Food', [{ kind: 'category', value: 'Food' }], ''],
    ['may be negated', '-hastemplate:Stub x', [{ kind: 'template', value: 'Stub', negated: true }], 'x'],
    ['name a link', 'linksto:Main_Page', [{ kind: 'link', value: 'Main_Page' }], ''],
    [
      'have patterns',
      'insource:/a b\\/[c]+/i x',
      [{ kind: 'source', value: 'a b\\/[c]+', pattern: { ignoreCase: true } }],
      'x',
    ],
    ['have source texts', 'insource:"{{x"', [{ kind: 'source', value: '{{x', pattern: undefined }], ''],
    ['have all the rest after prefix', 'x prefix:Sea food', [{ kind: 'prefix', value: 'Sea food' }], 'x'],
    ['are not filters with other names', 'foo:bar', [], 'foo bar'],
    ['are not filters without a value', 'x incategory:""', [], 'x'],
  ]
  test.each(cases)('%s', (_, text, filters, parts) => {
    const query = parseQuery(text)
    expect(query.filters).toMatchObject(filters)
    expect(query.filters).toHaveLength(filters.length)
    expect(show(query.parts)).toBe(parts)
  })

  test('for the title are parts of the query', () => {
    const [first, second] = parseQuery('intitle:brillig slithy').parts
    expect([first?.inTitle, second?.inTitle]).toEqual([true, false])
  })

  test('leave no text that could be a title', () => {
    expect(parseQuery(' Fire station ').text).toBe('Fire station')
    expect(['"a b"', 'a -b', 'a incategory:b', 'intitle:a'].map(text => parseQuery(text).text)).toEqual([
      '',
      '',
      '',
      '',
    ])
  })
})

describe('a query without results', () => {
  const cases: readonly (readonly [what: string, query: string, parts: string | null])[] = [
    ['has the beginning of a last word', 'slithy bril', 'slithy bril*'],
    ['has no beginning of two letters', 'slithy br', null],
    ['has no beginning where it ends otherwise', 'bril 東京', null],
  ]
  test.each(cases)('%s', (_, text, expected) => {
    const looser = withPrefixQuery(parseQuery(text))
    expect(looser === null ? null : show(looser.parts)).toBe(expected)
  })

  test('is tried with other words, but keeps quoted ones', () => {
    const query = replaceWords(parseQuery('zorblat "slithy zorblat"'), new Map([['zorblat', 'zorblatt']]))
    expect(show(query.parts)).toBe('zorblatt "slithy zorblat"')
  })
})
