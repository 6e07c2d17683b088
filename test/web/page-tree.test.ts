import { expect, test } from 'vitest'
import { create } from '../operations/_wiki.ts'
import { attributeOf, newSite, type ShownPage } from './_site.ts'

/** Links of the tree, the page itself marked. */
function treeOf({ html }: ShownPage): string[] {
  const nav = /<nav class="sidebar"[^>]*><div class="page-tree">(.*?)<\/nav>/s.exec(html)?.[1] ?? ''
  return [...nav.matchAll(/<a href="([^"]*)"([^>]*)>/g)].map(
    ([, address, rest]) => `${rest!.includes('aria-current="page"') ? '* ' : ''}${address}`,
  )
}

const pages = {
  'Guide/Start': 'x',
  'Guide/Parts/One': 'x',
  'Guide/Parts/Two': 'x',
  Guide: 'x',
  'Notes/A': 'x',
  Home: 'x',
  Old: '#REDIRECT [[Home]]',
  'Talk:Home': 'x',
}

test('folders and pages are shown beside a text, expanded on the path to it', async () => {
  const { page, wiki } = await newSite(pages)
  expect(treeOf(await page('/wiki/Guide/Parts/One'))).toEqual([
    '/wiki/Guide',
    '/wiki/Special:AllPages?prefix=Guide%2FParts%2F',
    '* /wiki/Guide/Parts/One',
    '/wiki/Guide/Parts/Two',
    '/wiki/Guide/Start',
    '/wiki/Home',
    '/wiki/Special:AllPages?prefix=Notes%2F',
    '/wiki/Special:AllPages',
  ])
  expect(treeOf(await page('/wiki/Home'))).toContain('* /wiki/Home')
  // A new page is in it at once.
  await create(wiki, 'Notes/B', 'x')
  expect(treeOf(await page('/wiki/Notes/A'))).toContain('/wiki/Notes/B')
})

test('it is omitted from forms and lists, and if there is a `_Sidebar`', async () => {
  const { page } = await newSite(pages)
  for (const path of ['/wiki/Guide?action=edit', '/wiki/Guide?action=history', '/wiki/Special:AllPages'])
    expect(treeOf(await page(path))).toEqual([])
})

test('it is omitted if titles with a slash are rare', async () => {
  const { page } = await newSite({ Home: 'x', Tides: 'x', 'Tides/Table': 'x' })
  const shown = await page('/wiki/Tides/Table')
  expect(shown.elements.filter(one => attributeOf(one, 'class') === 'sidebar')).toEqual([])
})

test('a level with many pages shows those around the page', { tags: 'long' }, async () => {
  const many = Object.fromEntries(Array.from({ length: 130 }, (_, at) => [`Log/${1000 + at}`, 'x']))
  const { page } = await newSite(many)
  const links = treeOf(await page('/wiki/Log/1100'))
  expect(links.length).toBe(102)
  expect(links).toContain('* /wiki/Log/1100')
})
