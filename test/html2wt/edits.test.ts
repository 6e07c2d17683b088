/** One edit of a page's HTML, and its effect on the wikitext. */
import { describe, expect, test } from 'vitest'
import { htmlToWikitext } from '../../src/html2wt/index.ts'
import { memoryWiki, wikitextToHtml } from '../../src/wikitext/index.ts'
import { back, there, title } from './_convert.ts'

async function edited(source: string, word: string, by: string): Promise<string> {
  const html = await there(source)
  const place = html.indexOf(word, html.indexOf('<body'))
  expect(place).not.toBe(-1)
  return back(html.slice(0, place) + by + html.slice(place + word.length), { source, html })
}

describe('an edit changes only its own line', () => {
  test.each([
    ['indented lines of a preformatted text', 'x\n\n  one\n  [[Harbour|two]] and\n   three\n', 'one'],
    [
      'lines within a tag that begin with spaces',
      '<ol>\n<li>\n  one <b>x</b> y\n  [[A]], but\n  two\n  </li>\n</ol>\n',
      'one',
    ],
    ['lines of one text', '<div>\none\n  two\n    three\n  four\n</div>', 'two'],
    ['text beside lines that would be written otherwise', 'one\n[[?x]] [[ {{\ntwo\n[[ ]] }}', 'two'],
    ['preformatted text at the end of a page', 'a\n\n one', 'one'],
    ['a page without a last line feed whose notes are not placed', 'one<ref>two</ref>', 'one'],
    ['a note', 'a<ref>one [[b]]</ref>\n\nmore\n\n<references />\n', 'one'],
    ['a note that is a list', 'a\n<ref>\n* one</ref>', 'one'],
    ['a note in the list', 'a<ref name=x />\n\n<references>\n<ref name=x>one  two</ref>\n</references>\n', 'one'],
    ['lines beside a tag that closes nothing', ' x\n</pre>\n\none</p>\n\nmore</b> thing</i>\n', 'one'],
    ['preformatted text before a tag that closes nothing', ' x\n</pre>\n\none', 'x'],
    ['a link in a link', "one [http://a.example b ''[[c]]''] d", 'one'],
    ['marks that nothing follows', "* ''a''one''\nb", 'one'],
    ['lines that end in CR LF', '== a ==\r\none\r\ntwo\r\n* b\r\n\r\n{|\r\n| c\r\n|}\r\n', 'one'],
    ['white space after an edited link', '* [http://a.example one b]\n\n\n{{DEFAULTSORT:c}}\n', 'one b'],
    ['the lines of a cell after an edited link', '{|\n |-\n | [[Harbour|one]]\r\n | b \r\n|}', 'one'],
    ['empty lines at the end of a cell with a note', '{|\n| a <ref>one</ref> mixes\n\n| c\n|}\n', 'mixes'],
    ['lines of which some end in CR LF', 'a\r\n\r\none\ntwo\r\n\r\nthree\n', 'one'],
  ])('%s', async (_, source, word) => {
    expect(await edited(source, word, 'Zwischenruf')).toBe(source.replace(word, 'Zwischenruf'))
  })
})

test('a line break at the start of preformatted text, which browsers remove, does not count as missing', async () => {
  const source = '<pre>\n<ref>one </ref> two \n'
  const html = await there(source)
  expect(back(html.replace('<pre>\n', '<pre>').replace(/(<pre[^>]*>)\n\n/, '$1\n'), { source, html })).toBe(source)
})

test.each([
  ['letters right after a link', 'a [[Harbour]] bc', '</a> bc', '</a>bc', 'a [[Harbour]]<nowiki/>bc'],
  ['a space left at the start of a line', "''x'' y\nz", /<i [\s\S]*<\/i>/, '', 'y\nz'],
  ['signs left at the start of a line', "''x''* y\nz", /<i [\s\S]*<\/i>/, '', '<nowiki>*</nowiki> y\nz'],
  ['a paragraph after a removed table', '{|\n|a\n|} b\n\nc', /<table[\s\S]*<\/table>/, '', 'b\n\nc'],
  ['a line whose only link is removed', 'a\n[[Harbour]]\nb', /<a [\s\S]*<\/a>/, '', 'a\nb'],
  ['the text of a cell with attributes', '{|\n| id="a" |one||b\n|}', 'one', '', '{|\n| id="a" | ||b\n|}'],
])('what an edit brings together stays apart: %s', async (_, source, from, to, expected) => {
  const html = await there(source)
  const body = html.indexOf('<body')
  const changed = html.slice(0, body) + html.slice(body).replace(from, to)
  expect(back(changed, { source, html })).toBe(expected)
})

test.each([
  ['a [[Category:B]]', '</section>', '<p>n</p></section>', 'a [[Category:B]]\n\nn'],
  ['[[Category:B]]\nb', '<link rel="mw:PageProp/Category"', '<p>n</p>$&', 'n\n\n[[Category:B]]\nb'],
  ['a\nb', '</section>', '<div>n</div></section>', 'a\nb\n<div>n</div>'],
])('a new block is apart from the paragraphs of the page: %j', async (source, from, to, expected) => {
  const html = await there(source)
  const changed = html.replace(from, to)
  expect(changed).not.toBe(html)
  expect(back(changed, { source, html })).toBe(expected)
})

describe('an image whose size is edited', () => {
  const chart = { name: 'Chart.png', mediatype: 'BITMAP' as const, mime: 'image/png', size: 1, width: 640, height: 480 }
  const wiki = memoryWiki({ files: [{ ...chart, duration: null, url: '/Chart.png', thumbnail: () => '/Chart.png' }] })

  test.each([
    ['to half of it', '100px', 50, 37, '50x50px'],
    ['to that of the file', '100px', 640, 480, '640x640px'],
    ['to that which a larger one is limited to', '900px', 640, 480, '900px'],
  ])('%s', async (_, option, width, height, expected) => {
    const source = `[[File:Chart.png|${option}|a chart]]`
    const { html } = await wikitextToHtml(source, { title, wiki, flavor: 'edit', now: new Date(0) })
    const edited = html.replace(/ height="\d+" width="\d+"/, ` height="${height}" width="${width}"`)
    expect(edited).not.toBe(html)
    const back = htmlToWikitext(edited, { title, wiki, original: { source, html } })
    expect(back).toBe(`[[File:Chart.png|${expected}|a chart]]`)
  })
})
