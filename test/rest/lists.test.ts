/** Paged lists of pages and files, feeds, and merges of unsaved texts. */

import { SaxesParser } from 'saxes'
import { beforeAll, describe, expect, test } from 'vitest'
import { addFile } from '../../src/operations/add-file.ts'
import { hideRevision } from '../../src/operations/hide-revision.ts'
import type { Wiki } from '../../src/operations/wiki.ts'
import { createApp } from '../../src/rest/app.ts'
import { png } from '../media/_files.ts'
import { ada, bob, create, edit, newWiki } from '../operations/_wiki.ts'

let wiki: Wiki
let app: ReturnType<typeof createApp>

beforeAll(async () => {
  wiki = (await newWiki({ Beech: '[[Category:Tree]]', ash: 'x', 'Talk:Ash': 'x', Acorn: '#REDIRECT [[Beech]]' })).wiki
  for (const name of ['B.png', 'A.png', 'C.png']) {
    await addFile(wiki, { name, content: png(3, 3), author: ada, comment: null })
  }
  await create(wiki, 'Cedar', 'x', { author: bob, comment: 'a & <b>' })
  app = createApp(wiki)
})

interface Json {
  readonly next?: string | null
  readonly items?: readonly { readonly id: string; readonly title: string }[]
  readonly pages?: readonly { readonly title: string }[]
  readonly files?: readonly { readonly title: string }[]
}

async function json(path: string): Promise<Json> {
  const response = await app.request(path)
  expect([path, response.status]).toEqual([path, 200])
  return (await response.json()) as Json
}

/** Follows a list to its end. */
async function follow(path: string, member: 'pages' | 'files'): Promise<string[]> {
  const titles: string[] = []
  for (let next: string | null = path; next !== null; ) {
    const part: Json = await json(next)
    titles.push(...part[member]!.map(({ title }) => title))
    next = part.next?.replace('http://localhost', '') ?? null
  }
  return titles
}

describe('a list is paged, with each member once:', () => {
  test('pages', async () => {
    const all = await follow('/v1/pages?limit=2', 'pages')
    expect(all).toEqual(expect.arrayContaining(['Acorn', 'Ash', 'Beech', 'Cedar', 'Talk:Ash']))
    expect(new Set(all).size).toBe(all.length)
    expect(await follow('/v1/pages?limit=1&redirects=false&namespace=0', 'pages')).toEqual(['Ash', 'Beech', 'Cedar'])
    expect(await follow('/v1/pages?prefix=a', 'pages')).toEqual(['Acorn', 'Ash'])
  })

  test('pages, while others are added and deleted', async () => {
    const grown = (await newWiki({ B: 'x', D: 'x', F: 'x' })).wiki
    const first = (await (await createApp(grown).request('/v1/pages?limit=2')).json()) as { next: string }
    await create(grown, 'A', 'x')
    await create(grown, 'E', 'x')
    const rest = (await (await createApp(grown).request(first.next)).json()) as { pages: { title: string }[] }
    expect(rest.pages.map(({ title }) => title)).toEqual(['E', 'F'])
  })

  test('files', async () => {
    expect(await follow('/v1/files?limit=2', 'files')).toEqual(['A.png', 'B.png', 'C.png'])
  })

  test.each([
    ['after=B.png', ['C.png']],
    ['after=File:A.png', ['B.png', 'C.png']],
    ['after=image:A.png', ['B.png', 'C.png']],
    ['after=Ab_is_deleted.png', ['B.png', 'C.png']],
    ['after=C.png', []],
    ['prefix=b', ['B.png']],
    ['prefix=File:b', ['B.png']],
    ['prefix=x', []],
  ])('files with %s', async (query, titles) => {
    expect(await follow(`/v1/files?limit=1&${query}`, 'files')).toEqual(titles)
  })
})

test.each([
  ['File:b', ['File:B.png']],
  ['image:', ['File:A.png', 'File:B.png', 'File:C.png']],
  ['b', ['Beech']],
])(
  'the titles with the prefix %s include files only if the namespace is named',
  { tags: 'long' },
  async (q, titles) => {
    const { pages } = await json(`/v1/search/title?q=${q}`)
    expect(pages!.map(({ title }) => title)).toEqual(titles)
  },
)

test('a file in a title search has its picture, and no page id', { tags: 'long' }, async () => {
  const { pages } = await json('/v1/search/title?q=File:B&limit=1')
  expect(pages).toEqual([
    {
      id: 0,
      ...{ key: 'File:B.png', title: 'File:B.png', excerpt: 'File:B.png', matched_title: null, description: null },
      thumbnail: expect.objectContaining({ mimetype: 'image/png', width: 3, url: 'http://localhost/files/B.png' }),
    },
  ])
})

