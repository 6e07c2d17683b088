import { describe, expect, test } from 'vitest'
import { isWikiError } from '../../src/core/errors.ts'
import { checkSource, fileOfSource, maxSourceBytes, sourceOfFile } from '../../src/operations/resources/source.ts'

describe('fileOfSource', () => {
  test.each([
    ['a', 'a\n'],
    ['a\n', 'a\n'],
    ['a\n\n \t\n', 'a\n'],
    ['a \t\v\0', 'a\n'],
    ['a\r\nb\r\n', 'a\nb\n'],
    ['a\rb', 'a\nb\n'],
    ['', ''],
    [' \n\n', ''],
    ['\n\na', '\n\na\n'],
    ['a\0b', 'a\uFFFDb\n'],
    ['e\u0301', '\u00e9\n'],
    ['a\x01\ufffe', 'a\ufffd\ufffd\n'],
    ['a\u00a0', 'a\u00a0\n'],
  ])('%j is stored as %j', (source, file) => {
    expect(fileOfSource(source)).toBe(file)
  })

  test('storing a stored text again changes nothing', () => {
    for (const source of ['a\n\n', '', 'x\r\ny', 'z\0 ']) {
      const file = fileOfSource(source)
      expect(fileOfSource(file)).toBe(file)
      expect(fileOfSource(sourceOfFile(file))).toBe(file)
    }
  })

  // In time that is not linear it would take longer than the limit of a test.
  test('a text may be a run of blanks', () => {
    const source = `${' '.repeat(maxSourceBytes)}x`
    expect(fileOfSource(source)).toBe(`${source}\n`)
  })
})

test.each([
  ['a\n', 'a'],
  ['a\n\n', 'a\n'],
  ['a', 'a'],
  ['', ''],
  ['\n', ''],
  ['a\r\n', 'a\r'],
])('the source of the file %j is %j', (file, source) => {
  expect(sourceOfFile(file)).toBe(source)
})

describe('checkSource', () => {
  const largest = 'ü'.repeat(maxSourceBytes / 2)

  test('accepts exactly 2 MiB of UTF-8, and a line feed', () => {
    expect(() => checkSource(`${largest}\n`, 'wikitext')).not.toThrow()
  })

  test('refuses one byte more', () => {
    expect(() => checkSource(`${largest}x\n`, 'wikitext')).toThrow(/2097152 bytes/)
  })

  test.each(['{', '', 'undefined', '{"a":1,}', '{} x', '[1]]'])('refuses %j as JSON', text => {
    const check = () => checkSource(fileOfSource(text), 'json')
    expect(check).toThrow(expect.toSatisfy(error => isWikiError(error, 'invalid-json-data')))
    expect(() => checkSource(fileOfSource(text), 'wikitext')).not.toThrow()
  })

  test.each(['{}', '[1, "ü"]', ' null ', '[['.repeat(50_000) + ']]'.repeat(50_000)])('takes JSON', text => {
    expect(() => checkSource(fileOfSource(text), 'json')).not.toThrow()
  })
})
