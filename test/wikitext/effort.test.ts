import { expect, test } from 'vitest'
import { contentToHtml, type Effort, EffortExceeded, lintWikitext, memoryWiki } from '../../src/wikitext/index.ts'

const wiki = memoryWiki({
  pages: { 'Template:Row': '{{{1}}} and a word of it', 'Template:Rows': '{{Row|1}}{{Row|2}}' },
})
const rows = '{{Rows}}{{Row|3}}'

test.each<[what: string, effort: Effort]>([
  ['nodes', { nodes: 5, included: 1000, time: 1000, steps: 1000 }],
  ['characters', { nodes: 1000, included: 40, time: 1000, steps: 1000 }],
  ['steps', { nodes: 1000, included: 1000, time: 1000, steps: 20 }],
])('a text above the limit of %s is abandoned', async (_, effort) => {
  const options = { title: 'A', wiki, effort }
  await expect(contentToHtml(rows, 'wikitext', options)).rejects.toThrow(EffortExceeded)
  await expect(lintWikitext(rows, options)).rejects.toThrow(EffortExceeded)
})

test('a text within the limits is converted as without limits', async () => {
  const { html } = await contentToHtml(rows, 'wikitext', {
    title: 'A',
    wiki,
    effort: { nodes: 50, included: 200, time: 1000, steps: 1000 },
  })
  expect(html).toBe((await contentToHtml(rows, 'wikitext', { title: 'A', wiki })).html)
})
