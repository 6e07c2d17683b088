/**
 * The reasons that excuse differences from recorded responses, with exchanges of our own: each reason accepts the response that is due,
 * and nothing else.
 */

import { describe, expect, test } from 'vitest'
import { falseElements, withBothOffsets } from './conformance/_diff-elements.ts'

// biome-ignore lint/suspicious/noExplicitAny: responses are JSON of any shape.
type Json = any

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Json
}

interface Case {
  /** As the recording has it. */
  readonly recorded: Answer
  /** The right response. */
  readonly right: Answer
  readonly request: Readonly<{ method?: string; path: string; headers?: object; body?: Json }>
  readonly user?: string
  readonly context?: object
  /** Wrong responses that the reason leaves to our engine. */
  readonly free?: RegExp
  /** More wrong responses. */
  readonly wrong?: readonly Answer[]
}

const load = async (path: string): Promise<Json> => import(new URL(path, import.meta.url).href)
const { explain, reasonNames } = await load('./conformance/rest/reasons.mjs')
const { differences } = await load('./conformance/rest/compare.mjs')

const common = { vary: 'x-restbase-compat', 'x-content-type-options': 'nosniff' }
const json = { 'content-type': 'application/json' }
const read = { ...json, 'cache-control': 'no-cache', ...common }
const ok = (body: Json, headers: object = read): Answer => ({ status: 200, headers: { ...headers }, body })
const words = { 400: 'Bad Request', 401: 'Unauthorized', 403: 'Forbidden', 404: 'Not Found', 405: 'Method Not Allowed' }
const error = (
  status: number,
  errorKey: string | null,
  data: object = {},
  headers: object = { ...json, ...common },
) => ({
  status,
  headers: { ...headers } as Record<string, string>,
  body: {
    ...data,
    ...(errorKey !== null && { errorKey }),
    messageTranslations: ['en'],
    httpCode: status,
    httpReason: words[status as keyof typeof words] ?? 'Internal Server Error',
  },
})
const unkept = { ...json, 'cache-control': 'no-store', ...common }
const missing = (name: string) => ({
  error: 'parameter-validation-failed',
  name,
  value: null,
  failureCode: 'missingparam',
  failureData: null,
})

const license = { url: 'https://wiki.example/license', title: 'A licence' }
const revision = (id: number, text: string, more: object = {}) => ({
  id,
  text,
  user: 'Ada',
  time: '2026-01-02T03:04:05Z',
  minor: false,
  comment: '',
  model: 'wikitext',
  hidden: [],
  ...more,
})
const dump = {
  pages: [
    {
      key: 'Tide',
      revisions: [revision(1, 'A tide of the sea is a rise.\nMore about tides.'), revision(2, 'The tide rises')],
    },
    { key: 'Tide_table', revisions: [revision(3, 'Numbers of a tide')] },
    { key: 'Tidal_wave', revisions: [revision(4, 'Nothing of the kind')] },
    { key: 'Ebb', revisions: [revision(5, '#REDIRECT [[Tide]]')] },
    { key: 'TIDE_X', revisions: [revision(6, '[[File:A.png|thumb]]')] },
    { key: 'Minor', revisions: [revision(7, 'a', { minor: true }), revision(8, 'ab')] },
    {
      key: 'Secret',
      revisions: [
        revision(10, 'four', { hidden: ['text'] }),
        revision(11, 'sixty', { hidden: ['comment', 'contributor'] }),
        revision(12, 'seventy'),
      ],
    },
  ],
}
const sources: Record<number, string> = {
  1: 'one\ntwo',
  2: 'one\n2',
  21: 'one\ntwo',
  3: 'The paragraph that stays.',
  4: 'x\nThe paragraph that stayed.',
}
const bearer = { Authorization: 'Bearer unknown' }
const file = (title: string, original: object) => ({
  title,
  file_description_url: `http://WIKI/wiki/File:${title}`,
  latest: { timestamp: '2026-01-02T03:04:05Z', user: { id: 'user Ada', name: 'Ada' } },
  ...original,
})
const format = (mediatype: string, url: string, more: object = {}) => ({
  mediatype,
  size: 100,
  width: 40,
  height: 30,
  duration: null,
  url,
  ...more,
})
const sound = format('AUDIO', 'file Tone.ogg', { width: null, height: null, duration: 0 })
const result = (key: string, more: object = {}) => ({
  id: `page ${key}`,
  key,
  title: key.replaceAll('_', ' '),
  excerpt: '',
  matched_title: null,
  description: null,
  thumbnail: null,
  ...more,
})
const mark = (text: string) => text.replace(/\[(.*?)\]/g, '<span class="searchmatch">$1</span>')
const html = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache', ...common }
const moved = (path: string) => ({
  status: 307,
  headers: { ...html, location: path },
  body: `<a href="${path}">${path}</a>`,
})
const conflict = (texts: { from: string; to: string }) => [
  { type: 0, lineNumber: 1, text: 'one', offset: { from: 0, to: 0 } },
  { type: 1, lineNumber: 2, text: texts.to.slice(4), offset: { from: null, to: 4 } },
  { type: 2, text: texts.from.slice(4), offset: { from: 4, to: null } },
]
const searched = { ...read, etag: 'of its bytes' }
const untagged = { ...json, 'cache-control': 'no-cache', ...common }

