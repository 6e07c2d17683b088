import { describe, expect, test } from 'vitest'
import { createApp } from '../../src/rest/app.ts'
import { routeTables } from '../../src/rest/routes.ts'
import { create, edit, newWiki } from '../operations/_wiki.ts'
import { answerCheck } from './_openapi.ts'

const config = {
  name: 'Harbour',
  license: { url: 'https://example.org/l', title: 'Free' },
  languages: { de: 'https://d.example/$1' },
}

async function newApp() {
  const { wiki } = await newWiki({ X: '== A ==\n[[de:Y]]', Old: '#REDIRECT [[X]]', 'Y.json': '{}' }, config)
  await edit(wiki, 'X', '== B ==\ntext\n[[de:Y]]', { minor: true })
  await create(wiki, 'Z', '[[X]]', { author: { name: '203.0.113.5', address: '' } })
  return createApp(wiki, { allowAnonymous: true })
}

async function newDocument(app: Awaited<ReturnType<typeof newApp>>) {
  const response = await app.request('/specs/v0/module/-')
  expect(response.headers.get('content-type')).toBe('application/json')
  return JSON.parse(await response.text())
}

describe('the OpenAPI document', () => {
  test('describes every route, under unique names', async () => {
    const document = await newDocument(await newApp())
    expect(document).toMatchObject({
      openapi: '3.1.0',
      info: { title: 'Harbour', license: { name: 'Free', url: 'https://example.org/l' } },
      servers: [{ url: 'http://localhost' }],
    })
    const operations = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item as object)
        .filter(([method]) => method !== 'servers')
        .map(([method, operation]) => ({ path, method, operation })),
    )
    const described = operations.map(({ path, method, operation }) => `${operation.operationId}: ${method} ${path}`)
    expect(described).toContain('readPageSource: get /v1/page/{title}')
    expect(described).toContain('readFileBytes: get /files/{name}')
    const names = operations.map(({ operation }) => operation.operationId)
    const routed = new Set(
      routeTables.flatMap(({ routes }) =>
        routes.filter(({ about }) => !about.isUndocumented).map(({ about }) => about.name),
      ),
    )
    expect(names.sort()).toEqual([...routed].sort())
  })

  test('describes every path parameter', async () => {
    const { paths } = await newDocument(await newApp())
    for (const [path, item] of Object.entries(paths)) {
      const wanted = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      for (const [method, operation] of Object.entries(item as object)) {
        if (method === 'servers') continue
        const parameters = operation.parameters.filter((parameter: { in: string }) => parameter.in === 'path')
        expect(parameters.map(({ name }: { name: string }) => name).sort()).toEqual(wanted.sort())
      }
    }
  })

  test.each([
    '/v1/specs/v0/module/-',
    '/openapi.json',
    '/specs/v0/module/content/v1',
    '/content/v1/openapi.json',
    '/rest.php/specs/v0/module/-',
    '/w/rest.php/specs/v0/module/-',
  ])('is also at %s', async path => {
    const response = await (await newApp()).request(path)
    const { servers } = (await response.json()) as { servers: object[] }
    expect(servers).toEqual([
      { url: `http://localhost${path.replace(/(?:\/(?:content\/)?v1)?\/(?:specs|openapi).*/, '')}` },
    ])
  })
})

const json = { 'content-type': 'application/json' }
const write = (method: string, body: unknown) => ({ method, headers: json, body: JSON.stringify(body) })

