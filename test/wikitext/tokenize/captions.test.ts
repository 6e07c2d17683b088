import { expect, test } from 'vitest'
import { memoryWiki, wikitextToHtml } from '../../../src/wikitext/index.ts'

const wiki = memoryWiki({ pages: {} })
const html = async (text: string): Promise<string> =>
  (await wikitextToHtml(text, { title: 'Sea', wiki, flavor: 'view', bodyOnly: true })).html

test.each(['|+|a', '|+ |a'])('a pipe at the start of a caption ends its attributes: %s', async caption => {
  expect(await html(`{|\n${caption}\n|}`)).toMatch(/<caption[^>]*>\s*a\s*<\/caption>/)
})
