// @module-tag long
/** The search index when processes are killed, or when several need it at once: real processes of the built command. */

import { execFile, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import type { Wiki } from '../../src/operations/wiki.ts'
import { rounds } from '../_rounds.ts'
import { copyFolder, temporaryDirectory } from '../_setup.ts'
import { inTime, until } from '../_wait.ts'
import { wiki as command } from '../cli/harness.ts'
import { commitFiles, edit, newWiki } from './_wiki.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const program = join(root, 'bin/wiki.cjs')
const killAt = join(root, 'test/proof/kill-at.cjs')
const run = promisify(execFile)

/** Runs `wiki search`; with `env` it may be killed, which is not an error. */
async function search(directory: string, words: string, env: NodeJS.ProcessEnv = {}) {
  const killer = env.KILL_AT === undefined && env.KILL_LOG === undefined ? [] : ['--require', killAt]
  const parameters = [...killer, program, 'search', words, '-n', '100', '--json', '-C', directory]
  try {
    const { stdout, stderr } = await run(process.execPath, parameters, { env: { ...process.env, ...env } })
    const { pages } = JSON.parse(stdout) as { pages: { title: string }[] }
    return { titles: pages.map(({ title }) => title).sort(), stderr }
  } catch (error) {
    if ((error as { signal?: string }).signal !== 'SIGKILL') throw error
    return null
  }
}

const folderOf = (directory: string): string => join(directory, '.git', 'wiki', 'main', 'search')

/** Files of the index that the list does not name. */
function leftOver(directory: string): string[] {
  const folder = folderOf(directory)
  const list = readFileSync(join(folder, 'segments.json'), 'utf8')
  return readdirSync(folder).filter(name => name !== 'segments.json' && !list.includes(name))
}

async function copyOf(directory: string): Promise<string> {
  const copy = join(await temporaryDirectory(), 'wiki')
  copyFolder(directory, copy)
  return copy
}

/** Pages that all contain alpha, and each a unique word. */
function pagesOf(count: number, words = 0): Record<string, string> {
  const filler = Array.from({ length: words }, (_, at) => `filler${at * 7}`).join(' ')
  return Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`P${at}.wiki`, `alpha own${at} ${filler} [[P${at + 1}]]`]),
  )
}

/** A wiki of ten pages whose index has seven segments: the next edit merges them. */
async function editedWiki(): Promise<{ wiki: Wiki; directory: string }> {
  const { wiki, directory } = await newWiki()
  await commitFiles(wiki, pagesOf(10))
  for (let at = 0; at < 7; at++) {
    expect((await command(['search', 'alpha', '-C', directory])).status).toBe(0)
    await edit(wiki, `P${at}`, `alpha changed${at}`)
  }
  return { wiki, directory }
}

