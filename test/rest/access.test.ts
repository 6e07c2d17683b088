import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { H3 } from 'h3'
import { describe, expect, test, vi } from 'vitest'
import { pageHistory } from '../../src/operations/page-history.ts'
import { createToken, type NewToken, revokeToken } from '../../src/operations/tokens.ts'
import type { Wiki } from '../../src/operations/wiki.ts'
import { type AppOptions, createApp, type LogEntry } from '../../src/rest/app.ts'
import { commitFiles, newWiki } from '../operations/_wiki.ts'
import { bearer, cookieAttributes, cookieOf, sending } from './_asking.ts'
import { jsonOf } from './json-response.ts'

interface Place {
  readonly app: H3
  readonly wiki: Wiki
  readonly directory: string
  readonly ada: NewToken
}

async function place(options: AppOptions = {}, config?: Record<string, unknown>): Promise<Place> {
  const { wiki, directory } = await newWiki({ X: 'one' }, config)
  const ada = await createToken(wiki, { name: 'Ada', address: 'ada@example.org' })
  return { app: createApp(wiki, options), wiki, directory, ada }
}

const page = (title: string, token?: unknown) => ({ title, source: 'text', comment: 'why', token })

async function lastEdit(wiki: Wiki, title: string) {
  const { revisions } = await pageHistory(wiki, { title, base: 'http://localhost/v1' })
  return revisions[0]!
}

async function login(app: H3, { token }: NewToken, headers: Record<string, string> = {}) {
  const response = await app.request('/v1/session', sending('POST', { token }, headers))
  const body = await jsonOf(response)
  return { response, body, cookie: cookieOf(response), csrf: body.csrf_token as string }
}

async function outcome(asked: Response | Promise<Response>): Promise<[status: number, errorKey: unknown]> {
  const response = await asked
  return [response.status, (await jsonOf(response)).errorKey]
}

describe('the scopes of a token', () => {
  const scopes = [['read'], ['edit'], ['upload'], ['delete'], ['admin'], undefined] as const
  const picture = { method: 'PUT', headers: { 'content-type': 'text/plain' }, body: 'text' }
  /** Each write, its required scope, and its status with that scope. */
  const writes = [
    ['edit', 201, '/v1/page', sending('POST', page('New'))],
    ['edit', 200, '/v1/page/X', sending('PUT', { source: 'two', comment: '', latest: { id: 1 } })],
    ['edit', 200, '/v1/page/X/move', sending('POST', { to: 'Y', dryRun: true })],
    ['edit', 400, '/v1/page/X/undo', sending('POST', { revision: 1 })],
    ['upload', 200, '/v1/file/Note.txt', picture],
    ['delete', 200, '/v1/page/X', sending('DELETE', { latest: { id: 1 }, dryRun: true })],
    ['delete', 404, '/v1/page/Gone/restore', sending('POST', {})],
    ['delete', 404, '/v1/file/Gone.txt', sending('DELETE', {})],
  ] as const

  test.each(writes)('%s is required, otherwise 403: %i %s', async (needed, status, path, init) => {
    for (const names of scopes) {
      const { app, wiki } = await place()
      const { token } = await createToken(wiki, { name: 'Bob', scopes: names })
      const may = names === undefined || names[0] === needed || names[0] === 'admin'
      const response = await app.request(path, {
        ...init,
        headers: { ...init.headers, authorization: `Bearer ${token}` },
      })
      expect([names, response.status]).toEqual([names, may ? status : 403])
      if (may) continue
      expect(response.headers.get('www-authenticate')).toContain('insufficient_scope')
      expect(await jsonOf(response)).toMatchObject({ errorKey: 'apierror-permissiondenied' })
    }
  })

  test('apply in a session, which lists them', async () => {
    const { app, wiki } = await place()
    const reader = await createToken(wiki, { name: 'Bob', scopes: ['read'] })
    const { body, cookie, csrf } = await login(app, reader)
    expect(body).toMatchObject({ user: { name: 'Bob', scopes: ['read'] } })
    const refused = await app.request('/v1/page', sending('POST', page('New', csrf), { cookie }))
    expect(await outcome(refused)).toEqual([403, 'apierror-permissiondenied'])
  })

  test('of a token created before scopes existed include every write', async () => {
    const { app, wiki, ada } = await place()
    const path = join(wiki.store.repository.commonDirectory, 'wiki/.access/tokens.json')
    const text = await readFile(path, 'utf8')
    await writeFile(path, text.replace(/"scopes": \[[^\]]*\],\s*/, ''))
    expect((await app.request('/v1/page', sending('POST', page('New'), bearer(ada.token)))).status).toBe(201)
  })

  test.each([[[]], [['edit', 'edit']], [['write']]])('that are invalid are refused: %j', async names => {
    const { wiki } = await place()
    await expect(createToken(wiki, { name: 'Bob', scopes: names })).rejects.toMatchObject({ code: 'badvalue' })
  })
})

