// @module-tag long
/** Each example of each command, as its help shows it, on the installed package; the same words in this process give the same. */

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { commandTree, isGroup } from '../../src/cli/commands.ts'
import { hasShellTools } from '../_document.ts'
import { copyFolder, git, hasGit, madeOnce, temporaryDirectory } from '../_setup.ts'
import { gitWiki, wiki as inProcess } from '../cli/harness.ts'
import { hasNpm, installed, type RunResult, serve, userEnvironment, wiki } from './_installed.ts'

const loaders = Object.values(commandTree).flatMap(entry => (isGroup(entry) ? Object.values(entry.commands) : [entry]))
const examples = (await Promise.all(loaders.map(load => load()))).flatMap(command => command.examples)

/** Examples that cannot succeed here, and the error that they end with. */
const refused: Readonly<Record<string, RegExp>> = {
  // They need a terminal.
  'wiki page edit "Main Page" -m "Fix a typo" --minor': /^wiki: No editor can be opened here/,
  // They name an edit or a token of somebody else.
  'wiki verify --accept 3f2a91c0': /names no acknowledged commit/,
  'wiki restore 3f2a91c0d4': /names no acknowledged commit/,
  'wiki token revoke 5f0c1a2b': /^wiki: There is no token 5f0c1a2b/,
}

/** Commands before an example, by its beginning. */
const before: Readonly<Record<string, readonly string[]>> = {
  'wiki page create "Fire station"': ['page', 'delete', 'Fire station'],
  'wiki page move': ['page', 'delete', 'Fire station'],
  'wiki page restore': ['page', 'delete', 'Fire station'],
}

/** A page whose lines are far from each other, so that each edit can be undone alone. */
const lines = (edits: number): string =>
  Array.from({ length: 60 }, (_, line) => `Line ${line}${line < edits ? ' is edited' : ''}.\n\nBetween.\n`).join('\n')

const drawing = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'
const patch = '--- a/Tide_times.wiki\n+++ b/Tide_times.wiki\n@@ -1 +1 @@\n-Low tide at noon.\n+Low tide at one.\n'

/** Files that examples read. */
const inputs: Readonly<Record<string, string | Uint8Array>> = {
  'station.wiki': 'A station.\n',
  // Revision 42 with another last line.
  'new.wiki': `${lines(30)}And more.\n`,
  'old.wiki': 'One.\n\nTwo.\n',
  'mine.wiki': 'One, mine.\n\nTwo.\n',
  'theirs.wiki': 'One.\n\nTwo, theirs.\n',
  'draft.wiki': "A '''draft'''.\n",
  'page.html': '<p>A <b>page</b>.</p>\n',
  'README.md': '# Tides\n\nRead *me*.\n',
  'tides.patch': patch,
  'photo.jpg': Buffer.from('ffd8ffe000104a46494600010100000100010000ffc0000b080001000101011100ffd9', 'hex'),
}

/** Makes a folder with what examples name: a wiki of 50 revisions in `wiki`, and repositories beside it. */
async function makeTemplate(): Promise<string> {
  const top = await temporaryDirectory()
  const folder = (name: string): string => join(top, name)
  const revision = (message: string, files: Readonly<Record<string, string>>) => ({ message, files })
  const made = await gitWiki([
    revision('Begin', {
      'wiki.json': '{ "name": "Harbour" }\n',
      'Main_Page.wiki': lines(0),
      'Home.wiki': '[[Main Page]]\n',
    }),
    revision('Station', {
      'Fire_station.wiki': '[[File:Fire station.jpg]] [[Category:Bridges]]\n',
      'Template/Box.wiki': 'A box of colour.\n',
    }),
    revision('Stations', {
      'Fire_station.wiki': '{{Box}} 12 ft [[File:Fire station.jpg]] [[Category:Bridges]]\n',
      'Fire_house.wiki': 'See [[Fire station]].\n',
    }),
    revision('Pages', {
      'Sandbox.wiki': 'x\n',
      'Draft_1.wiki': 'x\n',
      'Draft_2.wiki': 'x\n',
      'Tide_times.wiki': 'Low tide at noon.\n',
    }),
    revision('More', {
      'Talk/Main_Page.wiki': 'Hello.\n',
      'Category/Bridges.wiki': 'Bridges.\n',
      'File/Fire_station.jpg': drawing,
    }),
    ...Array.from({ length: 40 }, (_, edit) => revision(`Edit ${edit}`, { 'Main_Page.wiki': lines(edit + 1) })),
  ])
  copyFolder(made, folder('wiki'))
  copyFolder(made, folder('fork'))
  copyFolder(made, folder('home/wikis/cooking'))
  git(folder('wiki'), 'update-ref', 'refs/remotes/origin/main', 'HEAD~3')
  git(folder('wiki'), 'branch', 'draft', 'HEAD~1')
  git(folder('fork'), 'switch', '-q', '-c', 'topic')
  writeFileSync(join(folder('fork'), 'Tide_times.wiki'), 'Low tide at one.\n')
  git(folder('fork'), 'commit', '-qam', 'Topic')
  mkdirSync(folder('empty/existing-repository'), { recursive: true })
  git(folder('empty/existing-repository'), 'init', '-q', '-b', 'main')
  mkdirSync(folder('home/.local/share/bash-completion/completions'), { recursive: true })
  return top
}

