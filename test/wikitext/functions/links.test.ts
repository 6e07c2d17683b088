import { describe, expect, test } from 'vitest'
import { htmlToWikitext } from '../../../src/html2wt/index.ts'
import { memoryWiki, wikitextToHtml } from '../../../src/wikitext/index.ts'

const title = 'Ropes'
const wiki = memoryWiki({
  pages: { 'Template:In': '{{#interlanguagelink:de|{{{1}}}}}' },
  config: {
    interwiki: { project: 'https://other.example/wiki/$1', sea: 'https://sea.example/$1' },
    languages: { xx: 'https://xx.example/wiki/$1' },
  },
})

const render = (text: string) => wikitextToHtml(text, { title, wiki, flavor: 'edit', bodyOnly: true })

describe('#interlanguagelink', () => {
  test('is a link of the page, and shows nothing', async () => {
    const text = 'a {{#interlanguagelink:DE|Seil_werk#Hanf|text}} {{#interlanguagelink:xx|Y}}'
    const { html, references } = await render(text)
    expect(references.languages).toEqual([
      { code: 'de', title: 'Seil werk#Hanf' },
      { code: 'xx', title: 'Y' },
    ])
    expect(html.replace(/<[^>]*>/g, '').trim()).toBe('a')
    expect(htmlToWikitext(html, { title, wiki })).toBe(text)
  })

  test('counts once, also from a template', async () => {
    const { references } = await render('{{In|Seil}} {{In|Seil}} {{#interlanguagelink:de|Tau}}')
    expect(references.languages).toEqual([{ code: 'de', title: 'Seil' }])
  })

  test.each(['_', '_a', 'a_', 'a\nb', 'a]b'])('of the title %j is text', async name => {
    const { html, references } = await render(`{{#interlanguagelink:de|${name}}}`)
    expect(references.languages).toEqual([])
    expect(html).toContain('{{#interlanguagelink:de|')
  })

  test('of no language is text', async () => {
    expect((await render('{{#interlanguagelink:qqqq|a}}')).html).toContain('{{#interlanguagelink:qqqq|a}}')
  })
})

describe('#interwikilink', () => {
  test.each([
    ['{{#interwikilink:Project|Hello World}}', 'https://other.example/wiki/Hello_World', 'Project:Hello World'],
    ['{{#interwikilink:sea|Tide|the tide}}', 'https://sea.example/Tide', 'the tide'],
  ])('%s leads to another wiki', async (text, href, shown) => {
    const { html, references } = await render(text)
    expect(html).toContain(`href="${href}"`)
    expect(html.replace(/<[^>]*>/g, '')).toBe(shown)
    expect(references.interwiki.length + references.external.length).toBe(1)
  })

  test('of no prefix is text', async () => {
    expect((await render('{{#interwikilink:none|a}}')).html).toContain('{{#interwikilink:none|a}}')
  })
})

test.each([
  ['0-306-40615-2', true],
  ['978 0 306 40615 7', true],
  ['12', false],
])('#isbn of %s is a link: %s', async (number, isLink) => {
  expect((await render(`{{#isbn:${number}}}`)).html.includes('BookSources')).toBe(isLink)
})
