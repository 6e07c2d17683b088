/** Answers to bytes that never become a request, on the running program: each has a body with an error. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newWiki } from '../operations/_wiki.ts'
import { type Served, startServed, stopServed } from './_served.ts'

let served: Served
beforeAll(async () => {
  served = await startServed((await newWiki({ X: 'one' })).directory)
})
afterAll(stopServed)

const get = 'GET /v1/page/X HTTP/1.1\r\nHost: localhost\r\n'
const post = 'POST /v1/transform/wikitext/to/html HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n'
const chunked = `${post}Transfer-Encoding: chunked\r\n\r\n`
/** Bytes of text in UTF-8, as Latin-1. */
const raw = (text: string): string => Buffer.from(text).toString('latin1')

describe('the answer has a body with an error, and ends the connection', () => {
  test.each<[what: string, bytes: string, status: number, errorKey: string | undefined]>([
    ['UTF-8 in a query', raw(get.replace('page/X', 'search/page?q=pâté\u{1d11e}')), 400, 'wiki-bad-url'],
    ['Latin-1 in a query', get.replace('page/X', 'search/page?q=pâté'), 400, 'wiki-bad-url'],
    ['UTF-8 in a path', raw(get.replace('X', 'Pâté')), 400, 'wiki-bad-url'],
    ['UTF-8 in a path of pages', raw(get.replace('/v1/page/X', '/wiki/Pâté')), 400, 'wiki-bad-url'],
    ['a control character in the URL', get.replace('X', '\x01'), 400, 'wiki-bad-url'],
    ['a line of nonsense', 'nonsense', 400, 'wiki-bad-request'],
    ['a greeting of TLS', '\x16\x03\x01\x02\x00\x01', 400, 'wiki-bad-request'],
    ['an unknown method', get.replace('GET', 'FROBNICATE'), 400, 'wiki-bad-request'],
    ['a tunnel', get.replace('GET /v1/page/X', 'CONNECT localhost:80'), 405, undefined],
    ['HTTP/2 without its preface', get.replace('1.1', '2.0'), 400, 'wiki-bad-request'],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM', 400, 'wiki-bad-request'],
    ['an unknown version', get.replace('1.1', '3.7'), 400, 'wiki-bad-request'],
    ['no host', get.replace(/Host.*\r\n/, ''), 400, 'wiki-bad-host'],
    ['two hosts', `${get}Host: localhost\r\n`, 400, 'wiki-bad-host'],
    ['a host with a port that is none', get.replace('localhost', 'a:99999').replace('X', '../X'), 400, 'wiki-bad-host'],
    ['a header without a name', `${get}: x\r\n`, 400, 'wiki-bad-request'],
    ['headers of 20 KB', `${get}A: ${'x'.repeat(20_000)}\r\n`, 431, 'wiki-headers-too-large'],
    ['a URL of 20 KB', get.replace('X', 'x'.repeat(20_000)), 431, 'wiki-headers-too-large'],
    ['an unknown expectation', `${get}Expect: miracles\r\nConnection: close\r\n`, 417, 'wiki-bad-expectation'],
    ['a length that is none', `${post}Content-Length: x\r\n`, 400, 'wiki-bad-request'],
    ['a chunk without a size', `${chunked}zz`, 400, 'wiki-bad-request'],
    ['a chunk that is longer than its size', `${chunked}1\r\n{"a":"b"}`, 400, 'wiki-bad-request'],
    ['extensions of chunks of 20 KB', `${chunked}1;${'a'.repeat(20_000)}`, 413, 'wiki-chunks-too-large'],
  ])('%s', async (_, bytes, status, errorKey) => {
    const text = await served.talk(`${bytes}\r\n\r\n`)
    const [head = '', body = ''] = text.split('\r\n\r\n')
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} \\w`))
    const headers = Object.fromEntries(head.split('\r\n').map(line => line.toLowerCase().split(': ')))
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': String(body.length),
      'x-content-type-options': 'nosniff',
      connection: 'close',
      date: expect.any(String),
    })
    const error = JSON.parse(Buffer.from(body, 'latin1').toString())
    expect([error.httpCode, error.errorKey]).toEqual([status, errorKey])
  })
})

test('the response to a request comes before the refusal of the next one', async () => {
  const text = await served.talk(`${get}\r\nnonsense\r\n\r\n`)
  expect([...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual(['200', '400'])
})

test('a request that is answered already gets no second response if its body is invalid', async () => {
  const peer = served.open('POST /nowhere HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n')
  await new Promise(resolve => peer.socket.once('data', resolve))
  peer.socket.write('zz\r\n')
  expect([...(await peer.closed).matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual(['404'])
})

test('a client that sends what is no request does not end the server', async () => {
  for (const bytes of ['nonsense\r\n\r\n', get, `${chunked}5\r\nab`, 'CONNECT a:1 HTTP/1.1\r\n\r\n']) {
    const { socket } = served.open(bytes)
    await new Promise(resolve => socket.once('connect', resolve))
    socket.resetAndDestroy()
  }
  expect((await fetch(`${served.root}/v1/page/X`)).status).toBe(200)
  expect(served.said.stderr).not.toContain('Error')
})
