/**
 * One operation has one body: `--json` prints the object that the route of the same operation returns, and a refusal has the same
 * key, status and sentence. What the command line adds is on stderr.
 */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { deletePages } from '../src/operations/delete-page.ts'
import { hideRevision } from '../src/operations/hide-revision.ts'
import { createToken } from '../src/operations/tokens.ts'
import type { Wiki } from '../src/operations/wiki.ts'
import { createApp } from '../src/rest/app.ts'
import { routeTables } from '../src/rest/routes.ts'
import { type BuiltWiki, buildWiki } from './_setup.ts'
import { wiki as command } from './cli/harness.ts'
import { png } from './media/_files.ts'
import { ada, edit, newWiki } from './operations/_wiki.ts'
import { bearer } from './rest/_asking.ts'

/** A request of the API; `body` is JSON, `bytes` a file. */
interface Call {
  readonly method?: string
  readonly path: string
  readonly body?: object
  readonly bytes?: Buffer
}

/** One request: as a command line, over HTTP, and the HTTP status; the exit status is 2 for an error unless it is given. */
type Question = readonly [argv: string, call: string | Call, status?: number, exit?: number]

const base = 'http://localhost/v1'

const reads: readonly Question[] = [
  ['page get "Main Page"', '/page/Main_Page'],
  ['page get "Main Page" --meta', '/page/Main_Page/bare'],
  ['page get "Main Page" --with-html', '/page/Main_Page/with_html'],
  ['page get "Main Page" --with-html --flavor edit', '/page/Main_Page/with_html?flavor=edit'],
  ['page get Knots/Clove_hitch', '/page/Knots%2FClove_hitch'],
  ['page get Seagull', '/page/Seagull'],
  ['page get Seagull --with-html', '/page/Herring_gull/with_html'],
  ['page get Seagull --with-html --no-redirect', '/page/Seagull/with_html?redirect=no'],
  ['page get Seagull --with-html --no-redirect --flavor edit', '/page/Seagull/with_html?flavor=edit&redirect=no'],
  ['page get No_such_page', '/page/No_such_page', 404],
  ['page languages Harbour', '/page/Harbour/links/language'],
  ['page files Harbour', '/page/Harbour/links/media'],
  ['page list', '/pages?limit=500'],
  ['page list --prefix T', '/pages?prefix=T'],
  ['page list -n 3', '/pages?limit=3'],
  ['page list --namespace 10 -n 1', '/pages?namespace=10&limit=1'],
  ['page list --redirects', '/pages?redirects=true'],
  ['file list', '/files'],
  ['file list -n 1', '/files?limit=1'],
  ['file get "Tide curve.svg"', '/file/Tide_curve.svg'],
  ['file get "Image:north pier at dusk.jpg"', '/file/North_pier_at_dusk.jpg'],
  ['file get "Main Page"', '/file/Main%20Page', 404],
  ['file get ":Main Page"', '/file/:Main%20Page', 404],
  ['history "Main Page"', '/page/Main_Page/history'],
  ['history "Main Page" --filter minor', '/page/Main_Page/history?filter=minor'],
  ['history "Main Page" --newer-than 2', '/page/Main_Page/history?newer_than=2'],
  ['history Main_Page --older-than 3', '/page/Main_Page/history?older_than=3', 404],
  ['history "Main Page" --count edits', '/page/Main_Page/history/counts/edits'],
  ['history "Main Page" --count editors', '/page/Main_Page/history/counts/editors'],
  ['history "Main Page" --count none', '/page/Main_Page/history/counts/none', 400],
  ['blame "Main Page"', '/page/Main_Page/authorship'],
  ['log -n 7', '/changes?limit=7'],
  ['log --prefix T -n 2', '/changes?limit=2&prefix=T'],
  ['revision get 2', '/revision/2'],
  ['revision get 2 --meta', '/revision/2/bare'],
  ['revision get 2 --with-html', '/revision/2/with_html'],
  ['revision get 99999', '/revision/99999', 404],
  ['compare 2 2', '/revision/2/compare/2'],
  ['compare 99999 2', '/revision/99999/compare/2', 404],
  ['search tide', '/search/page?q=tide'],
  ['search tide -n 2', '/search/page?q=tide&limit=2'],
  ['search --title her', '/search/title?q=her'],
  ['links Harbour --from', '/page/Harbour/links/out'],
  ['links Harbour --from -n 2', '/page/Harbour/links/out?limit=2'],
  ['links Harbour --from --kind external', '/page/Harbour/links/out?kind=external'],
  ['links Harbour --to', '/page/Harbour/links/here'],
  ['links "No such" --from', '/page/No%20such/links/out', 404],
  ['category Tidewick', '/category/Tidewick'],
  ['category Tidewick -n 2', '/category/Tidewick?limit=2'],
  ['list wanted -n 1', '/lists/wanted?limit=1'],
  ['list orphans', '/lists/orphans'],
  ['list double-redirects', '/lists/double-redirects'],
  ['list longest -n 1 --namespace 10', '/lists/longest?namespace=10&limit=1'],
  ['lint "Main Page"', '/page/Main_Page/lint', 200, 1],
  ['lint Seagull', '/page/Seagull/lint?redirect=no'],
  ['merge a.txt b.txt c.txt', { method: 'POST', path: '/merge', body: sides('a\nb\nc', 'x\nb\nc', 'a\nb\ny') }],
]

