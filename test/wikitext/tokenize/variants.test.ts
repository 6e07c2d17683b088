import { describe, expect, test } from 'vitest'
import { memoryWiki, wikitextToHtml } from '../../../src/wikitext/index.ts'

async function html(text: string, language = 'zh'): Promise<string> {
  const wiki = memoryWiki({ pages: { 'Template:Echo': '{{{1}}}', Quay: 'a' }, config: { language } })
  const settings = { sections: false, elementIds: false }
  return (await wikitextToHtml(text, { title: 'Boats', wiki, bodyOnly: true, settings })).html
}

/** Value of `data-mw-variant` of the first variant in a text. */
async function variant(text: string): Promise<unknown> {
  const found = /data-mw-variant='([^']*)'/.exec(await html(text))?.[1] ?? ''
  return JSON.parse(found.replaceAll('&lt;', '<').replaceAll('&apos;', "'").replaceAll('&amp;', '&'))
}

describe('the rules of a variant', () => {
  test.each([
    ['-{sail}-', { disabled: { t: 'sail' } }],
    ['-{R|zh:a;zh-tw:b}-', { disabled: { t: 'zh:a;zh-tw:b' } }],
    [
      '-{zh:a; zh-tw:b;}-',
      {
        twoway: [
          { l: 'zh', t: 'a' },
          { l: 'zh-tw', t: 'b' },
        ],
      },
    ],
    [
      '-{x=>zh-cn:a;x=>zh-tw:b}-',
      {
        oneway: [
          { f: 'x', l: 'zh-cn', t: 'a' },
          { f: 'x', l: 'zh-tw', t: 'b' },
        ],
      },
    ],
    ['-{zh-cn;zh-tw|a}-', { filter: { l: ['zh-cn', 'zh-tw'], t: 'a' } }],
    ['-{A|zh:a}-', { add: true, twoway: [{ l: 'zh', t: 'a' }] }],
    ['-{H|a}-', { add: true, twoway: [{ l: '*', t: 'a' }] }],
    ['-{T|zh:a}-', { title: true, twoway: [{ l: 'zh', t: 'a' }] }],
    ['-{-|zh:a}-', { remove: true, twoway: [{ l: 'zh', t: 'a' }] }],
    ['-{N|zh-tw}-', { name: { t: 'zh-tw' } }],
    ["-{zh:''a''&amp;b}-", { twoway: [{ l: 'zh', t: '<i>a</i><span typeof="mw:Entity">&amp;</span>b' }] }],
    [
      '-{zh:<nowiki>a;b:c</nowiki>;zh-tw:d}-',
      {
        twoway: [
          { l: 'zh', t: 'a;b:c' },
          { l: 'zh-tw', t: 'd' },
        ],
      },
    ],
    ['-{zh:a -{b;c}- d}-', { twoway: [{ l: 'zh', t: expect.stringContaining('"b;c"') }] }],
    ['-{a: b; c}-', { disabled: { t: 'a: b; c' } }],
  ])('%s', async (text, expected) => {
    expect(await variant(text)).toEqual(expected)
  })
})

test.each([
  ['-{H|zh:a}-', 'meta'],
  ['-{A|zh:a}-', 'span'],
  ['-{D|zh:a}-', 'span'],
  ['-{\n{|\n|a\n|}\n}-', 'div'],
])('%j is in the page as a %s', async (text, name) => {
  expect(await html(text)).toMatch(new RegExp(`<${name} typeof="mw:LanguageVariant"`))
})

test('pipes and braces of a variant belong to it', async () => {
  expect(await html('{{Echo|-{R|a}-}}')).toContain('"t":"a"')
  expect(await html('-{{{Echo|a}} b}-')).toContain('mw:Transclusion')
  expect(await html('{|\n| -{R|a}-\n|}')).toContain('<td><span typeof="mw:LanguageVariant"')
})

test('other languages have no variants', async () => {
  expect(await html('-{a}-', 'en')).toBe('<p>-{a}-</p>')
})

describe('variants in attributes', () => {
  test('are described and left out of the value', async () => {
    const page = await html('<b title="a-{zh:b}-c">d</b>')
    expect(page).toContain('<b title="ac" about="#mwt1" typeof="mw:ExpandedAttrs"')
    expect(page).toContain('"attribs":[[{"txt":"title"},{"html":"a&lt;span typeof=')
  })

  test('are text in other languages', async () => {
    expect(await html('<b title="a-{b}-c">d</b>', 'en')).toBe('<p><b title="a-{b}-c">d</b></p>')
  })
})
