import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { compactInSlices } from '../../src/store/index/compaction.ts'
import type { RevisionIndex } from '../../src/store/index/revision-index.ts'
import { openIndex } from '../../src/store/index/stored-index.ts'
import type { Store } from '../../src/store/store.ts'
import { oneIn, rounds } from '../_rounds.ts'
import { bundleChild } from './_processes.ts'
import { hastyClock } from './_slices.ts'
import { answersOf, newStore, openFresh, type Texts, write } from './_store.ts'

let script: string

beforeAll(async () => {
  script = await bundleChild()
})

describe('a long tail', () => {
  /** As long as the index stores them. */
  const comment = 'long '.repeat(13_000)

  /** Writes revisions whose comments make the tail longer than its limit this many times. */
  async function writeLong(store: Store, times: number): Promise<void> {
    for (let at = 0; at < 5 * times; at++) await write(store, { [`New ${at}.wiki`]: 'x' }, { comment })
  }

  test('is compacted into a new base while its process continues', { tags: 'long' }, async () => {
    const { store, directory } = await wiki()
    const base = fileOf(directory, 'base')
    await write(store, { 'P1.wiki': 'new', 'x.png': null })
    await writeLong(store, 1)
    await write(store, { 'P2.wiki': 'new', 'z.png': 'more' })
    await expect.poll(() => fileOf(directory, 'base').equals(base)).toBe(false)
    await write(store, { 'P3.wiki': 'after' })
    expect(opened(directory).state.tip).toBe(store.tip)
    expect(fileOf(directory, 'tail').length).toBeLessThan(comment.length)
    await expectSound(store, directory)
  })

  test('is left to others by a command that ends before', { tags: 'long' }, async () => {
    endBeforeTimers()
    const { store, directory } = await wiki()
    const base = fileOf(directory, 'base')
    await writeLong(store, 1)
    store.close()
    expect(fileOf(directory, 'base')).toEqual(base)
  })

  test('is compacted by a command at its end if it is much too long', { tags: 'long' }, async () => {
    endBeforeTimers()
    const { store, directory } = await wiki()
    await write(store, { 'y.png': null })
    await writeLong(store, 4)
    expect(names(directory)).toEqual(['base', 'tail'])
    const answers = answersOf(store)
    store.close()
    expect(names(directory)).toEqual(['base'])
    expect(answersOf(await openFresh(directory))).toEqual(answers)
    await expectSameBytes(directory)
  })
})

describe('a compaction', () => {
  test('produces the bytes of a new index', { tags: 'long' }, async () => {
    const { directory } = await wiki()
    expect(await compactInSlices(opened(directory), folderOf(directory), () => true)).toBe(true)
    expect(names(directory)).toEqual(['base'])
    await expectSameBytes(directory)
  })

  test('keeps what other processes write meanwhile, and readers still get results', {
    tags: ['rounds', 'long'],
  }, async () => {
    const { store, directory } = await wiki()
    let answers = answersOf(store)
    const changes: Record<number, Texts> = {
      1: { 'P1.wiki': 'in the first slice', 'z.png': 'changed' },
      5: { 'P2.wiki': null, 'y.png': null, 'Added.wiki': 'later', 'added.png': 'later' },
      8: { 'added.png': 'later still', 'z.png': null, 'Z.wiki': '#REDIRECT [[P1]]' },
    }
    const slices = await compactHastily(directory, slice => {
      // Slow: all results are read in each of a hundred slices.
      if (slice % rounds(7, 1) === 0) expect(answersOf(store)).toEqual(answers)
      const texts = changes[slice]
      if (texts !== undefined) change(directory, texts)
    })
    expect(slices).toBeGreaterThan(10)
    expect(names(directory)).toEqual(['base', 'sound', 'tail'])
    await store.refresh()
    answers = answersOf(store)
    expect(opened(directory).state.tip).toBe(store.tip)
    expect(answersOf(await openFresh(directory))).toEqual(answers)
    await write(store, { 'P4.wiki': 'after', 'added.png': 'after' })
    await expectSound(store, directory)
  })

  test.each([
    ['the tail is cut', (directory: string) => writeFileSync(join(folderOf(directory), 'tail'), '')],
    ['the base is another', (directory: string) => run('build', remade(directory))],
    ['the index is closed', (_: string, index: RevisionIndex) => index.close()],
  ])('is discarded if meanwhile %s', { tags: 'long' }, async (_, disturb) => {
    const { store, directory } = await wiki()
    const index = opened(directory)
    let isDisturbed = false
    const isCompacted = await compactInSlices(index, folderOf(directory), () => {
      // Once: a loaded machine takes many slices, and each would start a process.
      if (!isDisturbed) disturb(directory, index)
      isDisturbed = true
      return index.isOpen
    })
    expect(isCompacted).toBe(false)
    expect(names(directory).filter(name => !/^(base|tail)$/.test(name))).toEqual([])
    await write(store, { 'P1.wiki': 'after' })
    await expectSound(store, directory)
  })

  test('runs in one process at a time', { tags: 'long' }, async () => {
    const { directory } = await wiki()
    const both = [opened(directory), opened(directory)].map(index =>
      compactInSlices(index, folderOf(directory), () => true),
    )
    expect(await Promise.all(both)).toEqual([true, false])
    await expectSameBytes(directory)
  })

  // Slow: a separate process for each.
  test.each(oneIn(2, [1, 2, 7, 12]))(
    'killed before its slice %i leaves the index unchanged',
    { tags: ['rounds', 'long'] },
    async slice => {
      const { store, directory } = await wiki()
      const before = ['base', 'tail'].map(name => fileOf(directory, name))
      expect(run('compact', directory, `${slice}`).signal).toBe('SIGKILL')
      expect(names(directory)).toContain('compaction.lock')
      expect(['base', 'tail'].map(name => fileOf(directory, name))).toEqual(before)
      expect(answersOf(await openFresh(directory))).toEqual(answersOf(store))
      const after = await openFresh(directory)
      await write(after, { 'P1.wiki': 'after' })
      expect(names(directory)).toEqual(['base', 'sound', 'tail'])
      expect(await compactInSlices(opened(directory), folderOf(directory), () => true)).toBe(true)
      await expectSound(after, directory)
    },
  )

  test('killed between its two files leaves a base that can be extended', { tags: 'long' }, async () => {
    const { store, directory } = await wiki()
    const tail = fileOf(directory, 'tail')
    await compactHastily(directory, slice => slice === 3 && change(directory, { 'P1.wiki': 'meanwhile' }))
    writeFileSync(join(folderOf(directory), 'tail'), tail)
    expect(opened(directory).state.tip).toBe(store.tip)
    await store.refresh()
    await write(store, { 'P2.wiki': 'after' })
    await expectSound(store, directory)
  })
})

