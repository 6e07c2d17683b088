/** Front matter in every form that programs write: pages, searches, names, categories and checks read it as one. */

import { describe, expect, test } from 'vitest'
import { readConstructs } from '../../../src/diff/constructs.ts'
import { splitLines } from '../../../src/diff/lines.ts'
import { contentToHtml, findMarkdownLinks, memoryWiki } from '../../../src/wikitext/index.ts'
import { hasUnreadableFrontMatter, readFrontMatter } from '../../../src/wikitext/models/front-matter.ts'
import { readSource } from '../../search/_read.ts'

const yaml = ['title: "Low tide"', 'description: Of ebbing', 'tags: [sea, moon]', 'aliases:', '  - Ebb']
const toml = [
  'title = "Low tide"',
  "description = 'Of ebbing'",
  'tags = [',
  '  "sea", # a',
  '  "moon",',
  ']',
  'aliases = ["Ebb"]',
]
const forms = [
  ['---', '---', yaml],
  ['---', '...', yaml],
  ['---  ', '---\t', yaml],
  ['+++', '+++', toml],
] as const
const cases = forms.flatMap(([open, close, inside]) =>
  ['\n', '\r\n', '\r'].flatMap(end =>
    ['', '\ufeff'].map(mark => mark + [open, ...inside, close, '# Heading', '[[Ebb tide]] %%hidden%%', ''].join(end)),
  ),
)
const wiki = memoryWiki({ pages: { 'Low tide': 'a' } })

describe.each(cases)('%j', text => {
  test('is a table of the page, its categories, and not text', async () => {
    const {
      html,
      references,
      sections = [],
    } = await contentToHtml(text, 'markdown', { title: 'A', wiki, bodyOnly: true, settings: { elementIds: false } })
    expect(html).toContain('<th scope="row">title</th><td>Low tide</td>')
    expect(html).not.toMatch(/<hr|---|\+\+\+|\.\.\.|data-x|\ufeff/)
    expect(html).toMatch(/<h1[^>]* id="heading"/)
    expect(references.categories.map(({ key }) => key)).toEqual(['Category:Sea', 'Category:Moon'])
    expect(sections.every(({ start }) => text.slice(start).startsWith('# Heading'))).toBe(true)
  })

  test('names the page for links and searches', async () => {
    expect(await readFrontMatter(text)).toMatchObject({ title: 'Low tide', aliases: ['Ebb'], tags: ['sea', 'moon'] })
    expect(await readSource(text, 'markdown')).toMatchObject({ title: 'Low tide', description: 'Of ebbing' })
  })

  test('is before the links of the text, and checks and merges read it', async () => {
    const found = await findMarkdownLinks(text)
    expect(found?.links.map(({ start, end }) => text.slice(start, end))).toEqual(['Ebb tide'])
    expect(await hasUnreadableFrontMatter(text)).toBe(false)
    expect(await hasUnreadableFrontMatter(text.replace(/\]/, ''))).toBe(true)
    const plain = text.replace(/\r\n?/g, '\n')
    const { settings } = readConstructs(splitLines(plain, new Map()), new Map())
    expect(settings[2]).toBe(1)
  })
})

const inMatter = async (inside: string) => readFrontMatter(`---\n${inside}\n---\ntext`)

describe('the values of front matter', () => {
  test.each([
    ['a colon in a title', 'title: Tides: a guide', [['title', 'Tides: a guide']]],
    [
      'an anchor',
      'a: &x [b]\nc: *x',
      [
        ['a', 'b'],
        ['c', 'b'],
      ],
    ],
    ['a link without quotes', 'up: [[Low tide]]', [['up', '[[Low tide]]']]],
    ['a map', 'a: {b: 1}', [['a', '{"b":1}']]],
  ])('%s is read', async (_, inside, rows) => {
    expect((await inMatter(inside)).rows).toEqual(rows)
  })

  test('names may be in capitals, and categories in a table of Zola', async () => {
    expect(await inMatter('Title: A\nTags: b')).toMatchObject({ title: 'A', tags: ['b'] })
    const toml = '+++\n"a.b" = 1 # c\n\n[taxonomies]\ntags = ["x\\u0041"]\n[extra]\nd = { e = 1, f = [2] }\n+++\n'
    expect(await readFrontMatter(toml)).toMatchObject({
      tags: ['xA'],
      rows: [
        ['a.b', '1'],
        ['taxonomies', '{"tags":["xA"]}'],
        ['extra', '{"d":{"e":"1","f":["2"]}}'],
      ],
    })
  })

  test('links are links of the page', async () => {
    const text = '---\nup: "[[Low tide|ebb]]"\nnext: [[Low tide]]\n---\n'
    const { html, references } = await contentToHtml(text, 'markdown', { title: 'A', wiki, bodyOnly: true })
    expect(html).toMatch(/<td[^>]*><a[^>]* href="\.\/Low_tide"[^>]*>ebb<\/a><\/td>/)
    expect(references.links).toEqual(['Low_tide'])
  })

  test.each([
    ['a rule and another one', '\nHigh tide\n'],
    ['a list', '- a'],
    ['a value that contains itself', 'a: &x [*x]'],
    ['what is no YAML', 'a: ['],
  ])('%s is text', async (_, inside) => {
    expect(await inMatter(inside)).toMatchObject({ rows: null, text: `---\n${inside}\n---\ntext` })
  })

  // The parser takes time with a high power of the depth: 400 keys in each other half a minute.
  test.each([
    ['? '.repeat(9000)],
    ['- '.repeat(9000)],
    ['- ? '.repeat(4000)],
    [`a: ${'['.repeat(9000)}`],
    [`a: ${'{b: '.repeat(4000)}`],
    [Array.from({ length: 9000 }, () => '?\n').join('')],
    [
      `a: &a [x]\n${Array.from({ length: 20 }, (_, at) => `b${at}: &b${at} [*${at === 0 ? 'a' : `b${at - 1}`}, *a]`).join('\n')}`,
    ],
  ])('nested ones are text: %j', async inside => {
    expect((await inMatter(inside.slice(0, 19_000))).rows).toBeNull()
  })

  test('one longer than any other is text', async () => {
    expect((await inMatter(`a: ${'b'.repeat(20_001)}`)).rows).toBeNull()
  })
})
