import { afterEach, describe, expect, test, vi } from 'vitest'
import { createLruCache, type LruCache } from '../../src/core/lru-cache.ts'

const emptyCache = () => createLruCache<string>({ total: 6000, each: 4000, sizeOf: value => value.length * 1000 - 202 })

test('evicts the least recently used entry above the bound', () => {
  const { set, get } = emptyCache()
  set('a', '12')
  set('b', '34')
  set('c', '56')
  get('a')
  set('d', '7')
  expect(['a', 'b', 'c', 'd'].map(get)).toEqual(['12', undefined, '56', '7'])
})

test('a new value under an existing key replaces the size of the old one', () => {
  const { set, get } = emptyCache()
  for (const value of ['1234', '12', '3456', '1']) set('a', value)
  set('b', '1234')
  set('c', '5')
  expect(['a', 'b', 'c'].map(get)).toEqual(['1', '1234', '5'])
})

test('a value that is too large is not cached, and removes the old one under its key', () => {
  const { set, get } = emptyCache()
  set('a', '1')
  set('b', '2')
  set('a', '12345')
  expect(['a', 'b'].map(get)).toEqual([undefined, '2'])
})

test('is empty after it was cleared', () => {
  const { set, get, clear } = emptyCache()
  set('a', '1234')
  clear()
  set('b', '1234')
  set('c', '12')
  expect(['a', 'b', 'c'].map(get)).toEqual([undefined, '1234', '12'])
})

describe('with clients', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  /** A cache of 40 values. */
  const shared = () => createLruCache<string>({ total: 40, sizeOf: () => 1, overheadOf: () => 0 })
  const fill = ({ set }: LruCache<string>, client: string, count: number) => {
    for (let at = 0; at < count; at++) set(`${client}${at}`, '', { client })
  }
  const heldBy = ({ names }: LruCache<string>, client: string) =>
    [...names()].filter(name => name.startsWith(client)).length

  test('one that fills the cache displaces its own values, not those of others', () => {
    const cache = shared()
    fill(cache, 'a', 5)
    fill(cache, 'b', 3)
    fill(cache, 'flood', 1000)
    expect(['a', 'b', 'flood'].map(client => heldBy(cache, client))).toEqual([5, 3, 32])
  })

  test('one that has filled the cache gives way to others', () => {
    const cache = shared()
    fill(cache, 'flood', 40)
    fill(cache, 'a', 4)
    expect(['a', 'flood'].map(client => heldBy(cache, client))).toEqual([4, 36])
  })

  test('many that use it little displace the least recently used value', () => {
    const cache = shared()
    for (let at = 0; at < 41; at++) fill(cache, `client ${at}-`, 1)
    expect([cache.has('client 0-0'), cache.has('client 1-0')]).toEqual([false, true])
  })

  test('what nobody has used for an hour gives way first', () => {
    const cache = shared()
    fill(cache, 'a', 5)
    vi.useFakeTimers({ now: Date.now() + 61 * 60_000, toFake: ['Date'] })
    cache.get('a0')
    fill(cache, 'flood', 1000)
    expect([heldBy(cache, 'a'), cache.has('a0')]).toEqual([1, true])
  })

  test('a value above the share stays until its client has another one', () => {
    const cache = createLruCache<string>({ total: 40, sizeOf: ({ length }) => length, overheadOf: () => 0 })
    cache.set('a', 'x'.repeat(20), { client: 'a' })
    cache.set('flood', 'x'.repeat(20), { client: 'flood' })
    cache.set('flood 2', 'x'.repeat(20), { client: 'flood' })
    expect([...cache.names()]).toEqual(['a', 'flood 2'])
  })

  test('the number of values is bounded, whatever their size', () => {
    const cache = createLruCache<string>({ total: 1e9, entries: 10, sizeOf: () => 0 })
    fill(cache, 'a', 100)
    expect([...cache.names()]).toHaveLength(10)
  })

  test('each value that gives way is reported once', () => {
    const evicted: string[] = []
    const cache = createLruCache<string>({
      total: 2,
      sizeOf: () => 1,
      overheadOf: () => 0,
      onEvicted: name => void evicted.push(name),
    })
    for (const name of ['a', 'b', 'c', 'b', 'd']) cache.set(name, '')
    cache.delete('d')
    expect(evicted).toEqual(['a', 'c'])
  })
})
