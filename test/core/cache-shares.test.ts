import { expect, test } from 'vitest'
import { cacheNames, divideCacheBytes, parseCacheBytes, usualCacheBytes } from '../../src/core/cache-shares.ts'

const megabyte = 1024 * 1024

test('the shares of all caches add up to the permitted memory', () => {
  const bytesOf = divideCacheBytes(50 * megabyte)
  const sum = cacheNames.reduce((bytes, name) => bytes + bytesOf(name), 0)
  expect(sum).toBeLessThanOrEqual(50 * megabyte)
  expect(sum).toBeGreaterThan(50 * megabyte - cacheNames.length)
})

test('every cache gets more with a higher limit, and the default memory without one', () => {
  for (const name of cacheNames) {
    expect(divideCacheBytes(2 * usualCacheBytes)(name)).toBeGreaterThan(divideCacheBytes(usualCacheBytes)(name))
    expect(divideCacheBytes()(name)).toBe(divideCacheBytes(usualCacheBytes)(name))
  }
})

test('megabytes are whole numbers from 1 to 65536', () => {
  expect([parseCacheBytes('memory', '1'), parseCacheBytes('memory', '65536')]).toEqual([megabyte, 65536 * megabyte])
  for (const text of ['', '0', '-5', '1.5', '80MB', 'much', '65537', '1e3', '9'.repeat(400)])
    expect(() => parseCacheBytes('memory', text)).toThrow(expect.objectContaining({ code: 'outofrange' }))
})
