import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { DiffElement } from '../../src/core/comparison.ts'
import { compareTexts } from '../../src/diff/compare-texts.ts'
import { falseElements } from '../conformance/_diff-elements.ts'
import { applyComparison } from './_apply.ts'
import { editedText, joinLines, text } from './_texts.ts'

/** Ten lines that have no word in common. */
const lines = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine']

function replaced(at: number, ...put: string[]): string {
  return joinLines([...lines.slice(0, at), ...put, ...lines.slice(at + 1)])
}

/** Type and text of each element. */
function outline(elements: readonly DiffElement[]): [type: number, text: string][] {
  return elements.map(({ type, text }) => [type, text])
}

describe('texts without differences', () => {
  test.each([
    ['two empty texts', '', ''],
    ['equal texts', 'a\nb\n', 'a\nb\n'],
    ['a line feed at the very end', 'a\nb', 'a\nb\n'],
  ])('produce no elements: %s', (_, from, to) => {
    expect(compareTexts(from, to)).toEqual([])
  })
})

describe('the elements of a comparison', () => {
  test.each<[string, string, string, DiffElement[]]>([
    ['an added line', '', 'é\n', [{ type: 1, lineNumber: 1, text: 'é', offset: { from: null, to: 0 } }]],
    ['a deleted line', 'a\n', '', [{ type: 2, text: 'a', offset: { from: 0, to: null } }]],
    [
      'an added empty line',
      'a',
      'a\n\n',
      [
        { type: 0, lineNumber: 1, text: 'a', offset: { from: 0, to: 0 } },
        { type: 1, lineNumber: 2, text: '', offset: { from: null, to: 2 } },
      ],
    ],
    [
      'a changed line',
      'ä is old\n',
      'ä is new\n',
      [
        {
          type: 3,
          lineNumber: 1,
          text: 'ä is oldnew',
          offset: { from: 0, to: 0 },
          highlightRanges: [
            { start: 6, length: 3, type: 1 },
            { start: 9, length: 3, type: 0 },
          ],
        },
      ],
    ],
    [
      'a line with nothing in common, added before deleted',
      'abc\n',
      'xyz\n',
      [
        { type: 1, lineNumber: 1, text: 'xyz', offset: { from: null, to: 0 } },
        { type: 2, text: 'abc', offset: { from: 0, to: null } },
      ],
    ],
    [
      'a carriage return',
      'a b\r\n',
      'a b\n',
      [
        {
          type: 3,
          lineNumber: 1,
          text: 'a b\r',
          offset: { from: 0, to: 0 },
          highlightRanges: [{ start: 3, length: 1, type: 1 }],
        },
      ],
    ],
    [
      'a leading blank, which counts as nothing beside a leading tab',
      ' a\n',
      '\ta\n',
      [{ type: 3, lineNumber: 1, text: ' a', offset: { from: 0, to: 0 }, highlightRanges: [] }],
    ],
    [
      'a NUL, which ends the words of its line',
      'a b\0c\n',
      'a b\0d\n',
      [{ type: 3, lineNumber: 1, text: 'a b', offset: { from: 0, to: 0 }, highlightRanges: [] }],
    ],
    [
      'surplus lines after the pairs',
      'a b c\n',
      'a b d\nx\ny\n',
      [
        {
          type: 3,
          lineNumber: 1,
          text: 'a b cd',
          offset: { from: 0, to: 0 },
          highlightRanges: [
            { start: 4, length: 1, type: 1 },
            { start: 5, length: 1, type: 0 },
          ],
        },
        { type: 1, lineNumber: 2, text: 'x', offset: { from: null, to: 6 } },
        { type: 1, lineNumber: 3, text: 'y', offset: { from: null, to: 8 } },
      ],
    ],
  ])('show %s', (_, from, to, elements) => {
    const got = compareTexts(from, to)
    expect(got).toEqual(elements)
    expect(JSON.stringify(got)).toBe(JSON.stringify(elements))
  })

  test('have their keys in the order of the wire', () => {
    const keys = compareTexts(joinLines(lines), joinLines(lines.toReversed())).map(element =>
      Object.keys(element).join(),
    )
    expect(new Set(keys)).toEqual(
      new Set([
        'type,lineNumber,text,offset',
        'type,moveInfo,text,offset',
        'type,lineNumber,moveInfo,text,offset,highlightRanges',
      ]),
    )
  })

  test.each<[string, string, string, [number, string][]]>([
    [
      'two lines before and after',
      joinLines(lines),
      replaced(5, 'new'),
      [
        [0, 'three'],
        [0, 'four'],
        [1, 'new'],
        [2, 'five'],
        [0, 'six'],
        [0, 'seven'],
      ],
    ],
    [
      'none before the first line',
      joinLines(lines),
      replaced(0, 'new'),
      [
        [1, 'new'],
        [2, 'zero'],
        [0, 'one'],
        [0, 'two'],
      ],
    ],
    [
      'none after the last line',
      joinLines(lines),
      replaced(9, 'new'),
      [
        [0, 'seven'],
        [0, 'eight'],
        [1, 'new'],
        [2, 'nine'],
      ],
    ],
    [
      'each line once where changes are near',
      'x\na\nb\nc\ny\n',
      'a\nb\nc\n',
      [
        [2, 'x'],
        [0, 'a'],
        [0, 'b'],
        [0, 'c'],
        [2, 'y'],
      ],
    ],
    [
      'no mark where lines are left out',
      'x\na\nb\nc\nd\ne\ny\n',
      'a\nb\nc\nd\ne\n',
      [
        [2, 'x'],
        [0, 'a'],
        [0, 'b'],
        [0, 'd'],
        [0, 'e'],
        [2, 'y'],
      ],
    ],
  ])('show as context %s', (_, from, to, expected) => {
    expect(outline(compareTexts(from, to))).toEqual(expected)
  })

  test.each<[string, string, string, [number, string][]]>([
    ['just alike enough', 'aa bbbbbbb', 'aa ccccccc', [[3, 'aa bbbbbbbccccccc']]],
    [
      'alike by exactly a fifth',
      'a bbbbbbbb',
      'a cccccccc',
      [
        [1, 'a cccccccc'],
        [2, 'a bbbbbbbb'],
      ],
    ],
    [
      'two times unlike',
      'a\nb',
      'c\nd',
      [
        [1, 'c'],
        [2, 'a'],
        [1, 'd'],
        [2, 'b'],
      ],
    ],
    [
      'unlike, then alike',
      'a\nx y z',
      'c\nx y w',
      [
        [1, 'c'],
        [2, 'a'],
        [3, 'x y zw'],
      ],
    ],
  ])('pair lines in order: %s', (_, from, to, expected) => {
    expect(outline(compareTexts(from, to))).toEqual(expected)
  })
})

