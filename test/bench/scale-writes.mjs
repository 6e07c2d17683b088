/** Edits: one after the other, sixteen at a time, on the command line; beside `git commit` in a work tree. */
import { writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { cpuOf } from './load.mjs'
import * as bench from './measure.mjs'

const who = ['-c', 'user.name=Bench', '-c', 'user.email=bench@example.org']

export async function measureWrites(folder, server, { pages }, { seconds }) {
  const created = bench.run(process.execPath, [
    join(bench.root, 'bin/wiki.cjs'),
    'token',
    'create',
    'Bench',
    '--json',
    '-C',
    folder,
  ])
  const { token } = JSON.parse(created)
  const places = pages.slice(100, 400)
  const alone = await writeFor(server, { token, places, writers: 1, seconds: seconds * 4 })
  const together = await writeFor(server, { token, places, writers: 16, seconds: seconds * 4 })
  const native = workTreeOf(folder)
  const text = join(bench.scratch(), 'text.wiki')
  let turn = 0
  const { command, git } = await bench.interleave(
    {
      command: {
        before: () => writeFileSync(text, `Text ${turn++} of the command line.\n`),
        run: bench.wikiCommand(
          folder,
          'page',
          'edit',
          places[0].key,
          '-f',
          text,
          '-m',
          'edit',
          '--user',
          'Bench <bench@example.org>',
        ),
      },
      git: {
        before: () => writeFileSync(join(native, places[0].path), `Text ${turn++} of git.\n`),
        run: bench.command('git', '-C', native, ...who, 'commit', '-qam', 'edit'),
      },
    },
    { seconds: seconds * 4, least: 5, most: 41 },
  )
  return [
    { what: 'PUT /page/{title}, one after the other', ...alone, git: git.wall },
    { what: 'PUT /page/{title}, 16 writers', ...together },
    {
      what: 'wiki page edit, beside git commit -a',
      p50: command.wall,
      p99: command.slowest,
      cpu: command.cpu,
      git: git.wall,
      gitCpu: git.cpu,
    },
  ]
}

/** A clone with all files; it shares the wiki's objects. */
function workTreeOf(folder) {
  const native = bench.scratch()
  bench.git('.', ['clone', '-q', '--shared', folder, native])
  return native
}

/** Each writer has pages of its own, and edits one after the other of them. */
async function writeFor(server, { token, places, writers, seconds }) {
  const agent = new Agent({ keepAlive: true, maxSockets: writers })
  const latencies = []
  const before = cpuOf(server.pids)
  const start = performance.now()
  const end = start + seconds * 1000
  await Promise.all(
    Array.from({ length: writers }, async (_, writer) => {
      const own = places.filter((_, at) => at % writers === writer)
      for (let turn = 0; performance.now() < end; turn++) {
        const path = `${server.prefix}/page/${own[turn % own.length].key}`
        const { latest } = await send({ agent, port: server.port, path: `${path}/bare` })
        const asked = performance.now()
        const body = { source: `State ${turn} by ${writer}.\n`, comment: 'edit', latest: { id: latest.id } }
        await send({ agent, port: server.port, path, method: 'PUT', token, body })
        latencies.push(performance.now() - asked)
      }
    }),
  )
  const elapsed = (performance.now() - start) / 1000
  agent.destroy()
  latencies.sort((a, b) => a - b)
  return {
    p50: latencies[latencies.length >> 1],
    p99: latencies[Math.floor(latencies.length * 0.99)],
    rate: latencies.length / elapsed,
    cpu: (cpuOf(server.pids) - before) / latencies.length,
  }
}

function send({ agent, port, path, method = 'GET', token, body }) {
  const headers = {
    ...(token && { Authorization: `Bearer ${token}` }),
    ...(body && { 'Content-Type': 'application/json' }),
  }
  return new Promise((resolve, reject) => {
    const asked = request({ agent, host: '127.0.0.1', port, path, method, headers }, response => {
      const chunks = []
      response.on('data', chunk => chunks.push(chunk))
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        if (response.statusCode < 300) resolve(JSON.parse(text))
        else reject(new Error(`${method} ${path}: ${response.statusCode} ${text}`))
      })
    })
    asked.on('error', reject).end(body && JSON.stringify(body))
  })
}