describe('a token in the header', () => {
  test('makes its user the author, without a CSRF token', async () => {
    const { app, wiki, ada } = await place()
    const created = await app.request('/v1/page', sending('POST', page('New'), bearer(ada.token)))
    expect(created.status).toBe(201)
    expect(await lastEdit(wiki, 'New')).toMatchObject({ user: { name: 'Ada' }, comment: 'why' })
    const { id } = (await jsonOf(created)).latest as { id: number }
    const update = { source: 'more', comment: null, latest: { id } }
    expect((await app.request('/v1/page/New', sending('PUT', update, bearer(ada.token)))).status).toBe(200)
    expect(await lastEdit(wiki, 'New')).toMatchObject({ user: { name: 'Ada' } })
  })

  test('is accepted with an additional CSRF token', async () => {
    const { app, ada } = await place()
    const response = await app.request('/v1/page', sending('POST', page('New', 'whatever'), bearer(ada.token)))
    expect(response.status).toBe(201)
  })

  test('of a bot creates bot edits', async () => {
    const { app, wiki } = await place()
    const { token } = await createToken(wiki, { name: 'Sweeper', bot: true })
    await app.request('/v1/page', sending('POST', page('New'), bearer(token)))
    const edits = await pageHistory(wiki, { title: 'New', filter: 'bot', base: 'http://localhost/v1' })
    expect(edits.revisions).toMatchObject([{ user: { name: 'Sweeper' } }])
  })

  test.each(['Bearer', 'Bearer ', 'bearer nope', 'Bearer a b', 'BEARER wiki_x', `Bearer ${'x'.repeat(5_000)}`])(
    'that is unknown or malformed is 401 on a write, and nothing on a read: %.20s',
    async authorization => {
      const { app, wiki } = await place({ allowAnonymous: true })
      const refused = await app.request('/v1/page', sending('POST', page('New'), { authorization }))
      expect(refused.headers.get('www-authenticate')).toBe('Bearer realm="wiki", error="invalid_token"')
      expect(await outcome(refused)).toEqual([401, 'wiki-unknown-token'])
      const read = await app.request('/v1/page/X', { headers: { authorization } })
      expect([read.status, read.headers.get('cache-control')]).toEqual([200, 'no-cache'])
      expect(wiki.store.findPage('New')).toBeUndefined()
    },
  )

  test.each(['Basic YTpi', 'Digest x', 'Bearers x'])(
    'is not looked for in %s, which a proxy may ask for',
    async other => {
      const { app } = await place({ allowAnonymous: true })
      const response = await app.request('/v1/page', sending('POST', page('New'), { authorization: other }))
      expect(response.status).toBe(201)
    },
  )

  test('is valid as soon as it is created, and invalid once it is revoked', async () => {
    const { app, wiki } = await place()
    const { token, id } = await createToken(wiki, { name: 'Late' })
    expect((await app.request('/v1/page', sending('POST', page('One'), bearer(token)))).status).toBe(201)
    await revokeToken(wiki, id)
    expect((await app.request('/v1/page', sending('POST', page('Two'), bearer(token)))).status).toBe(401)
  })

  test('makes reads private to its user, and changes nothing else about them', async () => {
    const { app, ada } = await place()
    const plain = await app.request('/v1/page/X')
    const known = await app.request('/v1/page/X', { headers: bearer(ada.token) })
    expect(known.headers.get('cache-control')).toBe('private, no-cache')
    expect([await known.text(), known.headers.get('etag')]).toEqual([await plain.text(), plain.headers.get('etag')])
    expect((await app.request('/v1/page/X')).headers.get('cache-control')).toBe('no-cache')
    const missing = await app.request('/v1/page/Missing', { headers: bearer(ada.token) })
    expect([missing.status, missing.headers.get('cache-control')]).toEqual([404, 'no-store'])
  })

  test('permits nothing on a read-only server', async () => {
    const { app, ada } = await place({ readOnly: true, allowAnonymous: true })
    const response = await app.request('/v1/page', sending('POST', page('New'), bearer(ada.token)))
    expect(await outcome(response)).toEqual([403, 'rest-write-denied'])
  })
})

