/**
 * The state after a power failure: only synced data is certain to exist, and a rename only after its target. The calls
 * of the real file system are observed; no part of the store is replaced.
 */

import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { inflateSync } from 'node:zlib'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { importDump } from '../../src/operations/import-dump.ts'
import { initWiki } from '../../src/operations/init-wiki.ts'
import { createToken } from '../../src/operations/tokens.ts'
import { git, needsGit, temporaryDirectory } from '../_setup.ts'
import { dumpOf } from '../operations/_dump.ts'
import { newWiki } from '../operations/_wiki.ts'
import { newStore, openFresh, write } from './_store.ts'

/**
 * A file that was written to, one whose sync began, one that was synced, a name that a file or folder got, a folder that was synced, a
 * file that is about to be replaced, or a name that was removed.
 */
type Step =
  | { readonly written: string }
  | { readonly begun: string }
  | { readonly synced: string }
  | { readonly name: string; readonly isSynced: boolean }
  | { readonly folder: string }
  | { readonly replaced: string; readonly isHeld: boolean }
  | { readonly removed: string }

/** Syncs of these files and folders fail. */
interface Failure {
  readonly path: RegExp
  readonly code: string
}

const watch = vi.hoisted(() => ({
  steps: null as Step[] | null,
  unsynced: new Set<string>(),
  isOnOtherDisk: false,
  /** Syncs that begin together end in the opposite order. */
  late: null as (() => void)[] | null,
  fails: null as Failure | null,
}))
const otherDisk = Object.assign(new Error('EXDEV'), { code: 'EXDEV' })

vi.mock('node:fs', async original => {
  const real = await original<typeof import('node:fs')>()
  const opened = new Map<number, string>()
  /** A path through a handle of a folder, as the system resolves it. */
  const whole = (path: string) =>
    path.replace(/^\/proc\/self\/fd\/(\d+)(?=\/)/, (start, file) => opened.get(Number(file)) ?? start)
  const watched = {
    openSync: (path: string, ...rest: [string]) => {
      const isNew = !real.existsSync(path)
      const file = real.openSync(path, ...rest)
      opened.set(file, whole(String(path)))
      // Empty so far.
      if (isNew) watch.steps?.push({ name: whole(String(path)), isSynced: true })
      return file
    },
    writeSync: (file: number, ...rest: [string]) => {
      noteWrite(opened.get(file) ?? '')
      return real.writeSync(file, ...rest)
    },
    writeFileSync: (path: string | number, ...rest: [string]) => {
      noteWrite(typeof path === 'number' ? (opened.get(path) ?? '') : path)
      return real.writeFileSync(path, ...rest)
    },
    fsyncSync: (file: number) => {
      watch.steps?.push({ begun: opened.get(file) ?? '' })
      const failure = failureOf(opened.get(file) ?? '')
      if (failure !== null) throw failure
      real.fsyncSync(file)
      noteSync(opened.get(file) ?? '', real.fstatSync(file).isDirectory())
    },
    fsync: (file: number, done: (error: Error | null) => void) => {
      const [path, isFolder] = [opened.get(file) ?? '', real.fstatSync(file).isDirectory()]
      watch.steps?.push({ begun: path })
      const failure = failureOf(path)
      if (failure !== null) return void setImmediate(done, failure)
      const end = () =>
        real.fsync(file, error => {
          noteSync(path, isFolder)
          done(error)
        })
      if (watch.late === null) return end()
      if (watch.late.length === 0) setImmediate(endLate)
      watch.late.push(() => {
        real.fsyncSync(file)
        noteSync(path, isFolder)
        done(null)
      })
    },
    copyFileSync: (from: string, to: string) => {
      watch.unsynced.add(to)
      real.copyFileSync(from, to)
    },
    renameSync: (from: string, to: string) => {
      if (watch.isOnOtherDisk && /tmp_pack|\/wiki\/.*pack-/.test(from) && objects.test(to)) throw otherDisk
      noteReplaced(real, to)
      real.renameSync(from, to)
      noteName(whole(from), whole(to))
      watch.steps?.push({ removed: whole(from) })
    },
    linkSync: (from: string, to: string) => {
      real.linkSync(from, to)
      noteName(whole(from), whole(to))
    },
    mkdirSync: (path: string, ...rest: []) => {
      const made = real.mkdirSync(path, ...rest)
      watch.steps?.push({ name: whole(path), isSynced: true })
      return made
    },
    unlinkSync: (path: string) => {
      if (/\.old$/.test(path)) noteReplaced(real, path)
      real.unlinkSync(path)
      watch.steps?.push({ removed: whole(path) })
    },
    rmdirSync: (path: string) => {
      real.rmdirSync(path)
      watch.steps?.push({ removed: whole(path) })
    },
  }
  return { ...real, ...watched, default: { ...real, ...watched } }
})

