import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createPage } from '../../src/operations/create-page.ts'
import { type ImportDumpRequest, importDump } from '../../src/operations/import-dump.ts'
import { initWiki } from '../../src/operations/init-wiki.ts'
import { movePage } from '../../src/operations/move-page.ts'
import { pageHistory } from '../../src/operations/page-history.ts'
import { readPage } from '../../src/operations/read-page.ts'
import { resolveRevision } from '../../src/operations/resolve-revision.ts'
import { openWiki, type Wiki } from '../../src/operations/wiki.ts'
import type { BackendName } from '../../src/store/git/open-backend.ts'
import { initRepository } from '../../src/store/repository/init.ts'
import { buildWiki, git, hasGit, needsGit, temporaryDirectory } from '../_setup.ts'
import { impatiently } from '../store/_slices.ts'
import { type DumpedPage, type DumpedSite, dumpOf, piped } from './_dump.ts'

const ada = { name: 'Ada Example', address: 'ada@example.org' }
const base = 'http://localhost/v1'
const backends = hasGit ? (['git', 'isomorphic-git'] as const) : (['isomorphic-git'] as const)

interface Made {
  readonly wiki: Wiki
  readonly directory: string
}

async function emptyWiki({ backend, bare }: { backend?: BackendName; bare?: boolean } = {}): Promise<Made> {
  const directory = await temporaryDirectory()
  initRepository(directory, { bare: bare ?? false })
  return { wiki: await openWiki({ directory, backend }), directory }
}