describe('a session', () => {
  test('starts with a token, and its cookie is restricted to our own pages', async () => {
    const { app, ada } = await place()
    const { response, body, cookie } = await login(app, ada)
    expect(response.status).toBe(200)
    expect(body).toEqual({
      user: { name: 'Ada', bot: false, scopes: ['edit', 'upload', 'delete'] },
      csrf_token: expect.stringMatching(/^[0-9a-f]{40}$/),
    })
    expect(cookie).toMatch(/^wiki_session_[0-9a-f]{8}=[\w-]{43}$/)
    expect(cookieAttributes(response)).toEqual(['HttpOnly', 'Max-Age=7776000', 'Path=/', 'SameSite=Strict'])
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
    expect(JSON.stringify(body)).not.toContain(ada.token)
  })

  test.each<[options: AppOptions, headers: Record<string, string>, isSecure: boolean]>([
    [{ https: true }, {}, true],
    [{ trustProxy: ['127.0.0.1'] }, { 'x-forwarded-proto': 'https' }, true],
    [{ trustProxy: ['127.0.0.1'] }, { 'x-forwarded-proto': 'http' }, false],
    [{ trustProxy: ['10.0.0.1'] }, { 'x-forwarded-proto': 'https' }, false],
    [{}, { 'x-forwarded-proto': 'https' }, false],
  ])('has a cookie restricted to https with %j and %j: %s', async (options, headers, isSecure) => {
    const { app, ada } = await place(options)
    expect(cookieAttributes((await login(app, ada, headers)).response).includes('Secure')).toBe(isSecure)
  })

  test.each(['/v1', '/rest.php/v1', '/w/rest.php/v1'])('tells who it is and its CSRF token under %s', async mount => {
    const { app, ada } = await place()
    const { cookie, body } = await login(app, ada)
    const state = await app.request(`${mount}/session`, { headers: { cookie: `a=b; ${cookie}; c=d` } })
    expect([state.status, await jsonOf(state)]).toEqual([200, body])
    expect(state.headers.get('cache-control')).toBe('no-store')
  })

  test('writes with its CSRF token: a missing one is 400, a wrong one 403, and neither check reads the page first', async () => {
    const { app, wiki, ada } = await place()
    const { cookie, csrf } = await login(app, ada)
    const { csrf: other } = await login(app, ada)
    const write = (token?: unknown, title = 'X') =>
      outcome(app.request('/v1/page', sending('POST', page(title, token), { cookie })))
    for (const missing of [undefined, null, '']) {
      expect(await write(missing)).toEqual([400, 'rest-body-validation-error'])
    }
    for (const wrong of ['+\\', 'bad', other, `${csrf}+\\`, `${csrf} `, csrf.slice(1)]) {
      expect(await write(wrong)).toEqual([403, 'rest-badtoken'])
    }
    expect(await write(5)).toEqual([400, 'rest-body-validation-error'])
    expect(await write(csrf)).toEqual([409, 'apierror-articleexists'])
    expect(await write(csrf, 'New')).toEqual([201, undefined])
    expect(await lastEdit(wiki, 'New')).toMatchObject({ user: { name: 'Ada' } })
    const put = (token?: string) =>
      app.request('/v1/page/Put', sending('PUT', { ...page('', token), title: undefined }, { cookie }))
    expect([(await put()).status, (await put('bad')).status, (await put(csrf)).status]).toEqual([400, 403, 201])
  })

  test('validates the body before its CSRF token, as MediaWiki does', async () => {
    const { app, ada } = await place()
    const { cookie } = await login(app, ada)
    const write = (body: unknown, headers = {}) =>
      outcome(app.request('/v1/page', sending('POST', body, { cookie, ...headers })))
    expect(await write(page('New', 'bad'), { 'content-type': 'text/plain' })).toEqual([
      415,
      'rest-unsupported-content-type',
    ])
    expect(await write('{')).toEqual([400, 'rest-json-body-parse-error'])
    expect(await write({ token: 'bad' })).toEqual([400, 'rest-body-validation-error'])
    expect(await write({ ...page('New', 'bad'), foo: 1 })).toEqual([400, 'rest-extraneous-body-fields'])
    expect(await write({ ...page('New', 'bad'), content_model: 'nope' })).toEqual([403, 'rest-badtoken'])
    expect(await write(page('RT<bad>', 'bad'))).toEqual([403, 'rest-badtoken'])
  })

  test('is overridden by a token in the header', async () => {
    const { app, wiki, ada } = await place()
    const { token } = await createToken(wiki, { name: 'Bob' })
    const { cookie } = await login(app, ada)
    await app.request('/v1/page', sending('POST', page('New'), { cookie, ...bearer(token) }))
    expect(await lastEdit(wiki, 'New')).toMatchObject({ user: { name: 'Bob' } })
    const state = await app.request('/v1/session', { headers: bearer(token) })
    expect(await jsonOf(state)).toEqual({
      user: { name: 'Bob', bot: false, scopes: ['edit', 'upload', 'delete'] },
      csrf_token: null,
    })
  })

  test('ends on request, with its token, and after a day', async () => {
    const { app, wiki, ada } = await place()
    const status = async (cookie: string) => (await app.request('/v1/session', { headers: { cookie } })).status
    const first = await login(app, ada)
    const ended = await app.request('/v1/session', { method: 'DELETE', headers: { cookie: first.cookie } })
    expect([ended.status, await ended.text()]).toEqual([204, ''])
    expect(ended.headers.get('set-cookie')).toMatch(
      /^wiki_session_\w+=; Path=\/; Max-Age=0; HttpOnly; SameSite=Strict$/,
    )
    expect(await status(first.cookie)).toBe(401)
    const write = sending('POST', page('New', first.csrf), { cookie: first.cookie })
    expect((await app.request('/v1/page', write)).status).toBe(401)

    const second = await login(app, ada)
    expect(await status(second.cookie)).toBe(200)
    vi.useFakeTimers({ now: Date.now() + 14 * 24 * 60 * 60 * 1000, toFake: ['Date'] })
    try {
      expect(await status(second.cookie)).toBe(401)
    } finally {
      vi.useRealTimers()
    }

    const third = await login(app, ada)
    await revokeToken(wiki, ada.id)
    expect(await status(third.cookie)).toBe(401)
    expect((await app.request('/v1/session', { method: 'DELETE' })).status).toBe(204)
  })

  test('is replaced at each login, and the earlier one ends', async () => {
    const { app, ada } = await place()
    const first = await login(app, ada)
    const second = await login(app, ada, { cookie: first.cookie })
    expect(second.cookie).not.toBe(first.cookie)
    expect((await app.request('/v1/session', { headers: { cookie: first.cookie } })).status).toBe(401)
  })

  test.each(['', 'wiki_session=x', 'wiki_session_00000000=x', '=;;=', 'x'.repeat(8_000)])(
    'is not found in the cookie %.30j',
    async cookie => {
      const { app } = await place()
      expect((await app.request('/v1/session', { headers: { cookie } })).status).toBe(401)
      expect((await app.request('/v1/page/X', { headers: { cookie } })).status).toBe(200)
    },
  )

  test('is not accepted from two cookies of its name, one of which another server has set', async () => {
    const { app, ada } = await place()
    const { cookie } = await login(app, ada)
    const { cookie: other } = await login(app, ada)
    const status = async (cookie: string) => (await app.request('/v1/session', { headers: { cookie } })).status
    expect([await status(`${other}; ${cookie}`), await status(cookie)]).toEqual([401, 200])
  })

  test('cannot be started in any other way', async () => {
    const { app, ada } = await place()
    const begin = (body: unknown, headers = {}) => outcome(app.request('/v1/session', sending('POST', body, headers)))
    expect(await begin({ token: 'wiki_nope' })).toEqual([401, 'wiki-unknown-token'])
    expect(await begin({})).toEqual([400, 'rest-body-validation-error'])
    expect(await begin({ token: ada.token, x: 1 })).toEqual([400, 'rest-extraneous-body-fields'])
    expect(await begin({ token: ada.token }, { 'content-type': 'text/plain' })).toEqual([
      415,
      'rest-unsupported-content-type',
    ])
    const elsewhere = await app.request(
      '/v1/session',
      sending('POST', { token: ada.token }, { origin: 'https://x.example' }),
    )
    expect([elsewhere.status, elsewhere.headers.get('set-cookie')]).toEqual([403, null])
  })

  test('makes reads private, whether or not the response was cached', async () => {
    const { app, ada } = await place()
    const { cookie } = await login(app, ada)
    const cached = async (headers = {}) =>
      (await app.request('/v1/page/X/bare', { headers })).headers.get('cache-control')
    expect(await cached()).toBe('no-cache')
    expect(await cached({ cookie })).toBe('private, no-cache')
    expect(await cached()).toBe('no-cache')
  })
})

