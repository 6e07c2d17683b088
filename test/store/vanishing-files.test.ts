/** Moments in which git replaces its files: a reader that meets one reads again, and no request fails. */

import { readdirSync, renameSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { findRepository, readRef } from '../../src/store/repository/repository.ts'
import { git, needsGit } from '../_setup.ts'
import { newWiki, openTestWiki } from '../operations/_wiki.ts'

/** Called before a file is opened. */
const moments = vi.hoisted(() => ({ onOpen: null as ((path: string) => void) | null }))

vi.mock(import('node:fs'), async original => {
  const fs = await original()
  const openSync: typeof fs.openSync = (path, flags, mode) => {
    moments.onOpen?.(String(path))
    return fs.openSync(path, flags, mode)
  }
  return { ...fs, openSync, default: { ...fs.default, openSync } }
})

afterEach(() => {
  moments.onOpen = null
})

/** Runs an action once, when a file whose path matches is about to be opened. */
function once(pattern: RegExp, action: (path: string) => void): { readonly isDone: () => boolean } {
  moments.onOpen = path => {
    if (!pattern.test(path)) return
    moments.onOpen = null
    action(path)
  }
  return { isDone: () => moments.onOpen === null }
}

test('a branch that is packed between the look at its file and the reading of it', async context => {
  needsGit(context)
  const { directory } = await newWiki({ A: 'one' })
  const tip = git(directory, 'rev-parse', 'main')
  const repository = findRepository(directory)
  const moment = once(/refs\/heads\/main$/, () => git(directory, 'pack-refs', '--all', '--prune'))
  expect(readRef(repository, 'refs/heads/main')).toBe(tip)
  expect(moment.isDone()).toBe(true)
})

describe('an object whose pack is replaced by another one between the search in its index and the reading', () => {
  test.for(['git', 'isomorphic-git', undefined] as const)('is read, with %s', async (backend, context) => {
    needsGit(context)
    const { directory } = await newWiki({ A: 'one', B: 'two' })
    git(directory, 'repack', '-adq')
    const packs = join(directory, '.git', 'objects', 'pack')
    const wiki = await openTestWiki(directory, backend === undefined ? {} : { backend })
    const [a, b] = ['A', 'B'].map(name => git(directory, 'rev-parse', `HEAD:${name}.wiki`)) as [string, string]
    const moment = once(/\.pack$/, () => {
      for (const name of readdirSync(packs)) renameSync(join(packs, name), join(packs, name.replace('pack-', 'pack-f')))
      utimesSync(packs, new Date(0), new Date('2040-01-01'))
    })
    expect((await wiki.store.bytes(a)).toString()).toBe('one\n')
    expect((await wiki.store.bytes(b)).toString()).toBe('two\n')
    expect(moment.isDone()).toBe(backend !== 'git')
  })

  test('is read loose, if it was packed in that moment', async context => {
    needsGit(context)
    const { directory } = await newWiki({ A: 'one' })
    const wiki = await openTestWiki(directory, { backend: 'isomorphic-git' })
    const a = git(directory, 'rev-parse', 'HEAD:A.wiki')
    const moment = once(new RegExp(`${a.slice(2)}$`), () => git(directory, 'repack', '-adq'))
    expect((await wiki.store.bytes(a)).toString()).toBe('one\n')
    expect(moment.isDone()).toBe(true)
  })
})

test('an index of git that is replaced while it is read', async context => {
  needsGit(context)
  const { directory, wiki } = await newWiki({ A: 'one' })
  const moment = once(/\.git\/index$/, () => git(directory, 'update-index', '--force-write-index'))
  await wiki.store.refresh()
  const { commit } = await wiki.store.commit(() => ({
    changes: [{ path: 'B.wiki', content: Buffer.from('two\n') }],
    author: { name: 'Ada', address: 'ada@example.org' },
    comment: '',
    subject: 'Edit',
  }))
  expect(commit).toBe(git(directory, 'rev-parse', 'main'))
  expect(moment.isDone()).toBe(true)
  expect(git(directory, 'status', '--porcelain')).toBe('')
})
