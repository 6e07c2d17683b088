/**
 * Times the lists of a large wiki by its links: cold, and after edits.
 *
 *     npm run build && node test/bench/links.mjs [--pages 100000] [--wiki <folder>] [--quick]
 *
 * The wiki (linked.mjs) has about twenty links a page; `--wiki` keeps it in a folder. `in process` is the time of the operation
 * in a process that has just opened the wiki, with the index and the links on disk: CPU and wall milliseconds, medians.
 * `command` is `wiki list` as a whole, with the time of a bare `node -e 0` beside it.
 */
import { spawnSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { listByLinks, openWiki, readPage, updatePage } from '../../dist/lib/index.js'
import { generateWiki } from './generate-wiki.mjs'
import * as bench from './measure.mjs'

const { values } = parseArgs({
  options: {
    pages: { type: 'string', default: bench.isQuick ? '2000' : '100000' },
    wiki: { type: 'string' },
    quick: { type: 'boolean' },
    child: { type: 'string' },
  },
})
const turns = bench.isQuick ? 3 : 5
const author = { name: 'Bench', address: 'bench@example.org' }

if (values.child) await answerOnce(JSON.parse(values.child))
else await measure()

/** In a separate process: opens the wiki, runs the query once, prints the times. */
async function answerOnce({ folder, list, limit }) {
  const wiki = await openWiki({ directory: folder })
  await wiki.store.refresh()
  // Threads load the index into the system's cache at the same time.
  await setTimeout(300)
  const taken = await timed(() => listByLinks(wiki, { list, limit }))
  console.log(JSON.stringify({ ...taken, count: taken.result.members.length, total: taken.result.total, result: null }))
  await wiki.close()
}

async function timed(run) {
  const cpu = process.cpuUsage()
  const start = performance.now()
  const result = await run()
  const wall = performance.now() - start
  const { user, system } = process.cpuUsage(cpu)
  return { cpu: (user + system) / 1000, wall, result }
}

async function measure() {
  const folder = values.wiki ? resolve(values.wiki) : join(bench.scratch(), 'linked')
  await generateWiki(folder, { pages: Number(values.pages), layout: 'sharded', style: 'linked' })
  // Builds the index and the links.
  bench.wikiCommand(folder, 'list', '--orphans', '-n', '1')()
  console.log(
    `${'list'.padEnd(20)} members  first 500: CPU  wall   all: CPU  wall   command -n 500: CPU  wall  node: CPU  wall`,
  )
  for (const list of await listNames(folder)) await printList(folder, list)
  await printEdits(folder)
}

/** The error for an unknown list names all of them. */
async function listNames(folder) {
  const wiki = await openWiki({ directory: folder })
  const names = await listByLinks(wiki, { list: '' }).catch(({ hint }) => hint.replace('Lists: ', '').split(', '))
  await wiki.close()
  return names
}

async function printList(folder, list) {
  const first = answers({ folder, list, limit: 500 })
  const all = answers({ folder, list, limit: 1e9 })
  const runs = { ours: bench.wikiCommand(folder, 'list', list, '-n', '500'), node: bench.bareNode }
  const { ours, node } = await bench.interleave(runs, { seconds: 0, least: turns })
  const row = [first.cpu, first.wall, all.cpu, all.wall, ours.cpu, ours.wall, node.cpu, node.wall]
  console.log(
    `${list.padEnd(20)} ${String(all.total).padStart(7)}  ${row.map(each => each.toFixed(1).padStart(7)).join('')}`,
  )
}

/** Medians of several processes. */
function answers(asked) {
  const child = [fileURLToPath(import.meta.url), '--child', JSON.stringify(asked)]
  const taken = Array.from({ length: turns }, () => {
    const { stdout, stderr, status } = spawnSync(process.execPath, child, { encoding: 'utf8' })
    if (status !== 0) throw new Error(stderr)
    return JSON.parse(stdout)
  })
  const [cpu, wall] = ['cpu', 'wall'].map(name => bench.median(taken.map(each => each[name])))
  return { cpu, wall, total: taken[0].total }
}

/** Edits in a process with the links in memory: the next list includes the change. */
async function printEdits(folder) {
  const wiki = await openWiki({ directory: folder })
  await wiki.store.refresh()
  for (let turn = 0; turn < 2; turn++) await listByLinks(wiki, { list: 'orphans', limit: 20 })
  const taken = []
  for (let edit = 0; edit < (bench.isQuick ? 20 : 200); edit++) {
    const title = `Page ${(edit * 7919) % Number(values.pages)}`
    const { source, latest } = await readPage(wiki, { title, base: 'http://127.0.0.1/v1' })
    const text = `${source}\n\n[[Page ${edit}]] and [[Wanted ${edit} again]]\n`
    await updatePage(wiki, { title, source: text, comment: 'Add links', base: latest.id, author })
    taken.push(await timed(() => listByLinks(wiki, { list: 'wanted', limit: 20 })))
  }
  for (const name of ['cpu', 'wall']) {
    const sorted = taken.map(each => each[name]).sort((a, b) => a - b)
    const mean = sorted.reduce((sum, each) => sum + each, 0) / sorted.length
    const [median, high] = [0.5, 0.95].map(part => sorted[Math.floor(sorted.length * part)])
    const told = { median, high, longest: sorted.at(-1), mean }
    console.log(
      `list after an edit, ${name}:`,
      Object.entries(told)
        .map(([of, ms]) => `${of} ${ms.toFixed(2)} ms`)
        .join(', '),
    )
  }
  await wiki.close()
  const after = answers({ folder, list: 'wanted', limit: 500 })
  console.log(
    `cold, with these edits beside the packed links: CPU ${after.cpu.toFixed(1)} ms, wall ${after.wall.toFixed(1)} ms`,
  )
}
