/** Shared by tests: temporary folders, wikis built from scripted histories, and native git without the user's settings. */

import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, readlinkSync, statSync, symlinkSync } from 'node:fs'
import { mkdtemp, realpath } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, TestRunner } from 'vitest'
import { buildFixture, type Edit, type MadeRevisions, replay } from '../fixtures/replay.mjs'
import type { OpenWikiOptions, Wiki } from '../src/index.ts'
import type { CommitPlan } from '../src/store/format/entries.ts'
import { afterFile, afterwards } from './_cleanup.ts'
import { plainGit, removeFolder } from './_environment.ts'
import { runSmall } from './_start-small.ts'

/** Author and time of commits made by native git. */
export interface Signature {
  readonly name: string
  readonly address: string
  /** ISO 8601. */
  readonly time: string
}

/** Author and time of commits that `git` makes. */
export const usualSignature: Signature = {
  name: 'Ada Example',
  address: 'ada@example.org',
  time: '2024-01-01T00:00:00Z',
}

/** True if a git binary can be started. */
export const hasGit = spawnSync('git', ['--version']).status === 0

/** Skips the rest of a test, with the reason, if there is no git binary. The parameter is the test's context. */
export function needsGit(context: TestContext): void {
  context.skip(!hasGit, 'there is no git binary')
}

/**
 * Runs native git in a folder; returns its standard output without the final line feed. Throws if git fails. Without a
 * git binary the running test is skipped with the reason.
 */
export function git(directory: string, ...parameters: string[]): string {
  return gitAs(usualSignature, directory, ...parameters)
}

/** Like `git`, with another author or at another time. */
export function gitAs(signature: Partial<Signature>, directory: string, ...parameters: string[]): string {
  if (parameters.length === 2 && parameters[0] === 'rev-parse') {
    const commit = commitInFile(directory, parameters[1] as string)
    if (commit !== null) return commit
  }
  return runGit(signature, directory, parameters).toString('utf8').replace(/\n$/, '')
}

/** As `git`; returns all bytes of its output. */
export function gitBytes(directory: string, ...parameters: string[]): Buffer {
  return runGit(usualSignature, directory, parameters)
}

/** Reads the commit of a branch, or of HEAD, from its file, which saves a process; null if only git can tell it. */
function commitInFile(directory: string, name: string): string | null {
  if (!/^(?:HEAD|main)$/.test(name)) return null
  const read = (path: string) => readFileSync(join(directory, '.git', path), 'utf8').trimEnd()
  try {
    const head = name === 'HEAD' ? read('HEAD') : 'ref: refs/heads/main'
    const commit = head.startsWith('ref: refs/heads/') ? read(head.slice('ref: '.length)) : head
    return /^[0-9a-f]{40}$/.test(commit) ? commit : null
  } catch {
    return null
  }
}

/** After each commit, merge and rebase git would start another process, which checks whether there is something to pack. */
const settings = ['-c', 'init.defaultBranch=main', '-c', 'maintenance.auto=false']

function runGit(signature: Partial<Signature>, directory: string, parameters: readonly string[]): Buffer {
  if (!hasGit) TestRunner.getCurrentTest()?.context.skip('there is no git binary')
  const { name, address, time } = { ...usualSignature, ...signature }
  const who = {
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: address,
    GIT_AUTHOR_DATE: time,
    GIT_COMMITTER_NAME: name,
    GIT_COMMITTER_EMAIL: address,
    GIT_COMMITTER_DATE: time,
  }
  return runSmall('git', [...settings, ...parameters], {
    cwd: directory,
    env: { ...process.env, ...plainGit, ...who },
    maxBuffer: 64 * 1024 * 1024,
  })
}

/** Makes an empty folder and returns its real path. It is deleted after the test; outside of tests, after the file. */
export async function temporaryDirectory(): Promise<string> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), 'gitwiki-')))
  afterwards(() => removeFolder(directory))
  return directory
}

/**
 * Returns a function that returns a folder made by `make`. It is made once for the test file, and then copied: a repository
 * takes several git processes, a copy none.
 */
export function madeOnce(make: () => string | Promise<string>): () => Promise<string> {
  let kept: Promise<string> | undefined
  const keep = async () => {
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'gitwiki-')))
    afterFile(() => {
      kept = undefined
      removeFolder(folder)
    })
    copyFolder(await make(), folder)
    return folder
  }
  return async () => {
    kept ??= keep()
    const folder = await temporaryDirectory()
    copyFolder(await kept, folder)
    return folder
  }
}

/** Copies a folder with its content. Node's own `cp` takes 23 ms of CPU for a repository of 50 files, `cpSync` 4, this 1. */
export function copyFolder(from: string, to: string): void {
  mkdirSync(to, { recursive: true, mode: statSync(from).mode })
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) copyFolder(source, target)
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target)
    else copyFileSync(source, target)
  }
}

/** A wiki that a test may change freely. */
export interface BuiltWiki {
  readonly wiki: Wiki
  /** Top of its work tree. */
  readonly directory: string
  readonly revisions: MadeRevisions
}

export interface BuildOptions extends Omit<OpenWikiOptions, 'directory'> {
  /** Content of `wiki.json`; without it there is no such file. */
  readonly config?: Readonly<Record<string, unknown>>
}

/**
 * Builds a wiki in a temporary folder with the operations themselves, and closes it after the test: from the given edits, the
 * first of which makes revision 1 of page 1; or from the folder `fixtures/<name>`. Times and authors are fixed, so ids and
 * hashes are too. `sample` has 119 edits and takes seconds: build it once, in `beforeAll`, with a timeout of a minute.
 */
export async function buildWiki(
  fixture: string | readonly Edit[] = [],
  options: BuildOptions = {},
): Promise<BuiltWiki> {
  const { config, ...openOptions } = options
  const operations = await import('../src/index.ts')
  const directory = await temporaryDirectory()
  if (typeof fixture === 'string') {
    const built = await buildFixture(fixture, { ...openOptions, operations, directory })
    afterwards(() => built.wiki.close())
    return { ...built, directory }
  }
  const { initRepository } = await import('../src/store/repository/init.ts')
  initRepository(directory)
  const wiki = await operations.openWiki({ ...openOptions, directory })
  afterwards(() => wiki.close())
  if (config !== undefined) await wiki.store.commit(() => settingsPlan(config))
  return { wiki, directory, revisions: await replay(wiki, fixture, { operations }) }
}

function settingsPlan(config: Readonly<Record<string, unknown>>): CommitPlan {
  const { name, address, time } = usualSignature
  return {
    changes: [{ path: 'wiki.json', content: Buffer.from(`${JSON.stringify(config, null, 2)}\n`) }],
    author: { name, address },
    comment: 'Settings',
    subject: 'Settings',
    time: new Date(time),
  }
}
