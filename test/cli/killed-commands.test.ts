// @module-tag long
/**
 * Commands that are killed at generated moments: before a call that changes the file system, or half-way through its bytes.
 * Whatever the moment, the same command succeeds when it is run again; then nothing is lost, git's index agrees, and no files
 * remain.
 */

import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { oneIn, rounds } from '../_rounds.ts'
import { copyFolder, git, hasGit, temporaryDirectory } from '../_setup.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const program = join(root, 'bin/wiki.cjs')
const killAt = join(root, 'test/proof/kill-at.cjs')
const isBuilt = hasGit && existsSync(join(root, 'dist/wiki.cjs'))
const run = promisify(execFile)

/** A command on a wiki where one writer has changed files and another has saved the page of one of them. */
interface Case {
  readonly name: string
  readonly argv: readonly string[]
  readonly stdin?: string
  /**
   * The state afterwards: whole words of the branch's texts and of the work tree's, and the paths that git reports as changed.
   */
  readonly committed: Readonly<Record<string, readonly string[] | null>>
  readonly files: Readonly<Record<string, readonly string[] | null>>
  readonly status: string
}

const paragraphs = Array.from({ length: 8 }, (_, at) => `Paragraph ${at}, which nobody changes.\n`).join('\n')
const text = (...lines: string[]) => `${lines.map(line => `${line}\n\n`).join('')}${paragraphs}`

const cases: readonly Case[] = [
  {
    name: 'wiki commit of a changed, a behind, a new and a deleted file',
    argv: ['commit', '-m', 'killed'],
    committed: { A: ['mineA', 'theirs'], B: ['mineB'], C: null, E: ['mineE'] },
    files: { A: ['mineA', 'theirs'], B: ['mineB'], C: null, E: ['mineE'] },
    status: '',
  },
  {
    name: 'wiki page edit of an unchanged file',
    argv: ['page', 'edit', 'D', '-f', '-', '-m', 'killed'],
    stdin: text('edited'),
    committed: { A: ['theirs'], B: ['first'], C: ['first'], D: ['edited'] },
    files: { A: ['mineA'], B: ['mineB'], C: null, D: ['edited'], E: ['mineE'] },
    status: ' M A.wiki\n M B.wiki\n D C.wiki\n?? E.wiki',
  },
  {
    name: 'wiki page edit from a former revision, of a file with other changes',
    argv: ['page', 'edit', 'B', '-f', '-', '-m', 'killed', '--base', '2'],
    stdin: text('first', 'edited'),
    committed: { A: ['theirs'], B: ['first', 'edited'], C: ['first'] },
    files: { A: ['mineA'], B: ['mineB'], C: null, E: ['mineE'] },
    status: ' M A.wiki\n M B.wiki\n D C.wiki\n?? E.wiki',
  },
]

/**
 * The tested moments of each command: one from a seed in `npm test`, every 20th in the full run, and all if `WIKI_PROOF` is
 * set. Slow: two commands for each.
 */
const step = rounds(0, 20, 1)

describe.skipIf(!isBuilt)('a command that is killed (skipped without git or a build)', () => {
  test.each(cases)('$name', { tags: ['rounds', 'long'], timeout: 3_600_000 }, async one => {
    const base = await stage()
    const moments = await momentsOf(base, one)
    const chosen = step === 0 ? [moments[Math.floor(random(1) * moments.length)]!] : oneIn(step, moments, 0, step)
    let missed = 0
    for (const moment of chosen) {
      const directory = await copyOf(base)
      const ended = await give(directory, one, { KILL_AT: `${moment.call}`, KILL_HALF: moment.half ? '1' : '0' })
      const at = `${moment.half ? 'in' : 'before'} call ${moment.call} (${moment.name})`
      // Some calls depend on the clock, so a run can have fewer than the counted run, and end before this one.
      if (ended.status === 0) missed += 1
      else {
        expect(ended.status, `${at}: ${ended.stderr}`).toBe('SIGKILL')
        const again = await give(directory, one)
        expect(again.status, `${at}: ${again.stderr}`).toBe(0)
      }
      expect(whatIs(directory, one), at).toEqual(expectedOf(one))
      rmSync(directory, { recursive: true, force: true })
    }
    expect(missed).toBeLessThanOrEqual(Math.max(1, chosen.length / 20))
  })
})

/** The command itself is given again: there may be no repository yet. */
describe.skipIf(!isBuilt)('wiki init that is killed (skipped without git or a build)', () => {
  test.each([
    ['a new wiki', []],
    ['a bare one', ['--bare']],
  ])('%s', { tags: ['rounds', 'long'], timeout: 3_600_000 }, async (_, options) => {
    const one = { argv: ['init', '.', '--user', 'Ada <ada@example.org>', ...options] }
    const empty = await temporaryDirectory()
    const moments = await momentsOf(empty, one)
    const chosen = step === 0 ? [moments[moments.length >> 1]!] : oneIn(step, moments, 0, step)
    for (const moment of chosen) {
      const directory = await copyOf(empty)
      await give(directory, one, { KILL_AT: `${moment.call}`, KILL_HALF: moment.half ? '1' : '0' })
      const at = `${moment.half ? 'in' : 'before'} call ${moment.call} (${moment.name})`
      const again = await give(directory, one)
      expect(again.status, `${at}: ${again.stderr}`).toBe(0)
      const left = readdirSync(directory, { recursive: true }).map(String)
      expect(
        left.filter(name => /\.(?:lock|tmp|old)$/.test(name)),
        at,
      ).toEqual([])
      expect(git(directory, 'fsck', '--strict', '--no-dangling'), at).toBe('')
      expect(git(directory, 'log', '--format=%s', 'main'), at).toBe('Initialize the wiki')
      rmSync(directory, { recursive: true, force: true })
    }
  })
})

