import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { listSections } from '../../src/diff/sections.ts'

/** Level and source of each heading, of every level. */
function outline(text: string): string[] {
  return listSections(text, { maxLevel: 6 }).map(({ level, heading }) => `${level} ${heading}`)
}

describe('sections', () => {
  test('have a level, the source of their line and their byte offset', () => {
    expect(listSections('é\n== One ==\ntext\n=== Two === \n')).toEqual([
      { level: 2, heading: '== One ==', offset: 3 },
      { level: 3, heading: '=== Two === ', offset: 18 },
    ])
  })

  test('are listed down to level 4, or to the requested level', () => {
    const text = [1, 2, 3, 4, 5, 6].map(level => `${'='.repeat(level)}a${'='.repeat(level)}`).join('\n')
    expect(listSections(text).map(({ level }) => level)).toEqual([1, 2, 3, 4])
    expect(listSections(text, { maxLevel: 6 }).map(({ level }) => level)).toEqual([1, 2, 3, 4, 5, 6])
    expect(listSections(text, { maxLevel: 1 }).map(({ level }) => level)).toEqual([1])
  })

  test.each<[string, string, string[]]>([
    [
      'as many signs as both sides have',
      '== a ===\n= b ==\n======= c =======',
      ['2 == a ===', '1 = b ==', '6 ======= c ======='],
    ],
    ['signs only', '===\n====\n======\n==\n=', ['1 ===', '1 ====', '2 ======']],
    ['signs with blanks between', '== ==', ['2 == ==']],
    ['blanks and tabs at the end', '== a == \t', ['2 == a == \t']],
    ['a comment at the end', '== a == <!-- b --> <!-- c -->', ['2 == a == <!-- b --> <!-- c -->']],
    ['a comment between', '==<!-- b -->==', ['2 ==<!-- b -->==']],
    ['a comment that is never closed', '== a ==<!-- ==', ['2 == a ==<!-- ==']],
    ['a line behind a line of comments', 'a\n <!-- b --> <!-- c --> \n== d ==', ['2 == d ==']],
    ['brackets over lines', '== {{t|\n}} ==\n== [[a|\nb]] ==', ['2 == {{t|\n}} ==', '2 == [[a|\nb]] ==']],
    ['tags over lines', '== <nowiki>\n== a ==\n</nowiki> ==', ['2 == <nowiki>\n== a ==\n</nowiki> ==']],
    ['a heading inside, which it swallows', '== [[\n== a ==\n]] ==', ['2 == [[\n== a ==\n]] ==']],
  ])('are headings with %s', (_, text, headings) => {
    expect(outline(text)).toEqual(headings)
  })

  test.each([
    ['a blank first', ' == a =='],
    ['a comment first', '<!-- b -->== a =='],
    ['a tag first', '<noinclude>== a ==</noinclude>'],
    ['text behind', '== a == b'],
    ['no signs at the end', '== a'],
    ['a carriage return at the end', '== a ==\r'],
    ['open brackets', '== {{a =='],
    ['a template around', '{{a|\n== b ==\n}}'],
    ['a parameter around', '{{{a|\n== b ==\n}}}'],
    ['a comment around', '<!--\n== b ==\n-->'],
    ['an open comment before', '<!--\n== b =='],
    ['an extension tag around', '<ref name="x">\n== b ==\n</REF >'],
    ['an open includeonly before', '<includeonly>\n== b =='],
    ['the sign of an argument', '{{a|b\n= c =\n}}'],
  ])('are not lines with %s', (_, text) => {
    expect(outline(text)).toEqual([])
  })

  test.each<[string, string]>([
    ['links', '[[a|\n== b ==\n]]'],
    ['language conversion', '-{a|\n== b ==\n}-'],
    ['open templates', '{{a|\n== b ==\n'],
    ['the rest of half closed templates', '{{{{a|\n}}\n== b ==\n'],
    ['a brace left over behind a hyphen', '-{{{a}}\n== b ==\n}-'],
    ['a heading that fails', '== [[\n== b ==\n]] x'],
    ['tags that hide nothing', '<div>\n== b ==\n</div>'],
    ['tags that are not closed', '<nowiki>\n== b =='],
    ['tags that close themselves', '<nowiki/>\n== b ==\n</nowiki>'],
    ['tags that are skipped', '<noinclude>\n== b ==\n</noinclude>'],
    ['names that only begin like a tag', '<preview>\n== b ==\n</pre>'],
  ])('are found within %s', (_, text) => {
    expect(outline(text)).toEqual(['2 == b =='])
  })

  test('of any text are at the reported positions, in order', () => {
    const piece = fc.constantFrom(
      '==',
      '= ',
      '\n',
      '{{',
      '}}',
      '{',
      '[[',
      ']]',
      '-{',
      '}-',
      '|',
      '<!--',
      '-->',
      '<pre>',
      '</pre>',
      'é',
      ' ',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), pieces => {
        const text = pieces.join('')
        let end = 0
        for (const { level, heading, offset } of listSections(text, { maxLevel: 6 })) {
          const bytes = Buffer.from(text).subarray(offset, offset + Buffer.byteLength(heading))
          expect(bytes.toString()).toBe(heading)
          expect(heading.startsWith('='.repeat(level))).toBe(true)
          expect(offset).toBeGreaterThanOrEqual(end)
          end = offset + bytes.length
        }
      }),
      { numRuns: 2000 },
    )
  })

  test.each<[string, string, number]>([
    ['braces', '{{'.repeat(300_000), 0],
    ['brackets opened and closed', '['.repeat(300_000) + ']'.repeat(300_000), 0],
    ['headings in links', '[[\n=a=\n'.repeat(60_000) + ']]'.repeat(60_000), 60_000],
    ['comments', `\nx${'<!---->'.repeat(100_000)}`, 0],
    ['open tags', '<pre>'.repeat(100_000), 0],
    ['tags without an end', '<pre '.repeat(100_000), 0],
    ['blanks', `== a ${' '.repeat(500_000)}`, 0],
  ])('in half a megabyte of %s take little time', (_, text, count) => {
    expect(listSections(text)).toHaveLength(count)
  })
})
