import { describe, expect, test } from 'vitest'
import { deletePages } from '../../src/operations/delete-page.ts'
import { hideRevision } from '../../src/operations/hide-revision.ts'
import { movePage } from '../../src/operations/move-page.ts'
import { pageHistory } from '../../src/operations/page-history.ts'
import { type RecentChangesQuery, recentChanges } from '../../src/operations/recent-changes.ts'
import { restorePage } from '../../src/operations/restore-page.ts'
import type { Wiki } from '../../src/operations/wiki.ts'
import { fromNow } from '../_times.ts'
import { ada, base, bob, create, edit, newWiki, openTestWiki } from './_wiki.ts'

/** Two pages, edited alternately; the second is deleted, then the first edited again. */
async function busyWiki() {
  const { wiki, directory } = await newWiki({ Pier: 'a', Quay: 'b' })
  await edit(wiki, 'Pier', 'a c', { author: bob, minor: true })
  await deletePages(wiki, { titles: ['Quay'], author: bob, comment: 'gone' })
  await edit(wiki, 'Pier', 'a c d')
  return { wiki, directory }
}

async function listed(wiki: Wiki, query: Partial<RecentChangesQuery> = {}): Promise<string[]> {
  const { changes } = await recentChanges(wiki, { base, ...query })
  return changes.map(({ type, id, page }) => `${type} ${id ?? '-'} ${page.title}`)
}

const all = ['edit 4 Pier', 'delete - Quay', 'edit 3 Pier', 'new 2 Quay', 'new 1 Pier']

async function commitAt(wiki: Wiki, text: string, time: Date): Promise<void> {
  const changes = [{ path: 'A.wiki', content: Buffer.from(text) }]
  await wiki.store.commit(() => ({ changes, author: ada, comment: '', subject: 'By hand', time }))
}

/** Follows the routes of a list to its end, and returns all its entries. */
async function follow(wiki: Wiki, query: Partial<RecentChangesQuery>): Promise<string[]> {
  const found: string[] = []
  for (let olderThan: string | undefined, turn = 0; turn < 20; turn++) {
    const list = await recentChanges(wiki, { base, ...query, olderThan })
    found.push(...list.changes.map(({ type, id, page }) => `${type} ${id ?? '-'} ${page.title}`))
    if (list.older === undefined) return found
    olderThan = new URL(list.older).searchParams.get('older_than') ?? undefined
  }
  throw new Error('the list has no end')
}

