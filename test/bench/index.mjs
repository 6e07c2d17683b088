/**
 * Times the index: the first one beside `git log --raw` of the same history, its size, its memory, and one more commit.
 *
 *     npm run build && node test/bench/index.mjs [--quick]
 *
 * Without --quick the flat wiki alone takes minutes, to make and to read.
 */

import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openWiki } from '../../dist/lib/index.js'
import { keyOf, pathOf } from './generate-wiki.mjs'
import * as bench from './measure.mjs'

const here = fileURLToPath(import.meta.url)
const layouts = ['folders', 'flat']

if (process.argv[2] === 'build') await build(process.argv[3], process.argv[4])
else await measure()

async function measure() {
  const real = await bench.bips()
  if (real !== null) {
    await firstIndex('bips', real)
    await coldIndex(real)
    await firstIndex('bips through isomorphic-git', real, { backend: 'isomorphic-git' })
  }
  for (const layout of layouts) {
    const folder = await bench.generated({ ...bench.size, layout })
    await firstIndex(`${bench.size.pages} pages, ${bench.size.commits} commits, ${layout}`, folder)
    await increment(layout, bench.scratch(folder))
  }
}

function rawLog(folder) {
  return bench.command('git', '-C', folder, '-c', 'log.showRoot=true', 'log', '--raw', '--no-abbrev', '--no-renames')
}

async function firstIndex(name, folder, { backend = 'git' } = {}) {
  const { ours, beside } = await bench.interleave(
    {
      ours: { before: () => dropIndex(folder), run: () => buildInChild(folder, backend) },
      beside: rawLog(folder),
    },
    { warm: false },
  )
  const { revisions, rss } = ours.last
  const isNative = backend === 'git'
  bench.table(`First index: ${name}, beside git log --raw`, [
    { what: 'all history, in process', ours, beside, target: isNative ? '≤ 1.5' : '' },
    { what: `bytes a revision (${revisions})`, ours: (indexBytes(folder) / revisions).toFixed(0), target: '< 200' },
    { what: 'peak memory of the process', ours: `${rss.toFixed(0)} MB`, target: isNative ? '< 300 MB' : '' },
  ])
}

async function coldIndex(folder) {
  const { ours, beside } = await bench.interleave({
    ours: { before: () => dropIndex(folder), run: bench.wikiCommand(folder, 'page', 'list') },
    beside: rawLog(folder),
  })
  bench.table('The first command of all on bips, beside git log --raw', [
    { what: 'wiki page list, without an index', ours, beside },
  ])
}

/** One more commit by git itself. */
async function increment(layout, folder) {
  const wiki = await openWiki({ directory: folder })
  await wiki.store.refresh()
  const commit = () => commitNatively(folder, pathOf(bench.size.pages >> 1, layout))
  const title = keyOf(bench.size.pages >> 1, layout)
  const history = bench.wikiCommand(folder, 'history', title)
  const { refresh, stale, current } = await bench.interleave({
    refresh: { before: commit, run: () => wiki.store.refresh() },
    stale: { before: commit, run: history },
    current: { before: () => wiki.store.refresh(), run: history },
  })
  await wiki.close()
  bench.table(`One more commit: ${layout}`, [
    { what: 'in-process refresh', ours: refresh, target: '< 20 ms' },
    { what: 'wiki history after it, beside without it', ours: stale, beside: current },
  ])
}

/** Changes one page through git's plumbing: hash-object, write-tree, commit-tree, update-ref. */
function commitNatively(folder, path) {
  const git = (parameters, options) => bench.git(folder, parameters, options).trim()
  const env = { ...process.env, GIT_INDEX_FILE: join(folder, 'bench-index') }
  const blob = git(['hash-object', '-w', '--stdin'], { input: `Changed at ${performance.now()}.\n` })
  git(['read-tree', 'HEAD'], { env })
  git(['update-index', '--cacheinfo', `100644,${blob},${path}`], { env })
  const tree = git(['write-tree'], { env })
  const who = ['-c', 'user.name=Bench', '-c', 'user.email=bench@example.org']
  const commit = git([...who, 'commit-tree', tree, '-p', 'HEAD', '-m', 'One more'])
  git(['update-ref', 'HEAD', commit])
}

function dropIndex(folder) {
  rmSync(join(folder, 'wiki'), { recursive: true, force: true })
}

function indexBytes(folder) {
  const files = readdirSync(join(folder, 'wiki'), { recursive: true }).map(name => statSync(join(folder, 'wiki', name)))
  return files.reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0)
}

function buildInChild(folder, backend) {
  return JSON.parse(bench.run(process.execPath, [here, 'build', folder, backend]))
}

/** In a separate process: builds the index and reports time and memory. */
async function build(directory, backend) {
  const cpu = bench.cpuTime()
  const start = performance.now()
  const wiki = await openWiki({ directory, backend })
  await wiki.store.refresh()
  const wall = performance.now() - start
  const { revisionCount: revisions } = wiki.store
  await wiki.close()
  const rss = process.resourceUsage().maxRSS / 1024
  // The system reports CPU time only of children that have ended.
  await new Promise(resolve => setTimeout(resolve, 50))
  console.log(JSON.stringify({ wall, cpu: bench.cpuTime() - cpu, rss, revisions }))
}
