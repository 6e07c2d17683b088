import { expect, test } from 'vitest'
import { byteWriter } from '../../../src/search/segment/bytes.ts'
import {
  checkedWriter,
  memorySink,
  memorySource,
  openChecked,
  pageCache,
  pagesOf,
  partCache,
} from '../../../src/search/segment/checked-file.ts'

const pageSize = 16 * 1024

test('a page read with others keeps only its own memory', () => {
  const sink = memorySink()
  const writer = checkedWriter(sink)
  const bytes = byteWriter()
  bytes.bytes(Buffer.alloc(5 * pageSize, 7))
  writer.write(bytes)
  writer.finish()
  const cache = pageCache()
  openChecked(memorySource(sink.content()), cache).read(10, 4 * pageSize)
  for (const page of [0, 1, 2, 3]) expect(cache.find(0, page)?.buffer.byteLength).toBe(pageSize)
})

test('a cache of parts evicts the oldest, whichever file it belongs to', () => {
  const cache = partCache<string>(2)
  const [one, two] = [cache.open(), cache.open()]
  cache.keep(one, 1, 'a')
  cache.keep(two, 1, 'b')
  cache.keep(two, 2, 'c')
  expect([cache.find(one, 1), cache.find(two, 1), cache.find(two, 2)]).toEqual([undefined, 'b', 'c'])
  expect(pagesOf(10 * pageSize)).toBe(10)
})
