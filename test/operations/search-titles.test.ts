import { beforeAll, describe, expect, test, vi } from 'vitest'
import { searchTitles } from '../../src/operations/search-pages.ts'
import type { Wiki } from '../../src/operations/wiki.ts'
import { Store } from '../../src/store/store.ts'
import { mostInOneTurn } from '../_turns.ts'
import { commitFiles, edit, newWiki } from './_wiki.ts'

const pages = {
  'Xylograph & Co': 'x',
  'Xylograph café': 'x',
  'Xylo redirect': '#REDIRECT [[Xylograph & Co]]',
  Xylographer: '#REDIRECT [[RT Does Not Exist]]',
  'RT Target': 'x',
  'RT Tar': 'x',
  'RT Special': '#REDIRECT [[Special:Version]]',
  'RT Talk': '#REDIRECT [[Talk:Xylograph]]',
  'RT CircA': '#REDIRECT [[RT CircB]]',
  'RT CircB': '#REDIRECT [[RT CircA]]',
  'Talk:Xylograph': 'x',
  'Help:Xylograph': 'x',
  'User:Ada': 'x',
  'Ünïcode ß': 'x',
}

let wiki: Wiki

beforeAll(async () => {
  wiki = (await newWiki(pages)).wiki
  // A page whose title differs in case alone comes with a commit of git; the wiki creates none.
  await commitFiles(wiki, { 'RT TARGET.wiki': 'x' })
  await wiki.store.refresh()
})

async function found(q: string, limit?: number) {
  return (await searchTitles(wiki, { q, limit })).pages
}

test('a result has its fields in the documented order', async () => {
  const [first] = await found('xylograph &')
  expect(JSON.stringify(first)).toBe(
    JSON.stringify({
      id: 1,
      key: 'Xylograph_&_Co',
      title: 'Xylograph & Co',
      excerpt: 'Xylograph & Co',
      matched_title: null,
      description: null,
      thumbnail: null,
    }),
  )
})

describe('titles that begin with the text', () => {
  test.each([
    ['xylo', ['Xylograph & Co', 'Xylograph café', 'RT Does Not Exist']],
    ['XYLO', ['Xylograph & Co', 'Xylograph café', 'RT Does Not Exist']],
    [':xylo', ['Xylograph & Co', 'Xylograph café', 'RT Does Not Exist']],
    ['Xylograph c', ['Xylograph café']],
    ['xylograph_c', ['Xylograph café']],
    ['xylograph  c', ['Xylograph café']],
    ['Talk:Xylo', ['Talk:Xylograph']],
    ['talk : xylo', ['Talk:Xylograph']],
    ['Help:', ['Help:Xylograph']],
    ['user:A', ['User:Ada']],
    ['ün', ['Ünïcode ß']],
    ['ÜNÏCODE SS', ['Ünïcode ß']],
    ['rt target#section', ['RT TARGET', 'RT Target']],
    ['[[RT Target', ['RT Target', 'RT TARGET']],
    ['RT TARGET', ['RT TARGET', 'RT Target']],
    ['RT Target', ['RT Target', 'RT TARGET']],
    ['rT Tar', ['RT Tar', 'RT Target', 'RT TARGET']],
    ['rt tar', ['RT TARGET', 'RT Tar', 'RT Target']],
    ['RT Circ', ['RT CircB', 'RT CircA']],
    ['RT ', ['RT CircB', 'RT CircA', 'RT Special', 'RT TARGET', 'Talk:Xylograph', 'RT Tar', 'RT Target']],
    ['graph', []],
    ['redir', []],
    ['u', []],
    ['unicode', []],
    ['xilograph', []],
    ['de:Foo', []],
    ['Special:Ver', []],
    ['  ', []],
    ['#x', []],
    ['<>', []],
    ['a\0b', []],
    ['"slithy toves"', []],
    ['x'.repeat(100_000), []],
  ])('%j', async (q, titles) => {
    expect((await found(q)).map(page => page.title)).toEqual(titles)
  })

  test('whatever links to them, and before those of other namespaces only if their names come first', async () => {
    const members = Object.fromEntries(['A', 'B', 'C'].map(title => [title, '[[Category:Tidewick]] [[Tidings]]']))
    const { wiki } = await newWiki(
      { ...members, Tides: 'x', Tidings: 'x', 'Category:Tide': 'x', 'Category:Tides': 'x', 'Category:Tidewick': 'x' },
      { searchedNamespaces: [14, 0] },
    )
    for (const q of ['T', 'ti', 'Tide']) {
      const { pages } = await searchTitles(wiki, { q, limit: 5 })
      const titles = pages.map(page => page.title)
      expect(titles).toEqual(
        ['Category:Tide', 'Tides', 'Category:Tides', 'Category:Tidewick', 'Tidings'].slice(0, q === 'Tide' ? 4 : 5),
      )
    }
  })

  test('in the order of their code points', async () => {
    const { wiki } = await newWiki({ 'A ｚ': 'x', 'A 😀': 'x', 'A z': 'x', 'A/z': 'x', Az: 'x' })
    const { pages } = await searchTitles(wiki, { q: 'a' })
    expect(pages.map(page => page.title)).toEqual(['A/z', 'A z', 'A ｚ', 'A 😀', 'Az'])
  })
})

