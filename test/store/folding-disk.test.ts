/**
 * Names that a disk takes for one file. Random writes, as of renames by case, redirects, deletions, restored and merged pages, over paths that
 * differ in case or Unicode form: after each the branch has each text, the work tree has what git would have, and `git add -A` with
 * `git commit` changes nothing.
 */

import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { isWikiError } from '../../src/core/errors.ts'
import { createPage, deletePages, movePage, openWiki, undoCommit, updatePage, type Wiki } from '../../src/index.ts'
import { wikiStatus } from '../../src/operations/status.ts'
import { readWorkText } from '../../src/operations/work-tree/work-text.ts'
import type { PageEntry } from '../../src/store/format/entries.ts'
import { hashBlob } from '../../src/store/git/objects.ts'
import { initRepository } from '../../src/store/repository/init.ts'
import { readStaged } from '../../src/store/work-tree/staged.ts'
import { isSkipped, stagedHash } from '../../src/store/work-tree/staging.ts'
import { rounds } from '../_rounds.ts'
import { git, hasGit, temporaryDirectory } from '../_setup.ts'
import type { Folding, Mounted } from './_folding-disk.ts'
import { foldAll, foldAscii, mountNtfs } from './_folding-disk.ts'
import { oneOf, type Random, randomOf } from './_random-attributes.ts'
import { openFresh, type Texts, write } from './_store.ts'

const folding: Folding = vi.hoisted(() => ({ tops: new Set<string>(), fold: (name: string) => name }))

vi.mock('node:fs', async original => {
  const real = await original<typeof import('node:fs')>()
  const { foldingFs } = await import('./_folding-disk.ts')
  const all = { ...real, ...foldingFs(real, folding) }
  return { ...all, default: all }
})

/** A disk for the tests. Git sees no simulated one. */
interface Disk {
  readonly name: string
  readonly fold: (name: string) => string
  readonly isReal: boolean
}

const disks: readonly Disk[] = [
  { name: 'a simulated disk that ignores case and Unicode form', fold: foldAll, isReal: false },
  { name: 'a simulated disk that ignores the case of ASCII', fold: foldAscii, isReal: false },
  { name: 'a disk that distinguishes names', fold: name => name, isReal: false },
  { name: 'an NTFS', fold: name => name.toLowerCase(), isReal: true },
]

let ntfs: Mounted = { reason: 'there is no git' }

beforeAll(async () => {
  if (hasGit) ntfs = await mountNtfs()
})

afterAll(() => {
  if ('unmount' in ntfs) ntfs.unmount()
})

afterEach(() => folding.tops.clear())

/** Makes an empty repository on a disk; null, with the reason printed, if there is no such disk. */
async function repositoryOn({ fold, isReal }: Disk): Promise<string> {
  const place = isReal && 'folder' in ntfs ? ntfs.folder : await temporaryDirectory()
  const directory = mkdtempSync(join(place, 'wiki-'))
  if (!isReal) {
    folding.tops.add(directory)
    folding.fold = fold
  }
  initRepository(directory)
  writeFileSync(join(directory, '.git/info/exclude'), `${ghost}*\n`)
  return directory
}

const pathsTried = [
  'Foo.md',
  'foo.md',
  'FOO.md',
  'Dir/A.md',
  'dir/a.md',
  'Dir/a.md',
  'dir/B.md',
  'Caf\u00e9.md',
  'Cafe\u0301.md',
  'other.md',
]

/** Name of a removed file that is still open, on NTFS. */
const ghost = '.ghost-ntfs-3g-'

/** Files of the work tree, without git's. */
function filesIn(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter(
      entry =>
        entry.isFile() && !entry.name.startsWith(ghost) && !`${entry.parentPath}/`.startsWith(join(directory, '.git/')),
    )
    .map(entry => join(entry.parentPath, entry.name).slice(directory.length + 1))
    .sort()
}

/** Checks git's index and the work tree against the branch; returns the paths that have no file. */
function checkWorkTree(directory: string, expected: ReadonlyMap<string, string>, disk: Disk): string[] {
  const entries = readStaged({ gitDirectory: join(directory, '.git') }).entries()
  const staged = new Map(entries.map(entry => [entry.name.toString(), stagedHash(entry)]))
  expect(staged).toEqual(new Map([...expected].sort().map(([path, text]) => [path, hashBlob(Buffer.from(text))])))
  const shown = entries.filter(entry => !isSkipped(entry)).map(({ name }) => name.toString())
  for (const path of shown)
    expect([path, readFileSync(join(directory, path), 'utf8')]).toEqual([path, expected.get(path)])
  // Each file has one page, and each page without a file another one that has it.
  const keys = new Set([...expected.keys()].map(disk.fold))
  expect([...new Set(shown.map(disk.fold))].sort()).toEqual([...keys].sort())
  expect(shown).toHaveLength(keys.size)
  expect(filesIn(directory).map(disk.fold).sort()).toEqual([...keys].sort())
  if (disk.isReal) {
    expect(git(directory, 'status', '--porcelain')).toBe('')
    git(directory, 'add', '-A')
    expect(git(directory, 'diff', '--cached', 'HEAD')).toBe('')
  }
  return entries.filter(isSkipped).map(({ name }) => name.toString())
}

