/**
 * Shared by the benchmarks: alternating runs, their medians, a table; and the wikis they run on.
 *
 * Nothing here is a test: the results are ratios of runs that alternate, because the machine is never quiet. Importing it gives
 * all children the same environment: no certificates to load (they cost Node 20 up to 95 ms at every start), no git settings of
 * this user.
 */

import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { devNull, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { generateWiki } from './generate-wiki.mjs'

delete process.env.NODE_EXTRA_CA_CERTS
Object.assign(process.env, { GIT_CONFIG_GLOBAL: devNull, GIT_CONFIG_NOSYSTEM: '1' })

export const root = fileURLToPath(new URL('../..', import.meta.url))

/** Small wikis and short runs, to check that a benchmark works. */
export const isQuick = process.argv.includes('--quick')

const cache = join(tmpdir(), 'gitwiki-bench')

// Commands

/** Runs a program to its end and returns its output. Throws an error with its `status` if that is not 0. */
export function run(file, parameters, options = {}) {
  const { status, stdout, stderr, error } = spawnSync(file, parameters, {
    encoding: 'utf8',
    maxBuffer: 1 << 30,
    timeout: 600_000,
    ...options,
  })
  if (status !== 0)
    throw Object.assign(new Error(`${file} ${parameters.join(' ')}: ${error?.message ?? stderr}`), { status })
  return stdout
}

export function git(directory, parameters, options = {}) {
  // Packing in the background would change the folder while it is copied.
  return run(
    'git',
    ['-C', directory, '-c', 'gc.autoDetach=false', '-c', 'maintenance.autoDetach=false', ...parameters],
    options,
  )
}

/** Runs a program and ignores its output. */
export function command(file, ...parameters) {
  return () => void run(file, parameters, { stdio: ['ignore', 'ignore', 'pipe'] })
}

export function wikiCommand(directory, ...parameters) {
  return command(process.execPath, join(root, 'bin/wiki.cjs'), ...parameters, '-C', directory)
}

export const bareNode = command(process.execPath, '-e', '0')

// Measuring

/**
 * Runs things alternately, A B A B ..., after one run of each that is not counted. Each is a function, or `{before, run}` with
 * a `before` that is not measured; a run may return its own `wall` and `cpu`. Returns for each the median wall time and the
 * mean CPU time in milliseconds, including programs that the run waited for.
 */
export async function interleave(runs, { seconds = isQuick ? 3 : 15, least = 3, most = 101, warm = true } = {}) {
  const samples = Object.fromEntries(Object.keys(runs).map(name => [name, []]))
  if (warm) for (const entry of Object.values(runs)) await sample(entry)
  const end = performance.now() + seconds * 1000
  for (let turn = 0; turn < least || (turn < most && performance.now() < end); turn++)
    for (const [name, entry] of Object.entries(runs)) samples[name].push(await sample(entry))
  return Object.fromEntries(Object.entries(samples).map(([name, taken]) => [name, summary(taken)]))
}

async function sample(entry) {
  const { before, run } = typeof entry === 'function' ? { run: entry } : entry
  await before?.()
  const cpu = cpuTime()
  const start = performance.now()
  const own = await run()
  return { wall: performance.now() - start, cpu: cpuTime() - cpu, ...own }
}

function summary(taken) {
  return {
    wall: median(taken.map(({ wall }) => wall)),
    cpu: taken.reduce((sum, { cpu }) => sum + cpu, 0) / taken.length,
    slowest: Math.max(...taken.map(({ wall }) => wall)),
    last: taken.at(-1),
  }
}

export function median(values) {
  return values.toSorted((a, b) => a - b)[values.length >> 1]
}

/** Milliseconds of CPU time of this process and of its finished children; the latter on Linux only, to 10 ms. */
export function cpuTime() {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000 + endedChildren()
}

function endedChildren() {
  if (process.platform !== 'linux') return 0
  const fields = readFileSync('/proc/self/stat', 'latin1').split(') ')[1].split(' ')
  return (Number(fields[13]) + Number(fields[14])) * 10
}

// Printing

/**
 * Prints rows `{what, ours, beside, target}`: `ours` and `beside` are results of `interleave`, or `ours` is a text without a
 * comparison. The ratios are of wall and of CPU time. Empty columns are omitted.
 */
export function table(title, rows) {
  const all = [['', 'ours', 'beside', 'ratio', 'CPU ratio', 'target'], ...rows.map(cellsOf)]
  const cells = all.map(row => row.filter((_, column) => all.some((other, at) => at > 0 && other[column] !== '')))
  const widths = cells[0].map((_, column) => Math.max(...cells.map(row => row[column].length)))
  console.log(`\n${title}`)
  for (const row of cells)
    console.log(row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at]) : cell.padStart(widths[at]))).join('  '))
}

function cellsOf({ what, ours, beside, target = '' }) {
  if (typeof ours === 'string') return [what, ours, '', '', '', target]
  if (beside === undefined) return [what, time(ours.wall), '', '', '', target]
  const ratios = [ours.wall / beside.wall, ours.cpu / beside.cpu].map(ratio => ratio.toFixed(2))
  return [what, time(ours.wall), time(beside.wall), ...ratios, target]
}

export function time(milliseconds) {
  if (milliseconds < 1) return `${(milliseconds * 1000).toFixed(0)} µs`
  if (milliseconds < 100) return `${milliseconds.toFixed(1)} ms`
  return milliseconds < 10_000 ? `${milliseconds.toFixed(0)} ms` : `${(milliseconds / 1000).toFixed(1)} s`
}

// Wikis

/** A bare generated wiki, made once and stored in the system's temporary folder. Write only to a `scratch` copy. */
export function generated({ pages, commits, layout = 'folders', prose = false, batch = 1 }) {
  const name = prose ? `prose-${pages}-${commits}` : `${layout}-${pages}-${commits}`
  return kept(name, folder => generateWiki(folder, { pages, commits, layout, prose, batch }))
}

/** The large wiki of the benchmarks: 10,000 pages and 50,000 commits. */
export const size = isQuick ? { pages: 2000, commits: 10_000 } : { pages: 10_000, commits: 50_000 }

/** A bare clone of a real wiki, made once; null if the project's data is not available. */
export function bips() {
  const bundle = join(root, '../shared/data/bips.bundle')
  return existsSync(bundle) ? kept('bips', folder => git('.', ['clone', '-q', '--bare', bundle, folder])) : null
}

/**
 * A wiki that is made once, bare or not, without the index that another build may have left in it. Write only to a `scratch`
 * copy.
 */
export async function kept(name, make) {
  const folder = join(cache, name)
  for (const index of ['wiki', '.git/wiki']) rmSync(join(folder, index), { recursive: true, force: true })
  if (existsSync(folder)) return folder
  mkdirSync(cache, { recursive: true })
  const unfinished = `${folder}.${process.pid}.new`
  console.error(`making ${folder}`)
  await make(unfinished)
  renameSync(unfinished, folder)
  return folder
}

/** A folder that is deleted when the process ends; with a copy of `source` in it if one is given. */
export function scratch(source) {
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'scratch-'))
  process.once('exit', () => rmSync(folder, { recursive: true, maxRetries: 5, force: true }))
  if (source !== undefined) cpSync(source, folder, { recursive: true })
  return folder
}
