/** Writers in containers: each in PID and UTS namespaces of its own, with the same host name and the same process numbers. */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { lifeOf } from '../../src/files/owner.ts'
import { tryLock } from '../../src/store/repository/lock-file.ts'
import { git, hasGit, temporaryDirectory } from '../_setup.ts'
import { until } from '../_wait.ts'
import { bundleChild } from './_processes.ts'
import { openFresh, write } from './_store.ts'

/** The program is process 2 or so of its namespace: the first one may not kill itself. */
const container = [
  ...['--pid', '--fork', '--mount-proc', '--uts', '--kill-child=SIGKILL'],
  ...['sh', '-c', 'hostname shared; "$@"; exit $?', 'sh'],
]
const reason = spawnSync('unshare', [...container, 'true']).status === 0 ? '' : 'needs root and unshare(1)'
const killAt = fileURLToPath(new URL('../proof/kill-at.cjs', import.meta.url))

describe.skipIf(!hasGit || reason !== '')(`writers in containers with one host name (${reason})`, () => {
  let script: string
  beforeAll(async () => {
    script = await bundleChild()
  })

  interface Contained {
    readonly process: ChildProcess
    readonly lines: string[]
    readonly ended: Promise<number | string | null>
  }

  /** Starts a writer in a container. It is killed, or stopped, a few changes of files after it has first taken a lock. */
  function start(directory: string, name: string, count: number, { lock = '', signal = 'SIGKILL' } = {}): Contained {
    const end = { KILL_FROM: join(directory, '.git', lock), KILL_AT: '4', KILL_SIGNAL: signal }
    const kill = lock === '' ? [] : ['--require', killAt]
    const child = spawn(
      'unshare',
      [...container, process.execPath, ...kill, script, 'write', directory, name, `${count}`],
      // The shell says that its program was killed.
      { env: { ...process.env, ...end }, stdio: ['ignore', 'pipe', lock === '' ? 'inherit' : 'ignore'] },
    )
    onTestFinished(() => void child.kill('SIGKILL'))
    const lines: string[] = []
    let rest = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const whole = (rest + text).split('\n')
      rest = whole.pop() as string
      lines.push(...whole)
    })
    return {
      process: child,
      lines,
      ended: new Promise(resolve => child.once('close', (code, by) => resolve(code ?? by))),
    }
  }

  async function newRepository(): Promise<string> {
    const directory = await temporaryDirectory()
    git(directory, 'init', '--quiet')
    return directory
  }

  /** Locks and temporary files, except among the objects. */
  function leftovers(directory: string): string[] {
    const names = readdirSync(join(directory, '.git'), { recursive: true }).map(String)
    return names.filter(name => /lock|journal/.test(name) && !name.startsWith('hooks'))
  }

  function expectTrue(directory: string, commits: readonly string[]): void {
    const reachable = new Set(git(directory, 'rev-list', 'main').split('\n'))
    expect(commits.filter(commit => !reachable.has(commit))).toEqual([])
    expect(git(directory, 'status', '--porcelain')).toBe('')
    expect(git(directory, 'fsck', '--strict', '--no-dangling', '--no-progress')).toBe('')
    expect(leftovers(directory)).toEqual([])
  }

  test('lose nothing when they write at the same time', { tags: 'long', timeout: 120_000 }, async () => {
    const directory = await newRepository()
    const writers = ['One', 'Two', 'Three'].map(name => start(directory, name, 8))
    for (const writer of writers) expect(await writer.ended).toBe(0)
    const commits = writers.flatMap(({ lines }) => lines.slice(1))
    expect(commits).toHaveLength(24)
    expectTrue(directory, commits)
  })

  test.each(['wiki/writer.lock', 'index.lock', 'refs/heads/main.lock', 'wiki/main/lock'])(
    'leave nothing for good when one is killed with its whole container, with %s',
    { tags: 'long', timeout: 120_000 },
    async lock => {
      const directory = await newRepository()
      const killed = start(directory, 'Killed', 100, { lock })
      await killed.ended
      expect(leftovers(directory)).toContain(lock)
      // A search that was killed with it.
      const search = join(directory, '.git/wiki/main/search')
      mkdirSync(search, { recursive: true })
      const text = readFileSync(join(directory, '.git', lock), 'utf8')
      writeFileSync(join(search, 'lock'), text.replace(/\S+\n$/, '-\n'))
      const next = start(directory, 'Next', 2)
      expect(await next.ended).toBe(0)
      // This process is in a third namespace.
      const { commit } = await write(await openFresh(directory), { 'Last.wiki': 'last' })
      expectTrue(directory, [...killed.lines.slice(1), ...next.lines.slice(1), commit as string])
    },
  )

  test('do not take the locks of one that is stopped', {
    tags: 'long',
    timeout: 120_000,
  }, async () => {
    const directory = await newRepository()
    const stopped = start(directory, 'Stopped', 4, { lock: 'index.lock', signal: 'SIGSTOP' })
    await until('it has stopped', () => isStopped(stopped.process) || undefined)
    const held = leftovers(directory).filter(name => /^(?:index|refs\/heads\/main|wiki\/writer)\.lock$/.test(name))
    expect(held).toContain('index.lock')
    for (const name of held) {
      const path = join(directory, '.git', name)
      const text = readFileSync(path, 'utf8')
      await until(
        'the kernel has answered',
        () => lifeOf(text.split(' ')[3] as string, join(directory, '.git')) === 'alive' || undefined,
      )
      expect(tryLock(path)).toBeNull()
      expect(readFileSync(path, 'utf8')).toBe(text)
    }
    process.kill(writerIn(stopped.process), 'SIGCONT')
    expect(await stopped.ended).toBe(0)
    expectTrue(directory, stopped.lines.slice(1))
  })

  /** The writer's number in this namespace. */
  function writerIn({ pid = 0 }: ChildProcess): number {
    const child = (of: number) => Number(readFileSync(`/proc/${of}/task/${of}/children`, 'utf8').trim().split(' ')[0])
    return child(child(pid))
  }

  function isStopped(container: ChildProcess): boolean {
    try {
      return / T /.test(readFileSync(`/proc/${writerIn(container)}/stat`, 'utf8'))
    } catch {
      return false
    }
  }
})
