/**
 * Sends random valid and invalid requests to a server.
 *
 *     node test/fuzz/rest.mjs [--requests 10000] [--seed <n>] [--wiki usual|other]
 *
 * Methods, paths, queries, headers, encodings and bodies are combined at random, from values that the API knows and from values
 * that commonly break servers, and are sent over sockets to a real wiki. Exit status 1 for an internal error (500), a response
 * that takes longer than ten seconds, one that the OpenAPI document does not allow, and a server that has ended.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import fc from 'fast-check'
import { send } from '../conformance/rest/client.mjs'
import { product } from '../conformance/rest/product.mjs'

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '10000' },
    seed: { type: 'string', default: String(Date.now() % 1e9) },
    wiki: { type: 'string', default: 'usual' },
  },
})
const [requests, seed] = [Number(values.requests), Number(values.seed)]
const slow = 10_000

const pick = (...parts) => fc.constantFrom(...parts)
const titles = [
  'Fuzz.txt',
  'Fuzz.png',
  'Main_Page',
  'main%20page',
  'Tides',
  'Old',
  'Tides.json',
  'File:Buoy.png',
  'Template:Box',
  'Missing',
]
const oddities = [
  ...[
    '',
    '.',
    '..',
    '%',
    '%2',
    '%zz',
    '%00',
    '%FF',
    '%2F',
    '%252F',
    '%ED%A0%80',
    '__proto__',
    'constructor',
    '{title}',
  ],
  ...[
    '\\',
    '+',
    '*',
    '-1',
    '0',
    '007',
    '1e9',
    'NaN',
    '9'.repeat(300),
    '%E2%80%AE',
    '%EF%BF%BD',
    'a'.repeat(3000),
    '\'"<>',
  ],
]
const anyText = fc.string({ unit: 'binary', maxLength: 30 }).map(text => encodeURIComponent(text.toWellFormed()))
const segment = fc.oneof(
  { weight: 4, arbitrary: pick(...titles) },
  { weight: 4, arbitrary: pick('Main_Page', 'Tides', 'Old') },
  { weight: 3, arbitrary: pick('1', '2', '3', '99') },
  { weight: 2, arbitrary: pick(...oddities) },
  { weight: 1, arbitrary: anyText },
)
const reads = [
  ...['', '/bare', '/html', '/with_html', '/lint', '/links/language', '/links/media', '/history'].map(
    end => `/page/@${end}`,
  ),
  ...['', '/bare', '/html', '/with_html', '/lint', '/compare/@'].map(end => `/revision/@${end}`),
  ...['edits', 'editors', 'minor', '@'].map(type => `/page/@/history/counts/${type}`),
  ...['/search', '/search/page', '/search/title', '/file/@', '/session', '/specs/v0/module/-', '/page/@/@/@'],
  ...['/page/@/links/here', '/page/@/links/out', '/page/@/authorship', '/category/@', '/lists/@', '/lists/wanted'],
  ...['/pages', '/files', '/changes', '/feed'],
]
const writes = [
  ...['/page', '/compare', '/merge', '/session', '/transform/@/to/@'],
  ...['move', 'restore', 'undo', 'undo'].map(action => `/page/@/${action}`),
  ...['html', 'lint', '@'].flatMap(to => ['', '/@', '/@/@'].map(end => `/transform/wikitext/to/${to}${end}`)),
  ...['', '/@', '/@/@'].map(end => `/transform/html/to/wikitext${end}`),
]
const asked = fc.oneof(
  { weight: 5, arbitrary: fc.tuple(pick('GET', 'GET', 'HEAD'), pick(...reads)) },
  { weight: 4, arbitrary: fc.tuple(pick('POST'), pick(...writes)) },
  { weight: 2, arbitrary: fc.tuple(pick('PUT'), pick('/page/@', '/page/@', '/file/@')) },
  { weight: 1, arbitrary: fc.tuple(pick('DELETE'), pick('/page/@', '/file/@', '/session')) },
  {
    weight: 1,
    arbitrary: fc.tuple(
      pick('GET', 'POST', 'PUT', 'OPTIONS', 'DELETE', 'PATCH', 'PROPFIND'),
      pick(...reads, ...writes, '', '/', '/@', '/@/@/@'),
    ),
  },
)
const mounts = fc.oneof(
  { weight: 6, arbitrary: pick('/v1', '/v1', '/rest.php/v1', '/w/rest.php/v1') },
  { weight: 1, arbitrary: pick('/rest.php', '/files', '/files/thumb', '/wiki', '') },
)
const target = fc
  .tuple(mounts, asked, fc.array(segment, { minLength: 3, maxLength: 3 }))
  .map(([mount, [method, route], parts]) => ({ method, path: mount + route.replace(/@/g, () => parts.pop() ?? '') }))
const names = 'q limit older_than newer_than filter from to redirect flavor stash body_only q[] q[ __proto__ x'.split(
  ' ',
)
const query = fc
  .array(fc.tuple(pick(...names, ''), fc.oneof(segment, pick('no', 'edit', 'minor', 'true', '50'))), { maxLength: 4 })
  .map(pairs => (pairs.length === 0 ? '' : `?${pairs.map(pair => pair.join('=')).join('&')}`))

const headerNames = [
  ...['If-Match', 'If-None-Match', 'If-Modified-Since', 'If-Unmodified-Since', 'Accept', 'Accept-Language', 'Range'],
  ...['Content-Type', 'User-Agent', 'Origin', 'Cookie', 'Authorization', 'X-Forwarded-For', 'Transfer-Encoding'],
]
const headerValues = [
  ...[
    '*',
    '"',
    'W/"x"',
    ',',
    'application/json',
    'text/html',
    'http://localhost',
    'null',
    'Sun, 99 Nov 9999 00:00:00 GMT',
  ],
  ...[
    'Bearer x',
    'bytes=0-',
    'bytes=-1',
    'bytes=9-1',
    'chunked',
    '100-continue',
    'a'.repeat(2000),
    ';;;,,,===',
    'q=0;profile="',
  ],
]
const printable = fc.string({ maxLength: 40 }).map(text => text.replace(/[^\x20-\x7e]/g, '?'))
const headers = fc.dictionary(pick(...headerNames), fc.oneof(pick(...headerValues), printable), {
  maxKeys: 4,
  noNullPrototype: true,
})

/** Pieces of valid and broken wikitext. */
const marks =
  "'' ''' ''''' == = * # : ; {{ }} {{{ }}} [[ ]] [ ] | || ! !! {| |} |- ---- <ref> </ref> <nowiki> </nowiki> <pre> <table> <td> </div> <div> " +
  '<!-- --> <gallery> <references/> {{Box|x}} {{#if:x|y}} {{Tides}} [[File:Buoy.png|thumb]] [[Category:X]] __TOC__ ~~~~ &amp; &#x0; http://x.y #REDIRECT'
