/** Edits: one after the other, sixteen at a time, on the command line; beside `git commit` in a work tree; all writing commands. */
import { cpSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { writingCommands } from './command-table.mjs'
import { cpuOf } from './load.mjs'
import * as bench from './measure.mjs'

const who = ['-c', 'user.name=Bench', '-c', 'user.email=bench@example.org']

export async function measureWrites(folder, server, { pages }, { seconds }) {
  const { token } = newToken(folder)
  const places = pages.slice(100, 400)
  const alone = await writeFor(server, { token, places, writers: 1, seconds: seconds * 6 })
  const together = await writeFor(server, { token, places, writers: 16, seconds: seconds * 6 })
  const workTree = workTreeOf(folder)
  return [
    { what: 'PUT /page/{title}, one after the other', ...alone },
    { what: 'PUT /page/{title}, 16 writers', ...together },
    ...(await measureBesideGit(folder, server, { token, places, workTree, seconds })),
    ...(await measureCommands(folder, { pages: pages.slice(40, 100), workTree, seconds })),
  ]
}

/** One edit through the server, one on the command line and one by git, alternating. */
async function measureBesideGit(folder, server, { token, places, workTree, seconds }) {
  const agent = new Agent({ keepAlive: true })
  const texts = bench.scratch()
  const [edit] = writingCommands({ pages: places, workTree, folder: texts })
  let turn = 0
  const { put, command, git } = await bench.interleave(
    {
      put: async () => {
        const before = cpuOf(server.pids)
        const wall = await putOnce({ agent, server, token, key: places[1].key, source: `State ${turn++}.\n` })
        return { wall, cpu: cpuOf(server.pids) - before }
      },
      command: prepared(folder, edit),
      git: {
        before: () => writeFileSync(join(workTree, places[0].path), `Text ${turn++} of git.\n`),
        run: bench.command('git', '-C', workTree, ...who, 'commit', '-qam', 'edit'),
      },
    },
    { seconds: seconds * 8, least: 5, most: 41 },
  )
  agent.destroy()
  const beside = ({ wall, slowest, cpu }) => ({ p50: wall, p99: slowest, cpu, git: git.wall, gitCpu: git.cpu })
  return [
    { what: 'PUT /page/{title}, beside git commit -a', ...beside(put) },
    { what: 'wiki page edit, beside git commit -a', ...beside(command) },
  ]
}

/** The other writing commands; each uses its own pages, titles and files every time. */
async function measureCommands(folder, { pages, workTree, seconds }) {
  const token = () => newToken(folder).id
  const commands = writingCommands({ pages, workTree, folder: bench.scratch(), token })
  const rows = []
  for (const command of commands.slice(1)) {
    const runs = { ours: prepared(folder, command), node: bench.bareNode }
    const { ours, node } = await bench.interleave(runs, { seconds: seconds * 2, least: turns, most: turns })
    const what = command.what ?? `wiki ${command.command}`
    rows.push({ what, p50: ours.wall, p99: ours.slowest, cpu: ours.cpu, node: node.wall, nodeCpu: node.cpu })
  }
  return rows
}

/** All commands get the same number, because one moves and deletes the output of another. */
const turns = 7

function prepared(folder, { command, prepare, at = folder }) {
  let turn = 0
  let parameters = []
  return {
    before: () => {
      parameters = prepare(turn++)
    },
    run: () => bench.wikiCommand(at, ...command.split(' '), ...parameters)(),
  }
}

function newToken(folder) {
  const wiki = join(bench.root, 'bin/wiki.cjs')
  return JSON.parse(bench.run(process.execPath, [wiki, 'token', 'create', 'Bench', '--json', '-C', folder]))
}

/** A clone with all files; it shares the wiki's objects, and has its index. */
function workTreeOf(folder) {
  const native = bench.scratch()
  bench.git('.', ['clone', '-q', '--shared', folder, native])
  cpSync(join(folder, 'wiki'), join(native, '.git/wiki'), { recursive: true })
  return native
}

/** Each writer has its own pages, and edits them one after another. */
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
        const { key } = own[turn % own.length]
        latencies.push(await putOnce({ agent, server, token, key, source: `State ${turn} by ${writer}.\n` }))
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

/** Returns the milliseconds of the edit, without the request for its base. */
async function putOnce({ agent, server, token, key, source }) {
  const path = `${server.prefix}/page/${key}`
  const { latest } = await send({ agent, port: server.port, path: `${path}/bare` })
  const asked = performance.now()
  const body = { source, comment: 'edit', latest: { id: latest.id } }
  await send({ agent, port: server.port, path, method: 'PUT', token, body })
  return performance.now() - asked
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
