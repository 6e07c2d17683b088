// @module-tag long
/**
 * A system that refuses to write. In a write to a wiki with a work tree, one call that needs space fails, or it and every later
 * one. The write is then in the branch or refused; if only the last syncs fail, it is there and not acknowledged. The next write leaves neither a file that differs from the branch, except
 * for a user's own changes, nor a file of the failed write.
 */

import { readdirSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { isWikiError } from '../../src/core/errors.ts'
import { NewObjects } from '../../src/store/git/new-objects.ts'
import type { Store } from '../../src/store/store.ts'
import { oneIn } from '../_rounds.ts'
import { copyFolder, git, hasGit, needsGit, temporaryDirectory } from '../_setup.ts'
import { openFresh, write } from './_store.ts'

/** Counts the calls that need space; those that `refuses` selects by their number fail. */
const system = vi.hoisted(() => ({ calls: 0, refuses: null as ((call: number) => boolean) | null }))

vi.mock('node:fs', async original => {
  const real = await original<typeof import('node:fs')>()
  const names = ['appendFile', 'copyFile', 'fsync', 'link', 'mkdir', 'open', 'rename', 'symlink', 'write', 'writeFile']
  const needsSpace = (name: string, [, flags = 'r']: unknown[]) =>
    !name.startsWith('open') || (typeof flags === 'number' ? (flags & real.constants.O_CREAT) !== 0 : flags !== 'r')
  const isRefused = (name: string, parameters: unknown[]) =>
    system.refuses !== null && needsSpace(name, parameters) && system.refuses(++system.calls)
  const refusal = () => Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
  const watched = Object.fromEntries(
    names.flatMap(name => {
      const [now, later] = [real[`${name}Sync` as 'linkSync'], real[name as 'link']] as ((...all: never[]) => unknown)[]
      return [
        [
          `${name}Sync`,
          (...all: never[]) => {
            if (isRefused(name, all)) throw refusal()
            return now?.(...all)
          },
        ],
        [
          name,
          (...all: never[]) => {
            if (!isRefused(name, all)) return later?.(...all)
            const done = all.at(-1) as unknown as (error: Error) => void
            process.nextTick(done, refusal())
          },
        ],
      ]
    }),
  )
  return { ...real, ...watched, default: { ...real, ...watched } }
})

const fs = await vi.importActual<typeof import('node:fs')>('node:fs')

const mine = 'text\nmine\n'
let template: string

beforeAll(async () => {
  if (!hasGit) return
  template = await temporaryDirectory()
  git(template, 'init', '-q', '-b', 'main')
  fs.mkdirSync(join(template, 'Gone'))
  for (const name of ['A', 'B', 'Mine', 'Gone/G']) fs.writeFileSync(join(template, `${name}.wiki`), 'text\n')
  git(template, 'add', '.')
  git(template, 'commit', '-q', '-m', 'begin')
})

/** A wiki with a user's change. The first write, which makes folders and logs, is already complete. */
async function newScene(): Promise<{ directory: string; store: Store }> {
  const directory = await temporaryDirectory()
  copyFolder(template, directory)
  const store = await openFresh(directory)
  await write(store, { 'A.wiki': 'first\n' })
  fs.writeFileSync(join(directory, 'Mine.wiki'), mine)
  return { directory, store }
}

/** Makes the write; returns its error, and the number of its calls. */
async function writeWhile(
  store: Store,
  refuses: (call: number) => boolean,
): Promise<{ error: unknown; calls: number }> {
  Object.assign(system, { calls: 0, refuses })
  try {
    const files = { 'A.wiki': 'second\n', 'New/Deep/N.wiki': 'new\n', 'Gone/G.wiki': null, 'Mine.wiki': 'others\n' }
    const error = await write(store, files).then(
      () => null,
      thrown => thrown,
    )
    return { error, calls: system.calls }
  } finally {
    system.refuses = null
  }
}

function refuseNothing(): void {
  system.refuses = null
}

function leftoversIn(directory: string): string[] {
  const names = readdirSync(directory, { recursive: true }).map(String)
  return names.filter(name => /\.lock$|journal$|^\.wiki-|^tmp_(?:obj|pack)/.test(basename(name)))
}

/** Returns the problems after the write and another one. */
async function flawsAfter(refuses: (call: number) => boolean): Promise<string[]> {
  const { directory, store } = await newScene()
  const { error } = await writeWhile(store, refuses)
  const flaws: string[] = []
  const isThere = () => git(directory, 'show', 'main:A.wiki') === 'second'
  const isUnsure = isWikiError(error, 'wiki-not-synced')
  const isDone = error === null || isUnsure
  if (isThere() !== isDone) flaws.push(`there: ${isThere()}, but the result is ${error}`)
  if (!isDone && !isWikiError(error, 'wiki-cannot-write')) flaws.push(`an internal error: ${error}`)
  await write(store, { 'B.wiki': 'next\n' })
  if (isThere() !== isDone) flaws.push('the next write changed the result')
  const status = git(directory, 'status', '--porcelain')
  if (status !== ' M Mine.wiki') flaws.push(`git status: ${status}`)
  if (fs.readFileSync(join(directory, 'Mine.wiki'), 'utf8') !== mine) flaws.push("the user's change is gone")
  // Git says nothing about a file that the work tree is meant to lack.
  if (isDone && !fs.existsSync(join(directory, 'New/Deep/N.wiki'))) flaws.push('the new page has no file')
  const left = leftoversIn(directory)
  if (left.length > 0) flaws.push(`left: ${left}`)
  store.close()
  return flaws
}

describe('of the calls that write a pack', () => {
  test('each one may be refused, and no file without a name of its own is left', async () => {
    const writeInto = (folder: string) => {
      const objects = new NewObjects()
      for (const text of ['one', 'two']) objects.add('blob', Buffer.from(text.repeat(1000)))
      return objects.write(folder, { isKept: true })
    }
    const countCalls = async () => {
      Object.assign(system, { calls: 0, refuses: () => false })
      const folder = await temporaryDirectory()
      fs.mkdirSync(join(folder, 'pack'))
      await writeInto(folder)
      return system.calls
    }
    const calls = await countCalls().finally(refuseNothing)
    expect(calls).toBeGreaterThan(8)
    for (let at = 1; at <= calls; at++) {
      const folder = await temporaryDirectory()
      fs.mkdirSync(join(folder, 'pack'))
      Object.assign(system, { calls: 0, refuses: (call: number) => call === at })
      const error = await writeInto(folder)
        .then(
          () => null,
          thrown => thrown,
        )
        .finally(refuseNothing)
      expect(error).toMatchObject({ code: 'ENOSPC' })
      const endings = readdirSync(join(folder, 'pack')).map(name => extname(name))
      // The last call syncs the names of a whole pack.
      expect(endings.toSorted()).toEqual(at === calls ? ['.idx', '.keep', '.pack'] : [])
    }
  })
})

describe('of the calls of a write', { tags: 'rounds' }, () => {
  test.for([
    ['each one', (at: number) => (call: number) => call === at],
    ['each one and all later ones', (at: number) => (call: number) => call >= at],
  ] as const)('%s may be refused', { tags: 'long' }, async ([, refusesFrom], context) => {
    needsGit(context)
    const { store } = await newScene()
    const { error, calls } = await writeWhile(store, () => false)
    expect(error).toBeNull()
    expect(calls).toBeGreaterThan(50)
    const found: string[] = []
    for (const at of oneIn(
      6,
      Array.from({ length: calls }, (_, call) => call + 1),
      0,
      2,
    ))
      for (const flaw of await flawsAfter(refusesFrom(at))) found.push(`from call ${at} on: ${flaw}`)
    expect(found).toEqual([])
  })
})