const cases: Record<string, Case> = {
  'the web server answered before the service': {
    recorded: { status: 400, headers: {}, body: '<center>nginx</center>' },
    right: error(404, 'rest-nonexistent-title'),
    request: { path: '/rest.php/v1/page/a%zz' },
    free: /^(?!status (?:200|500))/,
  },
  "bytes beyond ASCII on the request line: Node's parser": {
    recorded: error(404, 'rest-nonexistent-title'),
    right: { status: 400, headers: {}, body: '' },
    request: { path: '/rest.php/v1/page/Ã' },
    free: /^(?!status)/,
  },
  'rights, protection and blocks: no wiki of ours has them': {
    recorded: error(403, 'protectedpagetext'),
    right: ok(
      {
        id: 'page Locked',
        title: 'Locked',
        key: 'Locked',
        latest: { id: 'new', timestamp: 'now' },
        license,
        content_model: 'text',
        source: 'new text',
      },
      { ...json, 'cache-control': 'private,must-revalidate,s-maxage=0', ...common },
    ),
    request: { method: 'PUT', path: '/rest.php/v1/page/Locked', body: { source: 'new text\n', latest: { id: 1 } } },
    context: { page: { key: 'Locked', model: 'text', latest: 1, source: 'x' } },
  },
  'a system message of MediaWiki': {
    recorded: ok('<p>Main Page</p>', { ...html, etag: '"message/0/html"' }),
    right: error(404, 'rest-nonexistent-title', {}, unkept),
    request: { path: '/rest.php/v1/page/MediaWiki%3AMainpage/html' },
    context: { raw: { ETag: '"message/0/html"' } },
  },
  'language variants': {
    recorded: ok('<p>x</p>', {
      ...html,
      vary: 'Accept-Language, x-restbase-compat',
      etag: '"5/UUID/view/html+lang:de"',
    }),
    right: ok('<p>x</p>', { ...html, etag: '"5/UUID/view/html"' }),
    request: { path: '/rest.php/v1/page/X/html', headers: { 'Accept-Language': 'de' } },
  },
  'rights to see what is hidden': {
    recorded: ok({ from: { id: 10, sections: [] }, to: { id: 12, sections: [] }, diff: [] }),
    right: error(403, 'rest-compare-inaccessible', {}, unkept),
    request: { path: '/rest.php/v1/revision/10/compare/12' },
    user: 'Oversight',
  },
  'an export has no hidden texts': {
    recorded: ok({ id: 11, size: 5, user: { id: 'user Ada', name: 'Ada' }, comment: 'x', delta: 1 }),
    right: ok({ id: 11, size: 5, user: null, comment: null, delta: 5 }),
    request: { path: '/rest.php/v1/revision/11' },
    user: 'Oversight',
  },
  'the content model of a page does not change': {
    recorded: ok({ id: 'page X', key: 'X', content_model: 'json', source: '{}' }),
    right: ok({ id: 'page X', key: 'X', content_model: 'wikitext', source: '{}' }),
    request: { path: '/rest.php/v1/page/X' },
    context: { page: { key: 'X', model: 'wikitext', latest: 1, source: '{}' } },
  },
  'references as the newest Cite writes them (newer)': {
    recorded: ok(
      '<a href="./X#cite_note-1" style="counter-reset: mw-Ref 1;"><span class="mw-reflink-text">[1]</span></a>' +
        '<ol class="mw-references references"><li about="#cite_note-1" id="cite_note-1"><span class="mw-linkback-text">↑ </span>a</li></ol>',
      html,
    ),
    right: ok(
      '<a href="./X#cite_note-1"><span class="mw-reflink-text"><span class="cite-bracket">[</span>1<span class="cite-bracket">]</span></span></a>' +
        '<ol class="mw-references references">\n<li about="#cite_note-1" data-mw-footnote-number="1" id="cite_note-1"><span class="mw-linkback-text">↑</span>a</li></ol>',
      html,
    ),
    request: { path: '/rest.php/v1/page/X/html' },
  },
  'every error has a key and sentences': {
    recorded: error(400, null, { message: 'Bad title: Special:X' }),
    right: error(400, 'apierror-pagecannotexist', { actionModuleErrorCode: 'pagecannotexist' }),
    request: { method: 'POST', path: '/rest.php/v1/transform/wikitext/to/html/Special%3AX' },
  },
  'revisions of a history carry their page': {
    recorded: ok({ revisions: [{ id: 2 }, { id: 1 }], latest: 'http://WIKI/x' }),
    right: ok({
      revisions: [2, 1].map(id => ({ id, page: { id: 'page Tide_table', key: 'Tide_table', title: 'Tide table' } })),
      latest: 'http://WIKI/x',
    }),
    request: { path: '/rest.php/v1/page/Tide_table/history' },
  },
  'a write does not cut a fragment off its title (docs/reference/rest-api.md)': {
    recorded: { ...ok({ id: 'page X' }), status: 201 },
    right: error(400, 'apierror-invalidtitle', { actionModuleErrorCode: 'invalidtitle' }, unkept),
    request: { method: 'POST', path: '/rest.php/v1/page', body: { title: 'X#y', source: '' } },
  },
  'a title that is none is 404': {
    recorded: error(403, 'rest-permission-denied-title', {}, unkept),
    right: error(404, 'rest-invalid-title', {}, unkept),
    request: { path: '/rest.php/v1/page/a%3Cb/html' },
  },
  'redirect is a boolean': {
    recorded: error(400, 'badvalue', { name: 'redirect', value: 'false', failureCode: 'badvalue' }, unkept),
    right: ok({ id: 'page Ebb', redirect_target: '/rest.php/v1/page/Tide?redirect=false' }),
    request: { path: '/rest.php/v1/page/Ebb?redirect=false' },
    context: {
      recordedAs: ({ path }: { path: string }) =>
        path.endsWith('?redirect=no')
          ? ok({ id: 'page Ebb', redirect_target: '/rest.php/v1/page/Tide?redirect=no' })
          : undefined,
    },
  },
  'one hop for wiki redirects (newer)': {
    recorded: moved('/rest.php/v1/page/Tide/html'),
    right: moved('/rest.php/v1/page/Tide/html?redirect=no'),
    request: { path: '/rest.php/v1/page/Ebb/html' },
  },
  "MediaWiki's redirect to {type} (marked as a bug)": {
    recorded: { ...moved('/rest.php/v1/page/Tide/history/counts/{type}'), status: 301 },
    right: { ...moved('/rest.php/v1/page/Tide/history/counts/edits'), status: 301 },
    request: { path: '/rest.php/v1/page/tide/history/counts/edits' },
  },
  '500 only above 2,000 minor edits': {
    recorded: error(500, 'rest-pagehistorycount-too-many-revisions', {}, unkept),
    right: ok({ count: 1, limit: false }, { ...read, etag: '"12"', 'last-modified': 'Fri, 02 Jan 2026 03:04:05 GMT' }),
    request: { path: '/rest.php/v1/page/Minor/history/counts/minor' },
  },
  'an internal error of MediaWiki (marked as a bug): a revision of another page is 404': {
    recorded: error(500, null, { message: 'Error' }, unkept),
    right: error(404, 'rest-nonexistent-title-revision', {}, unkept),
    request: { path: '/rest.php/v1/page/Tide/history/counts/edits?from=1&to=3' },
  },
  'an internal error of MediaWiki (marked as a bug): a transform under an impossible title is 400': {
    recorded: error(500, null, { message: 'Error' }),
    right: error(400, 'apierror-invalidtitle', { actionModuleErrorCode: 'invalidtitle' }),
    request: { method: 'POST', path: '/rest.php/v1/transform/wikitext/to/lint/a%3Cb' },
  },
  'section levels 1 to 4': {
    recorded: ok(
      { from: { id: 1, sections: [{ level: 2 }, { level: 5 }] }, to: { id: 2, sections: [{ level: 6 }] }, diff: [] },
      untagged,
    ),
    right: ok({ from: { id: 1, sections: [{ level: 2 }] }, to: { id: 2, sections: [] }, diff: [] }, searched),
    request: { path: '/rest.php/v1/revision/1/compare/2' },
  },
  'a changed line has both offsets': {
    recorded: ok(comparisonOf({ from: 0, to: null }), untagged),
    right: ok(comparisonOf({ from: 0, to: 2 }), searched),
    request: { path: '/rest.php/v1/revision/3/compare/4' },
    wrong: [ok(comparisonOf({ from: 0, to: 0 }), searched), ok(comparisonOf({ from: 0, to: null }), searched)],
  },
  'original in Get file only, thumbnail everywhere; previews are objects, durations are lengths, sizes those of the bytes':
    {
      recorded: ok({
        files: [
          file('Tone.ogg', { preferred: null, original: sound }),
          file('Drawing.svg', {
            preferred: format('DRAWING', 'thumbnail of Drawing.svg'),
            original: format('DRAWING', 'file Drawing.svg'),
          }),
          file('Small.png', {
            preferred: format('BITMAP', 'file Small.png'),
            original: format('BITMAP', 'file Small.png'),
          }),
        ],
      }),
      right: ok({
        files: [
          file('Tone.ogg', { preferred: { ...sound, duration: 2 }, thumbnail: { ...sound, duration: 2 } }),
          file('Drawing.svg', {
            preferred: format('DRAWING', 'thumbnail of Drawing.svg', { size: null }),
            thumbnail: format('DRAWING', 'thumbnail of Drawing.svg', { size: null }),
          }),
          file('Small.png', {
            preferred: format('BITMAP', 'file Small.png'),
            thumbnail: format('BITMAP', 'file Small.png'),
          }),
        ],
      }),
      request: { path: '/rest.php/v1/page/X/links/media' },
    },
  'html_url is the address that answers 200': {
    recorded: ok({ key: 'Tide_table', html_url: 'http://WIKI/rest.php/v1/page/Tide%20table/html' }),
    right: ok({ key: 'Tide_table', html_url: 'http://WIKI/rest.php/v1/page/Tide_table/html' }),
    request: { path: '/rest.php/v1/page/Tide_table/bare' },
  },
  'a missing token of a cookie session is 400': {
    recorded: error(403, 'rest-badtoken'),
    right: error(400, 'rest-body-validation-error', missing('token')),
    request: { method: 'POST', path: '/rest.php/v1/page', headers: { Cookie: 'x' }, body: { title: 'X', source: 'x' } },
    user: 'Ada',
  },
  'only cookie sessions need a token': {
    recorded: error(403, 'rest-badtoken'),
    right: {
      status: 201,
      headers: {
        ...json,
        'cache-control': 'private,must-revalidate,s-maxage=0',
        location: 'http://WIKI/rest.php/v1/page/New_page',
        ...common,
      },
      body: {
        id: 'page New_page',
        title: 'New page',
        key: 'New_page',
        latest: { id: 'new', timestamp: 'now' },
        license,
        content_model: 'wikitext',
        source: 'x',
      },
    },
    request: { method: 'POST', path: '/rest.php/v1/page', body: { title: 'New page', source: 'x', comment: 'c' } },
  },
  'a bearer token that is none is refused': {
    recorded: { ...ok({ id: 'page X' }, { ...json, ...common }), status: 201 },
    right: error(401, 'wiki-unknown-token'),
    request: { method: 'POST', path: '/rest.php/v1/page', headers: bearer, body: { title: 'X', source: 'x' } },
  },
  'a base that is no revision of the page is 404, not an edit conflict, which has differences': {
    recorded: error(409, 'edit-conflict'),
    right: error(404, 'rest-nonexistent-title-revision'),
    request: { method: 'PUT', path: '/rest.php/v1/page/Tide', body: { source: 'mine', latest: { id: 3 } } },
  },
  'an edit conflict tells both differences': {
    recorded: error(409, 'edit-conflict'),
    right: error(409, 'edit-conflict', {
      base: 21,
      current: 2,
      local: { diff: conflict({ from: 'one\ntwo', to: 'one\nmine' }) },
      remote: { diff: conflict({ from: 'one\ntwo', to: 'one\n2' }) },
    }),
    request: { method: 'PUT', path: '/rest.php/v1/page/X', body: { source: 'one\nmine\n', latest: { id: 21 } } },
    context: { page: { key: 'X', model: 'wikitext', latest: 2, source: 'one\n2' } },
  },
  "another content model than the page's is 400": {
    recorded: ok({ content_model: 'json' }, { ...json, ...common }),
    right: error(400, 'rest-bad-content-model'),
    request: {
      method: 'PUT',
      path: '/rest.php/v1/page/X',
      body: { source: '{}', content_model: 'json', latest: { id: 1 } },
    },
    context: { page: { key: 'X', model: 'wikitext', latest: 1, source: 'x' } },
  },
  'JSON is accepted as application/json (marked as a bug)': {
    recorded: error(406, 'rest-unsupported-target-format'),
    right: ok([{ type: 'obsolete-tag' }], { ...json, ...common }),
    request: {
      method: 'POST',
      path: '/rest.php/v1/transform/wikitext/to/lint/X',
      headers: { Accept: 'application/json' },
      body: { wikitext: '<center>x</center>' },
    },
    context: {
      recordedAs: ({ headers }: { headers: object }) =>
        'Accept' in headers ? undefined : ok([{ type: 'obsolete-tag' }], { ...json, ...common }),
    },
  },
  'a transform refuses what it would not read (docs/reference/rest-api.md)': {
    recorded: ok('<p>x</p>', { ...html, 'cache-control': 'private,no-cache,s-maxage=0' }),
    right: error(400, 'rest-extraneous-body-fields', {
      error: 'parameter-validation-failed',
      failureCode: 'extraneous-body-fields',
      name: 'wikitxt',
      failureData: ['wikitxt'],
    }),
    request: { method: 'POST', path: '/rest.php/v1/transform/wikitext/to/html/X', body: { wikitxt: 'x' } },
  },
  'the flavor fragment (marked as a bug)': {
    recorded: error(404, 'rest-specified-revision-unavailable', {}, unkept),
    right: ok('<p>a</p><h2>b</h2>', { ...html, etag: '"1/UUID/fragment/html"' }),
    request: { path: '/rest.php/v1/page/X/html?flavor=fragment' },
    context: {
      recordedAs: () =>
        ok('<title>X</title><section data-mw-section-id="0"><p>a</p></section><section><h2>b</h2></section>', {
          ...html,
          etag: '"1/UUID/view/html"',
        }),
    },
  },
  'the engine of searches (docs/reference/differences-from-mediawiki.md)': {
    recorded: ok(
      {
        pages: [
          result('Tide', { excerpt: mark('A [tide] of the sea'), matched_title: null }),
          result('Tide_table', { excerpt: null }),
          result('Elsewhere', { excerpt: 'not in the export' }),
        ],
      },
      untagged,
    ),
    right: ok(
      {
        pages: [
          result('Tide_table', { excerpt: mark('Numbers of a [tide]') }),
          result('Tide', { excerpt: mark('The [tide] rises') }),
        ],
      },
      searched,
    ),
    request: { path: '/rest.php/v1/search/page?q=tide' },
    // Text searches are in the engine's order, and cut their own excerpts.
    free: /^body\.pages reversed|excerpt changed/,
    wrong: [
      // Another page, a page of which no word is in the query, an excerpt of another page, without a mark, of another type.
      ...[
        [result('Tide', { excerpt: mark('The [tide] rises') })],
        [result('Tide_table', { excerpt: mark('a [tide]') }), result('Tidal_wave', { excerpt: 'Nothing' })],
        ...['Nothing of the kind', mark('the [wave] rises'), 'The tide rises', '<b>The</b> tide', '', null].map(
          excerpt => [result('Tide_table', { excerpt: mark('Numbers of a [tide]') }), result('Tide', { excerpt })],
        ),
        [...['Tide_table', 'Tide', 'Tidal_wave'].map(key => result(key, { excerpt: mark('Numbers of a [tide]') }))],
        [
          result('Tide_table', { excerpt: mark('Numbers of a [tide]') }),
          result('Tide', { excerpt: mark('The [tide] rises'), matched_title: 'Ebb' }),
        ],
        [
          result('Tide_table', { excerpt: mark('Numbers of a [tide]') }),
          result('Tide', { excerpt: mark('The [tide] rises'), thumbnail: { url: 'x' } }),
        ],
      ].map(pages => ok({ pages }, searched)),
    ],
  },
  'the description of the search names routes of the API': {
    recorded: ok(
      '<?xml version="1.0"?><OpenSearchDescription><ShortName>W</ShortName><Description>W</Description><Url/></OpenSearchDescription>',
      { ...common, 'content-type': 'application/opensearchdescription+xml', 'cache-control': 'no-cache' },
    ),
    right: ok(
      '<?xml version="1.0"?><OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/"><ShortName>W</ShortName><Description>W</Description>' +
        '<Url type="application/json" rel="results" template="http://WIKI/rest.php/v1/search/page?q={searchTerms}"/>' +
        '<Url type="application/json" rel="suggestions" template="http://WIKI/rest.php/v1/search/title?q={searchTerms}"/></OpenSearchDescription>',
      {
        ...common,
        'content-type': 'application/opensearchdescription+xml',
        'cache-control': 'no-cache',
        etag: 'of its bytes',
      },
    ),
    request: { path: '/rest.php/v1/search' },
  },
  'pages can be deleted (docs/reference/rest-api.md)': {
    recorded: error(405, null, {}, { ...json, allow: 'HEAD, GET, PUT', ...common }),
    right: error(400, 'rest-body-validation-error', missing('latest')),
    request: { method: 'DELETE', path: '/rest.php/v1/page/X' },
  },
  'OPTIONS tells Allow, and If-Match is spelt right (marked as a bug)': {
    recorded: {
      status: 204,
      headers: { ...common, 'access-control-allow-methods': 'POST', 'access-control-allow-headers': 'If-Mach, Accept' },
      body: '',
    },
    right: {
      status: 204,
      headers: {
        ...common,
        vary: 'Origin, x-restbase-compat',
        allow: 'POST',
        'access-control-allow-methods': 'POST',
        'access-control-allow-headers': 'If-Match, Accept',
      },
      body: '',
    },
    request: { method: 'OPTIONS', path: '/rest.php/v1/page', headers: { Origin: 'https://x.example' } },
  },
  'a count has the tag of its history (docs/reference/differences-from-mediawiki.md)': {
    recorded: ok({ count: 3 }, { ...read, 'last-modified': 'dated' }),
    right: ok({ count: 3 }, { ...read, etag: '"12"', 'last-modified': 'dated' }),
    request: { path: '/rest.php/v1/page/X/history/counts/edits' },
    wrong: [ok({ count: 3 }, { ...read, etag: '"12@TIME"', 'last-modified': 'dated' })],
  },
  'a date confirms only what the server has known since (docs/reference/differences-from-mediawiki.md)': {
    recorded: { status: 304, headers: { ...common, etag: '"12"', 'last-modified': 'dated' }, body: '' },
    right: ok({ id: 1 }, { ...read, etag: '"12"', 'last-modified': 'dated' }),
    request: { path: '/rest.php/v1/page/X', headers: { 'If-Modified-Since': 'Fri, 02 Jan 2026 03:04:05 GMT' } },
    context: {
      recordedAs: ({ headers }: { headers: object }) =>
        'If-Modified-Since' in headers ? undefined : ok({ id: 1 }, { ...read, etag: '"12"', 'last-modified': 'dated' }),
    },
  },
  'answers are compressed, and say so (docs/reference/rest-api.md)': {
    recorded: ok({ id: 1 }),
    right: ok({ id: 1 }, { ...read, vary: 'Accept-Encoding, x-restbase-compat' }),
    request: { path: '/rest.php/v1/page/X' },
  },
  'JSON is saved as it is sent (docs/reference/differences-from-mediawiki.md)': {
    recorded: { ...ok({ content_model: 'json', source: '{\n\t"a": 1\n}' }, { ...json, ...common }), status: 201 },
    right: { ...ok({ content_model: 'json', source: '{"a":1}' }, { ...json, ...common }), status: 201 },
    request: {
      method: 'POST',
      path: '/rest.php/v1/page',
      body: { title: 'X', source: '{"a":1}\n', content_model: 'json' },
    },
  },
  'scripts of foreign HTML are dropped, and signatures in it escaped (docs/reference/differences-from-mediawiki.md)': {
    recorded: ok('<script>x</script>\na <nowiki>[[b]]</nowiki> ~~~~', { ...json, ...common }),
    right: ok('a <nowiki>[[b]]</nowiki> <nowiki>~~~~</nowiki>', { ...json, ...common }),
    request: { method: 'POST', path: '/rest.php/v1/transform/html/to/wikitext/X' },
    wrong: [
      '<script>x</script>\na <nowiki>[[b]]</nowiki> <nowiki>~~~~</nowiki>',
      'a [[b]] <nowiki>~~~~</nowiki>',
      'a <nowiki>[[b]]</nowiki> ~~~~',
    ].map(body => ok(body, { ...json, ...common })),
  },
  'what MediaWiki sends without a tag has one of its bytes (docs/reference/differences-from-mediawiki.md)': {
    recorded: ok({ from: 1 }, untagged),
    right: ok({ from: 1 }, { ...searched, 'cache-control': 'private, no-cache' }),
    request: { path: '/rest.php/v1/revision/1/compare/1', headers: { Cookie: 'x' } },
  },
}

