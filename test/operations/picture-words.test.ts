import { expect, test } from 'vitest'
import { pictureWords } from '../../src/operations/searching/picture-words.ts'

test.each<[text: string, words: readonly string[] | null]>([
  ['[[File:A b c.jpg|thumb]] d.PNG, e.pngx (f.svg)', ['c.jpg', 'd.png', 'f.svg']],
  ['a.b.png.webp', ['a.b.png.webp']],
  ['これは図.png', ['これは図.png']],
  [`${'x'.repeat(300)}.png`, []],
  ['{{{picture}}}.png', null],
  ['a%20b.png', null],
  ['{{#invoke:Map|main}}', null],
  [Array.from({ length: 101 }, (_, at) => `${at}.png`).join(' '), null],
])('%j names %j', (text, words) => {
  expect(pictureWords(text)).toEqual(words)
})

// With eighty characters looked at from each place, this takes longer than a test may.
test('a text without spaces is read once', { tags: 'long' }, () => {
  expect(pictureWords('日'.repeat(60_000_000))).toEqual([])
})
