import { beforeAll, describe, expect, test } from 'vitest'
import { createApp } from '../../src/rest/app.ts'
import { newWiki } from '../operations/_wiki.ts'
import { jsonOf } from './json-response.ts'

const toHtml = '/v1/transform/wikitext/to/html'
const toLint = '/v1/transform/wikitext/to/lint'
const toWikitext = '/v1/transform/html/to/wikitext'
const htmlType = 'text/html; charset=utf-8; profile="https://www.mediawiki.org/wiki/Specs/HTML/2.8.0"'
const wikitextType = 'text/plain; charset=utf-8; profile="https://www.mediawiki.org/wiki/Specs/wikitext/1.0.0"'
const json = 'application/json'
const form = 'application/x-www-form-urlencoded'
const multipart = 'multipart/form-data; boundary=x'

/** The parts of a multipart body, each with its header's parameters. */
function parts(...all: [name: string, text: string][]): string {
  const texts = all.map(([name, text]) => `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`)
  return `${texts.join('')}--x--\r\n`
}

let app: ReturnType<typeof createApp>
beforeAll(async () => {
  const { wiki } = await newWiki({
    Ropes: "''hemp''\n\n\n* a",
    Odd: '==  a ==',
    'Main Page': 'main',
    'Data.json': '{"a":1}',
  })
  app = createApp(wiki)
})

interface Asked {
  readonly type?: string
  readonly accept?: string
  readonly body?: string | null
}

function ask(path: string, { type = json, accept, body }: Asked) {
  const length: Record<string, string> = body === '' ? { 'content-length': '0' } : {}
  const headers = { ...length, ...(type !== '' && { 'content-type': type }), ...(accept !== undefined && { accept }) }
  const bytes = body === undefined || body === null ? null : new TextEncoder().encode(body)
  return app.request(path, { method: 'POST', headers, body: bytes })
}

