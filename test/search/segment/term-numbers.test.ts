import fc from 'fast-check'
import { expect, test } from 'vitest'
import { termNumbers } from '../../../src/search/segment/term-numbers.ts'

const letters = fc.constantFrom('a', 'b', 'z', '~', '\x01', '0', 'é', 'σ', '東', '\uffff', '😀')
const term = fc.string({ unit: letters, maxLength: 9 })

test('terms have the numbers of their first time, and come in order of their UTF-16 units', () => {
  fc.assert(
    fc.property(fc.array(term, { maxLength: 60 }), list => {
      const numbers = termNumbers()
      const given = list.map(word => numbers.of(word))
      const distinct = [...new Set(list)]
      expect(given).toEqual(list.map(word => distinct.indexOf(word)))
      expect([...numbers.sorted()].map(number => numbers.term(number))).toEqual(distinct.toSorted())
    }),
    { numRuns: 300 },
  )
})

test('long terms do not depend on the text that they were cut from', () => {
  const numbers = termNumbers()
  const text = `${'x'.repeat(5_000)} abcdefghijklmnopqrstuvwxyz äöü東京äöü東京äöü東京`
  for (const word of text.split(' ')) numbers.of(word)
  expect([0, 1, 2].map(number => numbers.term(number))).toEqual(text.split(' '))
})