function endLate(): void {
  const { late } = watch
  watch.late = late && []
  for (const end of late?.toReversed() ?? []) end()
}

function failureOf(path: string): Error | null {
  if (watch.fails?.path.test(path) !== true) return null
  return Object.assign(new Error(watch.fails.code), { code: watch.fails.code, syscall: 'fsync' })
}

/** Does something while syncs of some paths fail. */
async function failing<Result>(path: RegExp, code: string, work: () => Promise<Result>): Promise<Result> {
  watch.fails = { path, code }
  return work().finally(() => {
    watch.fails = null
  })
}

/** A file that is about to be renamed or deleted, and whether this process has it open. */
function noteReplaced(real: typeof import('node:fs'), path: string): void {
  const { ino } = real.lstatSync(path, { throwIfNoEntry: false }) ?? {}
  if (ino === undefined || watch.steps === null) return
  const handles = real.readdirSync('/proc/self/fd').map(handle => real.statSync(`/proc/self/fd/${handle}`, quietly))
  watch.steps.push({ replaced: path, isHeld: handles.some(stat => stat?.ino === ino) })
}

const quietly = { throwIfNoEntry: false } as const

function noteWrite(path: string): void {
  watch.unsynced.add(path)
  watch.steps?.push({ written: path })
}

function noteSync(path: string, isFolder: boolean): void {
  watch.unsynced.delete(path)
  watch.steps?.push(isFolder ? { folder: path } : { synced: path })
}

function noteName(from: string, to: string): void {
  watch.steps?.push({ name: to.replaceAll('\\', '/'), isSynced: !watch.unsynced.has(from) })
  if (watch.unsynced.delete(from)) watch.unsynced.add(to)
}

/** Changes of names and folders while something is done. */
async function stepsOf(work: () => Promise<unknown>): Promise<Step[]> {
  const steps: Step[] = []
  watch.steps = steps
  onTestFinished(() => {
    watch.steps = null
  })
  await work()
  watch.steps = null
  return steps
}

const named = (steps: readonly Step[], pattern: RegExp) =>
  steps.flatMap((step, at) => ('name' in step && pattern.test(step.name) ? [{ ...step, at }] : []))
const objects = /\/objects\/(?:..\/[0-9a-f]{38}|pack\/pack-[0-9a-f]+\.(?:pack|idx))$/
const branch = /\.git\/refs\/heads\/[^/.]+$/
const log = /\/wiki\/\.acknowledged\/[^/]+$/
const keptRef = /\/refs\/wiki\/[^/]+\/acknowledged$/

/** Positions of the steps that wrote, or synced, files of such a path. */
const placesOf = (steps: readonly Step[], kind: 'written' | 'begun' | 'synced', path = /./) =>
  steps.flatMap((step, at) => (kind in step && path.test((step as Record<string, string>)[kind] ?? '') ? [at] : []))

/**
 * Checks the required order of a write; `count`: minimum number of objects, or packs with their indexes, that it
 * writes.
 */
function expectOrder(steps: readonly Step[], count: number): void {
  const written = named(steps, objects)
  const [moved, ...more] = named(steps, branch)
  expect(written.length).toBeGreaterThanOrEqual(count)
  expect(more).toEqual([])
  expect([...written, moved!, ...named(steps, keptRef)].filter(({ isSynced }) => !isSynced)).toEqual([])
  expect(placesOf(steps, 'synced', log).filter(at => at < moved!.at)).not.toEqual([])
  expect(written.filter(({ at }) => at > moved!.at)).toEqual([])
  const isSynced = (folder: RegExp, from: number, to: number): boolean =>
    steps.slice(from, to).some(step => 'folder' in step && folder.test(step.folder))
  expect(isSynced(/refs.heads$/, moved!.at, steps.length)).toBe(true)
  const packs = written.filter(({ name }) => name.includes('/pack/'))
  // The names of loose objects are on the disk when that of the branch is: it comes later, as git has it, too.
  if (packs.length > 0) expect(isSynced(/objects.pack$/, packs.at(-1)!.at, moved!.at)).toBe(true)
}

