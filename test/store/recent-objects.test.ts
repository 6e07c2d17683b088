import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loosePath } from '../../src/store/git/objects.ts'
import { openBackend } from '../../src/store/git/open-backend.ts'
import { recentObjects } from '../../src/store/git/recent-objects.ts'
import { findRepository } from '../../src/store/repository/repository.ts'
import { git, hasGit } from '../_setup.ts'
import { newWiki } from '../operations/_wiki.ts'

const content = (bytes: number) => Buffer.from(new ArrayBuffer(bytes))

test('trees and commits are remembered, texts are not', () => {
  const recent = recentObjects(10_000)
  for (const type of ['tree', 'commit', 'blob', 'tag'] as const) recent.set(type, { type, content: content(10) })
  expect(['tree', 'commit', 'blob', 'tag'].map(type => recent.get(type)?.type)).toEqual([
    'tree',
    'commit',
    undefined,
    undefined,
  ])
  expect(recent.set('none', null)).toBeNull()
})

test('the whole memory behind an object counts', () => {
  const recent = recentObjects(10_000)
  recent.set('view', { type: 'tree', content: content(6000).subarray(0, 10) })
  expect(recent.get('view')).toBeUndefined()
  for (let at = 0; at < 10; at++) recent.set(`${at}`, { type: 'tree', content: content(3000) })
  expect(Array.from({ length: 10 }, (_, at) => recent.get(`${at}`) !== undefined).filter(Boolean)).toHaveLength(3)
  expect(recent.get('9')).toBeDefined()
})

test.skipIf(!hasGit)('a tree that was read need not be on disk any more, a text must be', async () => {
  const { directory } = await newWiki({ A: 'one' })
  const backend = openBackend(findRepository(directory))
  const [tree, blob] = ['HEAD^{tree}', 'HEAD:A.wiki'].map(what => git(directory, 'rev-parse', what).trim())
  const before = await backend.read(tree!)
  await backend.read(blob!)
  for (const hash of [tree!, blob!]) rmSync(loosePath(join(directory, '.git/objects'), hash))
  expect(await backend.read(tree!)).toEqual(before)
  await expect(backend.read(blob!)).rejects.toMatchObject({ code: 'wiki-objects-missing' })
  backend.close()
})
