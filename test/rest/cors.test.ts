import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createToken } from '../../src/operations/tokens.ts'
import { createApp } from '../../src/rest/app.ts'
import { commitFiles, newWiki, openTestWiki } from '../operations/_wiki.ts'
import { bearer, sending } from './_asking.ts'

const elsewhere = 'https://elsewhere.example'
const editor = 'https://editor.example'

const { wiki } = await newWiki({ X: 'one' }, { allowedOrigins: [editor] })
const app = createApp(wiki, { allowAnonymous: true })
const { token } = await createToken(wiki, { name: 'Ada' })
const page = (title: string) => ({ title, source: 'text', comment: null })

/** The CORS headers of a response, except the list of exposed headers. */
function allowance({ headers }: Response) {
  return {
    origin: headers.get('access-control-allow-origin'),
    credentials: headers.get('access-control-allow-credentials'),
  }
}

function preflight(method: string, path: string, origin: string) {
  const headers = { origin, 'access-control-request-method': method, 'access-control-request-headers': 'content-type' }
  return app.request(`/v1${path}`, { method: 'OPTIONS', headers })
}

describe('a page of another origin', () => {
  test.each([
    ['/page/X', 200],
    ['/page/X/history', 200],
    ['/page/x', 301],
    ['/search/page?q=one', 200],
    ['/page/Missing', 404],
    ['/revision/x', 400],
    ['/nope', 404],
  ])('reads %s, and gets the status %i', async (path, status) => {
    for (const headers of [{ origin: elsewhere }, { origin: 'null' }, {}]) {
      const response = await app.request(`/v1${path}`, { headers })
      expect([response.status, allowance(response)]).toEqual([status, { origin: '*', credentials: null }])
      expect(response.headers.get('access-control-expose-headers')).toContain('ETag')
      expect(response.headers.get('vary')).toBe('x-restbase-compat')
    }
  })

  test('revalidates an unchanged response by its tag', async () => {
    const etag = (await app.request('/v1/page/X')).headers.get('etag') ?? ''
    const response = await app.request('/v1/page/X', { headers: { origin: elsewhere, 'if-none-match': etag } })
    expect([response.status, allowance(response).origin]).toEqual([304, '*'])
  })

  test('may ask to read with its own headers, which does not permit writing', async () => {
    for (const method of ['GET', 'HEAD']) {
      const response = await preflight(method, '/page/X', elsewhere)
      expect([response.status, allowance(response).origin]).toEqual([204, '*'])
      expect(response.headers.get('access-control-allow-methods')).toBe('HEAD, GET')
      expect(response.headers.get('access-control-allow-headers')).toContain('If-None-Match')
      expect(response.headers.get('access-control-max-age')).toBe('86400')
    }
  })

  test('may use a transform, which changes nothing', async () => {
    const response = await preflight('POST', '/transform/wikitext/to/html/X', elsewhere)
    expect([response.status, allowance(response).origin]).toEqual([204, '*'])
    expect(response.headers.get('access-control-allow-methods')).toBe('POST')
  })

  test.each([
    '/transform/wikitext/to/html',
    '/transform/wikitext/to/lint/X',
    '/transform/html/to/wikitext',
    '/compare',
    '/merge',
  ])('makes the server do no work by a form sent to %s, for which no browser asks', async path => {
    const form = 'wikitext=x&html=x&stash=1'
    for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/plain']) {
      for (const origin of [elsewhere, editor, 'null']) {
        const response = await app.request(`/v1${path}`, sending('POST', form, { origin, 'content-type': type }))
        expect([path, type, origin, response.status]).toEqual([path, type, origin, 415])
      }
    }
    expect(existsSync(join(wiki.store.cacheDirectory, 'stash'))).toBe(false)
  })

  test('may send the same as JSON, and a page of ours as a form', async () => {
    const path = '/v1/transform/wikitext/to/html'
    const json = await app.request(path, sending('POST', { wikitext: 'x' }, { origin: elsewhere }))
    const type = 'application/x-www-form-urlencoded'
    const own = await app.request(
      path,
      sending('POST', 'wikitext=x', { origin: 'http://localhost', 'content-type': type }),
    )
    expect([json.status, own.status]).toEqual([200, 200])
  })

  test.each([
    ['PUT', '/page/X'],
    ['POST', '/page'],
    ['DELETE', '/page/X'],
    ['PATCH', '/nope'],
    ['POST', '/session'],
    ['GET', '/session'],
    ['DELETE', '/session'],
  ])('is not permitted to %s %s', async (method, path) => {
    const response = await preflight(method, path, elsewhere)
    expect(allowance(response)).toEqual({ origin: null, credentials: null })
  })

  test('cannot write anonymously, even where that is permitted, nor with a simple form', async () => {
    for (const origin of [elsewhere, editor, 'null']) {
      const response = await app.request('/v1/page', sending('POST', page('New'), { origin }))
      expect(response.status).toBe(403)
      expect(await response.json()).toMatchObject({ error: 'rest-cross-origin-anon-write' })
    }
    const form = await app.request(
      '/v1/page',
      sending('POST', 'a=b', { origin: elsewhere, 'content-type': 'text/plain' }),
    )
    expect([form.status, allowance(form).origin]).toEqual([403, null])
    expect(wiki.store.findPage('New')).toBeUndefined()
  })

  test('with a listed origin may write with a token that it knows', async () => {
    const asked = await preflight('PUT', '/page/New', editor)
    expect([asked.status, allowance(asked).origin, asked.headers.get('vary')]).toEqual([
      204,
      editor,
      'Origin, x-restbase-compat',
    ])
    expect(asked.headers.get('access-control-allow-methods')).toContain('PUT')
    expect(asked.headers.get('access-control-allow-headers')).toContain('Authorization')
    const written = await app.request('/v1/page', sending('POST', page('Listed'), { origin: editor, ...bearer(token) }))
    expect([written.status, allowance(written)]).toEqual([201, { origin: editor, credentials: null }])
    expect(written.headers.get('access-control-expose-headers')).toContain('Location')
    expect(written.headers.get('vary')).toContain('Origin')
  })

  test('with an unlisted origin cannot read the result of its write', async () => {
    const written = await app.request(
      '/v1/page',
      sending('POST', page('Blind'), { origin: elsewhere, ...bearer(token) }),
    )
    expect([written.status, allowance(written).origin]).toEqual([201, null])
    expect(written.headers.get('vary')).toContain('Origin')
  })
})

