import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ada, edit, newWiki } from '../operations/_wiki.ts'
import { linksOf, newSite, type Site, siteOf, textOf } from './_site.ts'

/** Follows redirects within the wiki; returns the statuses on the way and the last address. */
async function followed({ ask }: Site, path: string): Promise<string> {
  const steps: number[] = []
  let at = path
  for (let step = 0; step < 5; step++) {
    const response = await ask(at)
    await response.arrayBuffer()
    steps.push(response.status)
    const next = response.headers.get('location')
    if (next === null) break
    at = next
  }
  return `${steps.join(' ')} ${at}`
}

async function coast(language = 'en'): Promise<Site> {
  const site = await newSite({ Tides: 'One.', Fog: 'See [[Tides]].', 'Category:Sea': 'x' }, { language })
  await edit(site.wiki, 'Tides', 'Two.', { base: site.wiki.store.findPage('Tides')!.latest, author: ada })
  return site
}

describe('special pages about one page', () => {
  const names = ['MovePage', 'DeletePage', 'RestorePage', 'WhatLinksHere', 'Contributions', 'Diff', 'PermanentLink']

  test.each(names)('Special:%s shows a form for a title', async name => {
    const site = await coast()
    const asked = await site.page(`/wiki/Special:${name}`)
    expect([asked.status, asked.html.includes('name="target"')]).toEqual([200, true])
    const numbered = name === 'Diff' || name === 'PermanentLink'
    const target = numbered ? '4' : name === 'RestorePage' ? 'Tides' : 'Fog'
    expect((await site.ask(`/wiki/Special:${name}?target=${target}&kind=link`)).headers.get('location')).toBe(
      `/wiki/Special:${name}/${target}?kind=link`,
    )
  })

  test.each([
    ['MovePage/Nowhere', 404],
    ['DeletePage/Nowhere', 404],
    ['RestorePage/Tides', 409],
    ['RestorePage/Nowhere', 404],
    ['MovePage/a|b', 404],
    ['WhatLinksHere/a|b', 404],
    ['Diff/999', 404],
    ['Diff/abc', 400],
    ['Diff/1/-1', 404],
    ['PermanentLink/999', 404],
    ['FilePath/Nothing.png', 404],
  ])('Special:%s reports the error, and keeps the field', async (path, status) => {
    const site = await coast()
    const shown = await site.page(`/wiki/Special:${path}`)
    expect(shown.status).toBe(status)
    expect(shown.html).toContain('role="alert"')
    expect(shown.html).toContain(`value="${path.slice(path.indexOf('/') + 1)}"`)
  })
})

