/**
 * Measures the memory of `wiki serve` under mixed load of four clients: reads, HTML, pages for browsers, histories, lists of
 * links, authors, feeds, thumbnails, searches, transforms, merges, large comparisons, and edits.
 *
 *     npm run build && node test/bench/memory.mjs [--minutes 60] [--pages 2000] [--every 15] [--rate 30] [--inside memory.jsonl]
 *
 * Samples resident sets and prints the curve: minutes, MB of the server, MB of its processes for jobs, requests, and responses
 * that were not successful. `--rate` limits the requests per second. With `--inside <file>`, the server itself writes its heap
 * and its caches to that file: see `memory-probe.cjs`.
 */
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import * as bench from './measure.mjs'
import { resident, residentBelow, startWiki } from './servers.mjs'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    pages: { type: 'string', default: '2000' },
    every: { type: 'string', default: '15' },
    rate: { type: 'string', default: 'Infinity' },
    inside: { type: 'string' },
  },
})
const pages = Number(values.pages)
const clients = 4
const agent = new Agent({ keepAlive: true })
let state = 7

function below(limit) {
  state ^= state << 13
  state ^= state >>> 17
  state ^= state << 5
  return (state >>> 0) % limit
}

const word = () => `word${below(5000)}`
const line = () =>
  `* ${word()} [[Page ${below(pages)}]] '''${word()}''' ${word()} {{T|${word()}}}<ref>${word()}</ref>\n`
const text = lines => `== ${word()} ==\n${Array.from({ length: lines }, line).join('')}`
const title = () => `Page_${below(pages)}`
const json = (method, path, body) => ({ method, path, text: JSON.stringify(body) })

/** Kinds of requests, and their share in percent. */
const mix = [
  [25, () => ({ path: `page/${title()}` })],
  [15, () => ({ path: `page/${title()}/html` })],
  [8, () => ({ path: `/wiki/${title()}` })],
  [3, () => ({ path: `/wiki/${title()}?action=history` })],
  [5, () => ({ path: `page/${title()}/history` })],
  [3, () => ({ path: `page/${title()}/links/here` })],
  [1, () => ({ path: `lists/${['orphans', 'wanted', 'most-linked'][below(3)]}` })],
  [2, () => ({ path: `page/${title()}/authorship` })],
  [2, () => ({ path: ['feed', 'changes?limit=100', '/wiki/Special:RecentChanges'][below(3)] })],
  [2, () => ({ path: `/files/thumb/Drawing.svg/${20 + below(400)}px` })],
  [8, () => ({ path: `search/page?q=${word()}+${word()}` })],
  [4, () => ({ path: `search/title?q=Page ${below(99)}`.replaceAll(' ', '+') })],
  [5, () => json('POST', 'transform/wikitext/to/html', { wikitext: text(below(1500)) })],
  [2, () => json('POST', 'transform/wikitext/to/lint', { wikitext: text(below(800)) })],
  [
    3,
    () => json('POST', 'transform/html/to/wikitext', { html: `<p>${`${word()} <b>x</b> `.repeat(below(4000))}</p>` }),
  ],
  [3, () => json('POST', 'compare', { from: { text: text(below(2000)) }, to: { text: text(below(2000)) } })],
  [2, merge],
  [7, null],
]

/** Two edits of one long text, with or without a conflict. */
function merge() {
  const lines = text(below(1500)).split('\n')
  const edited = () => lines.map(line => (below(50) === 0 ? `${line} ${word()}` : line)).join('\n')
  const [base, mine, theirs] = [lines.join('\n'), edited(), edited()]
  return json('POST', 'merge', { base: { text: base }, mine: { text: mine }, theirs: { text: theirs } })
}

function pick() {
  let left = below(100)
  for (const [share, make] of mix) {
    if (left < share) return make
    left -= share
  }
}

async function edit(server) {
  const path = `page/${title()}`
  const page = JSON.parse((await send(server, { path: `${path}/bare` })).body)
  return send(server, json('PUT', path, { source: text(5 + below(60)), comment: '', latest: { id: page.latest.id } }))
}

async function send({ port, prefix }, { method = 'GET', path, text: body }) {
  const headers = body === undefined ? {} : { 'content-type': 'application/json' }
  const asking = request({
    host: '127.0.0.1',
    port,
    path: path.startsWith('/') ? path : `${prefix}/${path}`,
    method,
    headers,
    agent,
  })
  asking.end(body)
  // The server may close an idle connection at the moment when it is used again.
  const answered = once(asking, 'response').catch(error => (error.code === 'ECONNRESET' ? null : Promise.reject(error)))
  const answer = (await answered)?.[0]
  if (answer === undefined) return send({ port, prefix }, { method, path, text: body })
  const chunks = []
  for await (const chunk of answer) chunks.push(chunk)
  return { status: answer.statusCode, body: Buffer.concat(chunks).toString() }
}

const folder = bench.scratch()
bench.git('.', ['init', '-q', '-b', 'main', folder])
mkdirSync(join(folder, 'Template'))
writeFileSync(join(folder, 'Template/T.wiki'), "''{{{1}}}''\n")
writeFileSync(
  join(folder, 'Drawing.svg'),
  `<svg xmlns="http://www.w3.org/2000/svg" width="800" height="600">${'<circle cx="40" cy="50" r="30"/>'.repeat(500)}</svg>`,
)
for (let page = 0; page < pages; page++) writeFileSync(join(folder, `Page_${page}.wiki`), text(5 + below(60)))
bench.git(folder, ['add', '.'])
bench.git(folder, ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', 'commit', '-q', '-m', 'pages'])
if (values.inside !== undefined) {
  process.env.NODE_OPTIONS = `--require ${join(bench.root, 'test/bench/memory-probe.cjs')}`
  Object.assign(process.env, { WIKI_MEMORY_PROBE: resolve(values.inside), WIKI_MEMORY_SECONDS: values.every })
}
const server = await startWiki(folder, { options: ['--allow-anonymous', '--quiet'] })
const start = performance.now()
const end = start + Number(values.minutes) * 60_000
const seen = { requests: 0, refused: 0, faults: 0 }

/** Milliseconds between two requests, and the time of the next one. */
const pace = 1000 / Number(values.rate)
let next = start

async function client() {
  while (performance.now() < end) {
    next = Math.max(next + pace, performance.now() - 1000)
    await wait(Math.max(0, next - performance.now()))
    const make = pick()
    const { status } = await (make === null ? edit(server) : send(server, make()))
    seen.requests++
    if (status >= 400 && status < 500) seen.refused++
    if (status >= 500) seen.faults++
  }
}

console.log('| minutes | MB | MB of its processes | requests | 4xx | 5xx |\n|---|---|---|---|---|---|')
function sample() {
  const minutes = (performance.now() - start) / 60_000
  const { requests, refused, faults } = seen
  const [pid] = server.pids
  const row = [minutes.toFixed(2), resident(pid).toFixed(0), residentBelow(pid).toFixed(0), requests, refused, faults]
  console.log(`| ${row.join(' | ')} |`)
}
sample()
const timer = setInterval(sample, Number(values.every) * 1000)
await Promise.all(Array.from({ length: clients }, client))
clearInterval(timer)
sample()
agent.destroy()
await server.stop()
