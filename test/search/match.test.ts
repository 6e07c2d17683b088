import fc from 'fast-check'
import { expect, test } from 'vitest'
import { listMatches } from '../../src/search/query/match.ts'
import { parseQuery } from '../../src/search/query/query.ts'

const long = 'keel'.repeat(20)
const pieces = ['rope', 'Ropes', 'ROPE2', 'mast', 'a.rope', 'rope_', 'bip-32', long, `${long}s`, ' ', ' ', '-', '\n']
const text = fc.array(fc.constantFrom(...pieces), { maxLength: 30 }).map(list => list.join(''))
const query = fc
  .array(fc.constantFrom('rope', 'rop*', 'mast', '32', long, 'söt'), { minLength: 1, maxLength: 3 })
  .map(list => list.join(' '))

function rangesIn(text: string, query: string): unknown[] {
  return [...listMatches(text, parseQuery(query).parts)].map(({ start, end, part }) => [start, end, part.words])
}

test('ASCII lines, which are not tokenized, have the same matches as others', () => {
  fc.assert(
    fc.property(text, query, (text, query) => {
      const others = text.replaceAll('\n', '\u00b7').replace(/$/, '\u00b7')
      expect(rangesIn(text, query)).toEqual(rangesIn(others, query))
    }),
  )
})
