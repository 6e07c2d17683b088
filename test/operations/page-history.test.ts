import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { HistorySegment } from '../../src/core/revision.ts'
import { countHistory } from '../../src/operations/count-history.ts'
import { type PageHistoryQuery, pageHistory } from '../../src/operations/page-history.ts'
import { recentChanges } from '../../src/operations/recent-changes.ts'
import { TitleRedirect } from '../../src/operations/resources/title-redirect.ts'
import { searchHistory } from '../../src/operations/search-history.ts'
import { undoCommit } from '../../src/operations/undo-commit.ts'
import { undoRevisions } from '../../src/operations/undo-revisions.ts'
import { git, gitAs, hasGit, needsGit, temporaryDirectory } from '../_setup.ts'
import { fastImport, importedWiki } from './_import.ts'
import { ada, base, create, edit, newWiki, openTestWiki, type TestWiki, visitor } from './_wiki.ts'

const title = 'RT_History'
const route = `${base}/page/RT_History/history`

let long: TestWiki

/** 25 edits with ids 1 to 25: every 4th is minor, every 5th anonymous, every 10th a bot's. */
// Histories of that length are made with `git fast-import`.
beforeEach(needsGit)

beforeAll(async () => {
  if (!hasGit) return
  long = await importedWiki(
    Array.from({ length: 25 }, (_, n) => ({
      path: 'RT_History.wiki',
      text: `${n + 1}\n`,
      minor: (n + 1) % 4 === 0,
      bot: (n + 1) % 10 === 0,
      author: (n + 1) % 5 === 0 ? visitor : ada,
    })),
  )
})

const idsOf = ({ revisions }: HistorySegment) => revisions.map(revision => revision.id)
const range = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, n) => from - n)

describe('segments', () => {
  test.each<[string, Partial<PageHistoryQuery>, number[], Partial<HistorySegment>]>([
    ['the latest 20', {}, range(25, 6), { older: `${route}?older_than=6` }],
    [
      'older ones, with more beyond',
      { olderThan: 24 },
      range(23, 4),
      { older: `${route}?older_than=4`, newer: `${route}?newer_than=23` },
    ],
    ['older ones, to the first', { olderThan: 21 }, range(20, 1), { newer: `${route}?newer_than=20` }],
    ['older than the first', { olderThan: 1 }, [], {}],
    [
      'the nearest newer ones',
      { newerThan: 2 },
      range(22, 3),
      { older: `${route}?older_than=3`, newer: `${route}?newer_than=22` },
    ],
    ['newer ones, to the latest', { newerThan: 5 }, range(25, 6), { older: `${route}?older_than=6` }],
    ['the newest but one', { newerThan: 24 }, [25], { older: `${route}?older_than=25` }],
    ['newer than the latest', { newerThan: 25 }, [], {}],
    ['another limit', { limit: 3 }, [25, 24, 23], { older: `${route}?older_than=23` }],
    ['all of them', { limit: 25 }, range(25, 1), {}],
    ['minor ones', { filter: 'minor' }, [24, 20, 16, 12, 8, 4], { latest: `${route}?filter=minor` }],
    ['anonymous ones', { filter: 'anonymous' }, [25, 20, 15, 10, 5], { latest: `${route}?filter=anonymous` }],
    ['those of bots', { filter: 'bot' }, [20, 10], { latest: `${route}?filter=bot` }],
    ['reverts', { filter: 'reverted' }, [], { latest: `${route}?filter=reverted` }],
    [
      'a filter with an anchor that does not pass it',
      { filter: 'minor', olderThan: 13 },
      [12, 8, 4],
      { latest: `${route}?filter=minor`, newer: `${route}?filter=minor&newer_than=12` },
    ],
    [
      'a filter, newer',
      { filter: 'minor', newerThan: 4, limit: 2 },
      [12, 8],
      {
        latest: `${route}?filter=minor`,
        older: `${route}?filter=minor&older_than=8`,
        newer: `${route}?filter=minor&newer_than=12`,
      },
    ],
  ])('%s', async (_, query, ids, routes) => {
    const { revisions, ...segment } = await pageHistory(long.wiki, { title, base, ...query })
    expect(revisions.map(revision => revision.id)).toEqual(ids)
    expect(segment).toEqual({ latest: route, ...routes })
  })

  test('a page with exactly 20 revisions has no older segment', async () => {
    const { wiki } = await importedWiki(Array.from({ length: 20 }, (_, n) => ({ path: 'A.wiki', text: `${n}` })))
    const segment = await pageHistory(wiki, { title: 'A', base })
    expect(segment.revisions).toHaveLength(20)
    expect(Object.keys(segment)).toEqual(['revisions', 'latest'])
  })
})