/** Titles that no page can have, and those of a route that a title must not leave. */
const badTitles = ['', ' ', 'a[b', 'a|b', 'Special:X', '#x', ':', 'File:', 'x'.repeat(300)]
const titleCommands: readonly (readonly [argv: string, route: string])[] = [
  ['page get', '/page/{}'],
  ['page get --meta', '/page/{}/bare'],
  ['page get --with-html', '/page/{}/with_html'],
  ['page get --html', '/page/{}/html'],
  ['page languages', '/page/{}/links/language'],
  ['page files', '/page/{}/links/media'],
  ['history', '/page/{}/history'],
  ['history --count edits', '/page/{}/history/counts/edits'],
  ['blame', '/page/{}/authorship'],
  ['lint', '/page/{}/lint'],
  ['links --to', '/page/{}/links/here'],
  ['links --from', '/page/{}/links/out'],
  ['file get', '/file/{}'],
]
const titled = titleCommands.flatMap(([argv, route]) =>
  badTitles.map(
    (title): Question => [`${argv} -- ${JSON.stringify(title)}`, route.replace('{}', encodeURIComponent(title)), -1],
  ),
)

const badNumbers = ['0', '-1', 'x', '1.5', '1e3', '']
const numbered = badNumbers.flatMap((number): Question[] => [
  [`history "Main Page" --older-than=${number}`, `/page/Main_Page/history?older_than=${number}`, -1],
  [`history "Main Page" --newer-than=${number}`, `/page/Main_Page/history?newer_than=${number}`, -1],
  [`search tide --limit=${number}`, `/search/page?q=tide&limit=${number}`, -1],
  [`search --title t --limit=${number}`, `/search/title?q=t&limit=${number}`, -1],
])

