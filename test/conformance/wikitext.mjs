/**
 * Runs MediaWiki's parser tests.
 *
 *     node test/conformance/wikitext.mjs [--update] [--show <n>] [--files a,b] <runner> <cases>
 *
 * `runner` is the folder of the shared runner, `cases` that of the test files. Prints passed and total by file and mode. Exit
 * status 1 if a case that passed before fails. `--update` rewrites wikitext.json, which contains hashes of the names of cases
 * that pass, never names or texts.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const ratchetFile = new URL('wikitext.json', import.meta.url)
const engine = fileURLToPath(new URL('wikitext-engine.mjs', import.meta.url))

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    update: { type: 'boolean', default: false },
    show: { type: 'string', default: '0' },
    files: { type: 'string' },
    mode: { type: 'string', default: 'wt2html,wt2wt,selser,html2wt,html2html' },
  },
})
if (positionals.length !== 2) {
  console.error('usage: node test/conformance/wikitext.mjs [--update] [--show <n>] [--files a,b] <runner> <cases>')
  process.exit(2)
}
const [runner, cases] = positionals.map(path => resolve(path))

/** Cases in these files depend on external services, or on unsupported extensions. */
const beside = /^(?:ext-|annotation|timedMedia)/

/** Runs the cases; the runner's packages are installed beside a copy of it if they are not beside itself. */
function runCases() {
  const folder = mkdtempSync(join(tmpdir(), 'gitwiki-parser-tests-'))
  try {
    const home = existsSync(join(runner, 'node_modules')) ? runner : installed(join(folder, 'runner'))
    const json = join(folder, 'results.json')
    const args = ['--engine', engine, '--mode', values.mode, '--json', json, '--fails', values.show]
    if (values.files !== undefined) args.push('--files', values.files)
    if (values.show === '0') args.push('--quiet')
    const env = { ...process.env, PARSER_TESTS: cases }
    const { status } = spawnSync(process.execPath, [join(home, 'run.mjs'), ...args], {
      env,
      stdio: ['ignore', values.show === '0' ? 'ignore' : 'inherit', 'inherit'],
    })
    if (status !== 0) throw new Error(`the runner ended with status ${status}`)
    return JSON.parse(readFileSync(json, 'utf8')).results
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function installed(copy) {
  cpSync(runner, copy, { recursive: true })
  execFileSync('chmod', ['-R', 'u+w', copy])
  execFileSync('npm', ['install', '--silent', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: copy,
    stdio: 'inherit',
  })
  return copy
}

const hash = ({ file, test, mode }) =>
  createHash('sha256').update(`${file}\n${mode}\n${test}`).digest('hex').slice(0, 12)

const results = runCases()
const before = existsSync(ratchetFile) && !values.update ? JSON.parse(readFileSync(ratchetFile, 'utf8')) : {}
const rows = {}
for (const result of results) {
  rows[`${result.file} ${result.mode}`] ??= { total: 0, passed: [], lost: 0 }
  const row = rows[`${result.file} ${result.mode}`]
  row.total++
  const known = new Set(before[`${result.file} ${result.mode}`]?.passed ?? [])
  if (result.ok) row.passed.push(hash(result))
  else if (known.has(hash(result))) {
    row.lost++
    console.log(`passed before: ${result.file} ${result.mode}: ${result.test}`)
  }
}

// A case that is not run any more has not passed.
const run = new Set(results.map(hash))
for (const [name, row] of Object.entries(rows)) {
  const gone = (before[name]?.passed ?? []).filter(one => !run.has(one)).length
  if (gone > 0) console.log(`passed before, and not run: ${gone} of ${name}`)
  row.lost += gone
}

const sum = entries =>
  entries.reduce(([passed, total], [, row]) => [passed + row.passed.length, total + row.total], [0, 0])
const share = (passed, total) => `${((100 * passed) / Math.max(total, 1)).toFixed(1)} %`
const line = (name, passed, total, note = '') =>
  `${name.padEnd(52)}${`${passed}/${total}`.padStart(12)}${share(passed, total).padStart(9)}  ${note}`.trimEnd()
const entries = Object.entries(rows)
for (const [name, { total, passed, lost }] of entries) {
  console.log(line(name, passed.length, total, lost > 0 ? `${lost} passed before` : ''))
}
for (const mode of new Set(results.map(result => result.mode))) {
  const own = entries.filter(([name]) => name.endsWith(` ${mode}`))
  console.log(line(`core files ${mode}`, ...sum(own.filter(([name]) => !beside.test(name)))))
  console.log(line(`all files ${mode}`, ...sum(own)))
}
if (values.update) {
  const kept = Object.fromEntries(entries.map(([name, { total, passed }]) => [name, { total, passed: passed.sort() }]))
  writeFileSync(ratchetFile, `${JSON.stringify(kept, null, 2)}\n`)
}
process.exit(entries.some(([, { lost }]) => lost > 0) ? 1 : 0)
