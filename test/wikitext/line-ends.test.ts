import { expect, test } from 'vitest'
import { lintWikitext, memoryWiki, parseWikitext, wikitextToHtml } from '../../src/wikitext/index.ts'

const text = '== Part ==\n* a {{Tide}}\n\nb <b>c\n<ref>d</ref>\n\n{|\n| ü\n|}\n'
const windows = text.replaceAll('\n', '\r\n')
const wiki = memoryWiki({ pages: { 'Template:Tide': '{|\r\n| high\r\n|}' } })
const options = { title: 'Ropes', wiki, now: new Date(0), bodyOnly: true, settings: { sections: false } }

test('a page with CR LF line endings renders the same', async () => {
  expect((await wikitextToHtml(windows, options)).html).toBe((await wikitextToHtml(text, options)).html)
  expect((await wikitextToHtml(windows, options)).html).not.toContain('\r')
})

test('positions in such a page refer to its file', async () => {
  const { body } = await parseWikitext(windows, options)
  const { range } = body.children[0]!.kind === 'element' ? body.children[0]!.data : {}
  expect(range).toEqual({ start: 0, end: 10, openWidth: 2, closeWidth: 2 })
  const [lint] = await lintWikitext(windows, options)
  expect(windows.slice(lint!.dsr[0], lint!.dsr[0] + lint!.dsr[2]!)).toBe('<b>')
  const { html } = await wikitextToHtml(windows, { ...options, flavor: 'edit' })
  const table = /<table data-parsoid='[^']*"dsr":\[(\d+),(\d+)[^>]*>\s*<tbody[^>]*><tr[^>]*><td[^>]*>ü/.exec(html)
  expect(Buffer.from(windows).subarray(Number(table?.[1]), Number(table?.[2])).toString()).toBe('{|\r\n| ü\r\n|}')
})

test("a link's address in its source keeps a control character that the parser drops", async () => {
  const link = '[http://example.org\u0000 ebb]'
  const { html } = await wikitextToHtml(link, { ...options, flavor: 'edit' })
  expect(html).toContain(JSON.stringify(link))
})
