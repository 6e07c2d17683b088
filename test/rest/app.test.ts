import { beforeEach, describe, expect, test } from 'vitest'
import type { LogEntry } from '../../src/rest/log.ts'
import { calls, fakeApp } from './fake-wiki.ts'
import { jsonOf } from './json-response.ts'

const app = fakeApp()
const openApp = fakeApp({ allowAnonymous: true })
/** Tags of the page: all begin with the hash of its revision's id and with that of its commit, and end with that of their bytes. */
const mainPage = '6d840eb7110c95cd806e20e206e1e1bdc46c6ccd-da39a3ee5e6b4b0d'
const endingIn = (beginning: string) => expect.stringMatching(new RegExp(`^"${beginning}-[0-9a-f]{16}"$`))
/** The tag that a response has now. */
const tagOf = async (path: string) => (await app.request(`/v1${path}`)).headers.get('etag') ?? ''
const edited = 'Mon, 01 Jan 2024 01:00:00 GMT'

beforeEach(() => {
  calls.length = 0
})

/** The headers of a response that tests examine, without those of every response. */
function headersOf(response: Response): Record<string, string> {
  const { 'x-request-id': id, 'content-length': length, vary, ...rest } = Object.fromEntries(response.headers)
  expect(id).toMatch(/^[0-9a-f]{24}$/)
  expect(rest['x-content-type-options']).toBe('nosniff')
  expect(vary).toBe('x-restbase-compat')
  delete rest['x-content-type-options']
  // For pages of other origins: cors.test.ts.
  delete rest['access-control-allow-origin']
  delete rest['access-control-expose-headers']
  return rest
}

const post = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: typeof body === 'string' ? body : JSON.stringify(body),
})
const put = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  ...post(body, headers),
  method: 'PUT',
})

describe('a read', () => {
  const base = 'http://localhost/v1'
  const search = { base, patience: 5000 }
  const dated = { 'last-modified': edited }
  const listed = { etag: expect.stringMatching(/^"[0-9a-f]{40}"$/) }
  const title = { title: 'Main_Page', exact: true, base }
  const page = { 'cache-control': 'no-cache', etag: endingIn(mainPage), ...dated }

  test.each<[path: string, operation: string, params: object, headers: object]>([
    ['/page/Main_Page', 'readPage', title, page],
    ['/page/Main_Page/bare', 'readPageBare', title, page],
    ['/page/Main_Page/history', 'pageHistory', title, { ...page, etag: endingIn('6209') }],
    [
      '/page/Main_Page/history?older_than=%2B7&filter=minor&limit=1',
      'pageHistory',
      { ...title, olderThan: 7, filter: 'minor' },
      { ...page, etag: endingIn('6209') },
    ],
    [
      '/page/Main_Page/history?newer_than=007',
      'pageHistory',
      { ...title, newerThan: 7 },
      { ...page, etag: endingIn('6209') },
    ],
    [
      '/page/Main_Page/history/counts/edits?from=1&to=2',
      'countHistory',
      { ...title, type: 'edits', from: 1, to: 2 },
      { ...page, etag: endingIn('6209') },
    ],
    ['/revision/6209', 'readRevision', { id: 6209 }, page],
    ['/revision/6209/bare', 'readRevisionBare', { id: 6209, base }, page],
    ['/revision/1/compare/2', 'compareRevisionsAsJson', { from: 1, to: 2 }, { 'cache-control': 'no-cache', ...listed }],
    [
      '/search/page?q=a+b%20c',
      'findPages',
      { q: 'a b c', limit: 50, ...search },
      { 'cache-control': 'no-cache', ...listed },
    ],
    [
      '/search/page?q=a&q=b&limit=7',
      'findPages',
      { q: 'b', limit: 7, ...search },
      { 'cache-control': 'no-cache', ...listed },
    ],
    [
      '/search/title?q=%C3%BC',
      'findTitles',
      { q: 'ü', limit: 50, base, patience: 10, match: 'beginning' },
      { 'cache-control': 'no-cache', ...listed },
    ],
  ])('of %s requests %s', async (path, operation, params, headers) => {
    const response = await app.request(`/v1${path}`)
    expect(response.status).toBe(200)
    expect(calls.at(-1)).toEqual({ operation, params })
    expect(headersOf(response)).toEqual({ 'content-type': 'application/json', ...headers })
  })

  test('is sent as compact JSON without unnecessary escapes', async () => {
    const text = await (await app.request('/v1/page/Main_Page')).text()
    expect(text).toBe(
      '{"id":1,"key":"Main_Page","title":"Main Page","latest":{"id":6209,"timestamp":"2024-01-01T01:00:00Z"},' +
        '"content_model":"wikitext","license":{"url":"","title":""},"source":"Ünï \\"Main_Page\\" </source>"}',
    )
  })

  test('with HEAD has the status and the headers of GET, and no body', async () => {
    for (const path of ['/v1/page/Main_Page', '/v1/page/main_Page', '/v1/page/Missing', '/v1/nope', '/v1/revision/7']) {
      const [get, head] = [await app.request(path), await app.request(path, { method: 'HEAD' })]
      expect(await head.text()).toBe('')
      expect(head.status).toBe(get.status)
      expect(headersOf(head)).toEqual(headersOf(get))
      expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(await get.text())))
    }
  })

  test('adds the query to the route of a redirect target', async () => {
    const target = async (path: string) => (await jsonOf(await app.request(path))).redirect_target
    expect(await target('/v1/page/Moved')).toBe('/v1/page/A%2FB')
    expect(await target('/v1/page/Moved?redirect=no&x=a%20b')).toBe('/v1/page/A%2FB?redirect=no&x=a+b')
  })
})

