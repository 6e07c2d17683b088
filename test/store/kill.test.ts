import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { takeLockFile } from '../../src/store/repository/lock-file.ts'
import type { Store } from '../../src/store/store.ts'
import { rounds } from '../_rounds.ts'
import { git, hasGit, temporaryDirectory } from '../_setup.ts'
import { deadOwner, lockOf, ownerWith } from './_owners.ts'
import { bundleChild, deadProcess, startChild, startKilled } from './_processes.ts'
import { impatiently } from './_slices.ts'
import { newStore, openFresh, planOf, write } from './_store.ts'

// Native git checks the repository.
describe.skipIf(!hasGit)('a process killed during a write', () => {
  let script: string

  beforeAll(async () => {
    script = await bundleChild()
  })

  test.each([
    ['a work tree', [], rounds(2, 7, 14)],
    ['a bare repository', ['--bare'], rounds(1, 3, 6)],
  ])(
    'in %s loses no acknowledged commit and leaves nothing damaged',
    { tags: ['rounds', 'long'], timeout: 240_000 },
    async (_, options: string[], count) => {
      const directory = await temporaryDirectory()
      git(directory, 'init', '--quiet', ...options)
      const acknowledged: string[] = []
      for (let round = 0; round < count; round++) {
        acknowledged.push(...(await killWhileWriting(directory, `W${round % 3}`, round)))
        expectReachable(directory, acknowledged)
        expectSound(directory)
        const store = await openFresh(directory)
        await write(store, { 'Next.wiki': `${round}` })
        expect(leftovers(directory)).toEqual([])
        if (options.length === 0) {
          expect(git(directory, 'status', '--porcelain')).toBe('')
          git(directory, 'commit', '--quiet', '--allow-empty', '-m', 'native')
        }
      }
      expect(acknowledged.length).toBeGreaterThanOrEqual(count)
    },
  )

  async function killWhileWriting(directory: string, name: string, round: number): Promise<string[]> {
    // After a few commits, before a call that differs in each round.
    const child = startKilled(150 + round * 37, script, 'write', directory, name)
    expect(await child.ended).toEqual({ end: 'SIGKILL', errors: '' })
    return child.lines.slice(1)
  }
})

interface Scene {
  readonly directory: string
  readonly dead: number
  /** The commit before the last one. */
  readonly before: string
  readonly after: string
}

/** States that a kill may leave, from its earliest to its latest moment. In all scenes the last write was A: 1 to 2, B: new, C: gone. */
const scenes: readonly [name: string, leave: (scene: Scene) => void][] = [
  ['the lock of the index', ({ directory }) => putLock(directory, 'index.lock')],
  ['the lock of the branch', ({ directory }) => putLock(directory, 'refs/heads/main.lock')],
  ['a journal half written', ({ directory }) => put(directory, '.git/wiki/journal', '{"process":')],
  [
    'a journal, before the branch moved',
    scene => {
      rewind(scene)
      git(scene.directory, 'update-ref', 'refs/heads/main', scene.before)
      putJournal(scene)
    },
  ],
  [
    'a journal and both locks, after the branch moved',
    scene => {
      rewind(scene)
      putJournal(scene)
      putLock(scene.directory, 'index.lock')
      putLock(scene.directory, 'refs/heads/main.lock')
    },
  ],
  [
    'a journal, after some files followed',
    scene => {
      rewind(scene)
      putJournal(scene)
      put(scene.directory, 'A.wiki', '2')
    },
  ],
  [
    'a journal, after all files followed',
    scene => {
      const { directory } = scene
      putJournal(scene)
      copyFileSync(join(directory, '.git/index.before'), join(directory, '.git/index'))
    },
  ],
  ['a journal, after all was done', putJournal],
]

