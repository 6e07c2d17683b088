/** Conditions of writes: RFC 9110 13.1, beside `latest.id`. */

import { beforeEach, describe, expect, test } from 'vitest'
import { addFile } from '../../src/operations/add-file.ts'
import { createToken } from '../../src/operations/tokens.ts'
import { createApp } from '../../src/rest/app.ts'
import { oneIn } from '../_rounds.ts'
import { madeOnce, needsGit } from '../_setup.ts'
import { png } from '../media/_files.ts'
import { ada, edit, newWiki, openTestWiki } from '../operations/_wiki.ts'
import { bearer, sending } from './_asking.ts'
import { jsonOf } from './json-response.ts'

beforeEach(context => needsGit(context))

const json = { 'content-type': 'application/json' }

async function pageOnServer() {
  const { wiki } = await newWiki({ Tides: 'one' })
  const app = createApp(wiki, { allowAnonymous: true })
  const tag = async () => (await app.request('/v1/page/Tides')).headers.get('etag') ?? ''
  const latest = async () => (await jsonOf(await app.request('/v1/page/Tides'))).latest as { id: number }
  const put = async (
    headers: Record<string, string>,
    { title = 'Tides', id }: { title?: string; id?: number } = {},
  ) => {
    const body = { source: `two of ${title}`, comment: '', ...(id !== undefined && { latest: { id } }) }
    return app.request(`/v1/page/${title}`, {
      method: 'PUT',
      headers: { ...json, ...headers },
      body: JSON.stringify(body),
    })
  }
  return { wiki, app, tag, latest, put }
}

