/** The page with the longest history, paged from its end to its beginning, through REST and on the command line. */
import { join } from 'node:path'
import * as bench from './measure.mjs'

export async function measureHotPage(folder, server, { hot }) {
  const { latencies, ids, elapsed } = await pageThrough(server, hot.key)
  if (new Set(ids).size !== hot.edits || ids.some((id, at) => at > 0 && id >= ids[at - 1]))
    throw new Error(`${ids.length} revisions were listed, ${new Set(ids).size} different ones, of ${hot.edits}`)
  const third = Math.max(1, Math.floor(latencies.length / 3))
  const [newest, oldest] = [latencies.slice(0, third), latencies.slice(-third)].map(part => bench.median(part))
  const sorted = latencies.toSorted((a, b) => a - b)
  const { all } = await bench.interleave(
    { all: bench.wikiCommand(folder, 'history', hot.key, '--all', '--jsonl') },
    { seconds: 2, least: 3 },
  )
  const { part } = await bench.interleave(
    { part: () => pageByCommand(folder, hot) },
    { seconds: 0, least: 1, most: 1, warm: false },
  )
  return [
    { what: 'its revisions', number: hot.edits },
    { what: 'all of it, REST, 20 at a time', p50: elapsed },
    {
      what: 'a part of it: p50, p99',
      p50: bench.median(latencies),
      p99: sorted[Math.floor(sorted.length * 0.99)],
      target: 'p99 < 50 ms',
    },
    { what: 'parts of its oldest third beside those of its newest', ratio: oldest / newest, target: 'flat' },
    { what: 'wiki history --all', p50: all.wall, cpu: all.cpu },
    { what: 'wiki history, five parts of 500, one command each', p50: part.wall, cpu: part.cpu },
  ]
}

async function pageThrough({ port, prefix }, key) {
  const latencies = []
  const ids = []
  const start = performance.now()
  const history = `http://127.0.0.1:${port}${prefix}/page/${key}/history`
  for (let url = history; url !== undefined; ) {
    const asked = performance.now()
    const body = await (await fetch(url)).json()
    latencies.push(performance.now() - asked)
    ids.push(...body.revisions.map(({ id }) => id))
    const last = ids.at(-1)
    url = body.older === undefined || body.revisions.length === 0 ? undefined : `${history}?older_than=${last}`
  }
  return { latencies, ids, elapsed: performance.now() - start }
}

function pageByCommand(folder, { key, latest }) {
  const wiki = join(bench.root, 'bin/wiki.cjs')
  let before = latest
  for (let turn = 0; turn < 5; turn++) {
    const parameters = [wiki, 'history', key, '--older-than', `${before}`, '-n', '500', '--jsonl', '-C', folder]
    const lines = bench.run(process.execPath, parameters).trim().split('\n').filter(Boolean)
    if (lines.length === 0) return
    before = JSON.parse(lines.at(-1)).id
  }
}
