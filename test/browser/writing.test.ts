/** What somebody writes in a browser is never lost: drafts, merging while writing, servers and browsers that end. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Wiki } from '../../src/operations/wiki.ts'
import { serve } from '../../src/rest/serve.ts'
import { answerPage } from '../../src/web/door.ts'
import { bob, create, edit, newWiki } from '../operations/_wiki.ts'
import { hasBrowser, startBrowser, whereBrowser } from './_chromium.ts'
import { startKillable } from './_killable.ts'

const old = 'one\n\ntwo\n\nthree'

async function served(wiki: Wiki, port = 0) {
  const server = await serve(wiki, { port, pages: async () => answerPage, allowAnonymous: true })
  return { origin: server.url.replace(/\/v1$/, ''), close: server.close }
}

describe.skipIf(!hasBrowser)(`writing in a browser (${whereBrowser})`, () => {
  let context: BrowserContext
  let page: Page
  let wiki: Wiki
  let base: number
  let server: Awaited<ReturnType<typeof served>>
  const events: string[] = []

  beforeAll(async () => {
    context = await startBrowser([])
    await context.addInitScript("localStorage.setItem('wiki-box', 'plain')")
  })
  afterAll(() => context.close())

  beforeEach(async () => {
    wiki = (await newWiki()).wiki
    base = await create(wiki, 'Tides', old)
    server = await served(wiki)
    page = await context.newPage()
    page.on('pageerror', error => events.push(error.message))
    page.on('console', message => {
      if (/Content Security Policy|Refused to|TrustedHTML/.test(message.text())) events.push(message.text())
    })
  })
  afterEach(async () => {
    await page.close()
    await server.close()
    expect(events.splice(0)).toEqual([])
  })

  const open = (from: Page = page) => from.goto(`${server.origin}/wiki/Tides?action=edit`)
  const write = async (text: string, into: Page = page): Promise<void> => {
    await into.locator('#text').fill(text)
    await into.locator('.draft-status', { hasText: 'Draft kept' }).waitFor()
  }
  const kept = () => page.locator('#text').inputValue()
  const offers = (on: Page = page) => on.locator('.draft-offer')
  const rawOf = async () => (await fetch(`${server.origin}/wiki/Tides?action=raw`)).text()
  const save = () => page.getByRole('button', { name: 'Save', exact: true }).click()

  test('a draft comes back when somebody wants it, and goes when it is saved', async () => {
    await open()
    await write('precious')
    await page.locator('input[name=summary]').fill('half done')
    await page.reload()
    expect(await kept()).toBe(old)
    await page.getByRole('button', { name: 'Continue with the draft' }).click()
    expect([await kept(), await page.locator('input[name=summary]').inputValue()]).toEqual(['precious', 'half done'])
    await Promise.all([page.waitForURL(`${server.origin}/wiki/Tides`), save()])
    expect(await rawOf()).toBe('precious')
    await open()
    await page.locator('.draft-status').waitFor({ state: 'attached' })
    expect(await offers().count()).toBe(0)
  })

  test('a new text is no reason to forget an older draft', async () => {
    await open()
    await write('first thoughts')
    await open()
    await write('second thoughts')
    await open()
    await offers().nth(1).waitFor()
    await page.getByRole('button', { name: 'Discard the draft' }).first().click()
    await page.getByRole('button', { name: 'Continue with the draft' }).click()
    expect(await kept()).toBe('first thoughts')
  })

  test('a draft stays through a preview and a conflict, and goes with the saved choice', async () => {
    await open()
    await write('ONE\n\ntwo\n\nthree')
    await Promise.all([page.waitForURL(/submit/), page.getByRole('button', { name: 'Show changes' }).click()])
    await edit(wiki, 'Tides', 'uno\n\ntwo\n\nthree', { base, author: bob })
    await save()
    await page.locator('fieldset').waitFor()
    expect(await page.locator('input:checked').count()).toBe(0)
    const other = await context.newPage()
    await open(other)
    await offers(other).waitFor()
    await other.close()
    await page.getByLabel('Mine').check()
    await Promise.all([
      page.waitForURL(`${server.origin}/wiki/Tides`),
      page.getByRole('button', { name: 'Save the chosen text' }).click(),
    ])
    expect(await rawOf()).toBe('ONE\n\ntwo\n\nthree')
    await open()
    expect(await offers().count()).toBe(0)
  })

  test('a draft that is older than the page is put together with it', async () => {
    await open()
    await write('one\n\ntwo\n\nthree mine')
    await edit(wiki, 'Tides', 'theirs one\n\ntwo\n\nthree', { base, author: bob })
    await open()
    await page.getByRole('button', { name: 'Continue with the draft' }).click()
    await page.locator('.newer').waitFor()
    expect(await kept()).toBe('theirs one\n\ntwo\n\nthree mine')
  })

  test('an edit of somebody else is noticed while writing, put together, and the cursor stays', async () => {
    await open()
    await page.locator('#text').focus()
    await page.keyboard.press('Control+End')
    await page.keyboard.type(' mine')
    await edit(wiki, 'Tides', 'zero\n\none\n\ntwo\n\nthree', { base, author: bob })
    await page.evaluate('window.dispatchEvent(new Event("focus"))')
    await page.locator('.newer', { hasText: `${bob.name} changed other parts` }).waitFor()
    await page.keyboard.type('!')
    expect(await kept()).toBe('zero\n\none\n\ntwo\n\nthree mine!')
    await Promise.all([page.waitForURL(`${server.origin}/wiki/Tides`), save()])
    expect(await rawOf()).toBe('zero\n\none\n\ntwo\n\nthree mine!')
  })

  test('an edit of the same words is told before saving, and the text stays as it is', async () => {
    await open()
    await write('one mine\n\ntwo\n\nthree')
    await edit(wiki, 'Tides', 'one theirs\n\ntwo\n\nthree', { base, author: bob })
    await page.evaluate('window.dispatchEvent(new Event("focus"))')
    await page.locator('.newer.warning').waitFor()
    expect(await kept()).toBe('one mine\n\ntwo\n\nthree')
    await save()
    await page.locator('fieldset').waitFor()
  })

  test('a server that is gone takes nothing with it, and the same page saves when it is back', async () => {
    await open()
    const port = Number(new URL(server.origin).port)
    await server.close()
    await page.locator('#text').fill('written in between')
    await save()
    await page.locator('.silence').waitFor()
    expect(await kept()).toBe('written in between')
    server = await served(wiki, port)
    await Promise.all([page.waitForURL(`${server.origin}/wiki/Tides`), save()])
    expect(await rawOf()).toBe('written in between')
  })

  test('a killed browser gives the draft back', { timeout: 120_000 }, async () => {
    const profile = mkdtempSync(join(tmpdir(), 'wiki-profile-'))
    const first = await startKillable(profile)
    await first.page.addInitScript("localStorage.setItem('wiki-box', 'plain')")
    await open(first.page)
    await write('before the power cut', first.page)
    await first.kill()
    const second = await startKillable(profile)
    await second.page.addInitScript("localStorage.setItem('wiki-box', 'plain')")
    await open(second.page)
    await second.page.getByRole('button', { name: 'Continue with the draft' }).click()
    expect(await second.page.locator('#text').inputValue()).toBe('before the power cut')
    await second.kill()
    rmSync(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  })
})
