import { describe, expect, test } from 'vitest'
import { cleanComment, type EditedText, editSummary } from '../../src/operations/editing/edit-summary.ts'

const wikitext = (before: string | null, after: string): EditedText => ({
  before,
  after,
  model: 'wikitext',
  language: 'de',
})

describe('editSummary', () => {
  test.each<[string, EditedText, string]>([
    ['a new page', wikitext(null, 'Hello [[World]]\n\nline\n'), 'Created page with "Hello [[World]]  line"'],
    ['a new empty page', wikitext(null, ''), 'Created blank page'],
    [
      'a new redirect',
      wikitext(null, '#REDIRECT [[RT Target#Section two]]\n'),
      'Redirected page to [[RT Target#Section two]]',
    ],
    ['a page that becomes a redirect', wikitext('text\n', '#redirect: [[X]]\n'), 'Redirected page to [[X]]'],
    [
      'another target',
      wikitext('#REDIRECT [[A]]\n', '#REDIRECT [[B]]\n'),
      'Changed redirect target from [[A]] to [[B]]',
    ],
    ['a new redirect in the words of the wiki', wikitext(null, '#Weiterleitung [[B]]\n'), 'Redirected page to [[B]]'],
    ['the same target', wikitext('#REDIRECT [[A]]\n', '#REDIRECT [[A]]\n\n{{R}}\n'), ''],
    ['an emptied page', wikitext('text\n', ''), 'Blanked the page'],
    ['an ordinary edit', wikitext('a\n', 'b\n'), ''],
    [
      'JSON that reads like a redirect',
      { before: null, after: '"#REDIRECT [[A]]"\n', model: 'json', language: 'en' },
      'Created page with ""#REDIRECT [[A]]""',
    ],
  ])('%s', (_, edit, summary) => {
    expect(editSummary(null, edit)).toBe(summary)
    expect(editSummary('', edit)).toBe(summary)
    expect(editSummary(' \n', edit)).toBe(summary)
    expect(editSummary('mine', edit)).toBe('mine')
  })

  test('a long beginning is shortened so that the summary has 500 characters', () => {
    const summary = editSummary(null, wikitext(null, `${'ü😀'.repeat(1000)}\n`))
    expect([...summary]).toHaveLength(500)
    expect(summary).toMatch(/^Created page with "ü😀.*\.\.\."$/)
  })

  test('a truncated link is left out', () => {
    const links = Array.from({ length: 40 }, (_, n) => `[[File:Missing ${n}.png]]`).join('')
    const shown = links.slice(0, links.indexOf('[[File:Missing 21'))
    expect(editSummary(null, wikitext(null, links))).toBe(`Created page with "${shown}..."`)
  })

  test('a text that just fits is not shortened', () => {
    const text = 'x'.repeat(480)
    expect(editSummary(null, wikitext(null, text))).toBe(`Created page with "${text}"`)
  })
})

describe('cleanComment', () => {
  test.each([
    [' a\nb\tc  ', 'a\nb\tc'],
    ['ü'.repeat(501), 'ü'.repeat(500)],
    ['😀'.repeat(501), '😀'.repeat(500)],
    ['😀'.repeat(500), '😀'.repeat(500)],
  ])('%j', (comment, cleaned) => {
    expect(cleanComment(comment)).toBe(cleaned)
  })
})
