/** Refs damaged by a crash, another program or by hand: an edit is made on top of the branch's commits, or refused. */

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { isWikiError, type WikiError } from '../../src/core/errors.ts'
import { openStore } from '../../src/store/store.ts'
import { git, needsGit } from '../_setup.ts'
import { newStore, write } from './_store.ts'

/** A wiki with a commit, whose branch is packed and whose index is deleted, so that only the refs show that there is a commit. */
async function newScene(): Promise<{ directory: string; tip: string; packed: string }> {
  const { store, directory } = await newStore()
  await write(store, { 'A.wiki': 'text\n' })
  store.close()
  git(directory, 'pack-refs', '--all', '--prune')
  rmSync(join(directory, '.git', 'wiki'), { recursive: true })
  return { directory, tip: git(directory, 'rev-parse', 'main'), packed: join(directory, '.git', 'packed-refs') }
}

/** Opens a store and writes; returns the error, or null. */
async function writeIn(directory: string): Promise<WikiError | null> {
  const store = openStore({ directory })
  try {
    await store.refresh()
    await write(store, { 'B.wiki': 'more\n' })
    return null
  } catch (error) {
    if (!isWikiError(error)) throw error
    return error
  } finally {
    store.close()
  }
}

describe('a damaged packed-refs does not count as a wiki without commits', () => {
  const damages: Readonly<Record<string, (text: string) => string>> = {
    'with carriage returns': text => text.replaceAll('\n', '\r\n'),
    'cut off in a line': text => text.slice(0, text.indexOf(' refs/heads/main') + 10),
    'without its last line end': text => text.replace(/ refs\/heads\/main[\s\S]*/, ' refs/heads/main'),
    'with a short hash': text => text.replace(/^[0-9a-f]{8}(?=[0-9a-f]{32} refs\/heads\/main)/m, ''),
    'with a line of something else': text => text.replace(/^.* refs\/heads\/main$/m, '<<<<<<< HEAD'),
  }
  test.for(Object.entries(damages))('%s', async ([, damage], context) => {
    needsGit(context)
    const { directory, packed } = await newScene()
    const before = readFileSync(packed, 'utf8')
    writeFileSync(packed, damage(before))
    expect(await writeIn(directory)).toMatchObject({
      code: 'wiki-bad-repository',
      message: expect.stringMatching(/line \d of packed-refs is damaged|packed-refs ends in the middle of a line/),
      hint: expect.stringMatching(/^(?:Correct it, or restore it from a copy|Its last commits).*git reflog/),
    })
    writeFileSync(packed, before)
    expect(await writeIn(directory)).toBeNull()
    expect(git(directory, 'rev-list', '--count', 'main')).toBe('2')
  })

  test('but comments, peeled tags and other refs in it are not damage', async context => {
    needsGit(context)
    const { directory } = await newScene()
    git(directory, 'tag', '-a', '-m', 'tag', 'v1')
    git(directory, 'pack-refs', '--all')
    git(directory, 'symbolic-ref', 'HEAD', 'refs/heads/other')
    expect(await writeIn(directory)).toBeNull()
    expect(git(directory, 'rev-list', '--count', 'other')).toBe('1')
  })
})

test('a deleted branch that has a log does not count as a wiki without commits', async context => {
  needsGit(context)
  const { directory, tip, packed } = await newScene()
  rmSync(packed)
  expect(await writeIn(directory)).toMatchObject({
    code: 'wiki-branch-missing',
    hint: expect.stringContaining(`git branch main ${tip}.`),
  })
  git(directory, 'branch', 'main', tip)
  expect(await writeIn(directory)).toBeNull()
})

test('a branch that git deleted has no log, so the next edit is its first', async context => {
  needsGit(context)
  const { directory } = await newScene()
  git(directory, 'update-ref', '-d', 'refs/heads/main')
  expect(await writeIn(directory)).toBeNull()
  expect(git(directory, 'rev-list', '--count', 'main')).toBe('1')
})

describe('a new branch whose name another one excludes is refused', () => {
  const names = ['main/more', 'topic'] as const
  test.for(names.flatMap(name => [false, true].map(isPacked => [name, isPacked] as const)))(
    '%s, packed: %s',
    async ([name, isPacked], context) => {
      needsGit(context)
      const { directory, tip } = await newScene()
      for (const branch of ['topic/one', 'main']) git(directory, 'update-ref', `refs/heads/${branch}`, tip)
      if (isPacked) git(directory, 'pack-refs', '--all', '--prune')
      else
        git(directory, 'update-ref', 'refs/heads/main', git(directory, 'commit-tree', '-m', 'loose', `${tip}^{tree}`))
      git(directory, 'symbolic-ref', 'HEAD', `refs/heads/${name}`)
      const before = git(directory, 'for-each-ref')
      expect(await writeIn(directory)).toMatchObject({
        code: 'wiki-cannot-write',
        message: expect.stringContaining(name === 'topic' ? 'there is a branch topic/one' : 'there is a branch main'),
        hint: expect.stringContaining('git branch -m'),
      })
      expect(git(directory, 'for-each-ref')).toBe(before)
    },
  )
})

test('empty folders at the paths of a packed branch and of its log do not prevent an edit', async context => {
  needsGit(context)
  const { directory, tip } = await newScene()
  rmSync(join(directory, '.git', 'logs', 'refs', 'heads', 'main'))
  for (const folder of ['refs/heads/main/empty/deep', 'refs/wiki/main/acknowledged', 'logs/refs/heads/main'])
    mkdirSync(join(directory, '.git', folder), { recursive: true })
  expect(await writeIn(directory)).toBeNull()
  expect(git(directory, 'rev-parse', 'main~1')).toBe(tip)
  expect(git(directory, 'rev-parse', 'refs/wiki/main/acknowledged')).toBe(git(directory, 'rev-parse', 'main'))
})

test('a folder with a file in the place of a packed branch is reported, not an internal error', async context => {
  needsGit(context)
  const { directory, tip } = await newScene()
  mkdirSync(join(directory, '.git', 'refs', 'heads', 'main'), { recursive: true })
  writeFileSync(join(directory, '.git', 'refs', 'heads', 'main', 'notes.lock'), '')
  expect(await writeIn(directory)).toMatchObject({
    code: 'wiki-cannot-write',
    message: expect.stringMatching(/ENOTEMPTY|ENOTDIR/),
  })
  expect(git(directory, 'rev-parse', 'main')).toBe(tip)
  expect(git(directory, 'status', '--porcelain')).toBe('')
})
