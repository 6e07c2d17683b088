/** Pages whose words take long to find are indexed in a worker, which cannot run here: the mock counts its calls. */

import { beforeEach, expect, test, vi } from 'vitest'
import { WikiError } from '../../src/core/errors.ts'
import { searchPages } from '../../src/operations/search-pages.ts'
import { indexInWorker } from '../../src/operations/searching/search-worker.ts'
import type { Wiki } from '../../src/operations/wiki.ts'
import { SegmentedIndex } from '../../src/search/segmented-index.ts'
import { create, edit, newWiki } from './_wiki.ts'

vi.mock('../../src/operations/searching/search-worker.ts', () => ({ indexInWorker: vi.fn(() => null) }))

const large = 'word '.repeat(60_000)
let wiki: Wiki

beforeEach(async () => {
  wiki = (await newWiki({ Small: 'a word', Large: large })).wiki
  await searchPages(wiki, { q: 'word' })
  vi.mocked(indexInWorker).mockClear()
})

const isIndexedAside = async (): Promise<boolean> => {
  expect((await searchPages(wiki, { q: 'word' })).pages.length).toBeGreaterThan(1)
  return vi.mocked(indexInWorker).mock.calls.length > 0
}

test('a small page that changes is indexed on the main thread', { tags: 'long' }, async () => {
  wiki.useSearchWorker()
  await edit(wiki, 'Small', 'another word')
  expect(await isIndexedAside()).toBe(false)
})

test('a large page that changes is indexed in a worker of a server', { tags: 'long' }, async () => {
  wiki.useSearchWorker()
  await edit(wiki, 'Large', `${large} more`)
  expect(await isIndexedAside()).toBe(true)
})

test('a large page that gets another name is indexed in a worker of a server', { tags: 'long' }, async () => {
  wiki.useSearchWorker()
  await create(wiki, 'Other', '#REDIRECT [[Large]] word')
  expect(await isIndexedAside()).toBe(true)
})

test('on the command line no worker is needed', { tags: 'long' }, async () => {
  await edit(wiki, 'Large', `${large} more`)
  expect(await isIndexedAside()).toBe(false)
})

test('what takes too much memory aside is not indexed here instead', async () => {
  const full = new WikiError('wiki-work-limit', { params: ['search index', 'it takes more than 1024 MB'] })
  const stopped = () => ({ done: Promise.reject(full), stop: async () => undefined })
  vi.mocked(indexInWorker).mockImplementationOnce(stopped).mockImplementationOnce(stopped)
  wiki.useSearchWorker()
  await edit(wiki, 'Large', `${large} more`)
  for (let round = 0; round < 2; round++)
    await expect(searchPages(wiki, { q: 'word' })).rejects.toMatchObject({ code: 'wiki-work-limit' })
  expect(await isIndexedAside()).toBe(true)
})

test('changed pages are looked for once, whether they are indexed here or in a worker', async () => {
  wiki.useSearchWorker()
  const lookups = vi.spyOn(SegmentedIndex.prototype, 'hasLinkNames')
  await create(wiki, 'New', 'a word')
  expect(await isIndexedAside()).toBe(false)
  expect(lookups).toHaveBeenCalledTimes(1)
  lookups.mockRestore()
})
