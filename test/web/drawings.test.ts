import { describe, expect, test } from 'vitest'
import { wikiActivity } from '../../src/operations/activity.ts'
import { pageSizes } from '../../src/operations/page-sizes.ts'
import { neighbourMap } from '../../src/web/drawings/neighbours.ts'
import { sizeLine } from '../../src/web/drawings/sizes.ts'
import { create, edit } from '../operations/_wiki.ts'
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
