import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createFailureLimit } from '../../src/http/failure-limit.ts'
import { csrfTokenOf, isSameSecret } from '../../src/http/sessions.ts'
import { createSessions, sessionHash } from '../../src/operations/sessions.ts'
import { newWiki } from '../operations/_wiki.ts'

describe('sessions', () => {
  test('are limited in number: the oldest are removed', { tags: 'long' }, async () => {
    const sessions = createSessions()
    const ids: string[] = []
    for (let number = 0; number < 10_002; number++) ids.push(await sessions.begin(String(number)))
    expect(new Set(ids).size).toBe(ids.length)
    expect([0, 1, 2, 10_001].map(number => sessions.tokenOf(ids[number]!))).toEqual([null, null, '2', '10001'])
  })

  test('survive the server, and end for all servers', async () => {
    const { store } = (await newWiki()).wiki
    const [first, second] = [createSessions(store.repository), createSessions(store.repository)]
    const id = await first.begin('0123abcd')
    expect([second.tokenOf(id), createSessions(store.repository).tokenOf(id)]).toEqual(['0123abcd', '0123abcd'])
    const other = await second.begin('89ab4567')
    expect(first.tokenOf(other)).toBe('89ab4567')
    await second.end(id)
    expect([first.tokenOf(id), first.tokenOf(other)]).toEqual([null, '89ab4567'])
  })

  test('are stored as hashes, readable only by their owner', async () => {
    const { store } = (await newWiki()).wiki
    const id = await createSessions(store.repository).begin('0123abcd')
    const file = join(store.repository.commonDirectory, 'wiki', '.access', 'sessions.json')
    expect(readFileSync(file, 'utf8')).not.toContain(id)
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600)
    writeFileSync(file, '{"version":2,"sessions":[{"hash":"x"},5')
    expect(createSessions(store.repository).tokenOf(id)).toBeNull()
  })

  test('are listed by their hashes, and end one by one', async () => {
    const { store } = (await newWiki()).wiki
    const [first, second] = [createSessions(store.repository), createSessions(store.repository)]
    const id = await first.begin('0123abcd', `Firefox "1"\n\u00e9 ${'x'.repeat(1000)}`)
    await second.begin('89ab4567')
    const listed = second.list()
    expect(listed.map(({ tokenId }) => tokenId).sort()).toEqual(['0123abcd', '89ab4567'])
    const { hash, agent } = listed.find(({ tokenId }) => tokenId === '0123abcd')!
    expect([hash, agent]).toEqual([sessionHash(id), `Firefox ?1??? ${'x'.repeat(106)}`])
    await second.endListed('f'.repeat(64))
    await second.endListed(hash)
    expect([first.tokenOf(id), first.list().length]).toEqual([null, 1])
  })

  test('are read up to the limit, and not from a file of the earlier version', { tags: 'long' }, async () => {
    const { store } = (await newWiki()).wiki
    const sessions = createSessions(store.repository)
    const id = await sessions.begin('0123abcd')
    const file = join(store.repository.commonDirectory, 'wiki', '.access', 'sessions.json')
    const [written] = JSON.parse(readFileSync(file, 'utf8')).sessions
    const others = Array.from({ length: 9_999 }, (_, at) => sessionHash(String(at)))
    const many = others.map(hash => ({ ...written, hash, agent: '~'.repeat(120) }))
    for (const version of [2, 1]) {
      writeFileSync(file, JSON.stringify({ version, sessions: [written, ...many] }))
      const seen = version === 2 ? ['0123abcd', 10_000] : [null, 0]
      expect([sessions.tokenOf(id), sessions.list().length]).toEqual(seen)
    }
  })

  test('have their own CSRF tokens, which do not reveal their ids', () => {
    const [one, other] = ['a', 'b'].map(csrfTokenOf)
    expect(one).toMatch(/^[0-9a-f]{40}$/)
    expect(one).not.toBe(other)
    expect(csrfTokenOf('a')).toBe(one)
  })

  test.each([
    ['', '', true],
    ['a', 'a', true],
    ['a', 'b', false],
    ['a', 'aa', false],
    ['ü', 'u\u0308', false],
  ])('%j is the secret %j: %s', (one, other, isSame) => {
    expect(isSameSecret(one, other)).toBe(isSame)
  })
})

test('failures from too many addresses evict the oldest, not the newest', () => {
  const count = createFailureLimit()
  const fail = (address: string, times: number) => {
    for (let time = 0; time < times; time++) count(address)
  }
  fail('192.0.2.1', 10)
  for (let number = 0; number < 9_998; number++) count(`10.${number >> 8}.${number & 255}.1`)
  fail('192.0.2.2', 10)
  expect(() => count('192.0.2.1')).toThrow(/Too many/)
  count('192.0.2.3')
  expect(() => count('192.0.2.2')).toThrow(/Too many/)
  expect(() => count('192.0.2.1')).not.toThrow()
})