const writes: readonly Question[] = [
  [
    'page create New -f a.txt -m c',
    { method: 'POST', path: '/page', body: { title: 'New', source: 'a', comment: 'c' } },
    201,
  ],
  [
    'page create Pier -f a.txt',
    { method: 'POST', path: '/page', body: { title: 'Pier', source: 'a', comment: null } },
    409,
    3,
  ],
  ['page create "" -f a.txt', { method: 'POST', path: '/page', body: { title: '', source: 'a', comment: null } }, 400],
  [
    'page create "a[b" -f a.txt',
    { method: 'POST', path: '/page', body: { title: 'a[b', source: 'a', comment: null } },
    400,
  ],
  [
    'page edit Pier -f a.txt -m c',
    { method: 'PUT', path: '/page/Pier', body: { source: 'a', comment: 'c', latest: { id: 5 } } },
  ],
  ['page edit "" -f a.txt', { method: 'PUT', path: '/page/', body: { source: 'a', comment: 'c' } }, 400],
  ['page move Pier Mole -m c', { method: 'POST', path: '/page/Pier/move', body: moved({}) }, 201],
  [
    'page move Pier Mole --no-redirect --dry-run',
    { method: 'POST', path: '/page/Pier/move', body: moved({ redirect: false, dryRun: true }) },
  ],
  [
    'page move Pier Mole --update-links',
    { method: 'POST', path: '/page/Pier/move', body: moved({ updateLinks: true }) },
    201,
  ],
  ['page move Pier Boats', { method: 'POST', path: '/page/Pier/move', body: { ...moved({}), to: 'Boats' } }, 409, 3],
  ['page move "a[b" Mole', { method: 'POST', path: '/page/a%5Bb/move', body: moved({}) }, 400],
  ['page move Pier "a[b"', { method: 'POST', path: '/page/Pier/move', body: { ...moved({}), to: 'a[b' } }, 400],
  ['page delete Pier --yes -m c', { method: 'DELETE', path: '/page/Pier', body: { comment: 'c', latest: { id: 5 } } }],
  ['page delete Pier --dry-run', { method: 'DELETE', path: '/page/Pier', body: { dryRun: true, latest: { id: 5 } } }],
  ['page delete None --yes', { method: 'DELETE', path: '/page/None', body: { latest: { id: 5 } } }, 404],
  ['page delete "a[b" --yes', { method: 'DELETE', path: '/page/a%5Bb', body: { latest: { id: 5 } } }, 400],
  ['page restore Gone -m c', { method: 'POST', path: '/page/Gone/restore', body: { comment: 'c' } }, 201],
  ['page restore Gone --dry-run', { method: 'POST', path: '/page/Gone/restore', body: { dryRun: true } }],
  ['page restore None', { method: 'POST', path: '/page/None/restore', body: {} }, 404],
  ['page restore ""', { method: 'POST', path: '/page//restore', body: {} }, 400],
  ['undo 5 -m c', { method: 'POST', path: '/page/Pier/undo', body: { revision: 5, comment: 'c' } }],
  ['undo 5 --dry-run', { method: 'POST', path: '/page/Pier/undo', body: { revision: 5, dryRun: true } }],
  ['file add a.png --title New.png', { method: 'PUT', path: '/file/New.png', bytes: png(3, 4) }],
]

function sides(base: string, mine: string, theirs: string): object {
  return { base: { text: base }, mine: { text: mine }, theirs: { text: theirs } }
}

function moved(more: object): object {
  return { to: 'Mole', comment: 'c', latest: { id: 5 }, ...more }
}

/** Words of a command line; quoted ones are JSON strings. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/"(?:[^"\\]|\\.)*"|\S+/g)].map(([word]) => (word.startsWith('"') ? JSON.parse(word) : word))
}

/** Times and hashes of commits differ between two copies of a wiki. */
function comparable(body: unknown): unknown {
  const text = JSON.stringify(body)
  return JSON.parse(
    text.replace(/\d{4}-\d\d-\d\dT[\d:]+Z/g, 'a time').replace(/"commit":"[\da-f]{40}"/g, '"commit":"a hash"'),
  )
}

interface Side {
  readonly wiki: Wiki
  readonly directory: string
}

/** Asks both front ends, each on its own copy of a wiki if the request writes. */
async function ask([line, call, status = 200, exit]: Question, sides: readonly [Side, Side]): Promise<void> {
  const [one, two] = sides
  const { method = 'GET', path, body: sent, bytes }: Call = typeof call === 'string' ? { path: call } : call
  const argv = wordsOf(line)
  const at = argv.indexOf('--')
  const flags = ['--json', ...(method === 'GET' || path === '/merge' ? [] : ['--user', 'Ada <ada@example.org>'])]
  const typed = at === -1 ? [...argv, ...flags] : [...argv.slice(0, at), ...flags, ...argv.slice(at)]
  const ran = await command(typed, { cwd: one.directory, env: { WIKI_BASE_URL: base } })
  const { token } = await createToken(two.wiki, { name: 'Ada', address: 'ada@example.org' })
  const init = {
    method,
    headers: { ...bearer(token), 'content-type': bytes === undefined ? 'application/json' : 'image/png' },
    ...(sent !== undefined && { body: JSON.stringify(sent) }),
    ...(bytes !== undefined && { body: bytes }),
  }
  const response = await createApp(two.wiki).request(`${base}${path}`, init as RequestInit)
  const isPage = response.headers.get('content-type')?.startsWith('text/html')
  const body = isPage ? { html: await response.text() } : ((await response.json()) as Record<string, unknown>)
  if (status !== -1) expect(response.status).toBe(status)
  if (response.status < 400) {
    expect([ran.status, ran.stderr]).toEqual([exit ?? 0, expect.any(String)])
    expect(comparable(JSON.parse(ran.stdout))).toEqual(comparable(body))
    return
  }
  const { errorKey, httpCode, message } = JSON.parse(ran.stderr.trim().split('\n').at(-1)!)
  const { en } = body.messageTranslations as { en: string }
  expect([ran.status, ran.stdout, errorKey, httpCode, message]).toEqual([
    exit ?? 2,
    '',
    body.errorKey,
    body.httpCode,
    en,
  ])
}

