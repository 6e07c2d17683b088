import { beforeAll, expect, test } from 'vitest'
import { listPages } from '../../src/operations/list-pages.ts'
import type { Wiki } from '../../src/operations/wiki.ts'
import { newWiki } from './_wiki.ts'

const pages = {
  Beta: 'bb',
  alpha: '#REDIRECT [[Beta]]',
  Betamax: 'x',
  'Talk:Beta': 'talk',
  'User:Ada': 'me',
}

let wiki: Wiki

beforeAll(async () => {
  wiki = (await newWiki(pages)).wiki
})

test.each([
  [{}, ['Alpha', 'Beta', 'Betamax', 'Talk:Beta', 'User:Ada'], 5],
  [{ limit: 2 }, ['Alpha', 'Beta'], 5],
  [{ limit: 0 }, [], 5],
  [{ prefix: 'bET' }, ['Beta', 'Betamax'], 2],
  [{ prefix: 'talk:' }, ['Talk:Beta'], 1],
  [{ prefix: 'T' }, ['Talk:Beta'], 1],
  [{ namespace: 0 }, ['Alpha', 'Beta', 'Betamax'], 3],
  [{ namespace: 2 }, ['User:Ada'], 1],
  [{ namespace: 0, limit: 1 }, ['Alpha'], 3],
  [{ namespace: 2, limit: 0 }, [], 1],
  [{ namespace: 2, prefix: 'user:' }, ['User:Ada'], 1],
  [{ namespace: 0, prefix: 'beta', limit: 1 }, ['Beta'], 2],
  [{ namespace: 99 }, [], 0],
  [{ redirects: true }, ['Alpha'], 1],
  [{ redirects: false, namespace: 0, limit: 1 }, ['Beta'], 2],
  [{ prefix: 'none' }, [], 0],
])('%j lists %j of %i', async (query, titles, total) => {
  const listed = await listPages(wiki, query)
  expect(listed.pages.map(page => page.title)).toEqual(titles)
  expect(listed.total).toBe(total)
})

test('a line has the documented fields', async () => {
  const [redirect, page] = (await listPages(wiki)).pages
  expect(page).toEqual({
    id: 1,
    key: 'Beta',
    title: 'Beta',
    latest: { id: 1, timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/) },
    content_model: 'wikitext',
    redirect: null,
    size: 2,
  })
  expect(redirect).toMatchObject({ key: 'Alpha', redirect: 'Beta' })
})
