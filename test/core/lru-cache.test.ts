import { expect, test } from 'vitest'
import { createLruCache } from '../../src/core/lru-cache.ts'

const emptyCache = () => createLruCache<string>({ total: 6000, each: 4000, sizeOf: value => value.length * 1000 - 202 })

test('evicts the least recently used entry above the bound', () => {
  const { keep, find } = emptyCache()
  keep('a', '12')
  keep('b', '34')
  keep('c', '56')
  find('a')
  keep('d', '7')
  expect(['a', 'b', 'c', 'd'].map(find)).toEqual(['12', undefined, '56', '7'])
})

test('a new value under an existing key replaces the size of the old one', () => {
  const { keep, find } = emptyCache()
  for (const value of ['1234', '12', '3456', '1']) keep('a', value)
  keep('b', '1234')
  keep('c', '5')
  expect(['a', 'b', 'c'].map(find)).toEqual(['1', '1234', '5'])
})

test('a value that is too large is not cached, and removes the old one under its key', () => {
  const { keep, find } = emptyCache()
  keep('a', '1')
  keep('b', '2')
  keep('a', '12345')
  expect(['a', 'b'].map(find)).toEqual([undefined, '2'])
})

test('is empty after it was cleared', () => {
  const { keep, find, clear } = emptyCache()
  keep('a', '1234')
  clear()
  keep('b', '1234')
  keep('c', '12')
  expect(['a', 'b', 'c'].map(find)).toEqual([undefined, '1234', '12'])
})
