import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { excerpt, excerptSteps, leadExcerpt } from '../../src/search/excerpt.ts'
import { parseQuery } from '../../src/search/query/query.ts'

/** The excerpt with brackets for its spans. */
const excerptOf = (text: string, query: string) =>
  excerpt(text, parseQuery(query)).replaceAll('<span class="searchmatch">', '[').replaceAll('</span>', ']')

const filler = 'filler words here. '

describe('an excerpt', () => {
  test('is HTML of the source', () => {
    expect(excerpt(`<b>"A" & 'B'</b>`, parseQuery('b'))).toBe(
      '&lt;<span class="searchmatch">b</span>&gt;&quot;A&quot; &amp; &#039;<span class="searchmatch">B</span>&#039;' +
        '&lt;/<span class="searchmatch">b</span>&gt;\n',
    )
  })

  const cases: readonly (readonly [what: string, text: string, query: string, excerpt: string])[] = [
    ['has the first two lines with a match', 'x\nfoo 1\ny\nfoo 2\nfoo 3', 'foo', '[foo] 1\n[foo] 2\n'],
    [
      'has lines with any of the words',
      'brillig and slithy\nbrillig',
      'slithy brillig',
      '[brillig] and [slithy]\n[brillig]\n',
    ],
    ['keeps the case', 'Zorblatt ZORBLATT', 'zorblatt', '[Zorblatt] [ZORBLATT]\n'],
    ['marks whole words only', 'a bar, bard, bar_d', 'bar', 'a [bar], bard, [bar]_d\n'],
    ['marks the letters of the query', 'Brillig', 'bril*', '[Bril]lig\n'],
    ['marks a whole word whose folding is longer', 'Straßen', 'stras*', '[Straßen]\n'],
    ['marks a phrase as one', 'the slithy toves, slithy', '"slithy toves"', 'the [slithy toves], slithy\n'],
    [
      'marks a phrase across symbols',
      "''slithy'' [[toves]]",
      '"slithy toves"',
      '&#039;&#039;[slithy&#039;&#039; [[toves]]]\n',
    ],
    ['marks the last line of a phrase', 'a slithy\ntoves slithy', '"slithy toves slithy"', '[toves slithy]\n'],
    ['marks accents', 'Café cafe', 'cafe', '[Café] [cafe]\n'],
    ['marks words with and without the accents of the query', 'Café cafe', 'café', '[Café] [cafe]\n'],
    ['does not mark what a phrase would not find', 'Café cafe', '"café"', '[Café] cafe\n'],
    [
      'shows where most of the words are',
      'foo\nx\nbar foo\nfoo bar baz',
      'foo bar baz',
      '[bar] [foo]\n[foo] [bar] [baz]\n',
    ],
    ['shows text rather than markup', '| foo = foo\n{{foo}}\nthe foo\na foo', 'foo', 'the [foo]\na [foo]\n'],
    [
      'shows and marks no words of web addresses',
      'https://example.org/foo bar\n[http://foo.example/foo?foo=foo foo] x',
      'foo',
      '[http://foo.example/foo?foo=foo [foo]] x\n',
    ],
    [
      'shows text rather than categories and pages elsewhere',
      '[[Kategorie:Foo]]\nfoo\nfoo\n[[nl:Foo]]',
      'foo',
      '[foo]\n[foo]\n',
    ],
    ['marks decomposed letters', 'cafe\u0301 x', 'café', '[cafe\u0301] x\n'],
    ['marks a run of signs as one', '日本語テキスト東京都', '東京都', '日本語テキスト[東京都]\n'],
    ['marks pairs of signs', '東京と京都', '東京都', '[東京]と[京都]\n'],
    ['marks no pair that something separates', '東、京', '東京', ''],
    ['marks a single sign', '東京と東北', '東', '[東]京と[東]北\n'],
    ['marks Thai', 'ภาษาไทย', 'ไทย', 'ภาษา[ไทย]\n'],
    ['leaves the return of a line out', 'foo\r\nbar\r\n', 'foo bar', '[foo]\n[bar]\n'],
    ['is empty without a match', 'nothing here', 'foo', ''],
    ['is empty without a query', 'nothing here', '""', ''],
    ['is empty without a text', '', 'foo', ''],
    ['has 76 characters after the match', `foo${'-'.repeat(100)}`, 'foo', `[foo]${'-'.repeat(76)}\n`],
    [
      'has up to 75 characters before the last match, whole words',
      `${filler.repeat(5)}foo`,
      'foo',
      `...words here. ${filler.repeat(3)}[foo]\n`,
    ],
    [
      'begins with a letter where it is cut',
      `${filler.repeat(4)}also foo`,
      'foo',
      `...words here. ${filler.repeat(3)}also [foo]\n`,
    ],
    ['shows what is near together', `foo${'-'.repeat(73)}foo`, 'foo', `[foo]${'-'.repeat(73)}[foo]\n`],
    ['has whole words after the match', `foo ${filler.repeat(8)}`, 'foo', `[foo] ${filler.repeat(4).slice(0, -1)}\n`],
    ['shows a line whole that just fits', `foo${'-'.repeat(72)}foo`, 'foo', `[foo]${'-'.repeat(72)}[foo]\n`],
    ['cuts no pair before', `😀${'-'.repeat(74)}foo`, 'foo', `...${'-'.repeat(74)}[foo]\n`],
    ['cuts no pair after', `foo${'-'.repeat(75)}😀`, 'foo', `[foo]${'-'.repeat(75)}\n`],
  ]
  test.each(cases)('%s', (_, text, query, expected) => {
    expect(excerptOf(text, query)).toBe(expected)
  })

  const sought: readonly (readonly [what: string, text: string, query: string, pattern: RegExp, excerpt: string])[] = [
    ['shows a place of the source', 'first\n{{tide|high}}\n', '', /tide\|h/g, '{{[tide|h]igh}}\n'],
    ['shows it before words, and marks both', 'a foo\nfoo here\n|x=1 foo', 'foo', /x=\d/g, 'a [foo]\n|[x=1] [foo]\n'],
    ['marks the first line of several', 'a\nfoo b\nc', '', /\n\w+ b\nc/g, '[foo b]\n'],
    ['marks nothing where nothing is the match', 'foo', '', /x*/g, ''],
    ['marks overlapping places and words once', 'a foobar', 'foobar', /oba/g, 'a [foobar]\n'],
  ]
  test.each(sought)('%s', (_, text, query, pattern, expected) => {
    const places = [...text.matchAll(pattern)].map(({ 0: match, index }) => ({
      start: index,
      end: index + match.length,
    }))
    const html = excerpt(text, parseQuery(query), places)
    expect(html.replaceAll('<span class="searchmatch">', '[').replaceAll('</span>', ']')).toBe(expected)
  })

  test('of a long text is cut part by part, from the best lines of all parts', () => {
    const lines = Array.from({ length: 40_000 }, (_, at) => `line ${at} of many`)
    lines[11_000] = 'a foo'
    lines[37_000] = 'foo and bar'
    lines[39_000] = 'bar alone'
    const steps = excerptSteps(lines.join('\n'), parseQuery('foo bar'))
    let count = 0
    for (;;) {
      const { done, value } = steps.next()
      if (!done) count++
      else {
        expect(value.replace(/<[^>]*>/g, '')).toBe('a foo\nfoo and bar\n')
        break
      }
    }
    expect(count).toBeGreaterThan(5)
  })

  test('marks every match in the displayed part of a line', () => {
    for (const count of [40, 151, 300, 400]) {
      const html = excerptOf('a '.repeat(count), 'a')
      expect(html).toMatch(/^(?:\[a\] ){38,}(?:\[a\])?\n$/)
      expect(html.length).toBeLessThan(400)
    }
  })

  test('covers the first 20,000 matches', () => {
    expect(excerptOf(`${'a\n'.repeat(10_000)}a b\n`, 'a b')).toContain('[a] [b]')
    expect(excerptOf(`${'a\n'.repeat(20_000)}a b\n`, 'a b')).toBe('[a]\n[a]\n')
  })

  test('of any text and query is well-formed and shows the text', () => {
    const text = fc.array(fc.constantFrom('foo', 'Bär', 'bar', ' ', '\n', '東', '京', '<', '&', '😀', '-'.repeat(40)), {
      maxLength: 60,
    })
    const query = fc.array(fc.constantFrom('foo', 'bar', 'fo*', '東京', '京', '"', ' ', '😀'), { maxLength: 8 })
    fc.assert(
      fc.property(text, query, (pieces, words) => {
        const [source, html] = [pieces.join(''), excerpt(pieces.join(''), parseQuery(words.join('')))]
        expect(html).not.toMatch(/\p{Cs}/u)
        const lines = html.split('\n').slice(0, -1)
        expect(lines.length).toBeLessThanOrEqual(2)
        for (const line of lines) {
          expect(line).toMatch(/<span class="searchmatch">[^<]+<\/span>/)
          const shown = line
            .replace(/<\/?span[^>]*>/g, '')
            .replaceAll('&lt;', '<')
            .replaceAll('&amp;', '&')
          expect(source).toContain(shown.replace(/^\.\.\./, ''))
        }
      }),
    )
  })

  const long = 2_000_000
  const repeat = (text: string) => text.repeat(Math.ceil(long / text.length))
  const hostile: readonly (readonly [what: string, text: string, query: string, most: number])[] = [
    ['of words that match', repeat('foo bar '), 'bar "foo bar"', 24],
    ['of words that do not', repeat('foo bar '), 'baz "foo baz"', 0],
    ['of one word', repeat('foo'), 'foo*', 1],
    ['of one run of signs', repeat('中'), '中中', 1],
    ['of a phrase with a gap', `foo${repeat(' =')}bar`, '"foo bar"', 1],
    ['of phrases that nearly match', repeat('a b '), '"a b a b a b a c" "b a b a b a b c"', 0],
  ]
  test.each(hostile)('of one line of 2 MB %s is short', { tags: 'long' }, (_, text, query, most) => {
    // 5 to 1,100 ms. Code that is not linear takes hours, more than the limit of a test.
    const html = excerpt(text, parseQuery(query))
    expect(html.length).toBeLessThan(1_000)
    expect(html.split('<span').length - 1).toBeLessThanOrEqual(most)
    expect(html === '').toBe(most === 0)
  })
})

describe('the excerpt of a page that matches only by title', () => {
  const cases: readonly (readonly [what: string, text: string, excerpt: string])[] = [
    ['is HTML of the raw text', '\n <b>Lead</b>\n', '&lt;b&gt;Lead&lt;/b&gt;'],
    ['is 150 characters', '='.repeat(200), '='.repeat(150)],
    ['cuts no pair', `${'='.repeat(149)}😀`, '='.repeat(149)],
    ['is empty without a text', ' \n', ''],
  ]
  test.each(cases)('%s', (_, text, expected) => {
    expect(leadExcerpt(text)).toBe(expected)
  })
})
