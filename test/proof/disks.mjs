/**
 * Cuts the power of a real file system: an image in a file is mounted, a mixed load runs on it, and at random moments the file is
 * cloned, which keeps what the disk has and drops what only memory has. Each clone is mounted, so that its journal is replayed, and
 * checked as a state of `cuts.mjs` is.
 *
 *     npm run build && node test/proof/disks.mjs [--cuts 200] [--systems ext4,ext4-writeback,xfs,btrfs] [--seed 1] [--verbose]
 *
 * The image is a file of another file system, which clones a file in one step (xfs, btrfs): a write to the device is in the clone or
 * not. So a disk that keeps what it was given is tested, not one whose own cache is lost. Needs root, loop devices and `mkfs`.
 * `WIKI_PRODUCT=<folder>` tests another build. Exit status 1 if anything is wrong.
 */
import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  existsSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { beforeStart } from '../crash/disk.mjs'
import { blobHash, judgeRepository } from '../crash/judge.mjs'
import { onEarlierStart, runGit } from '../crash/product.mjs'
import { makePackable } from '../crash/scenarios.mjs'
import * as scene from './scene.mjs'

const { values } = parseArgs({
  options: {
    cuts: { type: 'string', default: '200' },
    systems: { type: 'string', default: 'ext4,ext4-writeback,xfs,btrfs' },
    seed: { type: 'string', default: '1' },
    lanes: { type: 'string', default: '4' },
    verbose: { type: 'boolean', default: false },
  },
})

/** The file systems, as they are made and mounted; `beside` lets a clone be mounted while the original is. */
const systems = {
  ext4: { make: ['mkfs.ext4', '-q', '-F'], how: 'data=ordered' },
  'ext4-writeback': { make: ['mkfs.ext4', '-q', '-F'], how: 'data=writeback' },
  xfs: { make: ['mkfs.xfs', '-q', '-f'], how: 'defaults', beside: 'nouuid' },
  btrfs: { make: ['mkfs.btrfs', '-q', '-f'], how: 'defaults' },
}
const imageBytes = 512 * 2 ** 20
const baseBytes = 8 * 2 ** 30

const began = performance.now()
const flaws = []
const mounted = []
process.on('exit', () => {
  for (const place of mounted.toReversed()) spawnSync('umount', ['--lazy', place])
  rmSync(workplace, { recursive: true, force: true })
})
const workplace = mkdtempSync(join(hasRoom('/dev/shm') ? '/dev/shm' : tmpdir(), 'wiki-disks-'))
const base = join(workplace, 'base')
const reason = whyNot()
if (reason !== null) {
  console.log(`disks: 1 skipped: ${reason}`)
  process.exit(0)
}
const wrap = onEarlierStart(workplace)
const random = scene.randomNumbers(Number(values.seed))
const chosen = values.systems.split(',').filter(name => {
  const [program] = systems[name].make
  const isThere = run(program, '-V').error === undefined
  if (!isThere) console.log(`  skip  ${name}: there is no ${program}: 1 skipped`)
  return isThere
})
let acknowledged = 0
for (const [at, name] of chosen.entries()) {
  const share =
    Math.floor((Number(values.cuts) * (at + 1)) / chosen.length) -
    Math.floor((Number(values.cuts) * at) / chosen.length)
  await testSystem(name, share)
}
console.log(`${values.cuts} cuts, ${acknowledged} edits acknowledged before the last cut of a system`)
scene.conclude('disks', flaws, began, values.seed)

function run(command, ...args) {
  return spawnSync(command, args, { encoding: 'utf8' })
}

