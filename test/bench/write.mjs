/**
 * Times edits: milliseconds per commit, alone, with 16 at the same time and by 8 processes, in a bare wiki and in one with a work tree,
 * beside `git add` and `git commit` in a clone, with git's own settings for syncing and with the same syncing as ours; and the part
 * spent waiting for the disk.
 *
 *     npm run build && node test/bench/write.mjs [--quick] [--beside <checkout>]
 *
 * `--beside` names another built checkout of this project, whose edits alternate with ours.
 */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import { open } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { keyOf, pathOf } from './generate-wiki.mjs'
import * as bench from './measure.mjs'

const { values } = parseArgs({ options: { beside: { type: 'string' }, quick: { type: 'boolean' } } })
const { pages } = bench.size
const author = { name: 'Bench', address: 'bench@example.org' }
let edits = 0

const source = await bench.generated({ pages, commits: pages })
const ours = await libraryOf(bench.root)
const bare = await openWriter(ours, bench.scratch(source))
const workTree = await openWriter(ours, clone())
const other = values.beside === undefined ? null : await libraryOf(resolve(values.beside))
const otherBare = other && (await openWriter(other, bench.scratch(source)))
const otherWorkTree = other && (await openWriter(other, clone()))
const native = clone()
const scrap = await open(join(bench.scratch(), 'scrap'), 'w')
const disk = watchSyncs(scrap)

const results = await bench.interleave(
  withPause({
    bare: () => write(bare, 1),
    bare16: () => write(bare, 16),
    workTree: () => write(workTree, 1),
    workTree16: () => write(workTree, 16),
    bareUnsynced: () => disk.without(() => write(bare, 1)),
    bare16Unsynced: () => disk.without(() => write(bare, 16)),
    ...(other && { otherBare: () => write(otherBare, 1), otherWorkTree: () => write(otherWorkTree, 1) }),
    native: () => commitNatively([]),
    nativeSynced: () => commitNatively(['-c', 'core.fsync=all']),
    sync: syncOnce,
  }),
  { seconds: bench.isQuick ? 10 : 60, most: 301 },
)

const { native: beside } = results
bench.table(`One edit of ${pages} pages, beside git add and git commit`, [
  { what: 'bare', ours: results.bare, beside, target: '≤ 0.25' },
  { what: 'bare, 16 at once, each', ours: results.bare16, beside },
  { what: 'work tree', ours: results.workTree, beside },
  { what: 'work tree, 16 at once, each', ours: results.workTree16, beside },
  { what: 'bare, beside git that syncs all it writes', ours: results.bare, beside: results.nativeSynced },
  { what: 'work tree, the same', ours: results.workTree, beside: results.nativeSynced },
])
if (other)
  bench.table(`The same of ${values.beside}`, [
    { what: 'bare', ours: results.otherBare, beside },
    { what: 'work tree', ours: results.otherWorkTree, beside },
    { what: 'bare, ours beside it', ours: results.bare, beside: results.otherBare },
    { what: 'work tree, ours beside it', ours: results.workTree, beside: results.otherWorkTree },
  ])
bench.table('The disk', [
  { what: 'one fsync of 1 KB', ours: results.sync },
  { what: 'fsyncs of an edit', ours: await disk.count(() => write(bare, 1)) },
  { what: 'fsyncs of 16 at once', ours: await disk.count(() => write(bare, 16)) },
  { what: 'bare, beside the same without fsync', ours: results.bare, beside: results.bareUnsynced },
  { what: 'bare, 16 at once, the same', ours: results.bare16, beside: results.bare16Unsynced },
])
bench.table('Slowest', [
  { what: 'bare', ours: bench.time(results.bare.slowest) },
  { what: 'work tree', ours: bench.time(results.workTree.slowest) },
  { what: 'git add and git commit', ours: bench.time(results.native.slowest) },
])
const together = []
for (let round = 0; round < (bench.isQuick ? 1 : 5); round++)
  together.push({ ours: await writeTogether('ours'), git: await writeTogether('git') })
