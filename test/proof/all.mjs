/**
 * Runs all experiments, one after the other, and prints a table of their results.
 *
 *     npm run proof [-- --rounds 1000 --calls all --seconds 300 --requests 10000 --seed 1] [--only <name>,<name>]
 *                   [--lanes 4] [--tabs 4] [--markdown <file>]
 *
 * Each has a time limit, after which it is stopped with all processes that it started, and counts as failed. Experiments that
 * cannot run here (no browser, no right to mount) count as skipped, not as passed. `--markdown` also writes the table to a
 * file, again after each experiment. Half of the time of `kill` is spent waiting for the disk: with TMPDIR in memory (/dev/shm)
 * it takes half as long and finds the same.
 */
import { spawn } from 'node:child_process'
import { cpus } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { countsOf, describeMachine, printTable, writeMarkdown } from './all-report.mjs'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '1000' },
    calls: { type: 'string', default: 'all' },
    seconds: { type: 'string', default: '300' },
    requests: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    lanes: { type: 'string', default: '4' },
    tabs: { type: 'string', default: '4' },
    only: { type: 'string' },
    markdown: { type: 'string' },
  },
})
const { rounds, calls, seconds, requests, seed, lanes, tabs } = values
const proof = (name, ...options) => ['node', `test/proof/${name}.mjs`, ...options, '--seed', seed]
const fuzz = (name, ...options) => ['node', `test/fuzz/${name}.mjs`, ...options, '--seed', seed]
const tests = (...files) => ['npx', 'vitest', 'run', ...files]
/** Tests with all of their rounds. */
const allOf = (...files) => ['env', 'WIKI_PROOF=1', ...tests(...files)]

/** Name, command, and the time limit in minutes: three times the time on two quiet cores, or more. */
const experiments = [
  ['kill', proof('kill', '--rounds', rounds, '--calls', calls, '--lanes', lanes), 90],
  ['together', proof('together', '--seconds', seconds), 5 + Number(seconds) / 60],
  ['namespaces', proof('namespaces', '--seconds', seconds), 5 + Number(seconds) / 30],
  ['interleavings', proof('interleavings', '--interleavings', rounds), 120],
  ['everyday', ['node', 'test/proof/everyday.mjs', '--lanes', lanes], 20],
  ['faults', proof('faults', '--lanes', lanes), 20],
  ['work tree', tests('test/operations/work-tree-states.test.ts'), 10],
  ['power', tests('test/store/power.test.ts'), 5],
  ['cuts', proof('cuts', '--lanes', lanes), 60],
  ['disks', proof('disks', '--lanes', lanes), 60],
  ['differential', allOf('test/proof/differential.test.ts', 'test/store/odd-commits.test.ts'), 120],
  ['browser', proof('browser', '--tabs', tabs), 90],
  ['connections', proof('connections'), 5],
  ['hostile', proof('hostile', '--requests', requests), 20],
  ['another wiki', fuzz('rest', '--requests', requests, '--wiki', 'other'), 10],
  ['round trip', fuzz('roundtrip'), 15],
  ['regexes', proof('regexes', '--all'), 45],
  ['dependencies', ['node', 'scripts/dependencies.mjs', '--check'], 2],
]
const cwd = fileURLToPath(new URL('../..', import.meta.url))
const unknown = (values.only?.split(',') ?? []).filter(name => !experiments.some(([known]) => known === name))
if (unknown.length > 0) throw new Error(`no experiment is called ${unknown.join(', ')}`)

/** The running experiment, as a separate process group. */
let running
for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => {
    endGroup()
    process.exit(1)
  })

function endGroup() {
  try {
    if (running !== undefined) process.kill(-running.pid, 'SIGKILL')
  } catch {
    // It has already ended.
  }
}

/** Runs a command and shows its output; stops it, and its children, after its time limit. */
function run([command, ...words], minutes) {
  running = spawn(command === 'node' ? process.execPath : command, words, {
    cwd,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  let isLate = false
  running.stdout.setEncoding('utf8').on('data', text => {
    process.stdout.write(text)
    said += text
  })
  const timer = setTimeout(() => {
    isLate = true
    endGroup()
  }, minutes * 60_000)
  return new Promise(resolve => {
    const end = status => {
      clearTimeout(timer)
      resolve({ result: isLate ? `NOT DONE in ${minutes} minutes` : resultOf(status, said), said })
    }
    running.once('close', end)
    running.once('error', error => {
      said += String(error)
      end(1)
    })
  })
}

function resultOf(status, said) {
  if (status !== 0) return 'WRONG'
  const skipped = countsOf(said).skipped
  return skipped === 0 ? 'nothing is wrong' : `nothing is wrong, ${skipped} SKIPPED`
}

const began = performance.now()
const machine = describeMachine(cwd)
console.log(`${machine}; ${cpus().length} cores; seed ${seed}`)
const rows = []
for (const [name, command, minutes] of experiments) {
  if (values.only !== undefined && !values.only.split(',').includes(name)) continue
  console.log(`\n== ${name}: ${command.join(' ')}`)
  const start = performance.now()
  const { result, said } = await run(command, minutes)
  rows.push({ name, command: command.join(' '), result, seconds: (performance.now() - start) / 1000, said })
  const seconds = (performance.now() - began) / 1000
  if (values.markdown) writeMarkdown(values.markdown, { machine, rows, seconds })
}
printTable(rows, (performance.now() - began) / 1000)
process.exit(rows.every(({ result }) => result.startsWith('nothing is wrong')) ? 0 : 1)
