/**
 * Examples of the OpenAPI document: requests to the running app over a small wiki, and its responses. After a change of
 * responses `npx vitest run test/rest/examples.test.ts -u` updates them.
 */

import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { WikiError } from '../../src/core/errors.ts'
import { createToken } from '../../src/operations/tokens.ts'
import type { Wiki } from '../../src/operations/wiki.ts'
import { createApp } from '../../src/rest/app.ts'
import { errorResponse } from '../../src/rest/errors.ts'
import { ada, bob, commitFiles, create, edit, newWiki } from '../operations/_wiki.ts'
import { answerCheck, type OpenApiDocument, operationOf } from './_openapi.ts'

interface Asked {
  readonly method: string
  readonly target: string
  /** Text is sent unchanged, everything else as JSON. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

type Headers = Readonly<Record<string, string>>

const get = (target: string, headers: Headers = {}): Asked => ({ method: 'GET', target, headers })
const send = (method: string, target: string, body?: unknown, headers: Headers = {}): Asked => ({
  ...{ method, target, body, headers },
})
const post = (target: string, body: unknown, headers: Headers = {}): Asked => send('POST', target, body, headers)

const newPage = { title: 'New', source: 'x', comment: null }

/** One after another, a second apart. The first of several responses of one kind is the example. */
const requests: readonly Asked[] = [
  get('/v1/search/page?q=crane'),
  get('/v1/search/title?q=pi'),
  get('/v1/search'),
  get('/v1/search?ctype=application/xml'),
  get('/v1/page/Pier'),
  get('/v1/page/pier'),
  ...['bare', 'with_html', 'html', 'lint', 'links/language', 'links/media', 'history', 'authorship'].flatMap(part => [
    get(`/v1/page/Pier/${part}`),
    get(`/v1/page/pier/${part}`),
    get(`/v1/page/Jetty/${part}`),
  ]),
  get('/v1/page/Pier/history/counts/edits'),
  get('/v1/page/pier/history/counts/edits'),
  get('/v1/page/Crane/links/here'),
  get('/v1/page/Pier/links/out'),
  get('/v1/category/Harbour'),
  get('/v1/lists/wanted'),
  get('/v1/pages?limit=2'),
  get('/v1/files'),
  get('/v1/changes?limit=2'),
  ...['atom', 'rss', 'json'].flatMap(format => [
    get(`/v1/feed?format=${format}&title=Pier`),
    get(`/w/api.php?action=feedrecentchanges&target=Pier&feedformat=${format}`),
  ]),
  ...['', '/bare', '/html', '/with_html', '/lint'].map(part => get(`/v1/revision/2${part}`)),
  get('/v1/revision/2/compare/3'),
  get('/v1/file/Chart.png'),
  get('/v1/specs/v0/discovery'),
  get('/wiki/Pier'),
  get('/'),
  get('/rest.php'),
  get('/style.css'),
  ...['', '/Pier', '/Pier/2'].flatMap(place => [
    post(`/v1/transform/wikitext/to/html${place}?body_only=true`, { wikitext: "The '''pier'''." }),
    post(`/v1/transform/html/to/wikitext${place}`, { html: '<p>The <b>pier</b>.</p>' }),
    post(`/v1/transform/wikitext/to/lint${place}`, { wikitext: '<b>pier' }),
  ]),
  post('/v1/compare', { from: { id: 2 }, to: { text: 'Sixty metres.' } }),
  post('/v1/merge', { base: { text: 'a b c d e' }, mine: { text: 'A b c d e' }, theirs: { text: 'a b c d E' } }),
  post('/v1/page', { title: 'Quay', source: 'Of stone.', comment: 'A first text' }),
  send('PUT', '/v1/page/Quay', { source: 'Of stone and oak.', comment: null, latest: { id: 7 } }),
  send('PUT', '/v1/page/Slip', { source: 'For small boats.', comment: null }),
  post('/v1/page/Quay/undo', { revision: 8 }),
  post('/v1/page/Quay/move', { to: 'North quay', updateLinks: true, dryRun: true }),
  post('/v1/page/Quay/move', { to: 'North quay', updateLinks: true }),
  send('DELETE', '/v1/page/Slip', { latest: { id: 9 } }),
  post('/v1/page/Slip/restore', { dryRun: true }),
  post('/v1/page/Slip/restore', {}),
  send('PUT', '/v1/file/Depths.txt?comment=Soundings', 'Four metres\n', { 'content-type': 'text/plain' }),
  send('DELETE', '/v1/file/Depths.txt', {}),
  post('/v1/session', { token: 'wiki_0123456789abcdef0123456789abcdef' }),
  get('/v1/session'),
  // Errors.
  get('/v1/page/Nowhere'),
  get('/v1/page/'),
  get('/v1/page/%3Ca%3E'),
  get('/v1/revision/999'),
  get('/v1/revision/x'),
  get('/v1/search/page?q=x&limit=0'),
  get('/v1/page/Pier/html?flavor=odd'),
  get('/v1/page/Pier/html?redirect=maybe'),
  get('/v1/page/Pier/history?older_than=0'),
  get('/v1/page/Pier/history?older_than=1&newer_than=1'),
  get('/v1/page/Pier/history?older_than=1'),
  get('/v1/page/Pier/history/counts/minor?from=2&to=3'),
  get('/v1/revision/2/compare/4'),
  get('/v1/revision/2/compare/999'),
  get('/v1/file/Pier'),
  get('/v1/page/Pier', { host: 'elsewhere.example' }),
  get('/v1/page/Pier', { host: 'a/b' }),
  post('/v1/page', { ...newPage, title: 'Pier' }),
  post('/v1/page', { titel: 'New', source: 'x', comment: null }),
  post('/v1/page', { title: 'New', source: 'x' }),
  post('/v1/page', { ...newPage, title: '<a>' }),
  post('/v1/page', { ...newPage, title: 'Special:New' }),
  post('/v1/page', { ...newPage, content_model: 'odd' }),
  post('/v1/page', { ...newPage, content_model: 'unknown' }),
  post('/v1/page', { ...newPage, title: 'User:Ada/x.json', source: '[' }),
  post('/v1/page', newPage, { authorization: '' }),
  post('/v1/page', newPage, { authorization: 'Bearer none' }),
  post('/v1/page', { ...newPage, bot: true }),
  post('/v1/page', 'x', { 'content-type': 'text/plain' }),
  post('/v1/page', '{', { 'content-type': 'application/json' }),
  send('POST', '/v1/page', undefined, { 'content-type': 'application/json' }),
  post('/v1/page', 'x'.repeat(14_000_000), { 'content-type': 'application/json' }),
  post('/v1/page', 'x', { 'content-type': 'application/json', 'content-encoding': 'zstd' }),
  get('/v1/search/page?q=tides&limt=5'),
  send('PUT', '/v1/page/Pier', { source: 'x', comment: null }),
  send('PUT', '/v1/page/Pier', { source: 'Another text.', comment: null, latest: { id: 2 } }),
  send('PUT', '/v1/page/Nowhere', { source: 'x', comment: null, latest: { id: 2 } }),
  send('PUT', '/v1/page/Pier', { source: 'Another length.', comment: null, latest: { id: 3 } }),
  post('/v1/page/Pier/undo', { revision: 3 }),
  post('/v1/page/Crane/undo', { revision: 4 }),
  post('/v1/page/Pier/undo', { revision: 2 }),
  send('PUT', '/v1/file/Depths.exe', 'x', { 'content-type': 'text/plain' }),
  post('/v1/transform/wikitext/to/html', {}),
  post('/v1/transform/html/to/wikitext', {}),
  post(
    '/v1/transform/html/to/wikitext',
    { html: 'x' },
    { 'if-match': '"2/00000000-0000-1000-8000-000000000000/view/html"' },
  ),
  post('/v1/transform/html/to/wikitext', { html: 'x', original: { etag: 'odd' } }),
  post('/v1/transform/wikitext/to/html/Pier/999', { wikitext: 'x' }),
  post('/v1/transform/wikitext/to/html', { wikitext: 'x' }, { accept: 'image/png' }),
]

/** Errors that need a large wiki, a slow one or many clients, in the form in which the app would write them. */
const rare = [
  new WikiError('wiki-search-building', { params: [120] }),
  new WikiError('rest-pagehistorycount-too-many-revisions'),
  new WikiError('apierror-ratelimited'),
  new WikiError('wiki-work-limit', { params: ['comparison', 'it took longer than 10 seconds'] }),
  new WikiError('rest-resource-limit-exceeded', { params: ['history', 67_108_864] }),
  new WikiError('wiki-repository-busy', { params: ['merge'] }),
]

/** Responses without an example, and the reasons. */
const without: Readonly<Record<string, string>> = {
  'describe 200': 'the document would be its own example',
  'getContentSpecification 200': 'the document would be its own example',
  'getOpenApi 200': 'the document would be its own example',
  'readFileBytes 200': 'bytes',
  'readFileBytes 206': 'bytes',
  'readFileThumbnail 200': 'bytes',
  'readFileThumbnail 206': 'bytes',
  'enter 308': 'an address below those of MediaWiki has it, which the document does not name',
  'leadToPage 200': 'a page for browsers, which this app does not have',
  'leadToPage 400 text': 'a page for browsers',
  'leadToPage 403 text': 'a page for browsers',
  'leadToPage 404 text': 'a page for browsers',
}

interface Recorded extends Asked {
  readonly status: number
  readonly type: string
  readonly text: string
}

let document: OpenApiDocument
const recorded: Recorded[] = []

beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-02T10:00:00Z') })
  const wiki = await harbour()
  const { token } = await createToken(wiki, { name: ada.name, address: ada.address })
  const app = createApp(wiki, { allowedHosts: ['wiki.example.org'] })
  document = (await (await app.request('http://wiki.example.org/openapi.json')).json()) as OpenApiDocument
  for (const asked of requests) {
    tick()
    const response = await app.request(`http://wiki.example.org${asked.target}`, initOf(asked, token))
    const type = (response.headers.get('content-type') ?? '').split(';')[0]!
    recorded.push({ ...asked, status: response.status, type, text: withoutSecrets(await response.text()) })
  }
})

