import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { lineSpans, markdownStructure, wikitextStructure } from '../../src/web/client/editor/spans.ts'

/** Ranges as `look: text`. */
const shown = (text: string, spans: ReturnType<typeof wikitextStructure>): string[] =>
  spans.map(({ from, to, look }) => `${look}: ${text.slice(from, to)}`).sort()

describe('highlighting', () => {
  test('finds templates, arguments, comments and tags at any depth', () => {
    const text = '{{A|x={{B}}|{{{1|d}}}}}<!-- [[c]] --><nowiki>{{no}}</nowiki>'
    expect(shown(text, wikitextStructure(text))).toEqual(
      [
        ...['template: {{', 'template: A', 'template: |', 'name: x', 'template: {{', 'template: B', 'template: }}'],
        ...['template: |', 'argument: {{{', 'argument: 1', 'argument: |', 'argument: }}}', 'template: }}'],
        ...['comment: <!-- [[c]] -->', 'tag: <nowiki>', 'verbatim: {{no}}', 'tag: </nowiki>'],
      ].sort(),
    )
  })

  test.each([
    ['wikitext', '== Head ==', ['heading: == Head ==']],
    ['wikitext', "** '''bold''' ''it''", ["bold: '''bold'''", "italic: ''it''", 'sign: **']],
    ['wikitext', "'''open [[Page|words]]", ["bold: '''open [[Page|words]]", 'link: [[Page', 'link: ]]']],
    ['wikitext', '| a &amp; <br> ~~~~', ['sign: |', 'tag: <br>', 'word: &amp;', 'word: ~~~~']],
    ['markdown', '# Head', ['heading: # Head']],
    [
      'markdown',
      '- **bold** `**` [[Page]]',
      ['bold: **bold**', 'link: [[Page', 'link: ]]', 'sign: - ', 'verbatim: `**`'],
    ],
    ['markdown', '2 * 3', []],
    ['json', '== x ==', []],
  ])('of a line of %s: %s', (model, line, expected) => {
    expect(shown(line, lineSpans(line, 0, model))).toEqual(expected)
  })

  test('of Markdown finds fenced blocks, also an unclosed one', () => {
    expect(shown('a\n```\nx\n```\nb', markdownStructure('a\n```\nx\n```\nb'))).toEqual(['verbatim: ```\nx\n```'])
    expect(shown('~~~\nx', markdownStructure('~~~\nx'))).toEqual(['verbatim: ~~~\nx'])
  })

  test('stays within every text', () => {
    const unit = fc.constantFrom(
      '{{',
      '}}',
      '{{{',
      '|',
      '=',
      '<!--',
      '-->',
      '<nowiki>',
      '</nowiki>',
      "''",
      '[[',
      '\n',
      'a',
      '`',
    )
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 30 }), text => {
        const lines = text.split('\n').flatMap(line => lineSpans(line, 0, 'wikitext'))
        for (const { from, to } of [...wikitextStructure(text), ...markdownStructure(text), ...lines]) {
          expect(from).toBeGreaterThanOrEqual(0)
          expect(to).toBeGreaterThan(from)
          expect(to).toBeLessThanOrEqual(text.length)
        }
      }),
      { numRuns: 1000 },
    )
  })
})
