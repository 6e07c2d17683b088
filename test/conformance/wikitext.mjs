/**
 * Runs MediaWiki's parser tests.
 *
 *     node test/conformance/wikitext.mjs [--update | --other] [--show <n>] [--files a,b] [--mode a,b] <runner> <cases>
 *
 * `runner` is the folder of the shared runner, `cases` that of the test files. Prints passed and total by file and mode. Exit
 * status 1 if a case fails that wikitext.json does not have as open, or one is not run, unless only some files or modes are. `--update`
 * rewrites wikitext.json, `--other` does without it (ratchet.mjs).
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Cases, judgeCases, passedOf, readCommandLine } from './ratchet.mjs'

const engine = fileURLToPath(new URL('wikitext-engine.mjs', import.meta.url))
const allModes = 'wt2html,wt2wt,selser,html2wt,html2html'

const { sources, show, files, mode, update, other } = readCommandLine('<runner> <cases>', {
  show: { type: 'string', default: '0' },
  files: { type: 'string' },
  mode: { type: 'string', default: allModes },
})
const [runner, folderOfCases] = sources.map(path => resolve(path))

/** Cases in these files depend on external services, or on unsupported extensions. */
const beside = /^(?:ext-|annotation|timedMedia)/

/** Runs the cases; the runner's packages are installed beside a copy of it if they are not beside itself. */
function runCases() {
  const folder = mkdtempSync(join(tmpdir(), 'gitwiki-parser-tests-'))
  try {
    const home = existsSync(join(runner, 'node_modules')) ? runner : installed(join(folder, 'runner'))
    const json = join(folder, 'results.json')
    const args = ['--engine', engine, '--mode', mode, '--json', json, '--fails', show]
    if (files !== undefined) args.push('--files', files)
    if (show === '0') args.push('--quiet')
    const env = { ...process.env, PARSER_TESTS: folderOfCases }
    const { status } = spawnSync(process.execPath, [join(home, 'run.mjs'), ...args], {
      env,
      stdio: ['ignore', show === '0' ? 'ignore' : 'inherit', 'inherit'],
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

const results = runCases()
const cases = new Cases()
for (const { file, test, mode, ok } of results) cases.add(`${file} ${mode}`, test, ok)
for (const mode of new Set(results.map(result => result.mode))) {
  const own = results.filter(result => result.mode === mode)
  for (const [name, some] of [
    ['core', own.filter(({ file }) => !beside.test(file))],
    ['all', own],
  ])
    console.log(passedOf(`${name} files ${mode}`, some.filter(({ ok }) => ok).length, some.length))
}
judgeCases('wikitext.json', cases, { update, other, isPart: files !== undefined || mode !== allModes })
