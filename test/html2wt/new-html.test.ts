/** Wikitext from HTML without a source, which must display the same again. */

import { describe, expect, test } from 'vitest'
import { htmlToWikitext } from '../../src/html2wt/index.ts'
import { contentToHtml, memoryWiki, wikitextToHtml } from '../../src/wikitext/index.ts'

const wiki = memoryWiki({ pages: {} })
const back = (html: string): string => htmlToWikitext(html, { title: 'Ropes', wiki })
const shown = async (wikitext: string): Promise<string> =>
  (await contentToHtml(wikitext, 'wikitext', { title: 'Ropes', wiki })).html

const knot = '<a rel="mw:WikiLink" href="./Knot">K</a>'
const address = '<a rel="mw:ExtLink" href="http://rope.example/x">http://rope.example/x</a>'
const table = (cells: string): string => `<table><tbody><tr>${cells}</tr></tbody></table>`

describe('separators of cells on the first line of a cell', () => {
  test.each([
    [`<td>${knot} || x</td>`, `|[[Knot|K]]<nowiki> || x</nowiki>`],
    [`<th>${knot} !! x</th>`, `![[Knot|K]]<nowiki> !! x</nowiki>`],
    [`<td>${knot}<b>a||b</b></td>`, `|[[Knot|K]]'''<nowiki>a||b</nowiki>'''`],
    [`<td>[[x]]<small>a|b</small></td>`, '|<nowiki>[[x]]</nowiki><small><nowiki>a|b</nowiki></small>'],
    // After a link a single pipe does not end attributes.
    [`<td>${knot} | x</td>`, '|[[Knot|K]] | x'],
    [`<td>a\nb || c</td>`, '|a\nb || c'],
  ])('%s', async (cell, line) => {
    const wikitext = back(table(cell))
    expect(wikitext).toBe(`{|\n${line}\n|}`)
    expect((await shown(wikitext)).match(/<t[dh][ >]/g)).toHaveLength(1)
  })
})

describe('a bare address after a link to a page', () => {
  test('is not the trail of the link', async () => {
    const wikitext = back(`<p>${knot}${address}</p>`)
    expect(wikitext).toBe('[[Knot|K]]<nowiki/>http://rope.example/x')
    expect(await shown(wikitext)).toContain('>http://rope.example/x</a>')
  })

  test('needs no guard after a space or a bracketed address', () => {
    expect(back(`<p>${knot} ${address}</p>`)).toBe('[[Knot|K]] http://rope.example/x')
    expect(back(`<p><a rel="mw:ExtLink" href="http://rope.example/y">y</a>${address}</p>`)).toBe(
      '[http://rope.example/y y]http://rope.example/x',
    )
  })
})

describe('a line break at the start of a paragraph', () => {
  test.each([
    ['<ul><li><p><br>a</p></li></ul>', '*<br />a'],
    ['<ul><li><p><br></p></li><li>b</li></ul>', '* <br />\n* b'],
    ['<p><br>a</p>', '\n\n\na'],
    ['<p>a</p><p><br>b</p>', 'a\n\n\nb'],
    ['<div><p><br>a</p></div>', '<div>\n\n\na\n</div>'],
    ['<div>a</div><p><br>b</p>', '<div>a</div>\n\n\nb'],
    ['<h2>a</h2><p><br>b</p>', '== a ==\n\n\nb'],
    [`${table('<td>a</td>')}<p><br>b</p>`, '{|\n|a\n|}\n\n\nb'],
    [table('<td><p><br>a</p></td>'), '{|\n|\n\n\na\n|}'],
  ])('%s', async (html, wikitext) => {
    expect(back(html)).toBe(wikitext)
    expect(await shown(wikitext)).toMatch(/<br[ />]/)
  })
})

