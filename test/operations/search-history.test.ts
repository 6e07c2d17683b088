import { beforeAll, describe, expect, test } from 'vitest'
import { deletePages } from '../../src/operations/delete-page.ts'
import { searchHistory } from '../../src/operations/search-history.ts'
import type { Wiki } from '../../src/operations/wiki.ts'
import { ada, create, edit, newWiki } from './_wiki.ts'

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

  test.each(['/(/', '/(?=a)/', '/\\1/'])('refuses %s', async q => {
    await expect(found(q)).rejects.toMatchObject({ code: 'wiki-bad-pattern' })
  })

  // In time that is not linear it would take longer than the limit of a test.
  test('takes patterns that are slow elsewhere', async () => {
    const { wiki } = await newWiki({ A: 'a'.repeat(20_000) })
    expect((await searchHistory(wiki, { q: '/(a*)*(a|aa)+b/', limit: 1 })).total).toBe(0)
  })
})