function must(command, ...args) {
  const { status, stdout, stderr, error } = run(command, ...args)
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${error ?? stderr}`)
  return stdout.trim()
}

function hasRoom(place) {
  if (!existsSync(place)) return false
  const { bavail, bsize } = statfsSync(place)
  return bavail * bsize > baseBytes
}

function mount(image, place, how) {
  mkdirSync(place, { recursive: true })
  must('mount', '-o', `loop,${how}`, image, place)
  mounted.push(place)
}

function unmount(place) {
  const { status } = run('umount', place)
  if (status !== 0) return false
  mounted.splice(mounted.indexOf(place), 1)
  return true
}

/** Makes the file system that has the images. Returns the reason why nothing can be tested here, or null. */
function whyNot() {
  if (process.getuid?.() !== 0) return 'only root may mount a disk image'
  const maker = [
    ['mkfs.xfs', '-q', '-m', 'reflink=1'],
    ['mkfs.btrfs', '-q'],
  ].find(([program]) => run(program, '-V').error === undefined)
  if (maker === undefined) return 'there is neither mkfs.xfs nor mkfs.btrfs, for a file system that clones files'
  const image = join(workplace, 'base.img')
  try {
    must('truncate', '-s', String(baseBytes), image)
    must(...maker, image)
    mount(image, base, 'defaults')
    return null
  } catch (error) {
    return `no image can be mounted: ${error.message.split('\n')[0]}`
  }
}

async function testSystem(name, cuts) {
  const start = performance.now()
  const { make, how, beside } = systems[name]
  const image = join(base, `${name}.img`)
  const place = join(workplace, name)
  must('truncate', '-s', String(imageBytes), image)
  must(...make, image)
  mount(image, place, how)
  const directory = join(place, 'wiki')
  const taken = await loadAndCut({ name, directory, image, cuts })
  const known = await everyBlob(directory)
  // A process that was killed may hold the file system for a moment.
  for (let left = 100; !unmount(place) && left > 0; left--) await scene.sleep(100)
  const before = flaws.length
  await inLanes(taken, cut => judgeCut({ name, how: beside ?? how, known, place }, cut))
  rmSync(image)
  acknowledged += taken.at(-1)?.lines.length ?? 0
  const found = flaws.length === before ? '    ok' : ' WRONG'
  console.log(
    `${found}  ${name}: ${cuts} cuts, ${taken.at(-1)?.lines.length} edits (${((performance.now() - start) / 1000).toFixed(1)} s)`,
  )
}

async function inLanes(items, work) {
  const waiting = [...items]
  const lane = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await work(next)
  }
  await Promise.all(Array.from({ length: Number(values.lanes) }, lane))
}

/** Runs the load, and clones the disk while it runs. Returns the clones, each with the lines acknowledged before it began. */
async function loadAndCut({ name, directory, image, cuts }) {
  const lines = []
  await scene.makeWikiIn(directory)
  makePackable(directory)
  must('sync', '-f', directory)
  const server = await scene.serve(directory, { wrap })
  const load = { directory, server, lines, isOver: false }
  const writers = [overHttp(load, 'Tides'), overHttp(load, 'Boats'), byCommand(load), byGit(load)]
  const taken = []
  for (let at = 0; at < cuts; at++) {
    // Ext4 commits its journal every five seconds, and writes content after half a minute.
    for (let left = 100; left > 0 && lines.length <= (taken.at(-1)?.lines.length ?? 0); left--) await scene.sleep(50)
    await scene.sleep(random() < 0.1 ? 6000 * random() : 600 * random())
    const clone = join(base, `${name}-${at}.img`)
    const then = [...lines]
    must('cp', '--reflink=always', image, clone)
    taken.push({ at, clone, lines: then })
  }
  load.isOver = true
  await Promise.all(writers)
  await scene.stop(server)
  await scene.endOfHousekeeping(directory)
  return taken
}

/** Adds lines to a page over HTTP, and makes a page now and then. */
async function overHttp(load, title) {
  let text = ''
  for (let count = 0; !load.isOver; count++) {
    const line = `${title} line ${count}\n`
    const { json: page } = await scene.ask(load.server, scene.pagePath(title))
    const latest = page?.latest?.id === undefined ? undefined : { id: page.latest.id }
    const body = { source: text + line, comment: 'edit', ...(latest && { latest }) }
    const { status } = await scene.ask(load.server, scene.pagePath(title), { method: 'PUT', body })
    if (status === 200 || status === 201) {
      text += line
      load.lines.push({ path: `${title}.wiki`, line })
    }
    if (count % 4 === 0) await create(load, `${title} ${count}`)
    await scene.sleep(300 * random())
  }
}

async function create(load, title) {
  const line = `Text of ${title}\n`
  const body = { title, source: line, comment: 'new' }
  const { status } = await scene.ask(load.server, '/page', { method: 'POST', body })
  if (status === 201) load.lines.push({ path: `${title.replaceAll(' ', '_')}.wiki`, line })
}

async function byCommand(load) {
  let text = ''
  for (let count = 0; !load.isOver; count++) {
    const line = `Command line ${count}\n`
    const { status } = await scene.wiki(load.directory, ['page', 'edit', 'Piers', '-f', '-', '-m', 'edit'], {
      input: text + line,
      wrap,
    })
    if (status === 0) {
      text += line
      load.lines.push({ path: 'Piers.wiki', line })
    }
    await scene.sleep(300 * random())
  }
}

/** A person's own commits, of a file beside the pages. `git commit <path>` would not sync the index, whatever the settings are. */
async function byGit(load) {
  const { directory } = load
  for (let count = 0; !load.isOver; count++) {
    appendFileSync(join(directory, 'notes.txt'), `note ${count}\n`)
    await runGit(directory, 'add', 'notes.txt')
    await runGit(directory, 'commit', '-q', '-m', 'note')
    await scene.sleep(500 * random())
  }
}

/** Hashes of everything that git has, whatever names it. */
async function everyBlob(directory) {
  const { stdout } = await runGit(directory, 'cat-file', '--batch-all-objects', '--batch-check=%(objectname)')
  return new Set(stdout.split('\n'))
}

async function judgeCut({ name, how, known }, { at, clone, lines }) {
  const place = join(workplace, `${name}-${at}`)
  const told = []
  const tell = fault => told.push(fault)
  try {
    mount(clone, place, how)
    const directory = join(place, 'wiki')
    startAgain(directory)
    // Git would pack while it is checked.
    await runGit(directory, 'config', 'gc.auto', '0')
    checkFiles(directory, known, tell)
    const lostAt = (where, commit) => pathsLacking(where, commit, lines)
    const foreign = ['notes.txt']
    await judgeRepository({ directory, kept: {}, foreign, expected: null, lines, facts: [], lostAt, tell })
    while (!unmount(place)) await scene.sleep(50)
  } catch (error) {
    tell(String(error))
  }
  if (process.env.KEEP === undefined) rmSync(clone, { force: true })
  for (const fault of told) flaws.push(`${name}, cut ${at}, ${lines.length} acknowledged: ${fault}`)
}

/** After a cut every file is older than the start of the machine. */
function startAgain(directory) {
  for (const name of readdirSync(directory, { recursive: true })) {
    const path = join(directory, name)
    const time = lstatSync(path).mtimeMs / 1000 - beforeStart()
    lutimesSync(path, time, time)
  }
}

/** No file of the work tree is empty or torn: git has had each as a whole. */
function checkFiles(directory, known, tell) {
  for (const file of readdirSync(directory).filter(one => one.endsWith('.wiki'))) {
    const bytes = readFileSync(join(directory, file))
    if (!known.has(blobHash(bytes))) tell(`the file ${file} is ${bytes.length === 0 ? 'empty' : 'torn'}`)
  }
}

/** Paths that lack an acknowledged line at a commit. */
async function pathsLacking(directory, commit, lines) {
  const paths = new Set(lines.map(({ path }) => path))
  const lacking = []
  for (const path of paths) {
    const { stdout } = await runGit(directory, 'show', `${commit}:${path}`)
    if (lines.some(one => one.path === path && !stdout.includes(one.line))) lacking.push(path)
  }
  return lacking
}
