/**
 * MediaWiki's REST API reference, row by row: each case has a number, the sentence, a request and the required response. The
 * numbers group the rows: 2 objects, 4 routes, 5 authentication, 7 errors, 8 limits. Source:
 * https://www.mediawiki.org/wiki/API:REST_API/Reference. Counts at their limits and failures of whole parts are in
 * `test/operations/counted-history.test.ts`.
 */

import type { H3 } from 'h3'
import { beforeAll, describe, expect, test } from 'vitest'
import { hideRevision } from '../../src/operations/hide-revision.ts'
import { createToken } from '../../src/operations/tokens.ts'
import { createApp } from '../../src/rest/app.ts'
import { png } from '../media/_files.ts'
import { ada, create, edit, newWiki, visitor } from '../operations/_wiki.ts'
import { bearer, cookieOf, sending } from './_asking.ts'

let app: H3
let token = ''
let session: Record<string, string> = {}
let csrf = ''
const photo = png(1600, 1200)

beforeAll(async () => {
  const many = Array.from({ length: 101 }, (_, at) => `[[File:N${at}.png]]`).join('\n')
  const { wiki } = await newWiki(
    {
      Beech: '== Bark ==\nsmooth bark\n[[de:Buche]]\n[[fr:Hêtre]]',
      'Old tree': '#REDIRECT [[Beech]]',
      'User:Ada/x.json': '{}',
      Gallery: many,
      Pictures: '[[File:Photo.png]]',
      'A/b': 'sub',
      Bare: 'no links',
    },
    {
      license: { url: 'https://example.org/l', title: 'Free' },
      languages: { de: 'https://d.example/$1', fr: 'https://f.example/$1' },
    },
  )
  await edit(wiki, 'Beech', '== Bark ==\nsmooth grey bark\n[[de:Buche]]\n[[fr:Hêtre]]', { minor: true })
  await edit(wiki, 'Beech', 'one\ntwo\nthree', { author: visitor, comment: '' })
  await edit(wiki, 'Beech', '== Bark ==\none\ntwo\nfour\n[[de:Buche]]\n[[fr:Hêtre]]', { bot: true })
  for (let at = 0; at < 21; at++) await edit(wiki, 'Bare', `text ${at}`)
  const changes = [{ path: 'Photo.png', content: photo }]
  await wiki.store.commit(() => ({ changes, author: ada, comment: 'a file', subject: 'a file' }))
  await create(wiki, 'Secret', 'a')
  const hidden = wiki.store.lastRevisionId
  await edit(wiki, 'Secret', 'b')
  await hideRevision(wiki, { id: hidden, parts: ['text'], author: ada, comment: null, reason: '' })
  app = createApp(wiki, { log: entry => void (entry.event === 'error' && console.error(entry.error)) })
  token = (await createToken(wiki, { name: 'Ada', address: 'ada@example.org' })).token
  const login = await app.request('/v1/session', sending('POST', { token }))
  session = { cookie: cookieOf(login) }
  csrf = ((await login.json()) as { csrf_token: string }).csrf_token
})

interface Asked {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: each row looks at its own members.
  readonly body: any
}

async function ask(path: string, init?: RequestInit): Promise<Asked> {
  const response = await app.request(path, init)
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text }
}

const get = (path: string) => (): Promise<Asked> => ask(`/v1${path}`)
const write =
  (method: string, path: string, body: unknown, type = 'application/json') =>
  (): Promise<Asked> =>
    ask(`/v1${path}`, sending(method, body, { ...bearer(token), 'content-type': type }))
const withCookie = (method: string, path: string, body: () => object) => (): Promise<Asked> =>
  ask(`/v1${path}`, sending(method, body(), session))

