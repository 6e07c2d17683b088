/** Every page passes axe: names, landmarks, headings, contrast in light and dark, in both directions. Texts of the wiki are left out. */

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { firstOf, rounds } from '../_rounds.ts'
import { hasBrowser, startBrowser, whereBrowser } from './_chromium.ts'
import { pagePaths, served, tidesWiki } from './_pages.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const looks = [
  { language: 'en', scheme: 'light', width: 1280 },
  { language: 'ar', scheme: 'dark', width: 375 },
  { language: 'en', scheme: 'dark', width: 1280 },
  { language: 'ar', scheme: 'light', width: 375 },
] as const

/** Rules and the elements that break them. The editor's text is what the keyboard scrolls, not the box around it. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe)
  const { violations: found } = await page.evaluate<AxeResults>(
    'axe.run({ exclude: [".content"] }, { resultTypes: ["violations"] })',
  )
  const faults = found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`))
  return faults.filter(fault => !/^scrollable-region-focusable: .*cm-scroller/.test(fault))
}

describe.skipIf(!hasBrowser)(`axe (${whereBrowser})`, () => {
  let context: BrowserContext

  beforeAll(async () => {
    context = await startBrowser([])
  })
  afterAll(() => context.close())

  test.each(firstOf(looks, 2))('finds nothing in $language, $scheme, $width wide', { timeout: 300_000 }, async look => {
    const { origin, close } = await served(await tidesWiki(look.language))
    const page = await context.newPage()
    await page.emulateMedia({ colorScheme: look.scheme, reducedMotion: 'reduce' })
    await page.setViewportSize({ width: look.width, height: 800 })
    const faults: string[] = []
    const paths = look.language === 'en' ? pagePaths : pagePaths.filter((_, at) => at % rounds(3, 1) === 0)
    for (const path of paths) {
      await page.goto(origin + path, { waitUntil: 'networkidle' })
      faults.push(...(await violations(page)).map(fault => `${path}: ${fault}`))
    }
    await page.close()
    await close()
    expect(faults).toEqual([])
  })
})
