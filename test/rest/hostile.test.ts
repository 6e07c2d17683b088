import { connect } from 'node:net'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { LogEntry } from '../../src/rest/log.ts'
import { serve } from '../../src/rest/serve.ts'
import { rounds } from '../_rounds.ts'
import { fakeApp, fakeWiki } from './fake-wiki.ts'

const faults: LogEntry[] = []
const log = (entry: LogEntry): void => {
  if (entry.event === 'error') faults.push(entry)
}
const app = fakeApp({ allowAnonymous: true, log })

const words = ['v1', 'rest.php', 'w', 'page', 'revision', 'search', 'title', 'history', 'counts', 'compare', 'bare']
const oddities = [
  '',
  '.',
  '..',
  '%',
  '%2',
  '%zz',
  '%00',
  '%FF',
  '%2F',
  '%252F',
  '%ED%A0%80',
  '__proto__',
  '{title}',
  '\\',
  '+',
]
const segment = fc.oneof(
  fc.constantFrom(...words, ...oddities, 'Main_Page', '6209', '-1', '9'.repeat(400)),
  fc.string({ unit: 'binary', maxLength: 20 }).map(text => encodeURIComponent(text.replace(/\p{Surrogate}/gu, '?'))),
  fc.string({ maxLength: 10 }),
)
const name = fc.constantFrom(
  'q',
  'limit',
  'older_than',
  'newer_than',
  'filter',
  'from',
  'to',
  'q[]',
  'q[',
  '__proto__',
  '',
)
const query = fc
  .array(fc.tuple(name, segment), { maxLength: 4 })
  .map(pairs => pairs.map(pair => pair.join('=')).join('&'))
const path = fc
  .tuple(fc.constantFrom('/v1/', '/rest.php/v1/', '/'), fc.array(segment, { maxLength: 6 }), query)
  .map(([mount, segments, query]) => `${mount}${segments.join('/')}${query === '' ? '' : `?${query}`}`)
const headerName = fc.constantFrom(
  ...['host', 'origin', 'if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since', 'accept'],
  ...['content-type', 'content-length', 'user-agent', 'x-forwarded-host', 'range', 'cookie', 'authorization'],
)
const headerValue = fc.oneof(
  fc.constantFrom(
    '*',
    '"',
    'W/"x"',
    ',',
    'application/json',
    'localhost',
    'localhost:99999',
    'null',
    'Sun, 99 Nov 9999',
  ),
  fc.string({ maxLength: 30 }),
)
const headers = fc.dictionary(headerName, headerValue, { maxKeys: 5 })
const method = fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'OPTIONS', 'DELETE', 'PATCH', 'PROPFIND', 'x')

/** Statuses for which the API has its own response. */
const known = [200, 201, 204, 301, 304, 307, 308, 400, 401, 403, 404, 405, 406, 409, 411, 412, 413, 415, 501]

describe('any request', { tags: 'rounds' }, () => {
  test('gets a response that is not an internal error', { tags: 'long' }, async () => {
    const asked = fc.asyncProperty(method, path, headers, fc.json(), async (method, path, headers, body) => {
      const hasBody = method !== 'GET' && method !== 'HEAD'
      const request = new Request(`http://localhost${path}`, { method, headers, body: hasBody ? body : null })
      const response = await app.request(request)
      expect(known).toContain(response.status)
      if (response.headers.get('content-type') === 'application/json' && method !== 'HEAD') await response.json()
    })
    await fc.assert(asked, { numRuns: rounds(300, 700, 2_000) })
    expect(faults).toEqual([])
  })

  test('may write with any body that JSON can express', { tags: 'long' }, async () => {
    const field = fc.constantFrom('source', 'title', 'comment', 'content_model', 'latest', 'token', '__proto__', 'x')
    const bodies = fc.dictionary(field, fc.oneof(fc.string(), fc.jsonValue()), { noNullPrototype: false })
    const asked = fc.asyncProperty(bodies, fc.constantFrom('POST', 'PUT'), async (body, method) => {
      const headers = { 'content-type': 'application/json' }
      const path = method === 'PUT' ? '/v1/page/X' : '/v1/page'
      const response = await app.request(path, { method, headers, body: JSON.stringify(body) })
      expect([201, 400, 403, 409]).toContain(response.status)
    })
    await fc.assert(asked, { numRuns: rounds(300, 700, 2_000) })
    expect(faults).toEqual([])
  })

  test('over a socket is disconnected or gets a response, and the server continues', async () => {
    const { url, close } = await serve(fakeWiki, { port: 0, allowAnonymous: true, log })
    const port = Number(new URL(url).port)
    const line = fc
      .tuple(method, path, fc.constantFrom('HTTP/1.1', 'HTTP/1.0', 'HTTP/9'))
      .map(parts => Buffer.from(`${parts.join(' ')}\r\n`))
    const lines = headers.map(pairs => Object.entries(pairs).map(pair => `${pair.join(': ')}\r\n`))
    const parts = fc.tuple(line, lines, fc.constantFrom('Host: localhost\r\n', ''), fc.uint8Array({ maxLength: 40 }))
    const asked = fc.asyncProperty(parts, async ([line, lines, host, body]) => {
      const answer = await talk(port, Buffer.concat([line, Buffer.from(`${host}${lines.join('')}\r\n`), body]))
      expect(answer === '' ? '400' : answer.slice(9, 12)).toMatch(/^(?!500)\d{3}$/)
    })
    await fc.assert(asked, { numRuns: rounds(100, 200, 500) })
    expect((await fetch(`${url}/page/Main_Page`)).status).toBe(200)
    await close()
    expect(faults).toEqual([])
  })
})

/** Sends bytes, ends the stream, and reads until the server closes the connection. */
function talk(port: number, bytes: Buffer): Promise<string> {
  return new Promise(resolve => {
    const socket = connect(port, '127.0.0.1')
    let answer = ''
    socket.on('data', chunk => {
      answer += chunk.toString('latin1')
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(answer))
    socket.end(bytes)
  })
}