afterAll(() => {
  vi.useRealTimers()
})

/**
 * A PNG of 64 by 48. Its bytes are written here, because another version of the compressor would write others, and the commits
 * would have other ids.
 */
const chart =
  'iVBORw0KGgoAAAANSUhEUgAAAEAAAAAwCAIAAAAuKetIAAAAQElEQVR42u3PMQ0AAAwDoKqtfwm1sHcJOCB9LgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICVwOaCVjTrkoGnQAAAABJRU5ErkJggg=='

/** A wiki in which each commit has its own second. */
async function harbour(): Promise<Wiki> {
  const languages = { de: 'https://de.example/wiki/$1' }
  const license = { title: 'CC BY 4.0', url: 'https://creativecommons.org/licenses/by/4.0/' }
  const { wiki } = await newWiki({}, { name: 'Harbour', languages, license })
  const steps = [
    () => commitFiles(wiki, { 'Main_Page.wiki': 'Welcome to the [[Pier]].\n' }),
    () => create(wiki, 'Pier', '== Length ==\nForty metres.\n\n[[Category:Harbour]]', { comment: 'A first text' }),
    () =>
      edit(
        wiki,
        'Pier',
        '== Length ==\nFifty metres, see [[Crane]].\n\n[[File:Chart.png|thumb|A chart]] <b>Deep\n\n[[de:Mole]]\n[[Category:Harbour]]',
        { author: bob, comment: 'Measured', minor: true },
      ),
    () => create(wiki, 'Crane', 'Lifts boats beside the [[Pier]].', { author: { name: '203.0.113.5', address: '' } }),
    () => create(wiki, 'Jetty', '#REDIRECT [[Pier]]', { comment: null }),
    () => create(wiki, 'Tides', 'Twice a day, see [[Tide table]].', { comment: null }),
    () =>
      wiki.store.commit(() => ({
        changes: [{ path: 'File/Chart.png', content: Buffer.from(chart, 'base64') }],
        ...{ author: ada, comment: 'A chart', subject: 'Add a chart' },
      })),
  ]
  for (const step of steps) {
    tick()
    await step()
  }
  return wiki
}