/** Caches, signs of running processes, and the files that keep a pack during an import: a later write removes them. */
const unsyncedFolders = /\/wiki\/main\/|\/wiki\/\.alive\/|\.keep$/
/** A process that finds one of these without an owner removes it. */
const unsyncedNames = new RegExp(`${unsyncedFolders.source}|\\.lock$`)
const gitLock = /\/(?:index|refs\/heads\/\w+|refs\/wiki\/\w+\/acknowledged)\.lock$/

/** Checks the rules of every write: see `src/files/durable.ts`. */
function expectDurable(steps: readonly Step[]): void {
  const locks = new Set<string>()
  const late: string[] = []
  for (const step of steps) {
    if ('name' in step && gitLock.test(step.name)) locks.add(step.name)
    if ('removed' in step) locks.delete(step.removed)
    if ('folder' in step && locks.size > 0) late.push(`${step.folder} is synced while ${[...locks].join()} stands`)
  }
  expect(late).toEqual([])
  const names = steps.flatMap(step => ('name' in step && !unsyncedNames.test(step.name) ? [step] : []))
  expect(names.filter(({ isSynced }) => !isSynced)).toEqual([])
  const isSyncedLater = (folder: string, at: number) =>
    steps.some((step, later) => later > at && 'folder' in step && step.folder === folder)
  const isGone = (folder: string) => steps.some(step => 'removed' in step && step.removed === folder)
  const unsynced = steps.flatMap((step, at) => {
    const path = 'name' in step ? step.name : 'removed' in step ? step.removed : null
    if (path === null || unsyncedFolders.test(path)) return []
    return isGone(dirname(path)) || isSyncedLater(dirname(path), at) ? [] : [path]
  })
  expect(unsynced).toEqual([])
}

describe('content is on disk before its name, and each name before the write is reported as done, but never with a lock of git’s:', () => {
  test.each<[what: string, texts: Record<string, string | null>]>([
    ['an edit', { 'A.wiki': 'two\n' }],
    ['a new page in new folders', { 'a/b/C.wiki': 'one\n' }],
    ['a deletion', { 'x/B.wiki': null }],
    ['several files', { 'A.wiki': 'two\n', 'x/B.wiki': 'two\n', 'D.wiki': 'one\n' }],
  ])('%s', async (_, texts) => {
    const { store } = await newStore()
    await write(store, { 'A.wiki': 'one\n', 'x/B.wiki': 'one\n' })
    expectDurable(await stepsOf(() => write(store, texts)))
  })

  test('a new wiki', async () => {
    const directory = join(await temporaryDirectory(), 'new', 'wiki')
    expectDurable(await stepsOf(() => initWiki({ directory, author: { name: 'A', address: '' } })))
  })

  test('a driver in git’s settings', async context => {
    needsGit(context)
    const directory = await temporaryDirectory()
    const author = { name: 'A', address: '' }
    await initWiki({ directory, author })
    expectDurable(await stepsOf(() => initWiki({ directory, author, drivers: ['merge'] })))
    expect(git(directory, 'config', 'merge.wiki.driver')).toContain('wiki merge-driver')
  })

  test('a token', async () => {
    const { wiki } = await newWiki()
    expectDurable(await stepsOf(() => createToken(wiki, { name: 'A' })))
  })

  test('an import', async () => {
    const { wiki } = await newWiki()
    const dump = dumpOf([{ title: 'A', revisions: [{ text: 'one' }, { text: 'two', time: '2021-01-01T00:00:00Z' }] }])
    expectDurable(await stepsOf(() => importDump(wiki, { dump: Readable.from([Buffer.from(dump)]) })))
  })
})

