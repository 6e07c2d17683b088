/**
 * Measures a first and a repeated read, by route: CPU of the server and its `git` in microseconds per request.
 *
 *     npm run build && node test/bench/reads.mjs <folder of a wiki> [--requests 640] [--only html,lint] [--beside <checkout>]
 *
 * `first`: each request is for another page; `again`: the same requests five more times, from the cache. `--beside` names
 * another built checkout of this project. Each has a clone of the wiki and a server that has run for a while but has not served
 * these pages; they alternate, and medians are printed. The number of requests is fixed, not the time, so that a busy machine
 * sends the same ones.
 */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { load } from './load.mjs'
import * as bench from './measure.mjs'
import { readRoutes, requestOf } from './route-table.mjs'
import { sampleOf } from './scale-sample.mjs'
import { startBare, startWiki } from './servers.mjs'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { requests: { type: 'string', default: '640' }, only: { type: 'string' }, beside: { type: 'string' } },
})
const turns = 8
const { pages } = await sampleOf(cloned())
const size = Math.floor(Math.min(Number(values.requests), pages.length * 0.7) / turns)
const isAsked = ({ what }) => values.only === undefined || values.only.split(',').some(part => what.endsWith(part))
const checkouts = { ours: bench.root, ...(values.beside && { beside: resolve(values.beside) }) }

console.log(`${turns} turns of ${size} pages, CPU in µs a request`.padEnd(48), '  first   again   first   again')
for (const route of readRoutes.filter(isAsked)) print(route.what, await measure(route))
print('node:http, an answer of 6 KB', await measureBare())

function cloned() {
  const folder = bench.scratch()
  bench.git('.', ['clone', '-q', '--bare', '--local', resolve(positionals[0]), folder])
  return folder
}

async function measure(route) {
  const servers = []
  for (const checkout of Object.values(checkouts)) servers.push(await startWiki(cloned(), { checkout }))
  try {
    for (const server of servers)
      await ask(server, route, { from: turns * size, requests: pages.length - turns * size })
    return await taken(servers, (server, from) => ask(server, route, { from, requests: size }))
  } finally {
    for (const server of servers) await server.stop()
  }
}

async function measureBare() {
  const bare = await startBare()
  try {
    bare.answer({ status: 200, headers: [], body: 'x'.repeat(6000) })
    return await taken([bare], () => load(bare, () => '/', { seconds: 0, least: size }))
  } finally {
    await bare.stop()
  }
}

/** Median CPU of each server, the first time and again. */
async function taken(servers, asked) {
  const costs = servers.map(() => ({ first: [], again: [] }))
  for (let turn = 0; turn < turns; turn++) {
    for (const [at, server] of servers.entries()) {
      costs[at].first.push((await asked(server, turn * size)).cpu)
      const again = []
      for (let time = 0; time < 5; time++) again.push((await asked(server, turn * size)).cpu)
      costs[at].again.push(again.reduce((sum, cpu) => sum + cpu, 0) / again.length)
    }
  }
  return costs.flatMap(({ first, again }) => [bench.median(first), bench.median(again)])
}

function ask(server, route, { from, requests }) {
  let next = 0
  const target = () => requestOf(route, route.at, pages[from + (next++ % requests)])
  return load(server, target, { seconds: 0, least: requests })
}

function print(what, costs) {
  console.log(
    what.padEnd(48),
    costs
      .map(cpu =>
        Math.round(cpu * 1000)
          .toFixed(0)
          .padStart(7),
      )
      .join(' '),
  )
}