test('gets no CORS headers if no other origin may read', async () => {
  const closed = createApp(wiki, { crossOrigin: false })
  for (const init of [{}, { method: 'OPTIONS', headers: { origin: editor, 'access-control-request-method': 'GET' } }]) {
    const { headers } = await closed.request('/v1/page/X', init)
    expect([headers.get('access-control-allow-origin'), headers.get('access-control-expose-headers')]).toEqual([
      null,
      null,
    ])
    // Not even as a picture, whose size would be visible.
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
  }
})

test('OPTIONS without a CORS request lists the methods, and permits nothing', async () => {
  const response = await app.request('/v1/page/X', { method: 'OPTIONS' })
  expect([response.status, response.headers.get('allow'), allowance(response).origin]).toEqual([
    204,
    'HEAD, GET, PUT, DELETE',
    null,
  ])
})

test('permissions follow settings changed by another process', async () => {
  const { wiki: own, directory } = await newWiki({ X: 'one' })
  const other = await openTestWiki(directory)
  await own.store.refresh()
  await commitFiles(other, { 'wiki.json': JSON.stringify({ allowedOrigins: [editor] }) })
  const headers = { origin: editor, 'access-control-request-method': 'PUT' }
  const response = await createApp(own).request('/v1/page/X', { method: 'OPTIONS', headers })
  expect(allowance(response).origin).toBe(editor)
})