describe('recentChanges', () => {
  test('lists revisions and deletions of all pages, newest first', async () => {
    const { wiki } = await busyWiki()
    expect(await listed(wiki)).toEqual(all)
    const [latest, deletion] = (await recentChanges(wiki, { base })).changes
    expect(latest).toMatchObject({ previous: 3, size: 5, delta: 2, user: { name: ada.name }, bot: false })
    expect(deletion).toMatchObject({ id: null, previous: 2, comment: 'gone', user: { name: bob.name }, size: 0 })
  })

  test.each([1, 2, 3, 4, 5, 6])('pages through all of them, %i at a time', async limit => {
    const { wiki } = await busyWiki()
    expect(await follow(wiki, { limit })).toEqual(all)
  })

  test('ends a list after too many examined changes, and continues from there', async () => {
    const { wiki } = await busyWiki()
    expect(await listed(wiki, { lookAt: 2, prefix: 'quay' })).toEqual(['delete - Quay'])
    expect(await follow(wiki, { lookAt: 2, prefix: 'quay' })).toEqual(['delete - Quay', 'new 2 Quay'])
  })

  test('returns the changes after a change, the nearest ones first', async () => {
    const { wiki } = await busyWiki()
    expect(await listed(wiki, { newerThan: '2', limit: 2 })).toEqual(['delete - Quay', 'edit 3 Pier'])
    expect(await listed(wiki, { newerThan: '3-2' })).toEqual(['edit 4 Pier'])
    const { newer, changes } = await recentChanges(wiki, { base, newerThan: '4' })
    expect(changes).toEqual([])
    expect(newer).toBe(`${base}/changes?newer_than=4`)
    await create(wiki, 'Ferry', 'c')
    expect(await listed(wiki, { newerThan: '4' })).toEqual(['new 5 Ferry'])
  })

  test('names the newest change as the place to go on from where nothing passes the filter', async () => {
    const { wiki } = await busyWiki()
    const { newer, changes } = await recentChanges(wiki, { base, user: 'Nobody' })
    expect({ changes, newer }).toEqual({ changes: [], newer: `${base}/changes?newer_than=4` })
    expect(await recentChanges(wiki, { base, user: 'Nobody', olderThan: '2' })).not.toHaveProperty('newer')
  })

  test('continues after a restored deletion', async () => {
    const { wiki } = await busyWiki()
    await restorePage(wiki, { title: 'Quay', author: ada, comment: '' })
    expect(await listed(wiki, { olderThan: '3-2' })).toEqual(['edit 3 Pier', 'new 2 Quay', 'new 1 Pier'])
  })

  test.each<[string, Partial<RecentChangesQuery>, string[]]>([
    ['a part of the name', { user: 'BOB' }, ['delete - Quay', 'edit 3 Pier']],
    ['a title', { title: 'quay' }, ['delete - Quay', 'new 2 Quay']],
    ['a beginning', { prefix: 'pi' }, ['edit 4 Pier', 'edit 3 Pier', 'new 1 Pier']],
    ['a namespace', { namespace: 1 }, []],
    ['minor edits', { minor: true }, ['edit 3 Pier']],
    ['no minor edits', { minor: false, limit: 2 }, ['edit 4 Pier', 'delete - Quay']],
    ['bots', { bot: true }, []],
    ['a future', { since: fromNow(3600).getTime() }, []],
    ['a past', { until: Date.parse('2000-01-01') }, []],
  ])('filters by %s', async (_, query, expected) => {
    const { wiki } = await busyWiki()
    expect(await listed(wiki, query)).toEqual(expected)
  })

  test('filters by times that are not ascending', async () => {
    const { wiki } = await newWiki()
    for (const [day, text] of [
      ['03', 'x'],
      ['01', 'y'],
      ['02', 'z'],
    ])
      await commitAt(wiki, text as string, new Date(`2026-01-${day}T12:00:00Z`))
    const [since, until] = [Date.parse('2026-01-02'), Date.parse('2026-01-02T23:59:59Z')]
    expect(await listed(wiki, { since })).toEqual(['edit 3 A', 'new 1 A'])
    expect(await listed(wiki, { since, until })).toEqual(['edit 3 A'])
  })

  test('lists a page under its current title', async () => {
    const { wiki } = await busyWiki()
    await movePage(wiki, { from: 'Pier', to: 'Jetty', author: ada, comment: '', redirect: false })
    expect(await listed(wiki, { title: 'Jetty' })).toEqual([
      'edit 5 Jetty',
      'edit 4 Jetty',
      'edit 3 Jetty',
      'new 1 Jetty',
    ])
  })

  test('agrees with the history of each page', async () => {
    const { wiki } = await busyWiki()
    const { revisions } = await pageHistory(wiki, { title: 'Pier', base })
    const { changes } = await recentChanges(wiki, { base, title: 'Pier' })
    expect(changes).toMatchObject(revisions)
  })

  test('shows nothing of a hidden user, and does not match the name', async () => {
    const { wiki } = await busyWiki()
    await hideRevision(wiki, { id: 3, parts: ['user', 'comment'], reason: '', author: ada, comment: '' })
    const { changes } = await recentChanges(wiki, { base })
    expect(changes.find(({ id }) => id === 3)).toMatchObject({ user: null, comment: null })
    expect(await listed(wiki, { user: 'bob' })).toEqual(['delete - Quay'])
  })

  test('gives the same result from the stored index', async () => {
    const { wiki, directory } = await busyWiki()
    await wiki.store.rebuild()
    expect(await listed(await openTestWiki(directory))).toEqual(all)
  })

  test.each<[string, Partial<RecentChangesQuery>, string]>([
    ['both ends', { olderThan: '1', newerThan: '1' }, 'rest-pagehistory-incompatible-params'],
    ['a revision that is not there', { olderThan: '99' }, 'rest-nonexistent-revision'],
    ['an invalid cursor', { newerThan: 'x' }, 'rest-nonexistent-revision'],
    ['a title that is not there', { title: 'None' }, 'rest-nonexistent-title'],
  ])('refuses %s', async (_, query, code) => {
    const { wiki } = await busyWiki()
    await expect(recentChanges(wiki, { base, ...query })).rejects.toMatchObject({ code })
  })
})
