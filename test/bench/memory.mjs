/**
 * Memory of `wiki serve` under mixed load: reads, HTML, transforms, edits, searches, comparisons and histories by four clients.
 * Samples the resident set of the server and prints the curve: minutes, MB, requests, and the answers that were no success.
 *
 *     npm run build && node test/bench/memory.mjs [--minutes 60] [--pages 2000] [--every 15]
 */
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import * as bench from './measure.mjs'
import { startWiki } from './servers.mjs'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    pages: { type: 'string', default: '2000' },
    every: { type: 'string', default: '15' },
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

/** How many of a hundred requests are of which kind. */
const mix = [
  [35, () => ({ path: `page/${title()}` })],
  [20, () => ({ path: `page/${title()}/html` })],
  [10, () => ({ path: `page/${title()}/history` })],
  [10, () => ({ path: `search/page?q=${word()}+${word()}` })],
  [5, () => ({ path: `search/title?q=Page ${below(99)}`.replaceAll(' ', '+') })],
  [6, () => json('POST', 'transform/wikitext/to/html', { wikitext: text(below(1500)) })],
  [
    3,
    () => json('POST', 'transform/html/to/wikitext', { html: `<p>${`${word()} <b>x</b> `.repeat(below(4000))}</p>` }),
  ],
  [4, () => json('POST', 'compare', { from: { text: text(below(2000)) }, to: { text: text(below(2000)) } })],
  [7, null],
]

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
  const asking = request({ host: '127.0.0.1', port, path: `${prefix}/${path}`, method, headers, agent })
  asking.end(body)
  const [answer] = await once(asking, 'response')
  const chunks = []
  for await (const chunk of answer) chunks.push(chunk)
  return { status: answer.statusCode, body: Buffer.concat(chunks).toString() }
}

/** Megabytes that a process has in memory. */
function resident(pid) {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))[1]) / 1024
}

const folder = bench.scratch()
bench.git('.', ['init', '-q', '-b', 'main', folder])
mkdirSync(join(folder, 'Template'))
writeFileSync(join(folder, 'Template/T.wiki'), "''{{{1}}}''\n")
for (let page = 0; page < pages; page++) writeFileSync(join(folder, `Page_${page}.wiki`), text(5 + below(60)))
bench.git(folder, ['add', '.'])
bench.git(folder, ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', 'commit', '-q', '-m', 'pages'])
const server = await startWiki(folder, { options: ['--allow-anonymous', '--quiet'] })
const start = performance.now()
const end = start + Number(values.minutes) * 60_000
const seen = { requests: 0, refused: 0, faults: 0 }

async function client() {
  while (performance.now() < end) {
    const make = pick()
    const { status } = await (make === null ? edit(server) : send(server, make()))
    seen.requests++
    if (status >= 400 && status < 500) seen.refused++
    if (status >= 500) seen.faults++
  }
}

console.log('| minutes | MB | requests | 4xx | 5xx |\n|---|---|---|---|---|')
function sample() {
  const minutes = (performance.now() - start) / 60_000
  const { requests, refused, faults } = seen
  console.log(
    `| ${minutes.toFixed(2)} | ${resident(server.pids[0]).toFixed(0)} | ${requests} | ${refused} | ${faults} |`,
  )
}
sample()
const timer = setInterval(sample, Number(values.every) * 1000)
await Promise.all(Array.from({ length: clients }, client))
clearInterval(timer)
sample()
agent.destroy()
await server.stop()
