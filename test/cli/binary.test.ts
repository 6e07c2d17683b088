/** The real command: behaviour that needs a separate process. Everything else is tested inside this process. */

import { type ExecFileSyncOptions, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { needsGit } from '../_setup.ts'
import { inTime } from '../_wait.ts'
import { testedProgram } from '../artefact/_installed.ts'
import { gitWiki, sampleWiki, temporaryFolder } from './harness.ts'

const root = resolve(import.meta.dirname, '../..')
let bin: string
const { FORCE_COLOR: _, NO_COLOR: __, ...inherited } = process.env
const env = { ...inherited, GIT_AUTHOR_NAME: 'Test User', GIT_AUTHOR_EMAIL: 'test@example.org' }

beforeAll(async () => {
  bin = await testedProgram()
}, 600_000)

function run(argv: readonly string[], options: ExecFileSyncOptions & { bin?: string } = {}) {
  const { bin: file = bin, ...rest } = options
  const { status, stdout, stderr } = spawnSync(process.execPath, [file, ...argv], { env, ...rest, encoding: 'utf8' })
  return { status, stdout, stderr }
}

/** In bash, with pipelines that have the status of their first failure. */
function shell(line: string, cwd: string) {
  const wiki = `wiki() { '${process.execPath}' '${bin}' "$@"; }; set -o pipefail;`
  const { status, stdout, stderr } = spawnSync('bash', ['-c', `${wiki} ${line}`], { cwd, env, encoding: 'utf8' })
  return { status, stdout, stderr }
}

test('300 kB arrive complete through a pipe that is read slowly', { tags: 'long' }, async () => {
  const text = `${'0123456789abcde\n'.repeat(18_750)}`
  const cwd = await gitWiki([{ files: { 'Big.wiki': text }, message: 'Big' }])
  expect(shell('wiki page get Big | dd bs=64 status=none | wc -c', cwd)).toEqual({
    status: 0,
    stdout: '300000\n',
    stderr: '',
  })
  expect(run(['page', 'get', 'Big'], { cwd }).stdout).toBe(text)
})

test('a pipe into head succeeds silently', async () => {
  const cwd = await gitWiki([{ files: { 'Big.wiki': 'line\n'.repeat(100_000) }, message: 'Big' }])
  expect(shell('wiki page get Big | head -n 1', cwd)).toEqual({ status: 0, stdout: 'line\n', stderr: '' })
})

test('so does a pipe that another process made non-blocking', { tags: 'long' }, async () => {
  const cwd = await gitWiki([{ files: { 'Big.wiki': 'line\n'.repeat(60_000) }, message: 'Big' }])
  // Node creates its own stdout in this way, and its children inherit it.
  const parent = `process.stdout.isTTY
    const [bin, ...argv] = process.argv.slice(1)
    process.exitCode = require('child_process').spawnSync(process.execPath, [bin, ...argv], { stdio: 'inherit' }).status`
  const line = (end: string): string => `'${process.execPath}' -e "${parent}" '${bin}' page get Big | ${end}`
  expect(shell(line('dd bs=64 status=none | wc -c'), cwd)).toEqual({ status: 0, stdout: '300000\n', stderr: '' })
  expect(shell(line('head -n 1'), cwd)).toEqual({ status: 0, stdout: 'line\n', stderr: '' })
})

/** Only the built command reads itself from a file: words in quotes are found by a regular expression with curly quotes. */
test('words of any script are found', async () => {
  const cwd = await gitWiki([{ files: { 'Pâté.wiki': 'Die „Pâté“ und 駅前の東京.' }, message: 'Pâté' }])
  for (const words of ['pâté', '“Pâté”', '東京'])
    expect(run(['search', words], { cwd })).toMatchObject({ status: 0, stdout: expect.stringContaining('Pâté') })
})

test('the exit status reports the result', { tags: 'long' }, () => {
  const cwd = sampleWiki()
  const codes = [['compare', '4', '4'], ['compare', '2', '4'], ['compare', '2', '99'], ['no-such-command']]
  expect(codes.map(argv => run(argv, { cwd }).status)).toEqual([0, 1, 2, 2])
  const create = ['page', 'create', 'Main Page', '-f', '-']
  expect(run(create, { cwd, input: 'x' }).status).toBe(3)
})

test('colours follow NO_COLOR and FORCE_COLOR', { tags: 'long' }, () => {
  const cwd = sampleWiki()
  const colours = (more: Record<string, string>): boolean =>
    run(['compare', '2', '4'], { cwd, env: { ...env, ...more } }).stdout.includes('\u001b[')
  expect(colours({})).toBe(false)
  expect(colours({ FORCE_COLOR: '1' })).toBe(true)
  expect(colours({ FORCE_COLOR: '1', NO_COLOR: '1' })).toBe(false)
})

test('a full disk is a system failure', context => {
  context.skip(!existsSync('/dev/full'), 'there is no /dev/full')
  const { status, stderr } = shell('wiki --help > /dev/full', '/')
  expect(status).toBe(2)
  expect(stderr).toContain('no space left on device')
})

test.each(['SIGINT', 'SIGTERM'] as const)('%s ends the server, with 0', { tags: 'long' }, async signal => {
  const child = spawn(process.execPath, [bin, 'serve', '--port', '0'], { cwd: sampleWiki(), env })
  const [chunk] = await inTime('it prints', once(child.stdout, 'data'))
  const url = /http:\S+/.exec(String(chunk))?.[0]
  expect((await fetch(`${url}/page/Main_Page`)).status).toBe(200)
  child.kill(signal)
  expect(await inTime('it ends', once(child, 'exit'))).toEqual([0, null])
})

test.each(['SIGINT', 'SIGTERM'] as const)('%s ends a log that follows, with 0', async signal => {
  const child = spawn(process.execPath, [bin, 'log', '--follow'], { cwd: sampleWiki(), env })
  await inTime('it prints', once(child.stdout, 'data'))
  child.kill(signal)
  expect(await inTime('it ends', once(child, 'exit'))).toEqual([0, null])
})

/** The program alone, without any package beside it. */
function alone(): string {
  const folder = temporaryFolder()
  for (const name of ['bin', 'dist']) mkdirSync(join(folder, name))
  copyFileSync(join(root, 'bin/wiki.cjs'), join(folder, 'bin/wiki.cjs'))
  copyFileSync(join(root, 'package.json'), join(folder, 'package.json'))
  for (const name of readdirSync(join(root, 'dist')).filter(file => file.startsWith('wiki')))
    cpSync(join(root, 'dist', name), join(folder, 'dist', name))
  return folder
}

test('reading loads no package; each is loaded only by the commands that use it', { tags: 'long' }, context => {
  needsGit(context)
  const other = join(alone(), 'bin/wiki.cjs')
  const cwd = sampleWiki()
  for (const argv of [['--version'], ['--help'], ['history', 'Main Page'], ['page', 'get', 'Main Page']])
    expect(run(argv, { cwd, bin: other })).toMatchObject({ status: 0, stderr: '' })
})

test('incompatible compiled code is not used', () => {
  const folder = alone()
  const compiled = readdirSync(join(folder, 'dist')).find(name => name.startsWith('wiki.cjs.v')) as string
  writeFileSync(join(folder, 'dist', compiled), 'made by another version of node')
  expect(run(['--version'], { bin: join(folder, 'bin/wiki.cjs') }).stdout).toMatch(/^wiki \d/)
})

test('WIKI_DEBUG shows the source location of a failure', { tags: 'long' }, () => {
  const { stderr } = run(['no-such-command'], { env: { ...env, WIKI_DEBUG: '1' } })
  expect(stderr).toMatch(/src\/cli\/parse\.ts:\d+:\d+/)
})

test('a missing build is reported', () => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'bin'))
  copyFileSync(join(root, 'bin/wiki.cjs'), join(folder, 'bin/wiki.cjs'))
  expect(run([], { bin: join(folder, 'bin/wiki.cjs') })).toEqual({
    status: 2,
    stdout: '',
    stderr: 'wiki: it is not built yet\nhint: npm run build\n',
  })
})
