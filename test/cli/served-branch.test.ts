import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ownName } from '../../src/files/owner.ts'
import { keepUnchanged, permitChanges } from '../../src/files/private-files.ts'
import { announceServing, servedBranches } from '../../src/store/repository/served-branch.ts'
import { needsGit, temporaryDirectory } from '../_setup.ts'
import { deadOwner, ownerWith } from '../store/_owners.ts'
import { git, sampleWiki, wiki } from './harness.ts'

/** Runs `wiki serve` until `visit` is done; returns its output. */
async function served(cwd: string, argv: readonly string[], visit: (url: string) => Promise<void>): Promise<string> {
  let ready = (_: string): void => {}
  const address = new Promise<string>(resolve => {
    ready = resolve
  })
  let stop = (): void => {}
  const stopped = new Promise<void>(resolve => {
    stop = resolve
  })
  const watch = (text: string): void => {
    const url = /http:\S+/.exec(text)?.[0]
    if (url !== undefined) ready(url)
  }
  const running = wiki(['serve', '-p', '0', '--allow-anonymous', ...argv], { cwd, stopped, watch })
  await Promise.race([address.then(visit), running]).finally(stop)
  const { stdout, stderr, status } = await running
  expect(status, stderr).toBe(0)
  return stdout
}

async function save(url: string, source: string): Promise<number> {
  const { latest } = (await (await fetch(`${url}/page/Main_Page`)).json()) as { latest: object }
  const body = JSON.stringify({ source, comment: '', latest })
  const headers = { 'content-type': 'application/json' }
  return (await fetch(`${url}/page/Main_Page`, { method: 'PUT', headers, body })).status
}

test('a server names its branch and keeps it when HEAD moves', { tags: 'long' }, async context => {
  needsGit(context)
  const cwd = sampleWiki()
  const before = git(cwd, ['rev-parse', 'main'])
  const printed = await served(cwd, [], async url => {
    git(cwd, ['switch', '-q', '-c', 'draft'])
    expect(await save(url, 'Edited on main.')).toBe(200)
    expect(readFileSync(join(cwd, 'Main_Page.wiki'), 'utf8')).toBe('Hello.\n')
    const { stdout } = await wiki(['status'], { cwd, tty: ['stdout'], env: { NO_COLOR: '1' } })
    expect(stdout).toContain('Sample on draft')
    expect(stdout).toContain('A server shows main, not draft')
    expect(JSON.parse((await wiki(['status', '--json'], { cwd })).stdout)).toMatchObject({
      served: ['main'],
      changes: [],
    })
  })
  expect(printed).toContain('Serving Sample (branch main) at http')
  expect(git(cwd, ['rev-parse', 'draft'])).toBe(before)
  expect(git(cwd, ['show', 'main:Main_Page.wiki'])).toBe('Edited on main.\n')
  expect((await wiki(['status'], { cwd, tty: ['stdout'] })).stdout).not.toContain('A server shows')
})

test("--branch serves a branch other than HEAD's", { tags: 'long' }, async context => {
  needsGit(context)
  const cwd = sampleWiki()
  git(cwd, ['branch', 'draft'])
  const printed = await served(cwd, ['--branch', 'draft'], async url => {
    expect(await save(url, 'A draft.')).toBe(200)
  })
  expect(printed).toContain('(branch draft)')
  expect(printed).toContain('HEAD is on main: the work tree does not follow edits')
  expect(git(cwd, ['show', 'draft:Main_Page.wiki'])).toBe('A draft.\n')
  expect(git(cwd, ['show', 'main:Main_Page.wiki'])).toBe('Hello.\n')
})

test('--branch refuses a missing branch', async () => {
  const result = await wiki(['serve', '-p', '0', '--branch', 'none'], { cwd: sampleWiki(), stopped: Promise.resolve() })
  expect(result).toMatchObject({ status: 2, stdout: '' })
  expect(result.stderr).toContain('There is no branch none')
})

test('an edit on a detached HEAD or an unborn branch reports it', async context => {
  needsGit(context)
  const cwd = sampleWiki()
  git(cwd, ['checkout', '-q', '--detach'])
  writeFileSync(join(cwd, 'New.wiki'), 'x\n')
  expect((await wiki(['commit'], { cwd })).stderr).toContain('HEAD is detached: the edit is on no branch')
  git(cwd, ['checkout', '-q', '--orphan', 'fresh'])
  expect((await wiki(['status'], { cwd, tty: ['stdout'] })).stdout).toContain('The branch fresh has no commit yet')
})

test('the file of a killed server names no branch, also if another process has its number', () => {
  const cwd = sampleWiki()
  const [git, serving] = [join(cwd, '.git'), join(cwd, '.git/wiki/.serving')]
  const file = join(serving, ownName())
  const end = announceServing({ commonDirectory: git, branch: 'refs/heads/main' })
  expect(servedBranches(git)).toEqual(['refs/heads/main'])
  const copy = (name: string) => writeFileSync(join(serving, name), readFileSync(file))
  copy(deadOwner())
  copy(ownerWith({ start: '1' }))
  end()
  expect(servedBranches(git)).toEqual([])
  // It ends between the listing of the folder and the reading of its file.
  mkdirSync(file)
  expect(servedBranches(git)).toEqual([])
})

test('a server whose disk has become read-only ends all the same', async () => {
  const commonDirectory = await temporaryDirectory()
  const end = announceServing({ commonDirectory, branch: 'refs/heads/main' })
  keepUnchanged(commonDirectory)
  expect(end).not.toThrow()
  permitChanges(commonDirectory)
})