describe('an anonymous client', () => {
  test('gets an error that says how to sign in', async () => {
    const { app } = await place()
    const response = await app.request('/v1/page', sending('POST', page('New')))
    const { messageTranslations } = await jsonOf(response)
    expect(messageTranslations).toMatchObject({ en: expect.stringMatching(/Authorization: Bearer.*wiki token create/) })
  })

  test.each<[name: string, options: AppOptions, config: Record<string, unknown>, status: number]>([
    ['nothing says so', {}, {}, 401],
    ['wiki.json says so', {}, { anonymousEdits: true }, 201],
    ['wiki.json says no', {}, { anonymousEdits: false }, 401],
    ['the server says so', { allowAnonymous: true }, {}, 201],
    ['the server only reads', { readOnly: true }, { anonymousEdits: true }, 403],
  ])('edits under the IP address, or not, if %s', async (_, options, config, status) => {
    const { app, wiki } = await place(options, config)
    expect((await app.request('/v1/page', sending('POST', page('New')))).status).toBe(status)
    if (status === 201) expect(await lastEdit(wiki, 'New')).toMatchObject({ user: { id: null, name: '127.0.0.1' } })
  })

  test('may edit as soon as wiki.json permits it', async () => {
    const { app, wiki } = await place()
    const write = async (title: string) => (await app.request('/v1/page', sending('POST', page(title)))).status
    expect(await write('One')).toBe(401)
    await commitFiles(wiki, { 'wiki.json': '{"anonymousEdits": true}' })
    expect(await write('Two')).toBe(201)
  })

  test("sends MediaWiki's anonymous token, or none, but no other", async () => {
    const { app, ada } = await place({ allowAnonymous: true })
    const { csrf } = await login(app, ada)
    const write = async (title: string, token?: string) =>
      outcome(app.request('/v1/page', sending('POST', page(title, token))))
    expect(await write('One')).toEqual([201, undefined])
    expect(await write('Two', '+\\')).toEqual([201, undefined])
    for (const token of ['bad', csrf]) expect(await write('Three', token)).toEqual([403, 'rest-badtoken'])
  })
})