describe('titles with a word that begins with the text', () => {
  test.each([
    ['u', ['Ünïcode ß']],
    ['redir', ['Xylograph & Co']],
    ['xilograph', ['Xylograph & Co', 'Xylograph café', 'RT Does Not Exist']],
    ['RT TARGET', ['RT TARGET', 'RT Target']],
    ['graph', []],
  ])('%j', async (q, titles) => {
    const { pages } = await searchTitles(wiki, { q, match: 'words' })
    expect(pages.map(page => page.title)).toEqual(titles)
  })
})

describe('redirects', () => {
  test.each([
    ['Xylo redirect', [{ id: 1, title: 'Xylograph & Co', excerpt: 'Xylograph & Co', matched_title: 'Xylo redirect' }]],
    ['Xylographer', [{ id: 0, key: 'RT_Does_Not_Exist', title: 'RT Does Not Exist', matched_title: 'Xylographer' }]],
    ['RT Special', [{ id: 7, title: 'RT Special', matched_title: null }]],
    ['RT Talk', [{ title: 'Talk:Xylograph', matched_title: 'RT Talk' }]],
  ])('%s', async (q, results) => {
    const pages = await found(q)
    expect(pages).toHaveLength(results.length)
    expect(pages).toMatchObject(results)
  })

  test('a page and a redirect to it are one result', async () => {
    const [first, ...others] = await found('xylo')
    expect(first).toMatchObject({ title: 'Xylograph & Co', matched_title: 'Xylo redirect' })
    expect(others.map(page => page.title)).not.toContain('Xylograph & Co')
  })
})

test('the limit is obeyed', async () => {
  expect(await found('r', 2)).toHaveLength(2)
})

test('an empty query is missing', async () => {
  await expect(found('')).rejects.toMatchObject({ code: 'missingparam', status: 400 })
})

test('among words, titles of articles with more incoming links come first, and members are no links', async () => {
  const links = { One: '[[Tide tables]] [[Category:Tide]]', Two: '[[tide tables|x]] [[Tide]] [[Category:Tide]]' }
  const { wiki } = await newWiki(
    { Tide: 'x', 'Tide rip': 'x', 'Tide tables': 'x', 'High tide': 'x', 'Category:Tide': 'x', ...links },
    { searchedNamespaces: [0, 14] },
  )
  const titles = async (q: string) => (await searchTitles(wiki, { q, match: 'words' })).pages.map(page => page.title)
  expect(await titles('tid')).toEqual(['Tide tables', 'Tide', 'Tide rip', 'Category:Tide', 'High tide'])
  await edit(wiki, 'One', '[[Tide rip]]')
  await edit(wiki, 'Two', '[[Tide rip]]')
  expect(await titles('tid')).toEqual(['Tide rip', 'Tide', 'Tide tables', 'Category:Tide', 'High tide'])
})

test('lists titles while others run', { tags: 'long' }, async () => {
  const { wiki } = await newWiki()
  await commitFiles(wiki, Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`A page ${at}.wiki`, 'a'])))
  await searchTitles(wiki, { q: 'a' })
  const list = Store.prototype.keys
  const countPages = (step: () => void) =>
    vi.spyOn(Store.prototype, 'keys').mockImplementation(function* (this: Store, ...query) {
      for (const key of list.apply(this, query)) {
        step()
        yield key
      }
    })
  const most = await mostInOneTurn(countPages, async () => {
    expect((await searchTitles(wiki, { q: 'a' })).pages).toHaveLength(50)
    expect((await searchTitles(wiki, { q: 'x' })).pages).toEqual([])
  })
  expect(most).toBeLessThan(10)
})
