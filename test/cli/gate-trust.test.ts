/** `wiki check` on changes whose authors try to pass it, and with readers that stop early. */

import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { needsGit } from '../_setup.ts'
import { git, gitWiki, temporaryFolder, wiki } from './harness.ts'

const broken = '[a](gone.md)\n\n[b](gone2.md)\n'

/** `main` with these files, and `draft`, which also has the others; HEAD is on `draft`. */
async function proposed(
  base: Readonly<Record<string, string>>,
  change: Readonly<Record<string, string | null>>,
): Promise<string> {
  const cwd = await gitWiki([{ files: { 'Home.md': '# Home\n', ...base }, message: 'Begin' }])
  git(cwd, ['checkout', '-q', '-b', 'draft'])
  for (const [path, text] of Object.entries(change)) {
    if (text === null) git(cwd, ['rm', '-q', path])
    else writeFileSync(join(cwd, path), text)
  }
  git(cwd, ['add', '-A'])
  git(cwd, ['commit', '-qm', 'Draft'])
  return cwd
}

const silencing = JSON.stringify({ checks: { levels: { 'broken-link': 'off' }, exclude: ['**'] } })
const covering = JSON.stringify({ 'Home.md': { 'broken-link': { count: 2 } } })

test.each([
  ['levels and exclusions', { 'wiki.json': '{}' }, { 'wiki.json': silencing }],
  ['settings where there were none', {}, { 'wiki.json': silencing }],
  ['a baseline', {}, { 'wiki-baseline.json': covering }],
  ['more in a baseline', { 'wiki-baseline.json': '{}' }, { 'wiki-baseline.json': covering }],
])('a change does not silence itself by %s', async (_, base, change) => {
  const cwd = await proposed(base, { ...change, 'Home.md': broken })
  for (const args of [
    ['--since', 'main'],
    ['--range', 'main..draft'],
    ['--since', 'main', '--work'],
  ]) {
    const { status, stdout, stderr } = await wiki(['check', ...args], { cwd })
    expect(stdout.match(/broken-link/g), args.join(' ')).toHaveLength(2)
    expect(status).toBe(1)
    if (!args.includes('--work')) expect(stderr).toContain('count from the next change on')
  }
  const { stdout } = await wiki(['compare', '--since', 'main', '--markdown'], { cwd })
  expect(stdout).toContain('2 new problems')
})

test('settings and baseline of the base count, whatever the change does to them', { tags: 'long' }, async context => {
  needsGit(context)
  const run = async (cwd: string) => wiki(['check', '--since', 'main'], { cwd })
  const byLevel = await proposed({ 'wiki.json': silencing }, { 'Home.md': broken, 'wiki.json': '{}' })
  expect(await run(byLevel)).toMatchObject({ status: 0, stdout: '' })
  const byBaseline = await proposed(
    { 'wiki-baseline.json': covering },
    { 'Home.md': broken, 'wiki-baseline.json': null },
  )
  expect(await run(byBaseline)).toMatchObject({ status: 0, stdout: '' })
  const untouched = await proposed({ 'wiki-baseline.json': covering }, { 'Home.md': broken })
  expect(await run(untouched)).toMatchObject({ status: 0, stdout: '', stderr: '' })
  const mending = await proposed(
    { 'wiki-baseline.json': '<<<<<<< a\n' },
    { 'Home.md': broken, 'wiki-baseline.json': '{}' },
  )
  expect((await run(mending)).status).toBe(1)
})

test('a change whose older commit has no name is refused', async context => {
  needsGit(context)
  const cwd = await proposed({}, { 'Home.md': broken })
  for (const args of [
    ['--since', ''],
    ['--range', ''],
    ['--range', '..'],
    ['--range', '...'],
    ['--range', '..HEAD'],
    ['--since', '', '--work'],
  ])
    expect(await wiki(['check', ...args], { cwd }), args.join(' ')).toMatchObject({ status: 2, stdout: '' })
  for (const args of [
    ['--baseline', ''],
    ['-o', ''],
    ['--format', ''],
  ])
    expect((await wiki(['check', ...args], { cwd })).status, args.join(' ')).toBe(2)
  expect((await wiki(['check', '--range', 'main..'], { cwd })).status).toBe(1)
})

test('a reader that leaves early does not make a check pass', { tags: 'long' }, async context => {
  needsGit(context)
  const cwd = await proposed({}, { 'Home.md': broken, 'Old.wiki': '<tt>a</tt>\n<<<<<<< a\nb\n=======\nc\n>>>>>>> d\n' })
  for (const args of [
    ['check', '--since', 'main'],
    ['check', '--all', '--format', 'json'],
    ['lint', '--all', '--format', 'text'],
    ['lint', '--all'],
  ])
    expect((await wiki(args, { cwd, readsOnly: 0 })).status, args.join(' ')).toBe(1)
})

test('each format has its own file', async context => {
  needsGit(context)
  const cwd = await proposed({}, { 'Home.md': broken })
  for (const args of [
    ['--format', 'json=one.txt', '-o', 'one.txt'],
    ['--format', 'json=one.txt', '-o', 'two.txt'],
    ['--format', 'json=one.txt', '--format', 'sarif=./one.txt'],
  ])
    expect(await wiki(['check', '--all', ...args], { cwd }), args.join(' ')).toMatchObject({ status: 2, stdout: '' })
})

test('nothing is written through a link of the work tree, and a baseline that is not a file is refused', async context => {
  needsGit(context)
  const cwd = await proposed({}, { 'Home.md': broken })
  const outside = temporaryFolder()
  const target = join(outside, 'profile')
  writeFileSync(target, 'kept\n')
  symlinkSync(target, join(cwd, 'wiki-baseline.json'))
  symlinkSync(target, join(cwd, 'wiki.sarif'))
  symlinkSync(outside, join(cwd, 'reports'))
  const run = (...args: string[]) => wiki(['check', '--all', ...args], { cwd })
  for (const args of [
    ['--update-baseline'],
    ['--format', 'sarif=wiki.sarif'],
    ['-o', 'wiki.sarif'],
    ['-o', 'reports/profile'],
    ['-o', 'reports/new'],
    [],
  ])
    expect((await run(...args)).status, args.join(' ')).toBe(2)
  expect(readFileSync(target, 'utf8')).toBe('kept\n')
  expect((await run('--baseline', join(outside, 'none'))).stderr).toContain('does not exist')
  mkdirSync(join(outside, 'folder'))
  expect((await run('--baseline', join(outside, 'folder'))).stderr).toContain('no regular file')
  expect((await run('--baseline', '/dev/zero')).status).toBe(2)
  git(cwd, ['clean', '-fdq'])
  // A link outside is the user's own.
  symlinkSync(target, join(outside, 'mine'))
  expect((await run('-o', join(outside, 'mine'))).status).toBe(1)
  expect(readFileSync(target, 'utf8')).toContain('broken-link')
})

test('a file whose title belongs to another one is linted itself', async context => {
  needsGit(context)
  const conflict = '<<<<<<< a\nb\n=======\nc\n>>>>>>> d\n'
  const cwd = await gitWiki([{ files: { 'Tides.wiki': '<tt>a</tt>\n', 'Tides.md': conflict }, message: 'Begin' }])
  git(cwd, ['reset', '-q', '--hard'])
  expect((await wiki(['lint', 'Tides.wiki'], { cwd })).stdout).toMatch(/^Tides\.wiki:1:1: obsolete-tag/)
  expect((await wiki(['lint', 'Tides.md'], { cwd })).stdout).toMatch(/^Tides\.md:1:1: conflict-marker/)
})
