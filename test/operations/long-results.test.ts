import { describe, expect, test } from 'vitest'
import { withLongTexts, withoutLongTexts } from '../../src/operations/threads/long-results.ts'

const long = (sign: string): string => `${sign}😀`.repeat(150_000)

describe('the result of a job', () => {
  test.each([
    ['a short text', 'a', 0],
    ['a long text', long('a'), 4],
    ['an object', { html: long('b'), title: 'B', none: null, list: [1, { text: long('c') }, 'c'] }, 8],
    ['a list', ['d', long('d'), { e: { f: long('e') } }], 8],
    ['problems', [{ at: 3, params: { name: 'b' } }], 0],
    ['nothing', null, 0],
  ])('is sent in short messages: %s', (_, result, messages) => {
    const sliced = withoutLongTexts(result as unknown)
    expect(sliced.slices).toHaveLength(messages)
    expect(Math.max(0, ...sliced.slices.map(({ length }) => length))).toBeLessThanOrEqual(131_072)
    expect(JSON.stringify(sliced.result)!.length).toBeLessThan(1000)
    expect(withLongTexts(structuredClone(sliced))).toEqual(result)
  })
})
