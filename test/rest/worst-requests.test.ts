// @module-tag long
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { firstOf, rounds } from '../_rounds.ts'
import { git, hasGit, temporaryDirectory } from '../_setup.ts'
import { until } from '../_wait.ts'
import { wiki as command } from '../cli/harness.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const program = join(root, 'bin/wiki.cjs')
const isBuilt = existsSync(join(root, 'dist/wiki-jobs.cjs')) && hasGit

interface WorstRequest {
  readonly name: string
  readonly method?: string
  readonly path: string
  readonly body?: () => unknown
  /** Text of the body, instead of `body`, and its type. */
  readonly text?: () => string
  readonly type?: string
  /** True if it uses the whole time of a worker. */
  readonly slow?: true
}

const table = (await import(new URL('../bench/worst-table.mjs', import.meta.url).href)) as {
  readonly worstRequests: readonly WorstRequest[]
  readonly worstHistory: () => string
  readonly worstWiki: () => Iterable<Readonly<Record<string, string>>>
}

/** Permitted responses to such a request. */
const documented = [200, 201, 302, 400, 409, 413, 415, 503]
/** Maximum bytes of a response: the limit of a comparison, and the fields around it. */
const maxAnswer = 26 * 1024 * 1024

describe.skipIf(!isBuilt)('a server under the most expensive single requests (skipped if it is not built)', () => {
  let directory: string
  let server: ChildProcess
  let address: string

  beforeAll(async () => {
    directory = await temporaryDirectory()
    git(directory, 'init', '-q', '-b', 'main')
    for (const files of table.worstWiki()) {
      for (const [path, text] of Object.entries(files)) {
        await mkdir(dirname(join(directory, path)), { recursive: true })
        await writeFile(join(directory, path), text)
      }
      git(directory, 'add', '.')
      git(directory, 'commit', '-q', '-m', 'pages')
    }
    execFileSync('git', ['-C', directory, 'fast-import', '--quiet'], { input: table.worstHistory() })
    git(directory, 'reset', '-q', '--hard')
    server = spawn(process.execPath, [program, 'serve', '-C', directory, '--port', '0', '--allow-anonymous', '--quiet'])
    let said = ''
    server.stdout!.on('data', chunk => {
      said += chunk
    })
    address = await until('the server says its address', () => {
      if (server.exitCode !== null) throw new Error(said)
      return /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0]
    })
    // The wiki has thousands of files and revisions.
  }, 600_000)

  afterAll(() => void server?.kill())

  const cheapRead = async (): Promise<number> => (await fetch(`${address}/v1/page/Cheap/bare`)).status

  // Slow: each of them takes about a second of the server. The full run sends every third one; with `WIKI_PROOF` it sends all
  // of them.
  const requests = table.worstRequests.filter(({ slow }) => !slow).filter((_, at) => (at + 6) % rounds(12, 3, 1) === 0)

  test.each(requests.map(row => [row.name, row] as const))(
    '%s: returns the documented response, and serves others meanwhile',
    { tags: ['rounds', 'long'] },
    async (_, { method = 'GET', path, body, text, type = 'application/json' }) => {
      let isOver = false
      const sent = text?.() ?? (body && JSON.stringify(body()))
      const worst = fetch(path.startsWith('/') ? `${address}${path}` : `${address}/v1/${path}`, {
        method,
        redirect: 'manual',
        ...(sent !== undefined && { body: sent, headers: { 'content-type': type } }),
      })
        .then(async answer => ({ answer, bytes: (await answer.arrayBuffer()).byteLength }))
        .finally(() => {
          isOver = true
        })
      while (!isOver) expect(await cheapRead()).toBe(200)
      const { answer, bytes } = await worst
      expect(documented).toContain(answer.status)
      expect(bytes).toBeLessThan(maxAnswer)
      if (answer.status === 503) expect(answer.headers.get('retry-after')).toMatch(/^\d+$/)
    },
  )

  // Slow: `npm test` runs the first.
  test.each(
    firstOf(
      [
        ['page', 'get', 'Gallery', '--html'],
        ['compare', 'Large@prev', 'Large'],
      ],
      1,
    ).map(argv => [argv.join(' '), argv] as const),
  )(
    'has the command line end with 2 and say what to do where it answers 413: %s',
    { tags: ['rounds', 'long'] },
    async (_, argv) => {
      const { status, stderr } = await command(['-C', directory, ...argv])
      expect([status, stderr]).toEqual([2, expect.stringMatching(/[\s\S]+\n[\s\S]+/)])
    },
  )

  test('has wiki lint report the page, and lint the others', { tags: 'long' }, async () => {
    const { status, stdout } = await command(['-C', directory, 'lint', 'Gallery'])
    expect([status, stdout]).toEqual([1, expect.stringMatching(/^\S+:1:1: unread-page\n$/)])
  })
})
