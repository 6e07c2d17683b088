/** Every git that is started syncs what it writes: a git of ours in front of the real one notes the arguments that it gets. */

import { execFileSync } from 'node:child_process'
import { appendFileSync, chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { commitWork } from '../../src/operations/commit-work.ts'
import { initWiki } from '../../src/operations/init-wiki.ts'
import { openWiki } from '../../src/operations/wiki.ts'
import { runHousekeeping } from '../../src/store/git/housekeeping.ts'
import { openBackend } from '../../src/store/git/open-backend.ts'
import { hasSyncSettings } from '../../src/store/repository/sync-settings.ts'
import { git, hasGit, needsGit, temporaryDirectory } from '../_setup.ts'
import { openFresh, write } from './_store.ts'

const author = { name: 'Ada Example', address: 'ada@example.org' }
let log: string

/** Puts a git before the real one that says to be of a version. */
async function watchGit(version = ''): Promise<void> {
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim()
  const folder = await temporaryDirectory()
  log = join(folder, 'log')
  const says = version === '' ? '' : `case "$*" in *--version) echo git version ${version}; exit;; esac\n`
  writeFileSync(join(folder, 'git'), `#!/bin/sh\necho "$@" >>'${log}'\n${says}exec '${real}' "$@"\n`)
  chmodSync(join(folder, 'git'), 0o755)
  vi.stubEnv('PATH', `${folder}${delimiter}${process.env.PATH}`)
}

/** Without those of the test itself. */
const started = () =>
  existsSync(log)
    ? readFileSync(log, 'utf8')
        .trimEnd()
        .split('\n')
        .filter(line => !line.includes('init.defaultBranch'))
    : []
const syncing = '-c core.fsync=all -c core.fsyncMethod=fsync'

afterEach(() => void vi.unstubAllEnvs())

describe.runIf(hasGit && process.platform !== 'win32')('each git syncs all that it writes:', () => {
  beforeEach(() => watchGit())

  test.each<[what: string, pattern: RegExp, run: (directory: string) => Promise<unknown>]>([
    ['git that ends a merge', / commit -q /, endMerge],
    ['git that packs in the background', / gc --auto /, pack],
    ['git that the hooks of an edit start', / write-tree$/, editWithHook],
    [
      'git that configures the drivers',
      / config --file /,
      directory => initWiki({ directory, author, drivers: ['merge'] }),
    ],
  ])('%s', async (_, pattern, run) => {
    const directory = await temporaryDirectory()
    await run(directory)
    expect(started().filter(line => pattern.test(line))).not.toEqual([])
    expect(started().filter(line => !line.includes(syncing))).toEqual([])
  })
})

test('no git is started in another way', () => {
  const source = readFileSync(join(import.meta.dirname, '../../src/store/repository/process.ts'), 'utf8')
  const starts = source.match(/spawn(?:Sync)?\(.*/g) ?? []
  expect(starts.length).toBeGreaterThanOrEqual(5)
  expect(starts.filter(line => !/\('git', \[\.\.\.first(?:Options\(gitDirectory\))?, /.test(line))).toEqual([])
})

test('an older git gets the setting that it knows', async context => {
  needsGit(context)
  await watchGit('2.34.1')
  const directory = await temporaryDirectory()
  await endMerge(directory)
  const written = started().filter(line => / (?:add|commit) /.test(line))
  expect(written).not.toEqual([])
  expect(
    written.filter(line => !line.includes('-c core.fsyncObjectFiles=true') || line.includes('core.fsync=')),
  ).toEqual([])
})

test.each([
  ['2.35.9', false],
  ['2.36.0', true],
  ['2.100.1', true],
  ['3.0', true],
  ['1.9.1', false],
  ['', true],
])('git %s has the setting of today: %s', (version, has) => expect(hasSyncSettings(version)).toBe(has))

async function endMerge(directory: string): Promise<void> {
  git(directory, 'init', '-q')
  appendFileSync(join(directory, '.git/config'), `[user]\n\tname = ${author.name}\n\temail = ${author.address}\n`)
  const change = (text: string, message: string) => {
    writeFileSync(join(directory, 'A.wiki'), text)
    git(directory, 'add', '-A')
    git(directory, 'commit', '-qm', message)
  }
  change('one\n', 'Begin')
  git(directory, 'checkout', '-q', '-b', 'draft')
  change('one drafted\n', 'Draft')
  git(directory, 'checkout', '-q', 'main')
  change('one of main\n', 'On main')
  expect(() => git(directory, 'merge', '-q', 'draft')).toThrow()
  writeFileSync(join(directory, 'A.wiki'), 'one of main, drafted\n')
  const wiki = await openWiki({ directory })
  await commitWork(wiki, { author, comment: null })
  await wiki.close()
  expect(git(directory, 'log', '-1', '--format=%P')).toMatch(/ /)
}

async function pack(directory: string): Promise<void> {
  git(directory, 'init', '-q')
  const store = await openFresh(directory)
  await write(store, { 'A.wiki': 'one\n' })
  mkdirSync(join(directory, '.git/objects/17'), { recursive: true })
  for (const name of ['a', 'b', 'c']) writeFileSync(join(directory, '.git/objects/17', name), '')
  appendFileSync(join(directory, '.git/config'), '[gc]\n\tauto = 300\n\tautoDetach = false\n')
  expect(await runHousekeeping({ repository: store.repository, backend: openBackend(store.repository) })).toBe(true)
}

async function editWithHook(directory: string): Promise<void> {
  git(directory, 'init', '-q')
  writeFileSync(join(directory, '.git/hooks/pre-commit'), '#!/bin/sh\ngit write-tree >/dev/null\n')
  chmodSync(join(directory, '.git/hooks/pre-commit'), 0o755)
  const store = await openFresh(directory, { programs: { hooks: 'all', sign: false, patience: 60_000 } })
  await write(store, { 'A.wiki': 'one\n' })
}
