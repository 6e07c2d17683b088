/** Git's merges and comparisons with the drivers that `wiki init` installs, where `wiki` is missing, fails, or does nothing. */

import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { type DriverName, installDriver, renewDrivers } from '../../src/store/repository/git-drivers.ts'
import { findRepository } from '../../src/store/repository/repository.ts'
import { plainGit } from '../_environment.ts'
import { git, hasGit, temporaryDirectory, usualSignature } from '../_setup.ts'

const output = 'while [ $# -gt 0 ]; do [ "$1" = --output ] && o=$2; shift; done'

/** Scripts that git finds as `wiki`; null: none. */
const failures: readonly (readonly [name: string, script: string | null])[] = [
  ['is missing', null],
  ['cannot read the text', 'exit 2'],
  ['has a bug', 'exit 70'],
  ['ends like a conflict, without a text', 'exit 1'],
  ['does nothing', 'exit 0'],
  ['cannot be run', 'exit 126'],
  ['has no interpreter', 'exit 127'],
  ['runs out of memory', 'kill -ABRT $$'],
  ['is killed', 'kill -KILL $$'],
  ['is killed while it writes', `${output}; echo half >"$o.new"; kill -KILL $$`],
  ['is killed after it has written', `${output}; echo half >"$o"; kill -TERM $$`],
  ['is of an older version, without the option', 'case "$*" in *--output*) exit 2;; esac; exit 0'],
]

/** Latin-1, and names that a shell or an option parser could take for something else. */
const pages = ['-h.md', 'a \'b\' "c" %A $(x).wiki', 'new\nline.wiki', 'f/A.wiki']

const paragraphs = ['one', 'two', 'three', 'four caf\xe9', 'five']
const edited = (at: number, words: string): Buffer =>
  Buffer.from(paragraphs.map((text, index) => (index === at ? words : text)).join('\n\n\n'), 'latin1')

/** Branches with an edit each: `side` of the first paragraph, `main` of the last, `clash` of the last as well. */
function branches(directory: string): void {
  const commit = (name: string, content: Buffer) => {
    for (const page of pages) write(directory, page, content)
    git(directory, 'add', '-A')
    git(directory, 'commit', '-q', '-m', name)
  }
  commit('base', edited(-1, ''))
  for (const [name, at] of [
    ['side', 0],
    ['clash', 4],
  ] as const) {
    git(directory, 'checkout', '-q', '-b', name, 'main')
    commit(name, edited(at, `${name} edit`))
    if (name === 'side') git(directory, 'branch', '-q', 'renamed')
  }
  git(directory, 'checkout', '-q', 'renamed')
  git(directory, 'mv', 'f/A.wiki', 'f/Moved.wiki')
  git(directory, 'commit', '-q', '-m', 'move')
  git(directory, 'checkout', '-q', 'main')
  commit('main', edited(4, 'main edit'))
}

interface Outcome {
  readonly status: number | null
  readonly stdout: string
}

type Merge = (run: (...parameters: string[]) => Outcome) => unknown

const merges: Readonly<Record<string, Merge>> = {
  merge: run => run('merge', '-q', '--no-edit', 'side'),
  'merge with a conflict': run => run('merge', '-q', '--no-edit', 'clash'),
  'merge in the style diff3': run => run('-c', 'merge.conflictStyle=diff3', 'merge', '-q', '--no-edit', 'clash'),
  'merge with a rename': run => run('merge', '-q', '--no-edit', 'renamed'),
  rebase: run => run('rebase', '-q', 'clash'),
  'cherry-pick': run => run('cherry-pick', 'clash'),
  'stash pop': run => {
    run('checkout', '-q', 'clash')
    run('read-tree', '-m', '-u', 'side')
    run('stash', '-q')
    run('checkout', '-q', 'main')
    run('stash', 'pop')
  },
  'criss-cross': run => {
    run('checkout', '-q', '-b', 'one', 'main')
    run('merge', '-q', '-s', 'ours', '--no-edit', 'clash')
    run('checkout', '-q', '-b', 'two', 'clash')
    run('merge', '-q', '-s', 'ours', '--no-edit', 'main')
    run('merge', '-q', '--no-edit', 'one')
  },
}

let folder: string
let withoutDrivers: ReadonlyMap<string, readonly string[]>

beforeAll(async () => {
  if (!hasGit) return
  folder = await temporaryDirectory()
  const directory = join(folder, 'origin')
  git(folder, 'init', '-q', '-b', 'main', directory)
  branches(directory)
  withoutDrivers = new Map(Object.entries(merges).map(([name, merge]) => [name, resultOf(merge, null)]))
})

let copies = 0

/** Contents, and what git says of the files, after a merge with a `wiki` of this kind. */
function resultOf(merge: Merge, script: string | null | undefined, names: readonly DriverName[] = []): string[] {
  const directory = join(folder, `copy ${copies++}`)
  git(folder, 'clone', '-q', 'origin', directory)
  for (const name of ['side', 'clash', 'renamed']) git(directory, 'branch', '-q', name, `origin/${name}`)
  for (const name of names) installDriver(findRepository(directory), name)
  inPath(programs(script ?? null), () => merge((...parameters) => tryGit(directory, parameters)))
  const files = git(directory, 'ls-files', '-z').split('\0')
  const contents = [...new Set(files)].filter(name => name !== '').map(name => `${name}: ${textOf(directory, name)}`)
  return [...contents, git(directory, 'status', '--porcelain=v1', '-z', '--ignored')]
}