const template = madeOnce(makeTemplate)

/** A copy of the template, in which the example has what it reads. */
async function folderFor(example: string): Promise<{ readonly top: string; readonly cwd: string }> {
  const top = await template()
  const cwd = join(top, /\binit\b/.test(example) ? 'empty' : 'wiki')
  for (const [name, content] of Object.entries(inputs))
    if (example.includes(name)) writeFileSync(join(cwd, name), content)
  if (/\.xml/.test(example) && !example.includes('-o ')) {
    const { stdout } = await inProcess(['export', 'Tide times'], { cwd: join(top, 'fork') })
    const dump = stdout.replace('Tide times', 'Old tides')
    writeFileSync(join(cwd, 'dump.xml'), dump)
    writeFileSync(join(cwd, 'dump.xml.gz'), gzipSync(dump))
    // A dump need not be compressed, whatever its name, so that this works without bzip2.
    writeFileSync(join(cwd, 'pages.xml.bz2'), spawnSync('bzip2', { input: dump }).stdout ?? dump)
    mkdirSync(join(cwd, 'images'))
  }
  for (const [beginning, command] of Object.entries(before))
    if (example.startsWith(beginning)) expect((await inProcess(command, { cwd })).status).toBe(0)
  return { top, cwd }
}

/** The words of a command line without anything else of a shell; null for others. */
function wordsOf(line: string): string[] | null {
  const words = [...line.matchAll(/(?:"([^"]*)"|'([^']*)'|([^\s"'|<>()&~;]+))(?:\s+|$)/gy)]
  const length = words.reduce((sum, [whole]) => sum + whole.length, 0)
  return length === line.length ? words.map(([, one, two, three]) => one ?? two ?? three ?? '') : null
}

/** Replaces the parts that differ between runs: the moment, and hashes and folders that come of it. */
function comparable({ status, stdout, stderr }: RunResult, top: string): RunResult {
  const same = (said: string): string =>
    said
      .replaceAll(top, 'TOP')
      .replace(/\bwiki_[\w-]{43}/g, 'TOKEN')
      .replace(/\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?Z?)?/g, 'TIME')
      .replace(/\b[0-9a-f]{7,40}\b/g, 'HASH')
  return { status, stdout: same(stdout), stderr: same(stderr) }
}

/** Runs a line in bash, where `wiki` is the installed command. */
async function shell(line: string, cwd: string, top: string): Promise<RunResult> {
  const { folder } = await installed()
  const env = userEnvironment(folder)
  const PATH = `${join(folder, 'node_modules/.bin')}:${env.PATH}`
  // Of zsh the example needs one function.
  const script = `set -eo pipefail; compdef() { :; }; ${line}`
  const child = spawn('bash', ['--norc', '-c', script], { cwd, env: { ...env, PATH, HOME: join(top, 'home') } })
  child.stdin.end()
  const ended = once(child, 'close')
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { status: (await ended)[0], stdout, stderr }
}

const canRun = hasNpm && hasGit && hasShellTools

beforeAll(async () => {
  if (canRun) await installed()
}, 600_000)

describe.skipIf(!canRun)('of the installed package', () => {
  test.for(examples.filter(line => !line.startsWith('wiki serve')))('%s', async line => {
    const { top, cwd } = await folderFor(line)
    const words = wordsOf(line)
    const result = words === null ? await shell(line, cwd, top) : await wiki(words.slice(1), { cwd })
    expect(result.stderr).not.toMatch(/bug in wiki|Unknown option|unknown option/)
    if (line in refused) expect(result).toMatchObject({ status: 2, stderr: expect.stringMatching(refused[line]!) })
    else expect(result.status, result.stderr).toBeLessThanOrEqual(1)
    if (words === null) return
    const other = await folderFor(line)
    const env = { GIT_AUTHOR_NAME: 'Ada', GIT_AUTHOR_EMAIL: 'ada@example.org' }
    expect(comparable(result, top)).toEqual(
      comparable(await inProcess(words.slice(1), { cwd: other.cwd, env, columns: 80 }), other.top),
    )
  })

  test.for(examples.filter(line => line.startsWith('wiki serve')))('%s', async line => {
    const { top, cwd } = await folderFor(line)
    const words = line.replace('~', join(top, 'home')).split(' ')
    const { url, stop } = await serve(cwd, [...words.slice(2), '--port', '0'])
    const response = await fetch(`${url}/v1/page/Main_Page`)
    expect((await response.json()) as object).toMatchObject({ title: 'Main Page' })
    expect(await stop()).toBe(0)
  })
})
