/** An incomplete search is reported: 503 while nothing is indexed, otherwise the number of omitted pages. */

import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Wiki } from '../../src/operations/wiki.ts'
import { createApp } from '../../src/rest/app.ts'
import type { LogEntry } from '../../src/rest/log.ts'
import { handlePage } from '../../src/web/handle-page.ts'
import { create, newWiki } from '../operations/_wiki.ts'

let wiki: Wiki

beforeAll(async () => {
  wiki = (await newWiki()).wiki
  await create(wiki, 'Tea', 'Green tea')
})

/** Methods of a class with private fields work only on the object itself. */
function bound(object: object, key: string): unknown {
  const value: unknown = Reflect.get(object, key, object)
  return typeof value === 'function' ? value.bind(object) : value
}

/** A wiki whose index is still being built: this many pages are missing, and this many are indexed. */
function building(missing: number, count: number): Wiki {
  const search: Wiki['search'] = (question, access) =>
    wiki.search(({ index }) => {
      const partial = { get: (from: object, key: string) => (key === 'count' ? count : bound(from, key)) }
      return question({ index: new Proxy(index, partial as ProxyHandler<typeof index>), missing })
    }, access)
  return { ...wiki, search }
}

describe('while the index is being built', () => {
  test('a search with nothing indexed gets 503 with the time to retry', async () => {
    const response = await createApp(building(7, 0)).request('/v1/search/page?q=green')
    expect(response.status).toBe(503)
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await response.json()).toMatchObject({ errorKey: 'wiki-search-building', httpCode: 503 })
  })

  test('a search that omits pages reports their number, is not cached, and is logged', async () => {
    const entries: LogEntry[] = []
    const response = await createApp(building(7, 1), { log: entry => entries.push(entry) }).request(
      '/v1/search/page?q=green',
    )
    expect(response.status).toBe(200)
    expect(response.headers.get('wiki-missing-pages')).toBe('7')
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('etag')).toBeNull()
    expect(entries).toMatchObject([{ event: 'request', missing: 7 }])
  })

  test('titles are suggested at once', async () => {
    const response = await createApp(building(7, 0)).request('/v1/search/title?q=te')
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ pages: [{ title: 'Tea' }] })
    expect(response.headers.get('wiki-missing-pages')).toBe('7')
  })
})

test('the page of an incomplete search is made again for each request, and nobody keeps it', async () => {
  let missing = 7
  const search: Wiki['search'] = (question, access) => building(missing, 1).search(question, access)
  const app = createApp({ ...wiki, search }, { pages: async () => handlePage })
  const ask = () => app.request('http://localhost/wiki/Special:Search?search=green')
  const first = await ask()
  expect([first.headers.get('cache-control'), first.headers.get('etag')]).toEqual(['no-store', null])
  const notice = 'Not all pages are indexed yet'
  expect(await first.text()).toContain(notice)
  missing = 0
  const second = await ask()
  expect([second.headers.get('cache-control'), (await second.text()).includes(notice)]).toEqual(['no-cache', false])
})

test.each([
  ['/v1/search/page?q=insource:/tea/', 'application/json'],
  ['/wiki/Special:Search?search=insource:/tea/', 'text/html'],
])('a search that ran out of time is kept by nobody: %s', async (path, accept) => {
  // The second reading of the clock is later than any search may take.
  const app = createApp(wiki, { pages: async () => handlePage })
  let time = 0
  const now = vi.spyOn(performance, 'now').mockImplementation(() => {
    time += 60_000
    return time
  })
  onTestFinished(() => now.mockRestore())
  const { status, headers } = await app.request(`http://localhost${path}`, { headers: { accept } })
  expect([status, headers.get('cache-control'), headers.get('etag')]).toEqual([200, 'no-store', null])
})

test.each(['/v1/search/page?q=green', '/v1/search/title?q=te'])('%s has a tag, and is revalidated', async path => {
  const app = createApp(wiki)
  const first = await app.request(path)
  const [etag, cache] = ['etag', 'cache-control'].map(name => first.headers.get(name))
  expect(etag).toMatch(/^"[0-9a-f]{40}"$/)
  expect(cache).toBe('no-cache')
  const again = await app.request(path, { headers: { 'if-none-match': etag ?? '' } })
  expect(again.status).toBe(304)
  expect(again.headers.get('cache-control')).toBe(cache)
  await create(wiki, `Tea ${path.length}`, 'Green as well')
  expect((await app.request(path, { headers: { 'if-none-match': etag ?? '' } })).status).toBe(200)
})
