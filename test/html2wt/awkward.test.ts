/** Awkward strings in every kind of place are read back as they were meant. */

import { expect, test } from 'vitest'
import { htmlToWikitext } from '../../src/html2wt/index.ts'
import { memoryWiki, wikitextToHtml } from '../../src/wikitext/index.ts'
import { rounds } from '../_rounds.ts'
import { awkwardCases, boat, meaningOf } from './_awkward.ts'

const title = 'Ropes'
const wiki = memoryWiki({ pages: { 'Template:Tide': 'tide', Fog: 'grey' }, files: [boat] })

/** Lists the cases that are read back otherwise. */
async function misread(count: number, seed: number): Promise<unknown[]> {
  const found: unknown[] = []
  for (const { place, value, html } of awkwardCases(count, seed)) {
    const wikitext = htmlToWikitext(html, { title, wiki })
    const read = await wikitextToHtml(wikitext, { title, wiki, bodyOnly: true, now: new Date(0) })
    const [meant, got] = [`<section>${html}</section>`, read.html].map(meaningOf)
    if (meant !== got) found.push({ place, value, wikitext, meant, got })
  }
  return found
}

test('signs of markup in texts and values, in each place', async () => {
  expect(await misread(350, 7)).toEqual([])
})

test('signs of markup in many more', { tags: 'rounds' }, async () => {
  expect(await misread(rounds(700, 10_000, 50_000), 1)).toEqual([])
})
