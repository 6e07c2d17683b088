import { describe, expect, test, vi } from 'vitest'
import { wikiActivity } from '../../src/operations/activity.ts'
import { pageSizes } from '../../src/operations/page-sizes.ts'
import type { Wiki } from '../../src/operations/wiki.ts'
import type { RevisionEntry } from '../../src/store/format/entries.ts'
import { neighbourMap } from '../../src/web/drawings/neighbours.ts'
import { sizeLine } from '../../src/web/drawings/sizes.ts'
import { create, edit, newWiki } from '../operations/_wiki.ts'
import { attributeOf, linksOf, newSite } from './_site.ts'

const sizesOf = (...sizes: number[]) => sizes.map((size, at) => ({ id: at + 1, time: at * 1000, size }))

describe('the size of a page', () => {
  test('is a stepped line, from the first edit to the last, with nothing at the bottom', () => {
    const drawn = String(sizeLine(sizesOf(0, 50, 100), { width: 102, height: 103, label: null }))
    expect(drawn).toContain('d="M1 102H51V52H101V2H101"')
  })

  test('of many revisions keeps the maximum and the minimum', () => {
    const many = Array.from({ length: 30_000 }, (_, at) => (at === 777 ? 1_000_000 : at === 778 ? 0 : 500_000))
    const drawn = String(sizeLine(sizesOf(...many), { width: 100, height: 103, label: 'x' }))
    expect(drawn.length).toBeLessThan(20_000)
    expect([drawn.includes('V2H'), drawn.includes('V102H')]).toEqual([true, true])
  })

  test('works if clocks went backwards', () => {
    const drawn = String(
      sizeLine(
        [
          { id: 1, time: 9, size: 1 },
          { id: 2, time: 3, size: 2 },
        ],
        { width: 10, height: 10, label: null },
      ),
    )
    expect(drawn).not.toMatch(/NaN|Infinity|-\d/)
  })

  test('is shown above the history with a table, if there are enough revisions', async () => {
    const { wiki, page } = await newSite()
    const first = await create(wiki, 'Tides', 'x')
    expect((await page('/wiki/Tides?action=history')).html).not.toContain('size-history')
    await edit(wiki, 'Tides', 'x'.repeat(2000), { base: first })
    const { elements, text } = await page('/wiki/Tides?action=history')
    const drawings = elements.filter(element => attributeOf(element, 'class') === 'drawing sizes')
    expect(drawings.map(drawing => attributeOf(drawing, 'aria-label'))).toEqual([
      undefined,
      'Size over time: 1 byte at first, 2 KB now',
    ])
    expect(text).toMatch(/Month\s*Revisions\s*Bytes\s*\d{4}-\d\d\s*2\s*2,000/)
    expect((await pageSizes(wiki, { title: 'Tides' })).sizes.map(({ size }) => size)).toEqual([1, 2000])
  })
})

test.each([
  [20_000, true],
  [20_001, false],
])('the sizes of %i revisions are whole: %s', async (count, isWhole) => {
  const { wiki } = await newWiki({ Tides: 'x' })
  vi.spyOn(wiki.store, 'history').mockImplementation((_, { limit, olderThan = count + 1 }) => {
    const ids = Array.from({ length: Math.min(limit, olderThan - 1) }, (_, at) => olderThan - 1 - at)
    const revisions = ids.map(id => ({ id, timestamp: '2026-01-01T00:00:00Z', size: 1 }))
    return { revisions: revisions as unknown as RevisionEntry[], more: ids.at(-1)! > 1 }
  })
  const { sizes, isWhole: found } = await pageSizes(wiki, { title: 'Tides' })
  expect({ length: sizes.length, found }).toEqual({ length: 20_000, found: isWhole })
})