describe.skipIf(!existsSync(join(root, 'dist/wiki.cjs')))('a search (skipped where nothing is built)', () => {
  const scenes = [
    [
      'that builds the index',
      async () => {
        const { wiki, directory } = await newWiki()
        await commitFiles(wiki, pagesOf(10))
        return directory
      },
    ],
    ['that adds an edit and merges', async () => (await editedWiki()).directory],
  ] as const

  test.each(scenes)(
    '%s may be killed before any change of a file, and the next one is correct',
    { tags: ['rounds', 'long'], timeout: 600_000 },
    async (_, make) => {
      const scene = await make()
      // The index of revisions is not part of the search, so it is built before.
      await run(process.execPath, [program, 'history', 'P1', '-C', scene])
      const log = join(await temporaryDirectory(), 'calls')
      const whole = await copyOf(scene)
      const expected = await search(whole, 'alpha', { KILL_LOG: log })
      expect(expected?.titles).toHaveLength(10)
      const calls = readFileSync(log, 'utf8').split('\n').length
      expect(calls).toBeGreaterThan(5)
      let killed = 0
      // Slow: two processes for each position. The step is odd, so that interrupted and missing calls alternate. Killed
      // searches have left files that no list named, and locks.
      for (let at = 1; at <= calls; at += rounds(31, 9, 3)) {
        const copy = await copyOf(scene)
        if ((await search(copy, 'alpha', { KILL_AT: String(at), KILL_HALF: String(at % 2) })) === null) killed++
        expect((await search(copy, 'alpha'))?.titles, `killed at ${at}`).toEqual(expected?.titles)
        expect(leftOver(copy), `killed at ${at}`).toEqual([])
      }
      expect(killed).toBeGreaterThan(rounds(0, 0, 2))
    },
  )

  test('takes over from a killed process during a large build, and waits for a running one', {
    tags: 'long',
  }, async () => {
    const { wiki, directory } = await newWiki()
    await commitFiles(wiki, pagesOf(1_100, 300))
    await wiki.close()
    const list = join(folderOf(directory), 'segments.json')
    // Killed when a part of the index is stored.
    expect(await search(directory, 'alpha', { KILL_FROM: list, KILL_AT: '1' })).toBe(null)
    const stored = readFileSync(list, 'utf8')
    expect(stored).toContain(' incomplete"')
    // The second one takes the lock, and pauses until the third one waits.
    const words = (word: string) => [program, 'search', word, '--json', '-C', directory]
    const lock = join(folderOf(directory), 'lock')
    const paused = { ...process.env, KILL_FROM: lock, KILL_OWN: '1', KILL_AT: '3', KILL_SIGNAL: 'SIGSTOP' }
    const second = spawn(process.execPath, ['--require', killAt, ...words('own1099')], { env: paused })
    await until('the second one has the lock', () => textAt(lock).includes(` ${second.pid} `) || undefined)
    const third = spawn(process.execPath, words('own3'))
    const [found, also, log] = [textOf(second.stdout), textOf(third.stdout), textOf(third.stderr)]
    await until('the third one waits', () => log().includes('Another process is building') || undefined)
    await until('the second one goes on, and ends', () => {
      second.kill('SIGCONT')
      return second.exitCode !== null || undefined
    })
    await until('the third one ends', () => third.exitCode !== null || undefined)
    expect([found(), also()]).toEqual([expect.stringContaining('"P1099"'), expect.stringContaining('"P3"')])
    expect(leftOver(directory)).toEqual([])
    expect(readFileSync(list, 'utf8')).not.toContain(' incomplete"')
  })

  test('a server that is building returns results from the finished part, which is not cached for other requests', {
    tags: 'long',
  }, async () => {
    const { wiki, directory } = await newWiki()
    await commitFiles(wiki, pagesOf(700, 100))
    await wiki.close()
    const server = spawn(process.execPath, [program, 'serve', '-p', '0', '-C', directory])
    const [log, url] = [textOf(server.stderr), textOf(server.stdout)]
    const address = await until('the server says its address', () => /http:\S+\/v1/.exec(url())?.[0])
    const found = async (): Promise<number> => {
      const answer = await fetch(`${address}/search/page?q=alpha&limit=100`)
      // A server that starts slowly reports that it is building.
      return answer.status === 503 ? 0 : ((await answer.json()) as { pages: unknown[] }).pages.length
    }
    const early = await found()
    await until('the server builds', () => log().includes('The search index is being built: 700 pages') || undefined)
    while (!log().includes('The search index is built')) expect((await fetch(`${address}/page/P7`)).status).toBe(200)
    await until('the search finds all', async () => (await found()) === 100 || undefined)
    expect(early).toBeLessThanOrEqual(100)
    server.kill('SIGINT')
    await inTime('the server ends', once(server, 'exit'))
    expect(leftOver(directory)).toEqual([])
  })
})

function textAt(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}

function textOf(stream: NodeJS.ReadableStream): () => string {
  let text = ''
  stream.on('data', (data: Buffer) => {
    text += data
  })
  return () => text
}

test('the process that builds the index ends quietly when its owner has ended', { tags: 'long' }, async () => {
  const { directory } = await newWiki(pagesOf(3))
  const worker = fork(join(root, 'dist/wiki-index.cjs'), {
    serialization: 'advanced',
    execArgv: [],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let printed = ''
  worker.stderr?.on('data', data => {
    printed += data
  })
  worker.send({ directory }, () => worker.disconnect())
  const [status] = await inTime('the worker ends', once(worker, 'exit'))
  expect({ status, printed }).toEqual({ status: 0, printed: '' })
})

test('the process that builds the index ends above its memory and reports that', { tags: 'long' }, async () => {
  const { directory } = await newWiki(pagesOf(20, 5000))
  const worker = fork(join(root, 'dist/wiki-index.cjs'), [String(1024 * 1024)], {
    serialization: 'advanced',
    execArgv: [],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const messages: unknown[] = []
  worker.on('message', message => messages.push(message))
  worker.send({ directory })
  await inTime('the worker ends', once(worker, 'exit'))
  expect(messages).toContainEqual({ type: 'full' })
})
