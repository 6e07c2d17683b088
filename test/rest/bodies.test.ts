/** Every route that reads a body, with bodies that it can read and with bodies that it cannot: those change nothing. */

import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createToken } from '../../src/operations/tokens.ts'
import type { Wiki } from '../../src/operations/wiki.ts'
import { createApp } from '../../src/rest/app.ts'
import { contentFor, png } from '../media/_files.ts'
import { ada, commitFiles, newWiki } from '../operations/_wiki.ts'
import { bearer } from './_asking.ts'
import { jsonOf } from './json-response.ts'

type Fields = Readonly<Record<string, unknown>>
type BodyInit = NonNullable<RequestInit['body']>

interface Row {
  readonly method: string
  readonly path: string
  readonly good: Fields
  /** Statuses of the good body. */
  readonly status: number
  /** Fields that may be absent; others are required. */
  readonly optional: readonly string[]
  /** Fields that accept numbers and booleans, as those of forms. */
  readonly loose?: readonly string[]
}

const always = ['comment', 'dryRun', 'token']
const rows: readonly Row[] = [
  {
    method: 'POST',
    path: '/v1/page',
    good: { title: 'New', source: 'é', comment: 'c', content_model: 'wikitext', minor: true, bot: false },
    status: 201,
    optional: ['content_model', 'minor', 'bot'],
  },
  {
    method: 'PUT',
    path: '/v1/page/A',
    good: { source: 'é', comment: 'c', content_model: 'wikitext', latest: { id: 1 }, minor: true, bot: false },
    status: 200,
    optional: ['content_model', 'minor', 'bot'],
  },
  { method: 'DELETE', path: '/v1/page/A', good: { comment: 'c', latest: { id: 1 } }, status: 200, optional: always },
  { method: 'DELETE', path: '/v1/file/P.png', good: { comment: 'c', dryRun: false }, status: 200, optional: always },
  {
    method: 'POST',
    path: '/v1/page/A/move',
    good: { to: 'B', comment: 'c', dryRun: false, redirect: true, updateLinks: false, latest: { id: 1 } },
    status: 201,
    optional: [...always, 'redirect', 'updateLinks', 'latest'],
  },
  {
    method: 'POST',
    path: '/v1/page/Gone/restore',
    good: { comment: 'c', dryRun: false },
    status: 201,
    optional: always,
  },
  {
    method: 'POST',
    path: '/v1/page/Twice/undo',
    good: { comment: 'c', revision: 4, dryRun: false, minor: false },
    status: 200,
    optional: [...always, 'minor'],
  },
  { method: 'POST', path: '/v1/compare', good: { from: { text: 'a' }, to: { text: 'b' } }, status: 200, optional: [] },
  {
    method: 'POST',
    path: '/v1/merge',
    good: { base: { text: 'a' }, mine: { text: 'b' }, theirs: { title: 'A' }, by: 'lines' },
    status: 200,
    optional: ['by'],
  },
  ...['html', 'lint'].map(to => ({
    method: 'POST',
    path: `/v1/transform/wikitext/to/${to}/A`,
    good: { wikitext: 'é', original: { title: 'A', revid: 1 } },
    status: 200,
    optional: ['wikitext', 'original'],
    loose: ['wikitext'],
  })),
  {
    method: 'POST',
    path: '/v1/transform/html/to/wikitext/A',
    good: { html: '<p>é</p>', original: { revid: 1 } },
    status: 200,
    optional: ['original'],
    loose: ['html'],
  },
]

const json = 'application/json'
const bodyErrors: readonly string[] = [
  'rest-json-body-parse-error',
  'rest-body-validation-error',
  'rest-extraneous-body-fields',
  'wiki-unsupported-coding',
]
let wiki: Wiki
let app: ReturnType<typeof createApp>
let authorization: string

async function begin(): Promise<void> {
  wiki = (await newWiki({ A: 'a', Twice: 'one' })).wiki
  await commitFiles(wiki, { 'Twice.wiki': 'two\n', 'Gone.wiki': 'gone\n', 'File/P.png': contentFor('P.png') })
  await commitFiles(wiki, { 'Gone.wiki': null })
  authorization = bearer((await createToken(wiki, ada)).token).authorization
  app = createApp(wiki)
}
// A refused request changes nothing, so most tests share a wiki.
beforeAll(begin)

async function beginAnew(): Promise<void> {
  const shared = [wiki, app, authorization] as const
  onTestFinished(() => {
    ;[wiki, app, authorization] = shared
  })
  await begin()
}