bench.table('By 8 processes, each edit, in a work tree (median of the rounds)', [
  { what: 'ours', ours: bench.time(median(together.map(({ ours }) => ours))) },
  { what: 'git that syncs all it writes', ours: bench.time(median(together.map(({ git }) => git))) },
])
for (const writer of [bare, workTree, otherBare, otherWorkTree]) await writer?.wiki.close()
await scrap.close()

/** Background work of one must not slow down the next. */
function withPause(runs) {
  const before = () => sleep(50)
  return Object.fromEntries(Object.entries(runs).map(([name, run]) => [name, { before, run }]))
}

function libraryOf(checkout) {
  return import(join(checkout, 'dist/lib/index.js'))
}

async function openWriter(library, directory) {
  const wiki = await library.openWiki({ directory })
  await wiki.store.refresh()
  return { library, wiki, next: 0 }
}

function clone() {
  const folder = bench.scratch()
  bench.git('.', ['clone', '-q', source, folder])
  return folder
}

/** Edits pages without concurrent edits; returns the time of one edit. */
async function write(writer, count) {
  const changes = Array.from({ length: count }, () => nextChange(writer))
  const cpu = bench.cpuTime()
  const start = performance.now()
  await Promise.all(changes.map(change => writer.library.updatePage(writer.wiki, change)))
  return { wall: (performance.now() - start) / count, cpu: (bench.cpuTime() - cpu) / count }
}

function nextChange(writer) {
  // 7919 is prime, so all pages get their turn, in no order of the folders.
  const title = keyOf((writer.next++ * 7919) % pages)
  const { latest } = writer.wiki.store.findPage(title)
  return { title, base: latest, source: newText(), comment: `edit ${edits}`, author }
}

function newText() {
  return `Edit ${edits++} of this run.\n${'Some words that make the page about as long as the others are.\n'.repeat(45)}`
}

function commitNatively(settings) {
  const path = pathOf((edits * 7919) % pages)
  fs.writeFileSync(join(native, path), newText())
  bench.git(native, [...settings, 'add', path])
  const who = ['-c', 'user.name=Bench', '-c', 'user.email=bench@example.org']
  bench.git(native, [...settings, ...who, 'commit', '-q', '-m', `edit ${edits}`])
}

/** Returns the milliseconds of an edit when 8 processes edit pages of their own. */
async function writeTogether(kind) {
  const [writers, edits] = [8, bench.isQuick ? 5 : 25]
  const directory = clone()
  const children = Array.from({ length: writers }, (_, at) => {
    const own = Array.from({ length: 5 }, (_, page) => at * 5 + page).join()
    const program = join(bench.root, 'test/bench/one-writer.mjs')
    return spawn(process.execPath, [program, kind, directory, bench.root, own, `${edits}`], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
  })
  await Promise.all(children.map(({ stdout }) => once(stdout, 'data')))
  const start = performance.now()
  for (const { stdin } of children) stdin.write('go\n')
  await Promise.all(children.map(child => once(child, 'exit')))
  return (performance.now() - start) / (writers * edits)
}

function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1]
}

async function syncOnce() {
  await scrap.write(Buffer.alloc(1024), 0, 1024, 0)
  const start = performance.now()
  await disk.plain(scrap)
  return { wall: performance.now() - start }
}

/** Counts the calls of the whole process that wait for the disk, and can skip them. */
function watchSyncs(file) {
  let calls = 0
  let isOff = false
  const handle = Object.getPrototypeOf(file)
  const { sync } = handle
  const { fsync, fsyncSync } = fs
  handle.sync = function () {
    calls++
    return isOff ? Promise.resolve() : sync.call(this)
  }
  fs.fsyncSync = file => {
    calls++
    if (!isOff) fsyncSync(file)
  }
  fs.fsync = (file, done) => {
    calls++
    if (isOff) setImmediate(done, null)
    else fsync(file, done)
  }
  syncBuiltinESMExports()
  return {
    plain: file => sync.call(file),
    async without(work) {
      isOff = true
      try {
        return await work()
      } finally {
        isOff = false
      }
    },
    async count(work) {
      const before = calls
      await work()
      return String(calls - before)
    },
  }
}
