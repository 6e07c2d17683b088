import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  watch,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Store } from '../../src/store/store.ts'
import { firstOf, oneIn } from '../_rounds.ts'
import { git, hasGit } from '../_setup.ts'
import { fromNow } from '../_times.ts'
import { until } from '../_wait.ts'
import { bundleChild, startChild } from './_processes.ts'
import { stopGit, stopWriter } from './_stopped.ts'
import { newStore, openFresh, write } from './_store.ts'

/** Every kind of change: A is edited, C deleted, N new, M moved to O. */
const change: Readonly<Record<string, string | null>> = {
  'A.wiki': 'acknowledged\n',
  'C.wiki': null,
  'N.wiki': 'new\n',
  'M.wiki': null,
  'f/O.wiki': 'moved\n',
}

let script: string

beforeAll(async () => {
  script = await bundleChild()
})

describe.skipIf(!hasGit)('native git that reads its index before a write, and locks it after', () => {
  // Slow: ten processes for each. `npm test` runs one before and two after.
  const commits: readonly (readonly [name: string, reads: number, args: readonly string[]])[] = [
    ['a commit', 1, ['commit', '-m', 'mine']],
    ['a commit of everything', 1, ['commit', '-a', '-m', 'mine']],
    ['a commit of a path', 2, ['commit', '-m', 'mine', '--', 'Mine.wiki']],
  ]
  test.each(firstOf(commits, 1))(
    'reverts nothing by %s started after the branch moved and before the write ended',
    { tags: ['rounds', 'long'] },
    async (_, reads, args) => {
      const { directory } = await newWiki()
      stageMine(directory)
      const writer = await stopWriter(script, directory, change, '.git/refs/heads/main')
      const commit = await stopGit(directory, args, reads)
      expect(await writer.go()).toEqual({ status: 0, errors: '' })
      expect(await commit.go()).toMatchObject({ status: 0 })
      expect(git(directory, 'diff-tree', '-r', '--name-status', 'HEAD~1', 'HEAD')).toBe('A\tMine.wiki')
      expect(git(directory, 'status', '--porcelain')).toBe('')
    },
  )

  test.each(oneIn(2, [...commits, ['an amended commit', 1, ['commit', '--amend', '-m', 'mine']] as const]))(
    'cannot finish %s started before it, and reverts nothing when it is run again',
    { tags: ['rounds', 'long'] },
    async (_, reads, args) => {
      const { store, directory } = await newWiki()
      stageMine(directory)
      const commit = await stopGit(directory, args, reads)
      const { commit: written } = await write(store, change)
      expect(await commit.go()).toMatchObject({ status: 128, errors: expect.stringContaining('cannot lock ref') })
      expect(git(directory, 'rev-parse', 'HEAD')).toBe(written)
      await store.checkout.repairIndex()
      expectMineAlone(directory)
    },
  )

  test.each<[name: string, args: string[]]>([
    ['a merge', ['merge', '--no-edit', 'side']],
    ['a stash of nothing', ['stash']],
  ])('cannot remove it from the index by %s', { tags: 'long' }, async (_, args) => {
    const { store, directory } = await newWiki()
    git(directory, 'checkout', '--quiet', '-b', 'side')
    writeFileSync(join(directory, 'Side.wiki'), 'side')
    git(directory, 'add', '.')
    git(directory, 'commit', '--quiet', '-m', 'side')
    git(directory, 'checkout', '--quiet', 'main')
    const command = await stopGit(directory, args)
    await write(store, change)
    await command.go()
    await store.checkout.repairIndex()
    expect(git(directory, 'diff', '--cached', '--name-only', 'HEAD', '--', ...Object.keys(change))).toBe('')
  })

  test.each<[name: string, look: (directory: string) => Promise<unknown>]>([
    ['the next write', async directory => write(await openFresh(directory), { 'Next.wiki': 'next' })],
    ['a look', async directory => (await openFresh(directory)).checkout.repairIndex()],
  ])('has its reverted entries removed by %s', { tags: 'long' }, async (_, look) => {
    const directory = await putBack(script, change)
    expect(stagedNames(directory)).toEqual(['A.wiki', 'C.wiki', 'M.wiki', 'Mine.wiki', 'N.wiki', 'f/O.wiki'])
    await look(directory)
    expectMineAlone(directory)
  })

  test('has them removed soon by a writer that keeps running', async () => {
    const { store, directory } = await newWiki()
    stageMine(directory)
    const commit = await stopGit(directory, ['commit', '-m', 'mine'])
    await write(store, change)
    await commit.go()
    await until('the other entries are removed', () => stagedNames(directory).length === 1 || undefined)
    expectMineAlone(directory)
  })

  test('may have reverted more than one write', { tags: 'long' }, async () => {
    const edit = { 'A.wiki': 'once\n', 'N.wiki': 'new\n' }
    const directory = await putBack(script, edit, { 'A.wiki': 'twice\n', 'B.wiki': null }, { 'N.wiki': 'newer\n' })
    const store = await openFresh(directory)
    expect((await store.checkout.repairIndex()).toSorted()).toEqual(['A.wiki', 'B.wiki', 'N.wiki'])
    expectMineAlone(directory)
  })

  test('keeps changes staged since', { tags: 'long' }, async () => {
    const directory = await putBack(script, change)
    git(directory, 'reset', '--quiet', '--', 'A.wiki')
    writeFileSync(join(directory, 'A.wiki'), 'later\n')
    git(directory, 'add', 'A.wiki')
    await (await openFresh(directory)).checkout.repairIndex()
    expect(git(directory, 'show', ':A.wiki')).toBe('later')
    expect(stagedNames(directory)).toEqual(['A.wiki', 'Mine.wiki'])
  })

  test('is not confused with a user who stages an older text or a deletion', async () => {
    const { store, directory } = await newWiki()
    await write(store, change)
    git(directory, 'restore', '--staged', '--source=HEAD~1', 'A.wiki', 'C.wiki')
    git(directory, 'rm', '--quiet', '--cached', 'N.wiki')
    const before = git(directory, 'ls-files', '--stage')
    expect(await store.checkout.repairIndex()).toEqual([])
    expect(git(directory, 'ls-files', '--stage')).toBe(before)
    await write(store, { 'B.wiki': 'b2\n' })
    expect(stagedNames(directory)).toEqual(['A.wiki', 'C.wiki', 'N.wiki'])
  })

  test('and wrote it a moment ago can lock it again and commit: the write waits', async () => {
    const { store, directory } = await newWiki()
    await write(store, { 'A.wiki': 'next\n' })
    // As `git revert` leaves it between its two locks.
    git(directory, 'read-tree', 'HEAD~1')
    const index = join(directory, '.git/index')
    const { mtimeMs } = statSync(index)
    // For twenty looks the clock stands still.
    const isLocked: boolean[] = []
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => {
      if (isLocked.length === 20) return mtimeMs + 1000
      isLocked.push(existsSync(`${index}.lock`))
      return mtimeMs
    })
    onTestFinished(() => clock.mockRestore())
    await write(store, { 'N.wiki': 'new\n' })
    expect(isLocked).toEqual(Array(20).fill(false))
  })

  test("and locked it to write the branch's own state is not disturbed: the next command can lock it", async () => {
    const { store, directory } = await newWiki()
    stageMine(directory)
    git(directory, 'commit', '--quiet', '-m', 'mine')
    await write(store, { 'A.wiki': 'next\n' })
    const index = join(directory, '.git/index')
    const current = readFileSync(index)
    // As `git switch` leaves it while it writes the index of the branch that it comes to.
    git(directory, 'read-tree', 'HEAD~1')
    utimesSync(index, fromNow(-60), fromNow(-60))
    writeFileSync(`${index}.lock`, current)
    const names = new Set<string | null>()
    const watcher = watch(join(directory, '.git'), (_, name) => names.add(name))
    const repaired = store.checkout.repairIndex()
    // Fewer turns of the event loop than looks that wait for the lock.
    for (let turn = 0; turn < 10; turn++) await new Promise(resolve => setImmediate(resolve))
    renameSync(`${index}.lock`, index)
    expect(await repaired).toEqual([])
    writeFileSync(join(directory, '.git/last'), '')
    await expect.poll(() => [...names]).toContain('last')
    watcher.close()
    expect([...names].filter(name => name?.startsWith('index.wiki'))).toEqual([])
    expect(git(directory, 'status', '--porcelain')).toBe('')
  })

  test('and locked it keeps its staged changes: the write waits', { tags: 'long' }, async () => {
    const { store, directory } = await newWiki()
    writeFileSync(join(directory, 'Mine.wiki'), 'mine\n')
    const add = await stopGit(directory, ['add', 'Mine.wiki'])
    const written = write(store, change)
    await until('the write has its turn', () => existsSync(join(directory, '.git/wiki/writer.lock')) || undefined)
    expect(await add.go()).toEqual({ status: 0, errors: '' })
    await written
    expectMineAlone(directory)
  })
})

