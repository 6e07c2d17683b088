import { describe, expect, test } from 'vitest'
import { createApp } from '../../src/rest/app.ts'
import { edit, newWiki, openTestWiki } from '../operations/_wiki.ts'
import { jsonOf } from './json-response.ts'

const german = { name: 'Hafen', language: 'de', license: { url: 'https://example.org/l', title: 'Frei' } }

async function newApp(pages: Readonly<Record<string, string>> = {}, config?: Readonly<Record<string, unknown>>) {
  const { wiki } = await newWiki(pages, config)
  return { wiki, app: createApp(wiki) }
}

describe('the entry points', () => {
  test.each([
    ['/rest.php', '/rest.php/'],
    ['/rest.php?title=X', '/rest.php/'],
    ['/rest.php/', '/rest.php/specs/v0/discovery'],
    ['/w/rest.php', '/w/rest.php/'],
    ['/w/rest.php/', '/w/rest.php/specs/v0/discovery'],
  ])('redirect from %s to %s', async (path, location) => {
    const { app } = await newApp()
    const response = await app.request(path)
    expect([response.status, response.headers.get('location')]).toEqual([308, location])
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(await response.text()).toContain(`<a href="${location}">`)
  })

  test('redirect from the root only temporarily, because browsers get another response', async () => {
    const { app } = await newApp()
    const response = await app.request('/')
    const headers = ['location', 'vary', 'cache-control'].map(name => response.headers.get(name))
    expect([response.status, ...headers]).toEqual([307, '/specs/v0/discovery', 'Accept, x-restbase-compat', 'no-cache'])
  })

  test.each(['', '/rest.php', '/w/rest.php', '/rest.php/v1'])(
    'tell from %s/specs/v0/discovery where all is',
    async at => {
      const { app } = await newApp({}, german)
      const root = `http://localhost${at.replace('/v1', '')}`
      expect(await jsonOf(await app.request(`${at}/specs/v0/discovery`))).toMatchObject({
        info: { title: 'Hafen', license: { name: 'Frei', url: 'https://example.org/l' } },
        servers: [{ url: root }],
        modules: { '-': { base: `${root}/v1`, spec: `${root}/specs/v0/module/-` } },
      })
    },
  )

  test('describe a wiki without a name', async () => {
    const { app } = await newApp({}, { name: '' })
    expect(await jsonOf(await app.request('/specs/v0/discovery'))).toMatchObject({ info: { title: 'Wiki' } })
  })

  test('describe the search to a browser', async () => {
    const { app } = await newApp({}, { ...german, name: 'A & <B>' })
    const response = await app.request('/v1/search?q=x')
    expect(response.headers.get('content-type')).toBe('application/opensearchdescription+xml')
    const text = await response.text()
    expect(text).toContain('<ShortName>A &amp; &lt;B&gt; (de)</ShortName>')
    expect(text).toContain('template="http://localhost/v1/search/page?q={searchTerms}"')
    const asked = async (type: string) => (await app.request(`/v1/search?ctype=${type}`)).headers.get('content-type')
    expect(await asked('application/xml')).toBe('application/xml')
    expect(await asked('text/html')).toBe('application/opensearchdescription+xml')
  })
})

describe('a title in another spelling', () => {
  test('gets the dates of its page, and obeys conditions', async () => {
    const { app } = await newApp({ 'Tide times': 'a' })
    for (const suffix of ['', '/bare', '/history']) {
      const page = await app.request(`/v1/page/Tide_times${suffix}`)
      const response = await app.request(`/v1/page/tide%20times${suffix}`)
      expect(response.status).toBe(301)
      expect(response.headers.get('last-modified')).toBe(page.headers.get('last-modified'))
      expect(response.headers.get('cache-control')).toBe('no-cache')
      const headers = { 'if-none-match': response.headers.get('etag') ?? '' }
      expect((await app.request(`/v1/page/tide%20times${suffix}`, { headers })).status).toBe(304)
    }
  })

  test('counts as missing on routes without redirects', async () => {
    const { app } = await newApp()
    const keyOf = async (path: string) => (await jsonOf(await app.request(`/v1/page/${path}`))).errorKey
    expect(await keyOf('X%3Cy%3E')).toBe('rest-invalid-title')
    expect(await keyOf('X%3Cy%3E/history')).toBe('rest-nonexistent-title')
    expect(await keyOf('Special%3AVersion/history/counts/edits')).toBe('rest-nonexistent-title')
  })
})

describe('the parameter redirect', () => {
  test.each(['no', 'false', '0', 'n', 'f', 'off', 'NO', 'yes', 'true', '1', 'y', 't', 'on', ''])(
    'may be %j',
    async redirect => {
      const { app } = await newApp({ X: 'a' })
      for (const suffix of ['', '/bare']) {
        expect((await app.request(`/v1/page/X${suffix}?redirect=${redirect}`)).status).toBe(200)
      }
    },
  )

  test('has no other values', async () => {
    const { app } = await newApp({ X: 'a' })
    const response = await app.request('/v1/page/X?redirect=maybe')
    expect([response.status, await jsonOf(response)]).toMatchObject([
      400,
      { name: 'redirect', value: 'maybe', failureCode: 'badbool', failureData: null, errorKey: 'badbool' },
    ])
  })
})

describe('the types of counts', () => {
  test.each([
    ['anonedits', 'anonymous'],
    ['botedits', 'bot'],
    ['revertededits', 'reverted'],
  ])('accept %s as an older name of %s', async (former, type) => {
    const { wiki, app } = await newApp({ X: 'a' })
    await edit(wiki, 'X', 'b', { bot: true, author: { name: '203.0.113.5', address: '' } })
    await edit(wiki, 'X', 'a')
    const old = await app.request(`/v1/page/X/history/counts/${former}`)
    const now = await app.request(`/v1/page/X/history/counts/${type}`)
    expect(await old.text()).toBe('{"count":1,"limit":false}')
    expect(await now.text()).toBe('{"count":1,"limit":false}')
    expect([old.headers.get('deprecation'), now.headers.get('deprecation')]).toEqual(['version="v1"', null])
    expect(old.headers.get('link')).toMatch(/; rel="deprecation"$/)
  })

  test('count nothing for temporary accounts', async () => {
    const { app } = await newApp({ X: 'a' })
    expect(await jsonOf(await app.request('/v1/page/X/history/counts/temporary'))).toEqual({ count: 0, limit: false })
    expect((await app.request('/v1/page/Y/history/counts/temporary')).status).toBe(404)
  })
})

test('errors are in the language of the wiki as well as in English', async () => {
  const { directory } = await newWiki({ X: 'a' }, german)
  for (const [path, method] of [
    ['/v1/page/Y', 'GET'],
    ['/v1/nope', 'GET'],
    ['/v1/page/X', 'DELETE'],
    ['/v1/revision/x', 'GET'],
  ] as const) {
    const app = createApp(await openTestWiki(directory))
    const { messageTranslations } = await jsonOf(await app.request(path, { method }))
    expect(Object.keys(messageTranslations as object)).toEqual(['de', 'en'])
  }
})
