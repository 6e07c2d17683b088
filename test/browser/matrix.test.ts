/**
 * Every page, in light and dark, three widths, both directions, with script and without: axe finds nothing outside of the wiki's own texts,
 * nothing is wider than the window, there is one h1, the policy stops nothing, and no other host is asked.
 */

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isFull } from '../_rounds.ts'
import { hasBrowser, startBrowser, whereBrowser } from './_chromium.ts'
import { pagePaths, served, tidesWiki } from './_pages.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const widths = [1280, 375, 320]
const schemes = ['light', 'dark'] as const
/** Sights of one page that is open. */
const looks = schemes.flatMap(scheme => widths.map(width => ({ scheme, width })))

/** Runs in a page: lists what is wrong with it at this size. */
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

/** Rules and the elements that break them. The editor's text is what the keyboard scrolls, not the box around it. */
async function violations(page: Page): Promise<string[]> {
  const { violations: found } = await page.evaluate<AxeResults>(
    'axe.run({ exclude: [".content"] }, { resultTypes: ["violations"] })',
  )
  const faults = found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`))
  return faults.filter(fault => !/^scrollable-region-focusable: .*cm-scroller/.test(fault))
}

/** Pages and sights of a run: all of them in the full one. Slow: a page takes the browser 0.1 s of CPU, axe 0.3 s for each sight. */
function planOf(isMain: boolean): { path: string; sights: readonly (typeof looks)[number][] }[] {
  if (isFull) return pagePaths.map(path => ({ path, sights: looks }))
  return pagePaths.flatMap((path, at) =>
    isMain || at % 4 === 0 ? [{ path, sights: [looks[at % looks.length]!] }] : [],
  )
}

describe.skipIf(!hasBrowser)(`every page (${whereBrowser})`, () => {
  let context: BrowserContext

  beforeAll(async () => {
    context = await startBrowser([])
  }, 60_000)
  afterAll(() => context?.close())

  test.each([
    ['en', 'with script'],
    ['en', 'without script'],
    ['ar', 'with script'],
    ['ar', 'without script'],
  ])('in %s, %s', { tags: 'rounds', timeout: 1_200_000 }, async (language, script) => {
    const { origin, close } = await served(await tidesWiki(language))
    const page = await context.newPage()
    const faults: string[] = []
    page.on('console', message => {
      const isExpected = /Failed to load resource/.test(message.text())
      if (message.type() === 'error' && !isExpected) faults.push(`${page.url()}: ${message.text()}`)
    })
    page.on('pageerror', error => faults.push(`${page.url()}: ${error.message}`))
    page.on('request', request => {
      if (!request.url().startsWith(origin) && !request.url().startsWith('data:'))
        faults.push(`${page.url()}: a request for ${request.url()}`)
    })
    if (script === 'without script') await page.route('**/*.js', route => route.abort())
    await page.emulateMedia({ reducedMotion: 'reduce' })
    for (const { path, sights } of planOf(language === 'en' && script === 'with script')) {
      await page.setViewportSize({ width: sights[0]!.width, height: 800 })
      await page.goto(origin + path, { waitUntil: 'networkidle' })
      await page.evaluate(axe)
      const note = (found: readonly string[], sight: string): void =>
        void faults.push(...found.map(fault => `${path}, ${sight}: ${fault}`))
      for (const width of widths) {
        await page.setViewportSize({ width, height: 800 })
        note(await page.evaluate<string[]>(faultsHere), `${width} wide`)
      }
      for (const { scheme, width } of sights) {
        await page.emulateMedia({ colorScheme: scheme })
        await page.setViewportSize({ width, height: 800 })
        note(await violations(page), `${scheme}, ${width} wide`)
      }
    }
    await page.close()
    await close()
    expect(faults).toEqual([])
  })
})
