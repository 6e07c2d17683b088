/**
 * The worst that one request can do to others: each row is sent twice at once while another client reads
 * `/page/Cheap/bare` without pause. Prints what the request was answered, after how long, and the median and the longest of
 * the cheap reads.
 *
 *     npm run build && node test/bench/worst-requests.mjs [--only compar,lint] [--beside <checkout>]
 */
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import * as bench from './measure.mjs'
import { startWiki } from './servers.mjs'
import { worstHistory, worstRequests, worstWiki } from './worst-table.mjs'

const agent = new Agent({ keepAlive: true })
const { values } = parseArgs({ options: { beside: { type: 'string' }, only: { type: 'string', default: '' } } })

for (const checkout of [bench.root, values.beside].filter(Boolean)) await measureAll(checkout)

async function measureAll(checkout) {
  const folder = bench.scratch()
  bench.git('.', ['init', '-q', '-b', 'main', folder])
  for (const files of worstWiki()) {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(join(folder, path, '..'), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
    bench.git(folder, ['add', '.'])
    bench.git(folder, ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', 'commit', '-q', '-m', 'pages'])
  }
  bench.git(folder, ['fast-import', '--quiet'], { input: worstHistory() })
  bench.git(folder, ['reset', '-q', '--hard'])
  const server = await startWiki(folder, { checkout, options: ['--allow-anonymous'] })
  console.log(checkout)
  console.log('| request | answer | bytes | s | cheap read: median ms | longest ms |\n|---|---|---|---|---|---|')
  try {
    await cheapRead(server)
    for (const row of worstRequests) if (isAsked(row.name)) console.log(await measure(server, row))
  } finally {
    await server.stop()
  }
}

function isAsked(name) {
  return values.only.split(',').some(part => name.includes(part))
}

async function measure(server, { name, method = 'GET', path, body, type, text: sent }) {
  // Made before anything is measured: this process reads, too.
  const text = sent?.() ?? (body === undefined ? undefined : JSON.stringify(body()))
  let isOver = false
  const reads = []
  const reading = (async () => {
    while (!isOver) {
      const start = performance.now()
      await cheapRead(server)
      reads.push(performance.now() - start)
      await new Promise(resolve => setTimeout(resolve, 2))
    }
  })()
  const start = performance.now()
  const [{ status, bytes }] = await Promise.all([0, 1].map(() => send(server, { method, path, text, type })))
  const seconds = (performance.now() - start) / 1000
  isOver = true
  await reading
  const longest = Math.max(...reads).toFixed(0)
  return `| ${name} | ${status} | ${bytes} | ${seconds.toFixed(2)} | ${bench.median(reads).toFixed(1)} | ${longest} |`
}

function cheapRead(server) {
  return send(server, { method: 'GET', path: `${server.prefix}/page/Cheap/bare`, agent })
}

async function send({ port, prefix }, { method, path, text, type = 'application/json', agent: given = false }) {
  const headers = text === undefined ? {} : { 'content-type': type }
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
