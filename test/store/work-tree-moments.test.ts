/**
 * Actions of other programs, and kills, at every moment of a write to a file of the work tree: before each call of the file
 * system that the write makes. Only these calls are observed.
 */

import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { hashBlob } from '../../src/store/git/objects.ts'
import type { Repository } from '../../src/store/repository/repository.ts'
import { beginAhead, endAhead, followPaths, recoverFollowed } from '../../src/store/work-tree/follow.ts'
import { StagingTable } from '../../src/store/work-tree/staging-table.ts'
import { firstOf, rounds } from '../_rounds.ts'
import { temporaryDirectory } from '../_setup.ts'

/** A hook called before each call of the file system, with the call's name; and a flag: the file system has hard links. */
const watch = vi.hoisted(() => ({ before: null as ((name: string) => void) | null, hasLinks: true }))

vi.mock('node:fs', async original => {
  const real = await original<Record<string, unknown>>()
  const watched = Object.fromEntries(
    Object.entries(real)
      .filter(([name, value]) => name.endsWith('Sync') && typeof value === 'function')
      .map(([name, value]) => [
        name,
        (...parameters: unknown[]) => {
          watch.before?.(name)
          if (name === 'linkSync' && !watch.hasLinks) throw Object.assign(new Error('no links'), { code: 'EPERM' })
          return (value as (...all: unknown[]) => unknown)(...parameters)
        },
      ]),
  )
  return { ...real, ...watched, default: { ...real, ...watched } }
})

const fs = await vi.importActual<typeof import('node:fs')>('node:fs')

/** As long as the text of the write, so that sizes do not distinguish them. */
const [before, theirs] = ['before\n', 'theirs\n']

/** A folder with a file that follows, and one outside of it that must not change. */
interface Scene {
  readonly top: string
  readonly repository: Repository
  readonly file: string
  readonly outside: string
  /** A handle to the file that an editor opened before the write began. */
  readonly handle: number
  /** True if other programs have removed or replaced the file themselves: they gave up the text of the handle. */
  isGivenUp: boolean
}

type Action = (scene: Scene, text: string) => void

const actions: Readonly<Record<string, Action>> = {
  'saves by rename': ({ top, file }, text) => {
    fs.writeFileSync(join(top, 'saved'), text)
    moveOver(join(top, 'saved'), file)
  },
  'saves in place': ({ file }, text) => write(file, text),
  'saves in place by a handle': ({ handle }, text) => void fs.writeSync(handle, text, 0),
  'deletes it': ({ file }) => fs.rmSync(file, { recursive: true, force: true }),
  'makes it a folder': ({ file }, text) => {
    fs.rmSync(file, { recursive: true, force: true })
    fs.mkdirSync(file)
    fs.writeFileSync(join(file, 'inside'), text)
  },
  'makes it a link': ({ file, outside }) => {
    fs.rmSync(file, { recursive: true, force: true })
    fs.symlinkSync(join(outside, 'A.wiki'), file)
  },
  'makes its folder a link': ({ top, outside }) => {
    fs.renameSync(join(top, 'Talk'), join(top, 'Moved'))
    fs.symlinkSync(outside, join(top, 'Talk'))
  },
}

/** Actions after which the text of the action must be somewhere. */
const saves: readonly string[] = [
  'saves by rename',
  'saves in place',
  'saves in place by a handle',
  'makes it a folder',
]

function moveOver(from: string, to: string): void {
  try {
    fs.renameSync(from, to)
  } catch {
    // It is a folder now: the editor keeps its own file.
  }
}

function write(file: string, text: string): void {
  try {
    fs.writeFileSync(file, text)
  } catch {
    // It is a folder now: the editor reports it.
    fs.writeFileSync(`${file}.not-saved`, text)
  }
}

async function newScene(text: string | null): Promise<Scene> {
  const folder = fs.realpathSync(await temporaryDirectory())
  const [top, outside] = [join(folder, 'top'), join(folder, 'outside')]
  for (const path of [join(top, '.git'), join(top, 'Talk'), outside]) fs.mkdirSync(path, { recursive: true })
  // The file outside has the text that the write is to replace, so only its location protects it.
  fs.writeFileSync(join(outside, 'A.wiki'), before)
  const file = join(top, 'Talk', 'A.wiki')
  if (text !== null) fs.writeFileSync(file, text)
  const handle = text === null ? -1 : fs.openSync(file, 'r+')
  const gitDirectory = join(top, '.git')
  const repository = { gitDirectory, commonDirectory: gitDirectory, workTree: top } as Repository
  return { top, repository, file, outside, handle, isGivenUp: false }
}

