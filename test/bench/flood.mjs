/**
 * Measures what a reader waits for while one network floods the server.
 *
 *     npm run build && node test/bench/flood.mjs [--only stash,compare] [--seconds 6] [--at-once 32] [--same] [--beside <checkout>]
 *
 * Each row sends requests of one kind without a pause, over this many connections from one address, while a reader with another
 * address reads a cached page, a small page that is not cached, and a large one that a worker renders. Prints the median and the
 * longest time of each in milliseconds, beside those of a server that nobody floods (the first row), and how many requests of the
 * flood were answered in a second. With `--same` the reader has the address of the flood.
 */
import { hash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { floods, floodWiki } from './flood-table.mjs'
import * as bench from './measure.mjs'
import { startWiki } from './servers.mjs'

const { values } = parseArgs({
  options: {
    beside: { type: 'string' },
    only: { type: 'string', default: '' },
    seconds: { type: 'string', default: '6' },
    'at-once': { type: 'string', default: '32' },
    same: { type: 'boolean', default: false },
  },
})
/** Addresses of this machine, which count as networks of their own. */
const flooding = '127.0.0.2'
const reading = values.same ? flooding : '127.0.0.3'
const atOnce = Number(values['at-once'])

/** The paths of the reader, by their numbers. */
const reads = {
  cached: () => '/wiki/Cheap',
  small: at => `/wiki/Cheap?x=${at}`,
  large: at => `/v1/page/Article_${at}/html`,
}

for (const checkout of [bench.root, values.beside].filter(Boolean)) await measureAll(checkout)

async function measureAll(checkout) {
  const files = floodWiki()
  const folder = await bench.kept(`flood-${hash('sha1', JSON.stringify(files)).slice(0, 8)}`, made =>
    makeWiki(made, files),
  )
  console.log(`${checkout}\n| flood | a second | ${Object.keys(reads).join(' | ')} |\n|---|---|---|---|---|`)
  const parts = values.only.split(',')
  for (const row of floods.filter(({ name }) => name === 'nothing' || parts.some(part => name.includes(part)))) {
    // A cache that one row has filled would help or hinder the next one.
    const server = await startWiki(bench.scratch(folder), { checkout, options: ['--allow-anonymous'] })
    try {
      console.log(await measure(server, row))
    } finally {
      await server.stop()
    }
  }
}

function makeWiki(folder, files) {
  bench.git('.', ['init', '-q', '-b', 'main', folder])
  for (const commit of files) {
    for (const [path, text] of Object.entries(commit)) {
      mkdirSync(join(folder, path, '..'), { recursive: true })
      writeFileSync(join(folder, path), typeof text === 'string' ? text : Buffer.from(text))
    }
    bench.git(folder, ['add', '.'])
    bench.git(folder, ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', 'commit', '-q', '-m', 'pages'])
  }
}

async function measure({ port }, { name, requests }) {
  const end = { isOver: false }
  let answered = 0
  const statuses = new Map()
  for (const path of Object.values(reads)) await send({ port, address: reading, path: path(0) })
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce })
  const flood = Array.from({ length: requests === undefined ? 0 : atOnce }, async (_, connection) => {
    for (let at = 0; !end.isOver; at++) {
      const status = await send({ port, address: flooding, agent, ...requests(at * atOnce + connection) })
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      answered++
    }
  })
  await wait(2000)
  const [start, before] = [performance.now(), answered]
  const times = Object.fromEntries(Object.keys(reads).map(kind => [kind, []]))
  const seconds = Number(values.seconds)
  const readers = Object.entries(reads).map(async ([kind, path]) => {
    for (let at = 1; performance.now() - start < seconds * 1000; at++) {
      const begun = performance.now()
      const status = await send({ port, address: reading, path: path(at) })
      times[kind].push(performance.now() - begun)
      if (status !== 200) times[kind].push(Number.POSITIVE_INFINITY)
      await wait(100)
    }
  })
  await Promise.all(readers)
  const rate = (answered - before) / ((performance.now() - start) / 1000)
  end.isOver = true
  agent.destroy()
  await Promise.all(flood)
  const cells = Object.values(times).map(taken => `${bench.median(taken).toFixed(0)}, ${Math.max(...taken).toFixed(0)}`)
  return `| ${[`${name} (${[...statuses].map(pair => pair.join(': ')).join(', ')})`, rate.toFixed(1), ...cells].join(' | ')} |`
}

/** Returns the status; 0 if the connection was closed. */
async function send({ port, address, path, method = 'GET', body, type = 'application/json', agent = false }) {
  const headers = body === undefined ? {} : { 'content-type': type }
  const asking = request({ host: '127.0.0.1', port, localAddress: address, path, method, headers, agent })
  asking.on('error', () => {})
  asking.end(body)
  const answer = await Promise.race([once(asking, 'response'), once(asking, 'close')]).then(
    ([first]) => first,
    () => undefined,
  )
  if (answer === undefined) return 0
  answer.on('error', () => {}).resume()
  if (!answer.closed) await new Promise(resolve => answer.once('close', resolve))
  return answer.statusCode
}
