/** The table of a run of all experiments: their results, the machine and the versions. */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { browserPath } from '../../scripts/browser-path.mjs'

/** Result lines in an experiment's output. */
const telling = [
  /^calls: .*/,
  /^\d+ lines acknowledged.*/,
  /^(?:read|html|REST write|CLI write|git commit|git pull): p50.*/,
  /^browser: Chromium.*/,
  /^\d+ documents of \d+ attacks.*/,
  /^\d+ connections, at most.*/,
  /^the server: .*/,
  /^(?:new connection|kept connection|write): p50.*/,
  /^\d+ patterns, .*/,
  /^\d+ requests, .*/,
  /^statuses .*/,
]
/** Lines with counts, of Vitest and of experiments that end in the same way. */
const closing = /^(?:Tests {2}.*|[a-z ]+: (?:nothing is wrong|\d+ WRONG|WRONG).*|nothing is wrong|no finding.*)$/
/** Lines that name what is not available. */
const skipping = /^\s*skip(?:ped)?[: ]/

const linesOf = said =>
  said
    .replace(/\x1b\[[0-9;]*m/g, '')
    .split('\n')
    .map(line => line.trim())

/** Numbers of parts that passed and that were skipped, for experiments that report each part. */
export function countsOf(said) {
  const lines = linesOf(said)
  const own = lines.filter(line => skipping.test(line)).length
  const inTests = /^Tests {2}.*?(\d+) skipped/
  const inVitest = lines.reduce((sum, line) => sum + Number(inTests.exec(line)?.[1] ?? 0), 0)
  return { right: lines.filter(line => /^(?:ok {2}|\d+ cases: )/.test(line)).length, skipped: own + inVitest }
}

/** Short form of the output of an experiment. */
function summaryOf(said) {
  const lines = linesOf(said)
  const { right } = countsOf(said)
  const told = lines.filter(line => telling.some(pattern => pattern.test(line)))
  const skipped = lines.filter(line => skipping.test(line))
  const wrong = lines.filter(line => /^(?:WRONG|FAILED)/.test(line)).slice(0, 3)
  const end = lines.filter(line => closing.test(line)).slice(-2)
  return [...(right > 0 ? [`${right} ok`] : []), ...told, ...wrong, ...skipped, ...end]
    .join('; ')
    .replaceAll('|', '\\|')
}

/** The machine, the versions and the commit. */
export function describeMachine(cwd) {
  const ask = (command, ...words) => (spawnSync(command, words, { cwd, encoding: 'utf8' }).stdout ?? '').trim()
  const browser = ask(browserPath, '--version', '--no-sandbox')
  const memory = `${Math.round(totalmem() / 2 ** 30)} GB`
  const system = `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, ${memory}, ${process.platform} ${process.arch}`
  const versions = [`Node ${process.versions.node}`, ask('git', '--version'), browser || 'no browser']
  return `${system}; ${versions.join(', ')}; commit ${ask('git', 'rev-parse', '--short', 'HEAD') || 'unknown'}`
}

/** Formats seconds for people. */
function timeOf(seconds) {
  return seconds < 100 ? `${Math.round(seconds)} s` : `${(seconds / 60).toFixed(1)} min`
}

/** Writes the table as Markdown. */
export function writeMarkdown(file, { machine, rows, seconds }) {
  const cells = rows.map(
    row => `| ${row.name} | \`${row.command}\` | ${row.result} | ${timeOf(row.seconds)} | ${summaryOf(row.said)} |`,
  )
  const head = ['| experiment | command | result | time | what it told |', '|---|---|---|---|---|']
  const total = `In all ${timeOf(seconds)}.`
  writeFileSync(
    file,
    [`${new Date().toISOString().slice(0, 10)}: ${machine}.`, '', ...head, ...cells, '', total, ''].join('\n'),
  )
}

/** Prints the table. */
export function printTable(rows, seconds) {
  console.log('\n== summary')
  for (const row of rows) {
    console.log(`${row.name.padEnd(13)} ${timeOf(row.seconds).padStart(8)}  ${row.result}`)
    console.log(`${' '.repeat(24)}${summaryOf(row.said).slice(0, 300)}`)
  }
  console.log(`in all ${timeOf(seconds)}`)
}
