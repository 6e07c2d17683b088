// @module-tag long
/** One person with only the keyboard: finds, reads, edits, previews, resolves a conflict, saves, and undoes the edit. */

import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bob, create, edit, newWiki } from '../operations/_wiki.ts'
import { hasBrowser, startBrowser, whereBrowser } from './_chromium.ts'
import { served } from './_pages.ts'

/** Maximum number of steps from one element to another. */
const farthest = 60

/** Presses Tab until the element of a role and name has the focus. */
async function tabTo(page: Page, role: 'link' | 'button' | 'textbox' | 'radio', name: string): Promise<void> {
  const element = page.getByRole(role, { name, exact: true }).first()
  await element.waitFor()
  for (let steps = 0; steps < farthest; steps++) {
    await page.keyboard.press('Tab')
    if (await element.evaluate(one => (one as { matches: (selector: string) => boolean }).matches(':focus'))) return
  }
  throw new Error(`the ${role} “${name}” cannot be reached by Tab`)
}

describe.skipIf(!hasBrowser)(`by the keyboard alone (${whereBrowser})`, () => {
  let context: BrowserContext

  beforeAll(async () => {
    context = await startBrowser()
  })
  afterAll(() => context.close())

  test('a page is found, edited, merged, saved and undone', { tags: 'long' }, async () => {
    const { wiki } = await newWiki({ 'Main Page': 'hello' })
    const base = await create(wiki, 'Tides', 'one\n\ntwo')
    const { origin, close } = await served(wiki, { allowAnonymous: true })
    const raw = async (): Promise<string> => (await fetch(`${origin}/wiki/Tides?action=raw`)).text()
    const page = await context.newPage()
    const press = async (key: string, to: RegExp): Promise<void> => {
      await Promise.all([page.waitForURL(to), page.keyboard.press(key)])
    }

    await page.goto(`${origin}/wiki/Main_Page`)
    for (let times = 0; times < 3; times++) await page.keyboard.press('Tab')
    await page.keyboard.type('tid')
    await page.getByRole('option', { name: 'Tides' }).waitFor()
    await page.keyboard.press('ArrowDown')
    await press('Enter', /wiki\/Tides$/)

    await tabTo(page, 'link', 'Edit')
    await press('Enter', /action=edit/)
    await page.locator('.cm-content').waitFor()
    await tabTo(page, 'textbox', 'Text of the page')
    await page.keyboard.press('Control+End')
    await page.keyboard.type(" '''mine'''")
    await tabTo(page, 'textbox', 'Summary')
    await page.keyboard.type('why')
    await tabTo(page, 'button', 'Preview')
    await page.keyboard.press('Enter')
    await page.locator('.live-preview b', { hasText: 'mine' }).waitFor()

    const theirs = await edit(wiki, 'Tides', 'one\n\ntwo theirs', { base, author: bob })
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Shift+Tab')
    await tabTo(page, 'button', 'Save')
    await press('Enter', /action=submit/)
    await tabTo(page, 'radio', 'Theirs')
    await page.keyboard.press('ArrowDown')
    await tabTo(page, 'button', 'Save the chosen text')
    await press('Enter', /wiki\/Tides$/)
    expect(await raw()).toBe("one\n\ntwo '''mine'''")

    await tabTo(page, 'link', 'History')
    await press('Enter', /action=history/)
    await tabTo(page, 'link', 'Undo')
    await press('Enter', /undo=/)
    await tabTo(page, 'button', 'Save')
    await press('Enter', /wiki\/Tides$/)
    expect([await raw(), theirs]).toEqual(['one\n\ntwo theirs', theirs])
    await page.close()
    await close()
  })
})