const blobs = new Map([before, theirs].map(text => [hashBlob(Buffer.from(text)), Buffer.from(text)]))
const hashOf = (text: string | null) => (text === null ? null : hashBlob(Buffer.from(text)))

/** A change of the file: its current text, and its new text. */
interface Change {
  readonly from: string | null
  readonly to: string | null
  /** True if the file may follow before the branch moves. */
  readonly isAhead?: boolean
}

const changes: Readonly<Record<string, Change>> = {
  'replaces a file': { from: before, to: theirs },
  'replaces a file before the branch moves': { from: before, to: theirs, isAhead: true },
  'deletes a file': { from: before, to: null },
  'adds a file': { from: null, to: theirs },
}

async function follow({ repository }: Scene, { from, to, isAhead = false }: Change): Promise<string[]> {
  const file = { path: 'Talk/A.wiki', before: hashOf(from) as string, content: Buffer.from(to ?? '') }
  if (isAhead) recoverFollowed(repository)
  if (isAhead) {
    const [change] = await beginAhead(repository, [file])
    const outcome = change?.finish() ?? null
    endAhead(repository)
    if (outcome !== null) return []
  }
  const paths = [{ path: 'Talk/A.wiki', before: hashOf(from), after: hashOf(to) }]
  const done = { replaced: [], blocked: new Set<string>(), absent: new Set<string>() }
  const readBlob = async (hash: string) => blobs.get(hash) as Buffer
  const staged = StagingTable.read(join(repository.gitDirectory, 'none'))
  return followPaths(repository, readBlob, paths, { staged, done, mark: 0 })
}

/** All files of a folder with their texts, and links with their targets. */
function filesOf(folder: string): Record<string, string> {
  const files: Record<string, string> = {}
  for (const entry of fs.readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isSymbolicLink()) files[path.slice(folder.length + 1)] = `-> ${fs.readlinkSync(path)}`
    else if (entry.isFile()) files[path.slice(folder.length + 1)] = fs.readFileSync(path, 'utf8')
  }
  return files
}

/** Runs the write and calls `act` before the call with this number; returns the number of calls. */
async function runWith(
  scene: Scene,
  change: Change,
  act: (call: number, name: string) => void,
): Promise<{ calls: number; left: string[] }> {
  let calls = 0
  watch.before = name => act(calls++, name)
  try {
    const left = await follow(scene, change)
    return { calls, left }
  } finally {
    watch.before = null
  }
}

async function countCalls(change: Change): Promise<number> {
  const scene = await newScene(change.from)
  const { calls, left } = await runWith(scene, change, () => {})
  expect(left).toEqual([])
  end(scene)
  return calls
}

function end({ handle }: Scene): void {
  if (handle >= 0) fs.closeSync(handle)
}

/** Performs the action of another program, if it can be checked. Returns true if it did. */
function act(scene: Scene, name: string, { system, text }: { system: string; text: string }): boolean {
  const { top, file, handle, isGivenUp } = scene
  if (name.includes('handle') && isGivenUp && fs.fstatSync(handle).nlink === 0) return false
  scene.isGivenUp ||= !name.includes('in place')
  // The program would write outside.
  if ([join(top, 'Talk'), file].some(path => fs.lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()))
    return false
  // Without hard links nothing prevents the creation of a file between the last check and the rename.
  if (!watch.hasLinks && system === 'renameSync') return false
  fs.mkdirSync(join(top, 'Talk'), { recursive: true })
  actions[name]?.(scene, text)
  return true
}

