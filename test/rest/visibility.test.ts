import { expect, test, vi } from 'vitest'
import { compareCommits } from '../../src/operations/compare-commits.ts'
import { hideRevision } from '../../src/operations/hide-revision.ts'
import { createApp } from '../../src/rest/app.ts'
import { Store } from '../../src/store/store.ts'
import { ada, create, edit, newWiki } from '../operations/_wiki.ts'
import { jsonOf } from './json-response.ts'

async function newApp() {
  const { wiki } = await newWiki()
  return { wiki, app: createApp(wiki) }
}

test('a comparison of commits does not reveal a hidden text', async () => {
  const { wiki } = await newWiki()
  await create(wiki, 'Ferry', 'before\n')
  await edit(wiki, 'Ferry', 'secret\n')
  const { latest: id } = wiki.store.findPage('Ferry')!
  await edit(wiki, 'Ferry', 'after\n')
  const commits = [0, 1].map(back => [...wiki.store.revisionsOf(wiki.store.findPage('Ferry')!)][back]!.commit)
  await hideRevision(wiki, { id, parts: ['text'], reason: 'asked for', comment: null, author: ada })
  for (const [from, to] of [commits, commits.toReversed()]) {
    const { changes } = await compareCommits(wiki, { from: from as string, to: to as string })
    for await (const change of changes) {
      expect(JSON.stringify(change)).not.toContain('secret')
      expect(change.patch).toContain('after')
    }
  }
})

test('a response rendered from an older state is not cached under a newer one', async () => {
  const { app, wiki } = await newApp()
  await create(wiki, 'Ferry', 'old text')
  const read = Store.prototype.text
  let release = () => {}
  const gate = new Promise<void>(resolve => {
    release = resolve
  })
  const reading = vi.spyOn(Store.prototype, 'text').mockImplementationOnce(async function (this: Store, revision) {
    const text = await read.call(this, revision)
    await gate
    return text
  })
  const slow = app.request('/v1/page/Ferry')
  await expect.poll(() => reading.mock.calls.length).toBe(1)
  await edit(wiki, 'Ferry', 'new text')
  const quick = await jsonOf(await app.request('/v1/page/Tides'))
  release()
  expect([(await jsonOf(await slow)).source, quick.errorKey]).toEqual(['old text', 'rest-nonexistent-title'])
  expect((await jsonOf(await app.request('/v1/page/Ferry'))).source).toBe('new text')
})
