// @module-tag long
/** Forms of single actions keep their content until the action is done. */

import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createToken } from '../../src/operations/tokens.ts'
import type { Wiki } from '../../src/operations/wiki.ts'
import { ada, create, edit, newWiki } from '../operations/_wiki.ts'
import { hasBrowser, startBrowser, whereBrowser } from './_chromium.ts'
import { served } from './_pages.ts'

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

describe.skipIf(!hasBrowser)(`forms for one action in a browser (${whereBrowser})`, () => {
  let context: BrowserContext
  let page: Page
  let wiki: Wiki
  let server: Awaited<ReturnType<typeof served>>

  beforeAll(async () => {
    context = await startBrowser([])
  })
  afterAll(() => context.close())
  beforeEach(async () => {
    wiki = (await newWiki()).wiki
    await create(wiki, 'Tides', 'one')
    server = await served(wiki, { allowAnonymous: true })
    page = await context.newPage()
  })
  afterEach(async () => {
    await page.close()
    await server.close()
  })

  const open = (path: string) => page.goto(`${server.origin}/wiki/${path}`)
  const stored = () => page.locator('.draft-status', { hasText: 'Draft stored' }).waitFor()
  const goOn = () => page.getByRole('button', { name: 'Continue with the draft' }).click()
  const value = (name: string) => page.locator(`form.action [name="${name}"]`).inputValue()
  const offers = () => page.locator('.draft-offer')
  const previewAndMove = async () => {
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.locator('.preview').waitFor()
    await stored()
    await page.locator('form.action button.primary').click()
    await page.waitForURL(/Sea_tides/)
  }
  const countDrafts = async () => {
    await open('Special:Drafts')
    await page.locator('[data-ui-drafts]:not(:empty)').waitFor()
    return page.locator('[data-ui-drafts] li').count()
  }

  test('a move keeps its title, reason and choices through a reload and a preview, and forgets them when it is done', {
    tags: 'long',
  }, async () => {
    await open('Special:MovePage/Tides')
    await page.locator('[name=to]').fill('Sea tides')
    await page.locator('[name=reason]').fill('a longer story')
    await page.locator('[name=redirect]').uncheck()
    await stored()
    // Going back restores the fields, and their draft is not offered beside them.
    await open('Special:AllPages')
    await page.goBack()
    await stored()
    expect([await value('to'), await offers().count()]).toEqual(['Sea tides', 0])
    await page.reload()
    expect(await value('to')).toBe('Tides')
    await goOn()
    expect([await value('to'), await value('reason'), await page.locator('[name=redirect]').isChecked()]).toEqual([
      'Sea tides',
      'a longer story',
      false,
    ])
    await previewAndMove()
    // The draft from before the reload was continued in the form that was sent.
    expect(await countDrafts()).toBe(0)
  })

  test('a draft that was continued goes with the action, even if the page was left before it was stored', {
    tags: 'long',
  }, async () => {
    await open('Special:MovePage/Tides')
    await page.locator('[name=to]').fill('Sea tides')
    await stored()
    await page.reload()
    await page.getByRole('button', { name: 'Continue with the draft' }).waitFor()
    // As if the browser ended the page before its writes.
    await page.evaluate(`
      const end = () => { throw new Error('the page is closed') }
      Object.assign(IDBObjectStore.prototype, { put: end, delete: end })`)
    await goOn()
    await previewAndMove()
    expect(await countDrafts()).toBe(0)
  })

  test('a refused action leaves the form as it is, with the reason', { tags: 'long' }, async () => {
    await create(wiki, 'Fog', 'there')
    await open('Special:MovePage/Tides')
    await page.locator('[name=to]').fill('Fog')
    await page.locator('[name=reason]').fill('why')
    await page.locator('form.action button.primary').click()
    await page.locator('.silence').waitFor()
    expect([await value('to'), await value('reason')]).toEqual(['Fog', 'why'])
    await server.close()
    await page.locator('form.action button.primary').click()
    await page.locator('.silence', { hasText: 'does not respond' }).waitFor()
    expect(await value('reason')).toBe('why')
    server = await served(wiki, { allowAnonymous: true })
  })

  test('a deletion of a page that was changed meanwhile says so, and then deletes what it shows', {
    tags: 'long',
  }, async () => {
    const { token } = await createToken(wiki, { name: ada.name, address: ada.address })
    const press = async () => {
      await page.locator('form.action summary').click()
      await page.locator('[name=login]').fill(token)
      await page.locator('form.action button.primary').click()
    }
    await open('Special:DeletePage/Tides')
    await page.locator('[name=reason]').fill('empty')
    await edit(wiki, 'Tides', 'no longer empty', { base: wiki.store.findPage('Tides')!.latest, author: ada })
    await press()
    await page.getByRole('alert').filter({ hasText: 'was changed after this form was opened' }).waitFor()
    expect([await value('reason'), wiki.store.findPage('Tides') !== undefined]).toEqual(['empty', true])
    await press()
    await page.waitForURL(/\/wiki\/Tides$/)
    expect(wiki.store.findPage('Tides')).toBeUndefined()
  })

  test('an upload keeps its description, and the list of drafts leads back to it', { tags: 'long' }, async () => {
    await open('Special:Upload')
    await page.locator('[name=description]').fill('A long description of the tide.')
    await stored()
    await open('Special:Drafts')
    await page.locator('[data-ui-drafts] li', { hasText: 'A long description' }).locator('a').click()
    await goOn()
    expect(await value('description')).toBe('A long description of the tide.')
    await page.locator('[name=file]').setInputFiles({ name: 'Tide.png', mimeType: 'image/png', buffer: pixel })
    await page.locator('form.action button.primary').click()
    await page.waitForURL(/File:Tide\.png/)
    await open('Special:Upload')
    await page.locator('.draft-status').waitFor({ state: 'attached' })
    expect(await offers().count()).toBe(0)
  })
})
