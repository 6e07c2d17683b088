/** Runs `wiki` inside the test process, on small wikis with fixed users and times. */

import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { main } from '../../src/cli/main.ts'
import { BrokenPipe, type Io, type Output } from '../../src/cli/terminal/io.ts'
import { parseMessage } from '../../src/store/format/trailers.ts'
import { initRepository } from '../../src/store/repository/init.ts'
import { openStore } from '../../src/store/store.ts'
import { removeFolder } from '../_environment.ts'
import { copyFolder, gitAs } from '../_setup.ts'

export interface RunOptions {
  readonly cwd?: string
  readonly stdin?: string | Uint8Array
  readonly env?: Readonly<Record<string, string>>
  /** The streams that are terminals. */
  readonly tty?: readonly ('stdin' | 'stdout' | 'stderr')[]
  readonly columns?: number
  /** Number of characters of stdout after which the reader stops. */
  readonly readsOnly?: number
  /** Ends `serve`. */
  readonly stopped?: Promise<void>
  /** Receives the text written to stdout, when it is written. */
  readonly watch?: (text: string) => void
}

export interface RunResult {
  readonly status: number
  readonly stdout: string
  readonly stderr: string
}

/** Variables of every run: an author, and no pager. */
const environment = { GIT_AUTHOR_NAME: 'Test User', GIT_AUTHOR_EMAIL: 'test@example.org', TERM: 'xterm', PAGER: 'cat' }

/** Runs one command line. */
export async function wiki(argv: readonly string[], options: RunOptions = {}): Promise<RunResult> {
  const written = { stdout: '', stderr: '' }
  const output = (name: 'stdout' | 'stderr'): Output => ({
    isTTY: options.tty?.includes(name) ?? false,
    columns: options.columns ?? 100,
    async write(chunk) {
      if (name === 'stdout' && written.stdout.length >= (options.readsOnly ?? Number.POSITIVE_INFINITY))
        throw new BrokenPipe('nobody reads')
      const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString()
      written[name] += text
      if (name === 'stdout') options.watch?.(text)
    },
  })
  let stdin = Buffer.from(options.stdin ?? '')
  // As with a pipe, what was read is gone.
  const rest = () => {
    const read = stdin
    stdin = Buffer.alloc(0)
    return read
  }
  const io: Io = {
    stdin: {
      isTTY: options.tty?.includes('stdin') ?? false,
      bytes: async () => rest(),
      async *chunks() {
        yield rest()
      },
      line: async () => rest().toString().split('\n')[0] ?? '',
    },
    stdout: output('stdout'),
    stderr: output('stderr'),
    env: { ...environment, ...options.env },
    cwd: options.cwd ?? '/',
    version: () => '0.0.0',
    stopped: () => options.stopped ?? new Promise(() => {}),
  }
  return { status: await main(argv, io), ...written }
}

/** One commit of a fixture: files and their contents, null deletes one. */
export interface Edit {
  readonly files: Readonly<Record<string, string | null>>
  readonly message: string
  readonly user?: string
}

/** An empty folder that is removed after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'wiki-test-'))
  onTestFinished(() => removeFolder(folder))
  return folder
}

/** A repository with these commits, an hour apart, from 2026-01-31 12:00 on. Users are `Name <address>`. */
export async function gitWiki(edits: readonly Edit[]): Promise<string> {
  return commitAll(temporaryFolder(), edits)
}

async function commitAll(folder: string, edits: readonly Edit[]): Promise<string> {
  initRepository(folder)
  const store = openStore({ directory: folder })
  for (const [hour, { files, message, user = 'Alice <alice@example.org>' }] of edits.entries()) {
    const [, name, address] = /^(.*) <(.*)>$/.exec(user) as unknown as [string, string, string]
    const changes = Object.entries(files).map(([path, text]) => ({
      path,
      content: text === null ? null : Buffer.from(text),
    }))
    const time = new Date(`2026-01-31T${String(12 + hour).padStart(2, '0')}:00:00Z`)
    const { comment, minor } = parseMessage(message)
    await store.commit(() => ({ changes, author: { name, address }, comment, minor, subject: message, time }))
  }
  store.close()
  return folder
}

const nobody = { name: 'Nobody', address: 'nobody@example.org', time: '2026-01-31T12:00:00Z' }

/** Runs git with the repository's configuration only; skips the test without a git binary. */
export function git(folder: string, args: readonly string[]): string {
  const output = gitAs(nobody, folder, ...args)
  return output === '' ? '' : `${output}\n`
}

/** A copy of a wiki with three pages, a redirect, five revisions and two users. */
export function sampleWiki(): string {
  const folder = temporaryFolder()
  copyFolder(sample, folder)
  return folder
}

async function makeSample(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'wiki-sample-'))
  return commitAll(folder, [
    { files: { 'wiki.json': '{\n  "name": "Sample"\n}\n' }, message: 'Settings' },
    { files: { 'Main_Page.wiki': 'Hello.\n' }, message: 'Say hello' },
    {
      files: { 'Fire_station.wiki': '== House ==\nThe fire station is red.\n\n== Crew ==\nNobody.\n' },
      message: 'A page about the fire station',
      user: 'Bob <bob@example.org>',
    },
    { files: { 'Fire_house.wiki': '#REDIRECT [[Fire station]]\n' }, message: 'Another name' },
    {
      files: { 'Fire_station.wiki': '== House ==\nThe old fire station is blue.\n\n== Crew ==\nNobody.\nOr Bob.\n' },
      message: 'Painted\n\nWiki-Minor: true',
    },
    { files: { 'Talk/Main_Page.wiki': 'Hello to you.\n' }, message: 'Talk', user: 'Bob <bob@example.org>' },
  ])
}

// Made once for all test files of a worker.
const sample = await makeSample()