describe('an error of a sync', () => {
  const names = [/\/refs\/heads$/, /\/refs\/wiki\/main$/, /\.git$/, /\/gitwiki-\w+$/]

  test.each(names)('of the names in %s: the edit is there, and not acknowledged', async path => {
    const { store } = await newStore()
    await write(store, { 'A.wiki': 'one\n' })
    const edit = failing(path, 'EIO', () => write(store, { 'A.wiki': 'two\n' }))
    await expect(edit).rejects.toMatchObject({
      code: 'wiki-not-synced',
      params: [expect.stringMatching(/^commit \w{40}$/), 'EIO'],
    })
    await expect(failing(path, 'EIO', () => write(store, { 'B.wiki': 'one\n' }))).rejects.toMatchObject({
      code: 'wiki-not-synced',
    })
    await write(store, { 'C.wiki': 'one\n' })
    expect([...store.pages()].map(page => page.path).toSorted()).toEqual(['A.wiki', 'B.wiki', 'C.wiki'])
  })

  test.each([/\/tmp_obj_/, /\/objects\/..$/, /\.acknowledged\/main$/, /index\.wiki-[\w-]+-new\.lock$/])(
    'of %s: nothing is written',
    async path => {
      const { store, directory } = await newStore()
      await write(store, { 'A.wiki': 'one\n' })
      const edit = failing(path, 'EIO', () => write(store, { 'A.wiki': 'two\n' }))
      await expect(edit).rejects.toMatchObject({ code: 'wiki-cannot-write' })
      expect(await store.text(store.revision(store.findPage('A')!.latest)!)).toBe('one\n')
      // The disk may have refused to take back a file that had followed already.
      await write(store, { 'B.wiki': 'one\n' })
      expect(readFileSync(join(directory, 'A.wiki'), 'utf8')).toBe('one\n')
    },
  )

  test.each(['EINVAL', 'ENOTSUP', 'ENOSYS'])('of a file system that cannot sync folders, %s, is none', async code => {
    const { store } = await newStore()
    const folder = /\/(?:refs\/\w+|refs\/wiki\/main|\.git|\.git\/wiki|objects(?:\/..)?|gitwiki-\w+)$/
    await failing(folder, code, () => write(store, { 'A.wiki': 'one\n' }))
  })

  test('of the list of tokens: the token is there, and not acknowledged', async () => {
    const { wiki } = await newWiki()
    const made = failing(/\.access$/, 'EIO', () => createToken(wiki, { name: 'A' }))
    await expect(made).rejects.toMatchObject({ code: 'wiki-not-synced' })
  })
})