const wikitext = fc
  .array(fc.oneof(pick(...marks.split(' '), ' ', '\n', '\n\n'), fc.string({ unit: 'binary', maxLength: 5 })), {
    maxLength: 60,
  })
  .map(parts => parts.join('').toWellFormed())
const fieldValues = fc.oneof(
  wikitext,
  pick(...titles, null, 5, true, [], {}, { id: 1 }, { id: 99 }, { text: 'a' }, { title: 'Tides' }),
  fc.jsonValue(),
)
const fields = (
  'source title comment content_model latest token wikitext html body_only from to base mine theirs by ' +
  'revision after redirect updateLinks dryRun minor bot __proto__ x'
).split(' ')
/** Input of an action on a page, valid more often than not, because otherwise no write would succeed. */
const action = fc.record(
  {
    revision: pick(1, 2, 3, 4, 9, null, 'x'),
    after: pick(1, 2, null),
    to: pick('Moved', 'Tides', 'File:Fuzz.png', '', 'A#b'),
    latest: pick({ id: 1 }, { id: 2 }, { id: 3 }, null, { id: 'x' }),
    dryRun: fc.boolean(),
    updateLinks: fc.boolean(),
    comment: pick(null, '', 'why'),
  },
  { requiredKeys: [] },
)
const body = fc.oneof(
  { weight: 3, arbitrary: action.map(value => JSON.stringify(value)) },
  {
    weight: 4,
    arbitrary: fc.dictionary(pick(...fields), fieldValues, { maxKeys: 6 }).map(value => JSON.stringify(value)),
  },
  {
    weight: 3,
    arbitrary: wikitext.map(text => JSON.stringify({ wikitext: text, source: text, title: 'Fuzz', comment: null })),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }).map(text => text.toWellFormed()) },
  { weight: 1, arbitrary: pick('[]', '{', '"', '['.repeat(20_000), '{"a":'.repeat(600), '', '\0', '1e999') },
)
const type = fc.oneof(
  { weight: 8, arbitrary: pick('application/json') },
  { weight: 1, arbitrary: pick('Application/JSON; charset=x', 'text/plain', 'application/x-www-form-urlencoded', ';') },
)
const request = fc
  .tuple(target, query, headers, fc.option(body, { freq: 6 }), type)
  .map(([{ method, path }, query, headers, body, type]) => {
    return { method, path: `${path}${query}`.replace(/[\0-\x20\x7f]/g, '%20') || '/', headers, body, type }
  })