describe('highlight ranges', () => {
  test.each<[string, string, string, string, [start: number, length: number, type: number][]]>([
    [
      'are not joined across equal words',
      'a b c',
      'x b y',
      'ax b cy',
      [
        [0, 1, 1],
        [1, 1, 0],
        [5, 1, 1],
        [6, 1, 0],
      ],
    ],
    [
      'count bytes',
      '語 é b',
      '語 é c',
      '語 é bc',
      [
        [7, 1, 1],
        [8, 1, 0],
      ],
    ],
    [
      'take each Han character for a word',
      '日本語',
      '日本人',
      '日本語人',
      [
        [6, 3, 1],
        [9, 3, 0],
      ],
    ],
    [
      'take a run of letters for one word',
      'näive_1 and b',
      'näive_2 and b',
      'näive_1näive_2 and b',
      [
        [0, 8, 1],
        [8, 8, 0],
      ],
    ],
    ['lie as far up as they can', 'a b', 'a b b', 'a b b', [[1, 2, 0]]],
  ])('%s', (_, from, to, merged, ranges) => {
    const [element] = compareTexts(from, to)
    expect(element?.text).toBe(merged)
    expect(element?.highlightRanges?.map(({ start, length, type }) => [start, length, type])).toEqual(ranges)
  })

  test('cover both lines if these are too long to compare', () => {
    const [first, second] = ['same a'.padEnd(7000, '.'), 'same b'.padEnd(7001, '.')]
    const middles = [`${first},end`, `${second};;end`]
    expect(compareTexts(middles[0]!, middles[1]!)).toMatchObject([
      {
        type: 3,
        text: middles.join(''),
        highlightRanges: [
          { start: 0, length: 7004, type: 1 },
          { start: 7004, length: 7006, type: 0 },
        ],
      },
    ])
  })
})

