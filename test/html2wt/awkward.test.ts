/** Awkward strings in every kind of place are read back as they were meant. */

import { expect, test } from 'vitest'
import { htmlToWikitext } from '../../src/html2wt/index.ts'
import { memoryWiki, wikitextToHtml } from '../../src/wikitext/index.ts'
import { rounds } from '../_rounds.ts'
import { awkwardCases, boat, meaningOf } from './_awkward.ts'
import { awkwardEdits } from './_awkward-edits.ts'

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

/** Lists the edits after which the page shows something else than the edited HTML. */
async function misplaced(count: number, seed: number): Promise<unknown[]> {
  const found: unknown[] = []
  const shown = async (text: string): Promise<string> =>
    (await wikitextToHtml(text, { title, wiki, flavor: 'edit', bodyOnly: true, now: new Date(0) })).html
  for (const { source, edits, change } of awkwardEdits(count, seed)) {
    const html = await shown(source)
    const edited = change(html)
    const wikitext = htmlToWikitext(edited, { title, wiki, original: { source, html } })
    const [meant, got] = [edited, await shown(wikitext)].map(meaningOf)
    if (meant !== got) found.push({ source, edits, wikitext, meant, got })
  }
  return found
}

test('rows, items and cells that move, go and come', async () => {
  expect(await misplaced(240, 4)).toEqual([])
})

test('many more edits', { tags: ['rounds'] }, async () => {
  expect(await misplaced(rounds(400, 800), 4)).toEqual([])
})
