import { expect, test } from 'vitest'
import { memoryWiki, wikitextToHtml } from '../../src/wikitext/index.ts'

test.each([
  ['[[Category:B| a]]', ' a'],
  ['[[Category:B| ]]', ' '],
  ['[[Category:B|a ]]', 'a '],
  ['[[Category:B|\na\nb]]', 'ab'],
])('the sort key of a category keeps its spaces and no line breaks: %j', async (text, key) => {
  const { html } = await wikitextToHtml(text, { title: 'A', wiki: memoryWiki(), bodyOnly: true, flavor: 'edit' })
  expect(html).toContain(`href="./Category:B#${encodeURIComponent(key)}"`)
})
