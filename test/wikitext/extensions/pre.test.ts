import { expect, test } from 'vitest'
import { memoryWiki, wikitextToHtml } from '../../../src/wikitext/index.ts'

const wiki = memoryWiki({ pages: {} })
const html = async (text: string): Promise<string> =>
  (await wikitextToHtml(text, { title: 'Sea', wiki, flavor: 'view', bodyOnly: true })).html

test.each([
  ['<pre>a<nowiki>b</nowiki>c</pre>', 'abc'],
  ['<pre>a<NOWIKI>b</NoWiki>c</pre>', 'abc'],
  ['<pre>a<nowiki>b</pre>', 'a&lt;nowiki>b'],
  ['<pre>a<nowiki>b</nowiki>c</nowiki></pre>', 'abc&lt;/nowiki>'],
])('preformatted text drops pairs of nowiki tags: %s', async (text, shown) => {
  expect(await html(text)).toContain(`>${shown}</pre>`)
})
