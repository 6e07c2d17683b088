// @module-tag long
/**
 * Every page, in light and dark, three widths, both directions, with script and without: axe finds nothing outside of the
 * wiki's own texts, nothing is wider than the window, there is one h1, the policy blocks nothing, and nothing is requested from
 * another host.
 */

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isFull, rounds } from '../_rounds.ts'
import { hasBrowser, startBrowser, whereBrowser } from './_chromium.ts'
import { pagePaths, served, tidesWiki } from './_pages.ts'
import { pairCover } from './_pairs.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const widths = [1280, 375, 320]
const schemes = ['light', 'dark'] as const
const languages = ['en', 'ar'] as const

/** One way to see a page. */
interface Sight {
  readonly language: (typeof languages)[number]
  readonly hasScript: boolean
  readonly scheme: (typeof schemes)[number]
  readonly width: number
}

const everySight: readonly Sight[] = languages.flatMap(language =>
  [true, false].flatMap(hasScript =>
    schemes.flatMap(scheme => widths.map(width => ({ language, hasScript, scheme, width }))),
  ),
)
const cover = pairCover(everySight)

/** Runs in a page: lists its problems at this size. */
const faultsHere = `(() => {
  const faults = []
  const root = document.documentElement
  if (root.scrollWidth > root.clientWidth) {
    const wide = [...document.querySelectorAll('body *')].filter(one => one.getBoundingClientRect().right > root.clientWidth + 1)
    faults.push('it is ' + root.scrollWidth + ' wide: ' + wide.slice(0, 3).map(one => one.tagName + '.' + one.className).join(', '))
  }
  if (document.querySelectorAll('h1').length !== 1) faults.push('h1')
  return faults
})()`

/** Rules and the elements that break them. The keyboard scrolls the editor's text, not the box around it. */
async function violations(page: Page): Promise<string[]> {
  const { violations: found } = await page.evaluate<AxeResults>(
    'axe.run({ exclude: [".content"] }, { resultTypes: ["violations"] })',
  )
  const faults = found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`))
  return faults.filter(fault => !/^scrollable-region-focusable: .*cm-scroller/.test(fault))
}

interface PlannedPage {
  readonly path: string
  readonly sights: readonly Sight[]
  /** True if axe runs on it. */
  readonly isAudited: boolean
}

/** Pages that are open at the same time. */
const tabs = 3

/**
 * Pages and their variants. `npm test` opens each page once, with variants that together contain every pair of values, and runs
 * axe on every second; the full run opens each page in every sixth variant, always with axe, and in every second one if
 * `WIKI_PROOF` is set. Slow: a page takes 0.5 s of CPU, axe as much.
 */
const plan: readonly PlannedPage[] = pagePaths.map((path, at) => ({
  path,
  sights: isFull
    ? everySight.filter((_, sight) => (sight + at) % rounds(2, 6, 2) === 0)
    : [cover[Math.floor(at / 2) % cover.length]!],
  isAudited: isFull || at % 2 === 0,
}))

test('the plan has every page, and every pair of values', () => {
  expect(plan.map(({ path }) => path)).toEqual(pagePaths)
  const seen = new Set(plan.filter(({ isAudited }) => isAudited).flatMap(({ sights }) => sights))
  for (const { language, hasScript, scheme, width } of everySight) {
    const shared = [...seen].map(sight => [
      Number(sight.language === language),
      Number(sight.hasScript === hasScript),
      Number(sight.scheme === scheme),
      Number(sight.width === width),
    ])
    for (const [one, other] of [
      [0, 1],
      [0, 2],
      [0, 3],
      [1, 2],
      [1, 3],
      [2, 3],
    ] as const)
      expect(shared.some(values => values[one]! + values[other]! === 2)).toBe(true)
  }
})

describe.skipIf(!hasBrowser)(`every page (${whereBrowser})`, () => {
  let context: BrowserContext

  beforeAll(async () => {
    context = await startBrowser()
  })
  afterAll(() => context?.close())

  test.each([
    ['en', true],
    ['en', false],
    ['ar', true],
    ['ar', false],
  ])('in %s, with script: %s', { tags: ['rounds', 'long'], timeout: 1_200_000 }, async (language, hasScript) => {
    const { origin, close } = await served(await tidesWiki(language))
    const faults: string[] = []
    const isHere = (sight: Sight): boolean => sight.language === language && sight.hasScript === hasScript
    const here = plan.map(planned => ({ ...planned, sights: planned.sights.filter(isHere) }))
    const waiting = here.filter(({ sights }) => sights.length > 0).values()
    const inTab = async (): Promise<void> => {
      const page = await openTab(context, { origin, hasScript, faults })
      for (const planned of waiting) faults.push(...(await faultsOf(page, origin, planned)))
      await page.close()
    }
    // Most of the time is waiting until a page sends no more requests.
    await Promise.all(Array.from({ length: tabs }, inTab))
    await close()
    expect(faults).toEqual([])
  })
})

interface TabOptions {
  readonly origin: string
  readonly hasScript: boolean
  /** Receives errors of pages and requests to other hosts. */
  readonly faults: string[]
}

async function openTab(context: BrowserContext, { origin, hasScript, faults }: TabOptions): Promise<Page> {
  const page = await context.newPage()
  page.on('console', message => {
    const isExpected = /Failed to load resource/.test(message.text())
    if (message.type() === 'error' && !isExpected) faults.push(`${page.url()}: ${message.text()}`)
  })
  page.on('pageerror', error => faults.push(`${page.url()}: ${error.message}`))
  page.on('request', request => {
    if (!request.url().startsWith(origin) && !request.url().startsWith('data:'))
      faults.push(`${page.url()}: a request for ${request.url()}`)
  })
  if (!hasScript) await page.route('**/*.js', route => route.abort())
  await page.emulateMedia({ reducedMotion: 'reduce' })
  return page
}

/** Opens a page in all widths and in some appearances; returns its problems. */
async function faultsOf(page: Page, origin: string, { path, sights, isAudited }: PlannedPage): Promise<string[]> {
  const faults: string[] = []
  const note = (found: readonly string[], sight: string): void =>
    void faults.push(...found.map(fault => `${path}, ${sight}: ${fault}`))
  await page.setViewportSize({ width: sights[0]!.width, height: 800 })
  await page.goto(origin + path)
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 })
    note(await page.evaluate<string[]>(faultsHere), `${width} wide`)
  }
  if (!isAudited) return faults
  await page.evaluate(axe)
  for (const { scheme, width } of sights) {
    await page.emulateMedia({ colorScheme: scheme })
    await page.setViewportSize({ width, height: 800 })
    note(await violations(page), `${scheme}, ${width} wide`)
  }
  return faults
}
