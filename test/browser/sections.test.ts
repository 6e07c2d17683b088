// @module-tag long
/** A section that is written while others edit the same page. */

import type { BrowserContext } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bob, create, edit, newWiki } from '../operations/_wiki.ts'
import { hasBrowser, startBrowser, whereBrowser } from './_chromium.ts'
import { served } from './_pages.ts'

const old = 'Lead.\n\n== Ebb ==\nLow water.\n\n== Flood ==\nHigh water comes twice a day.\n'

describe.skipIf(!hasBrowser)(`a section in a browser (${whereBrowser})`, () => {
  let context: BrowserContext
  beforeAll(async () => {
    context = await startBrowser([])
    await context.addInitScript("localStorage.setItem('wiki-box', 'plain')")
  })
  afterAll(() => context.close())

  test('edits of others are merged into it, it follows its number, and its draft too', { tags: 'long' }, async () => {
    const { wiki } = await newWiki()
    const base = await create(wiki, 'Tides', old)
    const { origin, close } = await served(wiki, { allowAnonymous: true })
    const page = await context.newPage()
    await page.goto(`${origin}/wiki/Tides?action=edit&section=2`)
    const text = page.locator('#text')
    await text.fill('== Flood ==\nHigh water comes twice a day.\n\nMine.')
    await page.locator('.draft-status', { hasText: 'Draft stored' }).waitFor()
    const newer = old
      .replace('== Ebb', '== Slack ==\nStill water.\n\n== Ebb')
      .replace('High water comes twice a day.', 'Very high water comes twice a day.')
    const latest = await edit(wiki, 'Tides', newer, { base, author: bob })
    await page.locator('.newer', { hasText: bob.name }).waitFor()
    expect(await text.inputValue()).toBe('== Flood ==\nVery high water comes twice a day.\n\nMine.')
    const field = (name: string) => page.locator(`input[name=${name}]`).inputValue()
    expect([await field('base'), await field('section')]).toEqual([String(latest), '3'])

    // The draft is one of the section's new number.
    await text.press('Control+End')
    await page.keyboard.type(' More.')
    await page.waitForFunction("document.querySelector('.draft-status').textContent !== ''")
    await page.goto(`${origin}/wiki/Special:Drafts`)
    await page.locator('[data-ui-drafts] a').click()
    expect(page.url()).toContain('section=3')
    await page.getByRole('button', { name: 'Continue with the draft' }).click()
    expect(await text.inputValue()).toBe('== Flood ==\nVery high water comes twice a day.\n\nMine. More.')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.waitForURL(url => !url.search.includes('action='))
    expect(await (await fetch(`${origin}/wiki/Tides?action=raw`)).text()).toBe(
      'Lead.\n\n== Slack ==\nStill water.\n\n== Ebb ==\nLow water.\n\n== Flood ==\nVery high water comes twice a day.\n\nMine. More.',
    )
    await page.close()
    await close()
  })
})