test.each([
  ['/wiki/Special:PermanentLink/1', '302 200 /wiki/Tides?oldid=1'],
  ['/wiki/Special:PermaLink/1', '302 200 /wiki/Tides?oldid=1'],
  ['/wiki/Special:Redirect/revision/1', '302 200 /wiki/Tides?oldid=1'],
  ['/wiki/Special:Redirect/page/2', '302 200 /wiki/Fog'],
  ['/wiki/Special:Redirect/user/Ada%20Example', '302 200 /wiki/Special:Contributions?user=Ada+Example'],
  ['/wiki/Special:Redirect/logid/2', '404 /wiki/Special:Redirect/logid/2'],
  ['/wiki/Special:PageHistory/Fog', '302 200 /wiki/Fog?action=history'],
  ['/wiki/Special:History/Fog', '302 200 /wiki/Fog?action=history'],
  ['/wiki/Special:EditPage/Fog', '302 200 /wiki/Fog?action=edit'],
  ['/wiki/Special:Info/Fog', '302 200 /wiki/Fog?action=info'],
  ['/wiki/Special:Categories', '302 200 /wiki/Special:AllPages?ns=14'],
  ['/wiki/Special:Delete/Fog', '200 /wiki/Special:Delete/Fog'],
  ['/wiki/Special:Recent_changes', '200 /wiki/Special:Recent_changes'],
  ['/wiki/Special:MyContributions', '302 200 /wiki/Special:UserLogin?returnto=Special%3AMyContributions'],
  ['/wiki/Fog?action=delete', '302 200 /wiki/Special:DeletePage/Fog'],
  ['/wiki/Fog?action=credits', '302 200 /wiki/Fog?action=authors'],
  ['/wiki/Fog?action=purge', '302 200 /wiki/Fog'],
  ['/wiki/Fog?veaction=edit', '200 /wiki/Fog?veaction=edit'],
  ['/wiki/Fog?action=HISTORY', '200 /wiki/Fog?action=HISTORY'],
  ['/wiki/Fog?action=nope', '404 /wiki/Fog?action=nope'],
  ['/index.php?title=Fog&action=history', '301 200 /wiki/Fog?action=history'],
  ['/w/index.php?title=Special:Search&search=tides', '301 200 /wiki/Special:Search?search=tides'],
  ['/w/index.php/Fog', '301 200 /wiki/Fog'],
  ['/index.php/Special:RecentChanges?limit=5', '301 200 /wiki/Special:RecentChanges?limit=5'],
  ['/wiki/index.php?title=Fog', '301 200 /wiki/Fog'],
  ['/wiki/?title=Fog', '301 200 /wiki/Fog'],
  ['/?title=Fog&action=history', '301 200 /wiki/Fog?action=history'],
  ['/index.php?curid=2', '301 200 /wiki/Fog'],
  ['/wiki/?curid=2', '301 200 /wiki/Fog'],
  ['/index.php?curid=99', '307 404 /wiki/Main_Page'],
  ['/index.php?oldid=1', '301 200 /wiki/Tides?oldid=1'],
  ['/index.php?diff=4&oldid=1', '301 200 /wiki/Tides?diff=4&oldid=1'],
  ['/index.php?search=tides', '301 200 /wiki/Special:Search?search=tides'],
  ['/index.php', '307 404 /wiki/Main_Page'],
  ['/wiki/index.php', '404 /wiki/index.php'],
])('%s: %s', async (path, expected) => {
  expect(await followed(await coast(), path)).toBe(expected)
})

test.each([
  ['de', 'Spezial:Letzte_Änderungen', 'Letzte Änderungen'],
  ['de', 'Spezial:Beiträge/Ada', 'Ada'],
  ['de', 'Spezial:Linkliste/Fog', 'Fog'],
  ['de', 'Special:RecentChanges', 'Letzte Änderungen'],
  ['de', 'Spezial:Recent changes', 'Letzte Änderungen'],
  ['en', 'Spezial:Letzte Änderungen', 'Recent changes'],
  ['fr', 'Spécial:RecentChanges', 'Recent changes'],
  ['ar', 'خاص:أحدث_التغييرات', 'أحدث التغييرات'],
  ['ar', 'خاص:ماذا_يصل_هنا/Fog', 'Fog'],
])('in %s there is %s', async (language, title, heading) => {
  const shown = await (await coast(language)).page(`/wiki/${encodeURIComponent(title)}`)
  expect([shown.status, shown.text.includes(heading)]).toEqual([200, true])
})

test('a page whose title begins like a special page of another language is an ordinary page', async () => {
  const site = await newSite({ 'Spezial:Suche': 'A book.' })
  expect((await site.page('/wiki/Spezial:Suche')).text).toContain('A book.')
  const missing = await site.page('/wiki/Spezial:Buch')
  expect([missing.status, missing.text.includes('There is no page with this title')]).toEqual([404, true])
  expect((await site.ask('/wiki/Spezial:Hochladen?action=edit')).status).toBe(200)
})

test('a missing special page lists the existing ones', async () => {
  const shown = await (await coast()).page('/wiki/Special:Nope/x')
  expect([shown.status, linksOf(shown).includes('/wiki/Special:RecentChanges')]).toEqual([404, true])
})