describe('a paragraph of several lines after a block', () => {
  test.each([
    ['<div>a</div><p>b\nc</p>', '<div>a</div>\nb\nc'],
    ['<div>a</div><p>b</p>', '<div>a</div>b'],
    ['<blockquote>a</blockquote><p>b\nc</p>', '<blockquote>a</blockquote>\nb\nc'],
  ])('%j', async (html, wikitext) => {
    expect(back(html)).toBe(wikitext)
    const paragraphs = (await shown(wikitext)).replace(/<blockquote.*<\/blockquote>/s, '').match(/<p[ >]/g)
    expect(paragraphs).toHaveLength(1)
  })
})

describe('braces that close in the text of a later block', () => {
  test.each([
    ['<p>a {{ b</p><ul><li>c }} d</li></ul>', 'a <nowiki>{{</nowiki> b\n*c }} d'],
    [table('<td>{{</td><td>x}}</td>'), '{|\n|<nowiki>{{</nowiki>\n|x}}\n|}'],
    ['<p>a {{ b</p><p>c } d</p>', 'a {{ b\n\nc } d'],
  ])('%s', async (html, wikitext) => {
    expect(back(html)).toBe(wikitext)
    expect(await shown(wikitext)).not.toContain('Template:')
  })
})

test.each([
  ['<p>a &lt;b c</p><p>d &gt; e</p>', 'a <nowiki><b</nowiki> c\n\nd > e'],
  ['<p>a &lt;b c</p><p>d</p>', 'a <b c\n\nd'],
  ['<ul><li>x &lt;div y</li><li>z&gt;</li></ul>', '* x <nowiki><div</nowiki> y\n* z>'],
])('a tag that ends in the text of a later block: %s', async (html, wikitext) => {
  expect(back(html)).toBe(wikitext)
  expect(await shown(wikitext)).toMatch(/&lt;(?:b|div)/)
})

test('a paragraph after the list of a template begins a line', () => {
  const mw =
    '{"parts":[{"template":{"target":{"wt":"Tide","href":"./Template:Tide"},"params":{"1":{"wt":"#a"}},"i":0}}]}'
  const list = `<ol typeof="mw:Transclusion" about="#mwt1" data-mw='${mw}'><li>a</li></ol>`
  expect(back(`${list}<p>b</p>`)).toBe('{{Tide|#a}}\nb')
})

describe('a category in a list item is on the line of the item', () => {
  const category = '<link rel="mw:PageProp/Category" href="./Category:Sails"/>'
  test.each([
    [`<ul><li>${category}</li></ul>`, '*[[Category:Sails]]'],
    [`<ul><li>a${category}</li><li>b</li></ul>`, '* a[[Category:Sails]]\n* b'],
    [`<ul><li>a</li></ul>${category}`, '*a\n[[Category:Sails]]'],
  ])('%s', (html, wikitext) => {
    expect(back(html)).toBe(wikitext)
  })
})

describe('a list item is no redirect', () => {
  const item = '<ol><li>REDIRECT <a rel="mw:WikiLink" href="./Knot">Knot</a></li></ol>'

  test('in a new page', () => {
    expect(back(item)).toBe('# REDIRECT [[Knot]]')
    expect(back(`${item}<p>mw:PageProp/redirect</p>`)).toBe('# REDIRECT [[Knot]]\nmw:PageProp/redirect')
  })

  test('after everything before it is deleted', async () => {
    const source = 'a\n#REDIRECT [[Knot]]'
    const { html } = await wikitextToHtml(source, { title: 'Ropes', wiki, flavor: 'edit' })
    const edited = html.replace(/<p\b.*?<\/p>\s*/s, '')
    expect(htmlToWikitext(edited, { title: 'Ropes', wiki, original: { source, html } })).toBe('# REDIRECT [[Knot]]')
  })

  test('a redirect stays one', async () => {
    const { html } = await wikitextToHtml('#REDIRECT [[Knot]]', { title: 'Ropes', wiki })
    expect(back(html)).toBe('#REDIRECT [[Knot]]')
  })
})