describe('the mounts', () => {
  test.each([
    ['/v1', '/specs/v0/module/content/v1'],
    ['/v1/', '/specs/v0/module/content/v1'],
    ['/content/v1', '/specs/v0/module/content/v1'],
    ['/specs', '/specs/v0/discovery'],
    ['/w/rest.php/specs/', '/w/rest.php/specs/v0/discovery'],
  ])('redirect %s to its description', async (path, location) => {
    const response = await app.request(path)
    expect([response.status, response.headers.get('location')]).toEqual([307, location])
  })

  test.each(['/v1', '/rest.php/v1', '/w/rest.php/v1'])('answer under %s, with URLs that stay there', async mount => {
    const response = await app.request(`${mount}/page/A%2FB/bare`, { headers: { host: '127.0.0.1:8080' } })
    expect((await jsonOf(response)).html_url).toBe(`http://127.0.0.1:8080${mount}/page/A%2FB/html`)
  })

  test.each([
    ['//', '//'],
    ['/rest.php//', '//'],
    ['/rest.php/v1', '/v1'],
    ['/rest.phpx', '/rest.phpx'],
    ['/v1/nope', '/v1/nope'],
    ['/rest.php/v1/nope', '/v1/nope'],
    ['/w/rest.php/v2/page/X', '/v2/page/X'],
    ['/v1/%C3%BC', '/v1/%C3%BC'],
    ['/v1/%FF', '/v1/%FF'],
    ['/v1/%zz', '/v1/%zz'],
    ['/v1/Page/Main_Page', '/v1/Page/Main_Page'],
    ['/v1/page/Main_Page/bare/', '/v1/page/Main_Page/bare/'],
    ['/v1//page/Main_Page', '/v1//page/Main_Page'],
    ['/v1/page/Main_Page/%62are', '/v1/page/Main_Page/%62are'],
    ['/v1/page/A/B', '/v1/page/A/B'],
    ['/v1/page/__proto__/constructor', '/v1/page/__proto__/constructor'],
  ])('have nothing at %s', async (path, relative) => {
    const response = await app.request(path)
    expect(response.status).toBe(404)
    const en = `The requested relative path (${relative}) did not match any known handler`
    expect(await response.text()).toBe(
      `{"errorKey":"rest-no-match","messageTranslations":{"en":"${en}"},"httpCode":404,"httpReason":"Not Found"}`,
    )
  })
})

