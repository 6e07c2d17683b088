import { afterEach, describe, expect, test, vi } from 'vitest'
import { composed } from '../../src/core/composed-text.ts'

/** Marks whose canonical order is the other way round. */
const marks = (count: number) => '\u0315'.repeat(count) + '\u0316'.repeat(count)

afterEach(() => void vi.restoreAllMocks())

describe('composed', () => {
  test.each([
    ['ASCII', 'A page'],
    ['letters with accents', 'e\u0301 é A\u030a'],
    ['syllables', '\u1112\u1161\u11ab가\u11a8'],
    ['marks in a wrong order', `a${marks(15)}b${marks(3)}`],
    ['a mark that becomes two', `a${'\u0344'.repeat(30)}`],
    ['a mark at the start', '\u0301a'],
    ['a sign with another form', '\u212b\ufa10'],
  ])('is the composed form of %s', (_, text) => {
    expect(composed(text)).toBe(text.normalize('NFC'))
    expect(composed(composed(text))).toBe(composed(text))
  })

  test('is composed around a too long run of marks, which stays as written', () => {
    expect(composed(`e\u0301a${marks(16)}e\u0301`)).toBe(`éa${marks(16)}é`)
  })

  test('never has more marks sorted at once than 30', () => {
    const sorted: string[] = []
    const { normalize } = String.prototype
    vi.spyOn(String.prototype, 'normalize').mockImplementation(function (this: string, form?: string) {
      sorted.push(this)
      return normalize.call(this, form)
    })
    composed(`a${marks(500)}b${marks(15)}`)
    vi.restoreAllMocks()
    const runs = sorted.flatMap(text => text.match(/\p{M}+/gu) ?? [])
    expect(runs.map(run => run.length)).toEqual([30])
  })
})