describe('a response matches the document:', () => {
  const reads = [
    ...['', '/bare', '/html', '/with_html', '/lint', '/links/language', '/links/media', '/history'].flatMap(suffix =>
      ['X', 'Old', 'x', 'Missing', 'X%3Cy', ''].map(title => `/v1/page/${title}${suffix}`),
    ),
    '/v1/page/X/history?filter=minor',
    '/v1/page/X/history?older_than=0',
    '/v1/page/Y.json/html',
    '/v1/page/Z/history',
    ...['edits', 'editors', 'anonymous', 'botedits', 'temporary', 'nope'].map(
      type => `/v1/page/X/history/counts/${type}`,
    ),
    ...['', '/bare', '/html', '/with_html', '/lint'].flatMap(suffix =>
      [1, 99, 'x'].map(id => `/v1/revision/${id}${suffix}`),
    ),
    '/v1/revision/1/compare/4',
    '/v1/revision/1/compare/2',
    '/v1/revision/1/compare/99',
    '/v1/search/page?q=text',
    '/v1/search/title?q=x',
    '/v1/search/title',
    '/v1/search/page?q=x&limit=0',
    '/v1/search',
    '/v1/file/Missing.png',
    '/v1/session',
    '/v1/specs/v0/discovery',
    '/v1/specs/v0/module/-',
    '/specs/v0/discovery',
    '/rest.php/v1/page/X',
    '/wiki/X',
    '/files/Missing.png',
    '/',
    '/v1/nope',
  ]
  const writes: readonly [path: string, init: { method: string; headers: Record<string, string>; body: string }][] = [
    ['/v1/page', write('POST', { source: 'a', title: 'New', comment: null })],
    ['/v1/page', write('POST', { source: 'a', title: 'X', comment: null })],
    ['/v1/page', write('POST', {})],
    ['/v1/page/Newer', write('PUT', { source: 'a', comment: '' })],
    ['/v1/page/X', write('PUT', { source: 'a', comment: '' })],
    ['/v1/page/X', write('PUT', { source: 'a', comment: '', latest: { id: 1 } })],
    ['/v1/page/X', write('DELETE', {})],
    ['/v1/transform/wikitext/to/html', write('POST', { wikitext: 'x' })],
    ['/v1/transform/wikitext/to/html/X/1', write('POST', {})],
    ['/v1/transform/wikitext/to/lint/X', write('POST', { wikitext: '<b>x' })],
    ['/v1/transform/html/to/wikitext', write('POST', { html: 'x' })],
    ['/v1/transform/a/to/b', write('POST', {})],
    ['/v1/compare', write('POST', { from: { text: 'a' }, to: { title: 'X' } })],
    ['/v1/session', write('POST', { token: 'none' })],
  ]

  test('reads', { tags: 'long' }, async () => {
    const app = await newApp()
    const check = answerCheck(await newDocument(app))
    for (const target of reads) {
      for (const method of ['GET', 'HEAD', 'OPTIONS']) {
        const response = await app.request(target, { method })
        const { status } = response
        const answer = {
          method,
          target,
          status,
          type: response.headers.get('content-type'),
          body: await response.text(),
        }
        expect([method, target, status, check(answer)]).toEqual([method, target, status, null])
      }
    }
  })

  test('writes', { tags: 'long' }, async () => {
    const app = await newApp()
    const check = answerCheck(await newDocument(app))
    for (const [target, init] of writes) {
      const response = await app.request(target, init)
      const { status } = response
      const answer = {
        method: init.method,
        target,
        status,
        type: response.headers.get('content-type'),
        body: await response.text(),
      }
      expect([init.method, target, init.body, status, check(answer)]).toEqual([
        init.method,
        target,
        init.body,
        status,
        null,
      ])
    }
  })

  test('and a mismatch is detected', async () => {
    const app = await newApp()
    const check = answerCheck(await newDocument(app))
    const answer = { method: 'GET', target: '/v1/page/X/history/counts/edits', status: 200, type: 'application/json' }
    expect(check({ ...answer, body: '{"count":1,"limit":false}' })).toBe(null)
    expect(check({ ...answer, body: '{"count":-1,"limit":false,"more":1}' })).toMatch(/\/count must be >= 0/)
    expect(check({ ...answer, status: 404, body: '{}' })).toMatch(/httpCode/)
    for (const status of [201, 418])
      expect(check({ ...answer, status, body: '{}' })).toBe(`status ${status} is not described`)
    expect(check({ ...answer, type: 'text/plain', body: 'x' })).toBe('a body of type text/plain is not described')
  })
})
