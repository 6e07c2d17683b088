/** The packed package in the action, in GitLab's job and in the hook of pre-commit, as their documents describe them. */

import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, type TestContext, test } from 'vitest'
import { parse } from 'yaml'
import { ensureBuilt } from '../_built.ts'
import { hasShellTools } from '../_document.ts'
import { firstOf } from '../_rounds.ts'
import { hasGit, temporaryDirectory } from '../_setup.ts'
import { git, gitWiki, temporaryFolder } from './harness.ts'

const top = fileURLToPath(new URL('../..', import.meta.url))
const read = (path: string): string => readFileSync(join(top, path), 'utf8')
const hasNpm = hasGit && hasShellTools && spawnSync('npm', ['--version']).status === 0

/** A file made by `npm pack`, without maps. Its dependencies are those of this folder, because no registry is used. */
let packed: string

beforeAll(async () => {
  if (!hasNpm) return
  await ensureBuilt()
  const folder = await temporaryDirectory()
  const isNeeded = (path: string): boolean => !/\.map$|\.v\d|\/dist\/(?:lib|proof)$/.test(path)
  for (const name of ['bin', 'dist']) cpSync(join(top, name), join(folder, name), { recursive: true, filter: isNeeded })
  const { dependencies, optionalDependencies, devDependencies, scripts, ...rest } = JSON.parse(read('package.json'))
  writeFileSync(join(folder, 'package.json'), JSON.stringify(rest))
  const { status, stderr } = spawnSync('npm', ['pack', '--silent'], { cwd: folder, encoding: 'utf8' })
  expect(status, stderr).toBe(0)
  packed = join(folder, readdirSync(folder).find(name => name.endsWith('.tgz'))!)
}, 600_000)

function needsNpm(context: TestContext): void {
  context.skip(!hasNpm, 'the recipes are for bash, git and npm')
}

/** A merge of a branch that leaves a link open, as CI clones it: one commit, whose first parent is the base. */
async function mergeOfDepthOne(): Promise<{ readonly cwd: string; readonly base: string }> {
  const origin = await gitWiki([
    { files: { 'A.wiki': 'Old [[fault\n', 'wiki.json': '{}\n' }, message: 'Begin', user: 'Alice <alice@example.org>' },
  ])
  const base = git(origin, ['rev-parse', 'HEAD']).trim()
  git(origin, ['checkout', '-q', '-b', 'draft'])
  writeFileSync(join(origin, 'B.wiki'), 'New [[fault\n')
  git(origin, ['add', '.'])
  git(origin, ['commit', '-qm', 'Draft'])
  git(origin, ['checkout', '-q', 'main'])
  git(origin, ['merge', '-q', '--no-ff', '-m', 'Merge draft', 'draft'])
  // As hosts of repositories do it.
  git(origin, ['config', 'uploadpack.allowReachableSHA1InWant', 'true'])
  const cwd = join(temporaryFolder(), 'clone')
  git(origin, ['clone', '-q', '--depth=1', '-b', 'main', `file://${origin}`, cwd])
  return { cwd, base }
}

/** Runs lines like a runner of CI: bash stops at the first failing command. npm uses no registry. */
function bash(lines: string, cwd: string, env: Readonly<Record<string, string>>) {
  const offline = {
    npm_config_offline: 'true',
    npm_config_cache: temporaryFolder(),
    NODE_PATH: join(top, 'node_modules'),
  }
  return spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', lines], {
    ...{ cwd, encoding: 'utf8' },
    env: { ...process.env, ...offline, ...env },
  })
}

