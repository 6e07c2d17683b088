import { expect, test } from 'vitest'
import { memoryWiki, wikitextToHtml } from '../../src/wikitext/index.ts'

const metadata = { url: 'https://files.example/Map.png', mime: 'image/png', size: 9, width: 9, height: 9 }
const wiki = memoryWiki({
  pages: { 'Template:Words': '{{{1}}}' },
  files: [{ name: 'Map.png', mediatype: 'BITMAP', ...metadata, duration: null, thumbnail: () => metadata.url }],
})

async function html(text: string): Promise<string> {
  const settings = { sections: false, elementIds: false }
  return (await wikitextToHtml(text, { title: 'A', wiki, bodyOnly: true, flavor: 'edit', settings })).html
}

/** Names of the elements, without attributes and the white space beside tags. */
async function shape(text: string): Promise<string> {
  return (await html(text)).replace(/\s*<(\/?\w+)(?:'[^']*'|[^'>])*>\s*/g, '<$1>').replace(/\s+/g, ' ')
}

test.each([
  ['[[Harbour|<div>a</div>]]', '<a><div>a</div></a>'],
  ['[https://x.example <blockquote>a</blockquote>]', '<a><blockquote><p>a</p></blockquote></a>'],
  ['b [[Harbour|<div>a</div>]] c', '<p>b</p><a><div>a</div></a><p>c</p>'],
  ['b[[Harbour|<div>a</div>]]c', '<p>b</p><a><div>a</div></a><p>c</p>'],
  ["''[[Harbour|<div>a</div>]]''", '<i><a><div>a</div></a></i>'],
  ['[[Harbour|{{Words|<div>a</div>}}]]', '<a><div>a</div></a>'],
  ['* [[Harbour|<div>a</div>]]', '<ul><li><a><div>a</div></a></li></ul>'],
  ['[[Harbour|<span>a</span>]]b', '<p><a><span>a</span>b</a></p>'],
])('a link that begins with a block is in no paragraph: %s', async (text, expected) => {
  expect(await shape(text)).toBe(expected)
})

test('a link to a file is split at the blocks in its text', async () => {
  expect(await shape('[[Media:Map.png|a<div>b</div>]]')).toBe('<p><a>a</a></p><a><div>b</div></a>')
})

test.each([
  ['[[Category:B|]]', /^<p[^>]*>\[\[Category:B\|\]\]<\/p>$/],
  ['[[File:Map.png|]]', /^<p[^>]*>\[\[File:Map\.png\|\]\]<\/p>$/],
  ['[[Harbour|]]', /^<p[^>]*>\[\[Harbour\|\]\]<\/p>$/],
])('brackets with an empty text after the pipe are text: %s', async (text, expected) => {
  expect(await html(text)).toMatch(expected)
})

test.each([
  [':{|\na\n|b\n|}', '<dl><dd><p>a</p><table><tbody><tr><td>b</td></tr></tbody></table></dd></dl>'],
  ['<div>\n{|\na\n|}\n</div>', '<div><p>a</p><table></table></div>'],
  ['x<table>a</table>', '<p>x</p><p>a</p><table></table>'],
])('words that a table moves before itself are a paragraph: %j', async (text, expected) => {
  expect(await shape(text)).toBe(expected)
})

test.each([
  ['b c\n\n<blockquote><table>{{Words|aaaaaaaaa}}</table></blockquote>', ['<table>', '</table>']],
  ['b c\n\n{|\n{{Words|aaaaaaaaa}}\n|}', ['{|\n', '\n|}']],
])('a template whose words a table moves belongs to that table only: %j', async (text, expected) => {
  const found = JSON.parse(/data-mw='([^']*)'/.exec(await html(text))![1]!.replaceAll('&lt;', '<'))
  expect(found.parts.filter((part: unknown) => typeof part === 'string')).toEqual(expected)
})
