import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { CountType } from '../../src/core/revision.ts'
import { type CountHistoryQuery, countHistory } from '../../src/operations/count-history.ts'
import { hideRevision } from '../../src/operations/hide-revision.ts'
import { TitleRedirect } from '../../src/operations/resources/title-redirect.ts'
import type { Wiki } from '../../src/operations/wiki.ts'
import { oneIn } from '../_rounds.ts'
import { hasGit, needsGit } from '../_setup.ts'
import { type ImportedEdit, importedWiki } from './_import.ts'
import { ada, bob, edit, newWiki, visitor } from './_wiki.ts'

const authors = [ada, bob, visitor]

/** Ten edits, ids 1 to 10, by Ada, Bob and a visitor in turn; the 11th is of another page, the 12th a revert by Ada. */
const history: readonly ImportedEdit[] = [
  ...Array.from({ length: 10 }, (_, n) => ({
    path: 'RT_History.wiki',
    text: `text ${n}`,
    author: authors[n % 3]!,
    minor: n % 4 === 0,
    bot: n === 5,
  })),
  { path: 'Other.wiki', text: 'other' },
  { path: 'RT_History.wiki', text: 'text 8' },
]

const title = 'RT_History'

let wiki: Wiki

// Histories of that length are made with `git fast-import`.
beforeEach(needsGit)

beforeAll(async () => {
  if (!hasGit) return
  wiki = (await importedWiki(history)).wiki
})

describe('counts', () => {
  test.each<[CountType, number]>([
    ['edits', 11],
    ['editors', 3],
    ['anonymous', 3],
    ['bot', 1],
    ['minor', 3],
    ['reverted', 1],
  ])('%s: %i', async (type, count) => {
    const counted = await countHistory(wiki, { title, type })
    expect(JSON.stringify(counted)).toBe(JSON.stringify({ count, limit: false }))
  })

  test.each<[CountType, number, number, number]>([
    ['edits', 2, 7, 4],
    ['edits', 7, 2, 4],
    ['edits', 10, 12, 0],
    ['edits', 9, 12, 1],
    ['edits', 3, 3, 0],
    ['edits', 3, 4, 0],
    ['edits', 0, 0, 11],
    ['editors', 2, 5, 2],
    ['editors', 5, 2, 2],
    ['editors', 1, 12, 3],
    ['editors', 4, 4, 0],
    ['editors', 4, 5, 0],
    ['editors', 0, 0, 3],
    ['minor', 0, 0, 3],
  ])('%s between %i and %i: %i', async (type, from, to, count) => {
    expect(await countHistory(wiki, { title, type, from, to })).toEqual({ count, limit: false })
  })

  test('a single 0 counts as missing, whatever the type', async () => {
    expect(await countHistory(wiki, { title, type: 'bot', from: 0 })).toEqual({ count: 1, limit: false })
  })
})

describe('a page is counted again', () => {
  const count = async (of: Wiki, type: CountType) => (await countHistory(of, { title: 'A', type })).count

  test('after an edit, not before', async () => {
    const { wiki } = await newWiki({ A: 'one' })
    const asked = vi.spyOn(wiki.store, 'countOf')
    for (const _ of [1, 2]) expect(await count(wiki, 'anonymous')).toBe(0)
    expect(asked).toHaveBeenCalledTimes(1)
    await edit(wiki, 'A', 'two', { author: visitor })
    expect(await count(wiki, 'anonymous')).toBe(1)
    expect(asked).toHaveBeenCalledTimes(2)
  })

  test('after a revision was hidden', async () => {
    const { wiki } = await newWiki({ A: 'one' })
    await edit(wiki, 'A', 'two')
    expect(await count(wiki, 'edits')).toBe(2)
    await hideRevision(wiki, { id: 1, parts: ['text'], reason: '', comment: '', author: ada })
    expect(await count(wiki, 'edits')).toBe(1)
  })
})