/** Number of the group, the reference's sentence, the request, and the required response: a status, or more. */
type Row = readonly [number: string, sentence: string, request: () => Promise<Asked>, expected: number | Expected]
interface Expected {
  readonly status: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, unknown>>
}

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
const license = { url: 'https://example.org/l', title: 'Free' }
const pageFields = {
  id: 1,
  key: 'Beech',
  title: 'Beech',
  latest: { id: 10, timestamp: time },
  content_model: 'wikitext',
  license,
}
const revisionFields = {
  id: 9,
  page: expect.objectContaining({ id: 1, title: 'Beech' }),
  user: { id: null, name: '203.0.113.5' },
  timestamp: time,
  comment: '',
  size: 13,
  delta: expect.any(Number),
  minor: false,
}
const preview = {
  mediatype: 'BITMAP',
  size: expect.toSatisfy((size: unknown) => size === null || typeof size === 'number'),
  width: expect.any(Number),
  height: expect.any(Number),
  duration: null,
  url: expect.stringMatching(/^http/),
}
const has = (members: object) => expect.objectContaining(members)
const list = (length: number) => expect.toSatisfy((items: unknown) => Array.isArray(items) && items.length === length)
/** A list that ends with these ids: earlier rows edit the page, too. */
const endsWith = (ids: readonly number[]) =>
  expect.toSatisfy(
    (items: readonly { id: number }[]) => String(items.slice(-ids.length).map(({ id }) => id)) === String(ids),
  )
const html = { 'content-type': expect.stringMatching(/^text\/html/) }
const at = (location: string) => ({ location: expect.stringMatching(location) })
const error = (key: string) => has({ errorKey: key, messageTranslations: has({ en: expect.any(String) }) })

const found = {
  id: 1,
  key: 'Beech',
  title: 'Beech',
  excerpt: expect.any(String),
  matched_title: null,
  description: null,
  thumbnail: null,
}