describe('the action', () => {
  const { runs, inputs } = parse(read('action.yml'))
  const [{ run, env }] = runs.steps

  /** Evaluates the two forms of expressions that the action has. */
  function evaluate(text: string, given: Readonly<Record<string, string>>): string {
    const value = (name: string): string => given[name] ?? inputs[name].default
    return text.replace(/\$\{\{ (.*?) \}\}/g, (_, expression: string) => {
      const [, name, format, other] = /^inputs\.([\w-]+)(?: \|\| format\('([^']*)', inputs\.([\w-]+)\))?$/.exec(
        expression,
      )!
      const first = value(name!)
      return first === '' && format !== undefined ? format.replace('{0}', value(other!)) : first
    })
  }

  async function act(given: Readonly<Record<string, string>>) {
    const { cwd } = await mergeOfDepthOne()
    const summary = join(temporaryFolder(), 'summary.md')
    const values = Object.entries<string>(env).map(([name, text]) => [name, evaluate(text, given)])
    const { status, stdout } = bash(run, cwd, { ...Object.fromEntries(values), GITHUB_STEP_SUMMARY: summary })
    return { cwd, status, stdout, summary: existsSync(summary) ? readFileSync(summary, 'utf8') : '' }
  }

  const severities: readonly (readonly [name: string, given: Readonly<Record<string, string>>, failure: number])[] = [
    ['fails', {}, 1],
    ['passes if they are below the severity', { 'fail-on': 'error' }, 0],
  ]
  // Slow: npm installs the package for each.
  test.for(firstOf(severities, 1))(
    'installs the packed package, reports the problems that the merge adds, and %s',
    { tags: ['rounds', 'long'] },
    async ([, given, failure], context) => {
      needsNpm(context)
      const { cwd, status, stdout, summary } = await act({ package: packed, ...given })
      expect([status, stdout]).toEqual([failure, expect.stringMatching(/^::warning file=B\.wiki,line=1[^\n]*\n$/)])
      expect(summary).toContain('1 new problem')
      expect(JSON.parse(readFileSync(join(cwd, 'wiki.sarif'), 'utf8')).runs[0].results.length).toBe(1)
    },
  )

  test('a package that cannot be installed is a failure, not a result', { tags: 'long' }, async context => {
    needsNpm(context)
    const stdout = '::error::npm cannot install the package of wiki.\n'
    expect(await act({ version: '0.0.1' })).toMatchObject({ status: 2, stdout })
  })

  test('its document lists each input with its default', () => {
    const rows = [...read('docs/how-to/github-action.md').matchAll(/^\| `([\w-]+)` \|.*\| (.*?) ?\|$/gm)]
    expect(rows.map(([, name]) => name)).toEqual(Object.keys(inputs))
    for (const [, name, said] of rows)
      if (inputs[name!].default !== '') expect(said).toBe(`\`${inputs[name!].default}\``)
  })
})

test("GitLab's job reports the problems that a merge request adds", { tags: 'long' }, async context => {
  needsNpm(context)
  const job = parse(read('docs/how-to/gitlab-ci.yml'))['wiki-check']
  const { cwd, base } = await mergeOfDepthOne()
  // Settings of npm that a merge request brings do not count: they could name another registry, or a program.
  writeFileSync(join(cwd, '.npmrc'), `node-options=--require=${join(cwd, 'brought.cjs')}\n`)
  writeFileSync(join(cwd, 'brought.cjs'), "require('node:fs').writeFileSync('ran', '')")
  const env = { WIKI_PACKAGE: packed, CI_MERGE_REQUEST_DIFF_BASE_SHA: base }
  expect(Object.keys(job.variables)).toEqual(['GIT_DEPTH', 'WIKI_PACKAGE'])
  const { status, stdout } = bash(job.script.join('\n'), cwd, env)
  expect([status, stdout]).toEqual([1, expect.stringMatching(/^B\.wiki:1:5: warning: unclosed-link: [^\n]*\n$/)])
  const [entry, ...others] = JSON.parse(readFileSync(join(cwd, job.artifacts.reports.codequality), 'utf8'))
  expect([entry.location.path, others]).toEqual(['B.wiki', []])
  expect(existsSync(join(cwd, 'ran'))).toBe(false)
})

test('the pre-commit hook refuses only staged problems', { tags: 'long' }, async context => {
  needsNpm(context)
  const [{ entry, language, pass_filenames }] = parse(read('.pre-commit-hooks.yaml'))
  expect([language, pass_filenames]).toEqual(['node', false])
  const { cwd } = await mergeOfDepthOne()
  const tools = join(temporaryFolder(), 'bin')
  mkdirSync(tools)
  writeFileSync(join(tools, 'wiki'), `#!/bin/sh\nexec "${process.execPath}" "${join(top, 'bin/wiki.cjs')}" "$@"\n`, {
    mode: 0o755,
  })
  const commit = (): number | null => bash(entry, cwd, { PATH: `${tools}:${process.env.PATH}` }).status
  writeFileSync(join(cwd, 'C.wiki'), 'Staged [[fault\n')
  expect(commit()).toBe(0)
  git(cwd, ['add', '.'])
  expect(commit()).toBe(1)
  writeFileSync(join(cwd, 'C.wiki'), 'Mended.\n')
  git(cwd, ['add', '.'])
  expect(commit()).toBe(0)
})