async function send(
  { method, path }: Pick<Row, 'method' | 'path'>,
  body: BodyInit,
  headers: Record<string, string> = {},
) {
  const response = await app.request(path, {
    method,
    body,
    headers: { 'content-type': json, authorization, ...headers },
  })
  return { status: response.status, key: response.ok ? null : (await jsonOf(response)).errorKey, response }
}

/** Sends each body, and returns those that are not refused as expected, or that change the branch. */
async function unlike(
  row: Row,
  bodies: readonly (readonly [name: string, body: BodyInit, headers?: Record<string, string>])[],
  expected: readonly number[],
) {
  const found: unknown[] = []
  for (const [name, body, headers] of bodies) {
    const { tip } = wiki.store
    const { status, key } = await send(row, body, headers)
    await wiki.store.refresh()
    if (!expected.includes(status) || typeof key !== 'string' || wiki.store.tip !== tip) found.push([name, status, key])
  }
  return found
}

const text = JSON.stringify
const changed = (good: Fields, name: string, value: unknown) => text({ ...good, [name]: value })
const without = (good: Fields, name: string) =>
  text(Object.fromEntries(Object.entries(good).filter(([key]) => key !== name)))

/** A name with two letters swapped, or one more. */
const misspelt = (name: string) => (name.length < 4 ? `${name}s` : `${name.slice(0, -2)}${name.at(-1)}${name.at(-2)}`)

function wrongKinds({ good, loose = [] }: Row, name: string): unknown[] {
  const value = good[name]
  const kinds: unknown[] = [[value], [], [null], { [name]: value }, { __proto__: value, x: 1 }]
  if (typeof value === 'string' && !loose.includes(name)) return [...kinds, 5, true]
  if (typeof value === 'boolean') return [...kinds, null, 'true', 1]
  if (typeof value === 'number') return [...kinds, 'x', 1.5, -1, true]
  return typeof value === 'object' ? [...kinds, 'x', 5, true] : kinds
}

