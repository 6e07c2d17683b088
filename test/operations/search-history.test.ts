import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { deletePages } from '../../src/operations/delete-page.ts'
import { searchHistory } from '../../src/operations/search-history.ts'
import type { Wiki } from '../../src/operations/wiki.ts'
import { loosePath } from '../../src/store/git/objects.ts'
import { ada, create, edit, newWiki, openTestWiki } from './_wiki.ts'

let wiki: Wiki
let revisions: number[]

beforeAll(async () => {
  wiki = (await newWiki()).wiki
  revisions = [
    await create(wiki, 'Tides', 'High tide.\nLow tide.'),
    await edit(wiki, 'Tides', 'High tide.\nNo more.'),
    await edit(wiki, 'Tides', 'High tide.\nLow tide, LOW TIDE.'),
    await create(wiki, 'Gone', 'The low tide of old.'),
  ]
  await deletePages(wiki, { titles: ['Gone'], comment: null, author: ada })
})

const removeText = ({ store }: Wiki, directory: string, revision: number): void =>
  rmSync(loosePath(join(directory, '.git/objects'), store.revision(revision)!.blob))

const found = async (q: string, limit = 50) => (await searchHistory(wiki, { q, limit })).revisions

describe('the search of the history', () => {
  test('reports which revisions added and removed a text, latest first', async () => {
    const changes = (await found('low tide')).map(({ id, change, line }) => [revisions.indexOf(id), change, line])
    expect(changes).toEqual([
      [3, null, 'The low tide of old.'],
      [3, 1, 'The low tide of old.'],
      [2, 2, 'Low tide, LOW TIDE.'],
      [1, -1, 'Low tide.'],
      [0, 1, 'Low tide.'],
    ])
  })

  test('names the pages, the deleted one too', async () => {
    expect((await found('low tide')).map(({ page }) => page.title)).toEqual(['Gone', 'Gone', 'Tides', 'Tides', 'Tides'])
  })

  test('finds patterns between slashes', async () => {
    expect((await found('/LOW [A-Z]+/')).map(({ change }) => change)).toEqual([1])
    expect((await found('/no mo[r]e/i')).map(({ change }) => change)).toEqual([-1, 1])
  })

  test('treats special characters of patterns in a text literally', async () => {
    expect(await found('High.tide')).toEqual([])
    expect(await found('tide.\nno')).toHaveLength(2)
  })

  test('obeys the limit, and reports the total', async () => {
    expect(await searchHistory(wiki, { q: 'low tide', limit: 2 })).toMatchObject({ total: 5, revisions: { length: 2 } })
  })

  test('reports its progress', async () => {
    const told: number[] = []
    await searchHistory(wiki, { q: 'x', limit: 1, progress: (done, total) => told.push(done, total) })
    expect(told).toEqual([1, 4, 2, 4, 3, 4, 4, 4])
  })

  test('skips a text that this clone lacks, and reports how many', async () => {
    const { wiki, directory } = await newWiki({ Tides: 'High tide.' })
    const lost = await edit(wiki, 'Tides', 'Low tide.')
    const latest = await edit(wiki, 'Tides', 'High tide, low tide.')
    // A wiki that is open writes what it has just written again, if it goes.
    await wiki.close()
    removeText(wiki, directory, lost)
    const reopened = await openTestWiki(directory)
    const { revisions, total, unread } = await searchHistory(reopened, { q: 'low', limit: 50 })
    expect({ total, unread }).toEqual({ total: 1, unread: 1 })
    expect(revisions).toMatchObject([{ id: latest, change: 1, line: 'High tide, low tide.' }])
    expect((await searchHistory(reopened, { q: 'high', limit: 50 })).revisions.map(({ change }) => change)).toEqual([1])
  })

  test.each(['/(/', '/(?=a)/', '/\\1/'])('refuses %s', async q => {
    await expect(found(q)).rejects.toMatchObject({ code: 'wiki-bad-pattern' })
  })

  // In time that is not linear it would take longer than the limit of a test.
  test('takes patterns that are slow elsewhere', async () => {
    const { wiki } = await newWiki({ A: 'a'.repeat(20_000) })
    expect((await searchHistory(wiki, { q: '/(a*)*(a|aa)+b/', limit: 1 })).total).toBe(0)
  })
})
