/**
 * Lists the slowest test files and cases. `npm run test:slowest` runs all tests first, `npm run test:slowest -- test/store`
 * those of a folder; `npm run test:slowest -- report.json` reads a report that `vitest --reporter=json` has written.
 */

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'

const listed = 25
const given = process.argv.slice(2)
const isReport = given.length === 1 && given[0].endsWith('.json')
const { testResults } = isReport ? JSON.parse(readFileSync(given[0], 'utf8')) : runTests(given)

const files = testResults.map(({ name, startTime, endTime }) => [endTime - startTime, relative('.', name)])
const cases = testResults.flatMap(({ name, assertionResults }) =>
  assertionResults.map(({ duration, fullName }) => [duration ?? 0, `${relative('.', name)}: ${fullName}`]),
)
print('files', files)
print('cases', cases)

/** Runs tests and returns vitest's report. */
function runTests(filters) {
  const folder = mkdtempSync(join(tmpdir(), 'wiki-slowest-'))
  const report = join(folder, 'report.json')
  try {
    const options = ['vitest', 'run', '--reporter=dot', '--reporter=json', `--outputFile.json=${report}`]
    const { status } = spawnSync('npx', [...options, ...filters], { stdio: 'inherit' })
    process.exitCode = status ?? 1
    return JSON.parse(readFileSync(report, 'utf8'))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Prints rows of milliseconds and a name, the slowest first. */
function print(title, rows) {
  const total = rows.reduce((sum, [time]) => sum + time, 0)
  console.log(`\n${rows.length} ${title}, ${(total / 1000).toFixed(1)} s altogether; the slowest:`)
  const sorted = [...rows].sort(([a], [b]) => b - a)
  for (const [time, name] of sorted.slice(0, listed)) console.log(`${(time / 1000).toFixed(1).padStart(8)} s  ${name}`)
}
