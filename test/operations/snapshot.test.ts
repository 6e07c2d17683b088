import { afterEach, describe, expect, test, vi } from 'vitest'
import { hideRevision } from '../../src/operations/hide-revision.ts'
import { pageHistory } from '../../src/operations/page-history.ts'
import { readPage } from '../../src/operations/read-page.ts'
import { renderPage } from '../../src/operations/render-page.ts'
import { atSnapshot, type Wiki } from '../../src/operations/wiki.ts'
import { createApp } from '../../src/rest/app.ts'
import type { RevisionEntry } from '../../src/store/format/entries.ts'
import { LiveIndex } from '../../src/store/index/live-index.ts'
import { RevisionIndex } from '../../src/store/index/revision-index.ts'
import * as pages from '../../src/store/pages.ts'
import { Store } from '../../src/store/store.ts'
import { wiki as run } from '../cli/harness.ts'
import { ada, base, create, edit, newWiki, openTestWiki } from './_wiki.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

const text = 'The [[Ferry]] of {{Owner}}'

async function newScene() {
  const { wiki, directory } = await newWiki({ Ferry: text, 'Template:Owner': 'Ada' })
  await edit(wiki, 'Ferry', `${text}.`)
  return { wiki, directory, app: createApp(wiki) }
}

/** Counts reads of the branch, and look-ups of the page, from now on. */
function counts(): () => { refreshes: number; lookups: number } {
  const refreshed = vi.spyOn(LiveIndex.prototype, 'refresh')
  const found = vi.spyOn(pages, 'pageWithKey')
  return () => ({
    refreshes: refreshed.mock.calls.length,
    lookups: found.mock.calls.filter(([, key]) => key === 'Ferry').length,
  })
}

describe('one read of the branch and one page lookup are enough', () => {
  test.each(['html', 'with_html', 'bare', 'history', 'history/counts/edits', 'links/media', 'lint', ''])(
    'GET page/Ferry/%s',
    async route => {
      const { app } = await newScene()
      const counted = counts()
      const { status } = await app.request(`/v1/page/Ferry/${route}`.replace(/\/$/, ''))
      expect([status, counted()]).toEqual([200, { refreshes: 1, lookups: 1 }])
    },
  )

  test.each([
    [['page', 'get', 'Ferry']],
    [['page', 'get', 'Ferry', '--meta']],
    [['page', 'get', 'Ferry', '--html']],
    [['history', 'Ferry']],
  ])('wiki %j', async argv => {
    const { directory } = await newScene()
    const counted = counts()
    const { status } = await run(argv, { cwd: directory })
    expect([status, counted()]).toEqual([0, { refreshes: 1, lookups: 1 }])
  })
})

describe('a snapshot', () => {
  /** The results of readers about the page. */
  const told = async (wiki: Wiki) => ({
    source: (await readPage(wiki, { title: 'Ferry', base })).source,
    users: (await pageHistory(wiki, { title: 'Ferry', base })).revisions.map(({ user }) => user?.name ?? null),
  })

  test('keeps the state of the wiki, whatever is written or hidden meanwhile by any process', async () => {
    const { wiki, directory } = await newScene()
    const other = await openTestWiki(directory)
    await atSnapshot(wiki, async view => {
      const before = await told(view)
      await create(other, 'Buoy', 'x')
      await edit(other, 'Ferry', 'new text')
      await wiki.store.refresh()
      expect([await told(view), view.store.findPage('Buoy')]).toEqual([before, undefined])
      await edit(wiki, 'Ferry', 'newer text')
      await hideRevision(wiki, { id: 1, parts: ['user'], reason: '', comment: null, author: ada })
      expect(await told(view)).toEqual(before)
    })
    expect(await told(wiki)).toEqual({ source: 'newer text', users: [ada.name, ada.name, ada.name, null] })
  })

  test('continues if the index is rebuilt and the old one closed', async () => {
    const { wiki, directory } = await newScene()
    const own = await openTestWiki(directory)
    await own.store.refresh()
    await atSnapshot(own, async view => {
      const closed = vi.spyOn(RevisionIndex.prototype, 'close')
      await own.store.rebuild()
      expect(closed).toHaveBeenCalled()
      expect(await told(view)).toEqual(await told(wiki))
    })
  })

  test('is the state under which HTML is cached, even if a template changes during rendering', async () => {
    const { wiki } = await newScene()
    const read = Store.prototype.texts
    const rendered = async (view: Wiki) => (await renderPage(view, { title: 'Ferry', bodyOnly: true })).html
    vi.spyOn(Store.prototype, 'texts').mockImplementationOnce(async function* (this: Store, revisions) {
      const texts: [RevisionEntry, string][] = []
      for await (const text of read.call(this, revisions)) texts.push(text)
      await edit(wiki, 'Template:Owner', 'Bob')
      yield* texts
    })
    expect(await atSnapshot(wiki, rendered)).toContain('Ada')
    expect(await atSnapshot(wiki, rendered)).toContain('Bob')
  })

  test('is read-only', async () => {
    const { wiki } = await newScene()
    await atSnapshot(wiki, view => expect(edit(view, 'Ferry', 'x')).rejects.toThrow('not written to'))
  })
})
