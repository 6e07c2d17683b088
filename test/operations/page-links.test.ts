import { describe, expect, test, vi } from 'vitest'
import { deletePages } from '../../src/operations/delete-page.ts'
import { categoryMembers, type LinkListName, linkLists, listByLinks } from '../../src/operations/link-lists.ts'
import { linkGraph } from '../../src/operations/linking/link-graph.ts'
import { movePage } from '../../src/operations/move-page.ts'
import { incomingLinks, type LeavingKind, outgoingLinks } from '../../src/operations/page-links.ts'
import { openSnapshot, type Wiki } from '../../src/operations/wiki.ts'
import { pausesOf } from '../_turns.ts'
import { ada, commitFiles, create, edit, newWiki, openTestWiki } from './_wiki.ts'

const pages = {
  'Main Page': '[[tides]] {{Box|[[Harbour]]}} [[Missing page#x|m]] [https://example.org x] [[https://example.org y]]',
  Tides: 'Sea. [[File:Map.svg|thumb|[[Harbour]]]] <nowiki>[[Quay]]</nowiki> <!-- [[Quay]] -->',
  Tide: '#REDIRECT [[Tides]]',
  Harbour: '[[Tide|ebb]] [[:Category:Sea]] [[Category:Ports]]',
  'Template:Box': '<noinclude>[[Template:Doc]]</noinclude><includeonly>{{Frame}} [[Category:Boxed]]</includeonly>',
  'Template:Frame': '[[Quay]] [[Category:Framed]]',
  'Category:Ports': '[[Category:Sea]]',
  Alone: 'No links. [[Alone]]',
}

const outOf = async (wiki: Wiki, title: string) =>
  (await outgoingLinks(wiki, { title })).members.map(({ title, kind, exists, through }) =>
    [kind, title, ...(exists ? [] : ['missing']), ...(through === null ? [] : [through])].join(' > '),
  )
const to = async (wiki: Wiki, title: string, more = {}) =>
  (await incomingLinks(wiki, { title, ...more })).members.map(({ title, kind, redirect, through }) =>
    [kind, title, ...(redirect === null ? [] : [`by ${redirect}`]), ...(through === null ? [] : [through])].join(' > '),
  )
const listed = async (wiki: Wiki, list: LinkListName) =>
  (await listByLinks(wiki, { list })).members.map(({ title, rank }) => (rank === 0 ? title : `${title} ${rank}`))

