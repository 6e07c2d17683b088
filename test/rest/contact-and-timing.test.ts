import { expect, test, vi } from 'vitest'
import { createApp } from '../../src/rest/app.ts'
import { LiveIndex } from '../../src/store/index/live-index.ts'
import { Store } from '../../src/store/store.ts'
import { newWiki } from '../operations/_wiki.ts'
import { jsonOf } from './json-response.ts'

test.each([
  ['wiki@example.org', { email: 'wiki@example.org' }],
  ['https://example.org/contact', { url: 'https://example.org/contact' }],
  ['', { url: 'http://localhost/' }],
])('the descriptions of the API name the contact %j', async (contact, expected) => {
  const { wiki } = await newWiki({ X: 'x' }, { contact })
  const app = createApp(wiki)
  for (const path of ['/specs/v0/discovery', '/openapi.json']) {
    const { info } = await jsonOf(await app.request(path))
    expect((info as { contact?: object }).contact).toEqual(expected)
  }
})

test('a response states its duration, and whether it was cached, on request', async () => {
  const { wiki } = await newWiki({ X: 'x' })
  const app = createApp(wiki)
  const timing = async (prefer: string) => {
    const { headers } = await app.request('/v1/page/X', { headers: { prefer } })
    return [headers.get('server-timing')?.replace(/[\d.]+$/, '<ms>'), headers.get('preference-applied')]
  }
  expect(await timing('respond-async')).toEqual([undefined, null])
  expect(await timing('respond-async, Server-Timing')).toEqual(['cache;desc=hit, total;dur=<ms>', 'server-timing'])
  const first = await app.request('/v1/page/X/bare', { headers: { prefer: 'server-timing' } })
  expect(first.headers.get('server-timing')).toMatch(/^cache;desc=miss, total;dur=\d/)
})

test('an uncacheable response states only its duration, and a page of the site states both', async () => {
  const { wiki } = await newWiki({ X: 'x' })
  const app = createApp(wiki, {
    allowAnonymous: true,
    pages: async () => (await import('../../src/web/handle-page.ts')).handlePage,
  })
  const timing = async (path: string, init: RequestInit = {}) => {
    const headers = { prefer: 'server-timing', accept: 'text/html', 'content-type': 'application/json' }
    const answer = await app.request(path, { headers, ...init })
    return answer.headers.get('server-timing')?.replace(/[\d.]+$/, '<ms>')
  }
  const body = JSON.stringify({ title: 'Y', source: 'y', comment: '' })
  expect(await timing('/v1/page', { method: 'POST', body })).toBe('total;dur=<ms>')
  expect(await timing('/v1/session')).toBe('total;dur=<ms>')
  expect(await timing('/wiki/X')).toBe('cache;desc=miss, total;dur=<ms>')
  expect(await timing('/wiki/X')).toBe('cache;desc=hit, total;dur=<ms>')
})

test('one GET of HTML reads the branch once, and looks up its page once', async () => {
  const { wiki } = await newWiki({ X: 'a text', Y: '#REDIRECT [[X]]' })
  const app = createApp(wiki)
  const [looks, finds] = [vi.spyOn(LiveIndex.prototype, 'refresh'), vi.spyOn(Store.prototype, 'findPage')]
  for (const path of ['/html', '/with_html', '', '/bare', '/html?flavor=edit']) {
    looks.mockClear()
    finds.mockClear()
    expect((await app.request(`/v1/page/X${path}`)).status).toBe(200)
    expect([path, looks.mock.calls.length, finds.mock.calls]).toEqual([path, 1, [['X']]])
  }
})
