import type { H3 } from 'h3'
import { describe, expect, test } from 'vitest'
import type { HideablePart } from '../../src/core/wiki-config.ts'
import { hideRevision } from '../../src/operations/hide-revision.ts'
import type { Wiki } from '../../src/operations/wiki.ts'
import { createApp } from '../../src/rest/app.ts'
import { fromNow } from '../_times.ts'
import { ada, create, edit, newWiki } from '../operations/_wiki.ts'

const mallory = { name: 'Mallory Hidden', address: 'mallory@example.org' }
const drawing = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>\n'

/** Ferry, whose revision 2 is Mallory's; Tides, which names its last editor; Buoy, a page beside them. */
async function newApp(): Promise<{ wiki: Wiki; app: H3; id: number }> {
  const { wiki } = await newWiki({ Buoy: 'a buoy', Ferry: 'first text' })
  await edit(wiki, 'Ferry', 'second text', { author: mallory, comment: 'a bad word' })
  const { latest: id } = wiki.store.findPage('Ferry')!
  await create(wiki, 'Tides', 'By {{REVISIONUSER:Ferry}}')
  return { wiki, app: createApp(wiki), id }
}

const hide = (wiki: Wiki, id: number, parts: readonly HideablePart[]) =>
  hideRevision(wiki, { id, parts, reason: '', comment: null, author: ada })

const get = (app: H3, path: string, headers: Record<string, string> = {}) => app.request(`/v1${path}`, { headers })

/** Conditions that a client sends: a tag, a date, and the time of its request. */
function conditionsOf(response: Response): Record<string, string>[] {
  const etag = response.headers.get('etag')
  const modified = response.headers.get('last-modified')
  const asked = fromNow(0).toUTCString()
  return [
    ...(etag === null ? [] : [{ 'if-none-match': etag }, { 'if-none-match': `W/${etag}` }]),
    ...(modified === null ? [] : [{ 'if-modified-since': modified }, { 'if-modified-since': asked }]),
  ]
}

/** A response as a client caches it, with the headers to revalidate it. */
async function fetched(app: H3, path: string) {
  const response = await get(app, path)
  return { path, status: response.status, text: await response.text(), conditions: conditionsOf(response) }
}

/** Checks that a conditional request confirms a response exactly if the same bytes would be sent again, and never by a date. */
async function isConfirmedAsSame(
  app: H3,
  { path, text, conditions }: Awaited<ReturnType<typeof fetched>>,
): Promise<void> {
  const isSame = (await (await get(app, path)).text()) === text
  for (const headers of conditions)
    expect([path, headers, (await get(app, path, headers)).status]).toEqual([
      ...[path, headers],
      isSame && 'if-none-match' in headers ? 304 : 200,
    ])
}

describe('after a part of a revision is hidden', () => {
  test.each([
    ['/page/Ferry/history', ['user']],
    ['/page/Ferry/history', ['comment']],
    ['/page/Ferry/history?filter=anonymous', ['user']],
    ['/page/Ferry/history/counts/editors', ['user']],
    ['/revision/{id}', ['user']],
    ['/revision/{id}/bare', ['comment']],
    ['/revision/{id}/with_html', ['comment']],
    ['/revision/{id}/with_html?flavor=edit', ['user']],
    ['/page/Tides/html', ['user']],
    ['/page/Tides/with_html', ['user']],
  ] as const)('no old answer of %s is confirmed: %s', async (route, parts) => {
    const { wiki, app, id } = await newApp()
    const path = route.replace('{id}', String(id))
    const before = await fetched(app, path)
    expect([before.status, before.conditions.length > 0]).toEqual([200, true])
    await hide(wiki, id, parts)
    await isConfirmedAsSame(app, before)
    const hidden = await fetched(app, path)
    expect(hidden.text).not.toMatch(parts[0] === 'user' ? /Mallory/ : /a bad word/)
    // A response without the name is not valid once it is shown again, nor one with the name once it is hidden again.
    await hide(wiki, id, [])
    await isConfirmedAsSame(app, hidden)
    const shown = await fetched(app, path)
    expect(shown.text).toBe(before.text)
    await hide(wiki, id, parts)
    await isConfirmedAsSame(app, shown)
  })

  test('the text of an older revision is refused, whatever the condition', { tags: 'long' }, async () => {
    const { wiki, app, id } = await newApp()
    await edit(wiki, 'Ferry', 'third text')
    for (const suffix of ['', '/bare', '/html', '/with_html', '/lint']) {
      const { conditions } = await fetched(app, `/revision/${id}${suffix}`)
      await hide(wiki, id, ['text'])
      for (const headers of [{}, ...conditions, { 'if-none-match': '*' }])
        expect((await get(app, `/revision/${id}${suffix}`, headers)).status, suffix).toBe(403)
      await hide(wiki, id, [])
    }
  })

  test('the new tag is valid', async () => {
    const { wiki, app, id } = await newApp()
    await hide(wiki, id, ['user'])
    for (const path of ['/page/Ferry/history', `/revision/${id}`, '/page/Ferry/bare']) {
      const { headers } = await get(app, path)
      expect((await get(app, path, { 'if-none-match': headers.get('etag')! })).status).toBe(304)
    }
  })

  test('other responses keep their tags', async () => {
    const { wiki, app, id } = await newApp()
    const paths = [
      '/page/Buoy/history',
      '/page/Buoy/history/counts/editors',
      '/revision/1',
      '/revision/2',
      '/page/Buoy',
    ]
    const validatorsOf = async () =>
      Promise.all(paths.map(async path => conditionsOf(await get(app, path)).map(all => Object.values(all)[0])))
    const before = (await validatorsOf()).map(([first]) => first)
    await hide(wiki, id, ['user'])
    expect((await validatorsOf()).map(([first]) => first)).toEqual(before)
  })
})

test('a file that was added by a hidden edit does not name its author', async () => {
  const { wiki } = await newWiki()
  const app = createApp(wiki)
  const changes = Object.entries({ 'File/Buoy.svg': drawing, 'File/Buoy.svg.wiki': 'described\n' }).map(
    ([path, text]) => ({ path, content: Buffer.from(text) }),
  )
  await wiki.store.commit(() => ({ changes, author: mallory, comment: 'uploaded', subject: 'Upload' }))
  await wiki.store.refresh()
  await create(wiki, 'Harbour', '[[File:Buoy.svg]]')
  const { id } = [...wiki.store.allRevisions()].find(({ user }) => user.name === mallory.name)!
  const paths = ['/file/File:Buoy.svg', '/page/Harbour/links/media']
  const before = await Promise.all(paths.map(path => fetched(app, path)))
  for (const { text } of before) expect(text).toContain(mallory.name)
  await hide(wiki, id, ['user'])
  for (const [index, path] of paths.entries()) {
    await isConfirmedAsSame(app, before[index]!)
    const text = await (await get(app, path)).text()
    expect(text).toContain('"user":{"id":null,"name":null}')
    expect(text).not.toContain('Mallory')
  }
})

test('a 304 has the Cache-Control of the 200', async () => {
  const { app } = await newApp()
  const { headers } = await get(app, '/page/Ferry')
  const unchanged = await get(app, '/page/Ferry', { 'if-none-match': headers.get('etag')! })
  expect([headers.get('cache-control'), unchanged.status]).toEqual(['no-cache', 304])
  expect(unchanged.headers.get('cache-control')).toBe(headers.get('cache-control'))
})