describe('links', () => {
  test('of a page include those from templates', async () => {
    const { wiki } = await newWiki(pages)
    expect(await outOf(wiki, 'Main Page')).toEqual([
      'category > Category:Boxed > missing > Template:Box',
      'category > Category:Framed > missing > Template:Frame',
      'link > Harbour',
      'link > Missing page > missing',
      'link > Quay > missing > Template:Frame',
      'template > Template:Box',
      'template > Template:Frame > Template:Box',
      'link > Tides',
    ])
    expect(await outOf(wiki, 'Tides')).toEqual(['file > File:Map.svg > missing', 'link > Harbour'])
    expect(await outOf(wiki, 'Tide')).toEqual(['redirect > Tides'])
  })

  test('to a page include those through redirects, and work for a title without a page', async () => {
    const { wiki } = await newWiki(pages)
    expect(await to(wiki, 'Tides')).toEqual(['link > Harbour > by Tide', 'link > Main Page', 'redirect > Tide'])
    expect(await to(wiki, 'Quay')).toEqual(['link > Main Page > Template:Frame', 'link > Template:Frame'])
    expect(await to(wiki, 'Template:Frame', { kind: 'template' })).toEqual(['template > Main Page > Template:Box'])
    expect(await to(wiki, 'Harbour', { depth: 3 })).toEqual(['link > Main Page', 'link > Tides', 'redirect > Tide'])
  })

  test('to sections and outside the wiki are listed by kind', async () => {
    const settings = { interwiki: { w: 'https://w.example/$1' }, languages: { de: 'https://de.example/$1' } }
    const { wiki } = await newWiki(
      {
        Tides:
          '[[Quay#Low water|x]] [[#Ebb]] [[w:Sea#Salt|y]] [[de:Gezeiten]] [https://a.example/ z] https://b.example',
        Quay: 'x',
      },
      settings,
    )
    await commitFiles(wiki, { 'note.md': '[a](Tides#Ebb) [b](Gone.md#x) [c](https://c.example/)[^1]\n\n[^1]: n\n' })
    const of = async (title: string, kind: LeavingKind) =>
      (await outgoingLinks(wiki, { title, kind })).members.map(({ key, exists }) => (exists ? key : `${key} missing`))
    expect(await of('Tides', 'external')).toEqual(['https://a.example/', 'https://b.example'])
    expect(await of('Tides', 'interwiki')).toEqual(['w:Sea'])
    expect(await of('Tides', 'language')).toEqual(['de:Gezeiten'])
    expect(await of('Tides', 'section')).toEqual(['Quay#Low_water', 'Tides#Ebb'])
    expect(await of('Note', 'section')).toEqual(['Gone#x missing', 'Tides#Ebb'])
    expect(await of('Note', 'external')).toEqual(['https://c.example/'])
    const part = await outgoingLinks(wiki, { title: 'Tides', kind: 'external', limit: 1 })
    expect(part).toMatchObject({ total: 2, members: [{ kind: 'external', title: 'https://a.example/' }] })
    const rest = await outgoingLinks(wiki, { title: 'Tides', kind: 'external', after: part.next ?? undefined })
    expect(rest.members.map(({ key }) => key)).toEqual(['https://b.example'])
  })

  test('of a page that links in several ways count by the first way, whichever came first', async () => {
    const { wiki, directory } = await newWiki({ Ebb: '#REDIRECT [[Tides]]', Tide: '#REDIRECT [[Tides]]' })
    await edit(wiki, 'Ebb', '#REDIRECT [[Tides]] ')
    await create(wiki, 'Harbour', '[[Tide]] [[Ebb]]')
    await create(wiki, 'Quay', '[[Ebb]] [[Tide]] [[Tides]] [[:File:Tides]]')
    await create(wiki, 'Tides', 'Sea.')
    const expected = ['redirect > Ebb', 'link > Harbour > by Ebb', 'link > Quay', 'redirect > Tide']
    expect(await to(wiki, 'Tides')).toEqual(expected)
    await edit(wiki, 'Ebb', '#REDIRECT [[Quay]]')
    await to(wiki, 'Tides')
    await edit(wiki, 'Ebb', '#REDIRECT [[Tides]]')
    expect(await to(wiki, 'Tides')).toEqual(expected)
    expect(await to(await openTestWiki(directory), 'Tides')).toEqual(expected)
  })

  test('follow every change, and a fresh clone has the same', async () => {
    const { wiki, directory } = await newWiki(pages)
    const check = async () => {
      const fresh = await openTestWiki(directory)
      for (const title of ['Tides', 'High tides', 'Quay', 'Harbour', 'Alone'])
        expect(await to(fresh, title)).toEqual(await to(wiki, title))
    }
    await check()
    await edit(wiki, 'Alone', '[[Quay]]')
    expect(await to(wiki, 'Quay')).toContain('link > Alone')
    await movePage(wiki, { from: 'Tides', to: 'High tides', comment: null, author: ada, updateLinks: true })
    expect(await to(wiki, 'High tides')).toContain('link > Main Page')
    await check()
    await edit(wiki, 'Template:Frame', 'Nothing.')
    await deletePages(wiki, { titles: ['Harbour'], comment: null, author: ada })
    expect(await to(wiki, 'Quay')).toEqual(['link > Alone'])
    await check()
  })
})

describe('lists', () => {
  const expected: Partial<Record<LinkListName, readonly string[]>> = {
    orphans: ['Alone'],
    'dead-ends': ['Alone'],
    wanted: ['Quay 2', 'Missing page 1', 'Template:Doc 1', 'Category:Sea 1'].sort(),
    'wanted-files': ['File:Map.svg 1'],
    'wanted-templates': [],
    'wanted-categories': ['Category:Boxed 1', 'Category:Framed 2', 'Category:Sea 1'],
    uncategorized: ['Alone', 'Tides'],
    'unused-files': [],
    'unused-templates': [],
    'double-redirects': [],
    'broken-redirects': [],
    'most-linked': ['Tides 2', 'Harbour 2'].sort(),
  }

  test.each(Object.entries(expected))('%s', async (list, members) => {
    const { wiki } = await newWiki(pages)
    expect((await listed(wiki, list as LinkListName)).sort()).toEqual([...members!].sort())
  })

  test('a missing file of Markdown is wanted as a file, and not as a page', async () => {
    const { wiki } = await newWiki({}, {})
    const links =
      '![a](/.git/config) <img src="x"> ![[b.png]] [[c.PDF]] [d](deep/d.svg) [[e]] ![[f]] [g](g.md) [[v1.2]] [h](h.txt) [i](src/i.proto) [j](j.py)'
    await commitFiles(wiki, { 'note.md': links })
    expect(await listed(wiki, 'wanted')).toEqual(['E 1', 'F 1', 'G 1', 'H.txt 1', 'V1.2 1'])
    expect(await listed(wiki, 'wanted-files')).toEqual([
      'File:B.png 1',
      'File:C.PDF 1',
      'File:Config 1',
      'File:D.svg 1',
      'File:X 1',
    ])
  })

  test('of double and broken redirects name their targets', async () => {
    const { wiki } = await newWiki({ A: '#REDIRECT [[B]]', B: '#REDIRECT [[C]]', C: 'x', D: '#REDIRECT [[Gone]]' })
    const doubles = await listByLinks(wiki, { list: 'double-redirects' })
    expect(doubles.members).toMatchObject([{ title: 'A', target: 'B' }])
    expect((await listByLinks(wiki, { list: 'broken-redirects' })).members).toMatchObject([
      { title: 'D', target: 'Gone' },
    ])
  })

  test('continue at the cursor, whatever is edited meanwhile', async () => {
    const { wiki } = await newWiki(Object.fromEntries([...'abcdefg'].map(name => [`Page ${name}`, 'x'])))
    const seen: string[] = []
    let after: string | undefined
    do {
      const part = await listByLinks(wiki, { list: 'orphans', limit: 2, after })
      seen.push(...part.members.map(({ title }) => title))
      after = part.next ?? undefined
      if (seen.length === 2) await commitFiles(wiki, { 'Page_a.wiki': null })
    } while (after !== undefined)
    expect(seen).toEqual([...'abcdefg'].map(name => `Page ${name}`))
  })

  test('every list has a summary and works for an empty wiki', async () => {
    const { wiki } = await newWiki()
    for (const name of Object.keys(linkLists)) expect(await listed(wiki, name as LinkListName)).toEqual([])
    await expect(listByLinks(wiki, { list: 'none' })).rejects.toMatchObject({ code: 'wiki-usage' })
  })
})

