import { describe, expect, test } from 'vitest'
import { escaped, needsName, withoutOpenEnd } from '../../src/html2wt/elements/call-values.ts'

describe('values are escaped where they would end early', () => {
  test.each([
    ['a|b', 'a{{!}}b'],
    ['[[a|b]] {{c|d}} -{R|e}-', '[[a|b]] {{c|d}} -{R|e}-'],
    ['<ref>a|b</ref>', '<ref>a|b</ref>'],
    ['<b>a|b</b>', '<b>a{{!}}b</b>'],
    ['<!--a|b-->c|d', '<!--a|b-->c{{!}}d'],
    ['<!--a|b', '<!--a{{!}}b'],
    ['a }} b', '<nowiki>a }} b</nowiki>'],
    ['a [[ b', '<nowiki>a [[ b</nowiki>'],
    ['{{a}} }} b', '{{a}} <nowiki>}}</nowiki> b'],
    ['{{{a}}}', '{{{a}}}'],
    ['{{{a|{{b}}}}}', '{{{a|{{b}}}}}'],
    ['{{a|[[b}}', '<nowiki>{{a|[[b}}</nowiki>'],
  ])('%s', (value, wikitext) => {
    expect(escaped(value)).toBe(wikitext)
  })

  test('a brace at the end of a call', () => {
    expect(withoutOpenEnd('a }')).toBe('a <nowiki>}</nowiki>')
    expect(withoutOpenEnd('{{{a}}}')).toBe('{{{a}}}')
  })

  test('long values as well', { tags: 'long' }, () => {
    for (const part of ['a|b', '{{', '[[', '}}', '<!--', '<ref>', '<ref', '-{', '[[a|b]]|', '}'])
      expect(escaped(part.repeat(200_000)).length).toBeGreaterThanOrEqual(part.length * 200_000)
    expect(escaped('a|b'.repeat(20_000))).not.toMatch(/a\|b/)
  })
})

describe('values that need a name', () => {
  test.each([
    ['a=b', true],
    ['<b class="x">', true],
    ['{{a|b=c}} [[a|b=c]] <ref name="a">=</ref>', false],
    ['[[a=b', true],
    ['a', false],
  ])('%s: %s', (value, named) => {
    expect(needsName(value, false)).toBe(named)
  })

  test('headings already have one', () => {
    expect(needsName('\n== a ==\n', true)).toBe(false)
    expect(needsName('\n== a ==\n', false)).toBe(true)
    expect(needsName('\n== a ==', true)).toBe(true)
  })
})
