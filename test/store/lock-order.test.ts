import { execFileSync } from 'node:child_process'
import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { ensureBuilt } from '../_built.ts'
import { git, hasGit, temporaryDirectory } from '../_setup.ts'
import { bundleChild } from './_processes.ts'
import { newStore, write } from './_store.ts'

const binary = join(import.meta.dirname, '../../bin/wiki.cjs')

/** Loaded before a process: reports each lock file that the process takes or releases. */
const recorder = `
  const fs = require('node:fs')
  const { linkSync, unlinkSync, renameSync, writeFileSync, appendFileSync } = fs
  const tell = (verb, path) => {
    if (/[./]lock$/.test(path) && !/[.]wiki-[^/]*[.]lock$/.test(path)) appendFileSync(process.env.LOCKS, verb + ' ' + path + '\\n')
  }
  fs.linkSync = (from, to) => {
    linkSync(from, to)
    tell('take', to)
  }
  fs.unlinkSync = path => {
    const isThere = fs.existsSync(path)
    unlinkSync(path)
    if (isThere) tell('free', path)
  }
  require('node:module').syncBuiltinESMExports()`

/**
 * The order of docs/rooms/store.md, "Locks are taken, always in this order". Locks of one row are taken by their paths. Those
 * after the last row are never taken while one of `moving` is held.
 */
const order: readonly (readonly [row: number, path: RegExp])[] = [
  [0, /\/wiki\/main\/import\.lock$/],
  [1, /\/wiki\/writer\.lock$/],
  [2, /\/index\.lock$/],
  [3, /\/refs\/heads\/[^/]+\.lock$|\.git\/HEAD\.lock$/],
  [4, /\/wiki\/(?:main|@)\/(?:search\/)?lock$/],
  [4, /\/refs\/wiki\/.+\.lock$/],
  [4, /\/(?:tokens|sessions)\.json\.lock$/],
  [4, /\/info\/attributes\.lock$/],
]
const moving: readonly number[] = [2, 3]

describe.skipIf(!hasGit)('locks are taken in the documented order', () => {
  let script: string
  beforeAll(async () => {
    script = await bundleChild()
  })

  test.each<[name: string, arrange: (directory: string) => Promise<string>, rows: number[]]>([
    ['with a work tree', async directory => directory, [1, 2, 3]],
    ['in a bare repository', async directory => bareCopy(directory), [1, 3]],
    ['with HEAD elsewhere in a linked work tree', withLinked, [1, 2, 2, 3]],
  ])('%s', { tags: 'long' }, async (_, arrange, rows) => {
    const { store, directory } = await newStore()
    await write(store, { 'A.wiki': 'a\n', 'B.wiki': 'b\n' })
    store.close()
    const taken = await locksOf(script, await arrange(directory))
    expect(taken).toEqual(rows)
  })

  test('by every kind of command', { tags: 'long' }, async () => {
    await ensureBuilt()
    const directory = await temporaryDirectory()
    const run = (words: string, input = '') => {
      const argv = ['--require', recorderFile, binary, '-C', directory, ...words.split(' ')]
      execFileSync(process.execPath, argv, { env: { ...process.env, LOCKS: locks }, input, stdio: 'pipe' })
    }
    const folder = await temporaryDirectory()
    const [recorderFile, locks] = [join(folder, 'recorder.cjs'), join(folder, 'locks')]
    writeFileSync(recorderFile, recorder)
    run('init --user A<a@example.org>')
    git(directory, 'config', 'user.name', 'A')
    git(directory, 'config', 'user.email', 'a@example.org')
    run('page create Tides -f -', 'one\n')
    run('page edit Tides -f -', 'two\n')
    run('page move Tides Flow')
    run('page delete Flow --yes')
    run('page restore Flow')
    appendFileSync(join(directory, 'Flow.wiki'), 'three\n')
    run('commit -m own')
    run('replace two 2')
    run('undo HEAD')
    run(`file add ${recorderFile} --title R.txt`)
    run('revision hide 2 --comment')
    run('config set name Harbour')
    run('token create Robot')
    run('search one')
    git(directory, 'commit', '--quiet', '--allow-empty', '-m', 'native')
    run('page list')
    git(directory, 'reset', '--quiet', '--hard', 'HEAD~2')
    run('restore --yes')
    git(directory, 'switch', '--quiet', '--detach')
    run('page edit Flow -f -', 'four\n')
    git(directory, 'switch', '--quiet', 'main')
    run(`export -o ${join(folder, 'dump.xml')}`)
    run(`import ${join(folder, 'dump.xml')} --merge`)
    run('migrate-layout sharded')
    rmSync(join(directory, '.git/wiki'), { recursive: true })
    run('verify')
    expect(new Set(rowsIn(locks))).toEqual(new Set([0, 1, 2, 3, 4]))
  })

  test('as documented', () => {
    const text = readFileSync(new URL('../../docs/rooms/store.md', import.meta.url), 'utf8')
    const rows = [
      '`wiki/<branch>/import.lock`',
      '`wiki/writer.lock`',
      '`index.lock` of every work tree',
      '`<branch>.lock`',
    ]
    const places = rows.map(name => text.indexOf(`| ${name}`))
    expect(places.every(place => place > 0)).toBe(true)
    expect(places).toEqual(places.toSorted((a, b) => a - b))
  })
})

/** Lets a process write once; returns the rows of the locks of the branch's move in the order in which it took them. */
async function locksOf(script: string, directory: string): Promise<number[]> {
  const folder = await temporaryDirectory()
  const [program, locks] = [join(folder, 'recorder.cjs'), join(folder, 'locks')]
  writeFileSync(program, recorder)
  const texts = JSON.stringify({ 'A.wiki': 'a2\n', 'B.wiki': null, 'C.wiki': 'c\n' })
  execFileSync(process.execPath, ['--require', program, script, 'change', directory, texts], {
    env: { ...process.env, LOCKS: locks },
  })
  return rowsIn(locks).filter(row => row < 4)
}

/** Returns the rows of recorded locks in the order in which they were taken, and checks which locks were held then. */
function rowsIn(locks: string): number[] {
  const taken: number[] = []
  const held: { row: number; path: string }[] = []
  for (const line of readFileSync(locks, 'utf8').trimEnd().split('\n')) {
    const [verb, path] = [line.slice(0, 4), line.slice(5)]
    const row = order.find(([, pattern]) => pattern.test(path))?.[0]
    if (row === undefined) throw new Error(`${path} is in no row of the order`)
    if (verb === 'free')
      held.splice(
        held.findIndex(one => one.path === path),
        1,
      )
    else {
      for (const one of held) {
        expect([one, path, one.row < row || (one.row === row && one.path < path)]).toEqual([one, path, true])
        if (row === 4) expect(moving, `${path} while ${one.path} is held`).not.toContain(one.row)
      }
      held.push({ row, path })
      taken.push(row)
    }
  }
  expect(held).toEqual([])
  return taken
}

async function bareCopy(directory: string): Promise<string> {
  const bare = join(await temporaryDirectory(), 'bare.git')
  git(directory, 'clone', '--quiet', '--bare', directory, bare)
  return bare
}

async function withLinked(directory: string): Promise<string> {
  const linked = join(await temporaryDirectory(), 'linked')
  git(directory, 'worktree', 'add', '--quiet', '-b', 'side', linked)
  return directory
}