describe('a URL of a page with an error', () => {
  test.each(['history', 'info', 'links', 'authors', 'raw', 'lead'])(
    '%s of a missing page offers to create it',
    async action => {
      const shown = await (await coast()).page(`/wiki/Nowhere?action=${action}`)
      expect([shown.status, linksOf(shown).includes('/wiki/Nowhere?action=edit')]).toEqual([404, true])
    },
  )

  test.each([
    ['/wiki/Tides?oldid=999', '/wiki/Tides'],
    ['/wiki/tides?oldid=abc', '/wiki/Tides'],
    ['/wiki/Tides?action=history&filter=nope', '/wiki/Tides'],
    ['/wiki/Tides?action=nope', '/wiki/Tides'],
    ['/wiki/Special:Search?search=x&limit=999', '/wiki/Special:Search'],
    ['/wiki/Special:RecentChanges?feed=nope', '/wiki/Special:RecentChanges'],
    ['/wiki/Special:Lists/orphans?after=%3Cb%3E', '/wiki/Special:Lists/orphans'],
  ])('%s links back to %s', async (path, back) => {
    const shown = await (await coast()).page(path)
    expect([shown.status >= 400, linksOf(shown).includes(back)]).toEqual([true, true])
  })

  test.each(['', '?action=edit', '?action=history'])(
    'of a title that cannot be says so and offers a search: C#%s',
    async query => {
      const shown = await (await coast()).page(`/wiki/C%23${query}`)
      expect(shown.elements.filter(({ tagName }) => tagName === 'h1').map(one => textOf(one.childNodes))).toEqual([
        'This cannot be a title',
      ])
      expect([shown.status, shown.text.includes('a title cannot hold #')]).toEqual([400, true])
      expect(linksOf(shown)).toContain('/wiki/Special:Search?search=C%23')
    },
  )

  test('of a section leads to it, also where its number sign is encoded', async () => {
    const { ask } = await coast()
    expect((await ask('/wiki/Tides%23Two_words')).headers.get('location')).toBe('/wiki/Tides#Two_words')
  })

  test('of an unknown list has the lists', async () => {
    const shown = await (await coast()).page('/wiki/Special:Lists/nope')
    expect([shown.status, linksOf(shown).includes('/wiki/Special:Lists/orphans')]).toEqual([404, true])
  })

  test('of a missing page reports it', async () => {
    const site = await coast()
    for (const path of ['/wiki/Nowhere?diff=prev', '/wiki/Nowhere?diff=cur&oldid=1'])
      expect((await site.page(path)).text).toContain('There is no page with this title')
    const file = await site.page('/wiki/File:Nope.png')
    expect([file.status, linksOf(file).includes('/wiki/Special:Upload?wpDestFile=Nope.png')]).toEqual([404, true])
  })
})

test('a repository removed while it is served reveals no folder of the machine', async () => {
  const { wiki, directory } = await newWiki({ Tides: 'x', '/etc/passwd': 'y' })
  const { ask, page } = siteOf(wiki)
  renameSync(join(directory, '.git'), join(directory, '.gone'))
  const parts = directory.split('/').filter(part => part !== '')
  const shown = await page('/wiki/Tides')
  expect([shown.status, shown.text.includes('cannot be read as a wiki')]).toEqual([500, true])
  const answers = [shown.html, await (await ask('/v1/page/Tides', { headers: { accept: '*/*' } })).text()]
  for (const text of answers) expect(parts.filter(part => text.includes(`${part}/`))).toEqual([])
  renameSync(join(directory, '.gone'), join(directory, '.git'))
  expect((await page('/wiki/Tides')).status).toBe(200)
  expect((await page('/wiki//etc/passwd%7C')).text).toContain('/etc/passwd')
})

test('an unsupported method gets the supported ones', async () => {
  const { ask, page } = await coast()
  for (const [path, method, allow] of [
    ['/wiki/Tides', 'PUT', 'GET, HEAD, POST'],
    ['/wiki/Tides', 'DELETE', 'GET, HEAD, POST'],
    ['/wiki/Tides', 'POST', 'GET, HEAD'],
    ['/wiki/Special:Search', 'POST', 'GET, HEAD'],
  ] as const) {
    const shown = await page(path, { method })
    expect([shown.status, shown.headers.get('allow'), shown.text.includes(method)], path).toEqual([405, allow, true])
  }
  const options = await ask('/wiki/Tides', { method: 'OPTIONS' })
  expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, POST'])
})

