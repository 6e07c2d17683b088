import { describe, expect, test } from 'vitest'
import { readHttpDate } from '../../src/http/conditional.ts'

describe('an HTTP date', () => {
  const time = Date.UTC(1994, 10, 6, 8, 49, 37)
  test.each<[text: string | null, time: number | null]>([
    ['Sun, 06 Nov 1994 08:49:37 GMT', time],
    ['Sunday, 06-Nov-94 08:49:37 GMT', time],
    ['Sun Nov  6 08:49:37 1994', time],
    ['Wed, 01 Jan 2025 00:00:00 GMT', Date.UTC(2025, 0, 1)],
    [null, null],
    ['', null],
    ['garbage 1', null],
    ['1994', null],
    ['1994-11-06T08:49:37Z', null],
    ['Sun, 06 Nov 1994 08:49:37', null],
    ['Sun, 06 Nov 1994 08:49:37 +0100', null],
    ['Sun, 06 Nov 1994 99:49:37 GMT', null],
    [' Sun, 06 Nov 1994 08:49:37 GMT', null],
  ])('%j is %j', (text, expected) => {
    expect(readHttpDate(text)).toBe(expected)
  })
})
