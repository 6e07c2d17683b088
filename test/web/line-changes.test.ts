import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lineChanges } from '../../src/web/client/writing/line-changes.ts'

const text = fc.array(fc.constantFrom('a', 'b', '', 'long line'), { maxLength: 8 }).map(lines => lines.join('\n'))

test('the changes of lines convert one text to the other', () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      let made = before
      for (const { from, to, insert } of lineChanges(before, after).reverse())
        made = made.slice(0, from) + insert + made.slice(to)
      expect(made).toBe(after)
    }),
    { numRuns: 2000 },
  )
})

test('lines in both texts are unchanged', () => {
  expect(lineChanges('one\ntwo\nthree', 'ONE\ntwo\nthree\nfour')).toEqual([
    { from: 0, to: 4, insert: 'ONE\n' },
    { from: 13, to: 13, insert: '\nfour' },
  ])
  expect(lineChanges('same', 'same')).toEqual([])
})