describe.skipIf(!hasGit)('the index is not ahead of the branch', () => {
  test('if the branch could not be moved after all', async () => {
    const { store, directory } = await newWiki()
    stageMine(directory)
    const before = git(directory, 'ls-files', '--stage')
    // No file can be renamed to the branch then.
    git(directory, 'pack-refs', '--all')
    const inTheWay = join(directory, '.git/refs/heads/main')
    mkdirSync(inTheWay)
    writeFileSync(join(inTheWay, 'full.lock'), '')
    await expect(write(store, change)).rejects.toMatchObject({ code: 'wiki-cannot-write' })
    rmSync(inTheWay, { recursive: true })
    expect(git(directory, 'ls-files', '--stage')).toBe(before)
    expect(git(directory, 'diff-files', '--name-only')).toBe('')
    await write(store, change)
    expectMineAlone(directory)
  })

  test.each(['.git/index', '.git/refs/heads/main'])(
    'for long where a writer was killed after it renamed %s',
    { tags: 'long' },
    async path => {
      const { directory } = await newWiki()
      stageMine(directory)
      const writer = await stopWriter(script, directory, change, path)
      await writer.kill()
      await write(await openFresh(directory), { 'B.wiki': 'b2\n' })
      expect(readFileSync(join(directory, 'A.wiki'), 'utf8')).toBe(path === '.git/index' ? 'a\n' : 'acknowledged\n')
      expectMineAlone(directory)
    },
  )
})

