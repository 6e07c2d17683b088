/** A repository that is moved away while somebody writes: nothing is begun in its old place, and nothing there is reported as saved. */

import { existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { makeFolder } from '../../src/files/private-files.ts'
import { openStore } from '../../src/store/store.ts'
import { git, needsGit, temporaryDirectory } from '../_setup.ts'
import { newStore, planOf, titlesOf, write } from './_store.ts'

const texts = { 'B.wiki': 'b' }

describe('a repository that moves', () => {
  test.each(['', '.git'])('during an edit is not begun again in its old place: %j', async part => {
    const { store, directory } = await newStore()
    await write(store, { 'A.wiki': 'a' })
    const before = git(directory, 'rev-parse', 'main')
    const [from, to] = [join(directory, part), join(await temporaryDirectory(), 'moved')]
    const edit = store.commit(() => {
      renameSync(from, to)
      return planOf(texts)
    })
    await expect(edit).rejects.toThrow()
    expect(existsSync(part === '' ? directory : join(directory, '.git'))).toBe(false)
    expect(git(to, 'rev-parse', 'main')).toBe(before)
    await expect(write(store, texts)).rejects.toMatchObject({ code: 'wiki-bad-repository' })
    expect(existsSync(from)).toBe(false)
  })

  test('away and back can be edited', async () => {
    const { store, directory } = await newStore()
    await write(store, { 'A.wiki': 'a' })
    renameSync(directory, `${directory}.away`)
    await expect(write(store, texts)).rejects.toMatchObject({ code: 'wiki-bad-repository' })
    renameSync(`${directory}.away`, directory)
    await write(store, texts)
    expect(titlesOf(store)).toEqual(['A', 'B'])
  })

  test('a linked work tree that is moved or removed gets no new git directory', async context => {
    needsGit(context)
    const { store, directory } = await newStore()
    await write(store, { 'A.wiki': 'a' })
    const other = join(await temporaryDirectory(), 'other')
    git(directory, 'worktree', 'add', '--quiet', '-b', 'other', other)
    const linked = openStore({ directory: other })
    await linked.refresh()
    const edit = linked.commit(() => {
      git(directory, 'worktree', 'remove', '--force', other)
      return planOf(texts)
    })
    await expect(edit).rejects.toThrow()
    expect(existsSync(join(directory, '.git/worktrees/other'))).toBe(false)
    expect(existsSync(other)).toBe(false)
  })
})

test('folders below a folder that only others make are made if it is there', async () => {
  const { directory } = await newStore()
  const folder = join(directory, '.git', 'wiki', 'a', 'b')
  expect(makeFolder(folder)).toBe(join(directory, '.git', 'wiki'))
  expect(makeFolder(folder)).toBeUndefined()
})