test('a revision has its fields in the documented order, with its page', async () => {
  const { wiki } = await newWiki()
  const time = new Date('2024-01-01T00:00:00Z')
  const id = await create(wiki, 'A/b c', 'ä', { author: visitor, comment: 'why', time })
  await edit(wiki, 'A/b c', 'äbc', { minor: true, time })
  const { revisions, latest } = await pageHistory(wiki, { title: 'A/b c', base })
  const page = { id: 1, key: 'A/b_c', title: 'A/b c' }
  expect(JSON.stringify(revisions)).toBe(
    JSON.stringify([
      {
        id: id + 1,
        timestamp: '2024-01-01T00:00:00Z',
        minor: true,
        size: 4,
        comment: 'edited',
        user: { id: 1, name: 'Ada Example' },
        delta: 2,
        page,
      },
      {
        id,
        timestamp: '2024-01-01T00:00:00Z',
        minor: false,
        size: 2,
        comment: 'why',
        user: { id: null, name: '203.0.113.5' },
        delta: null,
        page,
      },
    ]),
  )
  expect(latest).toBe(`${base}/page/A%2Fb_c/history`)
})

test('an edit without a summary has an empty comment', async () => {
  const { wiki } = await newWiki({ A: 'a' })
  await edit(wiki, 'A', 'b', { comment: null })
  const { revisions } = await pageHistory(wiki, { title: 'A', base })
  expect(revisions[0]?.comment).toBe('')
})

describe('errors, in their order', () => {
  test.each<[string, PageHistoryQuery, string, number]>([
    [
      'both anchors, before everything else',
      { title: '<', base, olderThan: 0, newerThan: 0 },
      'rest-pagehistory-incompatible-params',
      400,
    ],
    [
      'an id of 0, before the title',
      { title: 'Missing', base, olderThan: 0 },
      'rest-pagehistory-param-range-error',
      400,
    ],
    ['a negative id', { title, base, newerThan: -1 }, 'rest-pagehistory-param-range-error', 400],
    ['an invalid title', { title: 'RT<bad>', base }, 'rest-invalid-title', 404],
    ['a missing page', { title: 'Missing', base, olderThan: 99 }, 'rest-nonexistent-title', 404],
    ['an unknown id', { title, base, olderThan: 99 }, 'rest-nonexistent-title-revision', 404],
    ["another page's revision", { title, base, newerThan: 2 }, 'rest-nonexistent-title-revision', 404],
  ])('%s', async (_, query, code, status) => {
    const { wiki } = await newWiki({ 'RT History': 'a', Other: 'b' })
    await expect(pageHistory(wiki, query)).rejects.toMatchObject({ code, status })
  })

  test('a title in another spelling is redirected before its revision is looked up', async () => {
    const { wiki } = await newWiki({ 'RT History': 'a' })
    const query = { title: 'RT History', base, olderThan: 99, exact: true }
    await expect(pageHistory(wiki, query)).rejects.toBeInstanceOf(TitleRedirect)
  })

  test('the message names the revision and the page as requested', async () => {
    const { wiki } = await newWiki({ 'RT History': 'a' })
    await expect(pageHistory(wiki, { title, base, olderThan: 5 })).rejects.toThrow(
      'The specified revision (5) does not exist for the specified page (RT_History)',
    )
  })
})

