/** Deleting, moving, restoring and undoing over the API, and uploading files. */

import { beforeEach, describe, expect, test } from 'vitest'
import { createToken } from '../../src/operations/tokens.ts'
import { createApp } from '../../src/rest/app.ts'
import { needsGit } from '../_setup.ts'
import { create, edit, newWiki } from '../operations/_wiki.ts'
import { bearer, sending } from './_asking.ts'
import { jsonOf } from './json-response.ts'

beforeEach(context => needsGit(context))

async function served() {
  const { wiki } = await newWiki({ Tides: 'one\n', Ebb: 'low\n' })
  const app = createApp(wiki, { allowAnonymous: true })
  const ask = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const init = body === undefined ? { method, headers } : sending(method, body, headers)
    const response = await app.request(`/v1${path}`, init)
    const type = response.headers.get('content-type') ?? ''
    return {
      status: response.status,
      headers: response.headers,
      body: type.includes('json') ? await jsonOf(response) : null,
    }
  }
  return { wiki, app, ask }
}

const idOf = (body: Record<string, unknown> | null) => (body!.latest as { id: number }).id

describe('a deletion', () => {
  test('with its latest revision succeeds, and the page is restored with its id', async () => {
    const { ask } = await served()
    const before = (await ask('GET', '/page/Tides')).body
    expect(await ask('DELETE', '/page/Tides')).toMatchObject({ status: 400, body: { name: 'latest' } })
    const gone = await ask('DELETE', '/page/Tides', { latest: { id: idOf(before) } })
    expect(gone).toMatchObject({ status: 200, body: { deleted: [{ key: 'Tides', title: 'Tides' }] } })
    expect((await ask('GET', '/page/Tides')).status).toBe(404)
    const back = await ask('POST', '/page/Tides/restore', { comment: 'It was right' })
    expect(back).toMatchObject({ status: 201, body: { id: before!.id, from: idOf(before) } })
    expect(back.headers.get('location')).toMatch(/\/page\/Tides$/)
    expect((await ask('GET', '/page/Tides')).body).toMatchObject({ id: before!.id, source: 'one' })
  })

  test('is refused if the page has changed since, by latest and by If-Match', async () => {
    const { wiki, ask } = await served()
    const seen = await ask('GET', '/page/Tides')
    await edit(wiki, 'Tides', 'two\n')
    expect((await ask('DELETE', '/page/Tides', { latest: { id: idOf(seen.body) } })).status).toBe(409)
    expect((await ask('DELETE', '/page/Tides', undefined, { 'if-match': seen.headers.get('etag')! })).status).toBe(412)
    const now = await ask('GET', '/page/Tides')
    expect((await ask('DELETE', '/page/Tides', undefined, { 'if-match': now.headers.get('etag')! })).status).toBe(200)
  })

  test('works as a dry run, and fails for a missing page', async () => {
    const { ask } = await served()
    const latest = { id: idOf((await ask('GET', '/page/Tides')).body) }
    expect((await ask('DELETE', '/page/Tides', { latest, dryRun: true })).body).toMatchObject({ commit: null })
    expect((await ask('GET', '/page/Tides')).status).toBe(200)
    expect(await ask('DELETE', '/page/Nowhere', { latest })).toMatchObject({
      status: 404,
      body: { errorKey: 'apierror-missingtitle' },
    })
  })
})

describe('a move', () => {
  test('moves the page and leaves a redirect, or none', async () => {
    const { ask } = await served()
    const moved = await ask('POST', '/page/Tides/move', { to: 'High tides' })
    expect(moved).toMatchObject({ status: 201, body: { redirect: true, to: { title: 'High tides' } } })
    expect((await ask('GET', '/page/High_tides')).body).toMatchObject({ source: 'one' })
    expect((await ask('POST', '/page/Ebb/move', { to: 'Low', redirect: false })).body).toMatchObject({
      redirect: false,
    })
    expect((await ask('GET', '/page/Ebb')).status).toBe(404)
  })

  test('rewrites links, and lists them; a dry run returns the difference', async () => {
    const { wiki, ask } = await served()
    await create(wiki, 'Harbour', '[[Tides]], [[tides|t]]')
    const planned = await ask('POST', '/page/Tides/move', { to: 'High tides', updateLinks: true, dryRun: true })
    expect(planned).toMatchObject({ status: 200, body: { patch: expect.stringContaining('+[[High tides|Tides]]') } })
    const moved = await ask('POST', '/page/Tides/move', { to: 'High tides', updateLinks: true })
    const pages = [{ key: 'Harbour', title: 'Harbour', links: 2 }]
    expect(moved).toMatchObject({ status: 201, body: { links: { pages, unchanged: [], unread: [] } } })
    expect((await ask('GET', '/page/Harbour')).body).toMatchObject({ source: '[[High tides|Tides]], [[High tides|t]]' })
  })

  test('is refused if the title is taken, or the page has changed since', async () => {
    const { wiki, ask } = await served()
    expect((await ask('POST', '/page/Tides/move', { to: 'Ebb' })).status).toBe(409)
    const seen = await ask('GET', '/page/Tides')
    await edit(wiki, 'Tides', 'two\n')
    const late = await ask('POST', '/page/Tides/move', { to: 'X' }, { 'if-match': seen.headers.get('etag')! })
    expect(late.status).toBe(412)
    expect(await ask('POST', '/page/Tides/move', {})).toMatchObject({ status: 400, body: { name: 'to' } })
  })
})