/** Settings of the wikis, and whether they have a work tree. */
const kinds = {
  usual: { bare: false, settings: {} },
  other: {
    bare: true,
    settings: {
      ...{ language: 'zh', layout: 'sharded', root: 'text', capitalization: 'case-sensitive', merge: 'lines' },
      namespaces: { 100: { name: 'Port', aliases: ['P'], subpages: false } },
      interwiki: { w: 'https://en.wikipedia.org/wiki/$1' },
      languages: { de: 'https://de.example.org/wiki/$1' },
    },
  },
}
const { bare, settings } = kinds[values.wiki]
const directory = mkdtempSync(join(tmpdir(), 'gitwiki-fuzz-'))
product.initRepository(directory, { bare })
const wiki = await product.openWiki({ directory })
const author = { name: 'Ada', address: 'ada@example.org' }
const config = { path: 'wiki.json', content: Buffer.from(JSON.stringify(settings)) }
await wiki.store.commit(() => ({ changes: [config], author, comment: '', subject: 'Settings' }))
const pages = {
  'Main Page': 'Hello {{Box|1}} [[Tides]]',
  Tides: '== High ==\n{| \n| a\n|}\n<ref>x</ref>',
  Old: '#REDIRECT [[Tides]]',
  'User:Ada/x.json': '{"a":[1]}',
  'Template:Box': '<div>{{{1}}}</div>{{#if:{{{2|}}}|{{Box|2}}}}',
}
for (const [title, source] of Object.entries(pages))
  await product.createPage(wiki, { title, source, comment: null, author })
const faults = []
const log = entry => entry.event === 'error' && faults.push(entry.error)
const server = await product.serve(wiki, { port: 0, allowAnonymous: true, log })
const place = { host: '127.0.0.1', port: Number(new URL(server.url).port) }
const check = product.answerCheck((await send(place, { method: 'GET', path: '/specs/v0/module/-' })).body)

const statuses = {}
const findings = []
console.log(`${requests} requests, seed ${seed}, ${values.wiki} wiki`)
let slowest = 0
for (const asked of fc.sample(request, { numRuns: requests, seed })) {
  const hasBody = asked.body !== null && !['GET', 'HEAD'].includes(asked.method)
  const start = performance.now()
  const type = hasBody ? { 'Content-Type': asked.type } : {}
  // The server waits for a body that is announced and never arrives, as it should.
  if (!hasBody) delete asked.headers['Transfer-Encoding']
  const sent = { ...asked, headers: { ...asked.headers, ...type }, body: hasBody ? asked.body : null }
  const answer = await send(place, sent).catch(error => ({ status: 0, headers: {}, body: String(error) }))
  const took = performance.now() - start
  slowest = Math.max(slowest, took)
  statuses[answer.status] = (statuses[answer.status] ?? 0) + 1
  const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body)
  const told = {
    method: asked.method,
    target: asked.path,
    status: answer.status,
    type: answer.headers['content-type'] ?? null,
    body: text,
  }
  const isOurs = answer.headers['x-request-id'] !== undefined
  const fault =
    answer.status === 500 || answer.status === 0
      ? `status ${answer.status} ${faults.splice(0).join(' ').slice(0, 600)}`
      : took > slow
        ? `${Math.round(took)} ms`
        : isOurs
          ? check(told)
          : null
  if (fault) findings.push({ fault, ...sent, body: sent.body?.slice(0, 500) })
}
const last = await send(place, { method: 'GET', path: '/v1/page/Main_Page/bare' })
if (last.status !== 200) findings.push({ fault: `the server is not well: ${last.status}` })
await server.close()
await wiki.close()
rmSync(directory, { recursive: true, force: true })
for (const finding of findings.slice(0, 20)) console.log(JSON.stringify(finding))
console.log(`statuses ${JSON.stringify(statuses)}, slowest ${Math.round(slowest)} ms, ${findings.length} findings`)
process.exitCode = findings.length > 0 ? 1 : 0
