// @module-tag long
/** `wiki serve --base-path` behind a proxy, in a browser: scripts ask nothing outside of the path. */

import type { BrowserContext } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newWiki } from '../operations/_wiki.ts'
import { startProxy, startServed, stopServed } from '../rest/_served.ts'
import { hasBrowser, startBrowser, whereBrowser } from './_chromium.ts'

const base = '/wiki-of-team'

describe.skipIf(!hasBrowser)(`below a path of a proxy (${whereBrowser})`, () => {
  let context: BrowserContext

  beforeAll(async () => {
    context = await startBrowser([])
  })
  afterAll(async () => {
    await context?.close()
    await stopServed()
  })

  test('reading, searching, editing and live changes stay below it', { tags: 'long' }, async () => {
    const { directory } = await newWiki({ 'Main Page': 'To [[Pier]].', Pier: 'Fifty metres.' })
    const { port } = await startServed(directory, ['--base-path', base, '--allow-anonymous', '--quiet'])
    const proxy = await startProxy(port, base)
    const page = await context.newPage()
    const failures: string[] = []
    page.on('pageerror', error => failures.push(String(error)))
    page.on('response', answer => answer.status() >= 400 && failures.push(`${answer.status()} ${answer.url()}`))
    await page.goto(`${proxy.origin}${base}/`)
    await page.locator('.content a', { hasText: 'Pier' }).click()
    await page.waitForURL(`**${base}/wiki/Pier`)
    // The script has begun when the box has its role: what is typed before it finds nothing.
    await page.locator('input[type=search][role=combobox]').first().pressSequentially('Mai')
    const found = page.locator('[role=option] a, [role=option]', { hasText: 'Main Page' }).first()
    await found.waitFor()
    await page.goto(`${proxy.origin}${base}/wiki/Special:RecentChanges`)
    await page.locator('[aria-pressed="false"]').click()
    const writer = await context.newPage()
    await writer.goto(`${proxy.origin}${base}/wiki/Pier?action=edit`)
    await writer.locator('input[name=summary]').fill('by a browser')
    await writer.locator('#text:visible, .cm-content:visible').first().fill('Sixty metres.')
    await writer.locator('button[name=do][value=save]').first().click()
    await writer.waitForURL(url => url.pathname === `${base}/wiki/Pier` && !url.search.includes('action=edit'))
    await page.getByText('by a browser').first().waitFor({ state: 'attached' })
    expect([proxy.outside, failures]).toEqual([[], []])
    proxy.close()
  })
})
