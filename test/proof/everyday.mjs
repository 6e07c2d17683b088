/**
 * Runs everyday git beside a server.
 *
 *     npm run build && node test/proof/everyday.mjs [--only '<name>;<name>'] [--lanes 2]
 *
 * Each situation of `everyday-list.mjs` gets a small wiki and a server. Every edit over REST adds a unique word. At the end
 * each acknowledged word is in the branch's text, or was reverted by name, or `wiki verify` reports it and `wiki restore`
 * restores it; git's index has no changes that nobody staged; HEAD is on the branch; objects are sound; the server still runs.
 *
 * KEEP=1 keeps the repositories, each with a log of its actions in `<folder>/done`. WIKI_PRODUCT=<folder> runs another build.
 */
import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { situations } from './everyday-list.mjs'
import { judgeMissing, missingOf, strangersInIndex } from './judge.mjs'
import { cannotMount, mount, remount, unmount } from './mounts.mjs'
import * as scene from './scene.mjs'

const { values } = parseArgs({ options: { only: { type: 'string' }, lanes: { type: 'string', default: '2' } } })
const began = performance.now()
const names = values.only?.split(';') ?? Object.keys(situations)
const unknown = names.filter(name => situations[name] === undefined)
if (unknown.length > 0) throw new Error(`no situation is called ${unknown.join(', ')}`)
const branches = ['main']
const titles = ['Tides', 'Boats', 'Ropes', 'Own', 'K']
const totals = { acknowledged: 0, refused: 0, reported: 0, restored: 0, collided: 0, reverted: 0, elsewhere: 0 }
const flaws = []

const waiting = names.map((name, at) => [name, at])
await Promise.all(Array.from({ length: Number(values.lanes) }, lane))
const counts = Object.entries(totals).map(([name, count]) => `${name} ${count}`)
console.log(counts.join(', '))
scene.conclude('everyday', flaws, began)

async function lane() {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await tryOne(...next)
}

async function tryOne(name, at) {
  const situation = situations[name]
  const reason = situation.disk === undefined ? null : cannotMount()
  if (reason !== null) return console.log(`  skip  ${name}: ${reason}`)
  const found = judged(situation, await flawsIn(situation, at))
  if (found.length === 0) console.log(`  ok  ${name}`)
  for (const flaw of found) console.log(`  ${name}: ${flaw}`)
  flaws.push(...found.map(flaw => `${name}: ${flaw}`))
}

/** A situation that must have a flaw passes if this flaw was found. */
function judged({ flaw }, found) {
  if (flaw === undefined) return found
  return found.length === 1 && flaw.test(found[0]) ? [] : [`not found as the only flaw: ${flaw}`, ...found]
}

async function flawsIn({ before, act, staged = [], disk, isShifted = false }, at) {
  const top = join(scene.workplace, `e${at}`)
  mkdirSync(top)
  if (disk !== undefined) mount(top, '-t', 'tmpfs', ...disk, 'wiki-proof')
  const stage = newStage(top, at)
  try {
    stage.directory = await scene.newWikiOfPages(`e${at}/wiki`, titles)
    await before?.(stage)
    stage.server = await scene.serve(stage.directory, isShifted ? shiftedBy(stage.beside('clock')) : {})
    await act(stage)
    await judge(stage, staged)
  } catch (error) {
    stage.found.push(`it could not be judged: ${error.stderr ?? ''} ${error.stack}`)
  } finally {
    if (stage.server !== undefined) await scene.stop(stage.server)
    if (process.env.KEEP !== undefined) writeFileSync(join(top, 'done'), [...stage.done, ...stage.found, ''].join('\n'))
    if (disk !== undefined) unmount(top)
    if (process.env.KEEP === undefined) rmSync(top, { recursive: true, force: true })
  }
  return stage.found
}

/** Options of a program whose clock is off by the number of milliseconds in a file. */
function shiftedBy(file) {
  return { before: ['--require', fileURLToPath(new URL('clock.cjs', import.meta.url))], env: { CLOCK_FROM: file } }
}

async function judge(stage, staged) {
  const { directory, server, saved, found } = stage
  if (!stage.isStopped && (server.child.exitCode ?? server.child.signalCode) !== null) found.push('the server ended')
  const head = scene.git(directory, 'rev-parse', '--abbrev-ref', 'HEAD')
  if (head !== 'main') found.push(`HEAD is on ${head}`)
  found.push(...(await strangersInIndex(directory, path => !staged.includes(path))))
  const missing = missingOf(directory, saved, branches)
  if (missing.length > 0) found.push(...(await countMissing(stage, missing)))
  const complaints = scene.fsck(directory)
  if (complaints !== '') found.push(`git fsck: ${complaints}`)
}

async function countMissing(stage, missing) {
  const { flaws: found, ...counts } = await judgeMissing(stage, missing, branches)
  for (const [name, count] of Object.entries(counts)) totals[name] += count
  return counts.collided === 0 ? found : [...found, `${counts.collided} edits were not restored, for conflicts`]
}