describe.each(rows.map(row => [`${row.method} ${row.path}`, row] as const))('%s', (_, row) => {
  const good = text(row.good)

  test('reads its body in each coding', async () => {
    await beginAnew()
    const codings = [
      ['gzip', gzipSync(good)],
      ['deflate', deflateSync(good)],
      ['gzip, deflate', deflateSync(gzipSync(good))],
      ['IDENTITY', Buffer.from(good)],
    ] as const
    for (const [at, [coding, body]] of codings.entries()) {
      const { status, key } = await send(row, body, { 'content-encoding': coding })
      // A repeated write may find that it is done already: the body was read all the same.
      if (at === 0) expect(status).toBe(row.status)
      expect([coding, status, bodyErrors.includes(`${key}`)]).toEqual([coding, status, false])
    }
  })

  test('refuses bytes that are not in the coding, and codings that it does not know', async () => {
    expect(
      await unlike(
        row,
        [
          ['plain as gzip', good, { 'content-encoding': 'gzip' }],
          ['plain as deflate', good, { 'content-encoding': 'deflate' }],
          ['gzip without a label', gzipSync(good)],
          ['half of it', gzipSync(good).subarray(0, 20), { 'content-encoding': 'gzip' }],
          ['more behind it', Buffer.concat([gzipSync(good), Buffer.from('{}')]), { 'content-encoding': 'gzip' }],
          ['one of two', gzipSync(good), { 'content-encoding': 'gzip, deflate' }],
        ],
        [400],
      ),
    ).toEqual([])
    const unknown = ['br', 'gzip, br', 'zstd', 'compress', 'gzip, gzip, gzip', 'aes128gcm', 'gzip;q=1']
    expect(
      await unlike(
        row,
        unknown.map(coding => [coding, good, { 'content-encoding': coding }] as const),
        [415],
      ),
    ).toEqual([])
    expect(
      await unlike(row, [['a coding of the transfer', good, { 'transfer-encoding': 'gzip, chunked' }]], [415]),
    ).toEqual([])
  })

  test('refuses a body that grows a thousandfold', { tags: 'long' }, async () => {
    const bomb = gzipSync(Buffer.alloc(80 * 1024 * 1024, 32))
    const twice = gzipSync(bomb)
    expect(
      await unlike(
        row,
        [
          ['once', bomb, { 'content-encoding': 'gzip' }],
          ['twice', twice, { 'content-encoding': 'gzip, gzip' }],
        ],
        [413],
      ),
    ).toEqual([])
  })

  test('refuses other types and charsets', async () => {
    const types = ['text/plain', 'application/xml', 'application/jsonp', '', 'application/json+x', 'text/json']
    const charsets = ['latin1', 'iso-8859-1', 'utf-16', '"UTF-16LE"', 'windows-1252', 'x']
    expect(
      await unlike(
        row,
        [
          ...types.map(type => [type, good, { 'content-type': type }] as const),
          ...charsets.map(charset => [charset, good, { 'content-type': `${json}; charset=${charset}` }] as const),
          ['utf-16 that says so', Buffer.from(good, 'utf16le'), { 'content-type': `${json};x=1; Charset=UTF-16` }],
        ],
        [415],
      ),
    ).toEqual([])
    if (row.path.includes('transform')) return
    const form = new URLSearchParams(
      Object.entries(row.good).map(([name, value]): [string, string] => [name, String(value)]),
    )
    expect(
      await unlike(
        row,
        [
          ['a form', form, { 'content-type': 'application/x-www-form-urlencoded' }],
          ['parts', '--x--', { 'content-type': 'multipart/form-data; boundary=x' }],
        ],
        [415],
      ),
    ).toEqual([])
  })

  test('refuses what is no JSON object in UTF-8', async () => {
    const bodies = [
      '',
      ' ',
      '[]',
      `[${good}]`,
      `[[${good}]]`,
      'null',
      'true',
      '5',
      '"x"',
      `"${good.length}"`,
      `${good} x`,
    ]
    expect(
      await unlike(
        row,
        [
          ...bodies.map(body => [body, body, { 'content-length': String(body.length) }] as const),
          ['BOM', `\ufeff${good}`],
          ['UTF-16', Buffer.from(good, 'utf16le')],
          ['latin1', Buffer.from(good.replace('":"', '":"\xff'), 'latin1')],
          ['half a surrogate pair', good.replace('":"', '":"\\ud800')],
          ['the other half', good.replace('":"', '":"\\udc00')],
          ['single quotes', good.replaceAll('"', "'")],
          ['comment', `${good}//`],
          ['cut', good.slice(0, -1)],
          ['deep', `{"x":${'['.repeat(600)}${']'.repeat(600)}}`],
        ],
        [400],
      ),
    ).toEqual([])
  })

  test('refuses fields of another kind, misspelt, unknown and missing ones', async () => {
    const names = Object.keys(row.good)
    expect(
      await unlike(
        row,
        [
          ...names.flatMap(name =>
            wrongKinds(row, name).map(value => [`${name} ${text(value)}`, changed(row.good, name, value)] as const),
          ),
          ...names.flatMap(name => [
            [
              `misspelt ${name}`,
              without(row.good, name).replace(
                /}$/,
                `${names.length > 1 ? ',' : ''}"${misspelt(name)}":${text(row.good[name])}}`,
              ),
            ] as const,
            [`capital ${name}`, changed(row.good, name.toUpperCase(), 1)] as const,
          ]),
          ...names
            .filter(name => !row.optional.includes(name) && name !== 'latest')
            .map(name => [`no ${name}`, without(row.good, name)] as const),
          ['unknown', changed(row.good, 'foo', 1)],
          ['prototype', good.replace(/^{/, '{"__proto__":{"dryRun":true},')],
          ['constructor', changed(row.good, 'constructor', { prototype: {} })],
          ['hasOwnProperty', changed(row.good, 'hasOwnProperty', 1)],
        ],
        [400],
      ),
    ).toEqual([])
  })

  test('refuses misspelt and unknown parameters of its query', async () => {
    for (const query of ['dryRun=true', 'commnt=x', 'foo', 'token=x&x=y']) {
      const { tip } = wiki.store
      const { status, key } = await send({ ...row, path: `${row.path}?${query}` }, good)
      expect([query, status, key, wiki.store.tip]).toEqual([query, 400, 'wiki-unknown-parameters', tip])
    }
  })
})

test('the error of a misspelt field or parameter names the nearest known one', async () => {
  const sentence = async (response: Response) =>
    `${((await jsonOf(response)).messageTranslations as { en: string }).en}`
  const lint = await send({ method: 'POST', path: '/v1/transform/wikitext/to/lint' }, '{"wikitxt":"<b>x"}')
  expect(lint.status).toBe(400)
  const asked = await app.request('/v1/transform/wikitext/to/lint', {
    method: 'POST',
    body: '{"wikitxt":"<b>x","other":1}',
    headers: { 'content-type': json },
  })
  expect(await sentence(asked)).toBe('The request body has unknown fields: wikitxt (did you mean wikitext?), other')
  const read = await app.request('/v1/search/page?q=a&Limit=5')
  expect(read.status).toBe(400)
  expect(await sentence(read)).toBe('The query has unknown parameters: Limit (did you mean limit?)')
})

test.each(['/v1/page/A/history?_=1&utm_source=x', '/v1/search/page?q=a&origin=*&offset=5', '/v1/page/A?foo=bar'])(
  'a read ignores parameters that resemble none of its own, as MediaWiki does: %s',
  async path => expect((await app.request(path)).status).toBe(200),
)

