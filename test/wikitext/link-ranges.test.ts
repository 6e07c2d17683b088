import { describe, expect, test, vi } from 'vitest'
import {
  contentToHtml,
  distinctLinks,
  findMarkdownLinks,
  findWikitextLinks,
  memoryWiki,
} from '../../src/wikitext/index.ts'

/** Counts the characters that `indexOf` and `lastIndexOf` scan while `act` runs. */
async function searchedBy(act: () => unknown): Promise<number> {
  const { indexOf, lastIndexOf } = String.prototype
  let searched = 0
  const spies = [
    vi.spyOn(String.prototype, 'indexOf').mockImplementation(function (this: string, sought, from = 0) {
      const found = indexOf.call(this, sought, from)
      searched += (found === -1 ? this.length : found) - from
      return found
    }),
    vi.spyOn(String.prototype, 'lastIndexOf').mockImplementation(function (this: string, sought, from = this.length) {
      const found = lastIndexOf.call(this, sought, from)
      searched += from - found
      return found
    }),
  ]
  try {
    await act()
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
  return searched
}

describe('links of wikitext', () => {
  const count = 2000
  test.each([
    '[[a]] '.repeat(count),
    '[[a|b]] '.repeat(count),
    '[[a '.repeat(count),
    `${'[[a '.repeat(count)}${']]'.repeat(count)}`,
    `${'[[File:a|'.repeat(count)}${']]'.repeat(count)}`,
    '[[a {{b}}]] '.repeat(count),
    '{{a|[[b]]}} '.repeat(count),
  ])('are found without searching the rest of the text for each, case %#', async text => {
    expect(await searchedBy(() => findWikitextLinks(text, ''))).toBeLessThan(20 * text.length)
  })

  test('around others end at the first bar, or are not links', () => {
    const written = (text: string) => {
      const { links, computed } = findWikitextLinks(text, '')
      return {
        links: links.map(
          ({ start, end, isNesting }) => `${text.slice(start, end)}${isNesting ? ' around others' : ''}`,
        ),
        computed: computed.map(({ start, end }) => text.slice(start, end)),
      }
    }
    expect(written('[[File:a.jpg|see [[b|c]] {{d}}]]')).toEqual({
      links: ['File:a.jpg around others', 'b', 'd'],
      computed: [],
    })
    expect(written('[[a [[b]] {{c}}|d]]')).toEqual({ links: ['b', 'c'], computed: [] })
    expect(written('[[File:{{a}}|[[b]]]]')).toEqual({ links: ['a', 'b'], computed: ['[[File:{{a}}|[[b]]]]'] })
  })

  test.each([
    ['{{SEITENNAME}} {{NAMENSRAUM}} {{Vorlage}}', ['Vorlage']],
    ['{{#wenn: x | {{b}} }} {{GROSS:x}}', ['b']],
    ['{{ERS:c}} {{PAGENAME}}', ['c']],
  ])('words of the language of the wiki are no templates: %s', (text, targets) => {
    const targetsIn = (language: string) =>
      findWikitextLinks(text, language).links.map(({ start, end }) => text.slice(start, end))
    expect(targetsIn('de')).toEqual(targets)
    expect(targetsIn('de-AT')).toEqual(targets)
    expect(targetsIn('en')).not.toEqual(targets)
  })

  test('a function of another language names a page as the English one does', () => {
    const text = '{{#siexiste: d}}'
    expect(findWikitextLinks(text, 'es').links.map(({ start, end }) => text.slice(start, end))).toEqual(['d'])
  })

  test('the target of a link in a translated page is what its tag contains', () => {
    const text = 'a [[<tvar name="1">Tides</tvar>|b]] [[<b>f</b>]]'
    const { links } = findWikitextLinks(text, 'en')
    expect(links.map(({ start, end }) => text.slice(start, end))).toEqual(['Tides', '<b>f</b>'])
  })

  test('without their places are listed once', () => {
    const text = '[[a]] [[a]] {{b}}<noinclude>[[c]]</noinclude> [[a|d]]'
    const found = findWikitextLinks(text, '')
    const all = [
      { form: 'link', target: 'a', readings: 3, isEmbed: false },
      { form: 'template', target: 'b', readings: 3, isEmbed: false },
      { form: 'link', target: 'c', readings: 1, isEmbed: false },
    ]
    expect(distinctLinks(text, found, 10).links).toEqual(all)
    expect(distinctLinks(text, found, 2).links).toEqual(all.slice(0, 2))
  })
})

describe('links of Markdown', () => {
  test.each([
    '[[a]] '.repeat(2000),
    '| [[a]] | [[b\\|c]] |\n'.repeat(1000),
    `|a|b|\n|-|-|\n${'| [[a]] | [[b\\|c]] |\n'.repeat(1000)}`,
  ])('are found without searching the lines around for each, case %#', { tags: 'long' }, async text => {
    expect(await searchedBy(() => findMarkdownLinks(text))).toBeLessThan(20 * text.length)
  })

  test('know whether they are in a table, where a bar ends a cell', async () => {
    const text = '[[a]]\n\n|[[b]]|c|\n|-|-|\n|[[d\\|e]]|f|\n[[g]]\n[[h]]\n\n|[[i]]|\n|[[j]]|\n'
    const { links } = (await findMarkdownLinks(text))!
    const shown = links.map(({ start, end, isInTable }) => `${text.slice(start, end)}${isInTable ? ' in a table' : ''}`)
    expect(shown).toEqual(['a', 'b in a table', 'd in a table', 'g in a table', 'h', 'i', 'j'])
  })
})

test.each(['', '---\ntitle: T\n---\n', '\n'])('a byte order mark moves no link of Markdown after %j', async start => {
  const text = `\ufeff${start}# Title\n\nsee [b](B.md), [[C]] and ![p](pic.png)\n\n[q]: D.md\n`
  const { links } = (await findMarkdownLinks(text))!
  expect(links.map(({ start, end }) => text.slice(start, end))).toEqual(['B.md', 'C', 'pic.png', 'D.md'])
})

test('a page of Markdown with a byte order mark begins with its heading', async () => {
  const wiki = memoryWiki({ pages: {} })
  const { html } = await contentToHtml('\ufeff# Title\r\n\r\nText\r\n', 'markdown', {
    title: 'A',
    wiki,
    bodyOnly: true,
  })
  expect(html).toMatch(/<h1[^>]*>Title<\/h1>/)
})
