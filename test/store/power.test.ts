/**
 * The state after a power failure: only synced data is certain to exist, and a rename only after its target. The calls
 * of the real file system are observed; no part of the store is replaced.
 */

import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { importDump } from '../../src/operations/import-dump.ts'
import { dumpOf } from '../operations/_dump.ts'
import { newWiki } from '../operations/_wiki.ts'
import { newStore, openFresh, write } from './_store.ts'

/**
 * A file that was written to, one whose sync began, one that was synced, a name that a file got, a folder that was synced, or a
 * file that lost its name.
 */
type Step =
  | { readonly written: string }
  | { readonly begun: string }
  | { readonly synced: string }
  | { readonly name: string; readonly isSynced: boolean }
  | { readonly folder: string }
  | { readonly replaced: string; readonly isHeld: boolean }

const watch = vi.hoisted(() => ({ steps: null as Step[] | null, unsynced: new Set<string>(), isOnOtherDisk: false }))
const otherDisk = Object.assign(new Error('EXDEV'), { code: 'EXDEV' })

vi.mock('node:fs', async original => {
  const real = await original<typeof import('node:fs')>()
  const opened = new Map<number, string>()
  const watched = {
    openSync: (path: string, ...rest: [string]) => {
      const file = real.openSync(path, ...rest)
      opened.set(file, String(path))
      return file
    },
    writeSync: (file: number, ...rest: [string]) => {
      noteWrite(opened.get(file) ?? '')
      return real.writeSync(file, ...rest)
    },
    writeFileSync: (path: string, ...rest: [string]) => {
      watch.unsynced.add(String(path))
      return real.writeFileSync(path, ...rest)
    },
    fsyncSync: (file: number) => {
      watch.steps?.push({ begun: opened.get(file) ?? '' })
      real.fsyncSync(file)
      noteSync(opened.get(file) ?? '', real.fstatSync(file).isDirectory())
    },
    fsync: (file: number, done: (error: Error | null) => void) => {
      const [path, isFolder] = [opened.get(file) ?? '', real.fstatSync(file).isDirectory()]
      watch.steps?.push({ begun: path })
      real.fsync(file, error => {
        noteSync(path, isFolder)
        done(error)
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
      noteName(from, to)
    },
    unlinkSync: (path: string) => {
      if (/\.old$/.test(path)) noteReplaced(real, path)
      real.unlinkSync(path)
    },
  }
  return { ...real, ...watched, default: { ...real, ...watched } }
})

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
const branch = /\/refs\/heads\/[^/]+$/
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

describe('objects are on disk before the branch names them, and the branch before the write is reported as done:', () => {
  test('an edit', async () => {
    const { store } = await newStore()
    await write(store, { 'A.wiki': 'one\n' })
    expectOrder(await stepsOf(() => write(store, { 'A.wiki': 'two\n' })), 3)
  })

  test('an edit waits for the disk twice: once for all it writes, and once for the branch', async () => {
    const { store } = await newStore()
    await write(store, { 'A.wiki': 'one\n' })
    const steps = await stepsOf(() => write(store, { 'A.wiki': 'two\n' }))
    const moved = named(steps, branch)[0]!.at
    const before = steps.slice(0, moved)
    const durable = /\/tmp_obj_|\/refs\/|\.acknowledged\//
    const begun = placesOf(before, 'begun')
    // Three objects, the log, the ref that keeps them, the branch: all are written before the first one is synced.
    expect(begun.length).toBe(6)
    expect(placesOf(before, 'written', durable).filter(at => at > begun[0]!)).toEqual([])
    expect(placesOf(before, 'synced')[0]!).toBeGreaterThan(begun.at(-1)!)
    expect(placesOf(steps.slice(moved), 'begun').length).toBe(1)
  })

  // Linux frees a file with its last name or handle, which takes milliseconds; /proc shows the handles.
  test.runIf(process.platform === 'linux')('an edit does not wait until what it replaces is freed', async () => {
    const { store } = await newStore()
    await write(store, { 'A.wiki': 'one\n' })
    const steps = await stepsOf(() => write(store, { 'A.wiki': 'two\n' }))
    const replaced = steps.flatMap(step => ('replaced' in step ? [step] : []))
    const names = replaced.map(({ replaced }) =>
      replaced
        .split('/')
        .at(-1)!
        .replace(/^\.wiki-.*/, 'the page'),
    )
    expect(names.toSorted()).toEqual(['acknowledged', 'index', 'main', 'the page'])
    expect(replaced.filter(({ isHeld }) => !isHeld)).toEqual([])
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