/** The actions of a situation. Paths are relative to the wiki, those of `beside` and `inFolder` to the folder above it. */
function newStage(top, number) {
  const stage = { directory: '', server: undefined, isStopped: false, saved: [], done: [], found: [] }
  const { saved, done, found } = stage
  let words = 0
  const file = path => join(stage.directory, path)
  const beside = (...path) => join(top, ...path)
  const expect = (isRight, otherwise) => void (isRight || found.push(otherwise))
  const statusOf = async (directory, args, how) => {
    const { status, stderr } = await scene.start('git', ['-c', 'core.editor=true', ...args], { directory, ...how }).done
    done.push(`git ${args.join(' ')}: ${status} ${stderr.trimEnd()}`)
    return { status, stderr }
  }
  const succeed = async (directory, args, how) => {
    for (let attempts = 1; ; attempts++) {
      const { status, stderr } = await statusOf(directory, args, how)
      if (status === 0) return
      // Tries again while the wiki writes, as a person does. `git stash` ends without a word if the index is locked.
      const isLocked = /index\.lock|cannot lock ref/.test(stderr) || (args[0] === 'stash' && stderr === '')
      if (attempts === 50 || !isLocked) throw new Error(`git ${args.join(' ')}: ${status} ${stderr}`)
      await scene.sleep(100)
    }
  }
  const tryEdit = async (title, at = 1) => {
    const page = await scene.ask(stage.server, scene.pagePath(title))
    if (page.status !== 200) throw new Error(`${title} cannot be read: ${page.status} ${page.text}`)
    const word = `w${number}x${++words}`
    const source = page.json.source.split('\n\n').toSpliced(at, 0, word).join('\n\n')
    const body = { source, comment: word, latest: { id: page.json.latest.id } }
    const { status, text } = await scene.ask(stage.server, scene.pagePath(title), { method: 'PUT', body })
    done.push(`${word} to ${title}: ${status === 200 ? 'saved' : `${status} ${text}`}`)
    totals[status === 200 ? 'acknowledged' : 'refused']++
    if (status === 200) saved.push({ word, path: `${title}.wiki` })
    return status
  }
  const inDirectory = directory => ({
    git: (...args) => succeed(directory, args),
    append: path => appendFileSync(join(directory, path), 'More.\n'),
  })
  return Object.assign(stage, {
    file,
    beside,
    expect,
    shiftClock: milliseconds => writeFileSync(beside('clock'), String(milliseconds)),
    tryEdit,
    edit: async (title, at) =>
      expect((await tryEdit(title, at)) === 200, `an edit of ${title} was refused: ${done.at(-1)}`),
    editOrWait: async (title, at) =>
      expect([200, 409].includes(await tryEdit(title, at)), `neither saved nor refused: ${done.at(-1)}`),
    git: (...args) => succeed(stage.directory, args),
    gitWith: (how, ...args) => succeed(stage.directory, args, how),
    tryGit: async (...args) => (await statusOf(stage.directory, args)).status,
    meanwhile: async (args, act) => void (await Promise.all([statusOf(stage.directory, args), act()])),
    output: (...args) => scene.git(stage.directory, ...args),
    hashOf: revision => scene.git(stage.directory, 'rev-parse', revision),
    read: path => readFileSync(file(path), 'utf8'),
    write: (path, text) => writeFileSync(file(path), text),
    append: path => appendFileSync(file(path), 'More.\n'),
    inFolder: (folder, act) => act(inDirectory(beside(folder))),
    strangersIn: async folder => void found.push(...(await strangersInIndex(beside(folder), () => true))),
    wiki: async (...args) => {
      const { status, stderr } = await scene.wiki(stage.directory, args)
      expect(status === 0, `wiki ${args.join(' ')}: ${status} ${stderr}`)
    },
    /** The edits of a page belong to another page, because its file was renamed. */
    follow: (path, other) => {
      for (const edit of saved) if (edit.path === path) edit.path = other
    },
    /** A bare repository beside the wiki, which is its remote origin, and a clone of the repository. */
    addRemote: async () => {
      await succeed(top, ['clone', '--bare', stage.directory, 'remote.git'])
      await succeed(top, ['clone', 'remote.git', 'clone'])
      await succeed(stage.directory, ['remote', 'add', 'origin', '../remote.git'])
      await succeed(stage.directory, ['fetch', 'origin'])
    },
    moveToClone: async (...how) => {
      await succeed(top, ['clone', ...how, `file://${beside('remote.git')}`, 'moved'])
      stage.directory = beside('moved')
    },
    newRepository: async name => {
      await succeed(top, ['init', '-b', 'main', name])
      await succeed(beside(name), ['commit', '--allow-empty', '-m', 'begin'])
      return beside(name)
    },
    remount: options => remount(top, options),
    stop: async () => {
      await scene.stop(stage.server)
      stage.isStopped = true
    },
  })
}