describe('the transforms return', () => {
  test.each<[string, string, Asked, string, string | RegExp]>([
    ['wikitext in JSON', `${toHtml}/Ropes`, { body: '{"wikitext":"\'\'x\'\'"}' }, htmlType, /<i [^>]*>x<\/i>/],
    ['without a title', toHtml, { body: '{"wikitext":"{{PAGENAME}}"}' }, htmlType, /Main Page/],
    ['with an empty title', `${toHtml}/`, { body: '{"wikitext":"{{PAGENAME}}"}' }, htmlType, /Main Page/],
    ['a title of no page', `${toHtml}/New`, { body: '{"wikitext":"{{PAGENAME}}"}' }, htmlType, />New</],
    ['another spelling of a title', `${toHtml}/ropes%20`, { body: '{"wikitext":"{{PAGENAME}}"}' }, htmlType, />Ropes</],
    ['with a revision, a text all the same', `${toHtml}/Ropes/1`, { body: '{"wikitext":"x"}' }, htmlType, />x</],
    [
      "with the latest revision's id for a magic word, which the document does not name as its own",
      `${toHtml}/Odd`,
      { body: '{"wikitext":"rev {{REVISIONID}} page {{PAGEID}}"}' },
      htmlType,
      /^<!DOCTYPE html>\n<html prefix="[^"]*"><head.*"mw:pageId" content="[1-9].*rev <span[^>]*>[1-9]\d*<\/span> page/s,
    ],
    [
      'with no id for a page that is not there',
      `${toHtml}/New`,
      { body: '{"wikitext":"rev {{REVISIONID}}."}' },
      htmlType,
      /rev <span[^>]*><\/span>\./,
    ],
    ['without a text, that of the page', `${toHtml}/Ropes`, { body: '{}' }, htmlType, /hemp/],
    ['null for a text, too', `${toHtml}/Ropes`, { body: '{"wikitext":null}' }, htmlType, /hemp/],
    ['the text of a revision', `${toHtml}/Ropes/1`, { body: '{}' }, htmlType, /hemp/],
    [
      'an empty text',
      `${toHtml}/Ropes`,
      { body: '{"wikitext":""}' },
      htmlType,
      /<body[^>]*>(?:<section[^>]*><\/section>)?<\/body>/,
    ],
    ['a number for a text', `${toHtml}/Ropes`, { body: '{"wikitext":5}' }, htmlType, />5</],
    ['a text in an object', `${toHtml}/Ropes`, { body: '{"wikitext":{"body":"x","headers":{}}}' }, htmlType, />x</],
    [
      'what stands in the body alone',
      toHtml,
      { body: '{"wikitext":"x","body_only":true}' },
      htmlType,
      /^<p[^>]*>x<\/p>\s*$/,
    ],
    [
      'the same asked in the address',
      `${toHtml}?body_only=1`,
      { body: '{"wikitext":"x"}' },
      htmlType,
      /^<p[^>]*>x<\/p>\s*$/,
    ],
    [
      'members of Parsoid that mean nothing',
      toHtml,
      { body: '{"wikitext":"x","subst":1,"previous":{}}' },
      htmlType,
      />x</,
    ],
    [
      'a form',
      toHtml,
      { type: form, body: 'wikitext=%27%27a+b%27%27&body_only=1' },
      htmlType,
      /^<p[^>]*><i[^>]*>a b<\/i><\/p>/,
    ],
    ['a form with a charset', toHtml, { type: `${form}; charset=UTF-8`, body: 'wikitext=%C3%BC' }, htmlType, /ü/],
    [
      'a form of several parts',
      toHtml,
      { type: multipart, body: parts(['wikitext', "''x''"]) },
      htmlType,
      /<i [^>]*>x<\/i>/,
    ],
    ['its last field of a name', toHtml, { type: form, body: 'wikitext=a&wikitext=b' }, htmlType, />b</],
    ['an empty form, as the page', `${toHtml}/Ropes`, { type: form, body: '' }, htmlType, /hemp/],
    ['an empty form of parts, too', `${toHtml}/Ropes`, { type: multipart, body: '' }, htmlType, /hemp/],
    ['faults', toLint, { body: '{"wikitext":"</b>"}' }, json, /stripped-tag/],
    ['faults of a form', toLint, { type: form, body: 'wikitext=%3C%2Fb%3E' }, json, /stripped-tag/],
    ['HTML', toWikitext, { body: '{"html":"<b>x</b>"}' }, wikitextType, "'''x'''"],
    [
      'a document',
      toWikitext,
      { body: '{"html":"<html><head><title>t</title></head><body><b>x</b>"}' },
      wikitextType,
      "'''x'''",
    ],
    ['HTML in an object', toWikitext, { body: '{"html":{"body":"<b>x</b>"}}' }, wikitextType, "'''x'''"],
    ['a number for HTML', toWikitext, { body: '{"html":5}' }, wikitextType, '5'],
    ['HTML in a form', toWikitext, { type: form, body: 'html=%3Cb%3Ex%3C%2Fb%3E' }, wikitextType, "'''x'''"],
    ['HTML in a part', toWikitext, { type: multipart, body: parts(['html', '<b>ü</b>']) }, wikitextType, "'''ü'''"],
    [
      'HTML in a file',
      toWikitext,
      { type: multipart, body: parts(['html"; filename="a.html', '<i>x</i>']) },
      wikitextType,
      "''x''",
    ],
    ['HTML for a title of no page', `${toWikitext}/New`, { body: '{"html":"x"}' }, wikitextType, 'x'],
    [
      'an original in a form',
      `${toWikitext}/Ropes`,
      { type: form, body: `html=${encodeURIComponent('<h2 id="a">a</h2><p>b</p>')}&original[revid]=2` },
      wikitextType,
      '==  a ==\nb',
    ],
    [
      'an original in parts',
      toWikitext,
      {
        type: multipart,
        body: parts(
          ['html', '<p>a</p><hr>'],
          ['original[wikitext][body]', 'a\n\n\n----'],
          ['original[html]', '<p>a</p><hr>'],
        ),
      },
      wikitextType,
      'a\n\n\n----',
    ],
  ])('%s', async (_, path, asked, type, expected) => {
    const answer = await ask(path, asked)
    const text = await answer.text()
    expect({ status: answer.status, type: answer.headers.get('content-type') }).toEqual({ status: 200, type })
    expect(answer.headers.get('cache-control')).toBe('private,no-cache,s-maxage=0')
    if (typeof expected === 'string') expect(text).toBe(expected)
    else expect(text).toMatch(expected)
  })

  test.each<[string, string, Asked, number, string]>([
    ['a list for a text', `${toHtml}/Ropes`, { body: '{"wikitext":["a"]}' }, 400, 'rest-body-validation-error'],
    [
      'an object for a text',
      `${toHtml}/Ropes`,
      { body: '{"wikitext":{"bdy":"a"}}' },
      400,
      'rest-body-validation-error',
    ],
    ['a list for a body', `${toHtml}/Ropes`, { body: '[]' }, 400, 'rest-json-body-parse-error'],
    ['a misspelt field', `${toLint}/Ropes`, { body: '{"wikitxt":"<b>x"}' }, 400, 'rest-extraneous-body-fields'],
    ['an unknown field', toHtml, { body: '{"wikitext":"x","foo":1}' }, 400, 'rest-extraneous-body-fields'],
    ['a prototype', toHtml, { body: '{"wikitext":"x","__proto__":{"a":1}}' }, 400, 'rest-extraneous-body-fields'],
    ['a misspelt switch', toHtml, { body: '{"wikitext":"x","body_only":"treu"}' }, 400, 'rest-body-validation-error'],
    ['a misspelt parameter', `${toHtml}?bodyonly=1`, { body: '{"wikitext":"x"}' }, 400, 'wiki-unknown-parameters'],
    ['an unknown parameter', `${toLint}?strict=1`, { body: '{"wikitext":"x"}' }, 400, 'wiki-unknown-parameters'],
    ['another unit in a query', `${toLint}?offsetType=bytes`, { body: '{"wikitext":"x"}' }, 400, 'badvalue'],
    ['neither title nor text', toHtml, { body: '{}' }, 400, 'rest-transform-missing-text'],
    ['a title of no page without a text', `${toHtml}/New`, { body: '{}' }, 404, 'rest-nonexistent-title'],
    ['an invalid title', `${toHtml}/a%3Cb`, { body: '{"wikitext":"x"}' }, 400, 'apierror-invalidtitle'],
    ['a special page', `${toHtml}/Special%3AVersion`, { body: '{"wikitext":"x"}' }, 400, 'apierror-pagecannotexist'],
    ['no such revision', `${toHtml}/Ropes/99`, { body: '{}' }, 404, 'rest-specified-revision-unavailable'],
    ['no HTML', toWikitext, { body: '{}' }, 400, 'rest-transform-missing-html'],
    ['null for HTML', toWikitext, { body: '{"html":null}' }, 400, 'rest-transform-missing-html'],
    [
      'no such revision of HTML',
      `${toWikitext}/Ropes/99`,
      { body: '{"html":"x"}' },
      404,
      'rest-specified-revision-unavailable',
    ],
    ['another pair', '/v1/transform/wikitext/to/wikitext', { body: '{}' }, 404, 'rest-invalid-transform'],
    ['another format', '/v1/transform/pagebundle/to/html/Ropes', { body: '{}' }, 404, 'rest-invalid-transform'],
    ['an unknown type', toHtml, { type: 'text/plain', body: 'x' }, 415, 'rest-unsupported-content-type'],
    ['no type', toWikitext, { type: '', body: '{"html":"x"}' }, 415, 'rest-unsupported-content-type'],
    ['invalid JSON', toHtml, { body: '{"wikitext"' }, 400, 'rest-json-body-parse-error'],
    ['JSON that is no object', toHtml, { body: '"x"' }, 400, 'rest-json-body-parse-error'],
    ['no body', toHtml, { body: null }, 411, 'rest-request-body-expected'],
    ['parts without a boundary', toHtml, { type: 'multipart/form-data', body: 'x' }, 400, 'rest-body-validation-error'],
    [
      'parts that do not end',
      toHtml,
      { type: multipart, body: '--x\r\nContent-Disp' },
      400,
      'rest-body-validation-error',
    ],
    [
      'an Accept of pictures',
      toHtml,
      { accept: 'image/png', body: '{"wikitext":"x"}' },
      406,
      'rest-unsupported-target-format',
    ],
    [
      'an Accept of old HTML',
      toHtml,
      { accept: htmlType.replace('2.8', '1.0'), body: '{"wikitext":"x"}' },
      406,
      'rest-unsupported-target-format',
    ],
    [
      'faults as HTML',
      toLint,
      { accept: 'text/html', body: '{"wikitext":"x"}' },
      406,
      'rest-unsupported-target-format',
    ],
    [
      'HTML of more than 10 MiB',
      toWikitext,
      { body: JSON.stringify({ html: 'x'.repeat(10 * 1024 * 1024 + 1) }) },
      413,
      'rest-resource-limit-exceeded',
    ],
    [
      'wikitext of more than 2 MiB',
      toHtml,
      { body: JSON.stringify({ wikitext: 'x'.repeat(2 * 1024 * 1024 + 1) }) },
      413,
      'rest-resource-limit-exceeded',
    ],
    [
      'more than a body may have',
      toHtml,
      { body: JSON.stringify({ wikitext: 'x'.repeat(14 * 1024 * 1024) }) },
      413,
      'rest-body-too-large',
    ],
  ])('%s with %4$i', async (_, path, asked, status, key) => {
    const answer = await ask(path, asked)
    expect([answer.status, (await jsonOf(answer)).errorKey ?? 'none']).toEqual([status, key])
  })

  test.each(['text/html', 'text/*', '*/*', htmlType, htmlType.replace('2.8', '2.6'), ''])(
    'an Accept of %s',
    async accept => {
      expect((await ask(toHtml, { accept, body: '{"wikitext":"x"}' })).status).toBe(200)
    },
  )

  test.each(['text/html', 'image/png', 'application/json'])(
    'HTML to wikitext whatever is accepted: %s',
    async accept => {
      expect((await ask(toWikitext, { accept, body: '{"html":"x"}' })).status).toBe(200)
    },
  )

  test("with only the client's members, whatever the names of the form fields", async () => {
    const body = '__proto__[wikitext]=x&constructor[prototype][wikitext]=x&toString=x'
    expect((await ask(toHtml, { type: form, body })).status).toBe(400)
    expect(({} as Record<string, unknown>).wikitext).toBeUndefined()
  })
})

describe('bytes that are not UTF-8', () => {
  const broken = (before: string, after: string) =>
    Buffer.concat([Buffer.from(before), Buffer.from([0xff, 0xc3, 0x28, 0xed, 0xa0, 0x80]), Buffer.from(after)])

  test.each([
    ['JSON', json, broken('{"html":"<p>a', 'b<script>c</script></p>"}')],
    ['a form', form, broken('html=%FF<p>a', 'b<script>c</script></p>')],
    [
      'parts',
      multipart,
      broken('--x\r\nContent-Disposition: form-data; name="html"\r\n\r\n<p>a', 'b</p>\r\n--x--\r\n'),
    ],
  ])('in %s are refused: replacement characters would take their place', async (_, type, body) => {
    const response = await app.request(toWikitext, { method: 'POST', headers: { 'content-type': type }, body })
    expect([response.status, (await jsonOf(response)).errorKey]).toEqual([
      400,
      type === json ? 'rest-json-body-parse-error' : 'rest-body-validation-error',
    ])
  })
})