function comparisonOf(offset: object): Json {
  return {
    from: { id: 3, sections: [] },
    to: { id: 4, sections: [] },
    diff: [
      { type: 1, lineNumber: 1, text: 'x', offset: { from: null, to: 0 } },
      {
        type: 3,
        lineNumber: 2,
        text: 'The paragraph that staysstayed.',
        offset,
        highlightRanges: [
          { start: 19, length: 5, type: 1 },
          { start: 24, length: 6, type: 0 },
        ],
      },
    ],
  }
}

/** Everything that can be wrong about a response, one at a time, with a label. */
function* mutants({ status, headers, body }: Answer): Iterable<[label: string, Answer]> {
  for (const other of [200, 304, 404, 500])
    if (other !== status) yield [`status ${other}`, { status: other, headers, body }]
  for (const other of ['', null, {}, [], 'x', 5])
    if (JSON.stringify(other) !== JSON.stringify(body))
      yield [`body ${JSON.stringify(other)}`, { status, headers, body: other }]
  for (const [label, other] of changed(headers, 'headers')) yield [label, { status, headers: other, body }]
  for (const [label, other] of changed(body, 'body')) yield [label, { status, headers, body: other }]
}

function* changed(value: Json, path: string): Iterable<[label: string, Json]> {
  if (typeof value === 'string') yield [`${path} changed`, `${value}?`]
  if (typeof value === 'string') yield [`${path} number`, 7]
  if (typeof value === 'number')
    yield* [[`${path} changed`, value + 1] as [string, Json], [`${path} text`, String(value)] as [string, Json]]
  if (typeof value === 'boolean') yield [`${path} changed`, !value]
  if (value === null) yield [`${path} set`, 'x']
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    yield [`${path} one more`, [...value, value.at(-1) ?? {}]]
    for (const at of value.keys())
      yield [`${path} without ${at}`, value.filter((_: Json, index: number) => index !== at)]
    if (value.length > 1) yield [`${path} reversed`, value.toReversed()]
  } else {
    yield [`${path} one more`, { ...value, more: 1 }]
    for (const key of Object.keys(value)) yield [`${path}.${key} missing`, without(value, key)]
    if (path !== 'headers' && Object.keys(value).length > 1)
      yield [`${path} in another order`, Object.fromEntries(Object.entries(value).toReversed())]
  }
  for (const [key, member] of Object.entries(value))
    for (const [label, other] of changed(member, `${path}.${key}`))
      yield [label, Array.isArray(value) ? value.with(Number(key), other) : { ...value, [key]: other }]
}

