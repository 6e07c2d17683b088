import { isUtf8 } from 'node:buffer'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { caseCollisions, isUnportable } from '../../src/checks/file-names.ts'
import { placesIn } from '../../src/checks/line-column.ts'
import { findConflictMarkers, findInvalidBytes, findUnclosed, readIgnored } from '../../src/checks/text-checks.ts'

const startsOf = (text: string) => findUnclosed(text).map(({ kind, start }) => `${kind} ${start}`)

test('finds the first bytes that are not UTF-8, and U+FFFD itself is a character', () => {
  const piece = fc.oneof(
    fc.constantFrom('a', '\ufffd', 'é', '😀', '\ufeff').map(text => Buffer.from(text)),
    fc
      .constantFrom('\xe9', '\xef\xbf', '\xef', '\xbd', '\xed\xa0\x80', '\xf0\x9f')
      .map(bytes => Buffer.from(bytes, 'latin1')),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), pieces => {
      const bytes = Buffer.concat(pieces)
      const text = bytes.toString('utf8')
      const [found] = findInvalidBytes(text, bytes)
      expect(found === undefined).toBe(isUtf8(bytes))
      if (found === undefined) return
      const before = Buffer.from(text.slice(0, found.start))
      expect(bytes.subarray(0, before.length)).toEqual(before)
      expect(text[found.start]).toBe('\ufffd')
      expect(isUtf8(bytes.subarray(0, before.length + 3)) && bytes.length >= before.length + 3).toBe(false)
    }),
    { seed: 22 },
  )
})

describe('brackets without an end', () => {
  test.each([
    ['[[Ebb', ['unclosed-link 0']],
    ['a [[Ebb\n\n[[Flood]]', ['unclosed-link 2']],
    ['[[File:A.png|thumb|a [[link]] of two\nlines]]', []],
    ['[[File:A.png|a [[link]', ['unclosed-link 0', 'unclosed-link 15']],
    ['{{Tide|high=[[Ebb]]', ['unclosed-template 0']],
    ['{{Tide|high=[[Ebb}} [[Flood]]', ['unclosed-link 12']],
    ['{{{1|{{{2}}}}}} {{{{{which}}}}}', []],
    ['{| class="x"\n|}\n}} ]]', []],
    ['<nowiki>[[</nowiki> <!-- {{ --> <pre>[[</pre>', []],
    ['<nowiki>[[a', ['unclosed-link 8']],
    ['<!-- [[a', []],
    [' [["x"]]\n a[[i', []],
    ['x = [[1, 2], [3]]', []],
  ])('%j', (text, expected) => {
    expect(startsOf(text)).toEqual(expected)
  })

  test.each(['[[', '{{', '{{[[', '<nowiki>', '<!--', ']]', '}}', '<nowiki', '</nowiki'])(
    'a page full of %s takes time in proportion to its length',
    sign => {
      // Without a bound the largest of these takes minutes.
      expect(findUnclosed(`${sign}a`.repeat(100_000)).length).toBeLessThanOrEqual(200_000)
    },
  )
})

describe('conflict markers', () => {
  const conflict = '<<<<<<< HEAD\nhigh\n||||||| base\nx\n=======\nlow\n>>>>>>> draft\n'
  test.each([
    [conflict, [0]],
    [`text\r\n${conflict.replaceAll('\n', '\r\n')}${conflict}`, [6, 72]],
    ['=======\n', []],
    ['<<<<<<< HEAD\nhigh\n>>>>>>> draft\n', []],
    ['a <<<<<<< HEAD\n=======\n>>>>>>> b\n', []],
  ])('%j', (text, starts) => {
    expect(findConflictMarkers(text).map(({ start }) => start)).toEqual(starts)
  })
})

test('a comment silences kinds if it gives a reason', () => {
  const { kinds, reasonless } = readIgnored(
    '<!-- wiki-check-ignore obsolete-tag, unclosed-link: quoted -->\n<!-- wiki-check-ignore fostered: -->',
  )
  expect([...kinds]).toEqual(['obsolete-tag', 'unclosed-link'])
  expect(reasonless.map(({ start }) => start)).toEqual([63])
})

test('names that are invalid on Windows', () => {
  const names = [
    'Aux.wiki',
    'a/con',
    'COM1.md',
    'a?.wiki',
    'folder./a.wiki',
    'a .wiki',
    'Auxiliary.wiki',
    'com10.md',
    'trailing ',
  ]
  expect(names.filter(isUnportable)).toEqual(['Aux.wiki', 'a/con', 'COM1.md', 'a?.wiki', 'folder./a.wiki', 'trailing '])
})

test('paths that differ in case or in the form of accents', () => {
  expect(caseCollisions(['b.wiki', 'A.wiki', 'a.wiki', 'e\u0301.wiki', 'é.wiki'])).toEqual([
    { path: 'a.wiki', other: 'A.wiki' },
    { path: 'é.wiki', other: 'e\u0301.wiki' },
  ])
})

test('places count lines and columns from 1, in UTF-16 units and in bytes', () => {
  const place = placesIn('a\r\n😀é b\nc')(6, 10)
  expect(place).toEqual({
    line: 2,
    column: 4,
    endLine: 3,
    endColumn: 2,
    byteColumn: 7,
    endByteColumn: 2,
    source: '😀é b',
  })
})
