import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createApp } from '../../src/rest/app.ts'
import { edit, newWiki } from '../operations/_wiki.ts'
import { sending } from './_asking.ts'
import { jsonOf } from './json-response.ts'

const source = '==  Ropes ==\nThin ones {{Note|hemp}} at {{CURRENTTIME}}.\n\n\n* Hemp\n*Sisal'
const back = '/v1/transform/html/to/wikitext/Ropes'

afterEach(() => {
  vi.useRealTimers()
})

async function newApp() {
  const { wiki } = await newWiki({ 'Template:Note': '<b>{{{1}}}</b>', Ropes: source })
  const app = createApp(wiki)
  const id = wiki.store.findPage('Ropes')!.latest
  const wikitextOf = async (html: string, etag: string, body: object = {}) => {
    const answer = await app.request(back, sending('POST', { html, ...body }, { 'if-match': etag }))
    return { status: answer.status, text: await answer.text() }
  }
  return { app, wiki, id, wikitextOf }
}

/** HTML of a response in either form, and its tag. */
async function read(response: Response): Promise<{ html: string; etag: string }> {
  const text = await response.text()
  const html = response.headers.get('content-type') === 'application/json' ? JSON.parse(text).html : text
  return { html, etag: response.headers.get('etag') ?? '' }
}

/** Time passes and a template changes, so the same HTML cannot be rendered any more. */
async function change({ wiki }: Awaited<ReturnType<typeof newApp>>): Promise<void> {
  await edit(wiki, 'Template:Note', '<i>{{{1}}}</i> {{NUMBEROFEDITS}}')
  vi.useFakeTimers({ now: Date.now() + 3_600_000, toFake: ['Date'] })
}

describe('stashed HTML', () => {
  test.each([
    ['page/Ropes/html?stash=1', 'html'],
    ['page/Ropes/html?flavor=stash', 'html'],
    ['page/Ropes/with_html?stash=yes', 'with_html'],
    ['page/Ropes/html?stash=true&flavor=edit', 'html'],
    ['revision/ID/html?stash=t', 'html'],
    ['revision/ID/with_html?flavor=stash', 'with_html'],
  ])('of %s is converted to its source even if templates and the clock have changed', async (path, form) => {
    const setup = await newApp()
    const { app, id, wikitextOf } = setup
    const { html, etag } = await read(await app.request(`/v1/${path.replace('ID', String(id))}`))
    expect(etag).toMatch(new RegExp(`^"${id}/[-0-9a-f]{36}/stash/${form}-[0-9a-f]{16}"$`))
    await change(setup)
    const expected = { status: 200, text: source.replace('Thin', 'Thick') }
    expect(await wikitextOf(html.replace('Thin', 'Thick'), etag)).toEqual(expected)
    expect(await wikitextOf(html, `W/${etag}, "x"`)).toEqual({ status: 200, text: source })
    expect(await wikitextOf(html, '*', { original: { etag } })).toEqual({ status: 200, text: source })
  })

  test('works for an unsaved text too', async () => {
    const { app, wikitextOf } = await newApp()
    for (const [query, more] of [
      ['?stash=1', {}],
      ['', { stash: true }],
      ['?flavor=stash', {}],
    ] as const) {
      const wikitext = `${source}\n\n\n\n: odd`
      const answer = await app.request(
        `/v1/transform/wikitext/to/html/Ropes${query}`,
        sending('POST', { wikitext, ...more }),
      )
      const { html, etag } = await read(answer)
      expect(etag).toMatch(/^"0\/[-0-9a-f]{36}\/stash\/html"$/)
      expect(await wikitextOf(html, etag)).toEqual({ status: 200, text: wikitext })
    }
  })

  test('belongs to the page if no text is given', async () => {
    const { app, id } = await newApp()
    const answer = await app.request('/v1/transform/wikitext/to/html/Ropes?stash=1', sending('POST', {}))
    expect(answer.headers.get('etag')).toMatch(new RegExp(`^"${id}/`))
  })

  test('is stashed again with each request, although the response was cached', async () => {
    const setup = await newApp()
    const first = await read(await setup.app.request('/v1/page/Ropes/html?stash=1'))
    rmSync(join(setup.wiki.store.cacheDirectory, 'stash'), { recursive: true })
    const { html, etag } = await read(await setup.app.request('/v1/page/Ropes/html?stash=1'))
    expect(etag).toBe(first.etag)
    await change(setup)
    expect(await setup.wikitextOf(html, etag)).toEqual({ status: 200, text: source })
  })

  test.each([
    ['page/Ropes/html', 'view'],
    ['page/Ropes/html?stash=0', 'view'],
    ['page/Ropes/html?flavor=stash&stash=no', 'view'],
    ['page/Ropes/html?flavor=edit', 'edit'],
  ])('is not needed for %s: its tag is valid while the same HTML can be rendered', async (path, flavor) => {
    const setup = await newApp()
    const { html, etag } = await read(await setup.app.request(`/v1/${path}`))
    expect(etag).toContain(`/${flavor}/html-`)
    expect(await setup.wikitextOf(html, etag)).toEqual({ status: 200, text: source })
    await change(setup)
    expect((await setup.wikitextOf(html, etag)).status).toBe(412)
  })
})

test('a template that shows its TemplateData is kept whole', async () => {
  const shown = '<b>{{{1}}}</b><templatedata>{"params":{"1":{"label":"a"}}}</templatedata>'
  const { wiki } = await newWiki({ 'Template:Note': shown, Ropes: 'a {{Note|b}} c' })
  const app = createApp(wiki)
  const { html, etag } = await read(await app.request('/v1/page/Ropes/html?stash=1'))
  const answer = await app.request(back, sending('POST', { html: `${html}\n` }, { 'if-match': etag }))
  expect((await answer.text()).trimEnd()).toBe('a {{Note|b}} c')
})

test.each([
  '"1/00000000-0000-8000-8000-000000000000/stash/html"',
  '"0/00000000-0000-8000-8000-000000000000/stash/html"',
  '"1/../../../tokens/stash/html"',
  '""',
  'x',
  `"${'9'.repeat(3000)}"`,
])('an If-Match of %s gets 412', async etag => {
  const { app } = await newApp()
  const answer = await app.request(back, sending('POST', { html: 'x' }, { 'if-match': etag }))
  expect([answer.status, (await jsonOf(answer)).errorKey]).toEqual([412, 'rest-no-stashed-content'])
})

test('an invalid stash parameter gets 400', async () => {
  const { app } = await newApp()
  expect((await app.request('/v1/page/Ropes/html?stash=maybe')).status).toBe(400)
})