async function newWiki(): Promise<{ store: Store; directory: string }> {
  const made = await newStore()
  await write(made.store, { 'A.wiki': 'a\n', 'B.wiki': 'b\n', 'C.wiki': 'c\n', 'M.wiki': 'moved\n', 'K.wiki': 'k\n' })
  return made
}

/** Makes a wiki in whose index git has reverted the last writes, all by processes that have ended. */
async function putBack(script: string, ...writes: (typeof change)[]): Promise<string> {
  const { store, directory } = await newWiki()
  // It would check the index.
  store.close()
  stageMine(directory)
  const commit = await stopGit(directory, ['commit', '-m', 'mine'])
  for (const texts of writes) await startChild(script, 'change', directory, JSON.stringify(texts)).ended
  await commit.go()
  return directory
}

/** A page staged with native git. */
function stageMine(directory: string): void {
  writeFileSync(join(directory, 'Mine.wiki'), 'mine\n')
  git(directory, 'add', 'Mine.wiki')
}

function stagedNames(directory: string): string[] {
  return git(directory, 'diff', '--cached', '--name-only', '--no-renames', 'HEAD').split('\n').filter(Boolean)
}

/** A plain commit would record exactly the user's staged changes, and nothing else is changed. */
function expectMineAlone(directory: string): void {
  expect(git(directory, 'diff-files', '--name-only')).toBe('')
  expect(git(directory, 'status', '--porcelain')).toBe('A  Mine.wiki')
  git(directory, 'commit', '--quiet', '-m', 'mine')
  expect(git(directory, 'diff-tree', '-r', '--name-status', 'HEAD~1', 'HEAD')).toBe('A\tMine.wiki')
}

// Git writes the log of HEAD first, then the branch. A power cut in between must not look like a branch that was moved back.
test.skipIf(!hasGit)('a commit of git that was killed before the branch moved is not taken back', async () => {
  const { store, directory } = await newStore()
  await write(store, { 'A.wiki': 'one\n' })
  writeFileSync(join(directory, 'A.wiki'), 'by a person\n')
  const before = git(directory, 'rev-parse', 'HEAD')
  git(directory, 'commit', '-q', '-a', '-m', 'by a person')
  writeFileSync(join(directory, '.git/refs/heads/main'), `${before}\n`)
  const again = await openFresh(directory)
  await write(again, { 'B.wiki': 'other\n' })
  expect(readFileSync(join(directory, 'A.wiki'), 'utf8')).toBe('by a person\n')
  expect(git(directory, 'diff', '--cached', '--name-only')).toBe('A.wiki')
})