describe('a feed', () => {
  test.each<[query: string, titles: string[]]>([
    ['title=Beech', ['Beech']],
    [`user=${encodeURIComponent(bob.name)}`, ['Cedar']],
    ['category=Tree', ['Beech']],
    ['category=Category:Nothing', []],
  ])('of %s contains its changes, in each format', async (query, titles) => {
    const feed = await json(`/v1/feed?format=json&${query}`)
    expect(feed.items!.map(({ title }) => title)).toEqual(titles)
    const response = await app.request(`/v1/feed?${query}`)
    expect(response.headers.get('content-type')).toContain('application/atom+xml')
    expect(titlesOf(await response.text()).slice(1)).toEqual(titles)
    const rss = await app.request(`/v1/feed?format=rss&${query}`)
    expect(rss.headers.get('content-type')).toContain('application/rss+xml')
    expect(titlesOf(await rss.text()).slice(1)).toEqual(titles)
  })

  test.each<[query: string, titles: string[]]>([
    ['action=feedrecentchanges&target=Beech', ['Beech']],
    ['action=feedrecentchanges&target=category:tree', ['Beech']],
    [`action=feedcontributions&user=${encodeURIComponent(bob.name)}`, ['Cedar']],
  ])('is at its URL in MediaWiki: %s', async (query, titles) => {
    for (const format of ['', '&feedformat=atom', '&feedformat=rss']) {
      const response = await app.request(`/w/api.php?${query}${format}`)
      expect(titlesOf(await response.text()).slice(1)).toEqual(titles)
    }
    expect((await json(`/api.php?${query}&feedformat=json`)).items!.map(({ title }) => title)).toEqual(titles)
  })

  test('is the only action of the action API', async () => {
    for (const query of ['', '?action=query', '?action=__proto__', '?action=constructor'])
      for (const [path, method] of [['/api.php'], ['/w/api.php'], ['/api.php', 'POST']]) {
        const answer = await app.request(`${path}${query}`, { method: method ?? 'GET' })
        expect([answer.status, await answer.json()]).toEqual([
          method === undefined ? 404 : 405,
          expect.objectContaining({
            errorKey: 'wiki-no-action-api',
            messageTranslations: {
              en: 'This server has no action API: use the REST API at http://localhost/v1, described at http://localhost/specs/v0/discovery',
            },
          }),
        ])
      }
    expect((await app.request('/api.php?action=feedcontributions')).status).toBe(400)
    expect((await app.request('/api.php?action=feedrecentchanges&feedformat=php')).status).toBe(400)
  })

  test('identifies its entries by commits, which no pull changes', async () => {
    const { items } = await json('/v1/feed?format=json&title=Beech')
    const { commit } = wiki.store.revision(wiki.store.findPage('Beech')!.latest)!
    expect(items!.map(({ id }) => id)).toEqual([`urn:git:${commit}:Beech`])
  })

  test('reveals nothing hidden', async () => {
    const own = (await newWiki({ Tea: 'x' })).wiki
    const id = await edit(own, 'Tea', 'y', { author: { name: 'Secret Agent', address: '' }, comment: 'secret words' })
    await edit(own, 'Tea', 'z')
    await hideRevision(own, { id, parts: ['user', 'comment'], author: ada, comment: null, reason: '' })
    for (const path of ['/v1/feed', '/v1/feed?format=json', '/v1/feed?user=Secret%20Agent']) {
      expect(await (await createApp(own).request(path)).text()).not.toMatch(/>Secret|"Secret|secret words/)
    }
  })
})

/** Reads the titles of a feed; the parser rejects invalid XML. */
function titlesOf(xml: string): string[] {
  const titles: string[] = []
  let isTitle = false
  const parser = new SaxesParser()
  parser.on('error', error => {
    throw error
  })
  parser.on('opentag', ({ name }) => {
    isTitle = name === 'title'
  })
  parser.on('text', text => {
    if (isTitle) titles.push(text)
    isTitle = false
  })
  parser.write(xml).close()
  return titles
}

describe('a merge', () => {
  const merge = (body: object) =>
    app.request('/v1/merge', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })

  test('combines words of one line', async () => {
    const body = {
      base: { text: 'The red house stands near the sea.\n' },
      mine: { text: 'The blue house stands near the sea.\n' },
      theirs: { text: 'The red house stands near the river.\n' },
    }
    const text = 'The blue house stands near the river.\n'
    expect(await (await merge(body)).json()).toEqual({ merged: true, conflicts: 0, text })
    expect(await (await merge({ ...body, by: 'lines' })).json()).toMatchObject({ merged: false, conflicts: 1 })
  })

  test('marks words that both sides changed', async () => {
    const body = { base: { text: 'a\n' }, mine: { text: 'b\n' }, theirs: { text: 'c\n' } }
    const { text, conflicts } = (await (await merge(body)).json()) as { text: string; conflicts: number }
    expect({ conflicts, text }).toEqual({
      conflicts: 1,
      text: '<<<<<<< mine\nb\n|||||||\na\n=======\nc\n>>>>>>> theirs\n',
    })
  })

  test('accepts revisions and pages', async () => {
    const { latest } = wiki.store.findPage('Cedar')!
    const body = { base: { id: latest }, mine: { title: 'Cedar' }, theirs: { text: 'x\ny\n' } }
    expect(await (await merge(body)).json()).toMatchObject({ merged: true, text: 'x\ny\n' })
  })

  test.each<[body: object, status: number, key: string]>([
    [{}, 400, 'rest-body-validation-error'],
    [{ base: { text: '' }, mine: { text: '' }, theirs: { id: 999 } }, 404, 'rest-nonexistent-revision'],
    [{ base: { text: '' }, mine: { text: '' }, theirs: { title: 'No' } }, 404, 'rest-nonexistent-title'],
    [{ base: { text: '' }, mine: { text: '' }, theirs: { text: '' }, by: 'x' }, 400, 'rest-body-validation-error'],
    [{ base: { text: '' }, mine: { text: '' }, theirs: { text: '' }, to: 1 }, 400, 'rest-extraneous-body-fields'],
  ])('refuses %j', async (body, status, key) => {
    const response = await merge(body)
    expect([response.status, ((await response.json()) as { errorKey: string }).errorKey]).toEqual([status, key])
  })
})
