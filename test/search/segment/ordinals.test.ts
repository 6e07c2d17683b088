import fc from 'fast-check'
import { expect, test } from 'vitest'
import { forEachCommon, intersect, placeOf, union, without } from '../../../src/search/segment/ordinals.ts'

const list = fc
  .uniqueArray(fc.nat(300), { maxLength: 200 })
  .map(numbers => Uint32Array.from(numbers.sort((a, b) => a - b)))
const lists = fc.array(list, { minLength: 1, maxLength: 5 })

function ascending(numbers: Iterable<number>): number[] {
  return [...new Set(numbers)].sort((a, b) => a - b)
}

test('lists support union, intersection and difference as sets do', () => {
  fc.assert(
    fc.property(lists, given => {
      const [first, ...others] = given as [Uint32Array, ...Uint32Array[]]
      expect([...union(given)]).toEqual(ascending(given.flatMap(numbers => [...numbers])))
      expect([...intersect(given)]).toEqual([...first].filter(one => others.every(numbers => numbers.includes(one))))
      expect([...without(first, others)]).toEqual([...first].filter(one => !others.some(other => other.includes(one))))
    }),
  )
})

test('the intersection of two lists has positions, however much longer one is', () => {
  fc.assert(
    fc.property(list, list, (a, b) => {
      const found: number[][] = []
      forEachCommon(a, b, (atA, atB) => found.push([atA, atB]))
      expect(found).toEqual([...a].filter(one => b.includes(one)).map(one => [a.indexOf(one), b.indexOf(one)]))
      expect(placeOf(a, 7)).toBe(a.indexOf(7))
    }),
  )
})