const rows: readonly Row[] = [
  ['2.1', 'A search result has its fields', get('/search/page?q=Beech'), { status: 200, body: { pages: [found] } }],
  [
    '2.1',
    'The excerpt marks the words that were sought',
    get('/search/page?q=four'),
    {
      status: 200,
      body: { pages: [{ ...found, excerpt: expect.stringMatching(/<span class="searchmatch">four<\/span>/) }] },
    },
  ],
  [
    '2.1',
    'On search/title the excerpt is the title; matched_title names the redirect that matched',
    get('/search/title?q=Old'),
    { status: 200, body: { pages: [{ ...found, excerpt: 'Beech', matched_title: 'Old tree' }] } },
  ],
  [
    '2.2',
    'A page has its fields',
    get('/page/Beech'),
    { status: 200, body: { ...pageFields, source: expect.any(String) } },
  ],
  [
    '2.2',
    'Another content model is named',
    get('/page/User%3AAda%2Fx.json/bare'),
    { status: 200, body: has({ content_model: 'json' }) },
  ],
  [
    '2.3',
    'Languages of a page have code, name, key and title',
    get('/page/Beech/links/language'),
    {
      status: 200,
      body: [
        { code: 'de', name: 'Deutsch', key: 'Buche', title: 'Buche' },
        { code: 'fr', name: 'français', key: 'Hêtre', title: 'Hêtre' },
      ],
    },
  ],
  [
    '2.4',
    'A file has its fields, and original in Get file',
    get('/file/Photo.png'),
    {
      status: 200,
      body: {
        title: 'Photo.png',
        file_description_url: expect.stringMatching(/^http/),
        latest: { timestamp: time, user: { id: 1, name: 'Ada Example' } },
        preferred: preview,
        original: { ...preview, size: photo.length, width: 1600, height: 1200 },
        thumbnail: preview,
      },
    },
  ],
  [
    '2.4',
    'A file of a page has no original',
    get('/page/Pictures/links/media'),
    {
      status: 200,
      body: {
        files: [
          {
            title: 'Photo.png',
            file_description_url: expect.any(String),
            latest: { timestamp: time, user: { id: 1, name: 'Ada Example' } },
            preferred: preview,
            thumbnail: preview,
          },
        ],
      },
    },
  ],
  [
    '2.5',
    'A revision has its fields; one of an anonymous user the IP address',
    get('/revision/9'),
    { status: 200, body: has(revisionFields) },
  ],
  ['2.5', 'The first revision has no delta', get('/revision/1'), { status: 200, body: has({ delta: null }) }],
  ['2.5', 'A minor edit is marked', get('/revision/8'), { status: 200, body: has({ minor: true, delta: 5 }) }],
  [
    '2.6',
    'A segment has latest and revisions',
    get('/page/Beech/history'),
    { status: 200, body: { latest: expect.stringMatching(/\/history$/), revisions: list(4) } },
  ],
  [
    '2.6',
    'older is there when there are more',
    get('/page/Bare/history'),
    { status: 200, body: has({ older: expect.stringMatching(/older_than=/), revisions: list(20) }) },
  ],
  [
    '2.6',
    'newer is there after older_than',
    get('/page/Beech/history?older_than=9'),
    { status: 200, body: has({ newer: expect.stringMatching(/newer_than=8/), revisions: list(2) }) },
  ],
  [
    '2.6',
    'Revisions of a history have their page',
    get('/page/Beech/history?older_than=10'),
    { status: 200, body: has({ revisions: expect.arrayContaining([has({ page: has({ id: 1, title: 'Beech' }) })]) }) },
  ],
  [
    '2.7',
    'A count says whether it is at the limit',
    get('/page/Beech/history/counts/edits'),
    { status: 200, body: { count: 4, limit: false } },
  ],
  [
    '2.9',
    'A comparison has from, to and diff; sections have level, heading and offset',
    get('/revision/1/compare/8'),
    {
      status: 200,
      body: {
        from: { id: 1, slot_role: 'main', sections: [{ level: 2, heading: '== Bark ==', offset: 0 }] },
        to: { id: 8, slot_role: 'main', sections: [{ level: 2, heading: '== Bark ==', offset: 0 }] },
        diff: [
          { type: 0, lineNumber: 1, text: '== Bark ==', offset: { from: 0, to: 0 } },
          {
            type: 3,
            lineNumber: 2,
            text: 'smooth grey bark',
            offset: { from: 11, to: 11 },
            highlightRanges: [{ start: 6, length: 5, type: 0 }],
          },
          { type: 0, lineNumber: 3, text: '[[de:Buche]]', offset: { from: 23, to: 28 } },
          { type: 0, lineNumber: 4, text: '[[fr:Hêtre]]', offset: { from: 36, to: 41 } },
        ],
      },
    },
  ],
  ['4.1', 'An empty array where nothing is found', get('/search/page?q=zzzzqq'), { status: 200, body: { pages: [] } }],
  ['4.1', '400 when q is missing', get('/search/page'), 400],
  ['4.1', '400 when limit is below 1', get('/search/page?q=x&limit=0'), 400],
  ['4.1', '400 when limit is above 100', get('/search/page?q=x&limit=101'), 400],
  [
    '4.1',
    'limit bounds the results',
    get('/search/page?q=text%20OR%20sub%20OR%20bark&limit=1'),
    { status: 200, body: { pages: expect.toSatisfy((pages: unknown[]) => pages.length <= 1) } },
  ],
  [
    '4.2',
    'Titles by their beginning',
    get('/search/title?q=bee'),
    { status: 200, body: { pages: [{ ...found, excerpt: 'Beech' }] } },
  ],
  ['4.2', '400 when q is missing', get('/search/title'), 400],
  ['4.2', '400 when limit is invalid', get('/search/title?q=x&limit=x'), 400],
  [
    '4.3',
    '201 with Location; comment null lets the server fill it in',
    write('POST', '/page', { source: 'new', title: 'Made', comment: null }),
    { status: 201, headers: at('/v1/page/Made$'), body: has({ key: 'Made', source: 'new' }) },
  ],
  [
    '4.3',
    '409 page already exists',
    write('POST', '/page', { source: 'x', title: 'Beech', comment: '' }),
    { status: 409, body: error('apierror-articleexists') },
  ],
  [
    '4.3',
    '400 bad content model',
    write('POST', '/page', { source: 'x', title: 'N', comment: '', content_model: 'nope' }),
    { status: 400, body: error('rest-bad-content-model') },
  ],
  [
    '4.3',
    '400 a content model without text',
    write('POST', '/page', { source: 'x', title: 'N', comment: '', content_model: 'unknown' }),
    { status: 400, body: error('apierror-no-direct-editing') },
  ],
  ['4.3', '415 unsupported content type', write('POST', '/page', '{}', 'text/plain'), 415],
  ['4.3', '400 when source is missing', write('POST', '/page', { title: 'N', comment: '' }), 400],
  ['4.3', '400 when title is missing', write('POST', '/page', { source: 'x', comment: '' }), 400],
  ['4.3', '400 when comment is missing', write('POST', '/page', { source: 'x', title: 'N' }), 400],
  [
    '4.3',
    '400 missing token with cookie-based authentication',
    withCookie('POST', '/page', () => ({ source: 'x', title: 'N', comment: '' })),
    400,
  ],
  [
    '4.3',
    '201 with the token of the session',
    withCookie('POST', '/page', () => ({ source: 'x', title: 'By cookie', comment: '', token: csrf })),
    201,
  ],
  [
    '4.4',
    '201 created, without latest',
    write('PUT', '/page/Put', { source: 'one', comment: '' }),
    { status: 201, body: has({ source: 'one' }) },
  ],
  [
    '4.4',
    '409 page already exists',
    write('PUT', '/page/Beech', { source: 'x', comment: '' }),
    { status: 409, body: error('rest-update-cannot-create-page') },
  ],
  [
    '4.4',
    '200 updated',
    write('PUT', '/page/Pictures', { source: '[[File:Photo.png]] and more', comment: null, latest: { id: 5 } }),
    { status: 200, body: has({ source: '[[File:Photo.png]] and more' }) },
  ],
  [
    '4.4',
    'A conflict is resolved where it can be',
    write('PUT', '/page/Beech', { source: 'zero\none\ntwo\nthree', comment: '', latest: { id: 9 } }),
    { status: 200, body: has({ source: expect.stringMatching(/zero[\s\S]*four/) }) },
  ],
  [
    '4.4',
    '409 edit conflict, with the differences',
    write('PUT', '/page/Beech', { source: 'one\ntwo\nsix', comment: '', latest: { id: 9 } }),
    {
      status: 409,
      body: has({
        errorKey: 'edit-conflict',
        base: 9,
        local: has({ diff: expect.any(Array) }),
        remote: has({ diff: expect.any(Array) }),
      }),
    },
  ],
  [
    '4.4',
    '400 bad content model: it must match the page',
    write('PUT', '/page/Beech', { source: 'x', comment: '', latest: { id: 10 }, content_model: 'json' }),
    400,
  ],
  ['4.4', '415 unsupported content type', write('PUT', '/page/Beech', '{}', 'text/plain'), 415],
  [
    '4.4',
    '400 missing token with cookie-based authentication',
    withCookie('PUT', '/page/N', () => ({ source: 'x', comment: '' })),
    400,
  ],
  [
    '4.5',
    'Get page has html_url',
    get('/page/Bare/bare'),
    { status: 200, body: has({ html_url: expect.stringMatching(/\/page\/Bare\/html$/) }) },
  ],
  ['4.5', '301 title normalisation', get('/page/beech/bare'), { status: 301, headers: at('/v1/page/Beech/bare$') }],
  ['4.5', '404', get('/page/None/bare'), { status: 404, body: error('rest-nonexistent-title') }],
  [
    '4.6',
    'Get page with HTML has html',
    get('/page/Bare/with_html'),
    { status: 200, body: has({ html: expect.stringMatching(/^<!DOCTYPE html>/) }) },
  ],
  ['4.6', '301 title normalisation', get('/page/bare/with_html'), 301],
  [
    '4.6',
    '307 wiki redirect',
    get('/page/Old_tree/with_html'),
    { status: 307, headers: at('/v1/page/Beech/with_html') },
  ],
  [
    '4.6',
    'redirect=no follows none',
    get('/page/Old_tree/with_html?redirect=no'),
    { status: 200, body: has({ key: 'Old_tree' }) },
  ],
  ['4.6', '404', get('/page/None/with_html'), 404],
  ['4.7', 'A subpage’s slash is %2F', get('/page/A%2Fb'), { status: 200, body: has({ source: 'sub', title: 'A/b' }) }],
  ['4.7', '301 title normalisation', get('/page/a%2Fb'), { status: 301, headers: at('/v1/page/A%2Fb$') }],
  ['4.7', '404', get('/page/None'), 404],
  ['4.8', 'Get HTML is text/html', get('/page/Bare/html'), { status: 200, headers: html }],
  [
    '4.8',
    'flavor=edit',
    get('/page/Bare/html?flavor=edit'),
    { status: 200, body: expect.stringMatching(/data-parsoid=/) },
  ],
  [
    '4.8',
    'flavor=view',
    get('/page/Bare/html?flavor=view'),
    { status: 200, body: expect.not.stringMatching(/data-parsoid=/) },
  ],
  ['4.8', 'Another flavor is invalid', get('/page/Bare/html?flavor=nope'), 400],
  ['4.8', '301', get('/page/bare/html'), 301],
  ['4.8', '307 wiki redirect', get('/page/Old_tree/html'), { status: 307, headers: at('/v1/page/Beech/html') }],
  ['4.8', 'redirect=no', get('/page/Old_tree/html?redirect=no'), 200],
  ['4.8', '404', get('/page/None/html'), 404],
  ['4.9', '404', get('/page/None/links/language'), 404],
  ['4.9', 'None', get('/page/Bare/links/language'), { status: 200, body: [] }],
  ['4.10', 'An empty array where there are none', get('/page/Bare/links/media'), { status: 200, body: { files: [] } }],
  ['4.10', '404', get('/page/None/links/media'), 404],
  [
    '4.10',
    '400 more than 100',
    get('/page/Gallery/links/media'),
    { status: 400, body: error('rest-media-too-many-links') },
  ],
  [
    '4.11',
    'Wikitext to HTML',
    write('POST', '/transform/wikitext/to/html/Bare', { wikitext: "''x''" }),
    { status: 200, headers: html, body: expect.stringMatching(/<i[^>]*>x<\/i>/) },
  ],
  [
    '4.12',
    'HTML to wikitext',
    write('POST', '/transform/html/to/wikitext/Bare', { html: '<i>x</i>' }),
    { status: 200, body: "''x''" },
  ],
  [
    '4.13',
    'Wikitext to lint errors',
    write('POST', '/transform/wikitext/to/lint/Bare', { wikitext: '<b>x' }),
    { status: 200, body: [has({ type: 'missing-end-tag' })] },
  ],
  ['4.14', '404', get('/file/None.png'), 404],
  [
    '4.15',
    'newer_than',
    get('/page/Beech/history?newer_than=1'),
    { status: 200, body: has({ revisions: endsWith([10, 9, 8]) }) },
  ],
  [
    '4.15',
    'filter=minor',
    get('/page/Beech/history?filter=minor'),
    { status: 200, body: has({ revisions: [has({ id: 8 })] }) },
  ],
  [
    '4.15',
    'filter=anonymous',
    get('/page/Beech/history?filter=anonymous'),
    { status: 200, body: has({ revisions: [has({ id: 9 })] }) },
  ],
  [
    '4.15',
    'filter=bot',
    get('/page/Beech/history?filter=bot'),
    { status: 200, body: has({ revisions: [has({ id: 10 })] }) },
  ],
  [
    '4.15',
    '200 with an empty array',
    get('/page/A%2Fb/history?filter=reverted'),
    { status: 200, body: has({ revisions: [] }) },
  ],
  ['4.15', '400 revision identifier not greater than 0', get('/page/Beech/history?older_than=0'), 400],
  ['4.15', '400 older_than and newer_than', get('/page/Beech/history?older_than=9&newer_than=1'), 400],
  ['4.15', '400 invalid parameter', get('/page/Beech/history?filter=nope'), 400],
  ['4.15', '404 title', get('/page/None/history'), 404],
  ['4.15', '404 revision', get('/page/Beech/history?older_than=9999'), 404],
  ...(['anonymous', 'bot', 'minor'] as const).map(
    type =>
      [
        '4.16',
        `Counts of ${type}`,
        get(`/page/Beech/history/counts/${type}`),
        { status: 200, body: { count: 1, limit: false } },
      ] as const,
  ),
  [
    '4.16',
    'Counts of reverts',
    get('/page/Beech/history/counts/reverted'),
    { status: 200, body: { count: 0, limit: false } },
  ],
  [
    '4.16',
    'Counts of editors',
    get('/page/Bare/history/counts/editors'),
    { status: 200, body: { count: 1, limit: false } },
  ],
  [
    '4.16',
    'from and to are not counted themselves',
    get('/page/Beech/history/counts/edits?from=1&to=10'),
    { status: 200, body: { count: 2, limit: false } },
  ],
  ['4.16', '400 for another type', get('/page/Beech/history/counts/nope'), 400],
  ['4.16', '400 for from without to', get('/page/Beech/history/counts/edits?from=1'), 400],
  ['4.16', '400 for from and to with another type', get('/page/Beech/history/counts/minor?from=1&to=10'), 400],
  ['4.16', '404 title', get('/page/None/history/counts/edits'), 404],
  ['4.16', '404 revision', get('/page/Beech/history/counts/edits?from=1&to=9999'), 404],
  [
    '4.17',
    'Get revision has html_url',
    get('/revision/9/bare'),
    {
      status: 200,
      body: {
        ...revisionFields,
        content_model: 'wikitext',
        license,
        html_url: expect.stringMatching(/\/revision\/9\/html$/),
      },
    },
  ],
  ['4.17', '404', get('/revision/9999/bare'), 404],
  [
    '4.18',
    'Get revision source has source',
    get('/revision/9'),
    { status: 200, body: has({ source: 'one\ntwo\nthree' }) },
  ],
  ['4.18', '404', get('/revision/9999'), 404],
  ['4.19', 'Get revision HTML', get('/revision/9/html'), { status: 200, headers: html }],
  ['4.19', '404', get('/revision/9999/html'), 404],
  [
    '4.20',
    'Get revision with HTML',
    get('/revision/9/with_html'),
    { status: 200, body: has({ html: expect.stringMatching(/three/) }) },
  ],
  ['4.20', '404', get('/revision/9999/with_html'), 404],
  [
    '4.21',
    '400 different pages',
    get('/revision/1/compare/3'),
    { status: 400, body: error('rest-compare-page-mismatch') },
  ],
  [
    '4.21',
    '403 not publicly accessible',
    async () => ask(`/v1/revision/${await hiddenRevision()}/compare/1`),
    { status: 403, body: error('rest-compare-inaccessible') },
  ],
  ['4.21', '404', get('/revision/1/compare/9999'), { status: 404, body: error('rest-compare-nonexistent') }],
  ['5.1', 'A bearer token is the author', write('PUT', '/page/By_token', { source: 'x', comment: '' }), 201],
  [
    '5.2',
    'A wrong token of a session is refused',
    withCookie('PUT', '/page/N', () => ({ source: 'x', comment: '', token: 'wrong' })),
    403,
  ],
  ['5.5', 'Reads need no authentication', get('/page/Beech'), 200],
  ['9.1', 'The version is in the path', () => ask('/v2/page/Beech'), 404],
]

/** The first revision of the page one of whose texts is hidden. */
async function hiddenRevision(): Promise<number> {
  const { body } = await ask('/v1/page/Secret/history')
  return body.revisions.at(-1).id
}

describe("MediaWiki's REST API reference", () => {
  test.each(rows)('%s: %s', async (_number, _sentence, request, expected) => {
    const { status, headers, body } = await request()
    const wanted = typeof expected === 'number' ? { status: expected } : expected
    const seen: Record<string, unknown> = { status }
    if ('body' in wanted) seen.body = body
    if (wanted.headers !== undefined)
      seen.headers = Object.fromEntries(Object.keys(wanted.headers).map(name => [name, headers.get(name)]))
    expect(seen).toEqual(wanted)
  })

  test('each endpoint has a row', () => {
    const numbers = new Set(rows.map(([number]) => number))
    for (let endpoint = 1; endpoint <= 21; endpoint++) expect([...numbers]).toContain(`4.${endpoint}`)
  })
})