test('a category lists its members, sub-categories first', async () => {
  const { wiki } = await newWiki({ ...pages, 'Category:Sea/Deep': '[[Category:Ports]]' })
  const { members, exists } = await categoryMembers(wiki, { name: 'ports' })
  expect(exists).toBe(true)
  expect(members.map(({ title, kind }) => `${kind} ${title}`)).toEqual([
    'subcategory Category:Sea/Deep',
    'page Harbour',
  ])
})

test('Markdown: paths, names, pictures, tags and missing targets', async () => {
  const { wiki } = await newWiki({}, { links: 'notes' })
  await commitFiles(wiki, {
    'sea/Tides.md':
      '---\ntags: [sea, ports]\n---\n[h](../Harbour.md) [[quay|q]] ![m](map.png) [x](https://example.org) [y](#z) `[[Low]]`\n',
    'Harbour.md': '[[Tides]] [n](None.md)\n',
    'sea/map.png': 'no picture',
    'old.png': 'no picture',
  })
  expect(await outOf(wiki, 'Sea/Tides')).toEqual([
    'category > Category:Ports > missing',
    'category > Category:Sea > missing',
    'file > File:Sea/map.png',
    'link > Harbour',
    'link > Quay > missing',
  ])
  expect(await outOf(wiki, 'Harbour')).toEqual(['link > None > missing', 'link > Sea/Tides'])
  expect(await listed(wiki, 'unused-files')).toEqual(['File:Old.png'])
})

/** Links to a title as a server returns them, and the number of texts read for it. */
async function answered(wiki: Wiki, title: string): Promise<{ links: string[]; read: number }> {
  const snapshot = await openSnapshot(wiki)
  const texts = vi.spyOn(snapshot.store, 'presentTexts')
  const bytes = vi.spyOn(snapshot.store, 'presentBytes')
  try {
    const links = await to(snapshot, title)
    const several = texts.mock.calls.reduce((sum, [revisions]) => sum + [...revisions].length, 0)
    return { links, read: several + bytes.mock.calls.length }
  } finally {
    snapshot.store.close()
  }
}

test('a server caches links between requests: an edit rereads only its own page', async () => {
  const { wiki } = await newWiki(pages)
  const before = await answered(wiki, 'Harbour')
  expect(before.read).toBe(8)
  expect(await answered(wiki, 'Harbour')).toEqual({ ...before, read: 0 })
  await edit(wiki, 'Alone', '[[Harbour]]')
  expect(await answered(wiki, 'Harbour')).toEqual({ links: expect.arrayContaining(['link > Alone']), read: 1 })
  await edit(wiki, 'Template:Frame', '[[Tides]]')
  const [first, second] = await Promise.all([answered(wiki, 'Quay'), answered(wiki, 'Tides')])
  expect(first.links).toEqual([])
  expect(second.links).toContain('link > Harbour > by Tide')
  // One read for both responses: the template, and the two pages that use it.
  expect(first.read + second.read).toBe(3)
})

test('other requests are served while the links of all pages are read', { tags: 'long' }, async () => {
  const chain = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`P${at}`, `[[P${at + 1}]]`]))
  const { wiki } = await newWiki(chain)
  const pauses = await pausesOf(() => linkGraph(wiki))
  expect(pauses).toBeGreaterThan(7 * 60)
})

test('other requests are served while many links are listed', { tags: 'long' }, async () => {
  const numbers = Array.from({ length: 60 }, (_, at) => at)
  const { wiki } = await newWiki({
    Hub: numbers.map(at => `[[P${at}]]`).join(' '),
    ...Object.fromEntries(numbers.map(at => [`P${at}`, '[[Hub]] [[Category:Spoke]]'])),
  })
  await linkGraph(wiki)
  expect(await pausesOf(() => outgoingLinks(wiki, { title: 'Hub' }))).toBeGreaterThan(60)
  expect(await pausesOf(() => incomingLinks(wiki, { title: 'Hub' }))).toBeGreaterThan(60)
  expect(await pausesOf(() => categoryMembers(wiki, { name: 'Spoke' }))).toBeGreaterThan(60)
})