describe('an undo', () => {
  test('undoes one revision, and later edits stay', async () => {
    const { wiki, ask } = await served()
    await edit(wiki, 'Tides', 'one\n\nsecond\n')
    const wrong = idOf((await ask('GET', '/page/Tides')).body)
    await edit(wiki, 'Tides', 'one, edited\n\nsecond\n')
    const undone = await ask('POST', '/page/Tides/undo', { revision: wrong })
    expect(undone).toMatchObject({ status: 200, body: { changed: true, merged: true, undone: [wrong, wrong] } })
    expect((await ask('GET', '/page/Tides')).body!.source).not.toContain('second')
  })

  test('of a later changed revision is a conflict, and that of the first revision is not possible', async () => {
    const { wiki, ask } = await served()
    const first = idOf((await ask('GET', '/page/Tides')).body)
    await edit(wiki, 'Tides', 'two\n')
    const second = idOf((await ask('GET', '/page/Tides')).body)
    await edit(wiki, 'Tides', 'three\n')
    expect((await ask('POST', '/page/Tides/undo', { revision: second })).body).toMatchObject({
      errorKey: 'undo-failure',
    })
    expect((await ask('POST', '/page/Tides/undo', { revision: first })).body).toMatchObject({ errorKey: 'undo-norev' })
    expect((await ask('POST', '/page/Ebb/undo', { revision: second })).status).toBe(404)
    expect((await ask('POST', '/page/Ebb/undo', { revision: 'x' })).status).toBe(400)
  })
})

describe('flags of an edit', () => {
  test('minor is taken from the body', async () => {
    const { ask } = await served()
    const latest = { id: idOf((await ask('GET', '/page/Tides')).body) }
    await ask('PUT', '/page/Tides', { source: 'two', comment: '', latest, minor: true })
    const { body } = await ask('GET', '/page/Tides/history')
    expect((body!.revisions as { minor: boolean }[]).map(({ minor }) => minor)).toEqual([true, false])
  })

  test("bot requires a bot's token", async () => {
    const { wiki, ask } = await served()
    const person = bearer((await createToken(wiki, { name: 'Ada', address: 'ada@example.org' })).token)
    const refused = await ask('PUT', '/page/New', { source: 'x', comment: '', bot: true }, person)
    expect([refused.status, refused.body]).toMatchObject([
      403,
      {
        errorKey: 'wiki-bot-denied',
        messageTranslations: { en: 'Only a token made with --bot may mark an edit as a bot’s' },
      },
    ])
    const robot = bearer((await createToken(wiki, { name: 'Robo', address: 'robo@example.org', bot: true })).token)
    for (const bot of [true, false])
      expect((await ask('POST', '/page', { title: `Bot ${bot}`, source: 'x', comment: '', bot }, robot)).status).toBe(
        201,
      )
    const { body } = await ask('GET', '/changes?bot=true')
    expect((body!.changes as { page: { title: string } }[]).map(({ page }) => page.title)).toEqual(['Bot true'])
  })
})

describe('a file', () => {
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )

  test('is uploaded unchanged, replaced and deleted', { tags: 'long' }, async () => {
    const { app, ask } = await served()
    const put = (name: string, bytes: Uint8Array) =>
      app.request(`/v1/file/${name}`, {
        method: 'PUT',
        body: new Uint8Array(bytes),
        headers: { 'content-type': 'image/png' },
      })
    const added = await put('Dot.png?comment=First', png)
    expect(added.status).toBe(200)
    expect(await jsonOf(added)).toMatchObject({ title: 'Dot.png', original: { width: 1, height: 1 } })
    const bytes = await app.request('/files/Dot.png')
    expect(Buffer.from(await bytes.arrayBuffer())).toEqual(png)
    expect((await put('Notes.exe', png)).status).toBe(400)
    expect((await put('Empty.png', new Uint8Array())).status).toBe(400)
    expect((await ask('DELETE', '/file/Dot.png')).body).toMatchObject({ deleted: [{ key: 'File:Dot.png' }] })
    expect((await ask('GET', '/file/Dot.png')).status).toBe(404)
  })

  test('above the limit for users without a token is refused', async () => {
    const { app } = await served()
    const body = new Uint8Array(5 * 1024 * 1024)
    expect((await app.request('/v1/file/Big.png', { method: 'PUT', body })).status).toBe(413)
  })
})

test('requires permission for every action', async () => {
  const { wiki } = await newWiki({ Tides: 'one\n' })
  const app = createApp(wiki)
  const before = wiki.store.tip
  for (const [method, path, body] of [
    ['DELETE', '/page/Tides', {}],
    ['POST', '/page/Tides/move', { to: 'X' }],
    ['POST', '/page/Tides/restore', {}],
    ['POST', '/page/Tides/undo', { revision: 1 }],
    ['PUT', '/file/A.png', 'x'],
    ['DELETE', '/file/A.png', {}],
  ] as const)
    expect((await app.request(`/v1${path}`, sending(method, body))).status, `${method} ${path}`).toBeGreaterThanOrEqual(
      401,
    )
  await wiki.store.refresh()
  expect(wiki.store.tip).toBe(before)
})
