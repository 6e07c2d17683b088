import { SaxesParser } from 'saxes'
import { describe, expect, test } from 'vitest'
import { deletePages } from '../../src/operations/delete-page.ts'
import { hideRevision } from '../../src/operations/hide-revision.ts'
import { ada, bob, commitFiles, create, edit } from '../operations/_wiki.ts'
import { attributeOf, linksOf, newSite, type ShownPage, type Site, textOf } from './_site.ts'

/** Text of the list items of a page's main part. */
function rowsOf({ elements }: ShownPage): string[] {
  const main = elements.findIndex(element => attributeOf(element, 'class') === 'body')
  return elements
    .slice(main)
    .filter(({ tagName }) => tagName === 'li')
    .map(item => textOf(item.childNodes).replace(/\s+/g, ' ').trim())
}

const marked = (page: ShownPage, name: string): string[] =>
  page.elements.filter(({ tagName }) => tagName === name).map(element => textOf(element.childNodes))

async function editedSite(): Promise<Site & { readonly ids: readonly number[] }> {
  const site = await newSite()
  const first = await create(site.wiki, 'Tides', 'one\n\ntwo small words\n', { comment: 'Begin [[Harbour]]' })
  const second = await edit(site.wiki, 'Tides', 'one\n\ntwo large words\n', { base: first, author: bob, minor: true })
  return { ...site, ids: [first, second] }
}

/** A site of pages made by one commit, because a commit for each takes 10 ms. */
async function siteOfMany(pages: Readonly<Record<string, string>>): Promise<Site> {
  const site = await newSite()
  const files = Object.entries(pages).map(([title, text]) => [`${title.replaceAll(' ', '_')}.wiki`, text])
  await commitFiles(site.wiki, Object.fromEntries(files))
  return site
}

