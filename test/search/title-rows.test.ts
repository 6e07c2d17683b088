import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SegmentedIndex } from '../../src/search/segmented-index.ts'
import { documentOf } from './_contract.ts'

/** A number of links to a page: few have many. */
const linksTo = (page: number): number => ((page * 7919) % 101 < 3 ? page % 40 : 0)

test('among thousands of titles with one prefix the most linked come first, then by title', { tags: 'long' }, () => {
  const count = 5_000
  const titleOf = (page: number) => `${['Alpha', 'Alto', 'Beta'][page % 3]} ${(page * 31) % count} ${page}`
  const links = new Map<number, string[]>()
  for (let page = 0; page < count; page++) {
    for (let link = 0; link < linksTo(page); link++) {
      const from = (page * 13 + link * 17) % count
      links.set(from, [...(links.get(from) ?? []), `[[${titleOf(page)}]]`])
    }
  }
  const pages = Array.from({ length: count }, (_, page) =>
    documentOf(page + 1, titleOf(page), (links.get(page) ?? []).join(' ')),
  )
  const index = SegmentedIndex.open(null)
  index.update(pages)
  const counted = pages.map(({ id, title }) => ({ id, title: title.toLowerCase(), links: index.incoming(title) }))
  counted.sort((a, b) => b.links - a.links || (a.title < b.title ? -1 : 1))
  fc.assert(
    fc.property(
      fc.constantFrom('a', 'al', 'alpha', 'alpha 1', 'b', 'beta 12', 'alto 4', '3', '12'),
      fc.integer({ min: 1, max: 60 }),
      (typed, limit) => {
        const begun = counted.filter(({ title }) => title.startsWith(typed))
        const inside = counted.filter(({ title }) => !title.startsWith(typed) && title.includes(` ${typed}`))
        const found = index.titles({ typed, namespaces: [0], limit }).map(({ id }) => id)
        expect(found.slice(0, begun.length)).toEqual(begun.slice(0, limit).map(({ id }) => id))
        // Equal ones are ordered by the words with the prefix.
        const expected = [...begun, ...inside].slice(0, limit)
        const linksOf = (id: number) => counted.find(page => page.id === id)!.links
        expect(found.map(linksOf)).toEqual(expected.map(({ links }) => links))
      },
    ),
    { numRuns: 60 },
  )
  index.update([documentOf(count + 1, 'Alpha new', ''), documentOf(count + 2, 'X', '[[Alpha new]]')], [counted[0]!.id])
  const ids = index.titles({ typed: 'alpha', namespaces: [0], limit: 9_000 }).map(({ id }) => id)
  expect(ids).toContain(count + 1)
  expect(ids).not.toContain(counted[0]!.id)
})