/** An undo may be in conflict with later changes. */
function onlyWiki(error: unknown): void {
  if (!isWikiError(error)) throw error
}

/** Of two names that differ only in case the wiki makes one. */
function onlyTaken(error: unknown): void {
  if (!isWikiError(error, 'apierror-articleexists')) throw error
}

/** Some changed paths, with new texts or without. A rename keeps the text, or changes it, or leaves another one behind. */
function someChanges(random: Random, held: ReadonlyMap<string, string>, step: number): Texts {
  const changes: Record<string, string | null> = {}
  const [from, to] = [oneOf(random, [...held.keys(), 'none']), oneOf(random, pathsTried)]
  const text = held.get(from)
  if (text !== undefined && from !== to && random(2) === 0) {
    changes[to] = random(2) === 0 ? text : `${text}moved ${step}\n`
    changes[from] = random(3) === 0 ? `#REDIRECT ${to}\n` : null
    return changes
  }
  for (let count = 1 + random(3); count > 0; count--) {
    const path = oneOf(random, pathsTried)
    changes[path] = held.has(path) && random(3) === 0 ? null : random(6) === 0 ? 'same\n' : `text ${step} ${count}\n`
  }
  return changes
}

const seeds = (short: number, full: number) => Array.from({ length: rounds(short, full, 20 * full) }, (_, seed) => seed)

describe.each(disks)('on $name', disk => {
  test.for(seeds(2, 20))('random writes lose no page, seed %i', { tags: 'rounds' }, async (seed, context) => {
    if (disk.isReal && 'reason' in ntfs) context.skip(ntfs.reason)
    const random = randomOf(seed)
    const directory = await repositoryOn(disk)
    const store = await openFresh(directory)
    const held = new Map<string, string>()
    for (let step = 0; step < 25; step++) {
      const changes = someChanges(random, held, step)
      const before = new Map(held)
      const { leftAlone } = await write(store, changes)
      for (const [path, text] of Object.entries(changes)) {
        if (text === null) held.delete(path)
        else held.set(path, text as string)
      }
      const without = checkWorkTree(directory, held, disk)
      for (const path of without)
        if (changes[path] != null && changes[path] !== before.get(path)) expect(leftAlone).toContain(path)
      expect(leftAlone.filter(path => !without.includes(path))).toEqual([])
    }
  })

  test('random changes of pages lose none', async context => {
    if (disk.isReal && 'reason' in ntfs) context.skip(ntfs.reason)
    const random = randomOf(1)
    const directory = await repositoryOn(disk)
    const wiki = await openWiki({ directory, ...(disk.isReal ? {} : { backend: 'isomorphic-git' as const }) })
    onTestFinished(() => wiki.close())
    const author = { name: 'Ada Example', address: 'ada@example.org' }
    const titles = ['Foo bar', 'Foo Bar', 'FOO bar', 'Dir/Tide', 'DIR/Tide', 'DIR/tide']
    const acts = new Map<string, number>()
    for (let step = 0; step < 40; step++) {
      const isThere = (one: string) => wiki.store.findPage(one.replaceAll(' ', '_')) !== undefined
      const there = titles.filter(isThere)
      const title = oneOf(random, there.length > 0 && random(3) > 0 ? there : titles)
      const other = oneOf(
        random,
        titles.filter(one => !isThere(one)),
      )
      const page = wiki.store.findPage(title.replaceAll(' ', '_'))
      const source = `text ${step}\n`
      const act =
        page === undefined
          ? 'create'
          : oneOf(
              random,
              step < 20 ? ['edit', 'move', 'rename', 'delete'] : ['edit', 'move', 'rename', 'delete', 'undo', 'undo'],
            )
      const request = { author, comment: null }
      if (act === 'create') await createPage(wiki, { ...request, title, source }).catch(onlyTaken)
      else if (act === 'edit')
        await updatePage(wiki, { ...request, title, source, ...(page !== undefined && { base: page.latest }) })
      else if (act === 'delete') await deletePages(wiki, { ...request, titles: [title] })
      else if (act === 'undo' && wiki.store.tip !== null)
        await undoCommit(wiki, { ...request, commit: wiki.store.tip }).catch(onlyWiki)
      else if (other !== undefined)
        await movePage(wiki, { ...request, from: title, to: other, redirect: act === 'move' }).catch(onlyTaken)
      await wiki.store.refresh()
      acts.set(act, (acts.get(act) ?? 0) + 1)
      const held = new Map<string, string>()
      for (const { path, latest } of wiki.store.pages({}))
        held.set(path, (await wiki.store.blob(wiki.store.revision(latest)!.blob)).toString())
      // Only an undo brings back a path that the disk has given to another page meanwhile.
      const without = checkWorkTree(directory, held, disk)
      if (!acts.has('undo')) expect(without).toEqual([])
      const { changes, unshown } = await wikiStatus(wiki)
      expect([changes, unshown.map(({ path }) => path)]).toEqual([[], without])
    }
    expect([...acts.keys()].sort()).toEqual(['create', 'delete', 'edit', 'move', 'rename', 'undo'])
  })

  test('an edited file stays, and another page of its name is saved', async context => {
    if (disk.isReal && 'reason' in ntfs) context.skip(ntfs.reason)
    if (disk.fold('A') === 'A') return
    const directory = await repositoryOn(disk)
    const store = await openFresh(directory, disk.isReal ? {} : { backend: 'isomorphic-git' })
    await write(store, { 'Foo.md': 'one\n' })
    writeFileSync(join(directory, 'Foo.md'), 'mine\n')
    expect(await write(store, { 'foo.md': 'two\n' })).toMatchObject({ leftAlone: ['foo.md'] })
    const wiki = { store } as Wiki
    expect(await wikiStatus(wiki)).toMatchObject({
      changes: [{ path: 'Foo.md', kind: 'modified' }],
      unshown: [{ path: 'foo.md', shown: 'Foo.md' }],
    })
    expect(readFileSync(join(directory, 'foo.md'), 'utf8')).toBe('mine\n')
    await expect(readWorkText(store, store.pageAtPath('foo.md') as PageEntry)).rejects.toThrow('the disk has Foo.md')
    // Somebody else removes the file's page: the other one gets its place when the wiki looks next.
    rmSync(join(directory, 'Foo.md'))
    await write(store, { 'Foo.md': null })
    await write(store, { 'other.md': 'x\n' })
    expect(
      checkWorkTree(
        directory,
        new Map([
          ['foo.md', 'two\n'],
          ['other.md', 'x\n'],
        ]),
        disk,
      ),
    ).toEqual([])
  })

  test('a page whose name the disk refuses is saved, and no commit of git removes it', async context => {
    if (disk.isReal && 'reason' in ntfs) context.skip(ntfs.reason)
    const directory = await repositoryOn(disk)
    const store = await openFresh(directory, disk.isReal ? {} : { backend: 'isomorphic-git' })
    const names = [
      `${'x'.repeat(300)}.md`,
      ...(disk.isReal ? ['CON.md', 'dir/a?b.md', 'end .md/x.md', 'dot./x.md'] : []),
    ]
    const texts = Object.fromEntries(names.map(name => [name, `${name.length}\n`]))
    const { leftAlone } = await write(store, { ...texts, 'A.md': 'a\n' })
    expect(leftAlone.toSorted()).toEqual((await store.checkout.unshown()).map(({ path }) => path).toSorted())
    expect(leftAlone).toContain(names[0])
    expect(await store.checkout.changes()).toEqual([])
    if (!hasGit) return
    git(directory, 'add', '-A')
    expect(git(directory, 'diff', '--cached', '--name-only', 'HEAD')).toBe('')
    await write(store, { [names[0] as string]: null })
    expect(git(directory, 'diff', '--cached', '--name-only', 'HEAD')).toBe('')
  })
})