describe('search', () => {
  test('finds pages, shows excerpts, and offers to create the page', { tags: 'long' }, async () => {
    const { page } = await newSite({ Tides: 'The <b>water</b> rises', Fog: 'grey' })
    const found = await page('/wiki/Special:Search?search=water')
    expect(rowsOf(found).some(row => row.startsWith('Tides'))).toBe(true)
    expect(linksOf(found)).toContain('/wiki/Water?action=edit')
    expect((await page('/wiki/Special:Search?search=zzzz&ns=0')).text).toContain('Nothing was found.')
    expect((await page('/wiki/Special:Search')).status).toBe(200)
  })

  test('shows the words that readers see, unless the source is requested', async () => {
    const text =
      "'''Tide''' <tt>water</tt> comes to the [[Pier|old pier]].<ref>An [https://x.example almanac]</ref> {{Box|water=1}}"
    const { page } = await newSite({ Tides: text, Fog: 'A **foggy** [water](Tides) <b>here</b>.' }, { name: 'x' })
    const excerptsOf = async (q: string): Promise<string[]> => {
      const { elements } = await page(`/wiki/Special:Search?search=${encodeURIComponent(q)}`)
      return elements.filter(one => attributeOf(one, 'class') === 'excerpt').map(one => textOf(one.childNodes).trim())
    }
    expect(await excerptsOf('water pier')).toEqual(['Tide water comes to the old pier.'])
    expect(await excerptsOf('almanac')).toEqual([expect.not.stringMatching(/[[<{]|''|https/)])
    expect(await excerptsOf('insource:"<tt>"')).toEqual([expect.stringContaining("'''Tide''' <tt>water")])
  })

  test('offers no page for a title that cannot be', async () => {
    const { page } = await newSite({ Tides: 'x' })
    const offered = async (asked: string) =>
      linksOf(await page(`/wiki/Special:Search?search=${encodeURIComponent(asked)}`)).filter(link =>
        /=edit$/.test(link),
      )
    for (const asked of ['C#', 'fog -tides', 'fog OR mist', 'NOT fog', '"fog bank"', 'fog*', 'intitle:fog', '!fog'])
      expect([asked, await offered(asked)]).toEqual([asked, []])
    for (const asked of ['fog - bank', 'Fog (bank)', 'fog or mist', 'A-b', 'Oh!', 'Fog -- bank'])
      expect([asked, await offered(asked)]).toEqual([asked, [expect.stringContaining('?action=edit')]])
  })

  test('continues after a hundred results, and back', { tags: 'long' }, async () => {
    const pages = Object.fromEntries(Array.from({ length: 130 }, (_, at) => [`Buoy ${at}`, 'It marks water.']))
    const { page } = await siteOfMany(pages)
    const seen: string[] = []
    let address: string | undefined = '/wiki/Special:Search?search=water&limit=50'
    let last = address
    while (address !== undefined) {
      const shown = await page(address)
      const results = shown.html.slice(shown.html.indexOf('<ol class="results"'))
      seen.push(...[...results.matchAll(/<h2><a href="\/wiki\/(Buoy_\d+)/g)].map(([, key]) => key!))
      last = address
      address = /rel="next" href="([^"]*)"/.exec(results)?.[1]?.replaceAll('&amp;', '&')
    }
    expect([seen.length, new Set(seen).size]).toEqual([130, 130])
    expect(last).toContain('offset=100')
    expect((await page(last)).html).toContain('search=water&amp;limit=50&amp;offset=50">Previous results')
    expect((await page('/wiki/Special:Search?search=water&offset=2001')).status).toBe(400)
  })

  test('redirects to the page with exactly this title on request', async () => {
    const { ask } = await newSite({ Tides: 'x' })
    const answer = await ask('/wiki/Special:Search?search=tides&go=1')
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/wiki/Tides'])
  })
})

describe('lists', () => {
  test('show recent changes by day and page, with filters', async () => {
    const { page, ids } = await editedSite()
    const all = await page('/wiki/Special:RecentChanges')
    expect(rowsOf(all)[0]).toMatch(/^Tides .*2 changes/)
    expect(linksOf(all)).toContain(`/wiki/Tides?diff=${ids[1]}&oldid=${ids[0]}`)
    const major = await page('/wiki/Special:RecentChanges?hideminor=1')
    expect(rowsOf(major).length).toBe(1)
    expect((await page('/wiki/Special:RecentChanges?limit=1')).html).toContain('rel="next"')
  })

  test("show one user's changes", async () => {
    const { page } = await editedSite()
    const bobs = await page(`/wiki/Special:Contributions?user=${encodeURIComponent(bob.name)}`)
    expect(rowsOf(bobs).length).toBe(1)
    expect((await page('/wiki/Special:Contributions/Nobody')).text).toContain('No change matches.')
  })

  test('show the problems of texts in parts', { tags: 'long' }, async () => {
    const good = Object.fromEntries(Array.from({ length: 110 }, (_, at) => [`Buoy ${at}`, 'It floats.']))
    const { page } = await siteOfMany({
      ...good,
      Zone: "<div>''<script>alert(1)</script>",
      Yard: '# Note\n\n[x](Nowhere.md)',
    })
    const found: string[] = []
    let address: string | undefined = '/wiki/Special:LintErrors'
    let parts = 0
    while (address !== undefined && parts++ < 200) {
      const shown = await page(address)
      found.push(...[...shown.html.matchAll(/<h2><a href="\/wiki\/(\w+)/g)].map(([, key]) => key!))
      address = /rel="next" href="([^"]*)"/.exec(shown.html)?.[1]?.replaceAll('&amp;', '&')
    }
    expect([parts >= 2, found]).toEqual([true, ['Zone']])
    const last = await page('/wiki/Special:LintErrors?after=Yard')
    expect(last.text).toContain('1 page was checked, 1 has problems.')
    expect(last.text).toMatch(/1:1 .*no end/i)
    expect(last.text).toContain('<script>alert(1)</script>')
  })

  test('show the version and the branch', async () => {
    const { page } = await newSite({ Tides: 'x' }, undefined, { version: '9.8.7' })
    const shown = await page('/wiki/Special:Version')
    expect([shown.text.includes('wiki 9.8.7'), /Branch\s*ma(?:in|ster)/.test(shown.text)]).toEqual([true, true])
    expect((await page('/wiki/Special:SpecialPages')).html).toContain('/wiki/Special:Version')
  })

  test('show titles as a tree', async () => {
    const { page } = await newSite({ Boats: 'x', 'Boats/Coble': 'x', 'Boats/Coble/Sail': 'x', 'Deep/er': 'x' })
    const all = await page('/wiki/Special:AllPages')
    expect(linksOf(all)).toEqual(expect.arrayContaining(['/wiki/Boats', '/wiki/Boats/Coble', '/wiki/Deep/er']))
    expect(rowsOf(all)[0]).toBe('Boats 1Coble 1Sail')
    expect(rowsOf(await page('/wiki/Special:AllPages?prefix=deep')).length).toBe(2)
    expect((await page('/wiki/Special:AllPages?offset=3')).html).toContain('rel="prev"')
  })

  test('show members of categories and links to a page', async () => {
    const { page } = await newSite({ 'Category:Sea': 'About', Tides: '[[Category:Sea]] [[Fog]]', Fog: 'x' })
    expect(linksOf(await page('/wiki/Category:Sea'))).toContain('/wiki/Tides')
    expect(linksOf(await page('/wiki/Special:WhatLinksHere/Fog'))).toContain('/wiki/Tides')
  })

  test('show the kind of each link, and its source', async () => {
    const { page } = await newSite({
      'Template:Box': '[[Fog]]',
      Harbour: '{{Box}}',
      Tides: '[[Mist]]',
      Mist: '#REDIRECT [[Fog]]',
      Fog: 'x',
    })
    const here = await page('/wiki/Special:WhatLinksHere/Fog')
    expect(rowsOf(here)).toEqual(
      expect.arrayContaining(['Harbour through Template:Box', 'Mist redirect', 'Tides by the redirect Mist']),
    )
    expect(rowsOf(await page('/wiki/Special:WhatLinksHere/Fog?kind=redirect'))).toEqual(['Mist redirect'])
    expect((await page('/wiki/Special:WhatLinksHere/Fog?kind=x')).status).toBe(400)
  })

  test('show pages by their links', async () => {
    const { page } = await newSite({ Tides: '[[Nowhere]]', Fog: '[[Tides]]', Old: '#REDIRECT [[Gone]]' })
    expect(rowsOf(await page('/wiki/Special:Lists/wanted'))).toEqual(['Gone 1 page', 'Nowhere 1 page'])
    expect(linksOf(await page('/wiki/Special:WantedPages'))).toContain('/wiki/Special:WhatLinksHere/Nowhere')
    expect(rowsOf(await page('/wiki/Special:Lists/orphans'))).toContain('Fog')
    expect(rowsOf(await page('/wiki/Special:Lists/broken-redirects'))).toEqual(['Old → Gone'])
    expect(linksOf(await page('/wiki/Special:Lists'))).toContain('/wiki/Special:Lists/uncategorized')
    expect((await page('/wiki/Special:Lists/nothing')).status).toBe(404)
  })

  test('show long lists in parts', { tags: 'long' }, async () => {
    const pages = Object.fromEntries(
      Array.from({ length: 205 }, (_, at) => [`Page ${1000 + at}`, '[[Fog]] [[Category:Sea]]']),
    )
    const { page } = await siteOfMany(pages)
    for (const address of ['/wiki/Special:WhatLinksHere/Fog', '/wiki/Category:Sea', '/wiki/Special:Lists/orphans']) {
      const first = await page(address)
      expect([address, first.text.includes('Showing 200 of 205.')]).toEqual([address, true])
      const next = first.elements.find(element => attributeOf(element, 'rel') === 'next')!
      const rest = await page(attributeOf(next, 'href')!)
      expect([address, rest.text.includes('Page 1204'), rest.html.includes('rel="next"')]).toEqual([
        address,
        true,
        false,
      ])
    }
  })

  test('redirect to a random page, a different one each time', async () => {
    const { ask } = await newSite({ Tides: 'x' })
    const answer = await ask('/wiki/Special:Random')
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([302, 'no-store'])
    expect(answer.headers.get('location')).toMatch(/^\/wiki\/(?:Tides|Main_Page)$/)
  })
})

describe('history', () => {
  test('has revisions of which any two can be compared', async () => {
    const { page, ids } = await editedSite()
    const history = await page('/wiki/Tides?action=history')
    const radios = history.elements.filter(element => attributeOf(element, 'type') === 'radio')
    const chosen = radios.filter(radio => attributeOf(radio, 'checked') !== undefined)
    expect(radios.map(radio => [attributeOf(radio, 'name'), Number(attributeOf(radio, 'value'))])).toEqual([
      ['diff', ids[1]],
      ['oldid', ids[0]],
    ])
    expect(chosen.length).toBe(2)
    expect(linksOf(history)).toContain('/wiki/Harbour')
    expect(rowsOf(await page('/wiki/Tides?action=history&filter=minor')).length).toBe(1)
  })

  test('offers no comparison and no undo of a hidden text', async () => {
    const { page, wiki, ids } = await editedSite()
    await edit(wiki, 'Tides', 'third')
    const links = async () =>
      linksOf(await page('/wiki/Tides?action=history')).filter(link => /undo=|diff=/.test(link)).length
    const before = await links()
    await hideRevision(wiki, { id: ids[1]!, parts: ['text'], author: ada, comment: null, reason: '' })
    expect([before, await links()]).toEqual([4, 0])
  })

  test('no list and no page links to a hidden text', { tags: 'long' }, async () => {
    const { page, ask, wiki, ids } = await editedSite()
    const [first, last] = [await edit(wiki, 'Tides', 'third\n'), await edit(wiki, 'Tides', 'third\nfourth\n')]
    await hideRevision(wiki, { id: ids[1]!, parts: ['text'], author: ada, comment: null, reason: '' })
    const shown = await Promise.all(
      [
        ...['/wiki/Tides?action=history', '/wiki/Tides?action=authors', '/wiki/Tides?action=info'],
        ...[
          '/wiki/Special:RecentChanges',
          '/wiki/Special:Contributions/Ada_Example',
          '/wiki/Special:Contributions/Bob_Example',
        ],
        ...[`/wiki/Tides?oldid=${ids[0]}`, `/wiki/Tides?oldid=${first}`, `/wiki/Tides?diff=${last}&oldid=${first}`],
        ...[`/wiki/Tides?diff=${first}&oldid=${ids[0]}`],
      ].map(address => page(address)),
    )
    const feed = (await (await ask('/wiki/Special:RecentChanges?feed=json')).json()) as { items: { url: string }[] }
    const inFeed = feed.items.map(({ url }) => new URL(url).pathname + new URL(url).search)
    const links = new Set([...shown.flatMap(linksOf), ...inFeed].filter(link => /[?&](?:undo|diff|oldid)=/.test(link)))
    const failing = []
    for (const link of links) {
      const answer = await page(link)
      if (answer.status >= 400 || answer.text.includes('is hidden from readers')) failing.push(link)
    }
    expect({ some: links.size > 9, failing }).toEqual({ some: true, failing: [] })
    expect(shown.filter(({ html }) => /<s class="hidden-part"/.test(html)).length).toBeGreaterThan(6)
  })

  test('an edit that cannot be undone because of a hidden text says what can be done', async () => {
    const { page, wiki, ids } = await editedSite()
    const last = await edit(wiki, 'Tides', 'third')
    await hideRevision(wiki, { id: ids[1]!, parts: ['text'], author: ada, comment: null, reason: '' })
    for (const query of [`undo=${last}`, `undo=${ids[1]}`, `oldid=${ids[1]}`]) {
      const form = await page(`/wiki/Tides?action=edit&${query}`)
      expect([query, form.status, form.text.includes('is hidden from readers')]).toEqual([query, 200, true])
      expect(linksOf(form)).toContain('/wiki/Tides?action=history')
    }
  })

  test('of a deleted page names who deleted it', async () => {
    const { page, wiki } = await editedSite()
    await deletePages(wiki, { titles: ['Tides'], author: ada, comment: 'Gone out' })
    const history = await page('/wiki/Tides?action=history')
    expect([history.status, history.text.includes('Gone out')]).toEqual([200, true])
    expect((await page('/wiki/Tides')).text).toContain('It was deleted')
  })
})

describe('a comparison', () => {
  test.each(['', '&view=side'])('marks words by elements, not by colour alone%s', async view => {
    const { page, ids } = await editedSite()
    const compared = await page(`/wiki/Tides?diff=${ids[1]}&oldid=${ids[0]}${view}`)
    expect([marked(compared, 'ins'), marked(compared, 'del')]).toEqual([['large'], ['small']])
    expect(linksOf(compared)).toContain(`/wiki/Tides?oldid=${ids[0]}`)
  })

  test.each([
    ['diff=prev&oldid=2', ['large']],
    ['diff=cur&oldid=1', ['large']],
    ['diff=next&oldid=1', ['large']],
    ['diff=2', ['large']],
    ['diff=1', ['one', '\u00a0', 'two small words']],
  ])('is requested by %s', async (query, added) => {
    const { page } = await editedSite()
    expect(marked(await page(`/wiki/Tides?${query}`), 'ins').map(text => text.replace(/^ /, ''))).toEqual(added)
  })

  test('of another title redirects to its own, and so does Special:Diff', async () => {
    const { ask } = await editedSite()
    expect((await ask('/wiki/Other?diff=2')).headers.get('location')).toBe('/wiki/Tides?diff=2&oldid=1')
    expect((await ask('/wiki/Special:Diff/1/2')).headers.get('location')).toBe('/wiki/Tides?diff=2&oldid=1')
  })

  test('has a link to a gap that is too long to show everywhere', async () => {
    const { wiki, page } = await newSite()
    const lines = Array.from({ length: 5000 }, (_, at) => `line ${at}`)
    const first = await create(wiki, 'Long', lines.join('\n'))
    const second = await edit(wiki, 'Long', [...lines, 'last'].join('\n'), { base: first })
    const address = `/wiki/Long?diff=${second}&oldid=${first}`
    const closed = await page(address)
    expect(closed.text).not.toContain('line 100\n')
    const way =
      linksOf(closed)
        .find(link => link.includes('open='))
        ?.replace(/#.*/, '') ?? ''
    const opened = await page(way)
    expect([opened.text.includes('line 100\n'), opened.text.includes('line 3000\n')]).toEqual([true, false])
    expect(linksOf(opened).some(link => link.includes('open=2000'))).toBe(true)
  })

  test('expands gaps with the unchanged lines', async () => {
    const { wiki, page } = await newSite()
    const lines = Array.from({ length: 30 }, (_, index) => `line ${index}`)
    const first = await create(wiki, 'Long', lines.join('\n'))
    const second = await edit(wiki, 'Long', lines.with(20, 'changed').join('\n'), { base: first })
    const compared = await page(`/wiki/Long?diff=${second}&oldid=${first}`)
    expect(compared.text).toContain('18 unchanged lines')
    for (const line of lines) expect(compared.text).toContain(line)
  })
})

describe('the authors of a page', () => {
  test('are shown word by word', async () => {
    const { page, ids } = await editedSite()
    const authors = await page('/wiki/Tides?action=authors')
    expect(authors.text).toContain(ada.name)
    const others = authors.elements.filter(element => attributeOf(element, 'class') === 'other-author')
    expect(
      others.map(element => [textOf(element.childNodes).trim(), attributeOf(element, 'title')?.slice(11)]),
    ).toEqual([['large', bob.name]])
    expect(attributeOf(others[0]!, 'href')).toBe(`/wiki/Tides?diff=prev&oldid=${ids[1]}`)
  })
})

describe('a feed', () => {
  test('contains the changes of the wiki, or of a page', async () => {
    const { ask, wiki } = await editedSite()
    await create(wiki, 'Fog & <mist>'.replace(/[<>]/g, '"'), 'x', { comment: 'a\u0001 & <b>', author: bob })
    for (const [path, count] of [
      ['/wiki/Special:RecentChanges?feed=atom', 3],
      ['/wiki/Tides?action=history&feed=atom', 2],
    ] as const) {
      const response = await ask(path)
      const xml = await response.text()
      expect(response.headers.get('content-type')).toBe('application/atom+xml; charset=utf-8')
      const names: string[] = []
      const parser = new SaxesParser({ xmlns: true })
      parser.on('error', error => {
        throw error
      })
      parser.on('opentag', tag => void names.push(tag.name))
      parser.write(xml).close()
      expect(names.filter(name => name === 'entry').length).toBe(count)
    }
  })
})

test('every link of every page leads to a page that exists', { tags: 'long' }, async () => {
  const { page, ask, wiki } = await newSite({
    'Main Page': '[[Tides]] [[File:Nope.png]] [[Category:Sea]]',
    Tides: "== A ==\n[[Main Page]] '''x'''\n== B ==\n[[Talk:Tides]]",
    'Talk:Tides': 'x',
    'Category:Sea': '[[Category:Sea]]',
    'A "quoted" & odd/title?': '[[A "quoted" & odd/title?]]',
  })
  await edit(wiki, 'Tides', 'x', { base: 2 })
  const waiting = ['/wiki/Main_Page', '/wiki/Special:SpecialPages']
  const seen = new Set(waiting)
  const dead: string[] = []
  for (let path = waiting.pop(); path !== undefined && seen.size < 2000; path = waiting.pop()) {
    const response = await ask(path)
    const { status } = response
    const isNew = /redlink=1|action=edit/.test(path)
    if (status >= 400 && !isNew) dead.push(`${path}: ${status}`)
    if (status !== 200 || !response.headers.get('content-type')?.startsWith('text/html')) continue
    for (const link of linksOf(await page(path))) {
      const target = new URL(link, `http://localhost:8080${path}`)
      const own = target.pathname + target.search
      if (target.host !== 'localhost:8080' || seen.has(own) || !own.startsWith('/wiki/')) continue
      seen.add(own)
      waiting.push(own)
    }
  }
  expect(dead).toEqual([])
  expect(seen.size).toBeGreaterThan(40)
})