describe('objects are on disk before the branch names them, and the branch before the write is reported as done:', () => {
  test('an edit', async () => {
    const { store } = await newStore()
    await write(store, { 'A.wiki': 'one\n' })
    expectOrder(await stepsOf(() => write(store, { 'A.wiki': 'two\n' })), 3)
  })

  // Otherwise a cut leaves a commit without its parts, which the record finds and keeps.
  test('objects get their names after those of their parts', async () => {
    const { store } = await newStore()
    watch.late = []
    onTestFinished(() => {
      watch.late = null
    })
    const steps = await stepsOf(() => write(store, { 'a/A.wiki': 'a\n', 'b/B.wiki': 'b\n', 'C.wiki': 'c\n' }))
    const types = named(steps, objects).map(({ name }) => /^[a-z]+/.exec(`${inflateSync(readFileSync(name))}`)?.[0])
    expect(types).toEqual(['blob', 'blob', 'blob', 'tree', 'tree', 'tree', 'commit'])
  })

  test('an edit waits for the disk five times: contents, names of objects, the page, git’s index, all other names', async () => {
    const { store, directory } = await newStore()
    await write(store, { 'A.wiki': 'one\n' })
    const steps = await stepsOf(() => write(store, { 'A.wiki': 'two\n' }))
    const moved = named(steps, branch)[0]!.at
    const before = steps.slice(0, moved)
    const durable = /\/tmp_obj_|\/refs\/.*-\d+-new\.lock$|\.acknowledged\//
    const begun = placesOf(before, 'begun')
    // Three objects, the log, the ref that keeps them, the branch: all are written before the first one is synced.
    expect(placesOf(before, 'begun', durable)).toEqual(begun.slice(0, 6))
    expect(placesOf(before, 'written', durable).filter(at => at > begun[0]!)).toEqual([])
    expect(placesOf(before, 'synced')[0]!).toBeGreaterThan(begun[5]!)
    const folders = (some: readonly Step[]) =>
      some
        .flatMap(step => ('folder' in step && step.folder.startsWith(directory) ? [step.folder] : []))
        .map(folder => folder.slice(directory.length + 1))
        .toSorted()
    expect(new Set(folders(before).map(name => name.replace(/..$/, '')))).toEqual(
      new Set(['.git/objects/', '.git/objec']),
    )
    expect(
      placesOf(before, 'begun', /\.wiki-[0-9a-f]+\.tmp$|wiki\/(?:changes|journal)$|index\.wiki-.*-new\.lock$/),
    ).toEqual(begun.slice(-4))
    // The page's new content, the journal and the notes about it are synced together.
    expect(begun.at(-2)).toBe(begun.at(-4)! + 2)
    expect(folders(steps.slice(moved))).toEqual([
      '',
      '.git',
      '.git/refs/heads',
      '.git/refs/wiki/main',
      '.git/wiki',
      '.git/wiki/old-files',
    ])
  })

  // Linux frees a file with its last name or handle, which takes milliseconds; /proc shows the handles.
  test.runIf(process.platform === 'linux')('an edit does not wait until what it replaces is freed', async () => {
    const { store } = await newStore()
    await write(store, { 'A.wiki': 'one\n' })
    const steps = await stepsOf(() => write(store, { 'A.wiki': 'two\n' }))
    const replaced = steps.flatMap(step => ('replaced' in step ? [step] : []))
    const names = replaced.map(({ replaced }) => replaced.split('/').at(-1))
    // The page's old file keeps a name.
    expect(names.toSorted()).toEqual(['acknowledged', 'index', 'main'])
    expect(replaced.filter(({ isHeld }) => !isHeld)).toEqual([])
  })

  // Git does not sync loose objects: after a power failure the edit would stand on empty files.
  test('a plain commit, before an edit upon it', async context => {
    needsGit(context)
    const { store, directory } = await newStore()
    await write(store, { 'A.wiki': 'one\n', 'deep/B.wiki': 'b\n' })
    writeFileSync(join(directory, 'deep/C.wiki'), 'c\n')
    git(directory, 'add', '-A')
    git(directory, 'commit', '-q', '-m', 'plain')
    const hashes = git(directory, 'rev-list', '--objects', '--no-object-names', 'HEAD', '--not', 'HEAD~1').split('\n')
    expect(hashes).toHaveLength(4)
    const steps = await stepsOf(() => write(store, { 'A.wiki': 'two\n' }))
    const [moved] = named(steps, branch)
    const synced = steps
      .slice(0, moved!.at)
      .flatMap(step => ('synced' in step ? [step.synced.split('/').slice(-2).join('')] : []))
    expect(hashes.filter(hash => !synced.includes(hash))).toEqual([])
    const next = await stepsOf(() => write(store, { 'A.wiki': 'three\n' }))
    expect(placesOf(next, 'begun', objects)).toEqual([])
  })

  test('an edit, except for what core.fsync excludes', async () => {
    const synced = async (value: string) => {
      const { directory } = await newStore()
      appendFileSync(join(directory, '.git/config'), `[core]\n\tfsync = ${value}\n`)
      const store = await openFresh(directory)
      await write(store, { 'A.wiki': 'one\n' })
      const steps = await stepsOf(() => write(store, { 'A.wiki': 'two\n' }))
      const [moved] = named(steps, branch)
      return { objects: named(steps, objects).map(({ isSynced }) => isSynced), branch: moved!.isSynced }
    }
    expect(await synced('-loose-object')).toEqual({ objects: [false, false, false], branch: true })
    expect(await synced('none,objects')).toEqual({ objects: [true, true, true], branch: false })
    expect(await synced('reference')).toEqual({ objects: [true, true, true], branch: true })
  })

  test('many files at once, in a pack', { tags: 'long' }, async () => {
    const { store } = await newStore()
    await write(store, { 'A.wiki': 'one\n' })
    const files = Object.fromEntries(Array.from({ length: 600 }, (_, at) => [`P${at}.wiki`, `text ${at}\n`]))
    expectOrder(await stepsOf(() => write(store, files)), 2)
  })

  test.each([false, true])('an import, where the objects are on another disk: %s', async isOnOtherDisk => {
    watch.isOnOtherDisk = isOnOtherDisk
    onTestFinished(() => {
      watch.isOnOtherDisk = false
    })
    const { wiki } = await newWiki()
    const dump = dumpOf([{ title: 'A', revisions: [{ text: 'one' }, { text: 'two', time: '2021-01-01T00:00:00Z' }] }])
    expectOrder(await stepsOf(() => importDump(wiki, { dump: Readable.from([Buffer.from(dump)]) })), 4)
  })
})
