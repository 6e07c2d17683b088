/** An incomplete search is reported: 503 while nothing is indexed, otherwise the number of omitted pages. */

import { beforeAll, describe, expect, test } from 'vitest'
import type { Wiki } from '../../src/operations/wiki.ts'
import { createApp } from '../../src/rest/app.ts'
import type { LogEntry } from '../../src/rest/log.ts'
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
    expect(response.headers.get('cache-control')).toBeNull()
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

test.each(['/v1/search/page?q=green', '/v1/search/title?q=te'])(
  '%s has a tag, and a short life that its 304 has, too',
  async path => {
    const app = createApp(wiki)
    const first = await app.request(path)
    const [etag, cache] = ['etag', 'cache-control'].map(name => first.headers.get(name))
    expect(etag).toMatch(/^"[0-9a-f]{40}"$/)
    expect(Number(/max-age=(\d+)/.exec(cache ?? '')?.[1])).toBeLessThanOrEqual(60)
    const again = await app.request(path, { headers: { 'if-none-match': etag ?? '' } })
    expect(again.status).toBe(304)
    expect(again.headers.get('cache-control')).toBe(cache)
    await create(wiki, `Tea ${path.length}`, 'Green as well')
    expect((await app.request(path, { headers: { 'if-none-match': etag ?? '' } })).status).toBe(200)
  },
)
