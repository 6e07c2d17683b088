import { describe, expect, test } from 'vitest'
import { offsetsInText, withLineEndsOf, withLineFeeds } from '../../src/core/line-ends.ts'

describe('withLineFeeds', () => {
  test('converts each line end, also a lone carriage return', () => {
    expect(withLineFeeds('a\r\nb\rc\n\r\n\r')).toBe('a\nb\nc\n\n\n')
  })

  test('replaces the characters that XML cannot express, and no others', () => {
    const kept = '\t \x7f\x85\xa0\u2028\ufdd0\ufffd\u{1fffe}😀'
    expect(withLineFeeds(`\0\x01\x0c\x1f\ufffe\uffff\ud800x\udc00${kept}`)).toBe(
      `${'\ufffd'.repeat(7)}x\ufffd${kept}`.replace('\ufffd'.repeat(7), '\ufffd'.repeat(7)),
    )
  })
})

describe('offsetsInText', () => {
  test('returns nothing for a text with LF line endings', () => {
    expect(offsetsInText('a\nb\r\x01')).toBeNull()
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
    ['lines end in a lone CR', 'a\rb\rc\r', 'a\nx\nc\n', 'a\rx\rc\r'],
    ['one lone CR among LF', 'a\rb\nc\n', 'a\nb\nx\n', 'a\rb\nx\n'],
    [
      'control characters in another line',
      'a\x01\nb\n\ufffe\0\n',
      'a\ufffd\nx\n\ufffd\ufffd\n',
      'a\x01\nx\n\ufffe\0\n',
    ],
    ['control characters in the same line', 'a\x01 b c\x02 d\n', 'a\ufffd x c\ufffd d\n', 'a\x01 x c\x02 d\n'],
    ['a word with a control character changes', 'a\x01 b\n', 'y b\n', 'y b\n'],
    ['decomposed letters', 'cafe\u0301 au lait\nb\n', 'caf\u00e9 au the\nb2\n', 'cafe\u0301 au the\nb2\n'],
    ['a line gets empty behind a lone CR', 'a\rb\nc', 'a\n\nc', 'a\r\rc'],
    ['a line moves away', 'a\x01\nb\nc\n', 'b\nc\n', 'b\nc\n'],
  ])('%s', (_, original, text, expected) => {
    expect(withLineEndsOf(original, text)).toBe(expected)
  })
})
