import { describe, expect, test } from 'vitest'
import type { Access } from '../../src/http/access.ts'
import { countedAs } from '../../src/http/counted-as.ts'

/** An access that knows one token. */
const access = {
  wiki: { store: { repository: { commonDirectory: '/no/such/folder' } } },
  tokens: { find: (token: string) => (token === 'good' ? { id: 'a1' } : null), withId: () => null },
  sessions: { tokenOf: () => null },
  signIn: null,
} as unknown as Access

const counted = (address: string, headers: Record<string, string> = {}, method = 'GET') =>
  countedAs(access, { method, headers: new Headers(headers) }, address)

describe('a request counts', () => {
  test('for its IPv4 address, or its IPv6 network', () => {
    expect(counted('192.0.2.1')).toBe('192.0.2.1')
    expect(counted('2001:db8::1')).toBe(counted('2001:db8::ffff:1'))
    expect(counted('2001:db8::1')).not.toBe(counted('2001:db8:0:1::1'))
  })

  test('for a signed-in user, wherever he is', () => {
    const headers = { authorization: 'Bearer good' }
    expect(counted('192.0.2.1', headers)).toBe(counted('2001:db8::1', headers, 'PUT'))
  })

  test('for its network if the token is unknown', () => {
    expect(counted('192.0.2.1', { authorization: 'Bearer bad' })).toBe('192.0.2.1')
  })

  test('for what the network sends, apart from what it reads', () => {
    expect(counted('192.0.2.1', {}, 'POST')).not.toBe(counted('192.0.2.1'))
    expect(counted('192.0.2.1', {}, 'HEAD')).toBe(counted('192.0.2.1'))
  })

  test.each(['cross-site', 'same-site'])('for other websites if a %s page makes the browser send it', site => {
    const elsewhere = counted('192.0.2.1', { 'sec-fetch-site': site })
    expect(elsewhere).not.toBe(counted('192.0.2.1', { 'sec-fetch-site': 'same-origin' }))
    expect(elsewhere).toBe(counted('192.0.2.1', { 'sec-fetch-site': site }, 'POST'))
  })
})
