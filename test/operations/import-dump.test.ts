import { describe, expect, test } from 'vitest'
import { importDump } from '../../src/operations/import-dump.ts'
import { pageHistory } from '../../src/operations/page-history.ts'
import { readPage } from '../../src/operations/read-page.ts'
import { openWiki, type Wiki } from '../../src/operations/wiki.ts'
import { initRepository } from '../../src/store/init.ts'
import { git, hasGit, temporaryDirectory } from '../_setup.ts'
import { type DumpedPage, type DumpedSite, dumpOf, piped } from './_dump.ts'

const base = 'http://localhost/v1'
const backends = hasGit ? (['git', 'isomorphic-git'] as const) : (['isomorphic-git'] as const)

interface Made {
  readonly wiki: Wiki
  readonly directory: string
}

async function emptyWiki(backend?: 'git' | 'isomorphic-git'): Promise<Made> {
  const directory = await temporaryDirectory()
  initRepository(directory)
  return { wiki: await openWiki({ directory, backend }), directory }
}

async function imported(pages: readonly DumpedPage[], site?: DumpedSite, backend?: 'git' | 'isomorphic-git') {
  const made = await emptyWiki(backend)
  const result = await importDump(made.wiki, { dump: piped(dumpOf(pages, site)), name: 'test.xml' })
  return { ...made, result }
}

async function historyOf(wiki: Wiki, title: string) {
  return (await pageHistory(wiki, { title, base })).revisions
}

const boats: readonly DumpedPage[] = [
  {
    title: 'Boats',
    revisions: [
      { id: 30, time: '2021-03-01T10:00:00Z', text: 'Third', comment: 'c', by: '2001:DB8:0:0:0:0:0:1', minor: true },
      { id: 10, time: '2021-01-01T10:00:00Z', text: 'First', comment: 'a' },
    ],
  },
  { title: 'Talk:Boats', ns: 1, revisions: [{ id: 20, time: '2021-02-01T10:00:00Z', text: 'Hello', by: 'Bob#2' }] },
]

describe.each(backends)('an import through %s', backend => {
  test('makes a commit of every revision, in order of time', async () => {
    const { wiki, result } = await imported(boats, {}, backend)
    expect(result).toMatchObject({ pages: 2, revisions: 3, skipped: [], settings: true, leftAlone: [] })
    const [third, first] = await historyOf(wiki, 'Boats')
    expect(first).toMatchObject({
      id: 1,
      timestamp: '2021-01-01T10:00:00Z',
      comment: 'a',
      user: { id: 1, name: 'Ada' },
    })
    expect(third).toMatchObject({ id: 3, minor: true, user: { id: null, name: '2001:DB8:0:0:0:0:0:1' } })
    expect((await historyOf(wiki, 'Talk:Boats'))[0]).toMatchObject({ id: 2, comment: '', user: { name: 'Bob' } })
    expect(await readPage(wiki, { title: 'Boats', base })).toMatchObject({ source: 'Third' })
  })
})

test('an import leaves a repository that git finds nothing wrong with, and a clean work tree', async () => {
  const { directory } = await imported(boats)
  expect(git(directory, 'fsck', '--full', '--strict')).toBe('')
  expect(git(directory, 'status', '--porcelain')).toBe('')
  expect(git(directory, 'rev-list', '--count', 'HEAD')).toBe('4')
})

test('an import keeps a text byte for byte, so that sizes and differences are those of the other wiki', async () => {
  const { wiki } = await imported(boats)
  expect(await historyOf(wiki, 'Boats')).toMatchObject([
    { size: 5, delta: 0 },
    { size: 5, delta: null },
  ])
})
