/**
 * Times the check of a pull request in a large wiki: 18 edited pages, one deleted and one moved; with a warm index, and in a
 * fresh shallow clone that has the base.
 *
 *     npm run build && node test/bench/gate.mjs [--quick]
 *
 * Prints time, CPU and memory of whole commands, and the first index separately.
 */

import { spawnSync } from 'node:child_process'
import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import * as bench from './measure.mjs'

const rounds = bench.isQuick ? 1 : 3
const folder = bench.scratch()
const [work, shallow] = [join(folder, 'work'), join(folder, 'shallow')]

bench.git('.', ['clone', '-q', '--shared', await bench.generated({ ...bench.size, prose: true }), work])
bench.git(work, ['config', 'user.name', 'Bench'])
bench.git(work, ['config', 'user.email', 'bench@example.org'])
change()

const rows = [row('first index, and a check of the whole wiki', ['--all'], work, { indexed: false, times: 1 })]
rows.push(row('`wiki check --since main`, warm index', ['--since', 'main'], work, { indexed: true, times: rounds }))
bench.git('.', ['clone', '-q', '--depth', '1', '--no-single-branch', pathToFileURL(work).href, shallow])
const inClone = ['--range', 'origin/main..HEAD']
rows.push(row('`wiki check` in a fresh clone of depth 1', inClone, shallow, { indexed: false, times: rounds }))
console.log(
  `\n${bench.size.pages} pages, ${bench.size.commits} commits\n\n| | wall | CPU | memory |\n|---|---:|---:|---:|`,
)
for (const text of rows) console.log(text)

function change() {
  bench.git(work, ['checkout', '-q', '-b', 'draft'])
  const pages = bench.git(work, ['ls-files', '-z', '*.wiki']).split('\0').filter(Boolean)
  const step = Math.floor(pages.length / 20)
  const touched = Array.from({ length: 20 }, (_, at) => pages[at * step])
  for (const path of touched.slice(2)) appendFileSync(join(work, path), '\nA new line with a [[link to nowhere]].\n')
  bench.git(work, ['rm', '-q', touched[0]])
  bench.git(work, ['mv', touched[1], 'Moved_by_the_draft.wiki'])
  bench.git(work, ['commit', '-qam', 'Draft'])
}

/** A line of the table: medians of the same number of runs. */
function row(what, options, directory, { indexed, times }) {
  const runs = Array.from({ length: times }, () => {
    if (!indexed) rmSync(join(directory, '.git/wiki'), { recursive: true, force: true })
    return measured(options, directory)
  })
  const [wall, cpu, memory] = ['wall', 'cpu', 'memory'].map(name => bench.median(runs.map(run => run[name])))
  return `| ${what} | ${bench.time(wall)} | ${bench.time(cpu)} | ${(memory / 1000).toFixed(0)} MB |`
}

/** The memory of the command itself, as the system counts it, in kilobytes. */
function measured(options, directory) {
  const told = join(folder, 'memory')
  const exit = join(folder, 'exit.mjs')
  writeFileSync(
    exit,
    `import { writeFileSync } from 'node:fs'\nprocess.on('exit', () => writeFileSync(${JSON.stringify(told)}, String(process.resourceUsage().maxRSS)))\n`,
  )
  const [cpu, start] = [bench.cpuTime(), performance.now()]
  const command = ['--import', pathToFileURL(exit).href, join(bench.root, 'bin/wiki.cjs'), 'check', ...options]
  const { status, stderr } = spawnSync(process.execPath, [...command, '-C', directory], { maxBuffer: 1 << 30 })
  if (status > 1) throw new Error(stderr.toString())
  return { wall: performance.now() - start, cpu: bench.cpuTime() - cpu, memory: Number(readFileSync(told, 'utf8')) }
}
