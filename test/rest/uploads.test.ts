/** Uploads of media files over a socket: streamed to disk, within limits that the wiki sets. */

import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { writeConfig } from '../../src/operations/configure.ts'
import { createToken } from '../../src/operations/tokens.ts'
import type { Wiki } from '../../src/operations/wiki.ts'
import { type RunningServer, serve } from '../../src/rest/serve.ts'
import { ada, newWiki } from '../operations/_wiki.ts'
import { jsonOf } from './json-response.ts'

const mebibyte = 1024 * 1024
let wiki: Wiki
let server: RunningServer
let token: string

beforeAll(async () => {
  wiki = (await newWiki({ A: 'x' })).wiki
  token = (await createToken(wiki, ada)).token
  server = await serve(wiki, { port: 0, allowAnonymous: true })
  return () => server.close()
})

const bytesOf = (size: number): Uint8Array<ArrayBuffer> => new Uint8Array(size).map((_, at) => (at * 7919) >> 3)

function put(
  name: string,
  body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array<ArrayBuffer>>,
  headers: Record<string, string> = {},
): Promise<Response> {
  const authorization = `Bearer ${token}`
  return fetch(`${server.url}/file/${name}`, {
    method: 'PUT',
    body,
    headers: { authorization, ...headers },
    ...(body instanceof ReadableStream && { duplex: 'half' as const }),
  })
}

async function digestAt(name: string): Promise<string> {
  const file = await fetch(`${new URL(server.url).origin}/files/${name}`)
  return createHash('sha1')
    .update(Buffer.from(await file.arrayBuffer()))
    .digest('hex')
}

/** Opens an upload and sends a part of it. */
function begun(name: string, size: number, part: Uint8Array): Socket {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  const head = `PUT /v1/file/${name} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n`
  socket.write(`${head}Content-Length: ${size}\r\n\r\n`)
  socket.write(part)
  return socket
}

describe('an upload', () => {
  test('returns the new tag of the file, and keeps each byte', { tags: 'long' }, async () => {
    const bytes = bytesOf(3 * mebibyte + 7)
    const answer = await put('Large.txt', bytes)
    expect([answer.status, (await jsonOf(answer)).title]).toEqual([200, 'Large.txt'])
    const read = await fetch(`${server.url}/file/Large.txt`)
    expect(answer.headers.get('etag')).toMatch(/^"[0-9a-z]{25,31}-[0-9a-f]{16}"$/)
    expect(answer.headers.get('etag')).toBe(read.headers.get('etag'))
    expect(await digestAt('Large.txt')).toBe(createHash('sha1').update(bytes).digest('hex'))
    const again = await put('Large.txt', 'newer', { 'if-match': `${answer.headers.get('etag')}` })
    expect(again.status).toBe(200)
    expect((await put('Large.txt', 'newest', { 'if-match': `${answer.headers.get('etag')}` })).status).toBe(412)
  })

  test('of a part of a file is refused, because the rest would be lost', async () => {
    await put('Whole.txt', 'all of it')
    const answer = await put('Whole.txt', 'all', { 'content-range': 'bytes 0-2/9' })
    expect([answer.status, (await jsonOf(answer)).errorKey]).toEqual([400, 'badvalue'])
    expect(await (await fetch(`${new URL(server.url).origin}/files/Whole.txt`)).text()).toBe('all of it')
  })

  test('whose sender disconnects changes nothing, and leaves nothing on disk', async () => {
    const socket = begun('Gone.txt', 2 * mebibyte, bytesOf(mebibyte))
    await expect.poll(() => socket.bytesWritten).toBeGreaterThan(mebibyte)
    socket.destroy()
    await put('After.txt', 'after')
    expect((await fetch(`${server.url}/file/Gone.txt`)).status).toBe(404)
    const folder = join(wiki.store.cacheDirectory, 'uploads')
    await expect.poll(() => readdirSync(folder)).toEqual([])
  })

  test('beside others waits on disk, and each file gets its own bytes', async () => {
    const names = ['One.txt', 'Two.txt', 'Three.txt']
    const parts = names.map((_, at) => bytesOf(mebibyte + at))
    const halves = names.map((name, at) => begun(name, parts[at]!.length + 1, parts[at]!))
    const answers = halves.map(async socket => String(await once(socket, 'data')).slice(9, 12))
    for (const socket of halves) socket.write('x')
    expect(await Promise.all(answers)).toEqual(['200', '200', '200'])
    for (const [at, name] of names.entries())
      expect(await digestAt(name)).toBe(createHash('sha1').update(parts[at]!).update('x').digest('hex'))
  })
})

test('the limits of files, texts and HTML are settings', async () => {
  const limits = { source: 2048, html: 4096, file: 8192 }
  await writeConfig(wiki, { path: 'limits', value: JSON.stringify(limits), author: ada, comment: null })
  onTestFinished(
    async () => void (await writeConfig(wiki, { path: 'limits', value: '{}', author: ada, comment: null })),
  )
  expect((await put('Fits.txt', bytesOf(8192))).status).toBe(200)
  expect((await put('Long.txt', bytesOf(8193))).status).toBe(413)
  expect((await put('Long.txt', ReadableStream.from([bytesOf(8000), bytesOf(200)]), {})).status).toBe(413)
  const send = (path: string, body: object) =>
    fetch(`${server.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    }).then(async answer => [answer.status, answer.ok ? null : (await jsonOf(answer)).errorKey])
  expect(await send('/page', { title: 'Fits', comment: '', source: 'x'.repeat(2048) })).toEqual([201, null])
  expect(await send('/page', { title: 'Long', comment: '', source: 'x'.repeat(2049) })).toEqual([
    400,
    'apierror-contenttoobig',
  ])
  const transform = '/transform/html/to/wikitext'
  expect((await send(transform, { html: `<p>${'x'.repeat(4089)}</p>` }))[0]).toBe(200)
  expect(await send(transform, { html: `<p>${'x'.repeat(4090)}</p>` })).toEqual([413, 'rest-resource-limit-exceeded'])
})

test('an invalid file name is refused before the bytes arrive', async () => {
  const socket = begun('Program.exe', 50 * mebibyte, bytesOf(1000))
  const [answer] = (await once(socket, 'data')) as [Buffer]
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 400 [\s\S]*wiki-bad-file/)
})
