import { describe, expect, test } from 'vitest'
import { formatBaseline, judge, prunedBaseline, readBaseline } from '../../src/checks/baseline.ts'
import { differenceOf, fingerprints } from '../../src/checks/difference.ts'
import { problem } from './_problem.ts'

describe('new problems', () => {
  test('are those that did not exist before, whatever their lines', () => {
    const before = [problem({ text: '<tt>', line: 1 }), problem({ text: '<b>', line: 2 })]
    const after = [problem({ text: '<b>', line: 9 }), problem({ text: '<i>', line: 3 })]
    const { added, gone } = differenceOf(before, after)
    expect(added).toEqual([after[1]])
    expect(gone).toBe(1)
  })

  test('among equal ones are those on new lines', () => {
    const before = [problem({ source: 'old <tt>', line: 5 })]
    const after = [problem({ source: 'new <tt>', line: 1 }), problem({ source: 'old <tt>', line: 7 })]
    expect(differenceOf(before, after).added).toEqual([after[0]])
  })

  test('do not result from a move', () => {
    const before = [problem({ path: 'Old.wiki' })]
    const after = [problem({ path: 'New.wiki' })]
    expect(differenceOf(before, after, path => (path === 'Old.wiki' ? 'New.wiki' : path)).added).toEqual([])
    expect(differenceOf(before, after).added).toEqual(after)
  })
})

test('fingerprints differ for equal problems and stay when lines move', () => {
  const names = fingerprints([problem({ line: 1 }), problem({ line: 2 }), problem({ kind: 'other' })])
  expect(new Set(names).size).toBe(3)
  expect(fingerprints([problem({ line: 8 }), problem({ line: 9 })])).toEqual(names.slice(0, 2))
})

describe('the baseline', () => {
  const old = [problem({ path: 'B.wiki' }), problem({ path: 'B.wiki' }), problem({ path: 'A.wiki', kind: 'x' })]
  const text = formatBaseline(old)
  const baseline = readBaseline(text, 'wiki-baseline.json')

  test('is sorted JSON by file and kind', () => {
    expect(text).toBe(
      `${JSON.stringify({ 'A.wiki': { x: { count: 1 } }, 'B.wiki': { 'obsolete-tag': { count: 2 } } }, null, 2)}\n`,
    )
  })

  test('covers the counted problems; if there are more, all are reported', () => {
    expect(judge(old, baseline)).toEqual({ fresh: [], known: old, unneeded: [] })
    const more = [...old, problem({ path: 'B.wiki' })]
    expect(judge(more, baseline).fresh.map(({ path }) => path)).toEqual(['B.wiki', 'B.wiki', 'B.wiki'])
  })

  test('reports entries that count too many, and removes them', () => {
    const left = old.slice(1, 2)
    expect(judge(left, baseline).unneeded).toEqual([
      { path: 'A.wiki', kind: 'x', count: 1 },
      { path: 'B.wiki', kind: 'obsolete-tag', count: 1 },
    ])
    expect(JSON.parse(prunedBaseline(left, baseline))).toEqual({ 'B.wiki': { 'obsolete-tag': { count: 1 } } })
  })

  test.each(['', '[]', '{"A": 1}', '{"A": {"x": {}}}', '{"A": {"x": {"count": "many"}}}'])(
    '%j is not a baseline',
    broken => {
      expect(() => readBaseline(broken, 'wiki-baseline.json')).toThrow(/wiki-baseline.json cannot be read/)
    },
  )

  test('accepts file names that are names of object members', () => {
    const odd = [problem({ path: '__proto__', kind: 'constructor' })]
    expect(judge(odd, {}).fresh).toEqual(odd)
    expect(judge(odd, readBaseline(formatBaseline(odd), 'b')).known).toEqual(odd)
  })
})
