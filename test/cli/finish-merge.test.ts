/** `wiki commit` in the middle of a merge of git's. */

import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { needsGit } from '../_setup.ts'
import { git, gitWiki, wiki } from './harness.ts'

const alice = 'Alice <alice@example.org>'

/** In the middle of a merge of `draft` into `main`: `A.wiki` is in conflict, `B.wiki` comes from the draft. */
async function merging(
  draft: Readonly<Record<string, string | null>> = { 'A.wiki': 'one drafted\n' },
): Promise<string> {
  const cwd = await gitWiki([{ files: { 'A.wiki': 'one\n', 'C.wiki': 'same\n' }, message: 'Begin', user: alice }])
  git(cwd, ['config', 'user.name', 'Merger'])
  git(cwd, ['config', 'user.email', 'merger@example.org'])
  const change = (files: Readonly<Record<string, string | null>>, message: string) => {
    for (const [path, text] of Object.entries(files)) {
      if (text === null) rmSync(join(cwd, path))
      else writeFileSync(join(cwd, path), text)
    }
    git(cwd, ['add', '-A'])
    git(cwd, ['commit', '-qm', message])
  }
  git(cwd, ['checkout', '-q', '-b', 'draft'])
  change({ ...draft, 'B.wiki': 'new\n' }, 'Draft')
  git(cwd, ['checkout', '-q', 'main'])
  change({ 'A.wiki': 'one of main\n' }, 'On main')
  try {
    git(cwd, ['merge', '-q', 'draft'])
  } catch {
    // Git exits with 1 on conflicts.
  }
  return cwd
}

test('a merge with resolved conflicts is recorded with both parents', async context => {
  needsGit(context)
  const cwd = await merging()
  writeFileSync(join(cwd, 'A.wiki'), 'one of main, drafted\n')
  writeFileSync(join(cwd, 'C.wiki'), 'edited beside\n')
  const { status, stderr } = await wiki(['commit', '-m', 'Both'], { cwd })
  expect(stderr).toContain('Recorded')
  expect(status).toBe(0)
  expect(git(cwd, ['log', '-1', '--format=%s %an %P'])).toMatch(/^Both Test User [0-9a-f]{40} [0-9a-f]{40}\n$/)
  expect(git(cwd, ['status', '--porcelain'])).toBe('')
  expect((await wiki(['page', 'get', 'A'], { cwd })).stdout).toBe('one of main, drafted\n')
  expect((await wiki(['page', 'get', 'B'], { cwd })).stdout).toBe('new\n')
})

test('the recorded merge is acknowledged: a reset does not lose it silently', { tags: 'long' }, async context => {
  needsGit(context)
  const cwd = await merging()
  writeFileSync(join(cwd, 'A.wiki'), 'one of main, drafted\n')
  await wiki(['commit'], { cwd })
  expect(git(cwd, ['log', '-1', '--format=%s'])).toBe("Merge branch 'draft'\n")
  git(cwd, ['reset', '-q', '--hard', 'HEAD~1'])
  expect((await wiki(['verify'], { cwd })).status).toBe(1)
})

describe('an unresolved file is refused, and nothing changes', () => {
  test.each<[string, Readonly<Record<string, string | null>>, (cwd: string) => void]>([
    ['marker lines', { 'A.wiki': 'one drafted\n' }, () => {}],
    [
      'the file as it was before',
      { 'A.wiki': 'one drafted\n' },
      cwd => writeFileSync(join(cwd, 'A.wiki'), 'one of main\n'),
    ],
    ['deleted by the other', { 'A.wiki': null }, () => {}],
    ['an empty file', { 'A.wiki': 'one drafted\n' }, cwd => writeFileSync(join(cwd, 'A.wiki'), '\n')],
  ])('%s', async (_, draft, edit) => {
    const cwd = await merging(draft)
    edit(cwd)
    const before = git(cwd, ['status', '--porcelain=v2'])
    const { status, stderr } = await wiki(['commit', '-m', 'x'], { cwd })
    expect(status).toBeGreaterThanOrEqual(2)
    expect(stderr).toContain('hint:')
    expect(git(cwd, ['status', '--porcelain=v2'])).toBe(before)
    expect(git(cwd, ['rev-parse', '--verify', 'MERGE_HEAD'])).toMatch(/^[0-9a-f]{40}/)
  })

  test.skipIf(process.platform === 'win32')('by a hook', async context => {
    needsGit(context)
    const cwd = await merging()
    writeFileSync(join(cwd, 'A.wiki'), 'one of main, drafted\n')
    mkdirSync(join(cwd, '.git/hooks'), { recursive: true })
    writeFileSync(join(cwd, '.git/hooks/pre-merge-commit'), '#!/bin/sh\necho no >&2; exit 1\n', { mode: 0o755 })
    writeFileSync(join(cwd, '.git/hooks/pre-commit'), '#!/bin/sh\necho not today >&2; exit 1\n', { mode: 0o755 })
    const refused = await wiki(['commit', '-m', 'x'], { cwd })
    expect(refused).toMatchObject({ status: 3, stderr: expect.stringContaining('not today') })
    expect((await wiki(['commit', '-m', 'x', '--no-verify'], { cwd })).status).toBe(0)
  })
})

test('a file resolved by git add is accepted, whatever its content', { tags: 'long' }, async context => {
  needsGit(context)
  const cwd = await merging()
  writeFileSync(join(cwd, 'A.wiki'), 'one of main\n')
  git(cwd, ['add', 'A.wiki'])
  expect((await wiki(['commit'], { cwd })).status).toBe(0)
})

test('titles are refused, because git records a merge as a whole', async context => {
  needsGit(context)
  const cwd = await merging()
  expect(await wiki(['commit', 'A'], { cwd })).toMatchObject({
    status: 3,
    stderr: expect.stringContaining('as a whole'),
  })
})

test('marker lines are refused outside of a merge as well, unless they are intended', async () => {
  const cwd = await gitWiki([{ files: { 'A.wiki': 'one\n' }, message: 'Begin', user: alice }])
  writeFileSync(join(cwd, 'A.wiki'), 'one\n<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n')
  expect(await wiki(['commit'], { cwd })).toMatchObject({
    status: 3,
    stderr: expect.stringContaining('A.wiki, line 2'),
  })
  expect((await wiki(['commit', '--allow-markers'], { cwd })).status).toBe(0)
})
