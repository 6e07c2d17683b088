import { isIP } from 'node:net'
import fc from 'fast-check'
import type { H3Event } from 'h3'
import { describe, expect, test } from 'vitest'
import { type Client, type ClientRules, networkOf, readClient, readPeer, trustIn } from '../../src/http/client.ts'

/** The examined part of a request, which arrived through a socket from this address. */
function eventOf(remoteAddress: string | undefined, headers: Record<string, string> = {}): H3Event {
  const runtime = { node: { req: { socket: { remoteAddress } } } }
  return {
    runtime,
    req: { headers: new Headers(headers) },
    url: new URL('http://localhost:8080/'),
  } as unknown as H3Event
}

function peerOf(socket: string, forwarded: string, proxies: readonly string[]): string {
  return readPeer(eventOf(socket, { 'x-forwarded-for': forwarded }), trustIn(proxies))
}

function clientOf(headers: Record<string, string>, rules: Partial<ClientRules> = {}): Client {
  return readClient(eventOf('127.0.0.1', headers), { trust: trustIn(['127.0.0.1']), ...rules })
}

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:1:2::7', '2001:db8:1:2'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['', ''],
])('%s is in the network %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})

describe('trusted proxies', () => {
  test.each<[blocks: string[], address: string, isTrusted: boolean]>([
    [['127.0.0.1'], '127.0.0.1', true],
    [['127.0.0.1'], '::ffff:127.0.0.1', true],
    [['127.0.0.1'], '::ffff:7f00:1', true],
    [['::ffff:127.0.0.1'], '127.0.0.1', true],
    [['127.0.0.1'], '127.0.0.2', false],
    [['10.0.0.0/8', '::1'], '10.255.0.1', true],
    [['10.0.0.0/8', '::1'], '0:0:0:0:0:0:0:1', true],
    [['10.0.0.0/8', '::1'], '11.0.0.1', false],
    [['fe80::/10'], 'fe80::1%eth0', true],
    [['0.0.0.0/0'], '::1', false],
    [['::/0'], '192.0.2.1', false],
    [[], '127.0.0.1', false],
    [['127.0.0.1'], 'nonsense', false],
    [['127.0.0.1'], '', false],
  ])('%j have %s: %s', (blocks, address, isTrusted) => {
    expect(trustIn(blocks)(address)).toBe(isTrusted)
  })

  test.each([
    '',
    'localhost',
    '10.0.0.0/33',
    '10.1',
    '1',
    '10.0.0.0/',
    '::1/129',
    '10.0.0.0/8/8',
    '::ffff:10.0.0.0/104x',
  ])('cannot be %j', block => expect(() => trustIn([block])).toThrow(expect.objectContaining({ code: 'wiki-usage' })))
})

describe('the address of the client', () => {
  const proxies = ['127.0.0.1', '10.0.0.0/8', 'fd00::/8']

  test.each<[socket: string, forwarded: string, address: string]>([
    ['192.0.2.9', '203.0.113.1', '192.0.2.9'],
    ['::ffff:192.0.2.9', '203.0.113.1', '192.0.2.9'],
    ['::FFFF:C000:0209', '', '192.0.2.9'],
    ['fe80::1%eth0', '', 'fe80::1'],
    ['2001:0DB8:0::0001', '', '2001:db8::1'],
    ['127.0.0.1', '', '127.0.0.1'],
    ['127.0.0.1', '203.0.113.1', '203.0.113.1'],
    ['::ffff:127.0.0.1', '::ffff:203.0.113.1', '203.0.113.1'],
    ['127.0.0.1', '203.0.113.1:4711', '203.0.113.1'],
    ['127.0.0.1', '[2001:db8::1]:4711', '2001:db8::1'],
    ['127.0.0.1', '2001:db8::1', '2001:db8::1'],
    ['127.0.0.1', '198.51.100.7, 203.0.113.1', '203.0.113.1'],
    ['127.0.0.1', '198.51.100.7, 203.0.113.1, 10.1.2.3', '203.0.113.1'],
    ['127.0.0.1', '10.0.0.1, 10.0.0.2', '10.0.0.1'],
    ['127.0.0.1', '203.0.113.1, unknown', '127.0.0.1'],
    ['127.0.0.1', '203.0.113.1, , 10.0.0.1', '10.0.0.1'],
    ['127.0.0.1', '203.0.113.1, 10.1', '127.0.0.1'],
    ['fd00::5', '<script>', 'fd00::5'],
  ])('of a connection from %s that claims %j is %s', (socket, forwarded, address) => {
    expect(peerOf(socket, forwarded, proxies)).toBe(address)
  })

  test('is unknown, and not trusted, once the connection is closed', () => {
    const event = eventOf(undefined, { 'x-forwarded-for': '203.0.113.1', 'x-forwarded-proto': 'https' })
    const trust = trustIn(['127.0.0.1'])
    expect(readPeer(event, trust)).toBe('0.0.0.0')
    expect(readClient(event, { trust })).toMatchObject({ address: '0.0.0.0', isSecure: false })
  })

  test("is an address whatever a proxy sends, and the connection's if no proxy is trusted", () => {
    const { runtime } = eventOf('127.0.0.1')
    const trust = trustIn(proxies)
    const hop = fc.oneof(fc.ipV4(), fc.ipV6(), fc.string(), fc.constant('10.0.0.1'))
    fc.assert(
      fc.property(fc.array(hop), hops => {
        const headers = { get: () => hops.join(', ') }
        const asked = { runtime, req: { headers } } as unknown as H3Event
        expect(isIP(readPeer(asked, trust))).not.toBe(0)
        expect(readPeer(asked, trustIn([]))).toBe('127.0.0.1')
      }),
    )
  })
})

describe('the host and scheme that the client used', () => {
  const https = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'wiki.example' }
  const allowedHosts = ['wiki.example']

  test('are those that a trusted proxy forwards', () => {
    expect(clientOf(https, { allowedHosts })).toMatchObject({ host: 'wiki.example', isSecure: true })
    const chain = { 'x-forwarded-proto': 'http, HTTPS', 'x-forwarded-host': 'evil.example, wiki.example' }
    expect(clientOf(chain, { allowedHosts })).toMatchObject({ host: 'wiki.example', isSecure: true })
    expect(clientOf({}, { allowedHosts })).toMatchObject({ host: 'localhost:8080', isSecure: false })
    expect(clientOf({}, { https: true })).toMatchObject({ isSecure: true })
  })

  test('are those of the connection if the proxy is not trusted', () => {
    const client = clientOf(https, { allowedHosts, trust: trustIn(['10.0.0.1']) })
    expect(client).toEqual({ address: '127.0.0.1', host: 'localhost:8080', isSecure: false, prefix: '' })
  })

  test.each([
    [{ 'x-forwarded-host': 'evil.example' }, 'wiki-host-not-allowed'],
    [{ 'x-forwarded-host': 'wiki.example', host: 'evil.example' }, 'wiki-host-not-allowed'],
    [{ 'x-forwarded-host': 'a b' }, 'wiki-bad-host'],
  ])('must both be permitted: %j', (headers, code) => {
    expect(() => clientOf(headers, { allowedHosts })).toThrow(expect.objectContaining({ code }))
  })
})