describe('the activity of a wiki', () => {
  test('counts changes, pages and people per day, and draws a square for each', async () => {
    const { wiki, page } = await newSite()
    await create(wiki, 'Tides', 'x')
    await create(wiki, 'Fog', 'y')
    const { days, isWhole } = await wikiActivity(wiki)
    expect([isWhole, days.at(-1)?.people, days.reduce((sum, { changes }) => sum + changes, 0)]).toEqual([true, 1, 2])
    const { elements, text } = await page('/wiki/Special:Statistics')
    expect(elements.filter(({ tagName }) => tagName === 'rect')).toHaveLength(days.length)
    expect(text).toContain('Changes by day')
  })

  /** The activity of changes on these days, newest first. */
  const activityOf = (days: readonly number[]) => {
    const visitChanges = async (_: unknown, visit: (change: object) => boolean) => {
      for (const day of days) if (!visit({ time: day * 86_400_000, pageId: 1, flags: null, deletion: null })) return
    }
    return wikiActivity({ store: { countChanges: () => days.length, visitChanges } } as unknown as Wiki)
  }
  const daysFrom = (day: number, count: number) => Array.from({ length: count }, () => day)

  test('ends at a year, also in a wiki of many more changes', async () => {
    const years = [...daysFrom(1000, 10), ...daysFrom(800, 20), ...daysFrom(600, 60_000)]
    const { days, isWhole } = await activityOf(years)
    expect({ isWhole, changes: days.map(({ changes }) => changes) }).toEqual({ isWhole: true, changes: [20, 10] })
  })

  test('reads on past some changes with older dates', async () => {
    const { days } = await activityOf([...daysFrom(1000, 1), ...daysFrom(9, 999), ...daysFrom(1001, 1)])
    expect(days.map(({ day }) => day)).toEqual(['1972-09-27', '1972-09-28'])
  })

  test.each([
    [50_000, true],
    [50_001, false],
  ])('is whole with %i changes in a year: %s', async (count, isWhole) => {
    expect((await activityOf(daysFrom(1000, count))).isWhole).toBe(isWhole)
  })

  test('is empty in an empty wiki', async () => {
    const { wiki, page } = await newSite()
    expect(await wikiActivity(wiki)).toEqual({ days: [], isWhole: true })
    expect((await page('/wiki/Special:Statistics')).status).toBe(200)
  })
})

describe('the neighbourhood of a page', () => {
  test('shows incoming and outgoing links, with missing pages distinguished', { tags: 'long' }, async () => {
    const site = await newSite({ Tides: '[[Fog]] [[Nowhere]] {{Say}}', Fog: '[[Tides]]', 'Template:Say': 'x' })
    const page = await site.page('/wiki/Tides?action=links')
    const drawn = page.elements.filter(
      ({ tagName, parentNode }) => tagName === 'a' && (parentNode as { tagName?: string } | null)?.tagName === 'svg',
    )
    expect(drawn.map(link => [attributeOf(link, 'href'), attributeOf(link, 'class')])).toEqual([
      ['/wiki/Fog', undefined],
      ['/wiki/Fog', undefined],
      ['/wiki/Nowhere?action=edit&redlink=1', 'new'],
      ['/wiki/Template:Say', undefined],
    ])
    expect(linksOf(page).filter(link => link === '/wiki/Template:Say')).toHaveLength(2)
  })

  test('is mirrored for right-to-left languages', () => {
    const page = { title: 'A', address: '/a', isMissing: false }
    const parts = { title: 'T', label: 'L', incoming: [page], outgoing: [] }
    const x = (isMirrored: boolean) => / x="(\d+)"[^>]*>A</.exec(String(neighbourMap({ ...parts, isMirrored })))?.[1]
    expect([x(false), x(true)]).toEqual(['230', '490'])
  })

  test('escapes and shortens titles', () => {
    const title = `<script>${'😀'.repeat(60)}`
    const drawn = String(
      neighbourMap({
        title,
        label: '"',
        incoming: [],
        outgoing: [{ title, address: '/"', isMissing: true }],
        isMirrored: false,
      }),
    )
    expect(drawn).not.toContain('<script')
    expect(drawn).toContain(`&lt;script&gt;${'😀'.repeat(21)}…`)
  })
})
