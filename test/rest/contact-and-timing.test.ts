import { expect, test } from 'vitest'
import { createApp } from '../../src/rest/app.ts'
import { newWiki } from '../operations/_wiki.ts'
import { jsonOf } from './json-answer.ts'

test.each([
  ['wiki@example.org', { email: 'wiki@example.org' }],
  ['https://example.org/contact', { url: 'https://example.org/contact' }],
  ['', undefined],
])('the descriptions of the API name the contact %j', async (contact, expected) => {
  const { wiki } = await newWiki({ X: 'x' }, { contact })
  const app = createApp(wiki)
  for (const path of ['/specs/v0/discovery', '/openapi.json']) {
    const { info } = await jsonOf(await app.request(path))
    expect((info as { contact?: object }).contact).toEqual(expected)
  }
})

test('an answer tells how long it took, and whether it was cached, where a client asks', async () => {
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
