import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatComparison, markRanges } from '../../src/cli/render/comparison.ts'
import { excerptPieces, withoutMarkup } from '../../src/cli/render/excerpt.ts'
import { type Column, formatRecords, formatTable } from '../../src/cli/render/table.ts'
import { textWidth, truncate, visible, visibleLine } from '../../src/cli/render/text.ts'
import { formatTime, type TimeForm } from '../../src/cli/render/time.ts'
import { plain } from '../../src/cli/terminal/colour.ts'
import { shellQuote } from '../../src/core/shell-quote.ts'

test.each([
  ['a page cannot move the cursor', 'a\u001b[2Jb', 'a␛[2Jb'],
  ['nor with one-byte controls', 'a\u009b2Jb', 'a<U+009B>2Jb'],
  ['nor turn the direction', 'a\u202eb', 'a<U+202E>b'],
  ['lines and tabs stay', 'a\n\tb', 'a\n\tb'],
  ['line ends of Windows become plain', 'a\r\nb\rc', 'a\nb␍c'],
])('%s', (_, text, shown) => {
  expect(visible(text)).toBe(shown)
})

test('one line stays one line', () => {
  expect(visibleLine('a\r\n\tb')).toBe('a b')
})

test.each([
  ['abc', 3],
  ['日本', 4],
  ['e\u0301', 1],
  ['🎉!', 3],
])('%j is %i columns wide', (text, width) => {
  expect(textWidth(text)).toBe(width)
})

test.each([
  ['abcdef', 6, 'abcdef'],
  ['abcdef', 5, 'abcd…'],
  ['日本語', 5, '日本…'],
  ['ab cd', 4, 'ab…'],
])('%j cut to %i columns is %j', (text, columns, cut) => {
  expect(truncate(text, columns)).toBe(cut)
})

test.each([
  ['Main_Page', 'Main_Page'],
  ['Main Page', '"Main Page"'],
  ["Bob's $1", "'Bob'\\''s $1'"],
])('%s has the type %s', (word, typed) => {
  expect(shellQuote(word)).toBe(typed)
})

/** The text of an excerpt with its matches between asterisks. */
function marked(pieces: ReturnType<typeof excerptPieces>): string {
  return pieces.map(({ text, styles }) => (styles.length > 0 ? `*${text}*` : text)).join('')
}

test('an excerpt loses its markup and keeps its text', () => {
  const html = 'a &lt;b&gt; <span class="searchmatch">fire</span> &amp;amp; &#039;x&#039;\nend'
  expect(marked(excerptPieces(html))).toBe("a <b> *fire* &amp; 'x' end")
})

test.each([
  ["'''Bold''' and ''sloping'' don't", "Bold and sloping don't"],
  ['[[Fire station|the station]] of [[Oslo]]', 'the station of Oslo'],
  ['a <code>tide</code><ref name="x">b', 'a tideb'],
  ['Ann <ann@example.org> has 1 <2 boats [1]', 'Ann <ann@example.org> has 1 <2 boats [1]'],
  ['cut <code', 'cut '],
  ["[[[['''''<<b>", '<'],
])('%j is read as %j', (source, read) => {
  expect(withoutMarkup(source)).toBe(read)
})

test('matches keep their markup', () => {
  const html = '[[a|b <span class="searchmatch">[[c|d</span>'
  expect(marked(excerptPieces(html, withoutMarkup))).toBe('b *[[c|d*')
})

const columns: readonly Column<{ id: number; name: string }>[] = [
  { title: 'Id', align: 'right', value: item => String(item.id) },
  { title: 'Name', value: item => item.name },
]
const items = [
  { id: 7, name: 'short' },
  { id: 1234, name: 'a\tname that is longer than its column' },
]

test('a table has a heading, aligned numbers, and a last column cut to the terminal', () => {
  expect(formatTable({ items, columns }, plain, 30)).toBe(
    ['  Id  Name', '   7  short', '1234  a name that is longer t…', ''].join('\n'),
  )
})

test('records are complete, separated by tabs, without a heading', () => {
  expect(formatRecords({ items, columns })).toBe('7\tshort\n1234\ta name that is longer than its column\n')
})

