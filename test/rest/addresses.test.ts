/** Every URL in a response works: a plain GET returns 200. */

import { expect, test } from 'vitest'
import { deletePages } from '../../src/operations/delete-page.ts'
import type { Wiki } from '../../src/operations/wiki.ts'
import { createApp } from '../../src/rest/app.ts'
import { ada, bob, commitFiles, create, edit, newWiki } from '../operations/_wiki.ts'
import { type Site, siteOf } from '../web/_site.ts'

const drawing = '<svg xmlns="http://www.w3.org/2000/svg" width="900" height="600"><rect width="9" height="9"/></svg>'

const pages = {
  'Main_Page.wiki': 'Welcome to the [[Harbour]]. [[File:Chart.svg|thumb|A chart]]\n',
  'Harbour.wiki':
    'A [[Main Page]], a [[missing page]], [[Old name]]. {{Box}} [[Category:Places]]\n\n== Piers ==\nTwo.\n',
  'Old_name.wiki': '#REDIRECT [[Harbour]]\n',
  'Template/Box.wiki': '[[Café & co? 100%]]\n',
  'Café_&_co%3F_100%25.wiki': 'Signs in a title.\n',
  'Notes.md': '# Notes\n\n[Harbour](Harbour.wiki) ![](File/Chart.svg)\n',
  'Folder/Sub_page.wiki': '[[../]]\n',
  'Gone.wiki': 'Soon gone.\n',
  'File/Chart.svg': drawing,
  'File/My_chart, 50%25 (ü).svg': drawing,
}

/** Titles with every sign that a part of an address must escape; each is searched by its first word. */
const oddTitles = [
  'Two words',
  'Why? Because',
  '50% of a hundred %',
  'Plus + and & more',
  'Quote \'s and "these"',
  'Ünïcode 東京 😀',
  'Semi; colon: x, y=z',
  'Sub/page one/and two',
  'Talk:Two words',
  'User:Ada B/notes',
  'Category:Odd places',
  'File:My chart, 50% (ü).svg',
]
const route = (title: string, rest: string) => `/v1/page/${encodeURIComponent(title.replaceAll(' ', '_'))}${rest}`
const oddStarts = oddTitles.flatMap(title => [
  ...['', '/bare', '/with_html', '/history?limit=1', '/links/media', '/links/out'].map(rest => route(title, rest)),
  `/v1/search/page?q=${encodeURIComponent(title.split(/[ :/;]/)[0] as string)}`,
  `/v1/search/title?q=${encodeURIComponent(title)}`,
])

/** Addresses from which the rest is found. */
const starts = [
  '/v1/page/Harbour',
  '/v1/page/Harbour/bare',
  '/v1/page/Harbour/with_html',
  '/v1/page/Harbour/history?limit=2',
  '/v1/page/Harbour/history/counts/edits',
  '/v1/page/Harbour/links/language',
  '/v1/page/Main_Page/links/media',
  '/v1/page/Harbour/links/here?limit=1',
  '/v1/page/Harbour/links/out?limit=1',
  '/v1/page/Harbour/authorship',
  '/v1/page/Harbour/lint',
  '/v1/revision/2',
  '/v1/file/File:Chart.svg',
  '/v1/search/page?q=harbour',
  '/v1/search/title?q=h',
  '/v1/pages?limit=2',
  '/v1/files?limit=1',
  '/v1/changes?limit=2',
  '/v1/feed?format=json',
  '/v1/feed?format=json&user=Ada',
  '/v1/feed?format=json&title=Harbour',
  '/v1/feed?format=json&category=Places',
  '/v1/lists/orphans?limit=1',
  '/v1/category/Places?limit=1',
  '/v1/search',
  '/specs/v0/discovery',
  '/specs/v0/module/-',
]

async function harbour(): Promise<Wiki> {
  const { wiki } = await newWiki({})
  await commitFiles(wiki, pages)
  await edit(wiki, 'Harbour', `${pages['Harbour.wiki']}\nMore.\n`, { author: bob })
  await edit(wiki, 'Harbour', `${pages['Harbour.wiki']}\nMore and more.\n`)
  await deletePages(wiki, { titles: ['Gone'], comment: null, author: ada })
  for (const title of oddTitles)
    await create(
      wiki,
      title,
      `Text of ${title.replaceAll('%', ' ')}. [[File:My chart, 50% (ü).svg|thumb]] [[Main Page]]`,
    )
  return wiki
}