function tick(): void {
  vi.setSystemTime(Date.now() + 1000)
}

function initOf({ method, body, headers }: Asked, token: string): RequestInit {
  const isText = typeof body === 'string'
  const text = isText ? body : JSON.stringify(body)
  return {
    method,
    ...(body !== undefined && { body: text.replace(/wiki_0123\w+/, token) }),
    headers: {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && !isText && { 'content-type': 'application/json' }),
      ...headers,
    },
  }
}

/** Secrets are random, so examples contain placeholders of the same form. */
function withoutSecrets(text: string): string {
  return text.replace(/("(?:csrf_?)?token":")[^"]+/gi, '$10123456789abcdef0123456789abcdef01234567')
}

function parsed({ type, text }: Recorded): unknown {
  return /json$/.test(type) ? JSON.parse(text) : text
}

/** The first of each kind. */
function kept() {
  const [requests, responses, errors]: Record<string, unknown>[] = [{}, {}, {}]
  for (const one of recorded) {
    const operation = operationOf(document.paths, one)
    const name = operation?.operationId
    if (one.status >= 400) {
      const { errorKey } = JSON.parse(one.text || '{}') as { errorKey?: string }
      if (errorKey !== undefined) errors![errorKey] ??= parsed(one)
      continue
    }
    if (name === undefined || one.text === '') continue
    if (one.body !== undefined && typeof one.body !== 'string') requests![name] ??= one.body
    const byStatus = (responses![name] ?? {}) as Record<string, Record<string, unknown>>
    const { [one.status]: byType = {} } = byStatus
    byType[one.type] ??= parsed(one)
    responses![name] = { ...byStatus, [one.status]: byType }
  }
  for (const error of rare) errors![error.code] ??= JSON.parse(String(errorResponse(error).body))
  return { requests: requests!, responses: responses!, errors: errors! }
}

