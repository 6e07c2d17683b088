import { describe, expect, test } from 'vitest'
import { offsetsInText, withLineEndsOf, withLineFeeds } from '../../src/core/line-ends.ts'

describe('withLineFeeds', () => {
  test('keeps a carriage return that does not end a line', () => {
    expect(withLineFeeds('a\r\nb\rc\n\r\n\r')).toBe('a\nb\rc\n\n\r')
  })
})

describe('offsetsInText', () => {
  test('returns nothing for a text with LF line endings', () => {
    expect(offsetsInText('a\nb\r')).toBeNull()
  })

  test('maps offsets in the normalised text to offsets in the text', () => {
    const text = 'a\r\nb\n\r\nc'
    const plain = withLineFeeds(text)
    const offsets = offsetsInText(text)!
    for (let at = 0; at < plain.length; at++) expect(withLineFeeds(text.slice(offsets(at)))).toBe(plain.slice(at))
    expect(offsets(plain.length)).toBe(text.length)
  })
})

describe('withLineEndsOf', () => {
  test.each([
    ['all lines end in LF', 'a\nb\n', 'a\nx\n', 'a\nx\n'],
    ['all lines end in CR LF', 'a\r\nb\r\n', 'a\nx\ny\n', 'a\r\nx\r\ny\r\n'],
    ['a changed line keeps its end', 'a\r\nb\r\nc\nd\n', 'a\nx\nc\nd\n', 'a\r\nx\r\nc\nd\n'],
    ['a line goes', 'a\r\nb\nc\r\nd\n', 'a\nc\nd\n', 'a\r\nc\r\nd\n'],
    ['a line comes', 'a\r\nb\nc\r\nd\n', 'a\nb\nx\nc\nd\n', 'a\r\nb\nx\r\nc\r\nd\n'],
    ['nothing changes', '\r\n\n\r\na\n\r\n', '\n\n\na\n\n', '\r\n\n\r\na\n\r\n'],
    ['the last line has no end', 'a\r\nb', 'a\nb\nc', 'a\r\nb\r\nc'],
  ])('%s', (_, original, text, expected) => {
    expect(withLineEndsOf(original, text)).toBe(expected)
  })
})
