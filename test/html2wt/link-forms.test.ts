import { describe, expect, test } from 'vitest'
import { htmlToWikitext } from '../../src/html2wt/index.ts'
import { contentToHtml, memoryWiki, wikitextToHtml } from '../../src/wikitext/index.ts'
import { back as plainBack, there } from './_convert.ts'

const wiki = memoryWiki({
  pages: {},
  config: {
    namespaces: {
      0: { name: '', aliases: [], subpages: true },
      2: { name: 'Sailor', aliases: ['Seaman'], subpages: true },
      4: { name: 'Harbour', aliases: [] },
    },
    interwiki: { sea: 'https://sea.example/$1' },
  },
})

const back = (html: string): string => htmlToWikitext(html, { title: 'Ropes/Hemp', wiki })
const link = (href: string, text: string): string => back(`<p><a rel="mw:WikiLink" href="./${href}">${text}</a></p>`)

describe('a link needs no pipe if its text leads to the same page and is displayed', () => {
  test.each([
    ['Ropes/Hemp/Old', '/Old', '[[/Old]]'],
    ['Ropes/Hemp/Old#a', '/Old#a', '[[/Old#a]]'],
    ['Ropes/Hemp/Old', '/New', '[[Ropes/Hemp/Old|/New]]'],
    ['Ropes/Hemp/Old', '/Old/', '[[Ropes/Hemp/Old|/Old/]]'],
    ['Ropes', '..', '[[Ropes|..]]'],
    ['Ropes/New', '../New', '[[Ropes/New|../New]]'],
    ['Sailor:Ann', 'Seaman:Ann', '[[Seaman:Ann]]'],
    ['Sailor:Ann', 'sailor:ann', '[[sailor:ann]]'],
    ['Sailor:Ann', 'Seaman:Bob', '[[Sailor:Ann|Seaman:Bob]]'],
    ['Harbour:Tide', 'Project:Tide', '[[Project:Tide]]'],
    ['File:Knot.png', 'Image:Knot.png', '[[:Image:Knot.png]]'],
    ['Category:Knots', 'category:Knots', '[[:category:Knots]]'],
    ['Ropes', ':Ropes', '[[Ropes|:Ropes]]'],
    ['7%25', '7%', '[[7%]]'],
    ['7%25', '7%25', '[[7%|7%25]]'],
    ['A_%26_B', 'A &amp; B', '[[A & B]]'],
  ])('%s as %j', (href, text, wikitext) => {
    expect(link(href, text)).toBe(wikitext)
  })

  test('a prefix in other letters', () => {
    const html = '<p><a rel="mw:WikiLink/Interwiki" href="https://sea.example/Tide#low">Sea:Tide#low</a></p>'
    expect(back(html)).toBe('[[Sea:Tide#low]]')
  })
})

test.each([
  ['td', 'http://rope.example/x||y', 'text'],
  ['td', 'http://rope.example/x||y', 'http://rope.example/x||y'],
  ['th', 'http://rope.example/x!!y', 'text'],
  ['th', 'http://rope.example/x!!!y', 'http://rope.example/x!!!y'],
])('an address in a %s does not end the cell: %s as %s', async (name, address, text) => {
  const html = `<table><tr><${name}><a rel="mw:ExtLink" href="${address}">${text}</a></${name}></tr></table>`
  const { html: shown } = await contentToHtml(back(html), 'wikitext', { title: 'Ropes', wiki })
  expect(shown.match(/<t[hd][ >]/g)).toHaveLength(1)
  const href = /<a [^>]*href="([^"]*)"/.exec(shown)?.[1] ?? ''
  expect(decodeURIComponent(href)).toBe(address)
})

describe('brackets are escaped only around a possible target', () => {
  test.each([
    ['[[../New]]', '<nowiki>[[../New]]</nowiki>'],
    ['[[../../New]]', '[[../../New]]'],
    ['[[../..]]', '[[../..]]'],
    ['[[a&amp;amp;b]]', '[[a&amp;amp;b]]'],
    ['[[a&amp;#38;b]]', '[[a&amp;#38;b]]'],
    ['[[a&amp;b]]', '<nowiki>[[a&b]]</nowiki>'],
  ])('%s', (text, wikitext) => {
    expect(back(`<p>${text}</p>`)).toBe(wikitext)
  })

  test('of a character reference does not become a title', () => {
    expect(link('He&amp;nbsp;llo', 'He&amp;nbsp;llo')).toBe('He&amp;nbsp;llo')
  })
})

describe('without the original, the source comes back', () => {
  test.each([
    ['https://x.example/?a&amp;b'],
    ['https://x.example/?a&#x5B;&#x5D;=b'],
    ['[[File:Rope.jpg|200px|300px|caption]]'],
    ['[[File:Rope.jpg|thumb|]]'],
    ['<ol>\n<li>\n one\n  two\n</li>\n</ol>'],
  ])('%j', async text => {
    expect(plainBack(await there(text))).toBe(text)
  })

  test('a link with letters before and after it', async () => {
    const wiki = memoryWiki({ config: { language: 'is' } })
    const text = 'mótmælenda[[söfnuður|söfnuðir]]xxx'
    const { html } = await wikitextToHtml(text, { title: 'A', wiki, flavor: 'edit' })
    expect(htmlToWikitext(html, { title: 'A', wiki })).toBe(text)
  })
})
