import fc from 'fast-check'
import { expect, test } from 'vitest'
import { termNumbers } from '../../../src/search/segment/term-numbers.ts'

const letters = fc.constantFrom('a', 'b', 'z', '~', '\x01', '0', 'é', 'σ', '東', '\uffff', '😀')
const term = fc.string({ unit: letters, maxLength: 9 })

test('terms are numbered at their first occurrence, and listed in order of their UTF-16 units', () => {
  fc.assert(
    fc.property(fc.array(term, { maxLength: 60 }), list => {
      const numbers = termNumbers()
      const given = list.map(word => numbers.of(word))
      const distinct = [...new Set(list)]
      expect(given).toEqual(list.map(word => distinct.indexOf(word)))
      expect([...numbers.inOrder()]).toEqual(distinct.toSorted().map(word => [word, distinct.indexOf(word)]))
    }),
    { numRuns: 300 },
  )
})

test('a word of a text maps to its lower-case term, up to the number of terms', () => {
  const numbers = termNumbers()
  const words = Array.from({ length: 5_000 }, (_, at) => `Wo${at.toString(36).toUpperCase()}rd`)
  const text = words.join(' ')
  const every = words.map((_, at) => at)
  const starts = words.map((_, at) => text.indexOf(words[at]!))
  expect(words.map((word, at) => numbers.ofWord(text, starts[at]!, starts[at]! + word.length))).toEqual(every)
  expect(words.map(word => numbers.of(word.toLowerCase()))).toEqual(every)
  expect([...numbers.inOrder()].map(([term]) => term)).toEqual(words.map(word => word.toLowerCase()).sort())
})