/** URLs in a response: of this server, absolute or from its root. URL templates are for clients to fill in. */
function addressesIn(value: unknown, base: string): string[] {
  if (Array.isArray(value)) return value.flatMap(one => addressesIn(one, base))
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([name, one]) => {
      const isAddress = /(?:^|_)(?:url|href|latest|older|newer|next|previous|first|last|thumbnail)$/.test(name)
      if (typeof one === 'string' && isAddress && /^(?:https?:)?\//.test(one)) return [new URL(one, base).href]
      return addressesIn(one, base)
    })
  }
  return []
}

/** A server with pages for browsers, and one of the API alone. */
const servers: readonly [name: string, hops: number, ask: (wiki: Wiki) => Site['ask']][] = [
  ['with pages for browsers', 0, wiki => siteOf(wiki, { allowAnonymous: true }).ask],
  [
    'of the API alone, of pages for browsers after a redirect to their route',
    1,
    wiki => {
      const app = createApp(wiki)
      return async (path, init) => app.request(`http://localhost:8080${path}`, init)
    },
  ],
]

test.each(servers)(
  'every URL in every response returns 200 from a server %s',
  { tags: 'long' },
  async (_, hops, on) => {
    const ask = on(await harbour())
    const origin = 'http://localhost:8080'
    const waiting: (readonly [path: string, from: string])[] = [...starts, ...oddStarts].map(path => [path, 'the list'])
    const seen = new Set([...starts, ...oddStarts])
    const wrong: string[] = []
    for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
      const [path, from] = one
      let answer = await ask(path, { headers: { accept: '*/*' } })
      const isRoute = path.startsWith('/v1/')
      // The description names the root as its server, which leads a browser to the main page.
      if (path === '/') continue
      for (let hop = 0; !isRoute && [301, 302, 307, 308].includes(answer.status) && hop < hops; hop++) {
        const to = new URL(answer.headers.get('location') ?? '', origin + path)
        answer = await ask(to.pathname + to.search, { headers: { accept: '*/*' } })
      }
      if (answer.status !== 200) wrong.push(`${answer.status} ${path}, from ${from}`)
      const type = answer.headers.get('content-type') ?? ''
      if (!type.includes('json')) continue
      for (const address of addressesIn(await answer.json(), origin + path)) {
        const url = new URL(address)
        const target = url.pathname + url.search
        if (url.origin !== origin || seen.has(target)) continue
        seen.add(target)
        waiting.push([target, path])
      }
    }
    expect(wrong).toEqual([])
    // The crawl itself works: it followed the first responses.
    expect(seen.size).toBeGreaterThan(starts.length + oddStarts.length + 100)
  },
)

test.each([
  ['/wiki/Harbour?diff=9&oldid=7', '/v1/revision/7/compare/9'],
  ['/wiki/Harbour?oldid=7', '/v1/revision/7/html'],
  ['/wiki/Harbour?oldid=x', '/v1/page/Harbour/html'],
  ['/wiki/Harbour?action=history', '/v1/page/Harbour/history'],
  ['/wiki/Gone?action=history', '/v1/changes?title=Gone'],
  ['/wiki/Special:Redirect/revision/7', '/v1/revision/7/html'],
  ['/wiki/Special:Contributions/Ada_B', '/v1/changes?user=Ada%20B'],
  ['/wiki/Category:Places', '/v1/category/Places'],
  ['/wiki/File:Chart.svg', '/v1/file/File%3AChart.svg'],
  ['/wiki/Missing', '/v1/page/Missing/html'],
])('without pages for browsers %s redirects to the equivalent route', async (path, location) => {
  const { wiki } = await newWiki({ Harbour: 'x' })
  await commitFiles(wiki, { 'File/Chart.svg': drawing })
  expect((await createApp(wiki).request(path)).headers.get('location')).toBe(location)
})

test('each feed has its own id and page', async () => {
  const app = createApp(await harbour())
  const ids = await Promise.all(
    ['', 'user=Ada', 'user=Bob', 'title=Harbour', 'category=Places'].map(async subject => {
      const text = await (await app.request(`/v1/feed?${subject}`)).text()
      return /<id>([^<]*)<\/id>/.exec(text)?.[1]
    }),
  )
  expect(new Set(ids).size).toBe(ids.length)
})