test('a missing main page links to existing pages', async () => {
  const shown = await (await newSite()).page('/wiki/Main_Page')
  expect(linksOf(shown)).toEqual(expect.arrayContaining(['/wiki/Special:AllPages', '/wiki/Special:ListFiles']))
  expect(shown.html).toContain('class="button" href="/wiki/Special:AllPages"')
})

test.each([
  ['/wiki/Tides?oldid=&diff=&action=&redirect='],
  ['/wiki/Tides?oldid=0'],
  ['/wiki/Tides?action=history&filter=&older_than=&newer_than=&feed='],
  ['/wiki/Special:RecentChanges?ns=&feed=&limit=&older_than='],
  ['/wiki/Special:Search?search=x&ns=&limit=&offset='],
  ['/wiki/Special:AllPages?prefix=&ns=&offset=&from='],
  ['/wiki/Special:WhatLinksHere/Tides?kind=&after='],
  ['/wiki/Special:ListFiles?offset='],
  ['/wiki/Special:'],
])('%s: an empty field counts as missing', async path => {
  expect((await (await coast()).page(path)).status).toBe(200)
})

test("all pages begin where MediaWiki's `from` and `namespace` say", async () => {
  const site = await newSite({ Apple: 'x', Tides: 'x', Walks: 'x', 'Talk:Tides': 'x', 'Template:Box': 'x' })
  const listed = async (query: string): Promise<string[]> =>
    linksOf(await site.page(`/wiki/Special:AllPages?${query}`)).filter(link => /wiki\/(?!Special|Main)/.test(link))
  expect(await listed('from=T&namespace=0')).toEqual(['/wiki/Tides', '/wiki/Walks'])
  expect(await listed('namespace=10')).toEqual(['/wiki/Template:Box'])
  expect(await listed('from=A&namespace=10')).toEqual(['/wiki/Template:Box'])
  expect(await listed('from=Z&namespace=10')).toEqual([])
  expect((await site.ask('/wiki/Special:Random/Template')).headers.get('location')).toBe('/wiki/Template:Box')
})

test('crawlers are asked to read only pages, and browsers find the icon', async () => {
  const { ask } = await coast()
  const robots = await ask('/robots.txt', { headers: { accept: '*/*' } })
  expect(await robots.text()).toContain('Disallow: /*?')
  const icon = await ask('/favicon.ico', { headers: { accept: 'image/*' } })
  expect([icon.status, (await ask(icon.headers.get('location')!)).headers.get('content-type')]).toEqual([
    302,
    'image/svg+xml',
  ])
})

describe('an unknown URL', () => {
  test('is a page for browsers, which suggests a similar page', async () => {
    const site = await coast()
    for (const path of ['/Fog', '/w/Fog', '/fog']) {
      const shown = await site.page(path)
      expect([shown.status, linksOf(shown).includes('/wiki/Fog')], path).toEqual([404, true])
    }
    expect((await site.page('/no/such%20place')).status).toBe(404)
    expect((await site.page('/%E0%A4')).status).toBe(404)
  })

  test('is JSON for programs, and below the URLs of the API', async () => {
    const { ask } = await coast()
    const asked: [path: string, accept: string][] = [
      ['/Fog', 'application/json'],
      ['/Fog', '*/*'],
      ['/v1/nope', 'text/html'],
      ['/files/Nope.png', 'text/html'],
      ['/w/rest.php/v1/nope', 'text/html'],
    ]
    for (const [path, accept] of asked) {
      const response = await ask(path, { headers: { accept } })
      expect([response.status, response.headers.get('content-type')], path).toEqual([404, 'application/json'])
    }
  })
})