describe.skipIf(!hasGit)('the remains of a killed process', () => {
  describe.each(scenes)('%s', (_, leave) => {
    test.each(['opened after it', 'open since before'])(
      'is put right by the next write of a store %s',
      async opened => {
        const { scene, store } = await lastWrite()
        leave(scene)
        const moved = git(scene.directory, 'rev-parse', 'main') === scene.after
        const writer = opened === 'opened after it' ? await openFresh(scene.directory) : store
        await write(writer, { 'D.wiki': 'd' })
        const files = moved ? ['A.wiki', 'B.wiki', 'D.wiki'] : ['A.wiki', 'C.wiki', 'D.wiki']
        expect(readdirSync(scene.directory).sort()).toEqual(['.git', ...files])
        expect(readFileSync(join(scene.directory, 'A.wiki'), 'utf8')).toBe(moved ? '2' : '1')
        expect(git(scene.directory, 'status', '--porcelain')).toBe('')
        expect(leftovers(scene.directory)).toEqual([])
        expectSound(scene.directory)
        git(scene.directory, 'commit', '--quiet', '--allow-empty', '-m', 'native')
      },
    )
  })

  test('include names of files about to be renamed: the next store removes them, and until then git ignores them', async () => {
    const { scene } = await lastWrite()
    for (const name of [`main.wiki-${deadOwner()}-1.lock`, `main.wiki-${deadOwner()}-1-new.lock`])
      put(scene.directory, `.git/refs/heads/${name}`, 'half')
    const record = '.git/wiki/.acknowledged'
    put(scene.directory, `${record}/main.verified.wiki-${deadOwner()}-new.lock`, 'half')
    const bases = `.git/wiki/bases.wiki-${deadOwner()}-new.lock`
    put(scene.directory, bases, 'half')
    const other = `main.wiki-${ownerWith({})}-1.lock`
    put(scene.directory, `.git/refs/heads/${other}`, 'of a process that lives')
    expectSound(scene.directory)
    await write(await openFresh(scene.directory), { 'D.wiki': 'd' })
    expect(readdirSync(join(scene.directory, '.git/refs/heads'))).toEqual(['main', other])
    expect(existsSync(join(scene.directory, bases))).toBe(false)
    expect(readdirSync(join(scene.directory, record)).filter(name => name.endsWith('.lock'))).toEqual([])
  })

  test('are completed also by a writer that planned before the killed one moved the branch', {
    tags: 'long',
  }, async () => {
    const { store, directory } = await newStore()
    await write(store, { 'A.wiki': '1' })
    const other = await openFresh(directory)
    let isKilled = false
    await store.commit(async () => {
      if (!isKilled) await leaveUnfollowed(other, directory)
      isKilled = true
      return planOf({ 'D.wiki': 'd' })
    })
    expect(readdirSync(directory).sort()).toEqual(['.git', 'A.wiki', 'B.wiki', 'D.wiki'])
    expect(git(directory, 'status', '--porcelain')).toBe('')
    expect(leftovers(directory)).toEqual([])
  })

  test('are completed only if nobody changed the files meanwhile', async () => {
    const { scene } = await lastWrite()
    rewind(scene)
    putJournal(scene)
    put(scene.directory, 'A.wiki', 'mine')
    const store = await openFresh(scene.directory)
    await write(store, { 'D.wiki': 'd' })
    expect(readFileSync(join(scene.directory, 'A.wiki'), 'utf8')).toBe('mine')
    expect(git(scene.directory, 'status', '--porcelain')).toBe(' M A.wiki')
  })

  test("are not confused with this process's work if it has the same process id", async () => {
    const { scene, store } = await lastWrite()
    for (const path of ['index.lock', 'refs/heads/main.lock'])
      put(scene.directory, `.git/${path}`, lockOf(ownerWith({ start: '1' })))
    rewind(scene)
    putJournal({ ...scene, dead: process.pid })
    await write(store, { 'D.wiki': 'd' })
    expect(git(scene.directory, 'status', '--porcelain')).toBe('')
    expect(leftovers(scene.directory)).toEqual([])
  })

  test("are not confused with this process's locks, although the clock was set back since it started", async () => {
    const { scene, store } = await lastWrite()
    const path = join(scene.directory, '.git/index')
    const release = await takeLockFile(path)
    utimesSync(`${path}.lock`, 1, 1)
    await expect(impatiently(() => write(store, { 'D.wiki': 'd' }))).rejects.toMatchObject({ code: 'wiki-locked' })
    release()
    await write(store, { 'D.wiki': 'd' })
    expect(leftovers(scene.directory)).toEqual([])
  })

  test('of an import or a search are also removed after the next write', async () => {
    const { scene } = await lastWrite()
    const left = `refs/wiki/main/left-behind/${'a'.repeat(40)}.lock`
    const names = ['wiki/main/lock', 'wiki/main/import.lock', 'wiki/main/search/lock', 'wiki/writer.lock', left]
    put(scene.directory, `.git/wiki/main/import/state.json.wiki-${deadOwner()}-new.lock`, 'half')
    mkdirSync(join(scene.directory, '.git/wiki/main/search'))
    for (const name of names) putLock(scene.directory, name)
    await write(await openFresh(scene.directory), { 'D.wiki': 'd' })
    expect(leftovers(scene.directory)).toEqual([])
  })

  test.each(['with', 'without'])(
    'of the process that removed a stale lock is removed too, %s that lock',
    async lock => {
      const { scene } = await lastWrite()
      mkdirSync(join(scene.directory, '.git/wiki/main/search'))
      const names = ['index', 'refs/heads/main', 'wiki/writer', 'wiki/main/compaction', 'wiki/main/import']
      const paths = [...names, 'wiki/main/lock', 'wiki/main/search/lock']
      for (const path of paths) {
        putLock(scene.directory, `${path}.wiki-end-ffffffff-1.lock`, 2)
        putLock(scene.directory, `${path}.wiki-end-ffffffff-1.lock.wiki-${deadOwner()}-1.lock`)
        if (lock === 'with') putLock(scene.directory, path.endsWith('lock') ? path : `${path}.lock`)
      }
      await write(await openFresh(scene.directory), { 'D.wiki': 'd' })
      expect(leftovers(scene.directory)).toEqual([])
    },
  )

  test('keep a store from writing only while another process has the lock', async () => {
    const { scene } = await lastWrite()
    putJournal(scene)
    put(scene.directory, '.git/index.lock', '')
    const store = await openFresh(scene.directory)
    await expect(impatiently(() => write(store, { 'D.wiki': 'd' }))).rejects.toMatchObject({ code: 'wiki-locked' })
    rmSync(join(scene.directory, '.git/index.lock'))
    await write(store, { 'D.wiki': 'd' })
    expect(leftovers(scene.directory)).toEqual([])
  })

  test('are taken over by one process only', { tags: ['rounds', 'long'] }, async () => {
    const directory = await temporaryDirectory()
    git(directory, 'init', '--quiet', '--bare')
    const script = await bundleChild()
    // Each round: a lock left behind, and three processes that all find it.
    for (let round = 0; round < rounds(1, 3); round++) {
      put(directory, 'refs/heads/main.lock', lockOf(deadOwner()))
      const children = ['one', 'two', 'three'].map(name => startChild(script, 'write', directory, name, '3'))
      for (const child of children) expect(await child.ended).toEqual({ end: 0, errors: '' })
      expectReachable(
        directory,
        children.flatMap(({ lines }) => lines.slice(1)),
        9,
      )
    }
  })
})