describe('a title in a path', () => {
  test.each([
    ['A%2FB', 'A/B'],
    ['A%2fB', 'A/B'],
    ['C++', 'C++'],
    ['C%2B%2B', 'C++'],
    ['%C3%9Cn%C3%AFcode_%E6%97%A5%E6%9C%AC', 'Ünïcode_日本'],
    ['Ünïcode_日本', 'Ünïcode_日本'],
  ])('spelled %s is %s', async (raw, title) => {
    const response = await app.request(`/v1/page/${raw}`)
    expect(response.status).toBe(200)
    expect(calls[0]?.params.title).toBe(title)
  })

  test.each<[raw: string, status: number, key: string, title: string | null]>([
    ['%2541', 404, 'rest-nonexistent-title', '%41'],
    ['A%252FB', 404, 'rest-nonexistent-title', 'A%2FB'],
    ['%26amp%3B', 404, 'rest-nonexistent-title', '&amp;'],
    ['RT_One;x=1', 404, 'rest-nonexistent-title', 'RT_One;x=1'],
    ['%FCml', 404, 'rest-invalid-title', '\uFFFDml'],
    ['%C3', 404, 'rest-invalid-title', '\uFFFD'],
    ['%ED%A0%80', 404, 'rest-invalid-title', '\uFFFD\uFFFD\uFFFD'],
    ['%0A', 404, 'rest-invalid-title', '\n'],
    ['RT%zz', 400, 'badvalue', null],
    ['RT%', 400, 'badvalue', null],
    ['RT%4', 400, 'badvalue', null],
    ['RT%00x', 400, 'badvalue', null],
  ])('spelled %s gets %i %s', async (raw, status, errorKey, title) => {
    const response = await app.request(`/v1/page/${raw}/bare`)
    expect([response.status, (await jsonOf(response)).errorKey]).toEqual([status, errorKey])
    expect(calls[0]?.params.title ?? null).toBe(title)
  })
})

describe('a title in another spelling', () => {
  test.each([
    ['/v1/page/main_Page', '/v1/page/Main_Page'],
    ['/rest.php/v1/page/main%20Page/bare', '/rest.php/v1/page/Main_Page/bare'],
    ['/w/rest.php/v1/page/a%2FB/history?filter=minor', '/w/rest.php/v1/page/A%2FB/history?filter=minor'],
    ['/v1/page/c++/history/counts/edits?from=1&to=2', '/v1/page/C%2B%2B/history/counts/edits?from=1&to=2'],
    ['/v1/page/%20%C3%9Cn%C3%AFcode%20%E6%97%A5%E6%9C%AC', null],
    ['/v1/page/%C3%9Cn%C3%AFcode%20%E6%97%A5%E6%9C%AC', '/v1/page/%C3%9Cn%C3%AFcode_%E6%97%A5%E6%9C%AC'],
    ['/v1/page/Main_Page%23top?x=b%20r&y="<\'', '/v1/page/Main_Page?x=b+r&y=%22%3C%27'],
    ['/v1/page/main_Page?%0d%0aset-cookie:x', '/v1/page/Main_Page?%0D%0Aset-cookie%3Ax='],
  ])('in %s redirects to %s', async (path, location) => {
    const response = await app.request(path)
    if (location === null) return expect(response.status).toBe(404)
    expect(response.status).toBe(301)
    expect(headersOf(response)).toMatchObject({ 'content-type': 'text/html; charset=utf-8', location })
    const link = location.replaceAll('&', '&amp;')
    expect(await response.text()).toBe(`<!doctype html><title>Redirect</title><a href="${link}">${link}</a>`)
  })
})