let built: BuiltWiki

beforeAll(async () => {
  built = await buildWiki('sample')
  const { wiki } = built
  const author = { name: 'Ada', address: 'ada@example.org' }
  await hideRevision(wiki, { id: 4, parts: ['text', 'user', 'comment'], author, comment: null, reason: '' })
  const files = { 'a.txt': 'a\nb\nc', 'b.txt': 'x\nb\nc', 'c.txt': 'a\nb\ny' }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(built.directory, name), text)
})

const hidden: readonly Question[] = [
  ['revision get 4', '/revision/4', 403],
  ['revision get 4 --meta', '/revision/4/bare', 403],
  ['revision get 4 --with-html', '/revision/4/with_html', 403],
  ['compare 4 5', '/revision/4/compare/5', 403],
]

/** Routes of JSON without a command of the same operation, and why. */
const alone: Readonly<Record<string, string>> = {
  'GET /search': 'describes the search to browsers',
  'GET /feed': 'is a feed; wiki log reads the changes',
  'GET /revision/{id}/lint': 'wiki lint reads the work tree',
  'GET /revision/{id}/html': 'is no JSON',
  'GET /page/{title}/html': 'is no JSON',
  'DELETE /file/{title}': 'wiki page delete "File:..." returns the same object',
  'POST /compare': 'wiki compare reads revisions and pages',
}

test('each route of JSON has a command, or a reason', () => {
  const calls = [...reads, ...writes].map(([, call]) => (typeof call === 'string' ? { path: call } : call))
  const asked = calls.map(({ method = 'GET', path }: Call) => `${method} ${path.replace(/\?.*$/, '')}`)
  const routes = routeTables[0]!.routes.filter(({ path }) => !/^\/(?:transform|session|specs|openapi)/.test(path))
  const missing = routes
    .map(({ method, path }) => `${method} ${path}`)
    .filter(name => !asked.some(call => new RegExp(`^${name.replace(/\{\w+\}/g, '[^/]+')}$`).test(call)))
  expect(missing.sort()).toEqual(Object.keys(alone).sort())
})

describe('the command line and the API give the same result', () => {
  test.each([...reads, ...hidden])('%s', async (...question) => {
    await ask(question as unknown as Question, [built, built])
  })

  test.each(titled)('%s: no title of a page', async (...question) => {
    await ask(question as unknown as Question, [built, built])
  })

  test.each(numbered)('%s: no number of its kind', async (...question) => {
    await ask(question as unknown as Question, [built, built])
  })

  test.each(writes)('%s', async (...question) => {
    const copies: Side[] = []
    for (let at = 0; at < 2; at++) {
      const copy = await newWiki({ Harbour: '[[Pier]]', Pier: 'wood', Boats: 'b', Gone: 'g' })
      await edit(copy.wiki, 'Pier', 'wood and iron')
      await deletePages(copy.wiki, { titles: ['Gone'], comment: null, author: ada })
      writeFileSync(join(copy.directory, 'a.txt'), 'a')
      writeFileSync(join(copy.directory, 'a.png'), png(3, 4))
      copies.push(copy)
    }
    await ask(question as unknown as Question, copies as [Side, Side])
  })
})
