/**
 * Sends mixed requests to all routes of `wiki serve` on a clone of bips: valid ones, invalid ones and edits, eight at a time.
 *
 *     npm run build && node test/bench/mixed.mjs [requests] [--quick]
 *
 * Prints the responses and their times; exit status 1 if a response is a fault of the server or is missing.
 */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { openWiki } from '../../dist/lib/index.js'
import * as bench from './measure.mjs'

const clients = 8
const total = Number(process.argv[2]) || (bench.isQuick ? 200 : 1000)
const real = await bench.bips()
if (real === null) throw new Error('there is no ../shared/data/bips.bundle')

const directory = bench.scratch(real)
const known = await readWiki()
const random = randomNumbers(11)

/** Route to a function that makes a request to it. */
const routes = {
  'GET /search/page': () =>
    `/search/page?q=${pick(['bitcoin', 'merkle tree', '"soft fork"', 'sign*', 'ünï', ''])}&limit=${limit()}`,
  'GET /search/title': () =>
    `/search/title?q=${pick(['b', 'bip-00', 'Bip-034', 'zz', '%F0%9F%92%A9'])}&limit=${limit()}`,
  'GET /page/{title}': () => `/page/${title()}`,
  'GET /page/{title}/bare': () => `/page/${title()}/bare`,
  'GET /page/{title}/html': () => `/page/${title()}/html`,
  'GET /page/{title}/with_html': () => `/page/${title()}/with_html`,
  'GET /page/{title}/links/language': () => `/page/${title()}/links/language`,
  'GET /page/{title}/links/media': () => `/page/${title()}/links/media`,
  'GET /file/{title}': () => `/file/${pick(known.files)}`,
  'GET /page/{title}/history': () =>
    `/page/${title()}/history${pick(['', `?older_than=${id()}`, `?newer_than=${id()}`, '?filter=minor', '?filter=reverted', '?filter=x'])}`,
  'GET /page/{title}/history/counts/{type}': () =>
    `/page/${title()}/history/counts/${pick(['anonymous', 'bot', 'editors', 'edits', 'minor', 'reverted', 'x'])}`,
  'GET /revision/{id}': () => `/revision/${id()}`,
  'GET /revision/{id}/bare': () => `/revision/${id()}/bare`,
  'GET /revision/{id}/html': () => `/revision/${id()}/html`,
  'GET /revision/{id}/with_html': () => `/revision/${id()}/with_html`,
  'GET /revision/{from}/compare/{to}': () => {
    const page = pick(known.pages)
    return `/revision/${pick(page.revisions)}/compare/${pick([...page.revisions, id()])}`
  },
  'POST /page': () => [
    '/page',
    'POST',
    { title: pick([`New ${number(50)}`, 'Bad|title']), source: text(), comment: null },
  ],
  'PUT /page/{title}': () => {
    const page = pick(known.pages)
    const latest = pick([{ id: pick(page.revisions) }, { id: page.revisions[0] }, undefined])
    return [`/page/${encodeURIComponent(page.key)}`, 'PUT', { source: text(), comment: 'mixed', latest }]
  },
  'POST /transform/wikitext/to/html/{title}': () => [
    `/transform/wikitext/to/html/${title()}`,
    'POST',
    { wikitext: text() },
  ],
  'POST /transform/html/to/wikitext/{title}': () => [
    `/transform/html/to/wikitext/${title()}`,
    'POST',
    { html: text() },
  ],
  'POST /transform/wikitext/to/lint/{title}': () => [
    `/transform/wikitext/to/lint/${title()}`,
    'POST',
    { wikitext: text() },
  ],
  'no route': () => pick(['/nope', '/page', '/page/a/b', '/page/%zz', ['/revision/1', 'DELETE'], '/page//bare']),
}

const answers = Object.fromEntries(Object.keys(routes).map(route => [route, []]))
const server = await serve()
let sent = 0
await Promise.all(Array.from({ length: clients }, askOn))
server.child.kill('SIGTERM')
print()

async function readWiki() {
  const { store, close } = await openWiki({ directory })
  await store.refresh()
  const pages = [...store.pages()].map(page => ({
    key: page.key,
    revisions: [...store.revisionsOf(page)].map(revision => revision.id),
  }))
  const files = [...store.files()].map(file => encodeURIComponent(file.key))
  const { lastRevisionId } = store
  await close()
  return { pages, files, lastRevisionId }
}

async function serve() {
  const bin = join(bench.root, 'bin/wiki.cjs')
  const parameters = [bin, 'serve', '--port', '0', '--json', '--quiet', '--allow-anonymous', '-C', directory]
  const child = spawn(process.execPath, parameters, { stdio: ['ignore', 'pipe', 'inherit'] })
  process.once('exit', () => child.kill('SIGKILL'))
  const [line] = await once(createInterface({ input: child.stdout }), 'line')
  return { child, url: JSON.parse(line).url }
}

async function askOn() {
  while (sent < total) {
    const route = Object.keys(routes)[sent++ % Object.keys(routes).length]
    const [path, method = 'GET', body] = [routes[route]()].flat()
    const start = performance.now()
    const status = await ask(server.url + path, method, body)
    answers[route].push({ status, path, wall: performance.now() - start })
  }
}

async function ask(url, method, body) {
  const request = { method, redirect: 'manual' }
  if (body !== undefined) {
    request.headers = { 'Content-Type': 'application/json' }
    request.body = JSON.stringify(body)
  }
  try {
    const answer = await fetch(url, request)
    await answer.arrayBuffer()
    return answer.status
  } catch (error) {
    return `none: ${error.cause?.code ?? error.message}`
  }
}

function print() {
  const rows = Object.entries(answers).map(([route, given]) => ({
    what: `${route}  ${statuses(given)}`,
    ours: times(given),
  }))
  bench.table(`${total} requests on bips, ${clients} at a time: statuses; median and slowest milliseconds`, rows)
  const failed = Object.values(answers).flat().filter(isFault)
  for (const { status, path } of failed) console.log(`${status}  ${path}`)
  console.log(`\n${failed.length} failed`)
  process.exitCode = failed.length > 0 ? 1 : 0
}

/** Routes that are not implemented return 501. */
function isFault({ status }) {
  return typeof status === 'string' || (status >= 500 && status !== 501)
}

function statuses(given) {
  const counts = new Map()
  for (const { status } of given) counts.set(status, (counts.get(status) ?? 0) + 1)
  return [...counts]
    .map(([status, count]) => `${count}× ${status}`)
    .sort()
    .join(', ')
}

function times(given) {
  const walls = given.map(({ wall }) => wall)
  return walls.length === 0 ? '' : `${bench.median(walls).toFixed(1)} / ${Math.max(...walls).toFixed(1)}`
}

// Parts of requests

function pick(choices) {
  return choices[number(choices.length)]
}

function number(below) {
  return Math.floor(random() * below)
}

/** One title in ten is wrong, or spelled differently. */
function title() {
  if (number(10) > 0) return encodeURIComponent(pick(known.pages).key)
  return pick(['Nowhere', 'bip-0001', 'Bip%200001', '%5B%5D', 'Talk%3A', 'a%2F..%2Fb', '%FF', 'x'.repeat(300)])
}

function id() {
  return number(10) > 0
    ? 1 + number(known.lastRevisionId)
    : pick(['0', '-1', 'x', '999999999', '99999999999999999999', ''])
}

function limit() {
  return pick([1, 50, 100, 0, 101, 'x'])
}

function text() {
  return `Line one.\n\n${'Some more words. '.repeat(1 + number(200))}\n`
}

function randomNumbers(seed) {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}
