import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, describe, expect, test } from 'vitest'
import { pageHistory } from '../../src/operations/page-history.ts'
import { createToken } from '../../src/operations/tokens.ts'
import { createApp } from '../../src/rest/app.ts'
import { serve } from '../../src/rest/serve.ts'
import { newWiki } from '../operations/_wiki.ts'
import { bearer, cookieOf, sending } from './_asking.ts'
import { jsonOf } from './json-response.ts'

const { wiki } = await newWiki({ X: 'one' })
const { token } = await createToken(wiki, { name: 'Ada', address: 'ada@example.org' })
const app = createApp(wiki)
const mebibyte = 1024 * 1024

async function create(body: Record<string, unknown>, on = app): Promise<[status: number, errorKey: unknown]> {
  const response = await on.request('/v1/page', sending('POST', { comment: null, ...body }, bearer(token)))
  return [response.status, (await jsonOf(response)).errorKey]
}

describe('a write', () => {
  test.each([
    ['a'.repeat(255), 201, undefined],
    ['b'.repeat(256), 400, 'apierror-invalidtitle'],
    ['ü'.repeat(128), 400, 'apierror-invalidtitle'],
    ['c'.repeat(100_000), 400, 'apierror-invalidtitle'],
  ])('has a title of 255 bytes at most: %.5s...', async (title, status, errorKey) => {
    expect(await create({ title, source: 'x' })).toEqual([status, errorKey])
  })

  test('has a text of 2 MiB at most, in bytes, and a body of six times as many', { tags: 'long' }, async () => {
    expect(await create({ title: 'Large', source: 'x'.repeat(2 * mebibyte) })).toEqual([201, undefined])
    expect(await create({ title: 'Larger', source: 'x'.repeat(2 * mebibyte + 1) })).toEqual([
      400,
      'apierror-contenttoobig',
    ])
    expect(await create({ title: 'Larger', source: 'ü'.repeat(mebibyte + 1) })).toEqual([400, 'apierror-contenttoobig'])
    expect(await create({ title: 'Larger', source: 'x'.repeat(13 * mebibyte) })).toEqual([413, 'rest-body-too-large'])
  })

  test('has a body up to the configured limit', async () => {
    const small = createApp(wiki, { maxBodyBytes: 100 })
    expect(await create({ title: 'Small', source: 'x' }, small)).toEqual([201, undefined])
    expect(await create({ title: 'Small 2', source: 'x'.repeat(100) }, small)).toEqual([413, 'rest-body-too-large'])
    const login = await small.request('/v1/session', sending('POST', { token: 'x'.repeat(100) }))
    expect(login.status).toBe(413)
  })

  test('has a comment of at most 500 code points; the rest is cut off', async () => {
    for (const [title, letter] of [
      ['Comment 1', 'ü'],
      ['Comment 2', '😀'],
    ] as const) {
      expect(await create({ title, source: 'x', comment: letter.repeat(501) })).toEqual([201, undefined])
      const { revisions } = await pageHistory(wiki, { title, base: 'http://localhost/v1' })
      expect(revisions[0]?.comment).toBe(letter.repeat(500))
    }
  })
})

describe('over a socket', async () => {
  const server = await serve(wiki, { port: 0 })
  const { port } = new URL(server.url)
  afterAll(() => server.close())

  /** Writes a raw request; returns the status, and whether the server closed the connection. */
  async function statusOf(head: string, body = ''): Promise<number> {
    const socket = connect(Number(port), '127.0.0.1')
    socket.on('error', () => {})
    socket.write(`${head}\r\nHost: localhost\r\n\r\n${body}`)
    const [chunk] = (await once(socket, 'data')) as [Buffer]
    socket.destroy()
    return Number(chunk.toString('latin1').slice(9, 12))
  }

  test('a URL or headers above 16 KiB get 431, and just below they are read', async () => {
    expect(await statusOf(`GET /v1/page/${'a'.repeat(20_000)} HTTP/1.1`)).toBe(431)
    expect(await statusOf(`GET /v1/page/X HTTP/1.1\r\nX-Long: ${'a'.repeat(20_000)}`)).toBe(431)
    expect(await statusOf(`GET /v1/page/${'a'.repeat(15_000)} HTTP/1.1`)).toBe(404)
    expect(await statusOf(`GET /v1/page/X HTTP/1.1\r\nCookie: ${'a=b; '.repeat(3_000)}`)).toBe(200)
  })

  test('a body is refused by its declared length, before it is sent', async () => {
    const head = `POST /v1/page HTTP/1.1\r\nContent-Type: application/json\r\nAuthorization: Bearer ${token}`
    expect(await statusOf(`${head}\r\nContent-Length: ${14 * mebibyte}`)).toBe(413)
  })

  test('a client that may not write is refused before any body is read', async () => {
    const head = 'POST /v1/page HTTP/1.1\r\nContent-Type: application/json'
    expect(await statusOf(`${head}\r\nContent-Length: ${14 * mebibyte}`)).toBe(401)
    expect(await statusOf(`${head}\r\nContent-Length: 10\r\nOrigin: https://x.example`)).toBe(403)
  })

  test('a session signs in, writes and signs out', async () => {
    const ask = (path: string, init?: RequestInit) => fetch(`${server.url}${path}`, init)
    const started = await ask('/session', sending('POST', { token }))
    const cookie = cookieOf(started)
    const { csrf_token } = await jsonOf(await ask('/session', { headers: { cookie } }))
    const body = { title: 'By cookie', source: 'x', comment: null }
    const write = (more: object) => ask('/page', sending('POST', { ...body, ...more }, { cookie }))
    expect((await write({})).status).toBe(400)
    expect((await write({ token: '+\\' })).status).toBe(403)
    expect((await write({ token: csrf_token })).status).toBe(201)
    expect((await ask('/session', { method: 'DELETE', headers: { cookie } })).status).toBe(204)
    expect((await write({ token: csrf_token })).status).toBe(401)
  })
})
