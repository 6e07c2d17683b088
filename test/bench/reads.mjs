/**
 * What a read costs the first time and again, by route: CPU of the server in microseconds a request, its `git` with it.
 *
 *     npm run build && node test/bench/reads.mjs <folder of a wiki> [--requests 600] [--only html,lint] [--beside <checkout>]
 *
 * The wiki is cloned. `first`: that many requests, no two for the same page; `again`: the same three times more, from what is
 * kept; `edited`: once more after a commit, when answers are made anew of what is kept. `--beside` names another checkout of
 * this project, built: both take turns. A number of requests and not a time, so that a busy machine asks for the same.
 */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { load } from './load.mjs'
import * as bench from './measure.mjs'
import { routes } from './scale-reads.mjs'
import { sampleOf } from './scale-sample.mjs'
import { startBare, startWiki } from './servers.mjs'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { requests: { type: 'string', default: '600' }, only: { type: 'string' }, beside: { type: 'string' } },
})
const most = Number(values.requests)
const folder = bench.scratch()
bench.git('.', ['clone', '-q', '--bare', '--local', resolve(positionals[0]), folder])
const { pages } = await sampleOf(folder)
const asked = routes.filter(
  ({ what }) => values.only === undefined || values.only.split(',').some(part => what.endsWith(part)),
)
const author = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org']
const checkouts = { ours: bench.root, ...(values.beside && { beside: resolve(values.beside) }) }

console.log(`${pages.length} pages, CPU in µs a request: first, again, edited; p99 in ms of first, again`)
for (const route of asked) {
  for (const [name, checkout] of Object.entries(checkouts)) {
    print(`${route.what}${name === 'ours' ? '' : ` (${name})`}`, await measure(route, checkout))
  }
}
print('node:http, an answer of 6 KB', await measureBare())

/** A server of its own, so that no route has what another one left. */
async function measure(route, checkout) {
  const server = await startWiki(folder, { checkout })
  try {
    await load(server, () => `${server.prefix}/search`, { seconds: 0, least: 300 })
    const first = await ask(server, route, most)
    const again = await ask(server, route, 3 * most)
    commit()
    const edited = await ask(server, route, most)
    return { first, again, edited }
  } finally {
    await server.stop()
  }
}

function ask(server, { ours }, requests) {
  let next = 0
  return load(server, () => server.prefix + ours(pages[next++ % Math.min(most, pages.length)]), {
    seconds: 0,
    least: requests,
  })
}

/** A commit that changes no page: answers depend on the tip all the same. */
function commit() {
  const tip = bench.git(folder, ['rev-parse', 'HEAD']).trim()
  const made = bench.git(folder, [...author, 'commit-tree', '-p', tip, '-m', 'nothing', `${tip}^{tree}`]).trim()
  bench.git(folder, ['update-ref', 'HEAD', made])
}

async function measureBare() {
  const bare = await startBare()
  try {
    bare.answer({ status: 200, headers: [], body: 'x'.repeat(6000) })
    const [first, again, edited] = [most, 3 * most, most].map(
      least => () => load(bare, () => '/', { seconds: 0, least }),
    )
    return { first: await first(), again: await again(), edited: await edited() }
  } finally {
    await bare.stop()
  }
}

function print(what, { first, again, edited }) {
  const costs = [first, again, edited].map(({ cpu }) => Math.round(cpu * 1000).toFixed(0))
  const late = [first, again].map(({ p99 }) => p99.toFixed(1))
  console.log(what.padEnd(44), [...costs, ...late].map(text => text.padStart(8)).join(''))
}
