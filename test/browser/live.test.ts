// @module-tag long
/** The stream of changes in a browser: one for all of its tabs, so that connections remain for pages. */

import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { watchOf } from '../../src/web/watch.ts'
import { ada, edit, newWiki } from '../operations/_wiki.ts'
import { hasBrowser, startBrowser, whereBrowser } from './_chromium.ts'
import { served } from './_pages.ts'

/** More than the six connections that a browser opens to a server. */
const tabs = 8

describe.skipIf(!hasBrowser)(`many tabs of one browser (${whereBrowser})`, () => {
  let context: BrowserContext

  beforeAll(async () => {
    context = await startBrowser([])
  })
  afterAll(() => context?.close())

  test('share one stream, also when the tab that has it is closed', { tags: 'long' }, async () => {
    const { wiki } = await newWiki({ Tides: 'one' })
    const { origin, close } = await served(wiki)
    const streams = (): number => watchOf(wiki.store).followers.size
    const pages: Page[] = []
    for (let tab = 0; tab < tabs; tab++) {
      const page = await context.newPage()
      pages.push(page)
      await page.goto(`${origin}/wiki/Special:RecentChanges`)
      await page.locator('[aria-pressed="false"]').click()
    }
    await expect.poll(streams).toBe(1)
    const save = async (comment: string): Promise<void> => {
      const base = wiki.store.findPage('Tides')!.latest
      await edit(wiki, 'Tides', comment, { base, author: ada, comment })
    }
    const see = async (comment: string): Promise<void> => {
      for (const page of pages) await page.getByText(comment).first().waitFor({ state: 'attached' })
    }
    await save('the first edit')
    await see('the first edit')
    await pages.shift()!.close()
    await save('the second edit')
    await see('the second edit')
    expect(streams()).toBe(1)
    for (const page of pages) await page.close()
    await expect.poll(streams).toBe(0)
    await close()
  })
})
