import { describe, expect, test } from 'vitest'
import { lintWikitext, memoryWiki } from '../../../src/wikitext/index.ts'
import { lintTypes } from '../../../src/wikitext/lint/types.ts'

const harbour = {
  name: 'Harbour.png',
  mediatype: 'BITMAP' as const,
  mime: 'image/png',
  size: 1000,
  width: 640,
  height: 480,
  duration: null,
  url: '/Harbour.png',
  thumbnail: (width: number) => `/${width}px-Harbour.png`,
}
const wiki = memoryWiki({
  pages: { 'Template:Middle': '<center>{{{1|}}}</center>', 'Template:Open': '<center>a' },
  files: [harbour],
})

async function lint(text: string) {
  return lintWikitext(text, { title: 'Tides', wiki })
}

async function typesIn(text: string): Promise<string[]> {
  return (await lint(text)).map(({ type }) => type)
}

describe('each kind of problem', () => {
  test.each(Object.entries(lintTypes))(
    '%s is found in its example, and not in the corrected one',
    async (type, row) => {
      expect(await typesIn(row.bad)).toContain(type)
      expect(await typesIn(row.good)).not.toContain(type)
    },
  )
})

describe('the position of a problem', () => {
  test.each<[string, string, unknown]>([
    ['in UTF-16 units', '😀 <tt>a</tt>', [3, 13, 4, 5]],
    ['in lines that end with CR LF', 'a\r\n<tt>a</tt>', [3, 13, 4, 5]],
    ['in a reference', 'a<ref><tt>b</tt></ref>', [6, 16, 4, 5]],
    ['in a caption', '[[File:Harbour.png|thumb|alt=|<tt>b</tt>]]', [30, 40, 4, 5]],
    ['in a link', '[[a|<tt>b</tt>]]', [4, 14, 4, 5]],
    ['in a list', '* a\n* <tt>b</tt>', [6, 16, 4, 5]],
    ['in a cell', '{|\n| <tt>b</tt>\n|}', [5, 15, 4, 5]],
    ['in a poem: the poem is reported', 'a\n<poem>\n<tt>b</tt>\n</poem>', [2, 27, 6, 7]],
  ])('%s', async (_, text, dsr) => {
    expect((await lint(text)).map(found => found.dsr)).toEqual([dsr])
  })

  test('in a template is that of its use', async () => {
    expect(await lint('a {{middle|b}}')).toEqual([
      {
        type: 'obsolete-tag',
        dsr: [2, 14, null, null],
        templateInfo: { name: 'Template:Middle' },
        params: { name: 'center' },
      },
    ])
  })

  test('in markup left open by several templates', async () => {
    const found = await lint('{{open}} {{open}}')
    expect(new Set(found.map(({ templateInfo }) => JSON.stringify(templateInfo)))).toEqual(
      new Set(['{"multiPartTemplateBlock":true}']),
    )
  })
})

test('a picture in a link to another site is reported once, without its text', async () => {
  expect(await typesIn('[https://a.example [[File:Harbour.png]]]')).toEqual(['wikilink-in-extlink'])
})

test.each([
  '',
  'plain [[link]] and https://a.example',
  "''a'' '''b''' '''''c'''''",
  '{| class="x"\n! a\n|-\n| b\n|}',
  '<ul><li>a<li>b</ul>',
  '<p>a</p><br><hr>',
  '<ref name="a"/><nowiki><b></nowiki><!-- <b> -->',
  '__NOTOC__ __UNKNOWN__ [[unclosed',
  '<unknown>a</unknown>',
  '{{{argument}}} {{missing}}',
])('%j has no problem', async text => {
  expect(await lint(text)).toEqual([])
})
