/** The table of Markdown's extensions says what the pages show. */

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { contentToHtml, memoryWiki } from '../../../src/wikitext/index.ts'

const rows = readFileSync('docs/reference/markdown.md', 'utf8')
  .split('\n')
  .filter(line => /^\| (?!syntax\b)/.test(line))
  .map(line => line.slice(1, -1).split('|'))
  .map(cells => cells.slice(-2).map(cell => cell.replace(/^ `|` $/g, '')) as [string, string])

test('the table has all extensions', () => {
  expect(rows.length).toBeGreaterThan(24)
})

test.each(rows)('%s', async (example, part) => {
  const text = example.replaceAll('↵', '\n').replaceAll('⎮', '|')
  const options = { title: 'A', wiki: memoryWiki({}), bodyOnly: true, settings: { elementIds: false, sections: false } }
  expect((await contentToHtml(text, 'markdown', options)).html).toContain(part)
})
