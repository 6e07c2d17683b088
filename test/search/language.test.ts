import { describe, expect, test } from 'vitest'
import { loadLanguage, noLanguage } from '../../src/search/words/language.ts'

describe('a language', () => {
  const cases: readonly (readonly [code: string, word: string, form: string])[] = [
    ['en', 'harbour', 'harbours'],
    ['en-GB', 'tide', 'tides'],
    ['de', 'haus', 'hauses'],
    ['fr', 'maree', 'marees'],
    ['nn', 'hamn', 'hamnene'],
    ['ru', 'книга', 'книги'],
  ]
  test.each(cases)('%s knows the forms of %s', async (code, word, form) => {
    const { stem } = await loadLanguage(code)
    expect(stem(form)).toBe(stem(word))
    expect(stem(form)).not.toBeNull()
  })

  test.each(['th', 'zh', 'ja', 'x', '', 'constructor', '../en'])('that is not known has no forms: %j', async code => {
    expect(await loadLanguage(code)).toBe(noLanguage)
  })

  test('has no forms of a text that is not a word', async () => {
    const { stem } = await loadLanguage('en')
    for (const key of ['a', 'bip32', 'op-checksig', '東京', 'x'.repeat(33), '\x01tides']) expect(stem(key)).toBeNull()
  })

  test('has common words', async () => {
    const [english, german] = [await loadLanguage('en'), await loadLanguage('de')]
    expect([english.stopWords.has('a'), german.stopWords.has('und'), english.stopWords.has('tide')]).toEqual([
      true,
      true,
      false,
    ])
  })
})
