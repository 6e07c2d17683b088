/** Trees that contain each other many times: a few kilobytes with billions of files, or of empty folders. */

import { spawnSync } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { AwaitedFiles } from '../../src/files/awaited-files.ts'
import { logHistory } from '../../src/store/git/native-history.ts'
import { openBackend } from '../../src/store/git/open-backend.ts'
import { tooLarge } from '../../src/store/git/size-limits.ts'
import { LiveIndex } from '../../src/store/index/live-index.ts'
import { startGit } from '../../src/store/repository/process.ts'
import { findRepository, readRef } from '../../src/store/repository/repository.ts'
import { ensureBuilt } from '../_built.ts'
import { type Entry, type Hostile, hostileRepository } from '../_hostile.ts'
import { git, hasGit, temporaryDirectory } from '../_setup.ts'

beforeAll(ensureBuilt)

/** Commits ten levels of ten folders each, beside a page. */
async function nestedTimesTen(bottom: (made: Hostile) => readonly Entry[]): Promise<Hostile> {
  const made = await hostileRepository()
  let tree = made.tree(bottom(made))
  for (let level = 0; level < 10; level++)
    tree = made.tree(Array.from({ length: 10 }, (_, at) => ['40000', `d${at}`, tree] as const))
  made.commit(
    made.tree([
      ['100644', 'A.wiki', made.blob('one')],
      ['40000', 'd', tree],
    ]),
  )
  return made
}

const withFile = ({ blob }: Hostile): readonly Entry[] => [['100644', 'B.wiki', blob('two')]]
const empty = (): readonly Entry[] => []

/** Runs a command in a wiki that contains these files, or folders, ten thousand million times. */
async function expectRefused(bottom: typeof withFile, { mayUseGit = false, isPacked = false } = {}): Promise<void> {
  const { directory } = await nestedTimesTen(bottom)
  if (isPacked) git(directory, 'repack', '-adq')
  const without = join(await temporaryDirectory(), 'bin')
  mkdirSync(without)
  symlinkSync(process.execPath, join(without, 'node'))
  // The limit follows from the memory that Node may use.
  const options = ['--max-old-space-size=60', resolve('bin/wiki.cjs'), 'page', 'list']
  const env = mayUseGit ? process.env : { ...process.env, PATH: without }
  const { status, stderr } = spawnSync(process.execPath, options, { cwd: directory, env, encoding: 'utf8' })
  expect(stderr).toMatch(/^wiki: The repository is larger than the limit of \d+ .*files.*\nhint: /)
  expect(status).toBe(2)
}

describe('ten thousand million', () => {
  test.skipIf(!hasGit).each([
    ['loose', false],
    ['packed', true],
  ])('%s files are refused with git', (_, isPacked) => expectRefused(withFile, { mayUseGit: true, isPacked }))

  test.each([
    ['files', withFile],
    ['empty folders', empty],
  ])('%s are refused without git', (_, bottom) => expectRefused(bottom))
})

test.skipIf(!hasGit).each([
  ['prints nothing for a long time', empty, { milliseconds: 1000, bytes: Infinity }],
  ['takes much memory', withFile, { milliseconds: Infinity, bytes: 50_000_000 }],
])('git is ended when it %s', async (_, bottom, limits) => {
  const { directory } = await nestedTimesTen(bottom)
  git(directory, 'repack', '-adq')
  const { gitDirectory, branch } = findRepository(directory)
  const start = (parameters: readonly string[]) => startGit(gitDirectory, parameters)
  const to = readRef(findRepository(directory), branch) as string
  const history = await logHistory(start, { from: null, to }, () => true, limits)
  const readAll = async () => {
    for await (const batch of history?.batches ?? []) expect(batch).toEqual([])
  }
  await expect(readAll()).rejects.toMatchObject({ code: 'wiki-too-large' })
})

test('a commit that was refused is not read again, but the next one is', async () => {
  const { directory, blob, tree, commit } = await nestedTimesTen(empty)
  const repository = findRepository(directory)
  let asked = 0
  const history = async () => {
    asked++
    throw tooLarge('the limit of one page')
  }
  const lacking = new AwaitedFiles()
  const live = new LiveIndex({ repository, lacking, backend: Object.assign(openBackend(repository), { history }) })
  for (let time = 0; time < 3; time++) await expect(live.refresh()).rejects.toMatchObject({ code: 'wiki-too-large' })
  expect(asked).toBe(1)
  commit(tree([['100644', 'A.wiki', blob('two')]]))
  await expect(live.refresh()).rejects.toMatchObject({ code: 'wiki-too-large' })
  expect(asked).toBe(2)
  live.close()
})
