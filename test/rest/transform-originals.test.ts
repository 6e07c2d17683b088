/** Transforms use the body's data about the original page, as in MediaWiki 1.43. */

import { beforeAll, describe, expect, test } from 'vitest'
import { createApp } from '../../src/rest/app.ts'
import { newWiki } from '../operations/_wiki.ts'

let app: ReturnType<typeof createApp>

beforeAll(async () => {
  app = createApp((await newWiki({ Tea: 'Green [[Leaf]]' })).wiki)
})

async function transform(path: string, body: object): Promise<[status: number, text: string]> {
  const response = await app.request(`/v1/transform/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return [response.status, await response.text()]
}

describe('wikitext to HTML', () => {
  test.each<[what: string, body: object, found: string]>([
    ['the text in original.wikitext', { original: { wikitext: { body: "''x''" } } }, '<i'],
    ['the text of the page that original.title names', { original: { title: 'Tea' } }, 'Green'],
    ['the text of the revision that original.revid names', { original: { title: 'Main Page', revid: 1 } }, 'Green'],
    ['the title under which a text is read', { wikitext: '{{PAGENAME}}', original: { title: 'Kettle' } }, 'Kettle'],
    ['a text of another content model', { wikitext: '{"a":1}', contentmodel: 'json' }, 'mw-json'],
    ['a text that is plain', { wikitext: "''c''", contentmodel: 'text' }, "''c''"],
  ])('reads %s', async (_, body, found) => {
    const [status, text] = await transform('wikitext/to/html', { ...body, body_only: true })
    expect([status, text.includes(found)]).toEqual([200, true])
  })

  test('prefers the text beside the original', async () => {
    const body = { wikitext: 'mine', original: { wikitext: { body: 'theirs' } } }
    expect((await transform('wikitext/to/html', body))[1]).toContain('mine')
  })

  test('refuses an unknown content model', async () => {
    const [status, text] = await transform('wikitext/to/html', { wikitext: 'x', contentmodel: 'nope' })
    expect([status, JSON.parse(text).errorKey]).toEqual([400, 'rest-bad-content-model'])
  })
})

describe("HTML without an original becomes wikitext in Parsoid's style:", () => {
  test.each<[html: string, wikitext: string]>([
    ['<ul><li>a</li></ul>', '* a'],
    ['<ul><li>a</li><li>b</li></ul>', '* a\n* b'],
    ['<p>x</p><ul><li>a</li></ul><p>y</p>', 'x\n\n* a\n\ny'],
    ['<h2>H</h2><ol><li>a<ul><li>b</li></ul></li></ol>', '== H ==\n\n# a\n#* b'],
    ['<ul><li>a</li></ul><table><tr><td>c</td></tr></table>', '* a\n\n{|\n|c\n|}'],
    ['<ul><li>a</li></ul><h3>H</h3><p>x</p>', '* a\n\n=== H ===\nx'],
    ['<div><ul><li>a</li></ul></div>', '<div>\n* a\n</div>'],
    ['<pre>hi ho</pre>', ' hi ho\n'],
  ])('%s', async (html, wikitext) => {
    expect(await transform('html/to/wikitext', { html })).toEqual([200, wikitext])
  })

  test('edits of a page keep its blank lines', async () => {
    const source = 'x\n* a\n* b\ny'
    const [, html] = await transform('wikitext/to/html', { wikitext: source })
    const body = { html: html.replace('>y<', '>z<').replace('\ny', '\nz'), original: { wikitext: source, html } }
    expect(await transform('html/to/wikitext', body)).toEqual([200, 'x\n* a\n* b\nz'])
  })
})
