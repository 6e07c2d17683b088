// @module-tag long
/** The editor in a browser: it highlights, suggests, marks problems and previews under the policy, and loses nothing. */

import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ContentModel } from '../../src/core/content-models.ts'
import { addFile } from '../../src/operations/add-file.ts'
import { serve } from '../../src/rest/serve.ts'
import { handlePage } from '../../src/web/handle-page.ts'
import { bob, create, edit, newWiki } from '../operations/_wiki.ts'
import { hasBrowser, startBrowser, whereBrowser } from './_chromium.ts'

describe.skipIf(!hasBrowser)(`the editor in a browser (${whereBrowser})`, () => {
  let context: BrowserContext

  beforeAll(async () => {
    context = await startBrowser()
  })
  afterAll(() => context.close())

  /** Opens the form of a page with this text. */
  async function opened(
    text: string,
    { model = 'wikitext' as ContentModel, options = undefined as BrowserContextOptions | undefined } = {},
  ) {
    const { wiki } = await newWiki({ 'Template:Stub': '{{{height}}}', 'Sea fog': 'grey' })
    await addFile(wiki, { name: 'Drawing.svg', content: Buffer.from('<svg/>'), comment: null, author: bob })
    const base = await create(wiki, 'Tides', text, { contentModel: model })
    const server = await serve(wiki, { port: 0, pages: async () => handlePage, allowAnonymous: true })
    const origin = server.url.replace(/\/v1$/, '')
    const events: string[] = []
    const own = options === undefined ? context : await context.browser()!.newContext(options)
    const page = await own.newPage()
    page.on('pageerror', error => events.push(error.message))
    page.on('console', message => {
      if (/Content Security Policy|Refused to|TrustedHTML/.test(message.text())) events.push(message.text())
    })
    page.on('request', request => {
      if (new URL(request.url()).origin !== origin) events.push(request.url())
    })
    const address = `${origin}/wiki/Tides`
    await page.goto(`${address}?action=edit`)
    const raw = async (): Promise<string> => (await fetch(`${address}?action=raw`)).text()
    const close = async (): Promise<void> => {
      await (own === context ? page : own).close()
      await server.close()
      expect(events).toEqual([])
    }
    return { page, wiki, base, address, raw, close }
  }

  const content = (page: Page) => page.locator('.cm-content')

  async function typeAtEnd(page: Page, text: string): Promise<void> {
    await content(page).click()
    await page.keyboard.press('Control+End')
    await page.keyboard.type(text)
  }

  test('highlights wikitext and saves by the keyboard', { tags: 'long' }, async () => {
    const { page, raw, address, close } = await opened("== Head ==\n'''bold''' {{Stub|a=b}} [[Sea fog]]")
    await content(page).waitFor()
    for (const [look, text] of [
      ['heading', '== Head =='],
      ['bold', "'''bold'''"],
      ['template', 'Stub'],
      ['name', 'a'],
      ['link', '[[Sea fog'],
    ])
      await page.locator(`.look-${look}`, { hasText: text! }).first().waitFor()
    await typeAtEnd(page, '\nmore')
    await Promise.all([page.waitForURL(address), page.keyboard.press('Control+Enter')])
    expect(await raw()).toContain('\nmore')
    await close()
  })

  test('keeps the cursor of a user who types before its scripts have come', { tags: 'long' }, async () => {
    const { page, address, close } = await opened('start')
    let release = (): void => {}
    const released = new Promise<void>(resolve => {
      release = resolve
    })
    await page.route(/\.js$/, async route => {
      if (!route.request().url().includes('theme')) await released
      await route.continue()
    })
    await page.goto(`${address}?action=edit`, { waitUntil: 'commit' })
    await page.locator('#text').press('Control+Home')
    await page.keyboard.type('early ')
    release()
    await content(page).waitFor()
    await page.keyboard.type('late ')
    await expect.poll(() => content(page).textContent()).toBe('early late start')
    await close()
  })

  test('suggests pages and templates, and closes the inserted markup', { tags: 'long' }, async () => {
    const { page, close } = await opened('start')
    const option = (text: string) => page.locator('.cm-tooltip-autocomplete li', { hasText: text })
    await typeAtEnd(page, ' [[sea')
    await option('Sea fog').click()
    await typeAtEnd(page, ' {{stu')
    await option('Stub').click()
    expect(await content(page).innerText()).toBe('start [[Sea fog]] {{Stub}}')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.type('|he')
    await option('height').click()
    await page.keyboard.type('3')
    await typeAtEnd(page, ' [[File:dr')
    await option('Drawing.svg').click()
    await typeAtEnd(page, '<ref name="tide">x</ref><ref name="')
    await option('tide').click()
    expect(await content(page).innerText()).toBe(
      'start [[Sea fog]] {{Stub|height=3}} [[File:Drawing.svg]]<ref name="tide">x</ref><ref name="tide" />',
    )
    await close()
  })

  test('marks lint problems in place, and follows edits', { tags: 'long' }, async () => {
    const { page, close } = await opened('fine ')
    await typeAtEnd(page, '<b>open')
    const mark = page.locator('.cm-lintRange')
    await mark.waitFor()
    expect(await mark.textContent()).toBe('<b>')
    await mark.hover()
    await page.getByRole('button', { name: 'Fix' }).click()
    await mark.waitFor({ state: 'detached' })
    expect(await content(page).innerText()).toBe('fine<b>open</b>')
    await close()
  })

  test('shows a live preview beside the text, and runs nothing', { tags: 'long' }, async () => {
    const { page, close } = await opened("a '''bold''' word\n\n[[File:Nope.png|x]]")
    await page.getByRole('button', { name: 'Preview', exact: true }).click()
    await page.locator('.live-preview b', { hasText: 'bold' }).waitFor()
    const kept = await page.evaluateHandle('document.querySelector(".live-preview b")')
    await typeAtEnd(page, '\n\n<script>document.title="evil"</script><img src=x onerror="document.title=1"> new words')
    await page.locator('.live-preview', { hasText: 'new words' }).waitFor()
    expect(await page.evaluate('document.title')).toContain('Tides')
    // A part that did not change is still the same element.
    expect(await page.evaluate(one => (one as { isConnected: boolean }).isConnected, kept)).toBe(true)
    await page.getByRole('button', { name: 'Close the preview' }).click()
    expect(await page.locator('.live-preview').count()).toBe(0)
    await close()
  })

  test("merges another user's edit without moving the cursor", { tags: 'long' }, async () => {
    const { page, wiki, base, raw, address, close } = await opened('one\n\ntwo')
    await typeAtEnd(page, ' mine')
    await edit(wiki, 'Tides', 'zero\n\none\n\ntwo', { base, author: bob })
    await page.locator('.newer').waitFor()
    // Undo reverts only the user's own text.
    for (let times = 0; times < 5; times++) await page.keyboard.press('Control+z')
    expect((await content(page).innerText()).match(/\w+/g)).toEqual(['zero', 'one', 'two'])
    await page.keyboard.type(' mine!')
    await Promise.all([page.waitForURL(address), page.keyboard.press('Control+s')])
    expect(await raw()).toBe('zero\n\none\n\ntwo mine!')
    await close()
  })

  test('gives way to a plain text box and returns with the same text', { tags: 'long' }, async () => {
    const { page, close } = await opened('start')
    await typeAtEnd(page, ' more')
    await page.getByRole('button', { name: 'Plain text box' }).click()
    expect(await page.locator('#text').inputValue()).toBe('start more')
    await page.locator('#text').fill('other')
    await page.reload()
    expect(await page.locator('#text').isVisible()).toBe(true)
    await page.getByRole('button', { name: 'Continue with the draft' }).click()
    await page.getByRole('button', { name: 'Editor with highlighting' }).click()
    expect(await content(page).innerText()).toBe('other')
    await close()
  })

  test('inserts markup by buttons and keys, and undoes it', { tags: 'long' }, async () => {
    const { page, close } = await opened('start')
    await typeAtEnd(page, ' ')
    await page.keyboard.press('Control+b')
    await page.keyboard.type('bold')
    await page.keyboard.press('Control+End')
    await page.getByRole('button', { name: 'Table', exact: true }).click()
    await page.getByLabel('Columns').fill('2')
    await page.getByRole('button', { name: 'Insert' }).click()
    await page.locator('dialog').waitFor({ state: 'detached' })
    expect(await content(page).innerText()).toContain("start '''bold'''\n{| class=\"wikitable\"\n!  !! \n|-")
    await page.keyboard.press('Control+z')
    expect(await content(page).innerText()).toBe("start '''bold'''")
    await page.getByRole('button', { name: 'Plain text box' }).click()
    await page.locator('#text').press('Control+Home')
    await page.keyboard.press('Control+i')
    expect(await page.locator('#text').inputValue()).toBe("''''start '''bold'''")
    await page.keyboard.press('Control+z')
    expect(await page.locator('#text').inputValue()).toBe("start '''bold'''")
    await close()
  })

  /** Pastes into the editor as the clipboard would; a picture is in base 64. */
  const paste = (page: Page, data: Readonly<Record<string, string>>, picture: string | null = null) =>
    page.evaluate(`{
      const clipboardData = new DataTransfer()
      for (const [type, text] of Object.entries(${JSON.stringify(data)})) clipboardData.setData(type, text)
      const picture = ${JSON.stringify(picture)}
      const bytes = Uint8Array.from(atob(picture ?? ''), sign => sign.charCodeAt(0))
      if (picture !== null) clipboardData.items.add(new File([bytes], 'image.png', { type: 'image/png' }))
      const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true, composed: true })
      document.querySelector('.editor').shadowRoot.querySelector('.cm-content').dispatchEvent(event)
    }`)

  test('is created once, however often it is requested while it loads', { tags: 'long' }, async () => {
    const { page, address, raw, close } = await opened('start')
    await content(page).waitFor()
    await page.getByRole('button', { name: 'Plain text box' }).click()
    await page.getByRole('button', { name: 'Editor with highlighting' }).waitFor()
    await page.evaluate(`{
      const change = [...document.querySelectorAll('.tools > button')].at(-1)
      for (let times = 0; times < 3; times++) change.click()
    }`)
    await content(page).waitFor()
    expect(await page.locator('.editor').count()).toBe(1)
    await typeAtEnd(page, ' more')
    await page.keyboard.press('Control+s')
    await page.waitForURL(address)
    expect(await raw()).toBe('start more')
    await close()
  })

  test('uploads a pasted picture, and inserts it at the cursor', { tags: 'long' }, async () => {
    const { page, wiki, close } = await opened('start')
    await typeAtEnd(page, '\n')
    const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
    await paste(page, {}, dot)
    expect(await page.getByLabel('Name in the wiki').inputValue()).toMatch(/^Tides \d{4}-.*\.png$/)
    await page.getByLabel('Name in the wiki').fill('Dot.png')
    await page.getByLabel('Caption').fill('A dot')
    await page.getByRole('button', { name: 'Upload' }).click()
    await page.locator('dialog').waitFor({ state: 'detached' })
    expect(await content(page).innerText()).toBe('start\n[[File:Dot.png|thumb|A dot]]')
    await wiki.store.refresh()
    expect(wiki.store.findFile('File:Dot.png')?.size).toBe(70)
    await paste(page, {}, btoa(`${atob(dot)}other bytes`))
    await page.getByLabel('Name in the wiki').fill('Dot.png')
    await page.getByRole('button', { name: 'Upload' }).click()
    await page.locator('dialog [role=alert]', { hasText: 'exists' }).waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await close()
  })

  test.each([
    ['wikitext', "see '''bold''' [https://example.org link]"],
    ['markdown', 'see **bold** [link](https://example.org)'],
  ] as const)('offers pasted text as markup: %s', { tags: 'long' }, async (model, wanted) => {
    const { page, close } = await opened('start', { model })
    await typeAtEnd(page, ' ')
    const html = '<meta charset="utf-8"><p>see <b>bold</b> <a href="https://example.org">link</a></p>'
    await paste(page, { 'text/plain': 'see bold link', 'text/html': html })
    await page.getByRole('button', { name: 'Paste with headings' }).click()
    await page.locator('.paste-offer').waitFor({ state: 'detached' })
    expect(await content(page).innerText()).toBe(`start ${wanted}`)
    await page.keyboard.press('Control+z')
    expect(await content(page).innerText()).toContain('see bold link')
    await close()
  })

  test('leaves a text with a very long line to the plain text box, and gives the reason', {
    tags: 'long',
  }, async () => {
    const { page, close } = await opened(`start\n\n${'word '.repeat(21_000)}`)
    await page.locator('.tools', { hasText: 'a very long line' }).waitFor()
    expect([await page.locator('#text').isVisible(), await page.locator('.editor').count()]).toEqual([true, 0])
    expect(await page.evaluate('getComputedStyle(document.querySelector("#text")).unicodeBidi')).not.toBe('plaintext')
    await close()
  })

  test('is not loaded on phones or in browsers without script', { tags: 'long' }, async () => {
    for (const options of [{ isMobile: true, hasTouch: true }, { javaScriptEnabled: false }]) {
      const { page, close } = await opened('start', { options })
      expect([await page.locator('#text').isVisible(), await content(page).count()]).toEqual([true, 0])
      await close()
    }
  })
})
