import { describe, expect, test } from 'vitest'
import { WikiError } from '../../src/core/errors.ts'
import { addFile } from '../../src/operations/add-file.ts'
import type { PageEntry } from '../../src/store/format/entries.ts'
import { pausesOf } from '../_turns.ts'
import { ada, commitFiles, create, edit } from '../operations/_wiki.ts'
import { attributeOf, linksOf, newSite, siteOf, textOf } from './_site.ts'

const tides = `'''Tides''' rise and [[Fall]]. See [[Nowhere]] and [[#Springs]].

== Why ==
Because.<ref>An almanac</ref>

== Springs ==
{| class="wikitable"
! a
|-
| b
|}

=== Neaps ===
x

== Notes ==
<references/>
[[Category:Sea]]
`

describe('a page for readers', () => {
  test('is in the shell, with its links, contents, categories and last edit', async () => {
    const site = await newSite({ Tides: tides, Fall: 'x', 'Category:Sea': 'About the sea.' })
    const page = await site.page('/wiki/Tides')
    expect(page.status).toBe(200)
    const links = linksOf(page)
    expect(links).toEqual(expect.arrayContaining(['/wiki/Fall', '/wiki/Category:Sea', '#Springs', '#cite_note-1']))
    expect(links).toContain('/wiki/Nowhere?action=edit&redlink=1')
    expect(page.text).toContain('Ada Example')
    const contents = page.elements.find(element => attributeOf(element, 'class') === 'contents')
    expect(textOf(contents?.childNodes ?? []).replace(/\s+/g, ' ')).toBe(' Contents WhySpringsNeapsNotes ')
    const scroll = page.elements.find(element => attributeOf(element, 'class') === 'scroll')
    expect(attributeOf(scroll!, 'tabindex')).toBe('0')
  })

  test('has no attributes that only editors need', async () => {
    const { page } = await newSite({ Tides: tides })
    const { html } = await page('/wiki/Tides')
    expect(html).not.toMatch(/data-mw|data-parsoid| id="mw[A-Za-z]{2}"|about="/)
  })

  test('has a lead for previews, which ends before its first heading', async () => {
    const { page, ask } = await newSite({ Tides: tides, Ebb: '#REDIRECT [[Tides]]', Large: 'x'.repeat(201_000) })
    const lead = await page('/wiki/Tides?action=lead')
    expect([lead.text.includes('rise and Fall'), lead.text.includes('Because')]).toEqual([true, false])
    // It ends before the tags of that heading's section.
    for (const name of ['section', 'div'])
      expect(lead.html.split(`<${name}`).length).toBe(lead.html.split(`</${name}>`).length)
    expect((await ask('/wiki/Ebb?action=lead')).headers.get('location')).toBe('/wiki/Tides?action=lead')
    expect((await page('/wiki/Large?action=lead')).text.trim()).toBe('Large')
    expect((await ask('/wiki/Nowhere?action=lead')).status).toBe(404)
  })

  test('shows the key of each link, explained in the list of keys', async () => {
    const { page } = await newSite({ Tides: tides })
    const used = (await page('/wiki/Tides')).elements.flatMap(element => attributeOf(element, 'accesskey') ?? [])
    expect(new Set(used).size).toBe(used.length)
    const listed = (await page('/wiki/Special:Keys')).elements.filter(({ tagName }) => tagName === 'kbd')
    expect(listed.map(({ childNodes }) => textOf(childNodes))).toEqual(expect.arrayContaining(used))
  })

  test('is the same for everyone, so it is revalidated by its tag', async () => {
    const { ask } = await newSite({ Tides: tides })
    const first = await ask('/wiki/Tides')
    const tag = first.headers.get('etag') ?? ''
    const again = await ask('/wiki/Tides', { headers: { 'if-none-match': tag } })
    expect([tag === '', again.status, await again.text()]).toEqual([false, 304, ''])
    expect(first.headers.get('access-control-allow-origin')).toBeNull()
  })

  test.each([
    ['/', 307, '/wiki/Main_Page'],
    ['/wiki/', 307, '/wiki/Main_Page'],
    ['/wiki/tides', 301, '/wiki/Tides'],
    ['/wiki/Ebb', 302, '/wiki/Tides?redirectedfrom=Ebb#Neap_tides'],
    ['/index.php?title=Tides&oldid=1', 301, '/wiki/Tides?oldid=1'],
    ['/w/index.php?title=Tides', 301, '/wiki/Tides'],
  ])('is found at %s', async (path, status, location) => {
    const { ask } = await newSite({ Tides: tides, Ebb: '#REDIRECT [[Tides#Neap tides]]' })
    const response = await ask(path)
    expect([response.status, response.headers.get('location')]).toEqual([status, location])
  })

  test('is found at the end of redirects, however they lead; a circle is shown as what it is', async () => {
    const { ask, page } = await newSite({
      ...{ Tides: 'x', One: '#REDIRECT [[Two]]', Two: '#REDIRECT [[Three#Neap]]', Three: '#REDIRECT [[Tides]]' },
      ...{ Ebb: '#REDIRECT [[Flood]]', Flood: '#REDIRECT [[Ebb]]', In: '#REDIRECT [[Ebb]]' },
      ...{ Self: '#REDIRECT [[Self]]', Gone: '#REDIRECT [[Lost]]', Lost: '#REDIRECT [[Nowhere]]' },
    })
    const targets = {
      One: 'Tides?redirectedfrom=One',
      Two: 'Tides?redirectedfrom=Two',
      Gone: 'Lost?redirectedfrom=Gone',
    }
    for (const [from, target] of Object.entries(targets))
      expect((await ask(`/wiki/${from}`)).headers.get('location'), from).toBe(`/wiki/${target}`)
    const shown = { Ebb: 'Flood', Flood: 'Ebb', In: 'Ebb', Self: 'Self', Lost: 'Nowhere' }
    for (const [from, target] of Object.entries(shown))
      expect((await page(`/wiki/${from}`)).text, from).toContain(`This page redirects to ${target}.`)
  })

  test('names the redirect that the reader followed, and shows the redirect itself on request', async () => {
    const { page } = await newSite({ Tides: tides, Ebb: '#REDIRECT [[Tides]]' })
    expect(linksOf(await page('/wiki/Tides?redirectedfrom=Ebb'))).toContain('/wiki/Ebb?redirect=no')
    expect((await page('/wiki/Tides?redirectedfrom=Tides')).text).not.toContain('Redirected')
    expect((await page('/wiki/Ebb?redirect=no')).text).toContain('This page redirects to Tides.')
  })

  test('shows an old revision with links back', async () => {
    const { page, wiki, ask } = await newSite()
    const first = await create(wiki, 'Tides', 'old words')
    await edit(wiki, 'Tides', 'new words', { base: first, author: ada })
    const old = await page(`/wiki/Tides?oldid=${first}`)
    expect(old.text).toContain('old words')
    expect(old.text).toContain('This is an old revision')
    expect(linksOf(old)).toContain('/wiki/Tides')
    expect(old.html).toContain('<meta name="robots" content="noindex">')
    const moved = await ask(`/wiki/Other?oldid=${first}`)
    expect(moved.headers.get('location')).toBe(`/wiki/Tides?oldid=${first}`)
  })

  test('of another content model is shown too', { tags: 'long' }, async () => {
    const { page } = await newSite({
      'A.json': '{"b": [1, "<script>"]}',
      'MediaWiki:Common.css': 'b{color:red}</style>',
    })
    expect((await page('/wiki/A.json')).text).toContain('<script>')
    expect((await page('/wiki/MediaWiki:Common.css')).text).toContain('</style>')
  })

  test('of Markdown has contents if it is long enough', async () => {
    const { wiki, page } = await newSite()
    const text = ['# Home', '## One', '## Two', '### Three'].join('\n\nx\n\n')
    await commitFiles(wiki, { 'Home.md': text, 'Short.md': '# Short' })
    const { elements } = await page('/wiki/Home')
    expect(elements.filter(element => attributeOf(element, 'class') === 'contents').length).toBe(1)
    expect(elements.filter(({ tagName }) => tagName === 'h1').length).toBe(1)
    expect((await page('/wiki/Short')).html).not.toContain('class="contents"')
  })

  test('that is missing says so, and offers to create it', async () => {
    const { page } = await newSite({ Tides: tides })
    const missing = await page('/wiki/Tide')
    expect([missing.status, missing.text.includes('There is no page with this title.')]).toEqual([404, true])
    expect(linksOf(missing)).toContain('/wiki/Tides')
  })

  test.each([
    ['/wiki/A%5BB', 404],
    ['/wiki/Special:Nothing', 404],
    ['/wiki/Tides?oldid=99', 404],
    ['/wiki/Tides?oldid=x', 400],
    ['/wiki/%zz', 400],
    ['/-/none/wiki.css', 404],
  ])('or an error at %s is also a page', async (path, status) => {
    const { page } = await newSite({ Tides: tides })
    const shown = await page(path)
    expect([shown.status, shown.headers.get('content-type')]).toEqual([status, 'text/html; charset=utf-8'])
  })

  test('of a file has other sizes and the pages that show it, and a category lists its members by kind', async () => {
    const { wiki, page } = await newSite({
      Tides: '[[File:Tide.svg|thumb]] [[Category:Sea]]',
      'Category:Coast': '[[Category:Sea]]',
      'File:Tide.svg': '[[Category:Sea]]',
    })
    const content = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="900" height="300"/>')
    await addFile(wiki, { name: 'Tide.svg', content, comment: null, author: ada })
    const file = await page('/wiki/File:Tide.svg')
    expect(file.text).toContain('Pages that show this file')
    expect(linksOf(file)).toEqual(
      expect.arrayContaining(['/wiki/Tides', '/files/thumb/Tide.svg/320px', '/files/thumb/Tide.svg/640px']),
    )
    const sea = await page('/wiki/Category:Sea')
    expect(sea.text.replace(/\s+/g, ' ')).toMatch(
      /Subcategories ?Category:Coast ?Pages in Sea ?Tides ?Files in Sea ?File:Tide.svg/,
    )
  })

  test('has links to pages above and below', { tags: 'long' }, async () => {
    const { page } = await newSite({
      Tides: 'x',
      'Tides/Neap tides': 'y',
      'Tides/Neap tides/Old': 'z',
      'Lost/Page': 'w',
    })
    const middle = linksOf(await page('/wiki/Tides/Neap_tides'))
    expect(middle).toEqual(expect.arrayContaining(['/wiki/Tides', '/wiki/Tides/Neap_tides/Old']))
    expect(linksOf(await page('/wiki/Lost/Page'))).toContain('/wiki/Special:AllPages?prefix=Lost%2F')
    expect((await page('/wiki/Tides/Neap_tides/Old')).text).not.toContain('Pages below')
  })

  test('reports missing templates, and hides their names', async () => {
    const { page } = await newSite({ Tides: '{{Nope}} {{Nope}} {{There}}', 'Template:There': '{{Gone}}' })
    const { text, elements } = await page('/wiki/Tides')
    expect(text).toContain('2 templates are missing')
    const quiet = elements.filter(element => attributeOf(element, 'class') === 'new missing-template')
    expect(quiet.map(({ childNodes }) => textOf(childNodes))).toEqual([
      'Template:Nope',
      'Template:Nope',
      'Template:Gone',
    ])
  })

  test('indents its contents by nesting, not by level', async () => {
    const { elements } = await (await newSite({ A: '== a ==\n==== b ====\n=== c ===\n== d ==' })).page('/wiki/A')
    const depths = elements.flatMap(element => /^depth-\d$/.exec(attributeOf(element, 'class') ?? '')?.[0] ?? [])
    expect(depths).toEqual(['depth-0', 'depth-1', 'depth-1', 'depth-0'])
  })

  test('of a folder has the nearest sidebar, header and footer', async () => {
    const site = await newSite({ Tides: 'x' })
    await commitFiles(site.wiki, {
      '_Sidebar.md': 'outer side',
      '_Footer.md': 'outer foot',
      'Deep/_Sidebar.md': 'inner side',
      'Deep/_Header.md': 'inner head',
      'Deep/Down/Page.md': 'text',
    })
    const { text } = await site.page('/wiki/Deep/Down/Page')
    const shown = ['inner side', 'outer side', 'inner head', 'outer foot'].filter(words => text.includes(words))
    expect(shown).toEqual(['inner side', 'inner head', 'outer foot'])
    expect((await site.page('/wiki/Tides')).text).toContain('outer side')
  })

  test('has the sidebar and the footer of the whole wiki', async () => {
    const { wiki, page } = await newSite()
    const changes = ['_Sidebar', '_Footer', 'Home'].map(name => ({
      path: `${name}.md`,
      content: Buffer.from(`# ${name}\n`),
    }))
    await wiki.store.commit(() => ({ changes, author: ada, comment: '', subject: 'x', time: new Date(0) }))
    const { text } = await page('/wiki/Home')
    expect(text).toContain('_Sidebar')
    expect(text).toContain('_Footer')
  })
})

describe('the root', () => {
  test('is the API for programs', async () => {
    const { ask } = await newSite()
    const response = await ask('/', { headers: { accept: 'application/json' } })
    expect([response.status, response.headers.get('location')]).toEqual([307, '/specs/v0/discovery'])
  })

  test('and all URLs are only the API on a server without pages', async () => {
    const { ask } = await newSite({ Tides: tides }, undefined, { pages: undefined as never })
    expect((await ask('/wiki/Tides')).headers.get('location')).toBe('/v1/page/Tides/html')
    expect((await ask('/-/x')).headers.get('content-type')).toBe('application/json')
  })
})

test('a page that is temporarily unavailable has Retry-After, as in the API', async () => {
  const { wiki } = await newSite({ Boats: 'Oars.' })
  await edit(wiki, 'Boats', 'Sails.\n'.repeat(10_000))
  const { latest, first } = wiki.store.findPage('Boats') as PageEntry
  const busy = () => {
    throw new WikiError('wiki-work-limit')
  }
  const site = siteOf({ ...wiki, workerPool: busy })
  for (const path of [`/wiki/Boats?oldid=${first}&diff=${latest}`, `/v1/revision/${first}/compare/${latest}`]) {
    const { status, headers } = await site.ask(path)
    expect([path, status, headers.get('retry-after')]).toEqual([path, 503, '30'])
  }
})

test('other requests are served while a page with many categories is made', async () => {
  const { page, wiki } = await newSite({ Sorted: 'a' })
  await page('/wiki/Sorted')
  await edit(wiki, 'Sorted', Array.from({ length: 300 }, (_, at) => `[[Category:C${at}]]`).join(' '))
  let made = ''
  const pauses = await pausesOf(async () => {
    made = (await page('/wiki/Sorted')).html
  })
  expect(made.match(/Category:C\d+/g)?.length).toBe(300)
  expect(pauses).toBeGreaterThan(300)
})
