/** Every read route under load: pages with realistic frequencies, beside bare node:http sending the same bytes. */
import { load, memoryOf } from './load.mjs'
import { median } from './measure.mjs'
import { readRoutes, requestOf } from './route-table.mjs'
import { startBare } from './servers.mjs'

export async function measureReads(server, { next }, { seconds, rounds, isAsked }) {
  const bare = await startBare()
  const rows = []
  try {
    for (const route of readRoutes.filter(({ what }) => isAsked(what)))
      rows.push(await measureRoute(route, { server, bare, next, seconds, rounds }))
  } finally {
    await bare.stop()
  }
  return [...rows, { what: 'memory of the server after it, MB', number: Math.round(memoryOf(server.pids[0])) }]
}

async function measureRoute(route, { server, bare, next, seconds, rounds }) {
  const target = () => requestOf(route, route.at, next())
  bare.answer(await answerOf(server, target()))
  const taken = { ours: [], bare: [] }
  await load(server, target, { seconds: seconds / 2 })
  for (let round = 0; round < rounds; round++) {
    taken.ours.push(await load(server, target, { seconds }))
    taken.bare.push(await load(bare, () => '/', { seconds: seconds / 2 }))
  }
  const [own, node] = [mediansOf(taken.ours), mediansOf(taken.bare)]
  return {
    what: route.what,
    ...own,
    node: node.p50,
    nodeRate: node.rate,
    nodeCpu: node.cpu,
    failures: route.fails ? 0 : own.failures,
    target: 'p99 < 50 ms',
  }
}

/** Medians of several loads, and the sum of their failures. */
export function mediansOf(runs) {
  const of = name => median(runs.map(run => run[name]))
  const failures = runs.reduce((sum, run) => sum + run.failures, 0)
  return { p50: of('p50'), p99: of('p99'), rate: of('rate'), cpu: of('cpu'), failures }
}

async function answerOf({ port }, { path, body }) {
  const posted = body !== undefined && { method: 'POST', body, headers: { 'Content-Type': 'application/json' } }
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { ...posted })
  const headers = [...answer.headers].filter(([name]) => name !== 'connection' && name !== 'keep-alive')
  return { status: answer.status, headers, body: await answer.text() }
}