/** Scheduled work does not run, however slow the machine is. */
function endBeforeTimers(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
}

/** A wiki of 80 pages in its base; its tail changes some, deletes a page and a file, and adds others. */
async function wiki(): Promise<{ store: Store; directory: string }> {
  const { store, directory } = await newStore()
  const pages = Array.from({ length: 80 }, (_, at) => [`P${at}.wiki`, at % 9 === 0 ? '#REDIRECT [[P1]]' : `${at}`])
  await write(store, { ...Object.fromEntries(pages), 'w.png': 'w', 'x.png': 'x', 'y.png': 'y' })
  await store.rebuild()
  await write(store, { 'P7.wiki': 'new', 'P8.wiki': null, 'P9.wiki': 'no redirect', 'p10.wiki': 'a title twice' })
  await write(
    store,
    { 'Ä.wiki': 'added', 'w.png': null, 'z.png': 'z' },
    { author: { name: 'Zoé', address: 'z@e.org' } },
  )
  return { store, directory }
}

/** Compacts in the shortest slices, with a call before each; returns their number. */
async function compactHastily(directory: string, before: (slice: number) => void): Promise<number> {
  const clock = vi.spyOn(performance, 'now').mockImplementation(hastyClock())
  onTestFinished(() => clock.mockRestore())
  let slices = 0
  const goesOn = () => {
    before(++slices)
    return true
  }
  expect(await compactInSlices(opened(directory), folderOf(directory), goesOn)).toBe(true)
  clock.mockRestore()
  return slices
}

function change(directory: string, texts: Texts): void {
  expect(run('change', directory, JSON.stringify(texts))).toMatchObject({ status: 0 })
}

function run(...words: string[]) {
  return spawnSync(process.execPath, [script, ...words], { encoding: 'utf8' })
}

/** Deletes an index, so that a new one is built. */
function remade(directory: string): string {
  renameSync(join(folderOf(directory), 'base'), join(directory, '.git', 'old-base'))
  return directory
}

function folderOf(directory: string): string {
  return join(directory, '.git', 'wiki', 'main')
}

function fileOf(directory: string, name: string): Buffer {
  return readFileSync(join(folderOf(directory), name))
}

function names(directory: string): string[] {
  return readdirSync(folderOf(directory)).sort()
}

function opened(directory: string): RevisionIndex {
  const index = openIndex(folderOf(directory)) as RevisionIndex
  onTestFinished(() => index.close())
  return index
}

/** The index on disk and one built from git alone give the same results as the store. */
async function expectSound(store: Store, directory: string): Promise<void> {
  const answers = answersOf(store)
  expect(answersOf(await openFresh(directory))).toEqual(answers)
  await store.rebuild()
  expect(answersOf(store)).toEqual(answers)
}

/** The base equals the one that a build from nothing writes. */
async function expectSameBytes(directory: string): Promise<void> {
  const base = fileOf(directory, 'base')
  const store = await openFresh(directory)
  await store.rebuild()
  expect(fileOf(directory, 'base').equals(base)).toBe(true)
  expect(existsSync(join(folderOf(directory), 'tail'))).toBe(false)
  expect(statSync(join(folderOf(directory), 'base')).size).toBe(base.length)
}