test('a rename by case that the disk refuses is done by the next write', async () => {
  const disk = disks[0] as Disk
  const directory = await repositoryOn(disk)
  const store = await openFresh(directory)
  await write(store, { 'Foo.md': 'one\n' })
  folding.beforeLink = path => {
    if (path.endsWith('/foo.md')) throw Object.assign(new Error('EIO'), { code: 'EIO' })
  }
  onTestFinished(() => {
    folding.beforeLink = undefined
  })
  expect(await write(store, { 'Foo.md': null, 'foo.md': 'two\n' })).toMatchObject({ leftAlone: ['foo.md'] })
  expect(readFileSync(join(directory, 'foo.md'), 'utf8')).toBe('one\n')
  folding.beforeLink = undefined
  await write(store, { 'other.md': 'x\n' })
  const held = { 'foo.md': 'two\n', 'other.md': 'x\n' }
  expect(checkWorkTree(directory, new Map(Object.entries(held)), disk)).toEqual([])
  expect(filesIn(directory)).toEqual(['foo.md', 'other.md'])
})

describe.skipIf(!hasGit)('status asks the disk, not the settings', () => {
  test('a repository that was made on a disk that ignores case', async () => {
    const directory = await temporaryDirectory()
    initRepository(directory)
    const store = await openFresh(directory)
    await write(store, { 'Foo.md': 'one\n' })
    git(directory, 'config', 'core.ignoreCase', 'true')
    renameSync(join(directory, 'Foo.md'), join(directory, 'foo.md'))
    const changes = (await store.checkout.changes()).map(({ path, kind }) => `${kind} ${path}`)
    expect(changes.sort()).toEqual(['added foo.md', 'deleted Foo.md'])
  })

  test('a repository that was made on another disk than its NTFS', async context => {
    if ('reason' in ntfs) context.skip(ntfs.reason)
    const directory = await repositoryOn(disks.at(-1) as Disk)
    const store = await openFresh(directory)
    expect(git(directory, 'config', 'core.ignoreCase')).toBe('true')
    await write(store, { 'Foo.md': 'one\n' })
    git(directory, 'config', 'core.ignoreCase', 'false')
    expect(await store.checkout.changes()).toEqual([])
  })
})
