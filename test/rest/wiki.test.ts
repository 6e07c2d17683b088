import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { createApp } from '../../src/rest/app.ts'
import { Store } from '../../src/store/store.ts'
import { git, gitAs, needsGit } from '../_setup.ts'
import { ada, create, edit, lastMessage, newWiki } from '../operations/_wiki.ts'
import { jsonOf } from './json-response.ts'

const json = { 'content-type': 'application/json' }
const write = (method: 'POST' | 'PUT', body: object): RequestInit => ({
  method,
  headers: json,
  body: JSON.stringify(body),
})

describe('the API over a repository', () => {
  test('reads pages, revisions, history, counts, comparisons and search results', { tags: 'long' }, async context => {
    needsGit(context)
    const { wiki } = await newWiki({ 'Main Page': 'Hello world', 'A/B': 'sub', Old: '#REDIRECT [[A/B]]' })
    const second = await edit(wiki, 'Main Page', 'Hello wide world', { minor: true })
    const app = createApp(wiki)
    const read = async (path: string) => jsonOf(await app.request(`/v1${path}`))

    expect(await read('/page/Main_Page')).toMatchObject({
      key: 'Main_Page',
      latest: { id: second },
      source: 'Hello wide world',
    })
    expect(await read('/page/A%2FB/bare')).toMatchObject({ html_url: 'http://localhost/v1/page/A%2FB/html' })
    expect(await read('/page/Old/bare?x=1')).toMatchObject({ redirect_target: '/v1/page/A%2FB/bare?x=1' })
    expect(await read(`/revision/${second}`)).toMatchObject({ minor: true, delta: 5, source: 'Hello wide world' })
    expect(await read('/page/Main_Page/history?filter=minor')).toMatchObject({
      revisions: [{ id: second }],
      latest: 'http://localhost/v1/page/Main_Page/history?filter=minor',
    })
    expect(await read('/page/Main_Page/history/counts/edits')).toEqual({ count: 2, limit: false })
    expect(await read(`/revision/1/compare/${second}`)).toMatchObject({ from: { id: 1 }, to: { id: second } })
    expect(await read('/search/page?q=wide')).toMatchObject({ pages: [{ key: 'Main_Page' }] })
    expect(await read('/search/title?q=main')).toMatchObject({ pages: [{ key: 'Main_Page', excerpt: 'Main Page' }] })
    expect((await app.request('/v1/page/main_Page/history')).headers.get('location')).toBe('/v1/page/Main_Page/history')
  })

  test('dates a page by its revision, so that an edit invalidates cached responses', async context => {
    needsGit(context)
    const { wiki } = await newWiki({ X: 'one' })
    const app = createApp(wiki)
    const paths = ['/v1/page/X', '/v1/page/X/bare', '/v1/revision/1']
    const tags = new Map<string, string>()
    for (const path of paths) tags.set(path, (await app.request(path)).headers.get('etag') ?? '')
    const again = async () => {
      const headersOf = (path: string) => ({ 'if-none-match': tags.get(path) ?? '' })
      return Promise.all(paths.map(async path => (await app.request(path, { headers: headersOf(path) })).status))
    }
    expect(await again()).toEqual([304, 304, 304])
    await edit(wiki, 'X', 'two')
    expect(await again()).toEqual([200, 200, 304])
  })

  test("reuses a response until the branch moves, under each client's own conditions", async () => {
    const { wiki } = await newWiki({ X: 'one' })
    const app = createApp(wiki)
    const text = vi.spyOn(Store.prototype, 'text')
    const first = await app.request('/v1/page/X')
    const second = await app.request('/v1/page/X')
    expect([await first.text(), text.mock.calls.length]).toEqual([await second.text(), 1])
    expect(
      (await app.request('/v1/page/X', { headers: { 'if-none-match': first.headers.get('etag') ?? '' } })).status,
    ).toBe(304)
    expect(await jsonOf(await app.request('/rest.php/v1/page/X/bare'))).toMatchObject({
      html_url: 'http://localhost/rest.php/v1/page/X/html',
    })
    await edit(wiki, 'X', 'two')
    expect(await jsonOf(await app.request('/v1/page/X'))).toMatchObject({ source: 'two' })
  })

  test('shows what git commits beside it', async context => {
    needsGit(context)
    const { wiki, directory } = await newWiki({ X: 'one' })
    const app = createApp(wiki)
    await app.request('/v1/page/X')
    await writeFile(join(directory, 'X.wiki'), 'by hand\n')
    git(directory, 'add', '.')
    gitAs({ name: 'Bob', address: 'bob@example.org' }, directory, 'commit', '--quiet', '-m', 'By hand')
    expect(await jsonOf(await app.request('/v1/page/X'))).toMatchObject({ source: 'by hand', latest: { id: 2 } })
  })

  test("writes under the client's address, and merges edits that do not overlap", async context => {
    needsGit(context)
    const { wiki, directory } = await newWiki()
    const app = createApp(wiki, { allowAnonymous: true })
    const body = { source: 'a\n\nb\n\nc', title: 'new page', comment: null }
    const created = await app.request('/v1/page', write('POST', body))
    expect([created.status, created.headers.get('location')]).toEqual([201, 'http://localhost/v1/page/New_page'])
    expect(git(directory, 'log', '-1', '--format=%an <%ae>')).toBe('127.0.0.1 <>')
    expect((await app.request('/v1/page', write('POST', body))).status).toBe(409)

    const update = (source: string) =>
      app.request('/v1/page/New%20page', write('PUT', { source, comment: 'why', latest: { id: 1 } }))
    expect((await update('a\n\nb\n\nC')).status).toBe(200)
    expect(lastMessage(directory)).toMatch(/^why/)
    const merged = await update('A\n\nb\n\nc')
    expect([merged.status, (await jsonOf(merged)).source]).toEqual([200, 'A\n\nb\n\nC'])
    const conflict = await update('x\n\nb\n\nc')
    expect(conflict.status).toBe(409)
    expect(Object.keys(await jsonOf(conflict))).toEqual(
      'base current local remote errorKey messageTranslations httpCode httpReason'.split(' '),
    )
    expect(wiki.store.findPage('New_page')?.edits).toBe(3)
  })

  test('finds revisions only of existing pages', async context => {
    needsGit(context)
    const { wiki } = await newWiki({ X: 'one' })
    const other = await create(wiki, 'Y', 'two', { author: ada })
    const app = createApp(wiki)
    const keyOf = async (path: string) => (await jsonOf(await app.request(`/v1${path}`))).errorKey
    expect(await keyOf('/page/Missing')).toBe('rest-nonexistent-title')
    expect(await keyOf('/page/X%5B')).toBe('rest-invalid-title')
    expect(await keyOf('/revision/99')).toBe('rest-nonexistent-revision')
    expect(await keyOf(`/page/X/history?older_than=${other}`)).toBe('rest-nonexistent-title-revision')
    expect(await keyOf('/page/Missing/history?older_than=0')).toBe('rest-pagehistory-param-range-error')
    expect(await keyOf(`/revision/1/compare/${other}`)).toBe('rest-compare-page-mismatch')
  })
})