describe('an update', () => {
  test.each([
    ['the tag of the page', async (tag: string) => tag, 200],
    ['several tags', async (tag: string) => `"x", ${tag}`, 200],
    ['an asterisk', async () => '*', 200],
    ['another tag', async () => '"x"', 412],
    ['a tag that a proxy made weak', async (tag: string) => `W/${tag}`, 200],
    ['a tag to which a proxy added its coding', async (tag: string) => tag.replace(/"$/, '-gzip"'), 200],
  ])('with If-Match: %s', async (_, make, status) => {
    const { tag, latest, put } = await pageOnServer()
    const response = await put({ 'if-match': await make(await tag()) }, await latest())
    expect(response.status).toBe(status)
    if (status === 412) expect(await response.text()).toBe('')
  })

  test.each([
    ['the tag of the page', async (tag: string) => tag, 200],
    ['an asterisk, which tells nothing of what was read', async () => '*', 409],
    ['another tag', async () => '"x"', 412],
  ])('without latest.id and with If-Match: %s', async (_, make, status) => {
    const { tag, put } = await pageOnServer()
    expect((await put({ 'if-match': await make(await tag()) })).status).toBe(status)
  })

  test('with the tag of an older revision is refused, even if it could be merged', async () => {
    const { wiki, tag, latest, put } = await pageOnServer()
    const [old, base] = [await tag(), await latest()]
    await edit(wiki, 'Tides', 'one\n\nmore')
    expect((await put({ 'if-match': old }, base)).status).toBe(412)
  })

  test.each([
    ['an asterisk, of a page that exists', '*', 412],
    ['another tag', '"x"', 200],
  ])('with If-None-Match: %s', async (_, tags, status) => {
    const { latest, put } = await pageOnServer()
    expect((await put({ 'if-none-match': tags }, await latest())).status).toBe(status)
  })

  test("between another update's check and its write is not lost", async () => {
    const { wiki, tag, latest, put, app } = await pageOnServer()
    const [current, base] = [await tag(), await latest()]
    const commit = wiki.store.commit.bind(wiki.store)
    let isFirst = true
    wiki.store.commit = async plan => {
      if (isFirst) {
        isFirst = false
        await edit(wiki, 'Tides', 'one\n\nfrom another')
      }
      return commit(plan)
    }
    expect((await put({ 'if-match': current }, base)).status).toBe(412)
    expect(await jsonOf(await app.request('/v1/page/Tides'))).toMatchObject({ source: 'one\n\nfrom another' })
  })
})

describe('a creation', () => {
  test.each([
    [{ 'if-none-match': '*' }, 201],
    [{ 'if-match': '*' }, 412],
    [{ 'if-match': '"x"' }, 412],
  ])('with %j', async (headers, status) => {
    const { put } = await pageOnServer()
    expect((await put(headers as Record<string, string>, { title: 'New' })).status).toBe(status)
  })
})

/** Writes to existing resources: the URL, the request, and the status if the condition holds. */
const writes = {
  update: ['/page/Tides', 'PUT', '/page/Tides', (id: number) => ({ source: 'x', comment: '', latest: { id } }), 200],
  deletion: ['/page/Tides', 'DELETE', '/page/Tides', (id: number) => ({ latest: { id } }), 200],
  move: ['/page/Tides', 'POST', '/page/Tides/move', () => ({ to: 'Ebb' }), 201],
  undo: ['/page/Tides', 'POST', '/page/Tides/undo', (id: number) => ({ revision: id }), 200],
  'restoration of a page that is there': ['/page/Tides', 'POST', '/page/Tides/restore', () => ({}), 409],
  upload: ['/file/Map.png', 'PUT', '/file/Map.png', () => png(3, 3), 200],
  'deletion of a file': ['/file/Map.png', 'DELETE', '/file/File%3AMap.png', () => ({}), 200],
} as const

/** Headers made from its tag, and the status; null if the condition holds. */
const held: readonly [(tag: string) => Record<string, string>, 412 | null][] = [
  [tag => ({ 'if-match': tag }), null],
  [() => ({ 'if-match': '*' }), null],
  [() => ({ 'if-match': '"x"' }), 412],
  [tag => ({ 'if-match': `W/${tag}` }), null],
  [tag => ({ 'if-match': tag.replace(/"$/, '-gzip"') }), null],
  [tag => ({ 'if-match': tag.replace(/"$/, '/br"') }), null],
  [() => ({ 'if-none-match': '*' }), 412],
  [tag => ({ 'if-none-match': tag }), 412],
  [() => ({ 'if-none-match': '"x"' }), null],
  [() => ({ 'if-unmodified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' }), 412],
]

const wikiOfThings = madeOnce(async () => {
  const { wiki, directory } = await newWiki({ Tides: 'one' })
  await edit(wiki, 'Tides', 'two')
  await addFile(wiki, { name: 'Map.png', content: png(2, 2), comment: null, author: ada })
  return directory
})

async function thingsOnServer() {
  const wiki = await openTestWiki(await wikiOfThings())
  const app = createApp(wiki, { allowAnonymous: true })
  const send = (method: string, path: string, body: object, headers: Record<string, string>) =>
    app.request(`/v1${path}`, {
      method,
      headers: { ...(body instanceof Uint8Array ? { 'x-requested-with': 'test' } : json), ...headers },
      body: body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body),
    })
  return { wiki, app, send }
}

const numberedWrites = Object.entries(writes).map(([name, write], number) => [name, write, number] as const)

// Slow: a wiki for each. `npm test` takes a few of the headers for a write, and others for the next one.
describe.each(numberedWrites)('a condition of the %s', (_, [thing, method, path, makeBody, success], number) => {
  test.each(oneIn(6, held, number).map(([make, status]) => [JSON.stringify(make('the tag')), make, status] as const))(
    '%s',
    { tags: 'rounds' },
    async (_, make, status) => {
      const { app, send } = await thingsOnServer()
      const seen = await app.request(`/v1${thing}`)
      const { id } = (await jsonOf(await app.request('/v1/page/Tides'))).latest as { id: number }
      const answer = await send(method, path, makeBody(id), make(seen.headers.get('etag') ?? ''))
      expect(answer.status).toBe(status ?? success)
      if (status === 412) expect((await app.request(`/v1${thing}`)).headers.get('etag')).toBe(seen.headers.get('etag'))
    },
  )
})

test.each([
  ['PUT', '/file/New.png', { 'if-none-match': '*' }, 200],
  ['PUT', '/file/New.png', { 'if-match': '*' }, 412],
  ['DELETE', '/file/New.png', { 'if-match': '"x"' }, 412],
  ['POST', '/page/New/undo', { 'if-match': '*' }, 412],
  ['POST', '/page/New/restore', { 'if-match': '*' }, 412],
])('%s %s of a missing page, with %j', { tags: 'long' }, async (method, path, headers, status) => {
  const { send } = await thingsOnServer()
  const body = method === 'PUT' ? png(1, 1) : path.endsWith('undo') ? { revision: 1 } : {}
  expect((await send(method, path, body, headers as Record<string, string>)).status).toBe(status)
})

test.each(['undo', 'upload', 'deletion of a file'] as const)(
  'a change between the check and the write of the %s is not lost',
  { tags: 'long' },
  async name => {
    const { wiki, app, send } = await thingsOnServer()
    const [thing, method, path, makeBody] = writes[name]
    const tag = (await app.request(`/v1${thing}`)).headers.get('etag') ?? ''
    const { id } = (await jsonOf(await app.request('/v1/page/Tides'))).latest as { id: number }
    const commit = wiki.store.commit.bind(wiki.store)
    let isFirst = true
    wiki.store.commit = async plan => {
      if (isFirst) {
        isFirst = false
        await edit(wiki, 'Tides', 'two\n\nfrom another')
        await addFile(wiki, { name: 'Map.png', content: png(9, 9), comment: null, author: ada })
      }
      return commit(plan)
    }
    expect((await send(method, path, makeBody(id), { 'if-match': tag })).status).toBe(412)
    expect(await jsonOf(await app.request('/v1/file/Map.png'))).toMatchObject({ original: { width: 9 } })
    expect(await jsonOf(await app.request('/v1/page/Tides'))).toMatchObject({ source: 'two\n\nfrom another' })
  },
)

describe('a base that is no revision of the page', () => {
  test.each([
    ['PUT', '/v1/page/A', { source: 'new', comment: null }],
    ['DELETE', '/v1/page/A', {}],
    ['POST', '/v1/page/A/move', { to: 'C' }],
  ])('is reported as that: %s %s', async (method, path, body) => {
    const { wiki } = await newWiki({ A: 'a', B: 'b' })
    const app = createApp(wiki, { allowAnonymous: true })
    const { token } = await createToken(wiki, ada)
    const keys = []
    for (const id of [99, wiki.store.findPage('B')!.latest]) {
      const response = await app.request(path, sending(method, { ...body, latest: { id } }, bearer(token)))
      keys.push([response.status, (await jsonOf(response)).errorKey])
    }
    expect(keys).toEqual([
      [404, 'rest-nonexistent-revision'],
      [404, 'rest-nonexistent-title-revision'],
    ])
    expect(wiki.store.findPage('A')?.edits).toBe(1)
  })
})
