/**
 * Measures how much one request can delay others.
 *
 *     npm run build && node test/bench/worst-requests.mjs [--only compar,lint] [--rows 0-100] [--at-once 1] [--beside <checkout>]
 *
 * Each row is sent while another client alternately reads a page of the API and a list in HTML, every 20 ms. Prints the status
 * of the response and its time; the 99th percentile and the longest of the cheap reads, from the moment when each was due; the
 * longest CPU time in which the server did nothing else (see `stall-probe.cjs`); and the peak memory of the server and of its
 * processes, in MB. `--rows` sends a part of those that `--only` selects. `--stacks 200` writes to stderr, for each row that
 * blocked the main thread for 200 milliseconds or more, the functions that did.
 */
import { hash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import * as bench from './measure.mjs'
import { maxResident, residentBelow, startWiki } from './servers.mjs'
import { hostileRequests, hostileWiki } from './worst-hostile.mjs'
import { worstHistory, worstRequests, worstWiki } from './worst-table.mjs'

const agent = new Agent({ keepAlive: true })
const { values } = parseArgs({
  options: {
    beside: { type: 'string' },
    only: { type: 'string', default: '' },
    'at-once': { type: 'string', default: '1' },
    rows: { type: 'string', default: '0-' },
    stacks: { type: 'string' },
  },
})
/** A page of the API and a list in HTML, alternately. */
const cheapPaths = ['/v1/page/Cheap/bare', '/wiki/Special:AllPages?limit=50']
let cheapReads = 0
/** Milliseconds from one cheap read to the next. */
const period = 20

for (const checkout of [bench.root, values.beside].filter(Boolean)) await measureAll(checkout)

async function measureAll(checkout) {
  const written = JSON.stringify([...commits(), worstHistory()])
  const folder = bench.scratch(await bench.kept(`worst-${hash('sha1', written).slice(0, 8)}`, makeWiki))
  const stalls = join(bench.scratch(), 'stalls')
  for (const file of [stalls, `${stalls}.stacks`]) writeFileSync(file, '')
  process.env.NODE_OPTIONS = `--require ${join(bench.root, 'test/bench/stall-probe.cjs')}`
  process.env.WIKI_STALL_PROBE = stalls
  if (values.stacks !== undefined) process.env.WIKI_STALL_STACKS = values.stacks
  const server = { ...(await startWiki(folder, { checkout, options: ['--allow-anonymous'] })), stalls }
  console.log(checkout)
  const columns = ['request', 'answer', 'bytes', 's', 'cheap read: p99 ms', 'longest', 'busy ms', 'MB', 'MB below']
  console.log(`| ${columns.join(' | ')} |\n|${'---|'.repeat(columns.length)}`)
  try {
    await cheapRead(server)
    // The first search builds its index, which is not what is measured here.
    await send(server, { path: 'search/page?q=word1', method: 'GET' })
    for (const row of askedRows()) {
      console.log(await measure(server, row))
      tellStacks(server, row)
    }
  } finally {
    await server.stop()
  }
}

/** Files by path, commit by commit. */
function commits() {
  return [...worstWiki(), ...hostileWiki]
}

function makeWiki(folder) {
  bench.git('.', ['init', '-q', '-b', 'main', folder])
  for (const files of commits()) {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(join(folder, path, '..'), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
    bench.git(folder, ['add', '.'])
    bench.git(folder, ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', 'commit', '-q', '-m', 'pages'])
  }
  bench.git(folder, ['fast-import', '--quiet'], { input: worstHistory() })
  bench.git(folder, ['reset', '-q', '--hard'])
}

function askedRows() {
  const [first, last] = values.rows.split('-').map(Number)
  const parts = values.only.split(',')
  return [...worstRequests, ...hostileRequests]
    .filter(({ name }) => parts.some(part => name.includes(part)))
    .slice(first, last || undefined)
}

/** Writes the stacks of long pauses that a row has added. */
function tellStacks({ stalls }, { name }) {
  const stacks = readFileSync(`${stalls}.stacks`, 'utf8')
  if (stacks !== '') console.error(`${name}\n${stacks}`)
  writeFileSync(`${stalls}.stacks`, '')
}

async function measure(server, { name, method = 'GET', path, body, type, text: sent, headers }) {
  // Made before anything is measured, because this process reads too.
  const text = sent?.() ?? (body === undefined ? undefined : JSON.stringify(body()))
  const [pid] = server.pids
  let isOver = false
  let below = 0
  const reads = []
  const began = Date.now()
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
  const reading = (async () => {
    const pending = []
    for (let due = performance.now(); !isOver; due += period) {
      await wait(Math.max(0, due - performance.now()))
      const own = due
      pending.push(cheapRead(server).then(() => reads.push(performance.now() - own)))
      if (pending.length % 5 === 0) below = Math.max(below, residentBelow(pid))
    }
    await Promise.all(pending)
  })()
  // Some cheap reads run before the request and some after it.
  await wait(5 * period)
  const start = performance.now()
  const sending = Array.from({ length: Number(values['at-once']) }, () =>
    send(server, { method, path, text, type, headers }),
  )
  const [{ status, bytes }] = await Promise.all(sending)
  const seconds = (performance.now() - start) / 1000
  await wait(5 * period)
  isOver = true
  await reading
  const p99 = reads.toSorted((a, b) => a - b)[Math.floor(reads.length * 0.99)]
  const figures = [p99, Math.max(...reads), busiest(server.stalls, began), maxResident(pid), below]
  return `| ${[name, status, bytes, seconds.toFixed(2), ...figures.map(figure => figure.toFixed(0))].join(' | ')} |`
}

/** The longest pause of the server's main thread since a time, in milliseconds of CPU. */
function busiest(file, since) {
  const stretches = readFileSync(file, 'latin1').split('\n').filter(Boolean)
  return Math.max(
    0,
    ...stretches.map(line => line.split(' ').map(Number)).map(([time, cpu]) => (time >= since ? cpu : 0)),
  )
}

function cheapRead(server) {
  return send(server, { method: 'GET', path: cheapPaths[cheapReads++ % cheapPaths.length], agent })
}

async function send(
  { port, prefix },
  { method, path, text, type = 'application/json', headers: more, agent: given = false },
) {
  const headers = { ...(text !== undefined && { 'content-type': type }), ...more }
  const full = path.startsWith('/') ? path : `${prefix}/${path}`
  const asking = request({ host: '127.0.0.1', port, path: full, method, headers, agent: given })
  asking.end(text)
  // A refused body may be cut off before the response is read.
  const answer = await Promise.race([once(asking, 'response'), once(asking, 'close')]).then(
    ([first]) => first,
    () => null,
  )
  if (answer === null || answer === undefined) return { status: 'closed', bytes: 0 }
  let bytes = 0
  for await (const chunk of answer) bytes += chunk.length
  return { status: answer.statusCode, bytes }
}
