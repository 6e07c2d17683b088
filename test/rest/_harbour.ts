/** A small wiki, and requests to its API, one of them for each route and for each response that needs no large wiki. */

import { ada, bob, commitFiles, create, edit, newWiki, type TestWiki } from '../operations/_wiki.ts'

export interface Asked {
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

/** One after another, of every kind of response but the rare ones. */
export const requests: readonly Asked[] = [
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

/**
 * A PNG of 64 by 48. Its bytes are written here, because another version of the compressor would write others, and the commits
 * would have other ids.
 */
const chart =
  'iVBORw0KGgoAAAANSUhEUgAAAEAAAAAwCAIAAAAuKetIAAAAQElEQVR42u3PMQ0AAAwDoKqtfwm1sHcJOCB9LgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICVwOaCVjTrkoGnQAAAABJRU5ErkJggg=='

/** Makes the wiki for the requests, with a call of `tick` before each commit. */
export async function harbour(tick: () => void = () => {}): Promise<TestWiki> {
  const languages = { de: 'https://de.example/wiki/$1' }
  const license = { title: 'CC BY 4.0', url: 'https://creativecommons.org/licenses/by/4.0/' }
  const { wiki, directory } = await newWiki({}, { name: 'Harbour', languages, license })
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
  return { wiki, directory }
}

/** A request with the token of an author, which is also in place of that of an example. */
export function initOf({ method, body, headers }: Asked, token: string): RequestInit {
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