describe('methods', () => {
  test.each([
    ['PATCH', '/v1/page/Main_Page', 'HEAD, GET, PUT, DELETE'],
    ['POST', '/v1/page/', 'HEAD, GET, PUT, DELETE'],
    ['PATCH', '/v1/revision/1', 'HEAD, GET'],
    ['POST', '/v1/search/page?q=x', 'HEAD, GET'],
    ['get', '/v1/page', 'POST'],
    ['HEAD', '/v1/page', 'POST'],
    ['GET', '/v1/transform/wikitext/to/html/X', 'POST'],
    ['FOO', '/v1/page', 'POST'],
  ])('%s %s is 405, because %s is allowed', async (method, path, allow) => {
    const response = await app.request(path, { method })
    expect(response.status).toBe(405)
    const isRead = method === 'get' || method === 'GET' || method === 'HEAD'
    const kept = isRead ? { 'cache-control': 'no-store' } : {}
    expect(headersOf(response)).toEqual({ 'content-type': 'application/json', allow, ...kept })
    if (method === 'HEAD') return
    const which = allow === 'POST' ? 'the allowed method' : 'one of the allowed methods'
    const en = `The request method (${method.toUpperCase()}) was not ${which} for this path (${allow})`
    expect(await response.text()).toBe(
      JSON.stringify({ messageTranslations: { en }, httpCode: 405, httpReason: 'Method Not Allowed' }),
    )
  })

  test('OPTIONS lists the methods of a path, and none for an unknown one', async () => {
    const response = await app.request('/v1/page/Missing', { method: 'OPTIONS' })
    expect(response.status).toBe(204)
    expect(headersOf(response)).toMatchObject({
      allow: 'HEAD, GET, PUT, DELETE',
      'access-control-allow-methods': 'HEAD, GET, PUT, DELETE',
      'access-control-allow-headers': expect.stringContaining('If-None-Match'),
    })
    expect((await app.request('/v1/nope', { method: 'OPTIONS' })).status).toBe(404)
  })
})

describe('conditions', () => {
  const [old, later] = ['Mon, 01 Jan 2001 00:00:00 GMT', 'Thu, 01 Jan 2099 00:00:00 GMT']
  const bare = '/page/Main_Page/bare'
  test.each<[path: string, headers: (tag: string) => Record<string, string>, status: number]>([
    ['/page/Main_Page', tag => ({ 'if-none-match': tag }), 304],
    [bare, tag => ({ 'if-none-match': `"abc", W/${tag}` }), 304],
    ['/revision/6209', tag => ({ 'if-none-match': tag }), 304],
    ['/page/Main_Page', () => ({ 'if-none-match': `"${mainPage}"` }), 200],
    ['/page/Main_Page', () => ({ 'if-none-match': '*' }), 304],
    ['/page/Main_Page', () => ({ 'if-none-match': '"abc"', 'if-modified-since': edited }), 200],
    ['/page/Main_Page', () => ({ 'if-modified-since': edited }), 200],
    ['/page/Main_Page', () => ({ 'if-modified-since': later }), 200],
    ['/page/Main_Page', () => ({ 'if-modified-since': 'garbage' }), 200],
    ['/page/Main_Page', () => ({ 'if-match': '"abc"' }), 412],
    ['/page/Main_Page', tag => ({ 'if-match': tag }), 200],
    ['/page/Main_Page', tag => ({ 'if-match': `W/${tag}` }), 200],
    ['/page/Main_Page', () => ({ 'if-unmodified-since': old }), 412],
    ['/page/Main_Page', () => ({ 'if-unmodified-since': later }), 200],
    ['/page/Main_Page', () => ({ 'if-unmodified-since': 'garbage' }), 200],
    ['/page/Main_Page/history?filter=minor', tag => ({ 'if-none-match': tag }), 304],
    ['/page/Main_Page/history/counts/edits', tag => ({ 'if-none-match': tag }), 304],
    ['/page/Main_Page/history/counts/edits', () => ({ 'if-none-match': '*' }), 304],
    ['/page/Main_Page/history/counts/edits', () => ({ 'if-modified-since': later }), 200],
    ['/search/page?q=x', () => ({ 'if-none-match': '*' }), 304],
    ['/page/Missing', () => ({ 'if-none-match': '*' }), 404],
    ['/page/Missing', () => ({ 'if-match': '*' }), 412],
    ['/page/main_Page', tag => ({ 'if-match': tag }), 301],
    ['/revision/abc', () => ({ 'if-match': '"abc"' }), 400],
    ['/nope', () => ({ 'if-match': '"abc"' }), 404],
  ])('of %s, row %#, give %i', async (path, headersFor, status) => {
    const response = await app.request(`/v1${path}`, { headers: headersFor(await tagOf(path)) })
    expect(response.status).toBe(status)
    if (status === 304 || status === 412) expect(await response.text()).toBe('')
  })

  test('that stop a read keep its validators', async () => {
    const validators = { etag: endingIn(mainPage), 'last-modified': edited }
    const refused = await app.request('/v1/page/Main_Page', { headers: { 'if-match': '"x"' } })
    expect(headersOf(refused)).toEqual({ ...validators, 'cache-control': 'no-store' })
    const unchanged = await app.request('/v1/page/Main_Page', { headers: { 'if-none-match': '*' } })
    expect(headersOf(unchanged)).toEqual({ ...validators, 'cache-control': 'no-cache' })
  })

  test('stop a write before it happens', async () => {
    for (const headers of [{ 'if-match': '"x"' }, { 'if-match': '*' }, { 'if-unmodified-since': edited }]) {
      const created = { ...put({ source: 'x', title: 'New', comment: null }, headers), method: 'POST' }
      const response = await openApp.request('/v1/page', created)
      expect([response.status, await response.text()]).toEqual([412, ''])
    }
    expect(calls).toEqual([])
  })
})

