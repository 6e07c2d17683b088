/** Lists and feeds of changes, of the API and of the pages: what they list, and where their entries lead. */

import { expect, test } from 'vitest'
import { deletePages } from '../../src/operations/delete-page.ts'
import { hideRevision } from '../../src/operations/hide-revision.ts'
import { ada, bob, create, edit, newWiki } from '../operations/_wiki.ts'
import { attributeOf, linksOf, newSite, type Site, siteOf } from './_site.ts'

const al = { name: 'Al', address: '' }
const alice = { name: 'Alice', address: '' }

test('contributions list the user of exactly this name, however busy one with a longer name is', async () => {
  const { wiki } = await newWiki({})
  await create(wiki, 'Ebb', 'by Al', { author: al })
  await edit(wiki, 'Ebb', 'by Al again', { author: al })
  for (let count = 0; count < 5; count++) await edit(wiki, 'Ebb', `by Alice ${count}`, { author: alice })
  const { page, ask } = siteOf(wiki)
  for (const limit of [1, 2, 5]) {
    const shown: string[] = []
    let path: string | undefined = `/wiki/Special:Contributions/Al?limit=${limit}`
    for (let part = 0; path !== undefined && part < 5; part++) {
      const { html, ...rest } = await page(path)
      const found = [...html.matchAll(/href="([^"]*)" class="when"/g)].map(([, href]) => href!)
      expect(found.length, path).toBeGreaterThan(0)
      shown.push(...found)
      path = linksOf({ html, ...rest }).find(link => link.includes('older_than'))
    }
    expect(
      shown.map(href => href.replaceAll('&amp;', '&')),
      `${limit}`,
    ).toEqual(['/wiki/Ebb?diff=2&oldid=1', '/wiki/Ebb?oldid=1'])
  }
  for (const feed of ['/wiki/Special:Contributions/Al?feed=json', '/v1/feed?format=json&user=Al']) {
    const { items } = (await (await ask(feed)).json()) as { items: unknown[] }
    expect(items.length, feed).toBe(2)
  }
})

test('every entry of every feed leads to a page, also where a text is hidden or the page is deleted', async () => {
  const { ask, wiki } = await newSite({ Tides: 'a', Ebb: 'x', 'Sea/Fog: "grey" & more?': 'y', 'Category:Water': '' })
  const hidden = await edit(wiki, 'Tides', 'secret [[Category:Water]]', { author: bob })
  await edit(wiki, 'Tides', 'plain [[Category:Water]]')
  await deletePages(wiki, { titles: ['Ebb'], author: ada, comment: '' })
  await hideRevision(wiki, { id: hidden, parts: ['text'], author: ada, comment: null, reason: '' })
  const users = [ada, bob].map(({ name }) => encodeURIComponent(name))
  const feeds = [
    ...['/wiki/Special:RecentChanges?feed=json', '/wiki/Tides?action=history&feed=json', '/v1/feed?format=json'],
    ...['/v1/feed?format=json&title=Tides', '/v1/feed?format=json&category=Water'],
    '/api.php?action=feedrecentchanges&feedformat=json',
    ...users.flatMap(user => [`/wiki/Special:Contributions/${user}?feed=json`, `/v1/feed?format=json&user=${user}`]),
  ]
  const entries: Record<string, string[]> = {}
  for (const feed of feeds) {
    const { home_page_url, feed_url, items } = (await (await ask(feed)).json()) as {
      home_page_url: string
      feed_url: string
      items: { url: string }[]
    }
    entries[feed] = items.map(({ url }) => url)
    expect(items.length, feed).toBeGreaterThan(0)
    for (const url of [home_page_url, feed_url, ...items.map(item => item.url)]) {
      const { status } = await ask(url.replace('http://localhost:8080', ''))
      expect(status, `${feed}: ${url}`).toBe(200)
    }
  }
  expect(entries['/v1/feed?format=json']).toEqual(entries['/wiki/Special:RecentChanges?feed=json'])
})

/** The links in the head of a page, of these kinds. */
async function headLinks({ page }: Site, path: string, rel: string): Promise<(readonly [string, string])[]> {
  return (await page(path)).elements
    .filter(one => one.tagName === 'link' && attributeOf(one, 'rel') === rel)
    .map(one => [attributeOf(one, 'title') ?? '', attributeOf(one, 'href') ?? ''] as const)
}

test('every page names the feeds that it has, and each exists', async () => {
  const site = await newSite({ Tides: 'x', 'Sea/Fog "1"?': 'y' })
  const recent = ['Recent changes', '/wiki/Special:RecentChanges?feed=atom']
  const pages: Record<string, unknown> = {
    '/wiki/Special:RecentChanges': [recent],
    '/wiki/Special:AllPages': [recent],
    '/wiki/Nowhere': [recent],
    '/wiki/Tides': [recent, ['History of Tides', '/wiki/Tides?action=history&feed=atom']],
    '/wiki/Tides?action=history': [recent, ['History of Tides', '/wiki/Tides?action=history&feed=atom']],
    '/wiki/Sea/Fog_%221%22%3F': [
      recent,
      ['History of Sea/Fog "1"?', '/wiki/Sea/Fog_%221%22%3F?action=history&feed=atom'],
    ],
    '/wiki/Special:Contributions/Ada_Example': [
      recent,
      ['Edits by Ada Example', '/wiki/Special:Contributions?user=Ada+Example&feed=atom'],
    ],
  }
  for (const [path, links] of Object.entries(pages)) {
    const found = await headLinks(site, path, 'alternate')
    expect([path, found]).toEqual([path, links])
    for (const [, href] of found) {
      const feed = await site.ask(href)
      expect([href, feed.status, feed.headers.get('content-type')]).toEqual([
        href,
        200,
        'application/atom+xml; charset=utf-8',
      ])
    }
  }
})

test('a page names its own address, the search and the icon', async () => {
  const site = await newSite({ Tides: 'x', Ebb: '#REDIRECT [[Tides]]' })
  const canonical = async (path: string) => (await headLinks(site, path, 'canonical')).map(([, href]) => href)
  const own = ['http://localhost:8080/wiki/Tides']
  expect(await canonical('/wiki/Tides')).toEqual(own)
  expect(await canonical('/wiki/Tides?redirectedfrom=Ebb&utm_source=x')).toEqual(own)
  for (const path of ['/wiki/Tides?oldid=1', '/wiki/Tides?action=history', '/wiki/Nowhere', '/wiki/Special:AllPages'])
    expect([path, await canonical(path)]).toEqual([path, []])
  const found = [...(await headLinks(site, '/wiki/Tides', 'search')), ...(await headLinks(site, '/wiki/Tides', 'icon'))]
  const types = await Promise.all(found.map(async ([, href]) => (await site.ask(href)).headers.get('content-type')))
  expect(types).toEqual(['application/opensearchdescription+xml', 'image/svg+xml'])
})
