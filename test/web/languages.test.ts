import { describe, expect, test } from 'vitest'
import { english } from '../../src/web/words/en.ts'
import { wordLanguages, wordsFor } from '../../src/web/words/words.ts'
import { attributeOf, newSite } from './_site.ts'

const placeholders = (text: string): string[] => [...new Set(text.match(/\$\d/g) ?? [])].sort()

describe('the messages of the pages', () => {
  test.each(wordLanguages)('in %s have the same parameters as the English ones', language => {
    const words = wordsFor(language)
    const keys = Object.keys(english) as (keyof typeof english)[]
    const marks = ['<1>', '<2>', '<3>', '<4>']
    for (const key of keys) {
      const isCounted = english[key].includes('{{PLURAL')
      const text = words.text(key, ...(isCounted ? [5, 5] : marks))
      expect(text, key).not.toMatch(/\$\d|\{\{/)
      if (!isCounted) expect(placeholders(text.replace(/<(\d)>/g, '$$$1')), key).toEqual(placeholders(english[key]))
    }
  })

  test('use the plural forms of the language', () => {
    expect([1, 2].map(count => wordsFor('en').text('sizeBytes', count))).toEqual(['1 byte', '2 bytes'])
    expect(new Set([1, 2, 3, 11, 100].map(count => wordsFor('ar').text('sizeBytes', count))).size).toBe(5)
  })

  test('are escaped with their parameters', () => {
    expect(String(wordsFor('en').say('licence', '<b>"'))).toBe('Text is available under &lt;b&gt;&quot;.')
  })
})

describe('a page', () => {
  test.each([
    ['de', 'de', 'ltr', 'Lesen'],
    ['ar', 'ar', 'rtl', 'اقرأ'],
    ['fi', 'en', 'ltr', 'Read'],
  ])('of a wiki in %s has messages in %s, from %s', async (language, words, direction, read) => {
    const { page } = await newSite({ Tides: 'x' }, { language })
    const { elements, text } = await page('/wiki/Tides')
    const root = elements.find(({ tagName }) => tagName === 'html')
    expect([attributeOf(root!, 'lang'), attributeOf(root!, 'dir')]).toEqual([words, direction])
    expect(text).toContain(read)
    const content = elements.find(element => attributeOf(element, 'class') === 'content')
    expect(attributeOf(content!, 'lang')).toBe(language)
  })

  test("special pages have names in the wiki's language and in English", async () => {
    const { ask } = await newSite({ Tides: 'x' }, { language: 'de' })
    const paths = ['Special:Letzte_Änderungen', 'Special:RecentChanges', 'Special:Alle Seiten']
    const answers = await Promise.all(paths.map(path => ask(`/wiki/${encodeURIComponent(path)}`)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect((await ask(`/wiki/${encodeURIComponent('Special:أحدث التغييرات')}`)).status).toBe(404)
  })

  test('that is too expensive to render gives the reason in its language', { tags: 'long' }, async () => {
    const { page } = await newSite(
      { Deep: `<gallery>\n${'File:A.png\n'.repeat(100_000)}</gallery>` },
      { language: 'de' },
    )
    expect((await page('/wiki/Deep')).text).toContain('Die Seite ist zu aufwendig')
  })
})