test('the examples in the source match the responses of the app', async () => {
  const lines = Object.entries(kept()).map(([name, members]) => {
    const rows = Object.entries(members).map(([key, value]) => `    ${JSON.stringify(key)}: ${JSON.stringify(value)},`)
    return `  ${name}: {\n${rows.join('\n')}\n  },`
  })
  const source = `/** Requests and responses of the running app: made by \`npx vitest run test/rest/examples.test.ts -u\`, and not edited. */

import type { RecordedExamples } from './describe.ts'

export const examples: RecordedExamples = {
${lines.join('\n')}
}
`
  await expect(source).toMatchFileSnapshot('../../src/rest/openapi/examples.ts')
})

test('every response with a body has an example, and each error its own', () => {
  const bare: string[] = []
  for (const operation of Object.values(document.paths).flatMap(item => Object.values(item))) {
    if (operation.operationId === undefined) continue
    for (const [status, { content = {} }] of Object.entries(operation.responses)) {
      if (status === 'default') continue
      for (const [type, media] of Object.entries(content))
        if (media.example === undefined && media.examples === undefined)
          bare.push(`${operation.operationId} ${status}${type === '*/*' ? '' : ` ${type}`}`)
    }
  }
  expect(bare.filter(name => !Object.keys(without).some(known => name.startsWith(known)))).toEqual([])
})

test('every example is valid under its schema', { tags: 'long' }, () => {
  const check = answerCheck(document)
  const ajv = new Ajv2020({ strict: false })
  addFormats.default(ajv)
  for (const one of recorded)
    expect([one.target, one.status, check({ ...one, body: one.text })]).toEqual([one.target, one.status, null])
  for (const operation of Object.values(document.paths).flatMap(item => Object.values(item))) {
    const json = operation.requestBody?.content['application/json']
    if (json?.example === undefined) continue
    const schema = { ...json.schema, components: document.components }
    expect([operation.operationId, ajv.validate(schema, json.example), ajv.errorsText()]).toEqual([
      operation.operationId,
      true,
      'No errors',
    ])
  }
})
