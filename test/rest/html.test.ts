import { describe, expect, test, vi } from 'vitest'
import { hideRevision } from '../../src/operations/hide-revision.ts'
import { createApp } from '../../src/rest/app.ts'
import { ada, edit, newWiki } from '../operations/_wiki.ts'
import { jsonOf } from './json-response.ts'

const profile = 'text/html; charset=utf-8; profile="https://www.mediawiki.org/wiki/Specs/HTML/2.8.0"'
const pages = {
  'Tide times': "== Today ==\n''High'' water: [[Harbour]].",
  Harbour: 'Ships.',
  Old: '#REDIRECT [[Harbour#Quay]]',
  Older: '#REDIRECT [[Old]]',
  Circle: '#REDIRECT [[Circle]]',
  Nowhere: '#REDIRECT [[Missing page]]',
}

async function newApp(config?: Readonly<Record<string, unknown>>) {
  const { wiki } = await newWiki(pages, config)
  return { wiki, app: createApp(wiki) }
}

describe('the HTML of a page', () => {
  test('is a document that runs no scripts', async () => {
    const { app } = await newApp({ language: 'de' })
    const response = await app.request('/v1/page/Tide_times/html')
    expect([response.status, Object.fromEntries(response.headers)]).toMatchObject([
      200,
      {
        'content-type': profile,
        'content-language': 'de',
        'content-revision-id': '1',
        'cache-control': 'no-cache',
        etag: expect.stringMatching(
          /^"1\/[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}\/view\/html-[0-9a-f]{16}"$/,
        ),
        'last-modified': expect.stringMatching(/ GMT$/),
        'x-content-type-options': 'nosniff',
        'content-security-policy': expect.stringMatching(/^default-src 'none'.*sandbox/),
      },
    ])
    const text = await response.text()
    expect(text).toMatch(/<i[^>]*>High<\/i>/)
    expect(text).toMatch(/^<!DOCTYPE html>/i)
    expect(text).toContain('<base href="http://localhost/wiki/"')
  })

  test('is returned with the page as JSON', async () => {
    const { app } = await newApp()
    const response = await app.request('/v1/page/Tide_times/with_html')
    expect(response.headers.get('content-revision-id')).toBe('1')
    expect(response.headers.get('etag')).toMatch(/\/view\/with_html-[0-9a-f]{16}"$/)
    const body = await jsonOf(response)
    expect(Object.keys(body)).toEqual('id key title latest content_model license html'.split(' '))
    expect(body.html).toBe(await (await app.request('/v1/page/Tide_times/html')).text())
  })

  test('keeps its tag while its bytes are the same, whatever is edited elsewhere', async () => {
    const { app, wiki } = await newApp()
    const tag = async () => (await app.request('/v1/page/Harbour/html')).headers.get('etag')
    const first = await tag()
    const answer = await app.request('/v1/page/Harbour/html', { headers: { 'if-none-match': first ?? '' } })
    expect(answer.status).toBe(304)
    await edit(wiki, 'Old', 'no more')
    expect(await tag()).toBe(first)
    await edit(wiki, 'Harbour', 'Boats.')
    expect(await tag()).not.toBe(first)
  })

  test.each([
    ['flavor=edit', 200, 'edit'],
    ['flavor=view&flavor=edit', 200, 'edit'],
    ['flavor=stash', 200, 'stash'],
    ['stash=yes', 200, 'stash'],
    ['stash=0', 200, 'view'],
    ['flavor=fragment', 200, 'fragment'],
    ['flavor=VIEW', 400, 'badvalue'],
    ['flavor=', 400, 'badvalue'],
    ['flavor[]=view', 400, 'badvalue'],
    ['stash=maybe', 400, 'badbool'],
  ])('requested with %s gets %i %s', async (query, status, what) => {
    const { app } = await newApp()
    for (const path of ['page/Harbour/html', 'page/Harbour/with_html', 'revision/1/html', 'revision/1/with_html']) {
      const response = await app.request(`/v1/${path}?${query}`)
      expect(response.status).toBe(status)
      if (status === 200) expect(response.headers.get('etag')?.split('/')[2]).toBe(what)
      else expect((await jsonOf(response)).errorKey).toBe(what)
    }
  })

  test.each([
    ['page/Missing/html', 404, 'rest-nonexistent-title'],
    ['page/X%3Cy%3E/with_html', 404, 'rest-invalid-title'],
    ['page/Special%3AVersion/html', 404, 'rest-invalid-title'],
    ['page//html', 400, 'missingparam'],
    ['revision/99/html', 404, 'rest-nonexistent-revision'],
    ['revision/x/with_html', 400, 'badinteger'],
  ])('%s gets %i %s', async (path, status, key) => {
    const { app } = await newApp()
    const response = await app.request(`/v1/${path}`)
    expect([response.status, (await jsonOf(response)).errorKey]).toEqual([status, key])
  })
})

test('of a revision with hidden parts is revalidated like any other', async () => {
  const { app, wiki } = await newApp()
  await edit(wiki, 'Harbour', 'Boats.')
  const { first: id, latest } = wiki.store.findPage('Harbour')!
  await hideRevision(wiki, { id, parts: ['user'], reason: 'asked for', comment: null, author: ada })
  for (const suffix of ['', '/bare', '/html', '/with_html']) {
    const cacheOf = async (id: number) =>
      (await app.request(`/v1/revision/${id}${suffix}`)).headers.get('cache-control')
    expect([await cacheOf(id), await cacheOf(latest)]).toEqual(['no-cache', 'no-cache'])
  }
  await hideRevision(wiki, { id, parts: ['text'], reason: 'asked for', comment: null, author: ada })
  for (const suffix of ['', '/bare', '/html', '/with_html', '/lint']) {
    const response = await app.request(`/v1/revision/${id}${suffix}`)
    expect([response.status, (await jsonOf(response)).errorKey]).toEqual([403, 'rest-permission-denied-revision'])
  }
})

describe('a redirect', () => {
  test.each([
    ['Old/html', 'Harbour/html?redirect=no'],
    ['Old/with_html?a=b%20c', 'Harbour/with_html?a=b+c&redirect=no'],
    ['Old/html?redirect=yes', 'Harbour/html?redirect=no'],
    ['Old/lint', 'Harbour/lint?redirect=no'],
    ['Older/html', 'Old/html?redirect=no'],
    ['Nowhere/html', 'Missing_page/html?redirect=no'],
  ])('at %s redirects to %s', async (from, to) => {
    const { app } = await newApp()
    const response = await app.request(`/rest.php/v1/page/${from}`)
    expect([response.status, response.headers.get('location')]).toEqual([307, `/rest.php/v1/page/${to}`])
    expect(response.headers.get('cache-control')).toBe('no-cache')
    expect(response.headers.get('etag')).not.toBe(null)
  })

  test.each(['Old/html?redirect=no', 'Old/html?redirect=false', 'Old/html?redirect=0', 'Circle/html', 'Circle/lint'])(
    'is shown itself at %s',
    async path => {
      const { app } = await newApp()
      expect((await app.request(`/v1/page/${path}`)).status).toBe(200)
    },
  )

  test('names its target beside its HTML', async () => {
    const { app } = await newApp()
    const body = await jsonOf(await app.request('/v1/page/Old/with_html?redirect=no'))
    expect(body).toMatchObject({ key: 'Old', redirect_target: '/v1/page/Harbour/with_html?redirect=no' })
  })

  test('with another spelling first redirects to its own title', async () => {
    const { app } = await newApp()
    const response = await app.request('/v1/page/old/html?x=1')
    expect([response.status, response.headers.get('location')]).toEqual([301, '/v1/page/Old/html?x=1'])
    expect(response.headers.get('cache-control')).toBe('no-cache')
    expect(response.headers.get('etag')).toMatch(/\/view\/html-[0-9a-f]{16}"$/)
  })

  test('does not apply to a revision', async () => {
    const { app, wiki } = await newApp()
    const { latest } = wiki.store.findPage('Old')!
    expect((await app.request(`/v1/revision/${latest}/html`)).status).toBe(200)
    expect(await jsonOf(await app.request(`/v1/revision/${latest}/with_html`))).toMatchObject({
      id: latest,
      page: { key: 'Old' },
      html: expect.any(String),
    })
  })
})

describe('the languages of a page', () => {
  const codes = ['de', 'fr', 'ja', 'nb']
  const languages = Object.fromEntries(codes.map(code => [code, `https://${code}.example/$1`]))
  test('are listed by code, each once, with the name its speakers have for it', async () => {
    const source = 'x\n[[nb:#frag]] [[de:user:x]] [[de:Zweite]] [[ja:lower case]] [[:nb:Havn]] [[fr:]]'
    const { wiki } = await newWiki({ X: source, Y: 'none' }, { languages })
    const app = createApp(wiki)
    const response = await app.request('/v1/page/X/links/language')
    expect(await response.json()).toEqual([
      { code: 'de', name: 'Deutsch', key: 'User:X', title: 'User:X' },
      { code: 'ja', name: '日本語', key: 'Lower_case', title: 'Lower case' },
      { code: 'nb', name: 'norsk bokmål', key: '', title: '' },
    ])
    expect(response.headers.get('etag')).toMatch(/^"\d+@\d{14}-[0-9a-f]{16}"$/)
    expect(await (await app.request('/v1/page/Y/links/language')).json()).toEqual([])
    expect((await app.request('/v1/page/y/links/language')).status).toBe(301)
    expect(await jsonOf(await app.request('/v1/page/Media%3A/links/language'))).toMatchObject({
      errorKey: 'rest-nonexistent-title',
    })
  })
})

test('a language without a name in Unicode has the name of its wiki', async () => {
  const languages = { no: 'https://n.example/$1', simple: 'https://s.example/$1', xx: 'https://x.example/$1' }
  const { wiki } = await newWiki({ X: '[[no:A]] [[simple:B]] [[xx:C]]' }, { languages })
  const response = await createApp(wiki).request('/v1/page/X/links/language')
  expect(((await response.json()) as { name: string }[]).map(({ name }) => name)).toEqual([
    'norsk',
    'Simple English',
    'xx',
  ])
})

describe('a transform', () => {
  const post = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  const toHtml = '/v1/transform/wikitext/to/html'
  const toLint = '/v1/transform/wikitext/to/lint'

  test.each([toHtml, `${toHtml}/`, `${toHtml}/Tide_times`, `${toHtml}/No%20such/page`, `${toHtml}/Harbour/1`])(
    'makes HTML of the text it is given, at %s',
    async path => {
      const { app } = await newApp()
      const response = await app.request(path, post({ wikitext: "''given''", subst: 1 }))
      expect([response.status, Object.fromEntries(response.headers)]).toMatchObject([
        200,
        { 'content-type': profile, 'content-language': 'en', 'cache-control': 'private,no-cache,s-maxage=0' },
      ])
      expect(response.headers.get('content-revision-id')).toBe(null)
      expect(await response.text()).toMatch(/<i[^>]*>given<\/i>/)
    },
  )

  test('handles each body separately', async () => {
    const { app } = await newApp()
    const textOf = async (wikitext: string) => (await app.request(toHtml, post({ wikitext }))).text()
    expect(await textOf('one')).toContain('one')
    expect(await textOf('two')).toContain('two')
  })

  test.each<[body: unknown, query: string, found: string]>([
    [{ wikitext: 5 }, '', '>5<'],
    [{ wikitext: true }, '', '>1<'],
    [{ wikitext: { body: 'inside' } }, '', '>inside<'],
    [{ wikitext: null }, '', 'Ships.'],
    [{}, '/1', 'High'],
  ])('accepts %j at Harbour%s', async (body, revision, found) => {
    const { app } = await newApp()
    const response = await app.request(`${toHtml}/Harbour${revision}`, post(body))
    expect(response.status).toBe(200)
    expect(await response.text()).toContain(found)
  })

  test('returns only the content of the body on request', async () => {
    const { app } = await newApp()
    for (const [path, body] of [
      [toHtml, { wikitext: 'x', body_only: true }],
      [`${toHtml}?body_only=1`, { wikitext: 'x' }],
    ] as const) {
      expect(await (await app.request(path, post(body))).text()).not.toMatch(/<html/)
    }
  })

  test('lists lint problems', async () => {
    const { app } = await newApp()
    for (const path of [toLint, `${toLint}/Harbour`, `${toLint}/Harbour/1`]) {
      const response = await app.request(path, post({ wikitext: 'fine' }))
      expect([response.status, await response.json()]).toEqual([200, []])
    }
    for (const path of ['/v1/page/Harbour/lint', '/v1/revision/1/lint']) {
      expect(await (await app.request(path)).json()).toEqual([])
    }
  })

  test.each([
    [undefined, [8, 26, 8, 9]],
    ['ucs2', [8, 26, 8, 9]],
    ['char', [7, 25, 8, 9]],
    ['byte', [15, 33, 8, 9]],
  ])('counts the offsets of problems as %s', async (offsetType, dsr) => {
    const { app } = await newApp()
    const response = await app.request(toLint, post({ wikitext: '日本 😀 ü <center>x</center>', offsetType }))
    expect(await response.json()).toMatchObject([{ type: 'obsolete-tag', dsr }])
  })

  test.each<[path: string, body: unknown, headers: Record<string, string>, status: number, key: string]>([
    [toHtml, {}, {}, 400, 'rest-transform-missing-text'],
    [`${toHtml}/X%3Cy%3E`, { wikitext: 'x' }, {}, 400, 'apierror-invalidtitle'],
    [`${toHtml}/Special%3AVersion`, { wikitext: 'x' }, {}, 400, 'apierror-pagecannotexist'],
    [`${toHtml}/Missing`, {}, {}, 404, 'rest-nonexistent-title'],
    [`${toHtml}/Harbour/99`, {}, {}, 404, 'rest-specified-revision-unavailable'],
    [toHtml, '{"wikitext"', {}, 400, 'rest-json-body-parse-error'],
    [toHtml, '5', {}, 400, 'rest-json-body-parse-error'],
    [toHtml, 'wikitext=x', { 'content-type': 'text/plain' }, 415, 'rest-unsupported-content-type'],
    [toHtml, { wikitext: 'x' }, { accept: 'application/json' }, 406, 'rest-unsupported-target-format'],
    [toHtml, { wikitext: 'x' }, { accept: 'text/html; profile="x/HTML/1.0.0"' }, 406, 'rest-unsupported-target-format'],
    [toLint, { wikitext: 'x', offsetType: 'word' }, {}, 400, 'badvalue'],
    [toLint, { wikitext: 'x' }, { accept: 'text/html' }, 406, 'rest-unsupported-target-format'],
    ['/v1/transform/wikitext/to/nothing/X', {}, {}, 404, 'rest-invalid-transform'],
    ['/v1/transform/html/to/html', {}, {}, 404, 'rest-invalid-transform'],
  ])('at %s of %j with %j gets %i %s', async (path, body, headers, status, key) => {
    const { app } = await newApp()
    const response = await app.request(path, post(body, headers))
    expect([response.status, (await jsonOf(response)).errorKey]).toEqual([status, key])
  })
})

test('HTML that shows the time is rendered again after a while, even if nothing was edited', async () => {
  vi.useFakeTimers({ now: Date.parse('2024-05-01T10:00:00Z'), toFake: ['Date', 'performance'] })
  // A name of the time may be in another language, or made by a template.
  const named = '{{ {{{1|CURRENTTIME}}} }}'
  const { wiki } = await newWiki({ Clock: 'It is {{CURRENTTIME}}.', Still: 'It is.', Named: `It is ${named}.` })
  const app = createApp(wiki)
  const read = async (title: string) => {
    const response = await app.request(`/v1/page/${title}/html`)
    return {
      date: response.headers.get('last-modified'),
      etag: response.headers.get('etag'),
      text: await response.text(),
    }
  }
  const [clock, still] = [await read('Clock'), await read('Still')]
  expect(clock.text).toContain('10:00')
  expect((await read('Named')).text).toContain('10:00')
  vi.advanceTimersByTime(30_000)
  expect(await read('Clock')).toEqual(clock)
  vi.advanceTimersByTime(90_000)
  expect((await read('Clock')).text).toContain('10:02')
  expect((await read('Named')).text).toContain('10:02')
  expect((await read('Still')).etag).toBe(still.etag)
  vi.useRealTimers()
})
