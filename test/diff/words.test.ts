import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { countNumbers, splitWords, type Words } from '../../src/diff/words.ts'

function textsOf({ line, starts, ids }: Words): string[] {
  return Array.from(ids, (_, word) => line.slice(starts[word], starts[word + 1]))
}

/** The words of a line with bars between. */
function show(line: string): string {
  return textsOf(splitWords(line, new Map())).join('|')
}

describe('the words of a line', () => {
  test.each([
    ['letters, digits and underscores', 'foo_1 Bar2', 'foo_1| |Bar2'],
    ['every blank alone', 'a  b', 'a| | |b'],
    ['every sign alone', "''x''=={{y}}", "'|'|x|'|'|=|=|{|{|y|}|}"],
    ['accented letters and other scripts', 'żółć слово שלום हिन्दी 한국어', 'żółć| |слово| |שלום| |हिन्दी| |한국어'],
    ['signs below U+00C0, which are no letters', 'a\u00a0b\u00bf\u00c0', 'a|\u00a0|b|\u00bf|\u00c0'],
    ['dashes and curly quotes, which are', 'a–b “c” d…', 'a–b| |“c”| |d…'],
    ['emoji and their joiners', '👩\u200d👧!', '👩\u200d👧|!'],
    ['Han, kana and their punctuation, each alone', '日本、かな', '日|本|、|か|な'],
    ['the ends of the ranges written without blanks', 'a\u2fff\u3000a\u9fff\ua000a', 'a\u2fff|\u3000|a|\u9fff|\ua000a'],
    ['extension B of Han', 'a\u{1ffff}\u{20000}a\u{2a000}\u{2a001}a', 'a\u{1ffff}|\u{20000}|a|\u{2a000}|\u{2a001}a'],
    ['half of a surrogate pair', 'a\ud800b', 'a\ud800b'],
    ['nothing behind a NUL', 'a b\0 c', 'a| |b'],
    ['no words in an empty line', '', ''],
  ])('are %s', (_, line, words) => {
    expect(show(line)).toBe(words)
  })

  test.each([
    [' a', '\ta', true],
    [' ', '\t', true],
    [' a', 'a', false],
    ['  a', ' \ta', false],
    ['x a', 'x\ta', false],
  ])('of %j and %j are equal: %s', (first, second, same) => {
    const numbers = new Map<string, number>()
    const [one, two] = [splitWords(first, numbers), splitWords(second, numbers)]
    expect(one.ids.join() === two.ids.join()).toBe(same)
  })

  test('concatenate to the line, have its bytes, and have equal numbers if they are equal', { tags: 'long' }, () => {
    const line = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\t', 'é', '語', '😀', 'ก', 'า', '.', '\ud800') })
    fc.assert(
      fc.property(fc.array(line, { maxLength: 4 }), lines => {
        const numbers = new Map<string, number>()
        const texts = new Map<number, string>()
        for (const words of lines.map(text => splitWords(text, numbers))) {
          expect(textsOf(words).join('')).toBe(words.line)
          for (const [word, id] of words.ids.entries()) {
            expect(id).toBeLessThan(countNumbers(numbers))
            expect(words.bytes[word]).toBe(Buffer.byteLength(words.line.slice(0, words.starts[word])))
            const body = id === 0 ? '' : textsOf(words)[word]!
            expect(texts.get(id) ?? body).toBe(body)
            texts.set(id, body)
          }
        }
        expect(new Set(texts.values()).size).toBe(texts.size)
      }),
      { numRuns: 300 },
    )
  })
})

describe('Thai', () => {
  test.each([
    ['is cut by a dictionary', 'แม่น้ำโขง', 'แม่น้ำ|โขง'],
    ['is cut from Latin letters and from digits before it', 'ไทยabc12ไทย', 'ไทย|abc12|ไทย'],
    ['is not separated from digits after it', 'ไทย12', 'ไทย12'],
    ['keeps its mark of repetition', 'ต่างๆ', 'ต่างๆ'],
    ['has Latin letters cut behind others on its line', 'éa ไทย', 'é|a| |ไทย'],
  ])('%s', (_, line, words) => {
    expect(show(line)).toBe(words)
  })

  test('changes nothing on other lines', () => {
    expect(show('éa')).toBe('éa')
  })

  test('in runs of any length is split in linear time', { tags: 'long' }, () => {
    expect(show('กา'.repeat(100_000)).length).toBeGreaterThan(200_000)
  })
})