describe('moved lines', () => {
  test('show their old and new positions', () => {
    const from = 'The paragraph that moves.\none\ntwo\nthree\n'
    const to = 'one\ntwo\nthree\nThe paragraph that moved.\n'
    const [left, ...rest] = compareTexts(from, to)
    expect(left).toEqual({
      type: 4,
      moveInfo: { id: 'movedpara_0_0_lhs', linkId: 'movedpara_2_0_rhs', linkDirection: 0 },
      text: 'The paragraph that moves.',
      offset: { from: 0, to: null },
    })
    expect(rest.at(-1)).toEqual({
      type: 5,
      lineNumber: 4,
      moveInfo: { id: 'movedpara_2_0_rhs', linkId: 'movedpara_0_0_lhs', linkDirection: 1 },
      text: 'The paragraph that movesmoved.',
      offset: { from: null, to: 14 },
      highlightRanges: [
        { start: 19, length: 5, type: 1 },
        { start: 24, length: 5, type: 0 },
      ],
    })
  })

  test.each<[string, string, string, [number, string][]]>([
    [
      'alike by exactly two fifths',
      'aaa xxxxxx\none\n',
      'one\naaa yyyyyy\n',
      [
        [2, 'aaa xxxxxx'],
        [0, 'one'],
        [1, 'aaa yyyyyy'],
      ],
    ],
    [
      'empty',
      '\none\ntwo\n',
      'one\ntwo\n\n',
      [
        [2, ''],
        [0, 'one'],
        [0, 'two'],
        [1, ''],
      ],
    ],
    [
      'changed in place as well',
      'x a b\none\ntwo\n',
      'x a c\none\ntwo\nx a b\n',
      [
        [3, 'x a bc'],
        [0, 'one'],
        [0, 'two'],
        [1, 'x a b'],
      ],
    ],
    [
      'taken by a line like it before',
      'a b c\na b c\none\ntwo\n',
      'one\ntwo\na b c\n',
      [
        [4, 'a b c'],
        [2, 'a b c'],
        [0, 'one'],
        [0, 'two'],
        [5, 'a b c'],
      ],
    ],
  ])('are not reported as moved if they are %s', (_, from, to, expected) => {
    expect(outline(compareTexts(from, to))).toEqual(expected)
  })

  test('are one changed line if one position follows the other, with both offsets', () => {
    expect(compareTexts('The paragraph that stays.\n', 'x\nThe paragraph that stayed.\n')).toEqual([
      { type: 1, lineNumber: 1, text: 'x', offset: { from: null, to: 0 } },
      {
        type: 3,
        lineNumber: 2,
        text: 'The paragraph that staysstayed.',
        offset: { from: 0, to: 2 },
        highlightRanges: [
          { start: 19, length: 5, type: 1 },
          { start: 24, length: 6, type: 0 },
        ],
      },
    ])
  })

  test.each([
    ['found among a hundred added and deleted lines', 49, [4, 5]],
    ['not looked for among more', 50, []],
  ])('are %s', (_, others, types) => {
    const noise = (word: string): string[] => Array.from({ length: others }, (_, index) => `${word}${index}`)
    const moved = 'The paragraph that moves.'
    const from = joinLines([moved, ...noise('gone'), 'one'])
    const to = joinLines(['one', ...noise('come'), moved])
    expect(compareTexts(from, to).flatMap(({ type }) => (type > 3 ? type : []))).toEqual(types)
  })
})

describe('every comparison', () => {
  const pair = fc.oneof(editedText, fc.record({ from: text, to: text }))

  test('contains both texts', { tags: 'long' }, () => {
    fc.assert(
      fc.property(pair, ({ from, to }) => {
        expect(applyComparison(from, compareTexts(from, to))).toEqual({ from, to })
      }),
      { numRuns: 1000 },
    )
  })

  test('has its lines at their offsets in both texts, and their numbers', () => {
    fc.assert(
      fc.property(pair, ({ from, to }) => {
        expect(falseElements(compareTexts(from, to), { from, to })).toEqual([])
      }),
      { numRuns: 500 },
    )
  })

  test('has highlight ranges that ascend, do not overlap and split no character', { tags: 'long' }, () => {
    fc.assert(
      fc.property(pair, ({ from, to }) => {
        for (const { text, highlightRanges = [] } of compareTexts(from, to)) {
          let end = 0
          for (const { start, length } of highlightRanges) {
            expect(start).toBeGreaterThanOrEqual(end)
            expect(length).toBeGreaterThan(0)
            end = start + length
            const part = Buffer.from(text).subarray(start, end)
            expect(Buffer.from(part.toString()).equals(part)).toBe(true)
          }
          expect(end).toBeLessThanOrEqual(Buffer.byteLength(text))
        }
      }),
      { numRuns: 500 },
    )
  })

  test('links moved lines in pairs that name each other', () => {
    fc.assert(
      fc.property(editedText, ({ from, to }) => {
        const moves = compareTexts(from, to).flatMap(({ moveInfo }) => moveInfo ?? [])
        const ids = moves.map(({ id }) => id)
        expect(new Set(ids).size).toBe(ids.length)
        for (const { id, linkId } of moves) expect(id.slice(-3)).not.toBe(linkId.slice(-3))
      }),
      { numRuns: 500 },
    )
  })

  test('of any two strings succeeds', { tags: 'long' }, () => {
    const anyText = fc.string({
      unit: fc.constantFrom('a', ' ', '\t', '\n', '\0', '\r', 'é', 'ก', '.', '\ud800', '語'),
      maxLength: 60,
    })
    fc.assert(
      fc.property(anyText, anyText, (from, to) => {
        for (const { type } of compareTexts(from, to)) expect(type).toBeLessThanOrEqual(5)
      }),
      { numRuns: 1000 },
    )
  })

  test('of two large texts with few different lines is correct, if not the shortest', { tags: 'long' }, () => {
    let seed = 7
    const random = (): number => {
      seed = (Math.imul(seed, 1103515245) + 12345) >>> 0
      return seed >>> 16
    }
    const large = (): string => joinLines(Array.from({ length: 30_000 }, () => (random() % 2 === 0 ? 'a' : 'b')))
    const [from, to] = [large(), large()]
    const elements = compareTexts(from, to)
    expect(elements.length).toBeGreaterThan(0)
    const count = (kinds: number[]): number => elements.filter(({ type }) => kinds.includes(type)).length
    expect(count([1, 5]) - count([2, 4])).toBe(to.split('\n').length - from.split('\n').length)
    expect(count([2, 4])).toBeLessThan(12_000)
  })
})
