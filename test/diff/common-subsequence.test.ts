import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findChanges } from '../../src/diff/common-subsequence.ts'
import { type ShiftDirection, shiftRuns } from '../../src/diff/shift-runs.ts'
import { createWorkspace } from '../../src/diff/workspace.ts'
import { rounds } from '../_rounds.ts'
import { referenceChanges } from './_reference.ts'

const size = 1000

/** Common items of both lists as text; a dot for each changed one. */
function show(from: string, to: string, options = {}): string {
  const [fromItems, toItems] = [itemsOf(from), itemsOf(to)]
  const changes = findChanges(fromItems, toItems, createWorkspace(size), options)
  return [dotted(from, changes.from), dotted(to, changes.to)].join(' ')
}

function itemsOf(text: string): Int32Array {
  return Int32Array.from(text, sign => sign.charCodeAt(0))
}

function dotted(text: string, changed: Uint8Array): string {
  return Array.from(text, (sign, at) => (changed[at] === 1 ? '.' : sign)).join('')
}

/** Lists with enough different items for both paths of `findPath`. */
function lists(maxLength: number): fc.Arbitrary<{ from: number[]; to: number[] }> {
  return fc.constantFrom(2, 3, 8, 40, size).chain(distinct => {
    const list = fc.array(fc.nat(distinct - 1), { maxLength, size: 'max' })
    return fc.record({ from: list, to: list })
  })
}

describe('the common subsequence', () => {
  test.each([
    ['abc', 'abc', 'abc abc'],
    ['', 'abc', ' ...'],
    ['abc', 'xyz', '... ...'],
    ['abcd', 'acbd', 'a.cd ac.d'],
    ['bca', 'abc', 'bc. .bc'],
  ])('of %s and %s leaves %s', (from, to, kept) => {
    expect(show(from, to)).toBe(kept)
  })

  test.each([80, 400])(
    'is the one that the definition requires, in lists of up to %i items',
    { tags: ['rounds', 'long'] },
    maxLength => {
      const workspace = createWorkspace(size)
      fc.assert(
        fc.property(lists(maxLength), ({ from, to }) => {
          const [fromItems, toItems] = [Int32Array.from(from), Int32Array.from(to)]
          const wanted = referenceChanges(from, to)
          shiftRuns(fromItems, wanted.from, wanted.to, 'up')
          shiftRuns(toItems, wanted.to, wanted.from, 'up')
          const { from: fromChanged, to: toChanged } = findChanges(fromItems, toItems, workspace)
          expect({ from: fromChanged, to: toChanged }).toEqual(wanted)
        }),
        { numRuns: maxLength > 100 ? rounds(20, 60) : rounds(200, 600), endOnFailure: true },
      )
    },
  )

  test('leaves the workspace unchanged', () => {
    const workspace = createWorkspace(size)
    fc.assert(
      fc.property(lists(60), ({ from, to }) => {
        findChanges(Int32Array.from(from), Int32Array.from(to), workspace)
        const { slots, heads, counts, masks } = workspace
        expect([slots, counts].every(buffer => buffer.every(item => item === 0))).toBe(true)
        expect([heads, masks].every(buffer => buffer.every(item => item === -1))).toBe(true)
      }),
    )
  })

  test('is empty above the limit of cells, which counts only the changed middles', () => {
    expect(show('abcd', 'axyd', { maxCells: 4 })).toBe('a..d a..d')
    expect(show('abcd', 'axyd', { maxCells: 3 })).toBe('.... ....')
  })

  test('of lists too large to be compared as a whole is common, and finds items at the same position', {
    tags: 'long',
  }, () => {
    const length = 40_000
    const from = Int32Array.from({ length }, (_, at) => (at * at + (at >> 3)) % 3)
    const to = Int32Array.from(from, (item, at) => (at % 100 === 0 ? (item + 1) % 3 : item))
    const changes = findChanges(from, to, createWorkspace(size))
    const kept = (list: Int32Array, changed: Uint8Array): Int32Array => list.filter((_, at) => changed[at] === 0)
    expect(kept(from, changes.from)).toEqual(kept(to, changes.to))
    expect(changes.from.reduce((sum, flag) => sum + flag)).toBeLessThan(length / 40)
  })
})

describe('runs of changes', () => {
  test.each<[ShiftDirection, string, string, string]>([
    ['up', 'ab', 'abab', 'ab ..ab'],
    ['down', 'ab', 'abab', 'ab ab..'],
    ['up', 'xay', 'xaay', 'xay x.ay'],
    ['down', 'xay', 'xaay', 'xay xa.y'],
    ['up', 'xaaay', 'xay', 'x..ay xay'],
    ['down', 'xaaay', 'xay', 'xa..y xay'],
    ['up', 'xa', 'xaa', 'xa x.a'],
    ['up', 'ab', 'aab', 'ab .ab'],
    ['up', 'b\naXb\n', 'b\nab\n', 'b\na.b\n b\nab\n'],
  ])('move %s: %s and %s leave %s', (shift, from, to, kept) => {
    expect(show(from, to, { shift })).toBe(kept)
  })

  test('keep the result: shifting changes no count and no common subsequence', { tags: 'long' }, () => {
    fc.assert(
      fc.property(lists(60), fc.constantFrom<ShiftDirection>('up', 'down'), ({ from, to }, shift) => {
        const [fromItems, toItems] = [Int32Array.from(from), Int32Array.from(to)]
        const before = referenceChanges(from, to)
        const after = findChanges(fromItems, toItems, createWorkspace(size), { shift })
        const kept = (list: number[], changed: Uint8Array): number[] => list.filter((_, at) => changed[at] === 0)
        expect(kept(from, after.from)).toEqual(kept(to, after.to))
        expect(kept(from, after.from).length).toBe(kept(from, before.from).length)
      }),
      { numRuns: 500 },
    )
  })
})
