/** A wiki with one damaged git object: only what needs that text fails, and pages over all texts serve the others. */

import { chmodSync, cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { deletePages } from '../../src/operations/delete-page.ts'
import { ada, copyOfWiki, newWiki } from '../operations/_wiki.ts'
import { siteOf } from './_site.ts'

const pages = { Tides: 'low and wide [[Fog]]', Fog: 'wide grey <div> [[Tides]]', Rain: 'wide rain [[Fog]] <div>' }

/** A site whose page Fog has a damaged text, and the path of the object with a copy of it. */
async function damagedSite() {
  const { wiki, directory } = await newWiki(pages)
  await wiki.store.refresh()
  const { blob } = wiki.store.revision(wiki.store.findPage('Fog')!.latest)!
  const copy = await copyOfWiki(directory)
  const path = join(copy.directory, '.git/objects', blob.slice(0, 2), blob.slice(2))
  cpSync(path, `${path}.whole`)
  chmodSync(path, 0o644)
  writeFileSync(path, 'garbage')
  return { ...siteOf(copy.wiki), ...copy, path }
}

const overAll = [
  ...['Special:LintErrors', 'Special:WhatLinksHere/Fog', 'Special:WhatLinksHere/Tides', 'Special:Lists/most-linked'],
  ...['Tides', 'Tides?action=links', 'Special:DeletePage/Fog', 'Special:MovePage/Tides', 'Category:Sea'],
]

test('pages over all texts are served, and name the damaged one', { tags: 'long' }, async () => {
  const { page } = await damagedSite()
  for (const path of overAll)
    expect([path, (await page(`/wiki/${path}`)).status]).toEqual([path, path === 'Category:Sea' ? 404 : 200])
  const lint = await page('/wiki/Special:LintErrors')
  expect(lint.text).toMatch(/The text of 1 page is missing or damaged:\s*Fog/)
  expect(lint.html).toContain('<h2><a href="/wiki/Rain">')
  expect((await page('/wiki/Fog')).status).toBe(500)
})

test('a search finds the other texts and the title, and the text once it is there again', async () => {
  const { page, directory, path } = await damagedSite()
  const found = await page('/wiki/Special:Search?search=wide')
  expect([found.status, found.html.includes('/wiki/Rain"'), found.html.includes('/wiki/Fog"')]).toEqual([
    200,
    true,
    false,
  ])
  expect((await page('/wiki/Special:Search?search=fog')).html).toContain('/wiki/Fog"')
  cpSync(`${path}.whole`, path)
  const mended = siteOf((await copyOfWiki(directory)).wiki)
  expect((await mended.page('/wiki/Special:Search?search=wide')).html).toContain('/wiki/Fog"')
})

test('a page with a damaged text can be deleted', async () => {
  const { wiki } = await damagedSite()
  await deletePages(wiki, { titles: ['Fog'], comment: null, author: ada })
  expect(wiki.store.findPage('Fog')).toBeUndefined()
})