async function imported(pages: readonly DumpedPage[], site?: DumpedSite, backend?: BackendName) {
  const made = await emptyWiki({ ...(backend && { backend }) })
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
  test('creates a commit for each revision, in order of time', async () => {
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

test('an import writes to the folder named in wiki.json, beside other content of the repository', {
  tags: 'long',
}, async () => {
  const { wiki, directory } = await buildWiki([], { config: { name: 'Ours', root: 'wiki/pages' } })
  writeFileSync(join(directory, 'untracked.txt'), 'mine')
  await importInto(wiki, boats)
  expect(wiki.store.config).toMatchObject({ name: 'Harbour', root: 'wiki/pages' })
  expect(readFileSync(join(directory, 'wiki/pages/Talk/Boats.wiki'), 'utf8')).toBe('Hello')
  expect(readFileSync(join(directory, 'untracked.txt'), 'utf8')).toBe('mine')
})

test('an import does not overwrite a file at the path of one of its pages', async () => {
  const { wiki, directory } = await emptyWiki()
  writeFileSync(join(directory, 'Boats.wiki'), 'not committed')
  expect(await importInto(wiki, boats)).toMatchObject({ revisions: 3, leftAlone: ['Boats.wiki'] })
  expect(readFileSync(join(directory, 'Boats.wiki'), 'utf8')).toBe('not committed')
  expect(await readPage(wiki, { title: 'Boats', base })).toMatchObject({ source: 'Third' })
})

test('an import leaves a repository without faults for git, and a clean work tree', async () => {
  const { directory } = await imported(boats)
  expect(git(directory, 'fsck', '--full', '--strict')).toBe('')
  expect(git(directory, 'status', '--porcelain')).toBe('')
  expect(git(directory, 'rev-list', '--count', 'HEAD')).toBe('4')
})

test('an import keeps texts byte for byte, so sizes and differences match the other wiki', async () => {
  const { wiki } = await imported(boats)
  expect(await historyOf(wiki, 'Boats')).toMatchObject([
    { size: 5, delta: 0 },
    { size: 5, delta: null },
  ])
})

/** Paths of all files in a folder, with their bytes. */
function filesIn(folder: string): Map<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
  return new Map(
    files.map(({ parentPath, name }) => [join(parentPath, name), readFileSync(join(parentPath, name), 'latin1')]),
  )
}

const importInto = (wiki: Wiki, pages: readonly DumpedPage[], options: Partial<ImportDumpRequest> = {}) =>
  importDump(wiki, { dump: piped(dumpOf(pages)), name: 'test.xml', ...options })

describe('the settings of the site', () => {
  const german: DumpedSite = {
    name: 'Hafen',
    language: 'de',
    letters: 'case-sensitive',
    base: 'http://hafen.example/wiki/Start%C3%BCbersicht',
    namespaces: { 2: 'Benutzer', 4: 'Hafen', 5: 'Hafen Diskussion', 2300: 'Gerät' },
  }
  const pages: readonly DumpedPage[] = [
    { title: 'Benutzer:Ada', ns: 2, revisions: [{ text: 'x' }] },
    { title: 'Gerät:kran', ns: 2300, revisions: [{ text: 'y' }] },
  ]

  test('become those of an empty wiki', async () => {
    const { wiki } = await imported(pages, german)
    const { name, language, capitalization, mainPage } = wiki.store.config
    expect({ name, language, capitalization, mainPage }).toEqual({
      name: 'Hafen',
      language: 'de',
      capitalization: 'case-sensitive',
      mainPage: 'Startübersicht',
    })
    expect(Array.from(wiki.store.pages(), page => page.path)).toEqual(['User/Ada.wiki', 'Gerät/kran.wiki'])
    expect((await historyOf(wiki, 'Benutzer:Ada')).length).toBe(1)
  })

  test('become those of a new wiki, whose first page the dump may replace', async () => {
    const directory = await temporaryDirectory()
    await initWiki({ directory, author: { name: 'Ada', address: 'ada@example.org' } })
    const wiki = await openWiki({ directory })
    const result = await importInto(wiki, [{ title: 'Main Page', revisions: [{ id: 5, text: 'Ours' }] }])
    expect(result).toMatchObject({ revisions: 1, settings: true })
    expect(wiki.store.config.name).toBe('Harbour')
    expect(await historyOf(wiki, 'Main Page')).toHaveLength(2)
    expect(await readPage(wiki, { title: 'Main Page', base })).toMatchObject({ source: 'Ours' })
  })

  test('are ignored for a wiki with pages, and missing namespaces are an error', async () => {
    const { wiki } = await imported(boats)
    const request = { dump: piped(dumpOf(pages, german)) }
    await expect(importDump(wiki, request)).rejects.toMatchObject({
      code: 'wiki-import-namespaces',
      message: expect.stringContaining('Gerät'),
    })
  })

  test('are added on request to a wiki that has pages', async () => {
    const { wiki } = await imported(boats)
    await importDump(wiki, { dump: piped(dumpOf(pages, german)), settings: true })
    expect(wiki.store.config).toMatchObject({ name: 'Harbour', capitalization: 'first-letter' })
    expect(wiki.store.findPage('Gerät:Kran')).toBeDefined()
    expect(wiki.store.findPage('Benutzer:Ada')).toBeDefined()
  })
})

describe('existing pages', () => {
  const newer: readonly DumpedPage[] = [
    {
      ...(boats[0] as DumpedPage),
      revisions: [...(boats[0] as DumpedPage).revisions, { id: 40, time: '2022-01-01T00:00:00Z', text: 'Fourth' }],
    },
  ]

  test('are refused by name, and nothing is written', async () => {
    const { wiki } = await buildWiki([{ what: 'create', title: 'Talk:Boats', text: 'Ours' }])
    const tip = wiki.store.branchTip()
    await expect(importInto(wiki, boats)).rejects.toMatchObject({
      code: 'wiki-import-exists',
      message: expect.stringContaining('Talk:Boats'),
    })
    expect(wiki.store.branchTip()).toBe(tip)
  })

  test('get the revisions on top on request', async () => {
    const { wiki } = await buildWiki([{ what: 'create', title: 'Talk:Boats', text: 'Ours' }])
    await importInto(wiki, boats, { merge: true })
    expect((await historyOf(wiki, 'Talk:Boats')).map(({ user }) => user?.name)).toEqual(['Bob', 'Ada Example'])
  })

  test('from the same import are unchanged when it is repeated', async () => {
    const { wiki, result } = await imported(boats)
    expect(await importInto(wiki, boats)).toMatchObject({ revisions: 0, known: 3, commit: null })
    expect(wiki.store.branchTip()).toBe(result.commit)
  })

  test('get the new revisions of a newer dump once', async () => {
    const { wiki } = await imported(boats)
    await expect(importInto(wiki, newer)).rejects.toMatchObject({ code: 'wiki-import-exists' })
    expect(await importInto(wiki, newer, { merge: true })).toMatchObject({ revisions: 1, known: 2 })
    expect(await importInto(wiki, newer, { merge: true })).toMatchObject({ revisions: 0, known: 3, commit: null })
    expect((await historyOf(wiki, 'Boats')).map(({ id }) => id)).toEqual([4, 3, 1])
  })

  test('with another title by now are not imported a second time', async () => {
    const { wiki } = await imported(boats)
    await movePage(wiki, { from: 'Boats', to: 'Ships', redirect: false, author: ada, comment: null })
    expect(await importInto(wiki, boats)).toMatchObject({ revisions: 0, known: 3 })
    expect(wiki.store.findPage('Boats')).toBeUndefined()
  })
})

describe('titles', () => {
  test('that are invalid here are reported with their reasons, and the rest is imported', async () => {
    const { result, wiki } = await imported([
      { title: 'Good', revisions: [{ id: 1, text: 'x' }] },
      {
        title: 'Bad[title',
        id: 2,
        revisions: [
          { id: 2, text: 'x' },
          { id: 3, text: 'y' },
        ],
      },
      { title: 'good', id: 3, revisions: [{ id: 4, text: 'x' }] },
      { title: 'Talk:Talk', ns: 0, id: 4, revisions: [{ id: 5, text: 'x' }] },
      { title: 'A#b', id: 5, revisions: [{ id: 6, text: 'x' }] },
    ])
    expect(result).toMatchObject({ pages: 1, revisions: 1, skippedPages: 4, skippedRevisions: 5 })
    expect(result.skipped.map(({ title }) => title)).toEqual(['Bad[title', 'good', 'Talk:Talk', 'A#b'])
    expect(wiki.store.revisionCount).toBe(1)
  })

  test('with another spelling here are reported', async () => {
    const { result } = await imported([{ title: 'émile', revisions: [{ text: 'x' }] }])
    expect(result.renamed).toEqual([{ title: 'émile', reason: 'it is Émile here' }])
  })

  test('that a dump returns to are continued', async () => {
    const [first] = boats as readonly [DumpedPage]
    const [third, one] = first.revisions as readonly [never, never]
    const { result, wiki } = await imported([
      { ...first, id: 9, revisions: [third] },
      { title: 'Other', revisions: [{ id: 50, text: 'x' }] },
      { ...first, id: 9, revisions: [one] },
    ])
    expect(result).toMatchObject({ pages: 2, revisions: 3, skipped: [] })
    expect(await historyOf(wiki, 'Boats')).toHaveLength(2)
  })

  test('of a large wiki are distributed over folders', { tags: 'long' }, async () => {
    const many = Array.from({ length: 1001 }, (_, at) => ({ title: `Page ${at}`, revisions: [{ text: `${at}` }] }))
    const { wiki } = await emptyWiki({ bare: true })
    await importInto(wiki, many)
    expect(wiki.store.config.layout).toBe('sharded')
    expect(wiki.store.findPage('Page_77')?.path).toMatch(/^[0-9a-f]{2}\/Page_77\.wiki$/)
  })
})

describe('authors', () => {
  test('are one user per number, and distinct from others', async () => {
    const by = ['Ada#1', 'ada#2', 'Bob#0', 'bob#0', 'Ada#1', 'imported>Ada#0', '10.0.0.1', '10.0.0.2', 'host.example']
    const revisions = by.map((by, at) => ({ by, text: `${at}`, time: `2020-01-01T00:00:0${at}Z` }))
    const { wiki } = await imported([{ title: 'Boats', revisions }])
    expect((await historyOf(wiki, 'Boats')).map(({ user }) => user).reverse()).toEqual([
      { id: 1, name: 'Ada' },
      { id: 2, name: 'ada' },
      { id: 3, name: 'Bob' },
      { id: 4, name: 'bob' },
      { id: 1, name: 'Ada' },
      { id: null, name: 'imported>Ada' },
      { id: null, name: '10.0.0.1' },
      { id: null, name: '10.0.0.2' },
      { id: null, name: 'host.example' },
    ])
  })

  test('of another site are different users', async () => {
    const { wiki } = await imported([{ title: 'A', revisions: [{ text: 'x' }] }], { base: 'http://one.example/wiki/M' })
    const other = dumpOf([{ title: 'B', revisions: [{ text: 'x' }] }], { base: 'http://two.example/wiki/M' })
    await importDump(wiki, { dump: piped(other) })
    expect((await historyOf(wiki, 'B'))[0]).toMatchObject({ user: { id: 2, name: 'Ada' } })
  })
})

describe('revisions', () => {
  test('with hidden parts are kept, hidden, and reported', async () => {
    const { wiki, result } = await imported([
      {
        title: 'Boats',
        revisions: [
          { id: 1, time: '2020-01-01T00:00:00Z', text: null },
          { id: 2, time: '2020-01-02T00:00:00Z', text: null, by: null },
          { id: 3, time: '2020-01-03T00:00:00Z', text: 'x', comment: null },
          { id: 4, time: '2020-01-04T00:00:00Z', text: 'y', comment: 'shown' },
        ],
      },
    ])
    expect(result.hidden).toEqual([1, 2, 3])
    const history = Array.from(wiki.store.revisionsOf(wiki.store.findPage('Boats')!), ({ hidden, reverted }) => ({
      hidden,
      reverted,
    }))
    expect(history).toEqual([
      { hidden: [], reverted: false },
      { hidden: ['comment'], reverted: false },
      { hidden: ['text', 'user'], reverted: false },
      { hidden: ['text'], reverted: false },
    ])
  })

  test('with unchanged text are revisions as well', async () => {
    const { wiki } = await imported([
      {
        title: 'Boats',
        revisions: [
          { id: 1, time: '2020-01-01T00:00:00Z', text: 'x' },
          { id: 2, time: '2020-01-02T00:00:00Z', text: 'x', comment: 'Protected', by: 'Bob#2' },
        ],
      },
    ])
    expect(await historyOf(wiki, 'Boats')).toMatchObject([
      { id: 2, comment: 'Protected', delta: 0, user: { name: 'Bob' } },
      { id: 1 },
    ])
  })

  test('that occur twice in a dump are imported once', async () => {
    const twice = { id: 7, text: 'x' }
    const { wiki } = await imported([{ title: 'Boats', revisions: [twice, { ...twice }] }])
    expect(await historyOf(wiki, 'Boats')).toHaveLength(1)
  })

  test('are found by their original ids, whatever the state of the index', { tags: 'long' }, async () => {
    const { wiki } = await imported(boats)
    const find = async () => [30, 10, 20].map(id => wiki.store.originals(id).map(revision => revision.id))
    expect(await find()).toEqual([[3], [1], [2]])
    await importInto(wiki, [
      {
        title: 'More',
        revisions: [
          { id: 5, text: 'x' },
          { id: 10, text: 'y' },
        ],
      },
    ])
    expect(wiki.store.originals(10).map(({ id }) => id)).toEqual([1, 5])
    await wiki.store.rebuild()
    expect(wiki.store.originals(10).map(({ id }) => id)).toEqual([1, 5])
    expect(wiki.store.originals(5).map(({ id }) => id)).toEqual([4])
    expect(wiki.store.originals(11)).toEqual([])
    expect(await resolveRevision(wiki, 'mw:20')).toBe(2)
    expect(await resolveRevision(wiki, 'mw:10', { title: 'More' })).toBe(5)
    await expect(resolveRevision(wiki, 'mw:10')).rejects.toMatchObject({ code: 'wiki-bad-revision' })
    await expect(resolveRevision(wiki, 'mw:11')).rejects.toMatchObject({ code: 'rest-nonexistent-revision' })
  })

  test('produce the same index through both backends', { tags: 'long' }, async context => {
    needsGit(context)
    const { directory } = await imported([...boats, { title: 'Data', revisions: [{ id: 9, text: null, by: null }] }])
    const bases = []
    for (const backend of backends) {
      const wiki = await openWiki({ directory, backend })
      await wiki.store.rebuild()
      bases.push(readFileSync(join(wiki.store.cacheDirectory, 'base')))
      await wiki.close()
    }
    expect(bases[0]?.equals(bases[1] as Buffer)).toBe(true)
  })
})

describe('media files', () => {
  test('get their uploaders from the dump', async () => {
    const folder = await temporaryDirectory()
    mkdirSync(join(folder, 'a/ab'), { recursive: true })
    mkdirSync(join(folder, 'thumb'))
    const names = ['a/ab/boat.png', 'Quay.png', 'notes.py', 'thumb/boat.png']
    for (const name of names) writeFileSync(join(folder, name), name)
    writeFileSync(join(folder, 'Empty.png'), '')
    const { wiki, directory } = await emptyWiki()
    const pages: readonly DumpedPage[] = [
      {
        title: 'File:Boat.png',
        ns: 6,
        revisions: [
          { time: '2020-05-01T00:00:00Z', by: 'Bob#2', comment: 'Uploaded', text: 'A boat' },
          { time: '2020-06-01T00:00:00Z', by: 'Ada#1', text: 'A boat!' },
        ],
      },
    ]
    const result = await importInto(wiki, pages, { files: folder })
    expect(result).toMatchObject({ files: 2 })
    expect(result.skipped.map(({ title }) => title)).toEqual(['Empty.png', 'notes.py'])
    expect([...wiki.store.files()]).toMatchObject([
      { key: 'File:Boat.png', timestamp: '2020-05-01T00:00:00Z', user: { name: 'Bob' }, size: 13 },
      { key: 'File:Quay.png', timestamp: '2020-06-01T00:00:00Z' },
    ])
    expect(readFileSync(join(directory, 'File/Boat.png'), 'utf8')).toBe('a/ab/boat.png')
    expect(await importInto(wiki, pages, { files: folder })).toMatchObject({ files: 0, revisions: 0, commit: null })
  })
})

describe('nothing is written', () => {
  test('by a dry run, which counts as usual', async () => {
    const { wiki, directory } = await emptyWiki()
    const before = filesIn(directory)
    expect(await importInto(wiki, boats, { dryRun: true })).toMatchObject({ pages: 2, revisions: 3, commit: null })
    expect(filesIn(directory)).toEqual(before)
  })

  test.each([
    ['is broken', dumpOf(boats).replace('</mediawiki>', ''), 'wiki-bad-dump'],
    [
      'has an unknown namespace',
      dumpOf([...boats, { title: 'X:y', ns: 4000, revisions: [{ text: 'x' }] }]),
      'wiki-import-namespaces',
    ],
  ])('of a dump that %s', async (_, dump, code) => {
    const { wiki, directory } = await buildWiki([{ what: 'create', title: 'Ropes', text: 'Ours' }])
    const before = filesIn(directory)
    await expect(importDump(wiki, { dump: piped(dump), name: 'test.xml' })).rejects.toMatchObject({ code })
    expect(filesIn(directory)).toEqual(before)
  })

  test('if the branch moves meanwhile', async () => {
    const { wiki, directory } = await buildWiki([{ what: 'create', title: 'Ropes', text: 'Ours' }])
    const other = await openWiki({ directory })
    let moved: Promise<unknown> | null = null
    const dump = (async function* () {
      yield* piped(dumpOf(boats))
      moved = createPage(other, { title: 'Late', source: 'x', author: ada, comment: null })
      await moved
    })()
    await expect(importDump(wiki, { dump })).rejects.toMatchObject({ code: 'wiki-import-overtaken', status: 409 })
    await wiki.store.refresh()
    expect(Array.from(wiki.store.pages(), page => page.key)).toEqual(['Late', 'Ropes'])
    expect(readdirSync(wiki.store.cacheDirectory).filter(name => name.startsWith('import'))).toEqual([])
    await other.close()
  })

  test('while another import is in progress', async () => {
    const { wiki, directory } = await emptyWiki()
    const other = await openWiki({ directory })
    const session = await other.store.openImport()
    await expect(impatiently(() => importInto(wiki, boats))).rejects.toMatchObject({ code: 'wiki-locked' })
    session.close()
    expect(await importInto(wiki, boats)).toMatchObject({ revisions: 3 })
    await other.close()
  })

  test('in the middle of a merge', async () => {
    const { wiki, directory } = await buildWiki([{ what: 'create', title: 'Ropes', text: 'Ours' }])
    writeFileSync(join(directory, '.git/MERGE_HEAD'), `${wiki.store.branchTip()}\n`)
    await expect(importInto(wiki, boats)).rejects.toMatchObject({ code: 'wiki-repository-busy' })
  })
})
