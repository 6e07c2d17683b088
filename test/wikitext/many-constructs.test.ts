import { describe, expect, test } from 'vitest'
import { contentToHtml, lintWikitext, memoryWiki } from '../../src/wikitext/index.ts'
import { oneIn } from '../_rounds.ts'

const wiki = memoryWiki({ pages: {} })

const numbered = (write: (number: number) => string) => (count: number) =>
  Array.from({ length: count }, (_, number) => write(number)).join('')
const repeated = (text: string) => (count: number) => text.repeat(count)

/** Constructs that a page may have many of: their wikitext, and the maximum number of steps that each takes. */
const constructs: readonly (readonly [name: string, write: (count: number) => string, steps: number])[] = [
  ['lines', repeated('word\n'), 3],
  ['paragraphs', repeated('word\n\n'), 6],
  ['lines of a gallery', count => `<gallery>\n${'A.png\n'.repeat(count)}</gallery>`, 25],
  ['lines with captions', count => `<gallery>\n${numbered(at => `${at}.png|[[x]]\n`)(count)}</gallery>`, 40],
  ['galleries', repeated('<gallery>A.png</gallery>'), 60],
  ['pictures', repeated('[[File:A.png|thumb|x]]'), 20],
  ['links', repeated('[[a]]'), 5],
  ['distinct links', numbered(at => `[[${at}]]`), 5],
  ['links to media', repeated('[[Media:A.png]]'), 15],
  ['categories', numbered(at => `[[Category:${at}]]\n`), 4],
  ['external links', repeated('[http://a b]'), 6],
  ['addresses', repeated('http://a '), 4],
  ['headings', repeated('=a=\n'), 8],
  ['headings of every level', numbered(at => `${'='.repeat((at % 6) + 1)}a${'='.repeat((at % 6) + 1)}\n`), 8],
  ['notes', repeated('<ref>a</ref>'), 45],
  ['notes of one name', repeated('<ref name=a>a</ref>'), 45],
  ['notes of many names', numbered(at => `<ref name=a${at} />`), 35],
  ['groups of notes', numbered(at => `<ref group=g${at}>a</ref>`), 45],
  ['lists of notes', repeated('<ref>a</ref><references/>'), 80],
  ['items', repeated('* a\n'), 6],
  ['deep items', numbered(at => `${'*'.repeat((at % 20) + 1)}a\n`), 20],
  ['lists in and out', numbered(at => `${at % 2 ? '*#:;'.repeat(5) : '#'}a\n`), 60],
  ['terms', repeated(';a:b\n'), 10],
  ['rows', count => `{|\n${'|-\n|a\n'.repeat(count)}|}`, 8],
  ['cells', count => `{|\n${'|a||b\n'.repeat(count)}|}`, 8],
  ['tables', repeated('{|\n|a\n|}\n'), 12],
  ['tables that are not closed', repeated('{|\n|\n'), 8],
  ['apostrophes', repeated("'''a''' ''b'' "), 12],
  ['elements', repeated('<span class="a">a</span>'), 5],
  ['elements that are not closed', repeated('<b>a\n\n'), 10],
  ['ends without beginnings', repeated('</div>'), 4],
  ['preformatted texts', repeated('<pre>a</pre>'), 30],
  ['templates', numbered(at => `{{${at}}}`), 12],
  ['functions', repeated('{{#if:a|b}}'), 12],
  ['arguments', repeated('{{{a|b}}}'), 12],
  ['poems', repeated('<poem>a</poem>'), 50],
  ['descriptions of templates', repeated('<templatedata>{}</templatedata>'), 35],
  ['page statuses', numbered(at => `<indicator name=a${at}>x</indicator>`), 45],
  ['languages', repeated('[[de:a]]'), 5],
  ['annotations', repeated('<translate>a</translate> '), 6],
  ['annotations that are not closed', repeated('<translate>a '), 4],
  ['annotations across paragraphs', repeated('<translate>a\n\nb</translate>'), 12],
]

const renderIn = (text: string, steps: number): Promise<{ html: string }> =>
  contentToHtml(text, 'wikitext', { title: 'A', wiki, effort: { nodes: 1e9, included: 1e9, time: 1e9, steps } })

describe('a page of many', () => {
  /** Steps of a page without its content. */
  const fewSteps = 60

  test.each(oneIn(4, constructs))(
    '%s is converted to HTML in steps proportional to their number',
    { tags: 'rounds' },
    async (_, write, steps) => {
      const [few, many] = [write(30), write(600)]
      const short = await renderIn(few, 30 * steps + fewSteps)
      const long = await renderIn(many, 600 * steps + fewSteps)
      // Numbers and ids grow longer.
      expect(long.html.length).toBeLessThan(short.html.length * 20 * 1.3)
    },
  )

  test.each([
    ['lines of a gallery', `<gallery>\n${'A.png\n'.repeat(100_000)}</gallery>`],
    ['notes', '<ref>a</ref>'.repeat(100_000)],
  ])('%s, 100,000 times, is refused', { tags: 'long' }, async (_, text) => {
    const refusal = { code: 'wiki-page-too-complex', status: 413 }
    await expect(contentToHtml(text, 'wikitext', { title: 'A', wiki })).rejects.toMatchObject(refusal)
    await expect(lintWikitext(text, { title: 'A', wiki })).rejects.toMatchObject(refusal)
  })
})