test('ranges count bytes, and removed or new ranges are marked', () => {
  const marks = { gone: (text: string) => `[-${text}-]`, added: (text: string) => `{+${text}+}` }
  const ranges = [
    { start: 3, length: 3, type: 1 },
    { start: 6, length: 2, type: 0 },
  ] as const
  expect(markRanges('é 日ü!', ranges, marks)).toBe('é [-日-]{+ü+}!')
})

test('a comparison shows lines, marks, moves and the section of each gap', () => {
  const side = { slot_role: 'main', sections: [{ level: 2, heading: '== Two ==', offset: 40 }] } as const
  const at = (from: number | null, to: number | null) => ({ offset: { from, to } })
  const text = formatComparison(
    {
      from: { id: 1, ...side },
      to: { id: 2, ...side },
      diff: [
        { type: 2, text: 'gone', ...at(0, null) },
        { type: 0, lineNumber: 1, text: 'same', ...at(5, 0) },
        { type: 3, lineNumber: 9, text: 'redblue', ...at(20, 50), highlightRanges: [{ start: 0, length: 3, type: 1 }] },
        { type: 1, lineNumber: 10, text: 'new', ...at(null, 60) },
        { type: 4, text: 'x', ...at(30, null), moveInfo: { id: 'a', linkId: 'b', linkDirection: 0 } },
        { type: 5, lineNumber: 11, text: 'x', ...at(null, 70), moveInfo: { id: 'b', linkId: 'a', linkDirection: 1 } },
      ],
    },
    plain,
    false,
  )
  expect(text).toMatchInlineSnapshot(`
    "@@ line 1 @@
    - gone
      same
    @@ line 9, == Two == @@
    ~ [-red-]blue
    + new
    < x  (moved down to line 11)
    > x  (moved here from above)
    "
  `)
})

test('no row of a table is wider than the terminal, and the widest columns are cut first', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ least: fc.option(fc.nat(20)), leaves: fc.option(fc.nat(3)) }), {
        minLength: 1,
        maxLength: 8,
      }),
      fc.array(fc.array(fc.string({ unit: 'grapheme', maxLength: 90 }), { minLength: 8, maxLength: 8 }), {
        maxLength: 5,
      }),
      fc.integer({ min: 20, max: 120 }),
      (shapes, rows, width) => {
        const columns = shapes.map(({ least, leaves }, at): Column<readonly string[]> => {
          const optional = { ...(least !== null && { least }), ...(leaves !== null && { leaves }) }
          return { title: `Column ${at}`, value: row => row[at] ?? '', ...optional }
        })
        const lines = formatTable({ items: rows, columns }, plain, width).split('\n')
        expect(lines).toHaveLength(rows.length + 2)
        for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(width)
      },
    ),
  )
})

test.each([
  ['a spacing mark of Devanagari', 'का', 2],
  ['an emoji outside the blocks of emoji', '⌚✅', 4],
  ['a flag', '🇩🇪', 2],
  ['a Hangul syllable of three letters', '\u1112\u1161\u11ab', 2],
  ['Tangut', '\u{17000}', 2],
])('%s is as wide as on a terminal', (_, text, width) => {
  expect(textWidth(text)).toBe(width)
})

const now = Date.parse('2026-02-01T12:00:00Z')

test.each<[TimeForm, string, string]>([
  ['auto', '2026-02-01T11:59:30Z', 'just now'],
  ['auto', '2026-02-01T12:00:30Z', '2026-02-01 12:00'],
  ['auto', '2026-02-01T11:58:00Z', '2 minutes ago'],
  ['auto', '2026-02-01T11:00:00Z', '1 hour ago'],
  ['auto', '2026-01-29T12:00:00Z', '3 days ago'],
  ['auto', '2026-01-20T12:00:00Z', '2026-01-20 12:00'],
  ['relative', '2026-01-18T12:00:00Z', '2 weeks ago'],
  ['relative', '2023-01-20T12:00:00Z', '3 years ago'],
  ['relative', '2026-02-02T13:00:00Z', 'in 1 day'],
  ['local', '2026-01-29T12:00:00Z', '2026-01-29 12:00'],
  ['utc', '2026-01-29T12:00:00Z', '2026-01-29 12:00'],
  ['iso', '2026-01-29T12:00:00Z', '2026-01-29T12:00:00Z'],
])('as %s, %s is %s', (form, timestamp, shown) => {
  expect(formatTime(timestamp, form, now)).toBe(shown)
})
