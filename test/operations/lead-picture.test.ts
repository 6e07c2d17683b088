/** Thumbnails of search results: the first picture that the rendered page shows. */

import { expect, test } from 'vitest'
import { picturesOf } from '../../src/operations/lead-picture.ts'
import { renderPage } from '../../src/operations/render-page.ts'
import { searchPages, searchTitles } from '../../src/operations/search-pages.ts'
import type { Wiki } from '../../src/operations/wiki.ts'
import { commitFiles, edit, newWiki } from './_wiki.ts'

const svg = (width: number) => `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="60"><rect/></svg>`
const base = 'http://wiki.example/v1'

async function thumbnails(wiki: Wiki): Promise<Record<string, string | null>> {
  const { pages } = await searchPages(wiki, { q: 'harbour', limit: 100, base })
  return Object.fromEntries(
    pages.map(({ key, thumbnail }) => [key, thumbnail && decodeURIComponent(thumbnail.url.split('/')[5]!)]),
  )
}

/** The first picture in the HTML that a reader sees. */
async function shown(wiki: Wiki, title: string): Promise<string | null> {
  const { html } = await renderPage(wiki, { title })
  const found = /<img\b[^>]* src="[^"]*\/files\/(?:thumb\/)?([^"/]+)/.exec(html)?.[1]
  return found === undefined ? null : decodeURIComponent(found)
}

const pages: Record<string, string> = {
  'Plain.wiki': 'Harbour',
  'Second.wiki': 'Harbour [[File:Missing.svg]] [[File:Boat.svg|thumb|A boat]] [[File:Crane.svg]]',
  'Sound.wiki': 'Harbour [[File:Boat.pdf]] [[:File:Crane.svg]] [[File:Boat.svg]]',
  'Gallery.wiki': 'Harbour\n<gallery>\nFile:Missing.svg\nCrane.svg|A crane\n</gallery>',
  'Called.wiki': 'Harbour {{Crane}}',
  'Filled.wiki': 'Harbour {{Box|picture=Boat.svg}}',
  'Computed.wiki': 'Harbour {{Computed}}',
  'Odd.wiki': 'Harbour [[File:Quay & pier_(1) é.svg]]',
  'Bare.wiki': 'Harbour {{Words}}',
  'Nowhere.wiki': 'Harbour <nowiki>[[File:Boat.svg]]</nowiki> <!-- [[File:Crane.svg]] --> Boat.svg',
  'Unknown.wiki': 'Harbour [[File:Missing.svg]]',
  'Template/Crane.wiki': '{{Inner}}',
  'Template/Inner.wiki': '[[File:Crane.svg|20px]]',
  'Template/Box.wiki': '[[File:{{{picture}}}|frame]]',
  'Template/Computed.wiki': '[[File:{{lc:BOAT}}.svg]]',
  'Template/Words.wiki': 'Only words',
}

test('of wikitext', async () => {
  const { wiki } = await newWiki()
  await commitFiles(wiki, {
    ...pages,
    'File/Boat.svg': svg(50),
    'File/Crane.svg': svg(70),
    'File/Quay_&_pier_(1)_é.svg': svg(90),
    'File/Boat.pdf': '%PDF-1.4',
  })
  const found = await thumbnails(wiki)
  expect(found).toEqual({
    Plain: null,
    Second: 'Boat.svg',
    Sound: 'Boat.svg',
    Gallery: 'Crane.svg',
    Called: 'Crane.svg',
    Filled: 'Boat.svg',
    Computed: 'Boat.svg',
    Odd: 'Quay_&_pier_(1)_é.svg',
    Bare: null,
    Nowhere: null,
    Unknown: null,
  })
  for (const [title, name] of Object.entries(found)) expect(await shown(wiki, title), title).toBe(name)
  await edit(wiki, 'Template:Words', '[[File:Boat.svg]]')
  expect((await thumbnails(wiki)).Bare).toBe('Boat.svg')
  const { pages: titles } = await searchTitles(wiki, { q: 'Called', base })
  expect(titles[0]?.thumbnail).toMatchObject({ mimetype: 'image/png', width: 60 })
})

test('of Markdown, also in folders', async () => {
  const { wiki } = await newWiki()
  await commitFiles(wiki, {
    'docs/Guide.md': '# Harbour\n\n![](missing.svg) ![A boat](img/boat.svg)\n',
    'docs/Up.md': 'Harbour <img src="../pictures/crane.svg" width="20">\n',
    'docs/Reference.md': 'Harbour ![A boat][boat]\n\n[boat]: img/boat.svg\n',
    'docs/Cover.md': '---\nimage: img/boat.svg\n---\nHarbour ![](../pictures/crane.svg)\n',
    'docs/Invalid.md': '---\nimage: a%E0%A4%A.svg\n---\nHarbour ![](img/boat.svg)\n',
    'docs/Code.md': 'Harbour `![](img/boat.svg)`\n',
    'docs/Link.md': 'Harbour [a boat](img/boat.svg)\n',
    'docs/Far.md': 'Harbour ![](https://elsewhere.example/boat.svg)\n',
    'docs/img/boat.svg': svg(50),
    'pictures/crane.svg': svg(70),
  })
  const found = await thumbnails(wiki)
  const names = Object.fromEntries(
    Object.entries(found).map(([key, name]) => [
      key.replace('Docs/', ''),
      name?.split('/').at(-1)?.toLowerCase() ?? null,
    ]),
  )
  expect(names).toEqual({
    Guide: 'boat.svg',
    Up: 'crane.svg',
    Reference: 'boat.svg',
    Cover: 'boat.svg',
    Invalid: 'boat.svg',
    Code: null,
    Link: null,
    Far: null,
  })
})

test('pages are rendered for ten seconds only, and those that are left out are reported', async () => {
  const { wiki } = await newWiki()
  await commitFiles(wiki, { 'A.wiki': '[[File:Boat.svg]]', 'File/Boat.svg': svg(50) })
  let now = 0
  const pictures = picturesOf(wiki, () => now)
  const look = async () => [(await pictures.of(wiki.store.findPage('A')!, null))?.file.key, pictures.isWhole()]
  expect(await look()).toEqual(['File:Boat.svg', true])
  now = 10_001
  expect(await look()).toEqual([undefined, false])
})