describe('a write', () => {
  const author = { name: '127.0.0.1', address: '', isOwner: false }

  test('creates a page, and returns its location', async () => {
    const title = "RTC_!*'();:@&=$,~.-_x+?%q/日"
    const body = { source: 'Hello', title, comment: null, token: '+\\', content_model: 'wikitext' }
    const response = await openApp.request('/rest.php/v1/page', post(body, { host: 'localhost:8080' }))
    expect(response.status).toBe(201)
    expect(headersOf(response)).toEqual({
      'content-type': 'application/json',
      'cache-control': 'private,must-revalidate,s-maxage=0',
      location: 'http://localhost:8080/rest.php/v1/page/RTC_!*%27();:@%26%3D$,~.-_x%2B%3F%25q%2F%E6%97%A5',
    })
    expect(Object.keys(await jsonOf(response))).toEqual('id title key latest license content_model source'.split(' '))
    const params = { source: 'Hello', title, comment: null, contentModel: 'wikitext', author, bot: false }
    expect(calls).toEqual([{ operation: 'createPage', params }])
  })

  test('updates a page with 200 and creates one with 201, without a Location', async () => {
    const latest = { id: 6209, timestamp: '2024-01-01T01:00:00Z' }
    const update = await openApp.request('/v1/page/Main_Page', put({ source: 'x', comment: 'why', latest }))
    expect([update.status, update.headers.get('location')]).toEqual([200, null])
    const create = await openApp.request('/v1/page/new%2Fpage', put({ source: 'x', comment: '' }))
    expect([create.status, create.headers.get('location')]).toEqual([201, null])
    expect(calls).toEqual([
      {
        operation: 'updatePage',
        params: { title: 'Main_Page', source: 'x', comment: 'why', base: 6209, author, bot: false },
      },
      { operation: 'updatePage', params: { title: 'new/page', source: 'x', comment: '', author, bot: false } },
    ])
  })

  test('with half a surrogate pair, which no file can contain, is refused', async () => {
    for (const body of [
      '{"source":"a\\ud800b","title":"A","comment":""}',
      '{"source":"a","title":"A","comment":"","\\udc00":1}',
    ]) {
      const response = await openApp.request('/v1/page', post(body))
      expect([response.status, (await jsonOf(response)).errorKey]).toEqual([400, 'rest-json-body-parse-error'])
    }
    expect(calls).toEqual([])
  })

  test('composes letters and their accents', async () => {
    await openApp.request('/v1/page', post({ source: 'cafe\u0301', title: 'E\u0301', comment: 'o\u0302' }))
    expect(calls[0]?.params).toMatchObject({ source: 'caf\u00e9', title: '\u00c9', comment: '\u00f4' })
  })

  test('by an anonymous client is refused with 401, before its body is read', async () => {
    for (const body of [{}, { source: 'x', title: 'Y', comment: null }, 'not even JSON']) {
      const response = await app.request('/v1/page', post(body))
      expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="wiki"'])
      expect((await jsonOf(response)).errorKey).toBe('wiki-login-required')
    }
    expect(calls).toEqual([])
  })

  test('is refused with 403 on a read-only server', async () => {
    const readOnlyApp = fakeApp({ allowAnonymous: true, readOnly: true })
    for (const response of [
      await readOnlyApp.request('/v1/page', post({ source: 'x', title: 'Y', comment: null })),
      await readOnlyApp.request('/v1/page/X', put('not even JSON')),
      await readOnlyApp.request('/v1/page', post({}, { authorization: 'Bearer x' })),
    ]) {
      expect(response.status).toBe(403)
      expect(await response.text()).toBe(
        '{"error":"rest-write-denied","errorKey":"rest-write-denied",' +
          '"messageTranslations":{"en":"This server does not accept edits"},"httpCode":403,"httpReason":"Forbidden"}',
      )
    }
    expect(calls).toEqual([])
  })

  test.each([
    ['https://x.example', 403],
    ['http://localhost.x.example', 403],
    ['http://localhost:81', 403],
    ['null', 403],
    ['', 403],
    ['http://localhost', 201],
    ['http://LOCALHOST:80', 201],
  ])('from a page of %s gets %i', async (origin, status) => {
    const body = { source: 'x', title: 'Y', comment: null }
    const response = await openApp.request('/v1/page', post(body, { origin }))
    expect(response.status).toBe(status)
    if (status === 201) return
    expect(await response.text()).toBe(
      '{"error":"rest-cross-origin-anon-write","httpCode":403,"httpReason":"Forbidden"}',
    )
    expect(calls).toEqual([])
  })
})

