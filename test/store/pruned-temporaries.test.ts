import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { NewObjects } from '../../src/store/git/new-objects.ts'
import { git, hasGit } from '../_setup.ts'
import { newStore, write } from './_store.ts'

const prune = vi.hoisted(() => ({ name: '', left: 0 }))

/** Removes a temporary file before it is renamed, as `git gc --prune=now` does. */
vi.mock(import('../../src/files/private-files.ts'), async importOriginal => {
  const actual = await importOriginal()
  return {
    ...actual,
    renameFile: (from, to) => {
      if (prune.left > 0 && from.includes(prune.name)) {
        prune.left--
        actual.removeFile(from)
      }
      actual.renameFile(from, to)
    },
  }
})

test.skipIf(!hasGit).each([
  ['tmp_obj_', 1],
  ['tmp_pack_', 300],
])('a write is repeated if git prunes its %s files', { tags: 'long' }, async (name, count) => {
  const { store, directory } = await newStore()
  Object.assign(prune, { name, left: 2 })
  const files = Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}/A.wiki`, `text ${at}`]))
  const { commit } = await write(store, files)
  expect(prune.left).toBe(0)
  expect(git(directory, 'rev-parse', 'HEAD')).toBe(commit)
  expect(git(directory, 'fsck', '--no-dangling')).toBe('')
})

test.skipIf(!hasGit)('a pack is repeated if its temporary files are pruned while it is locked', async () => {
  const { directory } = await newStore()
  const folder = join(directory, '.git', 'objects')
  const objects = new NewObjects()
  const hash = objects.add('blob', Buffer.from('kept'))
  Object.assign(prune, { name: 'tmp_pack_', left: 3 })
  objects.keep(folder)
  expect(prune.left).toBe(0)
  expect(git(directory, 'cat-file', 'blob', hash)).toBe('kept')
})