/** A number in [0, 1) from a seed. */
function random(seed: number): number {
  let t = Math.imul((seed * 0x6d2b79f5) ^ (seed >>> 15), 1 | seed)
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
  return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
}

async function stage(): Promise<string> {
  const directory = join(await temporaryDirectory(), 'wiki')
  execFileSync('git', ['init', '--quiet', '-b', 'main', directory])
  git(directory, 'config', 'gc.auto', '0')
  git(directory, 'config', 'user.name', 'Ada')
  git(directory, 'config', 'user.email', 'ada@example.org')
  const put = (name: string, content: string) => writeFileSync(join(directory, `${name}.wiki`), content)
  for (const name of ['A', 'B', 'C', 'D']) put(name, text('first'))
  git(directory, 'add', '.')
  git(directory, 'commit', '--quiet', '-m', 'begin')
  put('A', text('first', 'mineA'))
  put('B', text('first', 'mineB'))
  put('E', text('mineE'))
  rmSync(join(directory, 'C.wiki'))
  const theirs = `${text('first')}\ntheirs\n`
  const argv = ['page', 'edit', 'A', '-f', '-', '-m', 'of another', '--base', '1', '-C', directory]
  const { status, stderr } = spawnSync(process.execPath, [program, ...argv], { input: theirs, encoding: 'utf8' })
  expect(stderr).toContain('A')
  expect(status).toBe(0)
  return directory
}

async function copyOf(directory: string): Promise<string> {
  const copy = join(await temporaryDirectory(), 'wiki')
  copyFolder(directory, copy)
  return copy
}

async function give(
  directory: string,
  { argv, stdin = '' }: Pick<Case, 'argv' | 'stdin'>,
  env: Readonly<Record<string, string>> = {},
): Promise<{ status: number | string; stderr: string }> {
  const before = Object.keys(env).length > 0 ? ['--require', killAt] : []
  const running = run(process.execPath, [...before, program, ...argv, '-C', directory], {
    env: { ...process.env, ...env },
  })
  running.child.stdin?.on('error', () => {})
  running.child.stdin?.end(stdin)
  return running.then(
    ({ stderr }) => ({ status: 0, stderr }),
    (error: { code: number | null; signal: string | null; stderr: string }) => ({
      status: error.signal ?? error.code ?? -1,
      stderr: error.stderr,
    }),
  )
}

interface Moment {
  readonly call: number
  readonly name: string
  /** True in the middle of the call, false before it. */
  readonly half: boolean
}

async function momentsOf(base: string, one: Pick<Case, 'argv' | 'stdin'>): Promise<Moment[]> {
  const directory = await copyOf(base)
  const log = `${directory}-calls`
  const { status, stderr } = await give(directory, one, { KILL_LOG: log })
  expect(status, stderr).toBe(0)
  return readFileSync(log, 'utf8')
    .split('\n')
    .flatMap((name, at) =>
      [false, ...(/^(?:write|append|handle.writeFile)/.test(name) ? [true] : [])].map(half => ({
        call: at + 1,
        name,
        half,
      })),
    )
}

/** The state on disk, in the form that `expectedOf` returns. */
function whatIs(directory: string, one: Case) {
  const committed = (name: string) => {
    const { status, stdout } = spawnSync('git', ['-C', directory, 'show', `HEAD:${name}.wiki`], { encoding: 'utf8' })
    return status === 0 ? stdout : null
  }
  const written = (name: string) => {
    const file = join(directory, `${name}.wiki`)
    return existsSync(file) ? readFileSync(file, 'utf8') : null
  }
  const verified = spawnSync(process.execPath, [program, 'verify', '--json', '-C', directory], { encoding: 'utf8' })
  return {
    committed: wordsOf(one.committed, committed),
    files: wordsOf(one.files, written),
    // `git` of the tests trims its output.
    status: execFileSync('git', ['-C', directory, 'status', '--porcelain'], { encoding: 'utf8' }).trimEnd(),
    staged: git(directory, 'diff', '--cached', '--name-only'),
    times: git(directory, 'log', '--format=%s', '--grep', '^killed$').split('\n').length,
    fsck: git(directory, 'fsck', '--strict', '--no-dangling', '--no-progress'),
    left: leftovers(directory),
    verify: verified.status,
  }
}

function expectedOf({ committed, files, status }: Case): ReturnType<typeof whatIs> {
  return { committed, files, status, staged: '', times: 1, fsck: '', left: [], verify: 0 }
}

/** The words expected in each text; null if there is no text. */
function wordsOf(
  expected: Case['committed'],
  read: (name: string) => string | null,
): Readonly<Record<string, readonly string[] | null>> {
  return Object.fromEntries(
    Object.entries(expected).map(([name, words]) => {
      const found = read(name)
      return [name, found === null ? null : (words ?? []).filter(word => new RegExp(`\\b${word}\\b`).test(found))]
    }),
  )
}

function leftovers(directory: string): string[] {
  const inside = readdirSync(join(directory, '.git'), { recursive: true }).map(String)
  const names = [...inside.filter(name => !name.startsWith('hooks')), ...readdirSync(directory)]
  return names.filter(name => /(?:lock|journal|\.tmp|\.old|\.new|\.away)$|\.kept-/.test(name))
}