/** Only the names of the sides differ: git before 2.44 does not tell them to a driver. */
function textOf(directory: string, name: string): string {
  return readFileSync(join(directory, name), 'latin1').replace(/^([<|>]{7,}) .*$/gm, '$1')
}

/** A folder with git's programs, and with this `wiki`. */
function programs(script: string | null): string {
  const bin = join(folder, `bin ${copies}`)
  mkdirSync(bin, { recursive: true })
  if (script === null) return bin
  writeFileSync(join(bin, 'wiki'), `#!/bin/sh\n${script}\n`)
  chmodSync(join(bin, 'wiki'), 0o755)
  return bin
}

function inPath(bin: string, act: () => void): void {
  const path = process.env.PATH
  process.env.PATH = `${bin}:${path}`
  try {
    act()
  } finally {
    process.env.PATH = path
  }
}

/** Git's merges end with 1 where there are conflicts. */
function tryGit(directory: string, parameters: readonly string[]): Outcome {
  const { name, address, time } = usualSignature
  const who = {
    ...{ GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: address, GIT_AUTHOR_DATE: time },
    ...{ GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: address, GIT_COMMITTER_DATE: time },
  }
  const env = { ...process.env, ...plainGit, ...who }
  const { status, stdout } = spawnSync('git', ['-c', 'maintenance.auto=false', ...parameters], { cwd: directory, env })
  return { status, stdout: stdout.toString('latin1') }
}

function write(directory: string, name: string, content: Buffer | string): void {
  mkdirSync(dirname(join(directory, name)), { recursive: true })
  writeFileSync(join(directory, name), content)
}

describe.skipIf(!hasGit)('the merge driver', () => {
  test.each(Object.keys(merges))('leaves a %s to git where wiki is missing', name => {
    const merge = merges[name] as Merge
    expect(resultOf(merge, null, ['merge'])).toEqual(withoutDrivers.get(name))
  })

  // Each starts 30 processes of git for each kind of merge.
  describe.each(failures.slice(1))('of a wiki that %s', { tags: 'long' }, (_, script) => {
    test.each(Object.keys(merges))('leaves a %s to git', name => {
      const merge = merges[name] as Merge
      expect(resultOf(merge, script, ['merge'])).toEqual(withoutDrivers.get(name))
    })
  })

  test('keeps every paragraph of both sides when wiki itself merges, cannot, or runs by an older setting', {
    tags: 'long',
  }, () => {
    const script = `exec "${process.execPath}" "${resolve('bin/wiki.cjs')}" "$@"`
    expect(resultOf(merges.merge as Merge, script, ['merge'])).toEqual(withoutDrivers.get('merge'))
    const older: Merge = run => {
      run('config', 'merge.wiki.driver', 'wiki merge-driver %O %A %B %P --marker-size %L')
      merges['merge with a conflict']?.(run)
    }
    expect(resultOf(older, script, ['merge'])).toEqual(withoutDrivers.get('merge with a conflict'))
  })
})

describe.skipIf(!hasGit)('the diff driver', () => {
  const range = ['diff', 'main~1', 'clash']

  test.each(failures.slice(0, 4))('leaves the comparison to git where wiki %s', (_, script) => {
    const diffs: unknown[] = []
    for (const names of [[], ['diff']] as const) resultOf(run => diffs.push(run(...range)), script, names)
    expect(diffs[0]).toMatchObject({ status: 0 })
    expect(diffs[1]).toEqual(diffs[0])
  })

  test('shows an unmerged, a new and a deleted file as git does', () => {
    const seen = resultOf(
      run => {
        run('merge', '-q', '--no-edit', 'clash')
        expect(run('diff', 'HEAD', '--', 'f')).toMatchObject({
          status: 0,
          stdout: expect.stringContaining('+clash edit'),
        })
        run('reset', '-q', '--hard')
        run('mv', 'f/A.wiki', 'f/B.wiki')
        const { status, stdout } = run('diff', '--cached', '--no-renames')
        expect([status, stdout.split('\n').filter(line => line.startsWith('+++') || line.startsWith('---'))]).toEqual([
          0,
          ['--- a/f/A.wiki', '+++ /dev/null', '--- /dev/null', '+++ b/f/B.wiki'],
        ])
      },
      null,
      ['diff'],
    )
    expect(seen).not.toEqual([])
  })
})

describe.skipIf(!hasGit)('a driver of an earlier version', () => {
  test('is renewed, and one of the user stays', async () => {
    const directory = await temporaryDirectory()
    git(directory, 'init', '-q')
    const values = () => ['merge.wiki.driver', 'diff.wiki.command'].map(key => git(directory, 'config', key))
    git(directory, 'config', 'merge.wiki.driver', 'wiki merge-driver %O %A %B %P --marker-size %L')
    git(directory, 'config', 'diff.wiki.command', 'mine wiki diff-driver')
    await renewDrivers(findRepository(directory))
    expect(values()).toEqual([expect.stringMatching(/^command -v wiki .*git merge-file/), 'mine wiki diff-driver'])
    git(directory, 'config', 'diff.wiki.command', 'wiki diff-driver')
    await renewDrivers(findRepository(directory))
    expect(values()[1]).toMatch(/^f\(\) .*--no-index/)
    const text = readFileSync(join(directory, '.git/config'), 'utf8')
    await renewDrivers(findRepository(directory))
    expect(readFileSync(join(directory, '.git/config'), 'utf8')).toBe(text)
  })
})