describe('a damaged file of tokens', () => {
  test('permits nobody by token or cookie, and reads still work', async () => {
    const { app, directory, ada } = await place({ allowAnonymous: true })
    const { cookie, csrf } = await login(app, ada)
    await writeFile(join(directory, '.git/wiki/.access/tokens.json'), '{')
    const by = async (headers: Record<string, string>) =>
      outcome(app.request('/v1/page', sending('POST', page('New', csrf), headers)))
    expect(await by(bearer(ada.token))).toEqual([500, 'wiki-bad-token-file'])
    expect(await by({ cookie })).toEqual([500, 'wiki-bad-token-file'])
    expect((await app.request('/v1/session', { headers: { cookie } })).status).toBe(500)
    const read = await app.request('/v1/page/X', { headers: { cookie, ...bearer(ada.token) } })
    expect([read.status, read.headers.get('cache-control')]).toEqual([200, 'no-cache'])
    const text = await (await app.request('/v1/page', sending('POST', page('New'), bearer('x')))).text()
    expect(text).not.toContain(directory)
  })
})

describe('failed logins', () => {
  test('get 429 if there are too many, and a valid token is accepted anyway', async () => {
    const { app, ada } = await place()
    const write = (token: string, title: string) => app.request('/v1/page', sending('POST', page(title), bearer(token)))
    for (let failure = 0; failure < 10; failure++) expect((await write('nope', 'New')).status).toBe(401)
    const refused = await write('nope', 'New')
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
    expect((await app.request('/v1/session', sending('POST', { token: 'nope' }))).status).toBe(429)
    expect((await write(ada.token, 'New')).status).toBe(201)
    vi.useFakeTimers({ now: Date.now() + 60_000, toFake: ['Date'] })
    try {
      expect((await write('nope', 'New')).status).toBe(401)
    } finally {
      vi.useRealTimers()
    }
  })

  test('count for their own address alone, and for a whole IPv6 network', async () => {
    const { app } = await place({ trustProxy: ['127.0.0.1'] })
    const from = async (peer: string) =>
      (await app.request('/v1/page', sending('POST', {}, { ...bearer('nope'), 'x-forwarded-for': peer }))).status
    for (let failure = 0; failure < 10; failure++) {
      expect([await from('192.0.2.1'), await from(`2001:db8::${failure}`)]).toEqual([401, 401])
    }
    expect([await from('192.0.2.1'), await from('192.0.2.2')]).toEqual([429, 401])
    expect([await from('2001:db8:0:0:ffff::1'), await from('2001:db8:0:1::1')]).toEqual([429, 401])
  })
})

describe('the log', () => {
  test('contains no secret, wherever a client puts it', async () => {
    const entries: LogEntry[] = []
    const { app, ada } = await place({ log: entry => entries.push(entry) })
    const { cookie, csrf } = await login(app, ada)
    await app.request('/v1/page', sending('POST', page('New', csrf), { cookie }))
    await app.request('/v1/page', sending('POST', page('New'), { ...bearer(ada.token), 'user-agent': ada.token }))
    await app.request(`/v1/page/X?access_token=${ada.token}`, { headers: bearer(ada.token) })
    await app.request(`/v1/page/${ada.token}`)
    const text = JSON.stringify(entries)
    expect(entries).toHaveLength(5)
    expect(text).toContain('access_token=wiki_***')
    for (const secret of [ada.token.slice(5), cookie.split('=')[1]!, csrf]) expect(text).not.toContain(secret)
  })
})