async function lastWrite(): Promise<{ scene: Scene; store: Store }> {
  const { store, directory } = await newStore()
  const before = await write(store, { 'A.wiki': '1', 'C.wiki': 'c' })
  copyFileSync(join(directory, '.git/index'), join(directory, '.git/index.before'))
  const after = await write(store, { 'A.wiki': '2', 'B.wiki': 'new', 'C.wiki': null })
  const dead = deadProcess
  return { store, scene: { directory, dead, before: before.commit as string, after: after.commit as string } }
}

/** Commits B.wiki like a process that is killed before its work tree follows. */
async function leaveUnfollowed(store: Store, directory: string): Promise<void> {
  const [index, before] = [join(directory, '.git/index'), join(directory, '.git/index.before')]
  copyFileSync(index, before)
  const { commit } = await write(store, { 'B.wiki': 'new' })
  rmSync(join(directory, 'B.wiki'))
  copyFileSync(before, index)
  const after = git(directory, 'rev-parse', 'main:B.wiki')
  const paths = [{ path: 'B.wiki', before: null, after }]
  put(directory, '.git/wiki/journal', JSON.stringify({ process: deadProcess, commit, paths }))
}

/** Resets work tree and index to their state before the last write. */
function rewind({ directory }: Scene): void {
  put(directory, 'A.wiki', '1')
  put(directory, 'C.wiki', 'c')
  rmSync(join(directory, 'B.wiki'))
  copyFileSync(join(directory, '.git/index.before'), join(directory, '.git/index'))
}

function putJournal({ directory, dead, before, after }: Scene): void {
  const blobs = (commit: string) => {
    const lines = git(directory, 'ls-tree', '--format=%(path) %(objectname)', commit).split('\n')
    return Object.fromEntries(lines.map(line => line.split(' ') as [string, string]))
  }
  const [old, now] = [blobs(before), blobs(after)]
  const paths = ['A.wiki', 'B.wiki', 'C.wiki'].map(path => ({
    path,
    before: old[path] ?? null,
    after: now[path] ?? null,
  }))
  put(directory, '.git/wiki/journal', JSON.stringify({ process: dead, commit: after, paths }))
}

function putLock(directory: string, path: string, count = 1): void {
  put(directory, join('.git', path), lockOf(deadOwner(), count))
}

function put(directory: string, path: string, text: string): void {
  mkdirSync(join(directory, path, '..'), { recursive: true })
  writeFileSync(join(directory, path), text)
}

/** Files of a write in progress, anywhere in the repository but among the objects, where git cleans up. */
function leftovers(directory: string): string[] {
  const top = existsSync(join(directory, '.git')) ? join(directory, '.git') : directory
  const names = [...readdirSync(top, { recursive: true }), ...readdirSync(directory)].map(String)
  return names.filter(name => /lock|journal|\.tmp$|\.new$/.test(name) && !name.startsWith('hooks'))
}

function expectReachable(directory: string, commits: readonly string[], count = commits.length): void {
  const reachable = new Set(git(directory, 'rev-list', 'main').split('\n'))
  expect(commits.filter(commit => !reachable.has(commit))).toEqual([])
  expect(commits.length).toBe(count)
}

function expectSound(directory: string): void {
  expect(git(directory, 'fsck', '--strict', '--no-dangling', '--no-progress')).toBe('')
  const refs = git(directory, 'for-each-ref', '--format=%(refname)').split('\n')
  expect(refs.filter(ref => !/^refs\/wiki\/main\/(?:acknowledged|left-behind\/[0-9a-f]{40})$/.test(ref))).toEqual([
    'refs/heads/main',
  ])
}
