import { describe, expect, test } from 'vitest'
import { joined, sliced } from '../../src/operations/workers/long-results.ts'

const numbers = Array.from({ length: 10_000 }, (_, at) => at)
const long = (sign: string): string => `${sign}😀`.repeat(150_000)

describe('the result of a job', () => {
  test.each([
    ['a short text', 'a', 0],
    ['a long text', long('a'), 4],
    ['an object', { html: long('b'), title: 'B', none: null, list: [1, { text: long('c') }, 'c'] }, 8],
    ['a list', ['d', long('d'), { e: { f: long('e') } }], 8],
    [
      'headings',
      { html: 'b', sections: Array.from({ length: 10_000 }, (_, at) => ({ number: at, heading: `${at}` })) },
      7,
    ],
    ['a list of lists', [numbers, [numbers, numbers], 'c'], 6],
    ['a long list of long texts', Array.from({ length: 10_000 }, (_, at) => (at % 2500 === 0 ? long('f') : 'f')), 18],
    ['problems', [{ at: 3, params: { name: 'b' } }], 0],
    ['nothing', null, 0],
  ])('is sent in short messages: %s', (_, result, messages) => {
    const sent = sliced(result as unknown)
    expect(sent.slices).toHaveLength(messages)
    expect(Math.max(0, ...sent.slices.map(slice => JSON.stringify(slice).length))).toBeLessThanOrEqual(131_074)
    expect(JSON.stringify(sent.result)!.length).toBeLessThan(1000)
    expect(joined(structuredClone(sent))).toEqual(result)
  })
})
