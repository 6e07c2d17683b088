import { expect, test } from 'vitest'
import { memoryWiki, wikitextToHtml } from '../../src/wikitext/index.ts'

const wiki = memoryWiki({ pages: {} })

async function render(text: string, messages?: boolean): Promise<string> {
  const settings = messages === undefined ? {} : { messages }
  return (await wikitextToHtml(text, { title: 'Tides', wiki, bodyOnly: true, settings })).html
}

test('an error of footnotes is a sentence', async () => {
  expect(await render('<ref name="ebb"/>')).toContain('>Footnote: no text was given for “ebb”.</span>')
  expect(await render('<ref name="a<b&c"/>')).toContain('“a&lt;b&amp;c”')
  expect(await render('<ref colour="red">a</ref>')).toContain('these are: details, dir, follow, group, name.')
})

test('a message may be omitted, and the key is shown', async () => {
  const html = await render('<ref name="ebb"/>', false)
  expect(html).toContain('cite_error_references_no_text')
  expect(html).not.toContain('Footnote')
})