test('a shallow clone reports a missing beginning', async () => {
  const { directory } = await importedWiki([1, 2, 3].map(n => ({ path: 'RT_History.wiki', text: `${n}` })))
  fastImport(directory, [{ path: 'New.wiki', text: 'new' }])
  const { wiki } = await importedWiki([], { shallowCloneOf: directory })
  expect(await pageHistory(wiki, { title, base })).toMatchObject({ shallow: true })
  expect(idsOf(await pageHistory(wiki, { title: 'New', base }))).toHaveLength(1)
  expect(await pageHistory(wiki, { title: 'New', base })).not.toHaveProperty('shallow')
})

test('a shallow clone undoes nothing whose predecessor it lacks', async () => {
  const { directory } = await importedWiki([1, 2, 3].map(n => ({ path: 'RT_History.wiki', text: `${n}` })))
  const { wiki } = await importedWiki([], { shallowCloneOf: directory })
  const { revisions } = await pageHistory(wiki, { title, base })
  const [latest, first] = revisions.map(({ id }) => wiki.store.revision(id)!)
  const request = { comment: '', author: ada, dryRun: true }
  const refused = { code: 'wiki-usage', hint: 'git fetch --deepen=1 origin' }
  await expect(undoRevisions(wiki, { revision: first!.id, ...request })).rejects.toMatchObject(refused)
  await expect(undoCommit(wiki, { commit: first!.commit, ...request })).rejects.toMatchObject(refused)
  expect(await undoCommit(wiki, { commit: latest!.commit, ...request })).toMatchObject({ changed: true })
  expect(await searchHistory(wiki, { q: '3', limit: 5 })).toHaveProperty('shallow')
})

test('a shallow clone with several boundaries reports it for every affected page', { tags: 'long' }, async () => {
  const directory = await temporaryDirectory()
  git(directory, 'init', '-q', '-b', 'main')
  let minute = 0
  const signed = (name: string, ...parameters: string[]): void => {
    gitAs({ name, time: `2026-01-01T00:0${minute++}:00Z` }, directory, ...parameters)
  }
  const commit = (name: string, path: string, text: string): void => {
    writeFileSync(join(directory, path), text)
    git(directory, 'add', '-A')
    signed(name, 'commit', '-q', '-m', path)
  }
  commit('Ada', 'Main.wiki', 'main')
  git(directory, 'checkout', '-q', '-b', 'side')
  commit('Ada', 'Side.wiki', 'side')
  git(directory, 'checkout', '-q', 'main')
  commit('Ada', 'RT_History.wiki', 'by Ada')
  for (const text of ['1', '2']) commit('Ben', 'Other.wiki', text)
  signed('Ada', 'merge', '-q', '--no-edit', 'side')
  commit('Ada', 'New.wiki', 'new')
  const clone = join(await temporaryDirectory(), 'clone')
  git(directory, 'clone', '-q', '--depth', '4', `file://${directory}`, clone)
  const wiki = await openTestWiki(clone)
  const { revisions, shallow } = await pageHistory(wiki, { title, base })
  expect(wiki.store.boundary.size).toBeGreaterThan(0)
  // The page is by Ada: her commit is cut off, and Ben's appears as its start.
  expect({ by: revisions[0]!.user?.name, shallow }).toEqual({ by: 'Ben', shallow: true })
  expect(await countHistory(wiki, { title, type: 'editors' })).toEqual({ count: 1, limit: false, shallow: true })
  expect(await countHistory(wiki, { title: 'New', type: 'edits' })).toEqual({ count: 1, limit: false })
  expect(await recentChanges(wiki, { base, limit: 2 })).not.toHaveProperty('shallow')
  expect(await recentChanges(wiki, { base, limit: 10 })).toHaveProperty('shallow')
})
