/** Questions that several constructs ask have one answer. */

import { expect, test } from 'vitest'
import { memoryWiki, wikitextToHtml } from '../../src/wikitext/index.ts'

async function html(text: string, { language = 'en', flavor = 'view' as 'view' | 'edit' } = {}): Promise<string> {
  const pages = { 'Template:Box': '{{{1}}}', 'Template:Cell': '<NOWIKI>|</NOWIKI> b' }
  const wiki = memoryWiki({ pages, config: { language } })
  return (await wikitextToHtml(text, { title: 'Sea', wiki, flavor, now: new Date(0) })).html
}

test.each(['ar', 'skr', 'bal', 'arq', 'uz-arab', 'ars', 'he', 'en', 'az'])('direction of %s', async language => {
  const text = await html('{{#dir:}}', { language })
  const [, shown] = /<\/?(?:p|span)[^>]*>(ltr|rtl)</.exec(text) ?? []
  expect(text).toContain(` dir="${shown}"`)
})

test('four apostrophes after a space count as three after a word of one letter', async () => {
  const text = (await html("aa'''b c ''''d '''e ''f")).replace(/ id="[^"]*"/g, '')
  expect(text).toContain("aa<b>b c ''<i>d ")
})

test.each(['<!--\n== x ==\n-->', '<nowiki>\n== x ==\n</nowiki>', '<PRE>\n== x ==\n</PRE>'])(
  'a line that is no heading numbers no section: %j',
  async hidden => {
    const sections = (text: string): string[] =>
      [...text.matchAll(/data-mw-section-id="(-?\d+)"/g)].map(([, id]) => id!)
    expect(sections(await html(`{{Box|1=${hidden}}}\n== a ==\nb`))).toContain('1')
    expect(sections(await html(`{{Box|1=\n== x ==\n}}\n== a ==\nb`))).toContain('2')
  },
)

test('tags in a template are read in any case', async () => {
  expect(await html('{|\n|{{Cell}}\n|}')).not.toContain('</td><td')
})
