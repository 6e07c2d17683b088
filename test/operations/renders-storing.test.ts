/** A disk that is slower than the requests: the cache of JSON values never finishes a write. */

import { expect, test, vi } from 'vitest'
import { openRenders } from '../../src/operations/rendering/renders.ts'
import { rawSource } from '../../src/operations/rendering/wiki-source.ts'
import { newWiki } from './_wiki.ts'

const writes = vi.hoisted(() => ({ begun: 0 }))
vi.mock('../../src/operations/caches/json-cache.ts', () => ({
  openJsonCache: () => ({
    get: async () => undefined,
    set: () => {
      writes.begun++
      return new Promise(() => {})
    },
  }),
}))

test('few rendered pages wait for the disk, whatever the number of requests', async () => {
  const { wiki } = await newWiki()
  const asked = { store: wiki.store, source: rawSource(wiki) }
  const renders = openRenders(wiki.store, { folder: '', workerPool: () => null, memoryBytes: 1e6 })
  const about = {
    model: 'wikitext',
    title: 'X',
    flavor: 'view',
    bodyOnly: true,
    server: '',
    page: null,
    client: '',
  } as const
  for (let at = 0; at < 50; at++) {
    const { html } = await renders.html({ ...about, content: { name: `${at}`, read: async () => `text ${at}` } }, asked)
    expect(html).toContain(`text ${at}`)
  }
  expect(writes.begun).toBe(16)
})