function without(value: object, key: string): object {
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== key))
}

/** The differences that remain between a response of ours and what is due. */
function left(
  { recorded, request, user = 'anonymous', context = {} }: Case,
  ours: Answer,
): { found: string[]; rules: string[] } {
  const { raw = {}, ...more } = context as { raw?: object }
  const exchange = {
    as_user: user,
    request: { method: 'GET', headers: {}, body: null, ...request },
    mw143: { headers: raw, body: recorded.body },
  }
  const { expected, rules } = explain(recorded, {
    exchange,
    ours,
    dump,
    page: null,
    license,
    lengths: new Map([['Tone.ogg', 2]]),
    recordedAs: () => undefined,
    sourceOf: (id: number) => sources[id],
    revisionName: (id: number) => id,
    falseElements,
    withBothOffsets,
    ...more,
  })
  return { found: differences(expected, ours), rules }
}

test('each reason has a case', () => {
  expect(Object.keys(cases).sort()).toEqual([...reasonNames].sort())
})

describe.each(Object.entries(cases))('%s', (name, one) => {
  test('accepts the response that is due', () => {
    const { found, rules } = left(one, one.right)
    expect(found).toEqual([])
    expect(rules).toContain(name)
  })

  test('reports every other response', () => {
    const accepted = [...mutants(one.right)].filter(
      ([label, other]) => !one.free?.test(label) && left(one, other).found.length === 0,
    )
    expect(accepted.map(([label]) => label)).toEqual([])
    for (const other of one.wrong ?? []) expect(left(one, other).found, JSON.stringify(other.body)).not.toEqual([])
  })
})

describe('a title search', () => {
  const search: Case = {
    recorded: ok(
      { pages: [result('Tide', { excerpt: 'Tide' }), result('Tide_table', { excerpt: 'Tide table' })] },
      untagged,
    ),
    right: ok(
      { pages: ['Tide', 'Tide_table', 'TIDE_X'].map(key => result(key, { excerpt: key.replaceAll('_', ' ') })) },
      searched,
    ),
    request: { path: '/rest.php/v1/search/title?q=tide' },
  }

  test('gives the recorded titles in their order, then those in another case', () => {
    expect(left(search, search.right).found).toEqual([])
    const accepted = [...mutants(search.right)].filter(([, other]) => left(search, other).found.length === 0)
    // The titles in another case are an addition.
    expect(accepted.map(([label]) => label)).toEqual(['body.pages without 2'])
  })
})
