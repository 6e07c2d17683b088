// @module-tag long
/** Results from the counts of the index, checked against a scan of all revisions of the page. */

import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { CountType, HistoryFilter } from '../../src/core/revision.ts'
import { countHistory } from '../../src/operations/count-history.ts'
import { hideRevision } from '../../src/operations/hide-revision.ts'
import { pageHistory } from '../../src/operations/page-history.ts'
import type { Wiki } from '../../src/operations/wiki.ts'
import type { RevisionEntry } from '../../src/store/format/entries.ts'
import { firstOf } from '../_rounds.ts'
import { needsGit } from '../_setup.ts'
import { numbersFrom } from '../store/_random-history.ts'
import { fastImport, type ImportedEdit, importedWiki } from './_import.ts'
import { ada, base, bob, openTestWiki, visitor } from './_wiki.ts'

vi.setConfig({ testTimeout: 60_000 })
beforeEach(needsGit)

const titles = ['Quay', 'Reef', 'Tide']
const authors = [ada, { ...ada, name: 'Ada of the Sea' }, bob, visitor, { name: '2001:db8::1', address: '' }]
const filters: readonly HistoryFilter[] = ['anonymous', 'bot', 'minor', 'reverted']

/** Edits of a few pages by a few authors, with marks and recurring texts; some were hidden in their original wiki. */
function randomEdits(random: () => number, count: number): ImportedEdit[] {
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item
  return Array.from({ length: count }, (_, at) => {
    const trailers = [
      random() < 0.3 && 'Wiki-Minor: true',
      random() < 0.1 && 'Wiki-Bot: true',
      random() < 0.05 && 'Wiki-Revision: none',
      random() < 0.1 && `Wiki-Hidden: ${pick(['text', 'user', 'text user', 'comment'])}`,
    ].filter(Boolean)
    const text = random() < 0.2 ? `again ${at % 7}` : `text ${at}`
    const comment = ['edit', ...(trailers.length > 0 ? ['', ...trailers] : [])].join('\n')
    return { path: `${titles[Math.min(2, Math.floor(random() * 5))]}.wiki`, text, author: pick(authors), comment }
  })
}

/** A wiki built in steps: created, reopened, and updated by two increments. */
async function grownWiki(seed: number, settings: Readonly<Record<string, unknown>>): Promise<Wiki> {
  const random = numbersFrom(seed)
  const config = { path: 'wiki.json', text: JSON.stringify(settings) }
  const { wiki: first, directory } = await importedWiki([config, ...randomEdits(random, 100)])
  await first.store.refresh()
  const wiki = await openTestWiki(directory)
  for (const count of [40, 60]) {
    fastImport(directory, randomEdits(random, count))
    await wiki.store.refresh()
  }
  return wiki
}

const shows = (part: 'text' | 'user') => (revision: RevisionEntry) => !revision.hidden.includes(part)

const isFiltered: Readonly<Record<HistoryFilter, (revision: RevisionEntry) => boolean>> = {
  anonymous: revision => revision.user.id === null && shows('user')(revision),
  bot: revision => revision.bot && shows('user')(revision),
  minor: revision => revision.minor,
  reverted: revision => revision.reverted,
}

const counters: Readonly<Record<CountType, (revisions: readonly RevisionEntry[]) => number>> = {
  edits: all => all.filter(shows('text')).length,
  editors: all => new Set(all.filter(shows('user')).map(({ user }) => user.id ?? user.name)).size,
  anonymous: all => all.filter(shows('text')).filter(isFiltered.anonymous).length,
  bot: all => all.filter(shows('text')).filter(isFiltered.bot).length,
  minor: all => all.filter(shows('text')).filter(isFiltered.minor).length,
  reverted: all => all.filter(isFiltered.reverted).length,
}

describe.each([
  ['nothing is hidden and there are no bots', {}],
  ['there are bots', { bots: [bob.address, visitor.name] }],
])('if %s', (_, settings) => {
  test.each(firstOf([1, 2], 1))('counts match the revisions, seed %i', { tags: ['rounds', 'long'] }, async seed => {
    const wiki = await grownWiki(seed, settings)
    await expectCounts(wiki, numbersFrom(seed))
    await hideRevision(wiki, { id: 7, parts: ['text', 'user'], reason: '', comment: '', author: ada })
    await expectCounts(wiki, numbersFrom(seed))
  })

  test.each(firstOf([1, 2], 1))(
    'segments of histories match the revisions, seed %i',
    { tags: ['rounds', 'long'] },
    async seed => {
      const wiki = await grownWiki(seed, settings)
      await expectParts(wiki, numbersFrom(seed))
      await hideRevision(wiki, { id: 7, parts: ['user'], reason: '', comment: '', author: ada })
      await expectParts(wiki, numbersFrom(seed))
    },
  )
})

async function expectCounts(wiki: Wiki, random: () => number): Promise<void> {
  for (const title of titles) {
    const all = revisionsOf(wiki, title)
    for (const type of Object.keys(counters) as CountType[])
      expect([type, await countHistory(wiki, { title, type })]).toEqual([
        type,
        { count: counters[type](all), limit: false },
      ])
    for (const type of ['edits', 'editors'] as const)
      for (let round = 0; round < 5; round++) {
        const [a, b] = [random(), random()].map(at => Math.floor(at * all.length)).sort((a, b) => a - b) as [
          number,
          number,
        ]
        const counted = await countHistory(wiki, { title, type, from: all[a]!.id, to: all[b]!.id })
        expect([type, counted.count]).toEqual([type, counters[type](all.slice(a + 1, b))])
      }
  }
}

async function expectParts(wiki: Wiki, random: () => number): Promise<void> {
  for (const title of titles) {
    const all = revisionsOf(wiki, title)
    for (const filter of [undefined, ...filters]) {
      const isListed = filter === undefined ? () => true : isFiltered[filter]
      const ids = (revisions: readonly RevisionEntry[]) => revisions.filter(isListed).map(({ id }) => id)
      for (let round = 0; round < 5; round++) {
        const [at, limit] = [Math.floor(random() * all.length), 1 + Math.floor(random() * 30)]
        const anchor = all[at]!.id
        const part = async (query: object) =>
          (await pageHistory(wiki, { title, base, filter, limit, ...query })).revisions.map(({ id }) => id)
        expect(await part({})).toEqual(ids(all).slice(0, limit))
        expect(await part({ olderThan: anchor })).toEqual(ids(all.slice(at + 1)).slice(0, limit))
        expect(await part({ newerThan: anchor })).toEqual(ids(all.slice(0, at)).slice(-limit))
      }
    }
  }
}

function revisionsOf({ store }: Wiki, title: string): RevisionEntry[] {
  return [...store.revisionsOf(store.findPage(title)!)]
}
