import { expect, test, vi } from 'vitest'
import { partOf } from '../../src/rest/range.ts'

const pieces = ['abc', 'd', '', 'efgh', 'ij'].map(text => Buffer.from(text))

test('every part of a stream equals the same part of its bytes', async () => {
  for (let start = 0; start <= 10; start++) {
    for (let end = start; end <= 10; end++) {
      const content = async function* () {
        yield* pieces
      }
      const found: Uint8Array[] = []
      for await (const piece of partOf(content(), { start, end })) found.push(piece)
      expect(Buffer.concat(found).toString()).toBe('abcdefghij'.slice(start, end))
    }
  }
})

test('a stream is closed at the end of the part, and when nobody reads it any more', async () => {
  const left = vi.fn()
  const content = async function* () {
    try {
      for (;;) yield Buffer.from('abc')
    } finally {
      left()
    }
  }
  for await (const piece of partOf(content(), { start: 1, end: 7 })) expect(piece.length).toBeLessThanOrEqual(3)
  for await (const piece of partOf(content(), { start: 0, end: 1000 })) {
    expect(piece.length).toBe(3)
    break
  }
  expect(left).toHaveBeenCalledTimes(2)
})
