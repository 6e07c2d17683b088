import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Merge, mergeTexts as merged } from '../../src/diff/merge.ts'
import { joinLines, text } from './_texts.ts'

/** The merge by lines alone. */
function mergeTexts(base: string, mine: string, theirs: string): Merge {
  return merged(base, mine, theirs, { by: 'lines' })
}

/** Lines of letters, one each. */
function lines(letters: string): string {
  return joinLines([...letters])
}

function merge(base: string, mine: string, theirs: string): string | null {
  const result = mergeTexts(lines(base), lines(mine), lines(theirs))
  return result.merged ? result.text.replaceAll('\n', '') : null
}

function textOf(result: Merge): string | null {
  return result.merged ? result.text : null
}

describe('a merge by lines', () => {
  test.each([
    ['an insertion before a change', 'abc', 'xabc', 'abC', 'xabC'],
    ['changes with one line between', 'abcde', 'aBcde', 'abcDe', 'aBcDe'],
    ['a deletion and an insertion', 'abcde', 'acde', 'abcdxe', 'acdxe'],
    ['changes at both ends', 'ab', 'xab', 'aby', 'xaby'],
    ['the same change', 'abc', 'aXc', 'aXc', 'aXc'],
    ['the same insertion', 'ab', 'aXb', 'aXb', 'aXb'],
    ['the same change beside another one', 'abcde', 'aXcde', 'aXcdE', 'aXcdE'],
    ['the same deletion of all', 'ab', '', '', ''],
    ['a change of one side only', 'abc', 'abc', 'aBc', 'aBc'],
  ])('accepts %s', (_, base, mine, theirs, merged) => {
    expect(merge(base, mine, theirs)).toBe(merged)
    expect(merge(base, theirs, mine)).toBe(merged)
  })

  test.each([
    ['different changes of a line', 'abc', 'aXc', 'aYc'],
    ['changes of lines that touch', 'abcd', 'aXcd', 'abYd'],
    ['different insertions at one place', 'ab', 'aXb', 'aYb'],
    ['different lines appended', 'ab', 'abX', 'abY'],
    ['an insertion beside a change', 'abc', 'abXc', 'aYc'],
    ['an insertion where the other side deletes', 'abc', 'abXc', 'ab'],
    ['a change of what the other side deletes', 'abc', 'aBc', 'ac'],
    ['a change of what the other side blanks', 'abc', '', 'abcd'],
    ['more than the same change', 'abcd', 'aXYd', 'aXcd'],
    ['an insertion among equal lines beside another one', 'aaa', 'aaaa', 'baaa'],
  ])('refuses %s', (_, base, mine, theirs) => {
    expect(merge(base, mine, theirs)).toBeNull()
    expect(merge(base, theirs, mine)).toBeNull()
  })

  test.each([
    ['white space at the ends', 'a\nb', 'a\nb \t\r\n\v\0\n\n', 'a\nc', 'a\nc\n'],
    ['an empty text', '', ' \n', '\n\n', ''],
    ['what one side has emptied', 'a\n\nb', '\n', 'a\n\nb', ''],
    ['blanks inside and at the start', ' a\n\nb', ' a\n\nb', ' a\n \nb\n', ' a\n \nb\n'],
  ])('ends %s with one line feed, or none', (_, base, mine, theirs, merged) => {
    expect(textOf(mergeTexts(base, mine, theirs))).toBe(merged)
  })

  test('of an unchanged side is the other side', () => {
    fc.assert(
      fc.property(text, text, (base, other) => {
        const normal = textOf(mergeTexts(other, other, other))
        expect(normal?.trimEnd()).toBe(other.trimEnd())
        expect(textOf(mergeTexts(base, base, other))).toBe(normal)
        expect(textOf(mergeTexts(base, other, base))).toBe(normal)
        expect(textOf(mergeTexts(base, other, other))).toBe(normal)
      }),
      { numRuns: 500 },
    )
  })

  test('is symmetric', () => {
    fc.assert(
      fc.property(text, text, text, (base, mine, theirs) => {
        expect(mergeTexts(base, mine, theirs)).toEqual(mergeTexts(base, theirs, mine))
      }),
      { numRuns: 1000 },
    )
  })
})

/** Positions in the base where a side inserts lines, and lines of the base that it removes. */
interface Edit {
  readonly at: number
  readonly take: number
  readonly put: number
}

/** A base of different lines, and what each side does to it. */
const edits: fc.Arbitrary<{ size: number; mine: Edit[]; theirs: Edit[] }> = fc
  .integer({ min: 1, max: 24 })
  .chain(size => {
    const edit = fc.record({ at: fc.nat(size), take: fc.nat(2), put: fc.nat(2) })
    const side = fc.array(edit, { maxLength: 3 })
    return fc.record({ size: fc.constant(size), mine: side, theirs: side })
  })

function applyEdits(base: readonly string[], side: readonly Edit[], name: string): string[] {
  const result = base.map(line => [line])
  result.push([])
  for (const [number, { at, take, put }] of side.entries()) {
    for (let gone = at; gone < Math.min(at + take, base.length); gone++)
      result[gone] = result[gone]!.filter(line => !base.includes(line))
    for (let line = 0; line < put; line++) result[at]!.unshift(`${name}${number}.${line}`)
  }
  return result.flat()
}

describe('merged edits of different lines', () => {
  test('contain each insertion once, and nothing that a side removed', { tags: 'long' }, () => {
    let merges = 0
    fc.assert(
      fc.property(edits, ({ size, mine, theirs }) => {
        const base = Array.from({ length: size }, (_, line) => `base ${line}`)
        const [mineLines, theirsLines] = [applyEdits(base, mine, 'mine '), applyEdits(base, theirs, 'theirs ')]
        const result = mergeTexts(joinLines(base), joinLines(mineLines), joinLines(theirsLines))
        if (!result.merged) return
        merges++
        const got = result.text.split('\n').slice(0, -1)
        const wanted = [
          ...base.filter(line => mineLines.includes(line) && theirsLines.includes(line)),
          ...[...mineLines, ...theirsLines].filter(line => !base.includes(line)),
        ]
        expect(got.toSorted()).toEqual(wanted.toSorted())
        expect(got.filter(line => mineLines.includes(line))).toEqual(mineLines.filter(line => got.includes(line)))
        expect(got.filter(line => theirsLines.includes(line))).toEqual(theirsLines.filter(line => got.includes(line)))
      }),
      { numRuns: 1000 },
    )
    expect(merges).toBeGreaterThan(200)
  })

  test('with a line between them always merge', () => {
    fc.assert(
      fc.property(fc.integer({ min: 5, max: 30 }), fc.nat(), fc.nat(), (size, first, second) => {
        const base = Array.from({ length: size }, (_, line) => `base ${line}`)
        const mineAt = first % (size - 2)
        const theirsAt = mineAt + 2 + (second % (size - mineAt - 2))
        const change = (at: number, line: string): string => joinLines(base.with(at, line))
        const both = joinLines(base.with(mineAt, 'mine').with(theirsAt, 'theirs'))
        expect(textOf(mergeTexts(joinLines(base), change(mineAt, 'mine'), change(theirsAt, 'theirs')))).toBe(both)
      }),
    )
  })
})