test.each([
  ['/v1/page/A/history?olderthan=5', 'older_than'],
  ['/v1/page/A/history?filters=bot', 'filter'],
  ['/v1/page/A/html?redirects=no', 'redirect'],
  ['/v1/page/A/html?flavour=edit', 'flavor'],
  ['/v1/changes?users=Ada', 'user'],
  ['/v1/pages?prefx=A', 'prefix'],
  ['/v1/page/A/links/here?kinds=link', 'kind'],
  ['/v1/page/A/history/counts/edits?form=1&To=2', 'to'],
])('a read refuses a misspelt parameter: %s', async (path, meant) => {
  const response = await app.request(path)
  const body = await jsonOf(response)
  expect([response.status, body.errorKey]).toEqual([400, 'wiki-unknown-parameters'])
  expect(JSON.stringify(body)).toContain(`did you mean ${meant}?`)
})

describe('an upload', () => {
  const picture = png(4, 4)
  const row = { method: 'PUT', path: '/v1/file/X.png' }
  const stored = async () => {
    const response = await app.request('/files/X.png')
    return response.status === 200 ? Buffer.from(await response.arrayBuffer()) : null
  }
  const part = (head: string, content: Buffer | string) =>
    Buffer.concat([Buffer.from(`--x\r\n${head}\r\n\r\n`), Buffer.from(content as string), Buffer.from('\r\n')])
  const form = (...parts: Buffer[]) => Buffer.concat([...parts, Buffer.from('--x--\r\n')])
  const filePart = part(
    'Content-Disposition: form-data; name="f"; filename="a.png"\r\nContent-Type: image/png',
    picture,
  )
  const multipart = { 'content-type': 'multipart/form-data; boundary=x' }

  test.each<[string, BodyInit, Record<string, string>]>([
    ['bytes', picture, { 'content-type': 'image/png' }],
    ['bytes with the type that curl sends', picture, { 'content-type': 'application/x-www-form-urlencoded' }],
    ['gzip', gzipSync(picture), { 'content-type': 'image/png', 'content-encoding': 'gzip' }],
    ['the file of a form', form(filePart), multipart],
    [
      'the file of a form with a comment',
      form(part('Content-Disposition: form-data; name="comment"', 'why'), filePart),
      multipart,
    ],
    ['the file of a form in gzip', gzipSync(form(filePart)), { ...multipart, 'content-encoding': 'gzip' }],
  ])('stores %s as the picture', async (_, body, headers) => {
    await beginAnew()
    expect((await send(row, body, headers)).status).toBe(200)
    expect(await stored()).toEqual(picture)
  })

  test.each<[string, number, BodyInit, Record<string, string>]>([
    ['a word', 400, 'hello', {}],
    ['JSON', 400, '{"a":1}', { 'content-type': json }],
    ['a form without a file', 400, form(part('Content-Disposition: form-data; name="f"', picture)), multipart],
    [
      'two files',
      400,
      form(filePart, part('Content-Disposition: form-data; name="g"; filename="b.png"', picture)),
      multipart,
    ],
    ['an unknown field', 400, form(filePart, part('Content-Disposition: form-data; name="coment"', 'x')), multipart],
    ['a form that ends early', 400, filePart, multipart],
    [
      'a form in base64',
      400,
      form(
        part(
          'Content-Disposition: form-data; name="f"; filename="a.png"\r\nContent-Transfer-Encoding: base64',
          picture.toString('base64'),
        ),
      ),
      multipart,
    ],
    ['a form under another type', 400, form(filePart), { 'content-type': 'image/png' }],
    ['gzip without a label', 400, gzipSync(picture), { 'content-type': 'image/png' }],
    ['plain bytes as gzip', 400, picture, { 'content-encoding': 'gzip' }],
    ['an unknown coding', 415, picture, { 'content-encoding': 'zstd' }],
    ['Brotli', 415, brotliCompressSync(picture), { 'content-type': 'image/png', 'content-encoding': 'br' }],
    ['another picture', 400, Buffer.from('GIF89a'), {}],
    ['nothing', 400, '', { 'content-length': '0' }],
  ])('refuses %s with %i, and keeps the file', async (_, status, body, headers) => {
    await send(row, picture, { 'content-type': 'image/png' })
    const { tip } = wiki.store
    const answer = await send(row, body, headers)
    expect([answer.status, typeof answer.key]).toEqual([status, 'string'])
    expect(wiki.store.tip).toBe(tip)
    expect(await stored()).toEqual(picture)
  })
})