/** Returns the problem after an action, null if there is none. */
function faultOf(scene: Scene, name: string, text: string): string | null {
  const outside = filesOf(scene.outside)
  if (JSON.stringify(outside) !== JSON.stringify({ 'A.wiki': before })) return `outside: ${JSON.stringify(outside)}`
  const files = filesOf(scene.top)
  if (Object.keys(files).some(path => /^(?!\.git\/|Moved\/).*\.wiki-/.test(path)) || files['.git/wiki/changes'])
    return `left over: ${JSON.stringify(files)}`
  if (saves.includes(name) && !Object.values(files).includes(text)) return `lost: ${JSON.stringify(files)}`
  return null
}

class Killed extends Error {}

describe.skipIf(process.platform === 'win32')('a write that', () => {
  beforeAll(async () => {
    // Facts that a process finds out only once are found out here.
    await countCalls(changes['replaces a file'] as Change)
  })

  const systems = [
    ['', true],
    [' where there are no hard links', false],
  ] as const
  const rows = systems.flatMap(([where, hasLinks]) =>
    Object.entries(changes).map(([name, change]) => [`${name}${where}`, change, hasLinks] as const),
  )

  describe.each(rows)('%s', (_, change, hasLinks) => {
    beforeEach(() => {
      watch.hasLinks = hasLinks
      onTestFinished(() => {
        watch.hasLinks = true
      })
    })

    const possible = Object.keys(actions).filter(name => change.from !== null || !name.includes('handle'))

    test.each(possible)('loses nothing when a user %s at any moment', { tags: 'rounds' }, async name => {
      const calls = await countCalls(change)
      const faults: string[] = []
      for (let moment = 0; moment < calls; moment += rounds(3, 1)) {
        const scene = await newScene(change.from)
        let last = ''
        const { left } = await runWith(scene, change, (call, system) => {
          if (call === moment && act(scene, name, { system, text: 'mine 1\n' })) last = name
        })
        const fault = faultOf(scene, last, 'mine 1\n')
        if (fault !== null) faults.push(`before call ${moment}: ${fault}; left alone: ${left}`)
        end(scene)
      }
      expect(faults).toEqual([])
    })

    test('is in the old state or the new one when it is killed at any moment', async () => {
      const calls = await countCalls(change)
      const faults: string[] = []
      for (let moment = 0; moment < calls; moment++) {
        const scene = await newScene(change.from)
        await runWith(scene, change, call => {
          if (call >= moment) throw new Killed()
        }).catch(error => expect(error).toBeInstanceOf(Killed))
        // Another process does it again.
        const left = await follow(scene, change)
        const text = fs.existsSync(scene.file) ? fs.readFileSync(scene.file, 'utf8') : null
        const fault = left.length > 0 || text !== change.to ? `${text}, left alone: ${left}` : faultOf(scene, '', '')
        if (fault !== null) faults.push(`at call ${moment}: ${fault}`)
        end(scene)
      }
      expect(faults).toEqual([])
    })

    test.each(firstOf([1, 2], 1))('loses nothing in generated schedules, seed %i', { tags: 'rounds' }, async seed => {
      const random = generator(seed)
      const calls = await countCalls(change)
      const faults: string[] = []
      for (let round = 0; round < rounds(30, 60); round++) {
        const scene = await newScene(change.from)
        const [first, second, kill] = [random(calls), random(calls), random(2) === 0 ? random(calls) : calls * 2]
        const [one, other] = [possible[random(possible.length)], possible[random(possible.length)]] as [string, string]
        const said = `${one} before call ${first}, ${other} before call ${second}, killed at ${kill}`
        let last = ''
        await runWith(scene, change, (call, system) => {
          if (call >= kill) throw new Killed()
          for (const [moment, name] of [[first, one] as const, [second, other] as const]) {
            const text = `${name} ${moment}\n`
            if (moment === call && act(scene, name, { system, text })) last = text
          }
        }).catch(error => expect(error).toBeInstanceOf(Killed))
        await follow(scene, change)
        const fault = faultOf(scene, saves.find(each => last.startsWith(`${each} `)) ?? '', last)
        if (fault !== null) faults.push(`${said}: ${fault}`)
        end(scene)
      }
      expect(faults).toEqual([])
    })
  })
})

/** Returns pseudo-random numbers below a bound that depend only on the seed. */
function generator(seed: number): (bound: number) => number {
  let state = seed * 0x9e3779b9
  return bound => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x6d2b79f5) | 0
    return ((state ^ (state >>> 13)) >>> 0) % bound
  }
}