describe('the log', () => {
  test('gets the sentence of a known error of the repository, without a trace', async () => {
    const entries: LogEntry[] = []
    const logged = fakeApp({ log: entry => entries.push(entry) })
    expect((await logged.request('/v1/page/Lost')).status).toBe(500)
    expect(entries[0]).toMatchObject({
      event: 'error',
      error: 'The repository lacks the object 3f2a91c, or it is damaged',
    })
  })

  test('gets a line for each request, and the details of an internal error that the client does not get', async () => {
    const entries: LogEntry[] = []
    const logged = fakeApp({ log: entry => entries.push(entry) })
    const response = await logged.request('/v1/page/Bug?x', { headers: { 'user-agent': 'test/1' } })
    const text = await response.text()
    expect(text).toBe(
      '{"message":"Error: exception of type Error","httpCode":500,"httpReason":"Internal Server Error"}',
    )
    const id = response.headers.get('x-request-id')
    expect(entries).toEqual([
      { event: 'error', time: expect.any(String), id, error: expect.stringContaining('the secret at /etc/passwd') },
      {
        event: 'request',
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        id,
        peer: '127.0.0.1',
        method: 'GET',
        target: '/v1/page/Bug?x',
        status: 500,
        bytes: text.length,
        milliseconds: expect.any(Number),
        agent: 'test/1',
      },
    ])
  })
})
