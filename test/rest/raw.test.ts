import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, describe, expect, test } from 'vitest'
import type { LogEntry } from '../../src/rest/log.ts'
import { serve } from '../../src/rest/serve.ts'
import { commitFiles, newWiki } from '../operations/_wiki.ts'

const { wiki } = await newWiki({ X: 'one', 'Ä "b"; c': 'two' })
const odd = ['File/A "b"; c=d.txt', 'File/Ä\u2028ö.txt', "File/it's%27.txt", 'File/50%25.txt']
await commitFiles(wiki, Object.fromEntries(odd.map(path => [path, `text of ${path}`])))

const entries: LogEntry[] = []
const server = await serve(wiki, { port: 0, allowAnonymous: true, log: entry => entries.push(entry) })
const port = Number(new URL(server.url).port)
afterAll(() => server.close())

interface Heard {
  readonly text: string
  /** Statuses of all responses, in order. */
  readonly statuses: readonly number[]
}

/** Writes raw bytes and reads until the server closes the connection; the client ends its side when it has heard `enough`. */
async function talk(text: string, enough?: RegExp): Promise<Heard> {
  const socket = connect(port, '127.0.0.1')
  const chunks: Buffer[] = []
  socket.on('error', () => {})
  socket.on('data', chunk => {
    chunks.push(chunk)
    if (enough?.test(Buffer.concat(chunks).toString('latin1'))) socket.end()
  })
  await once(socket, 'connect')
  socket.write(Buffer.from(text, 'latin1'))
  await new Promise(resolve => socket.once('close', resolve))
  const heard = Buffer.concat(chunks).toString('latin1')
  const statuses = [...heard.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
  return { text: heard, statuses }
}

const smuggled = 'GET /v1/page/Smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n'
const post = 'POST /v1/transform/wikitext/to/html HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n'
const get = 'GET /v1/page/X HTTP/1.1\r\nHost: localhost\r\n'
/** The last request of a connection: the server closes it behind the response. */
const last = `${get}Connection: close\r\n\r\n`
const chunk = '10\r\n{"wikitext":"a"}\r\n'

/** Returns true if the smuggled request was executed since the last call. */
function wasSmuggled(): boolean {
  const wasThere = entries.some(entry => entry.event === 'request' && entry.target.includes('Smuggled'))
  entries.splice(0, entries.length, ...entries.filter(entry => entry.event === 'error'))
  return wasThere
}

describe('an ambiguous request is refused and its connection closed, and what follows is not a request', () => {
  test.each<[what: string, head: string]>([
    ['length and chunks', `${post}Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['chunks and length', `${post}Transfer-Encoding: chunked\r\nContent-Length: 6\r\n\r\n0\r\n\r\n`],
    ['two lengths', `${post}Content-Length: 4\r\nContent-Length: 90\r\n\r\nabcd`],
    ['two equal lengths', `${post}Content-Length: 4\r\nContent-Length: 4\r\n\r\nabcd`],
    ['a list of lengths', `${post}Content-Length: 4, 90\r\n\r\nabcd`],
    ['a signed length', `${post}Content-Length: +4\r\n\r\nabcd`],
    ['a negative length', `${post}Content-Length: -1\r\n\r\nabcd`],
    ['a hexadecimal length', `${post}Content-Length: 0x4\r\n\r\nabcd`],
    ['an empty length', `${post}Content-Length: \r\n\r\nabcd`],
    ['a length beyond 64 bits', `${post}Content-Length: 18446744073709551620\r\n\r\nabcd`],
    ['a length with a blank inside', `${post}Content-Length: 4 0\r\n\r\nabcd`],
    ['a length whose name ends in a blank', `${post}Content-Length : 4\r\n\r\nabcd`],
    ['a length behind a NUL', `${post}\0Content-Length: 4\r\n\r\nabcd`],
    ['an unknown coding', `${post}Transfer-Encoding: xchunked\r\n\r\n${chunk}0\r\n\r\n`],
    ['a coding behind chunks', `${post}Transfer-Encoding: chunked, identity\r\n\r\n${chunk}0\r\n\r\n`],
    ['identity', `${post}Transfer-Encoding: identity\r\n\r\nabcd`],
    ['chunks whose name has a tab', `${post}Transfer-Encoding\t: chunked\r\n\r\n${chunk}0\r\n\r\n`],
    ['chunks twice', `${post}Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n${chunk}0\r\n\r\n`],
    ['chunks behind a vertical tab', `${post}Transfer-Encoding: \x0bchunked\r\n\r\n${chunk}0\r\n\r\n`],
    ['a folded header', `${post}X-A: b\r\n Content-Length: 4\r\n\r\nabcd`],
    ['a folded coding', `${post}Transfer-Encoding:\r\n chunked\r\n\r\n${chunk}0\r\n\r\n`],
    ['a bare line feed between headers', `${post.replace(/\r\n$/, '\n')}Content-Length: 4\r\n\r\nabcd`],
    ['a bare line feed at the end', `${post}Content-Length: 4\r\n\nabcd`],
    ['a bare carriage return', `${post}X-A: b\rContent-Length: 4\r\n\r\nabcd`],
    ['a chunk of odd size', `${post}Transfer-Encoding: chunked\r\n\r\n0x10\r\n{"wikitext":"a"}\r\n0\r\n\r\n`],
    ['a signed chunk', `${post}Transfer-Encoding: chunked\r\n\r\n+10\r\n{"wikitext":"a"}\r\n0\r\n\r\n`],
    [
      'a chunk beyond 64 bits',
      `${post}Transfer-Encoding: chunked\r\n\r\n10000000000000010\r\n{"wikitext":"a"}\r\n0\r\n\r\n`,
    ],
    [
      'a chunk that is longer than it says',
      `${post}Transfer-Encoding: chunked\r\n\r\n1\r\n{"wikitext":"a"}\r\n0\r\n\r\n`,
    ],
    ['a chunk that ends in a line feed', `${post}Transfer-Encoding: chunked\r\n\r\n10\n{"wikitext":"a"}\n0\n\n`],
    ['an extension of a line feed', `${post}Transfer-Encoding: chunked\r\n\r\n10;a\n{"wikitext":"a"}\r\n0\r\n\r\n`],
    [
      'huge extensions',
      `${post}Transfer-Encoding: chunked\r\n\r\n10;${'a'.repeat(40_000)}\r\n{"wikitext":"a"}\r\n0\r\n\r\n`,
    ],
    ['a header without colon', `${get}Nonsense\r\n\r\n`],
    ['a header without name', `${get}: a\r\n\r\n`],
    ['a NUL in a header', `${get}X: a\0b\r\n\r\n`],
    ['a NUL in the address', 'GET /v1/page/X\0 HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['a blank in the address', 'GET /v1/page/X Y HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['another protocol', 'GET /v1/page/X HTTP/2.0\r\nHost: localhost\r\n\r\n'],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['no protocol', 'GET /v1/page/X\r\n\r\n'],
    ['headers of 40 KB', `${get}X: ${'a'.repeat(40_000)}\r\n\r\n`],
    ['a thousand headers of 40 bytes', `${get}${'X-Abcdefghijklmnop: abcdefghijklmnopqrst\r\n'.repeat(1_000)}\r\n`],
    ['trailers of 40 KB', `${post}Transfer-Encoding: chunked\r\n\r\n${chunk}0\r\nX: ${'a'.repeat(40_000)}\r\n\r\n`],
  ])('%s', async (_, head) => {
    const { statuses, text } = await talk(`${head}${smuggled}`)
    expect([statuses.length <= 1, wasSmuggled()], text.slice(0, 600)).toEqual([true, false])
    for (const status of statuses) expect([400, 413, 431, 505]).toContain(status)
  })
})

describe('an unambiguous request gets one response, and the next one the next', () => {
  test.each<[what: string, bytes: string, statuses: number[]]>([
    ['a body of GET is no request', `${get}Content-Length: ${smuggled.length}\r\n\r\n${smuggled}`, [200, 200]],
    [
      'nor is one in chunks',
      `${get}Transfer-Encoding: chunked\r\n\r\n${smuggled.length.toString(16)}\r\n${smuggled}\r\n0\r\n\r\n`,
      [200, 200],
    ],
    [
      'nor one that is refused',
      `${post.replace('json', 'x')}Content-Length: ${smuggled.length}\r\n\r\n${smuggled}`,
      [415, 200],
    ],
    [
      'nor one to nowhere',
      `POST /nowhere HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${smuggled.length}\r\n\r\n${smuggled}`,
      [404, 200],
    ],
    [
      'an extension of a chunk',
      `${post}Transfer-Encoding: chunked\r\n\r\n10;a=b\r\n{"wikitext":"a"}\r\n0\r\n\r\n`,
      [200, 200],
    ],
    ['an expectation', `${post}Expect: 100-continue\r\nContent-Length: 16\r\n\r\n{"wikitext":"a"}`, [100, 200, 200]],
    ['an expectation of something else', `${get}Expect: miracles\r\n\r\n`, [417, 200]],
    ['no host', 'GET /v1/page/X HTTP/1.1\r\n\r\n', [400]],
    ['two hosts', `${get}Host: evil.example\r\n\r\n`, [400]],
    ['two equal hosts', `${get}Host: localhost\r\n\r\n`, [400]],
    ['two requests have two', `${get}\r\n${get}\r\n`, [200, 200, 200]],
  ])('%s', async (_, bytes, statuses) => {
    const heard = await talk(`${bytes}${last}`)
    expect([heard.statuses, wasSmuggled()], heard.text.slice(0, 600)).toEqual([statuses, false])
  })

  // The client ends the connection, since the server waits for more of it.
  test.each<[what: string, bytes: string, statuses: number[]]>([
    ['a body that is too large is no request', `${post}Content-Length: 99999999\r\n\r\n${smuggled}`, [413]],
    ['an upgrade that is not offered', `${get}Connection: Upgrade\r\nUpgrade: h2c\r\n\r\n`, [200]],
  ])('%s', async (_, bytes, statuses) => {
    const heard = await talk(bytes, /\}$/)
    expect([heard.statuses, wasSmuggled()], heard.text.slice(0, 600)).toEqual([statuses, false])
  })
})

const injection = '%0d%0aInjected:%20yes%0d%0a%0d%0a'

describe('no header can be split', () => {
  test.each([
    `/v1/page/x${injection}`,
    `/v1/page/x?a=${injection}`,
    `/v1/page/x/html?a=${injection}`,
    `/v1/page/X?redirect=${injection}`,
    `/v1/page/%C3%A4_%22b%22;_c`,
    `/v1/page/%C3%A4_%22b%22;_c/html`,
    `/v1/page/%E2%80%A8`,
    `/v1/files/A_%22b%22;_c%3Dd.txt`,
    `/v1/files/%C3%84%E2%80%A8%C3%B6.txt`,
    `/v1/files/it's%2527.txt`,
    `/v1/files/50%25.txt`,
    `/v1/files/x${injection}.txt`,
    `/v1/search/page?q=${injection}`,
    `/v1/search/page?q=x&limit=${injection}`,
    '/v1/page/x\u0085\u00a0Injected: yes',
  ])('by %j', async target => {
    const encoded = target.replaceAll(' ', '%20')
    const more = `Origin: http://x${injection}\r\nIf-None-Match: "a${injection}"\r\nRange: bytes=${injection}\r\n`
    for (const headers of ['', more]) {
      const { text } = await talk(`GET ${encoded} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${headers}\r\n`)
      const head = text.split('\r\n\r\n')[0] ?? ''
      const lines = head.split('\r\n').slice(1)
      expect(head).toMatch(/^HTTP\/1\.1 [2345](?!00 I)\d\d /)
      expect(head).not.toMatch(/^HTTP\/1\.1 500/)
      expect(
        lines.every(line => /^[A-Za-z-]+: [\x20-\x7e]*$/.test(line)),
        head,
      ).toBe(true)
      expect(lines.some(line => /^Injected/i.test(line))).toBe(false)
    }
  })
})

describe('an excessive body is refused', { tags: 'long' }, () => {
  const megabytes = 9_000_000
  const html = 'POST /v1/transform/html/to/wikitext HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n'
  const form = (body: string, type = 'multipart/form-data; boundary=a') =>
    `${html}Content-Type: ${type}\r\nContent-Length: ${Buffer.byteLength(body, 'latin1')}\r\n\r\n${body}`
  const part = '\r\n--a\r\nContent-Disposition: form-data; name="x"\r\n\r\n'
  const json = 'application/json'
  test.each<[what: string, bytes: () => string]>([
    ['brackets without end', () => form('['.repeat(megabytes), json)],
    ['objects in objects', () => form('{"a":'.repeat(megabytes / 5), json)],
    ['a number without end', () => form(`{"html": ${'9'.repeat(megabytes)}`, json)],
    ['very many parts', () => form(part.repeat(megabytes / part.length))],
    ['nothing but boundaries', () => form('\r\n--a'.repeat(megabytes / 5))],
    ['a huge header of a part', () => form(`--a\r\nContent-Disposition: ${'name='.repeat(megabytes / 5)}`)],
    ['headers of a part without end', () => form(`--a\r\n${'X: y\r\n'.repeat(megabytes / 6)}\r\n\r\n--a--`)],
    ['no boundary at the end', () => form(`${part}${'x'.repeat(megabytes)}`)],
    ['no boundary at all', () => form('x'.repeat(megabytes), 'multipart/form-data')],
    ['very many fields', () => form('a&'.repeat(megabytes / 2), 'application/x-www-form-urlencoded')],
    ['very many names', () => form('a[b][c]=d&'.repeat(megabytes / 10), 'application/x-www-form-urlencoded')],
    ['percent signs', () => form('%'.repeat(megabytes), 'application/x-www-form-urlencoded')],
    ['a body that does not come', () => `${html}Content-Type: ${json}\r\nContent-Length: 999999999\r\n\r\n{`],
  ])('%s', async (_, bytes) => {
    const text = bytes()
    const { statuses, text: answer } = await talk(text, /\}$/)
    expect([statuses.length, Math.floor(statuses[0]! / 100)], answer.slice(0, 300)).toEqual([1, 4])
  })

  test('a URL with many parameters gets an ordinary response', async () => {
    const { statuses } = await talk(
      `GET /v1/search/page?${'q=a&'.repeat(3_500)} HTTP/1.1\r\n${last.slice(last.indexOf('Host'))}`,
    )
    expect(statuses).toHaveLength(1)
    expect(statuses[0]).toBeLessThan(500)
  })
})

test('there was no internal error', () => {
  expect(entries.filter(entry => entry.event === 'error')).toEqual([])
})
