/** Responses are sent in the encodings that clients accept. */

import { randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import * as zlib from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { codingFor, inCoding } from '../../src/http/compress.ts'
import { noValidators } from '../../src/http/conditional.ts'
import { ResponseCache } from '../../src/http/response-cache.ts'
import { addFile } from '../../src/operations/add-file.ts'
import type { Wiki } from '../../src/operations/wiki.ts'
import { createApp } from '../../src/rest/app.ts'
import { png } from '../media/_files.ts'
import { ada, create, newWiki } from '../operations/_wiki.ts'
import { oneState } from './_state.ts'

let wiki: Wiki

beforeAll(async () => {
  wiki = (await newWiki()).wiki
  await create(wiki, 'Long', 'Many words in a row. '.repeat(500))
  await create(wiki, 'Short', 'Few')
  await addFile(wiki, { name: 'Photo.png', content: png(300, 300), author: ada, comment: null })
})

const decoders: Readonly<Record<string, (bytes: Uint8Array) => Promise<Buffer>>> = {
  br: promisify(zlib.brotliDecompress),
  gzip: promisify(zlib.gunzip),
}

async function ask(path: string, encodings: string, init: RequestInit = {}) {
  const response = await createApp(wiki).request(path, {
    ...init,
    headers: { 'accept-encoding': encodings, ...init.headers },
  })
  return { response, bytes: Buffer.from(await response.arrayBuffer()) }
}

test.each(['/v1/page/Long', '/v1/page/Long/html', '/v1/page/Long/with_html', '/v1/page/Long/history'])(
  '%s is the same in every encoding, with the same tag',
  async path => {
    const plain = await ask(path, 'identity')
    expect(plain.response.headers.get('content-encoding')).toBeNull()
    for (const [name, decode] of Object.entries(decoders)) {
      const { response, bytes } = await ask(path, `${name};q=0.5, x`)
      if (plain.bytes.length < 1400) continue
      expect(response.headers.get('content-encoding')).toBe(name)
      expect(response.headers.get('vary')).toContain('Accept-Encoding')
      expect(response.headers.get('content-length')).toBe(String(bytes.length))
      expect(bytes.length).toBeLessThan(plain.bytes.length / 2)
      const [pageOnly, same] = [await decode(bytes), plain.bytes].map(text =>
        text.toString().replace(/[0-9a-f-]{36}/g, ''),
      )
      expect(pageOnly).toBe(same)
    }
  },
)

test('a transform is compressed', async () => {
  const { response } = await ask('/v1/transform/wikitext/to/html', 'br', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ wikitext: 'Many words in a row. '.repeat(500) }),
  })
  expect(response.headers.get('content-encoding')).toBe('br')
})

test.each([
  ['an answer of one packet', '/v1/page/Short', 'br'],
  ['a picture', '/files/Photo.png', 'br'],
  ['an encoding that the client refuses', '/v1/page/Long', 'br;q=0, gzip;q=0.0'],
])('%s is sent uncompressed', { tags: 'long' }, async (_, path, encodings) => {
  expect((await ask(path, encodings)).response.headers.get('content-encoding')).toBeNull()
})

test('compressed forms count towards the memory of cached responses', async () => {
  const cache = new ResponseCache(1_000_000)
  cache.get(oneState, '')
  const names = Array.from({ length: 60 }, (_, at) => `/${at}`)
  const bytesOf = new Map<string, number>()
  for (const name of names) {
    const body = Uint8Array.from(randomBytes(10_000).toString('hex'), char => char.charCodeAt(0))
    const response = { status: 200, headers: { 'content-type': 'text/plain' }, body }
    cache.set('state', name, { response, validators: noValidators, until: Number.POSITIVE_INFINITY })
    let bytes = body.length
    for (const encoding of ['br', 'gzip']) {
      const headers = new Headers({ 'accept-encoding': encoding })
      const sent = await inCoding(response, codingFor(response, headers), grown => cache.recount(grown))
      bytes += (sent.body as Uint8Array).length
    }
    bytesOf.set(name, bytes)
  }
  const cached = names.filter(name => cache.get(oneState, name) !== undefined)
  const sum = cached.reduce((bytes, name) => bytes + bytesOf.get(name)!, 0)
  expect([sum < 1_000_000, cached.length > 10]).toEqual([true, true])
})