describe('limits', () => {
  const edits = (count: number, edit: Partial<ImportedEdit>) =>
    Array.from({ length: count }, (_, n) => ({ path: 'RT_History.wiki', text: `${n}`, ...edit }))

  // Slow: each is an import of thousands of commits. `npm test` takes the second.
  const rows = [[1000, 1000, false] as const, [1001, 1000, true] as const, [2000, 1000, true] as const]
  test.each(oneIn(3, rows, 2))(
    '%i minor edits are counted as %i, limit %s',
    { tags: ['rounds', 'long'] },
    async (made, count, limit) => {
      const { wiki } = await importedWiki(edits(made, { minor: true }))
      expect(await countHistory(wiki, { title, type: 'minor' })).toEqual({ count, limit })
    },
  )

  test('2,001 minor edits are an error, but not if other edits are counted', { tags: 'long' }, async () => {
    const { wiki } = await importedWiki(edits(2001, { minor: true }))
    await expect(countHistory(wiki, { title, type: 'minor' })).rejects.toMatchObject({
      code: 'rest-pagehistorycount-too-many-revisions',
      status: 500,
    })
    expect(await countHistory(wiki, { title, type: 'edits' })).toEqual({ count: 2001, limit: false })
  })

  test('2,001 edits with few minor ones are not an error', { tags: 'long' }, async () => {
    const { wiki } = await importedWiki([
      ...edits(1, { minor: true }),
      ...edits(2000, { text: 'x' }).map((e, n) => ({ ...e, text: `x${n}` })),
    ])
    expect(await countHistory(wiki, { title, type: 'minor' })).toEqual({ count: 1, limit: false })
  })

  test('10,001 edits of a bot without an account are reported as 10,000', { tags: 'long' }, async () => {
    const { wiki } = await importedWiki(edits(10_001, { bot: true, author: visitor }))
    expect(await countHistory(wiki, { title, type: 'bot' })).toEqual({ count: 10_000, limit: true })
    expect(await countHistory(wiki, { title, type: 'anonymous' })).toEqual({ count: 10_000, limit: true })
    expect(await countHistory(wiki, { title, type: 'edits' })).toEqual({ count: 10_001, limit: false })
    expect(await countHistory(wiki, { title, type: 'editors' })).toEqual({ count: 1, limit: false })
  })
})

describe('errors, in their order', () => {
  test.each<[string, CountHistoryQuery, string, number]>([
    [
      'a range for a type without',
      { title: 'Missing', type: 'minor', from: 1, to: 2 },
      'rest-pagehistorycount-parameters-invalid',
      400,
    ],
    ['half a range', { title: 'Missing', type: 'edits', from: 1 }, 'rest-pagehistorycount-parameters-invalid', 400],
    ['the other half', { title, type: 'editors', to: 1 }, 'rest-pagehistorycount-parameters-invalid', 400],
    ['a range with a 0', { title, type: 'edits', from: 0, to: 2 }, 'rest-pagehistorycount-parameters-invalid', 400],
    ['a missing page', { title: 'Missing', type: 'edits', from: 98, to: 99 }, 'rest-nonexistent-title', 404],
    ['an invalid title', { title: '<', type: 'edits' }, 'rest-invalid-title', 404],
    ['an unknown revision', { title, type: 'edits', from: 1, to: 99 }, 'rest-nonexistent-revision', 404],
    ['a negative one', { title, type: 'editors', from: -1, to: 1 }, 'rest-nonexistent-revision', 404],
    ["another page's revision", { title, type: 'edits', from: 1, to: 2 }, 'rest-nonexistent-title-revision', 404],
  ])('%s', async (_, query, code, status) => {
    const { wiki } = await newWiki({ 'RT History': 'a', Other: 'b' })
    await expect(countHistory(wiki, query)).rejects.toMatchObject({ code, status })
  })

  test('a title in another spelling is redirected', async () => {
    const { wiki } = await newWiki({ 'RT History': 'a' })
    const query = { title: 'rT History', type: 'edits', exact: true } as const
    const { id, timestamp } = wiki.store.revision(1)!
    await expect(countHistory(wiki, query)).rejects.toEqual(new TitleRedirect('RT_History', { id, timestamp }))
  })
})
