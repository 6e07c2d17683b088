// @module-tag long
/** The session ends while somebody writes, and begins again in another tab: saving needs no more than saving. */

import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSignInCode } from '../../src/http/sign-in-code.ts'
import { ada, create, newWiki } from '../operations/_wiki.ts'
import { hasBrowser, startBrowser, whereBrowser } from './_chromium.ts'
import { served } from './_pages.ts'

describe.skipIf(!hasBrowser)(`a session that ends (${whereBrowser})`, () => {
  let context: BrowserContext
  beforeAll(async () => {
    context = await startBrowser([])
    await context.addInitScript("localStorage.setItem('wiki-box', 'plain')")
  })
  afterAll(() => context.close())

  test.each([
    ['/wiki/Tides?action=edit', '#text', 'Save'],
    ['/wiki/Special:MovePage/Tides', 'input[name=to]', 'Move'],
    ['/wiki/Special:Settings', 'input[name=name]', 'Save'],
  ])('%s', async (path, field, label) => {
    const { wiki } = await newWiki()
    await create(wiki, 'Tides', 'old')
    const signIn = createSignInCode(ada)
    signIn.printWith(() => {})
    const { origin, close } = await served(wiki, { signIn })
    const isOwners = path.endsWith('Settings')
    const signInIn = async (tab: Page, back: string): Promise<void> => {
      await tab.goto(`${origin}/wiki/Special:UserLogin?code=${signIn.code}&returnto=${back}`)
      await Promise.all([tab.waitForURL(/\/~/), tab.locator('main form button').first().click()])
    }
    const page = await context.newPage()
    await signInIn(page, isOwners ? 'Special:Settings' : 'Tides')
    if (!isOwners) await page.goto(page.url().replace(/\/wiki\/.*/, path))
    await page.locator(field).fill('Precious')
    await context.clearCookies()
    const save = page.getByRole('button', { name: label, exact: true })
    await save.click()
    await page.locator('.silence').waitFor()
    expect(await page.locator(field).inputValue()).toBe('Precious')
    const [tab] = await Promise.all([context.waitForEvent('page'), page.locator('.sender a').click()])
    await tab.getByRole('button', { name: 'Print a new link' }).click()
    await tab.locator('.notice', { hasText: 'A link was printed' }).waitFor()
    await signInIn(tab, 'Tides')
    await tab.close()
    const before = page.url()
    if (isOwners) {
      // The proof was one of the session that has ended.
      await save.click()
      signIn.renew()
      await page.locator('.sender input[name=login]').fill(signIn.code)
    }
    await Promise.all([page.waitForURL(url => url.href !== before), save.click()])
    await wiki.store.refresh()
    const isSaved = {
      '#text': async () => (await (await fetch(`${origin}/wiki/Tides?action=raw`)).text()) === 'Precious',
      'input[name=to]': async () => wiki.store.findPage('Precious') !== undefined,
      'input[name=name]': async () => wiki.store.config.name === 'Precious',
    }[field]!
    expect(await isSaved()).toBe(true)
    await page.close()
    await close()
  })
})
