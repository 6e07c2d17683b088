import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { git, hasGit, temporaryDirectory } from '../_setup.ts'
import { bundleChild } from './_processes.ts'
import { newStore, write } from './_store.ts'

/** Loaded before a process: reports each lock file that the process takes or releases. */
const recorder = `
  const fs = require('node:fs')
  const { linkSync, unlinkSync, renameSync, writeFileSync, appendFileSync } = fs
  const tell = (verb, path) => {
    if (/[.]lock$/.test(path) && !/wiki-[^/]*[.]lock$/.test(path)) appendFileSync(process.env.LOCKS, verb + ' ' + path + '\\n')
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

/** The order of docs/rooms/store.md, "Locks are taken, always in this order". Locks of one row are taken by their paths. */
const order: readonly (readonly [row: number, path: RegExp])[] = [
  [1, /\/wiki\/writer\.lock$/],
  [2, /\/index\.lock$/],
  [3, /\/refs\/heads\/[^/]+\.lock$/],
]

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

  test('as documented', () => {
    const text = readFileSync(new URL('../../docs/rooms/store.md', import.meta.url), 'utf8')
    const places = ['`wiki/writer.lock`', '`index.lock` of every work tree', '`<branch>.lock`'].map(name =>
      text.indexOf(`| ${name}`),
    )
    expect(places.every(place => place > 0)).toBe(true)
    expect(places).toEqual(places.toSorted((a, b) => a - b))
  })
})

/**
 * Lets a process write once; returns the rows of the locks in the order in which it took them, and checks which locks it held
 * then.
 */
async function locksOf(script: string, directory: string): Promise<number[]> {
  const folder = await temporaryDirectory()
  const [program, locks] = [join(folder, 'recorder.cjs'), join(folder, 'locks')]
  writeFileSync(program, recorder)
  const texts = JSON.stringify({ 'A.wiki': 'a2\n', 'B.wiki': null, 'C.wiki': 'c\n' })
  execFileSync(process.execPath, ['--require', program, script, 'change', directory, texts], {
    env: { ...process.env, LOCKS: locks },
  })
  const taken: number[] = []
  const held: { row: number; path: string }[] = []
  for (const line of readFileSync(locks, 'utf8').trimEnd().split('\n')) {
    const [verb, path] = [line.slice(0, 4), line.slice(5)]
    const row = order.find(([, pattern]) => pattern.test(path))?.[0]
    if (row === undefined) continue
    if (verb === 'free')
      held.splice(
        held.findIndex(one => one.path === path),
        1,
      )
    else {
      for (const one of held) expect(one.row < row || (one.row === row && one.path < path)).toBe(true)
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
