/** Owners of locks, and removal by others: docs/rooms/store.md, "Whose lock it is". */

import { spawn } from 'node:child_process'
import {
  chmodSync,
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { createServer, Server } from 'node:net'
import { basename, dirname, join } from 'node:path'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { isLocal, lifeOf, ownerPattern, ownName } from '../../src/files/owner.ts'
import { prepareFile } from '../../src/store/repository/durable-file.ts'
import {
  clearLeftovers,
  type Held,
  lockSteps,
  takeLockFile,
  tryFolderLock,
  tryLock,
} from '../../src/store/repository/lock-file.ts'
import { rounds } from '../_rounds.ts'
import { temporaryDirectory } from '../_setup.ts'
import { fromNow } from '../_times.ts'
import { until } from '../_wait.ts'
import { deadOwner, lockOf, ownerWith } from './_owners.ts'

/** Another machine. */
const elsewhere = { machine: '000000', boot: '11111111' }
/** Another container on this kernel. */
const sibling = { space: '222222', pid: 1 }

afterEach(() => {
  vi.restoreAllMocks()
})

/** A git directory with what a repository is known by, and the path of a lock in it. */
async function newPlace(): Promise<{ top: string; lock: string }> {
  const top = await temporaryDirectory()
  for (const name of ['objects', 'refs/heads', 'wiki/main']) mkdirSync(join(top, name), { recursive: true })
  writeFileSync(join(top, 'HEAD'), 'ref: refs/heads/main\n')
  return { top, lock: join(top, 'refs/heads/main.lock') }
}

/** Replaces the clock that observers measure with. Returns a function that sets it forward. */
function fakeClock(): (seconds: number) => void {
  let now = 1000
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  return seconds => {
    now += seconds * 1000
  }
}

function expectTaken(lock: string): void {
  const held = tryLock(lock)
  expect(held).not.toBeNull()
  held?.()
  expect(readdirSync(dirname(lock))).toEqual([])
}

function expectKept(lock: string): void {
  const before = readFileSync(lock, 'utf8')
  expect(tryLock(lock)).toBeNull()
  expect(readFileSync(lock, 'utf8')).toBe(before)
}

const isLinux = process.platform === 'linux'

describe('a lock of this kernel and this name space', () => {
  test('of a process that has ended is taken', async () => {
    const { lock } = await newPlace()
    writeFileSync(lock, lockOf(deadOwner()))
    expectTaken(lock)
  })

  test.skipIf(!isLinux)('of a process whose number another one has since is taken', async () => {
    const { lock } = await newPlace()
    writeFileSync(lock, lockOf(ownerWith({ pid: process.ppid, start: '1' })))
    expectTaken(lock)
  })

  test.skipIf(!isLinux)('of a running process is kept, however old it looks', async () => {
    const { lock } = await newPlace()
    writeFileSync(lock, lockOf(ownerWith({ pid: process.ppid, start: startOf(process.ppid) })))
    utimesSync(lock, 1, 1)
    expectKept(lock)
    const forward = fakeClock()
    forward(3600)
    expectKept(lock)
  })

  test.skipIf(!isLinux)('of a killed process that nobody has waited for is taken', async () => {
    const { lock } = await newPlace()
    // The shell becomes a program that does not wait for its child.
    const shell = spawn('sh', ['-c', 'sleep 1000 & echo $!; exec sleep 1000'], { stdio: ['ignore', 'pipe', 'ignore'] })
    onTestFinished(() => void shell.kill())
    const pid = Number(await new Promise(resolve => shell.stdout.once('data', resolve)))
    await until(
      'the shell is replaced',
      () => /sleep/.test(readFileSync(`/proc/${shell.pid}/comm`, 'utf8')) || undefined,
    )
    writeFileSync(lock, lockOf(ownerWith({ pid, start: startOf(pid) })))
    expectKept(lock)
    process.kill(pid, 'SIGKILL')
    await until('it is over', () => / Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8')) || undefined)
    expectTaken(lock)
  })

  test('is not taken from its holder because it is old', async () => {
    const { top } = await newPlace()
    const lock = join(top, 'wiki/main/lock')
    const held = tryFolderLock(lock) as Held
    utimesSync(lock, fromNow(-20 * 60), fromNow(-20 * 60))
    expect(tryFolderLock(lock)).toBeNull()
    expect(held.isHeld()).toBe(true)
    held()
    expect(existsSync(lock)).toBe(false)
  })

  test.skipIf(!isLinux)('that was copied with its repository is taken there, and kept here', async () => {
    const { top, lock } = await newPlace()
    const held = tryLock(lock) as Held
    const copy = await temporaryDirectory()
    cpSync(top, copy, { recursive: true, filter: path => !path.includes('.alive') })
    expectTaken(join(copy, 'refs/heads/main.lock'))
    expectKept(lock)
    held()
  })
})

test('releasing a lock leaves that of another, who removed it', async () => {
  const { lock } = await newPlace()
  const held = await takeLockFile(lock.replace(/\.lock$/, ''))
  rmSync(lock)
  writeFileSync(lock, lockOf(ownerWith({})))
  expect(held.isHeld()).toBe(false)
  held()
  held()
  expectKept(lock)
})

describe.skipIf(!isLinux)('a lock of another container on this kernel', () => {
  /** Lets a program show that the owner runs; returns it. */
  async function showLife(top: string, owner: string) {
    mkdirSync(join(top, 'wiki/.alive'), { recursive: true })
    const script = `require('net').createServer().listen(${JSON.stringify(join(top, 'wiki/.alive', owner))}, () => console.log('ready'))`
    const program = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
    onTestFinished(() => void program.kill('SIGKILL'))
    await new Promise(resolve => program.stdout.once('data', resolve))
    return program
  }

  test('is kept while its process shows that it runs, however long, and taken as soon as that is dead', {
    tags: 'long',
  }, async () => {
    const { top, lock } = await newPlace()
    const owner = ownerWith(sibling)
    const program = await showLife(top, owner)
    writeFileSync(lock, lockOf(owner))
    const forward = fakeClock()
    // A stopped process does not answer, but the kernel does.
    program.kill('SIGSTOP')
    for (const _ of [1, 2, 3]) {
      expectKept(lock)
      forward(3600)
      await until('the kernel has answered', () => lifeOf(owner, top) === 'alive' || undefined)
    }
    program.kill('SIGKILL')
    await new Promise(resolve => program.once('exit', resolve))
    await until('the kernel has answered', () => lifeOf(owner, top) === 'dead' || undefined)
    expectTaken(lock)
  })

  test('is kept if its process has ended its sign and begun another one while the kernel refused', async () => {
    const { top } = await newPlace()
    const owner = ownerWith(sibling)
    const program = await showLife(top, owner)
    program.kill('SIGKILL')
    await new Promise(resolve => program.once('exit', resolve))
    expect(lifeOf(owner, top)).toBe('asked')
    const path = join(top, 'wiki/.alive', owner)
    rmSync(path)
    const again = createServer().listen(path)
    onTestFinished(() => void again.close())
    await until('the kernel has answered', () => lifeOf(owner, top) !== 'asked' || undefined)
    await until('the kernel has answered again', () => lifeOf(owner, top) === 'alive' || undefined)
  })

  test('a sign gets its name when it listens', async () => {
    const { top, lock } = await newPlace()
    mkdirSync(join(top, 'wiki/.alive'))
    const listen = vi.spyOn(Server.prototype, 'listen')
    const held = tryLock(lock) as Held
    expect(listen).toHaveBeenCalledTimes(1)
    expect(listen.mock.calls).toEqual([[{ path: expect.stringMatching(/\.new$/), writableAll: true }]])
    held()
  })

  test('a sign that was deleted is renewed with the next lock, and stays', async () => {
    const { top, lock } = await newPlace()
    mkdirSync(join(top, 'wiki/.alive'))
    const held = tryLock(lock) as Held
    rmSync(join(top, 'wiki/.alive'), { recursive: true })
    const other = tryLock(join(top, 'index.lock')) as Held
    // The server of the first one closes in a later turn.
    await new Promise(resolve => setImmediate(resolve))
    expect(readdirSync(join(top, 'wiki/.alive'))).toEqual([ownName()])
    other()
    held()
    expect(readdirSync(join(top, 'wiki/.alive'))).toEqual([])
  })

  test('is taken after a silence if its process shows nothing', async () => {
    const { lock } = await newPlace()
    writeFileSync(lock, lockOf(ownerWith(sibling)))
    const forward = fakeClock()
    expectKept(lock)
    forward(29)
    expectKept(lock)
    forward(2)
    expectTaken(lock)
  })

  test('a process shows that it runs while it holds a lock, with a long path too', async () => {
    const { top } = await newPlace()
    const deep = join(top, 'a'.repeat(150))
    for (const name of ['objects', 'refs/heads']) mkdirSync(join(deep, name), { recursive: true })
    writeFileSync(join(deep, 'HEAD'), '')
    for (const place of [top, deep]) {
      // A process in a container has been there.
      mkdirSync(join(place, 'wiki/.alive'), { recursive: true })
      const one = tryLock(join(place, 'refs/heads/main.lock')) as Held
      const two = tryLock(join(place, 'index.lock')) as Held
      one()
      const [name = ''] = readdirSync(join(place, 'wiki/.alive'))
      expect(statSync(join(place, 'wiki/.alive', name)).isSocket()).toBe(true)
      two()
      expect(readdirSync(join(place, 'wiki/.alive'))).toEqual([])
    }
  })
})

describe('a lock of another machine', () => {
  test('is kept while its holder shows signs of life, whatever the clocks say, and taken after a silence', async () => {
    const { lock } = await newPlace()
    writeFileSync(lock, lockOf(ownerWith(elsewhere)))
    const forward = fakeClock()
    for (const seconds of [0, -1000, 5000, -100_000]) {
      utimesSync(lock, fromNow(seconds), fromNow(seconds))
      expectKept(lock)
      forward(29)
      expectKept(lock)
    }
    forward(2)
    expectTaken(lock)
  })

  test('shows signs of life while it is held', async () => {
    const { lock } = await newPlace()
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const held = tryLock(lock) as Held
    utimesSync(lock, 1, 1)
    vi.advanceTimersByTime(6000)
    expect(statSync(lock).mtimeMs).toBeGreaterThan(1000)
    held()
    vi.useRealTimers()
  })

  test('a write waits until that is decided', async () => {
    const { lock } = await newPlace()
    writeFileSync(lock, lockOf(ownerWith(elsewhere)))
    const forward = fakeClock()
    let looks = 0
    vi.mocked(performance.now).mockImplementation(() => ++looks * 500)
    forward(0)
    const held = await takeLockFile(lock.replace(/\.lock$/, ''), { wait: 10 })
    held()
  })

  test('that is removed takes the files with it that were about to replace what it locks', async () => {
    const { top, lock } = await newPlace()
    const owner = ownerWith(elsewhere)
    writeFileSync(lock, lockOf(owner))
    writeFileSync(join(dirname(lock), `main.wiki-${owner}-7-new.lock`), 'prepared')
    writeFileSync(join(top, `index.wiki-${owner}-new.lock`), 'of another lock')
    const forward = fakeClock()
    expectKept(lock)
    forward(31)
    expectTaken(lock)
    expect(existsSync(join(top, `index.wiki-${owner}-new.lock`))).toBe(true)
  })

  test('this machine before it was started again: is taken at once', async () => {
    const { lock } = await newPlace()
    if (!isLocal(dirname(lock))) return
    writeFileSync(lock, lockOf(ownerWith({ boot: '11111111' })))
    expectTaken(lock)
  })
})

describe('a lock that names nobody', () => {
  test('of the wiki, which a power cut left empty or torn, is taken', async () => {
    const { top, lock } = await newPlace()
    for (const path of [lock, join(top, 'wiki/main/lock')])
      for (const text of ['', 'wiki 12', '\0'.repeat(40)]) {
        writeFileSync(path, text)
        chmodSync(path, 0o444)
        expectTaken(path)
      }
  })

  test.skipIf(!isLinux)('is taken among those of the wiki, where git takes none', async () => {
    const { top } = await newPlace()
    writeFileSync(join(top, 'wiki/main/lock'), '')
    expectTaken(join(top, 'wiki/main/lock'))
  })

  test('and has the mode of protected settings is kept: git gives its lock that mode', async () => {
    const { top } = await newPlace()
    for (const [name, mode] of [
      ['config', 0o444],
      ['config.lock', 0o444],
    ] as const)
      writeFileSync(join(top, name), '', { mode })
    expectKept(join(top, 'config.lock'))
  })

  test('is kept where git takes one, even if clocks were set', async () => {
    const { lock } = await newPlace()
    writeFileSync(lock, '')
    const forward = fakeClock()
    for (const seconds of [0, 100_000, -600]) {
      utimesSync(lock, fromNow(seconds), fromNow(seconds))
      expectKept(lock)
      forward(3600)
    }
  })

  test.skipIf(!isLinux)(
    'is taken if it is older than the start of the machine and no process has it open',
    async () => {
      const { lock } = await newPlace()
      const file = openSync(lock, 'w')
      utimesSync(lock, 1, 1)
      expectKept(lock)
      closeSync(file)
      expectTaken(lock)
      // Another repository's lock has the same name.
      const other = openSync(join((await newPlace()).top, basename(lock)), 'w')
      onTestFinished(() => closeSync(other))
      writeFileSync(lock, '')
      utimesSync(lock, 1, 1)
      expectTaken(lock)
      // Git writes its index into the lock.
      writeFileSync(lock, 'DIRC'.repeat(1000))
      utimesSync(lock, 1, 1)
      expectTaken(lock)
    },
  )
})

describe('temporary files', () => {
  test('of dead processes are removed, and those of another machine a day later', async () => {
    const { top, lock } = await newPlace()
    const names = [deadOwner(), ownerWith(elsewhere), ownerWith(sibling), ownerWith({})].map(
      owner => `main.wiki-${owner}-1-new.lock`,
    )
    for (const name of names) writeFileSync(join(dirname(lock), name), '')
    const left = () => readdirSync(dirname(lock)).toSorted()
    clearLeftovers(lock.replace(/\.lock$/, ''))
    expect(left()).toEqual(names.slice(1).toSorted())
    for (const name of names.slice(1)) utimesSync(join(dirname(lock), name), fromNow(-90_000), fromNow(-90_000))
    clearLeftovers(lock.replace(/\.lock$/, ''))
    expect(left()).toEqual(names.slice(3))
    expect(existsSync(top)).toBe(true)
  })

  test('of the index, which another machine is saving, are left while this one saves', async () => {
    const { top } = await newPlace()
    const path = join(top, 'wiki/main', `base.wiki-${ownerWith(elsewhere)}-new.lock`)
    writeFileSync(path, 'half')
    const held = tryFolderLock(join(top, 'wiki/main/lock')) as Held
    expect(existsSync(path)).toBe(true)
    held()
  })
})

/** Steps of one who needs a lock: it tries twice, and looks whether it is alone while it has it. */
function* needing(lock: string, inside: Set<object>): Generator<void, void> {
  for (let attempt = 0; attempt < 2; attempt++) {
    const held = yield* lockSteps(lock)
    if (held !== null) {
      inside.add(held)
      yield
      if (inside.size > 1 || !held.isHeld()) throw new Error('two have the lock')
      inside.delete(held)
      held()
      return
    }
    yield
  }
}

/** Lets processes take steps in the order of the choices; returns how many could have gone on at each step. */
function run(processes: Generator<void, void>[], choose: (running: number) => number): number[] {
  const running = [...processes]
  const branches: number[] = []
  while (running.length > 0) {
    branches.push(running.length)
    const at = choose(running.length)
    if (running[at]?.next().done) running.splice(at, 1)
  }
  return branches
}

describe('of those who find a dead lock, never two take it', () => {
  const states: readonly [name: string, leave: (lock: string) => void][] = [
    ['a lock', lock => writeFileSync(lock, lockOf(deadOwner()))],
    [
      'a lock, and the mark of one who was killed while he removed it',
      lock => {
        writeFileSync(lock, lockOf(deadOwner()))
        writeFileSync(lock.replace(/\.lock$/, '.wiki-end-ffffffff-1.lock'), lockOf(deadOwner(), 2))
      },
    ],
    [
      'an empty lock',
      lock => {
        writeFileSync(lock, '')
        chmodSync(lock, 0o444)
      },
    ],
  ]

  test.each(states)(
    '%s: every order of the steps of two',
    { tags: ['rounds', 'long'], timeout: 1_200_000 },
    async (_, leave) => {
      const { lock } = await newPlace()
      const most = rounds(500, 5_000, Number.POSITIVE_INFINITY)
      // The choices of the last run; the next one differs in the last choice that can differ.
      let choices: number[] = []
      let count = 0
      do {
        leave(lock)
        const inside = new Set<object>()
        let at = 0
        const branches = run([needing(lock, inside), needing(lock, inside)], () => choices[at++] ?? choices.push(0) * 0)
        expect(readdirSync(dirname(lock)).filter(name => !name.includes('.wiki-end-'))).toEqual([])
        clear(lock)
        count++
        while (choices.length > 0 && (choices.at(-1) as number) + 1 >= (branches[choices.length - 1] as number))
          choices.pop()
        if (choices.length > 0) choices = choices.with(-1, (choices.at(-1) as number) + 1)
      } while (choices.length > 0 && count < most)
      expect(count).toBeGreaterThan(100)
    },
  )

  test.each(states)('%s: three, one of whom is killed at any step', { tags: ['rounds', 'long'] }, async (_, leave) => {
    const { lock } = await newPlace()
    for (let seed = 1; seed <= rounds(200, 2000, 20_000); seed++) {
      leave(lock)
      const random = numbersOf(seed)
      const inside = new Set<object>()
      const killed = lockSteps(lock)
      for (let steps = random(8); steps > 0; steps--) if (killed.next().done) break
      bury(lock)
      run([needing(lock, inside), needing(lock, inside), needing(lock, inside)], random)
      // The next one finds everything in order.
      const held = tryLock(lock) ?? tryLock(lock) ?? tryLock(lock)
      expect(held).not.toBeNull()
      held?.()
      clearLeftovers(lock.replace(/\.lock$/, ''))
      expect(readdirSync(dirname(lock))).toEqual([])
    }
  })

  /** All that this process has made there is now a dead one's. */
  function bury(lock: string): void {
    const own = ownerWith({ token: '' }).slice(0, -1)
    for (const name of readdirSync(dirname(lock))) {
      const path = join(dirname(lock), name)
      const text = readFileSync(path, 'latin1')
      if (!text.includes(own)) continue
      const buried = name.replace(ownerPattern, deadOwner())
      rmSync(path)
      writeFileSync(join(dirname(lock), buried), text.replace(ownerPattern, deadOwner()), { mode: 0o444 })
    }
  }

  function clear(lock: string): void {
    for (const name of readdirSync(dirname(lock))) rmSync(join(dirname(lock), name))
  }
})

/** Whole numbers below a limit, from a seed. */
function numbersOf(seed: number): (limit: number) => number {
  let state = seed
  return limit => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return (state >>> 8) % limit
  }
}

test('a prepared file is put in place only by a process that still has the lock', async () => {
  const { lock } = await newPlace()
  const path = lock.replace(/\.lock$/, '')
  const prepared = await prepareFile(path, 'new\n')
  const [name = ''] = readdirSync(dirname(lock))
  // As one who takes this process for dead would do.
  rmSync(join(dirname(lock), name))
  expect(() => prepared.publish()).toThrow('ENOENT')
})

function startOf(pid: number): string {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').replace(/^.*\)/s, '').trim().split(' ')
  return Number(fields[19]).toString(36)
}
