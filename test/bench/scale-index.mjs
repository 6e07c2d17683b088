/** The index: the first one beside `git log --raw`, its size, a server's start with it, and the delay until a commit is seen. */
import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { keyOf } from './generate-wiki.mjs'
import { commitByGit } from './git-commit.mjs'
import { memoryOf } from './load.mjs'
import * as bench from './measure.mjs'
import { startWiki } from './servers.mjs'

const builder = fileURLToPath(new URL('index.mjs', import.meta.url))
/** The page that git writes, to measure when a server returns it. */
export const seenKey = 'Seen_from_outside'
/** From this number of commits on, the first index is built once. */
const manyCommits = 200_000

export async function measureIndex(folder, { commits }) {
  const runs = {
    ours: {
      before: () => dropIndex(folder),
      run: () => JSON.parse(bench.run(process.execPath, [builder, 'build', folder, 'git'])),
    },
    git: bench.command('git', '-C', folder, '-c', 'log.showRoot=true', 'log', '--raw', '--no-abbrev', '--no-renames'),
  }
  const times = commits < manyCommits ? { seconds: 1, least: 3, most: 3 } : { seconds: 0, least: 1, most: 1 }
  const { ours, git } = await bench.interleave(runs, { ...times, warm: false })
  const { revisions, rss } = ours.last
  return [
    {
      what: 'first index, beside git log --raw',
      p50: ours.wall,
      cpu: ours.cpu,
      git: git.wall,
      gitCpu: git.cpu,
      target: '< 10 min',
    },
    { what: 'revisions', number: revisions },
    { what: 'index, bytes a revision', number: Math.round(indexBytes(folder) / revisions), target: '< 200' },
    { what: 'memory of the first index, MB', number: Math.round(rss) },
    ...(await measureStart(folder)),
    ...(await measureFollowing(folder)),
  ]
}

function dropIndex(folder) {
  rmSync(join(folder, 'wiki'), { recursive: true, force: true })
}

function indexBytes(folder) {
  const files = readdirSync(join(folder, 'wiki'), { recursive: true }).map(name => statSync(join(folder, 'wiki', name)))
  return files.reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0)
}

/** From the start of the process to its first response. */
async function measureStart(folder) {
  const memory = []
  const start = async () => {
    const server = await startWiki(folder)
    await ask(server, `/page/${keyOf(0, 'sharded')}/bare`).catch(() => {})
    memory.push(memoryOf(server.pids[0]))
    return server.stop()
  }
  const { ours, bare } = await bench.interleave({ ours: start, bare: bench.bareNode }, { seconds: 4, least: 3 })
  return [
    {
      what: 'start of the server to its first answer and its end, beside node -e 0',
      p50: ours.wall,
      p99: ours.slowest,
      cpu: ours.cpu,
      node: bare.wall,
      target: '< 2 s',
    },
    { what: 'memory of the server at its start, MB', number: Math.round(bench.median(memory)) },
  ]
}

/** From the end of git's commit until a running server returns it. */
async function measureFollowing(folder) {
  const server = await startWiki(folder)
  const key = seenKey
  let turn = 0
  const appears = {
    before: () => commitByGit(folder, `${key}.wiki`, `State ${++turn} of it.\n`),
    run: async () => {
      const start = performance.now()
      for (;;) {
        const page = await ask(server, `/page/${key}`).catch(() => null)
        if (page?.source?.includes(`State ${turn} `)) return { wall: performance.now() - start }
      }
    },
  }
  const { appears: seen } = await bench.interleave({ appears }, { seconds: 4, least: 5 })
  await server.stop()
  return [
    { what: 'a commit of git until the server answers with it', p50: seen.wall, p99: seen.slowest, target: '< 1 s' },
  ]
}

async function ask({ port, prefix }, path) {
  const answer = await fetch(`http://127.0.0.1:${port}${prefix}${path}`)
  return answer.json()
}
