/** A page of which a part waited in vain for an index is kept by nobody. */

import { expect, test, vi } from 'vitest'
import { addFile } from '../../src/operations/add-file.ts'
import { png } from '../media/_files.ts'
import { ada, newWiki } from '../operations/_wiki.ts'
import { siteOf } from './_site.ts'

const links = vi.hoisted(() => ({ areReady: false }))

vi.mock('../../src/operations/page-links.ts', async importOriginal => {
  const original = await importOriginal<typeof import('../../src/operations/page-links.ts')>()
  const incomingLinks: typeof original.incomingLinks = (...asked) =>
    links.areReady ? original.incomingLinks(...asked) : new Promise(() => {})
  return { ...original, incomingLinks }
})
// The wait for the links is over at once, unless they are there.
vi.mock('node:timers/promises', async importOriginal => ({
  ...(await importOriginal<typeof import('node:timers/promises')>()),
  setTimeout: async () => (links.areReady ? new Promise(() => {}) : null),
}))

test('a file whose links are not known yet', async () => {
  const { wiki } = await newWiki({ Tides: '[[File:Photo.png]]' })
  await addFile(wiki, { name: 'Photo.png', content: png(2, 2), comment: null, author: ada })
  const { ask } = siteOf(wiki)
  const first = await ask('/wiki/File:Photo.png')
  expect([first.status, first.headers.get('cache-control'), first.headers.get('etag')]).toEqual([200, 'no-store', null])
  expect(await first.text()).not.toContain('/wiki/Tides"')
  links.areReady = true
  const second = await ask('/wiki/File:Photo.png')
  expect(second.headers.get('cache-control')).toBe('no-cache')
  expect(await second.text()).toContain('/wiki/Tides"')
})
