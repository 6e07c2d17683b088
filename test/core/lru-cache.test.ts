import { expect, test } from 'vitest'
import { createLruCache } from '../../src/core/lru-cache.ts'

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
