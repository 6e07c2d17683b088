/** No text written in a browser is lost: drafts, merging while writing, servers and browsers that stop. */

import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { movePage } from '../../src/operations/move-page.ts'
import { createToken } from '../../src/operations/tokens.ts'
import type { Wiki } from '../../src/operations/wiki.ts'
import { serve } from '../../src/rest/serve.ts'
import { handlePage } from '../../src/web/handle-page.ts'
import { removeFolder } from '../_environment.ts'
import { bob, create, edit, newWiki } from '../operations/_wiki.ts'
import { hasBrowser, startBrowser, whereBrowser } from './_chromium.ts'
import { startKillable } from './_killable.ts'

/** A browser that allows no database, as some do in private windows. */
const noDatabase =
  "Object.defineProperty(window, 'indexedDB', { get() { throw new DOMException('no', 'SecurityError') } })"

/** A browser without locks, like every browser if another machine serves the wiki without https. */
const noLocks = 'delete Navigator.prototype.locks'

/** A form then waits 200 ms for other tabs; its own draft is stored after 300 ms. */
const slowToAsk = 'const wait = setTimeout; window.setTimeout = (act, time) => wait(act, time === 200 ? 1500 : time)'

const old = 'one\n\ntwo\n\nthree'

async function served(wiki: Wiki, port = 0) {
  const server = await serve(wiki, { port, pages: async () => handlePage, allowAnonymous: true })
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
    context = await startBrowser()
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
    await into.locator('.draft-status', { hasText: 'Draft stored' }).waitFor()
  }
  const kept = () => page.locator('#text').inputValue()
  const offers = (on: Page = page) => on.locator('.draft-offer')
  const draftCount = (on: Page): Promise<number> =>
    on.evaluate(`new Promise(done => {
      indexedDB.open('wiki').onsuccess = ({ target }) => {
        const drafts = target.result.transaction('drafts').objectStore('drafts')
        drafts.count().onsuccess = event => { target.result.close(); done(event.target.result) }
      }
    })`)
  const rawOf = async () => (await fetch(`${server.origin}/wiki/Tides?action=raw`)).text()
  const nameOfDrafts = async (): Promise<string> => {
    await open()
    return page.evaluate("JSON.parse(document.querySelector('form[data-ui-edit]').dataset.uiEdit).draft")
  }
  const save = () => page.getByRole('button', { name: 'Save', exact: true }).click()

  test('a draft is restored on request, and deleted when it is saved', { tags: 'long' }, async () => {
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
    expect(await offers().allTextContents()).toEqual([])
  })

  test('a new text does not discard an older draft', { tags: 'long' }, async () => {
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

  test('a draft survives a preview and a conflict, and is deleted with the saved choice', {
    tags: 'long',
  }, async () => {
    await open()
    await write('ONE\n\ntwo\n\nthree')
    await page.getByRole('button', { name: 'Show changes' }).click()
    await page.locator('.preview ins').first().waitFor()
    await edit(wiki, 'Tides', 'uno\n\ntwo\n\nthree', { base, author: bob })
    await save()
    await page.locator('fieldset').waitFor()
    expect(await page.locator('fieldset input:checked').count()).toBe(0)
    const other = await context.newPage()
    await open(other)
    await offers(other).waitFor()
    await other.close()
    await page.getByLabel('Yours', { exact: true }).check()
    await Promise.all([page.waitForURL(`${server.origin}/wiki/Tides`), page.keyboard.press('Control+s')])
    expect(await rawOf()).toBe('ONE\n\ntwo\n\nthree')
    await open()
    expect(await offers().count()).toBe(0)
  })

  test('a draft that is older than the page is merged with it', { tags: 'long' }, async () => {
    await open()
    await write('one\n\ntwo\n\nthree mine')
    await edit(wiki, 'Tides', 'theirs one\n\ntwo\n\nthree', { base, author: bob })
    await open()
    await page.getByRole('button', { name: 'Continue with the draft' }).click()
    await page.locator('.newer').waitFor()
    expect(await kept()).toBe('theirs one\n\ntwo\n\nthree mine')
  })

  test('an edit of another user is noticed while writing and merged, and the cursor stays', {
    tags: 'long',
  }, async () => {
    await open()
    await page.locator('#text').focus()
    await page.keyboard.press('Control+End')
    await page.keyboard.type(' mine')
    await edit(wiki, 'Tides', 'zero\n\none\n\ntwo\n\nthree', { base, author: bob })
    await page.locator('.newer', { hasText: `${bob.name} changed other parts` }).waitFor()
    await page.keyboard.type('!')
    expect(await kept()).toBe('zero\n\none\n\ntwo\n\nthree mine!')
    for (let times = 0; times < 10; times++) await page.keyboard.press('Control+z')
    expect(await kept()).toContain('zero\n\none')
    await page.keyboard.press('Control+End')
    await page.keyboard.type('?')
    await Promise.all([page.waitForURL(`${server.origin}/wiki/Tides`), save()])
    expect(await rawOf()).toMatch(/^zero\n\none\n\ntwo\n\nthree.*\?$/)
  })

  test('a server without a free stream is polled when the user returns to the window', { tags: 'long' }, async () => {
    await page.route('**/events', route => route.fulfill({ status: 503, body: '' }))
    await open()
    await write('one\n\ntwo\n\nthree mine')
    await edit(wiki, 'Tides', 'zero\n\none\n\ntwo\n\nthree', { base, author: bob })
    await page.evaluate('window.dispatchEvent(new Event("focus"))')
    await page.locator('.newer').waitFor()
    expect(await kept()).toBe('zero\n\none\n\ntwo\n\nthree mine')
  })

  test('an edit of the same words is reported before saving, and the text stays unchanged', async () => {
    await open()
    await write('one mine\n\ntwo\n\nthree')
    await edit(wiki, 'Tides', 'one theirs\n\ntwo\n\nthree', { base, author: bob })
    await page.locator('.newer.warning').waitFor()
    expect(await kept()).toBe('one mine\n\ntwo\n\nthree')
    await save()
    await page.locator('fieldset').waitFor()
  })

  test('an unreachable server loses nothing, and the same page saves when it returns', { tags: 'long' }, async () => {
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

  test('an expired session is renewed in the same form, and nothing is written twice', { tags: 'long' }, async () => {
    const { token } = await createToken(wiki, { name: bob.name, address: bob.address })
    const own = await serve(wiki, { port: 0, pages: async () => handlePage })
    const origin = own.url.replace(/\/v1$/, '')
    await page.goto(`${origin}/wiki/Tides?action=edit`)
    await write('one and only')
    await save()
    const notice = page.locator('.silence', { hasText: 'sign in' })
    await notice.waitFor()
    expect(await page.evaluate('document.activeElement.name')).toBe('login')
    await page.keyboard.type('wiki_wrong')
    await save()
    await page.locator('.silence', { hasText: 'token' }).waitFor()
    await page.getByLabel('Token').fill(token)
    expect(await kept()).toBe('one and only')
    // At this machine the page then has a path of its own before the address.
    await Promise.all([page.waitForURL(new RegExp(`^${origin}/~[^/]+/wiki/Tides$`)), save()])
    expect(await (await fetch(`${origin}/wiki/Tides?action=raw`)).text()).toBe('one and only')
    await own.close()
  })

  test('no response of a proxy, and no refusal, counts as a saved page', { tags: 'long' }, async () => {
    await open()
    await write('precious')
    const answers = {
      'a proxy that wants a sign-in': { status: 302, headers: { location: 'https://sso.example/login' } },
      'a page that a proxy shows instead': { status: 200, contentType: 'text/html', body: '<h1>Welcome</h1>' },
      'a server that is too busy': { status: 503, contentType: 'text/html', body: '<p>busy</p>' },
      'a text that is too large': { status: 413, contentType: 'text/plain', body: 'no' },
    }
    for (const [name, answer] of Object.entries(answers)) {
      await page.route(/action=submit/, route => route.fulfill(answer))
      await save()
      await page.locator('.silence', { hasText: 'was not saved' }).waitFor()
      expect([name, await kept(), await rawOf()]).toEqual([name, 'precious', old])
      await page.unroute(/action=submit/)
      await page.evaluate("document.querySelector('.silence').remove()")
    }
    await Promise.all([page.waitForURL(`${server.origin}/wiki/Tides`), save()])
    expect(await rawOf()).toBe('precious')
  })

  test('going back restores the text, which stays a draft', { tags: 'long' }, async () => {
    await open()
    await write('written before')
    await page.goto(`${server.origin}/wiki/Special:AllPages`)
    await page.goBack()
    expect(await kept()).toBe('written before')
    await page.locator('.draft-status', { hasText: 'Draft stored' }).waitFor()
    const other = await context.newPage()
    await open(other)
    await other.locator('.draft-offer', { hasText: 'another tab' }).waitFor()
    expect(await other.getByRole('button', { name: 'Discard the draft' }).count()).toBe(0)
    await page.close()
    await other.reload()
    await other.getByRole('button', { name: 'Compare' }).click()
    await other.locator('.draft-offer ins').waitFor()
    await other.getByRole('button', { name: 'Continue with the draft' }).click()
    expect(await other.locator('#text').inputValue()).toBe('written before')
    await other.close()
  })

  test('a summary alone is stored as a draft, and is deleted with its text', { tags: 'long' }, async () => {
    await open()
    await page.locator('input[name=summary]').fill('why I came')
    await page.locator('.draft-status', { hasText: 'Draft stored' }).waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Continue with the draft' }).click()
    expect(await page.locator('input[name=summary]').inputValue()).toBe('why I came')
    await write(`${old} more`)
    await Promise.all([page.waitForURL(`${server.origin}/wiki/Tides`), save()])
    await open()
    await page.locator('.draft-status').waitFor({ state: 'attached' })
    expect(await offers().count()).toBe(0)
  })

  test("a draft is offered at the new title of its page, and a section's above the whole page", {
    tags: 'long',
  }, async () => {
    await edit(wiki, 'Tides', 'lead\n\n== Ebb ==\nlow', { base, author: bob })
    await open()
    await write('precious lead\n\n== Ebb ==\nlow')
    await page.goto(`${server.origin}/wiki/Tides?action=edit&section=1`)
    await write('== Ebb ==\nprecious low')
    await page.goto(`${server.origin}/wiki/Special:AllPages`)
    await movePage(wiki, { from: 'Tides', to: 'Sea tides', redirect: true, comment: null, author: bob })
    await page.goto(`${server.origin}/wiki/Sea_tides?action=edit`)
    await offers().nth(1).waitFor()
    const offerOf = (whose: RegExp) => offers().filter({ hasText: whose })
    const goOn = (whose: RegExp) => offerOf(whose).getByRole('button', { name: 'Continue with the draft' }).click()
    await goOn(/unsaved draft from/)
    await expect.poll(kept).toBe('precious lead\n\n== Ebb ==\nlow')
    await goOn(/of a section/)
    await expect.poll(kept).toBe('lead\n\n== Ebb ==\nprecious low')
    await goOn(/unsaved draft from/)
    await expect.poll(kept).toBe('precious lead\n\n== Ebb ==\nlow')
  })

  test('text in the form becomes a draft of its own when another draft is restored', { tags: 'long' }, async () => {
    await open()
    await write('first thoughts')
    await open()
    await write('second thoughts')
    await page.getByRole('button', { name: 'Continue with the draft' }).click()
    await expect.poll(kept).toBe('first thoughts')
    await page.locator('.draft-status', { hasText: 'Draft stored' }).waitFor()
    await page.reload()
    await offers().nth(1).waitFor()
    const both: string[] = []
    for (const at of [0, 1]) {
      await page.getByRole('button', { name: 'Continue with the draft' }).nth(at).click()
      await expect.poll(kept).toMatch(/thoughts$/)
      both.push(await kept())
      await page.reload()
      await offers().nth(1).waitFor()
    }
    expect(both.sort()).toEqual(['first thoughts', 'second thoughts'])
  })

  test('a draft of a section that no longer exists is restored in the whole page', { tags: 'long' }, async () => {
    base = await edit(wiki, 'Tides', 'lead\n\n== Ebb ==\nlow', { base, author: bob })
    await page.goto(`${server.origin}/wiki/Tides?action=edit&section=1`)
    await write('== Ebb ==\nlow and precious')
    await page.goto(`${server.origin}/wiki/Special:AllPages`)
    await edit(wiki, 'Tides', 'lead\n\nEbb\nlow', { base, author: bob })
    await page.goto(`${server.origin}/wiki/Tides?action=edit&section=1`)
    await page.locator('.notice', { hasText: 'no longer has this section' }).waitFor()
    await page.getByRole('button', { name: 'Continue with the draft' }).click()
    await expect.poll(kept).toBe('lead\n\nEbb\nlow and precious')
  })

  test('text that going back restores is not offered again as a draft', { tags: 'long' }, async () => {
    await open()
    await page.locator('#text').fill('written in haste')
    await page.goto(`${server.origin}/wiki/Special:AllPages`)
    await page.goBack()
    await page.locator('.draft-status', { hasText: 'Draft stored' }).waitFor()
    expect([await kept(), await offers().count()]).toEqual(['written in haste', 0])
    await expect.poll(() => draftCount(page)).toBe(1)
    await page.goto(`${server.origin}/wiki/Special:Drafts`)
    await page.locator('[data-ui-drafts] li').waitFor()
  })

  test.each([
    ['kept by the browser', undefined, false],
    ['kept by the browser, with script', undefined, true],
    ['requested again', 'no-store', false],
    ['requested again, with script', 'no-store', true],
  ])(
    'text that going back restores keeps its revision: a form %s',
    { tags: 'long' },
    async (_, caching, javaScriptEnabled) => {
      const own = await context.browser()!.newContext({ javaScriptEnabled })
      await own.addInitScript("localStorage.setItem('wiki-box', 'plain')")
      const back = await own.newPage()
      if (caching !== undefined)
        await back.route(/action=edit/, async route => {
          const response = await route.fetch()
          await route.fulfill({ response, headers: { ...response.headers(), 'cache-control': caching } })
        })
      await open(back)
      await back.locator('#text').fill('one\n\ntwo\n\nthree mine')
      await back.goto(`${server.origin}/wiki/Special:AllPages`)
      await edit(wiki, 'Tides', 'theirs one\n\ntwo\n\nthree', { base, author: bob })
      await back.goBack()
      if (javaScriptEnabled) await back.locator('.newer', { hasText: `${bob.name} changed other parts` }).waitFor()
      await Promise.all([
        back.waitForURL(/\/wiki\/Tides$/),
        back.getByRole('button', { name: 'Save', exact: true }).click(),
      ])
      expect(await rawOf()).toBe('theirs one\n\ntwo\n\nthree mine')
      await own.close()
    },
  )

  test('going back to a saved form opens the current text', { tags: 'long' }, async () => {
    const save = (button: string) =>
      Promise.all([page.waitForURL(/\/wiki\/Tides$/), page.getByRole('button', { name: button, exact: true }).click()])
    await open()
    await page.locator('#text').fill('one\n\ntwo\n\nthree mine')
    await save('Save')
    await edit(wiki, 'Tides', 'one\n\ntwo\n\nthree theirs', { base: base + 1, author: bob })
    await page.goBack()
    await page.locator('#text', { hasText: 'three theirs' }).waitFor()
    await page.locator('#text').fill('one mine\n\ntwo\n\nthree theirs')
    await edit(wiki, 'Tides', 'one theirs\n\ntwo\n\nthree theirs', { base: base + 2, author: bob })
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByLabel('Yours', { exact: true }).check()
    await save('Save the chosen text')
    await edit(wiki, 'Tides', 'one at last\n\ntwo\n\nthree theirs', { base: base + 4, author: bob })
    await page.goBack()
    await page.locator('#text', { hasText: 'one at last' }).waitFor()
    expect([await kept(), await offers().count(), await draftCount(page)]).toEqual([await rawOf(), 0, 0])
  })

  test('a draft in a tab that does not respond is open there, and is offered when the tab is closed', {
    tags: 'long',
  }, async () => {
    await open()
    await write('written by a busy tab')
    const busy = page.evaluate('for (const end = Date.now() + 3000; Date.now() < end; );').catch(() => {})
    const other = await context.newPage()
    await open(other)
    await offers(other).filter({ hasText: 'another tab' }).waitFor()
    expect(await other.getByRole('button', { name: 'Continue with the draft' }).count()).toBe(0)
    await busy
    await page.close()
    await other.getByRole('button', { name: 'Continue with the draft' }).click()
    await expect.poll(() => other.locator('#text').inputValue()).toBe('written by a busy tab')
    await other.close()
  })

  test('without locks, tabs respond to each other', { tags: 'long' }, async () => {
    const own = await context.browser()!.newContext()
    await own.addInitScript(`localStorage.setItem('wiki-box', 'plain'); ${noLocks}; ${slowToAsk}`)
    const [one, other] = [await own.newPage(), await own.newPage()]
    await open(one)
    await write('written here', one)
    await open(other)
    await offers(other).filter({ hasText: 'another tab' }).waitFor()
    await one.close()
    await other.reload()
    await other.getByRole('button', { name: 'Continue with the draft' }).waitFor()
    await own.close()
  })

  test.for([
    ['', ''],
    [', without locks', noLocks],
  ] as const)('a duplicated tab has a draft of its own%s', { tags: 'long' }, async ([, without]) => {
    const own = await context.browser()!.newContext()
    await own.addInitScript(`localStorage.setItem('wiki-box', 'plain'); ${without}`)
    const [one, other] = [await own.newPage(), await own.newPage()]
    await open(one)
    await write('written in one tab', one)
    const id = await one.evaluate<string>("document.querySelector('input[name=draft]').value")
    // The browser gives the fields of the first tab to the second one, also those that no user sees.
    await other.addInitScript(
      `new MutationObserver(() => { const field = document.querySelector('input[name=draft][value=""]'); if (field) field.setAttribute('value', ${JSON.stringify(id)}) }).observe(document, { subtree: true, childList: true })`,
    )
    await open(other)
    await write('written in the other', other)
    await write('written in one tab, later', one)
    const texts =
      "new Promise(done => { indexedDB.open('wiki').onsuccess = ({ target }) => { target.result.transaction('drafts').objectStore('drafts').getAll().onsuccess = found => done(found.target.result.map(({ text }) => text).sort()) } })"
    await expect.poll(() => one.evaluate(texts)).toEqual(['written in one tab, later', 'written in the other'])
    await own.close()
  })

  test('text that going back restores is one draft, even where other tabs are asked slowly', {
    tags: 'long',
  }, async () => {
    const own = await context.browser()!.newContext()
    await own.addInitScript(`localStorage.setItem('wiki-box', 'plain'); ${noLocks}; ${slowToAsk}`)
    const slow = await own.newPage()
    await open(slow)
    await write('written in haste', slow)
    // The browser restores the text, but not the id of its draft.
    await slow.evaluate("document.querySelector('input[name=draft]').value = ''")
    await slow.goto(`${server.origin}/wiki/Special:AllPages`)
    await slow.goBack()
    await slow.locator('.draft-status', { hasText: 'Draft stored' }).waitFor()
    await expect.poll(() => draftCount(slow)).toBe(1)
    expect(await slow.locator('#text').inputValue()).toBe('written in haste')
    await own.close()
  })

  test('a browser without a database stores drafts too', { tags: 'long' }, async () => {
    const own = await context.browser()!.newContext()
    await own.addInitScript(
      "localStorage.setItem('wiki-box', 'plain'); localStorage.setItem('wiki-draft bad', 'no draft')",
    )
    await own.addInitScript(noDatabase)
    const locked = await own.newPage()
    await open(locked)
    await write('written', locked)
    await locked.reload()
    await locked.getByRole('button', { name: 'Continue with the draft' }).click()
    await expect.poll(() => locked.locator('#text').inputValue()).toBe('written')
    await own.close()
  })

  test('unrelated items in the other store hide no draft', { tags: 'long' }, async () => {
    const draft = { id: 'a', name: await nameOfDrafts(), text: 'waited', summary: '', minor: false, base, time: 1 }
    const waiting = JSON.stringify({
      'wiki-draft 0': '{"id"',
      'wiki-draft a': JSON.stringify(draft),
      'wiki-draft z': 'null',
    })
    await page.evaluate(`for (const [name, text] of Object.entries(${waiting})) localStorage.setItem(name, text)`)
    await page.reload()
    await page.getByRole('button', { name: 'Continue with the draft' }).click()
    await expect.poll(kept).toBe('waited')
    await page.evaluate("for (const name of ['0', 'z']) localStorage.removeItem(`wiki-draft ${name}`)")
  })

  test('no text can be typed that a running save would not include', { tags: 'long' }, async () => {
    await open()
    await write('ONE')
    let letGo = (): void => {}
    const held = new Promise<void>(resolve => {
      letGo = resolve
    })
    await page.route('**/*action=submit', async route => {
      await held
      await route.continue()
    })
    await page.locator('#text').press('Control+s')
    await page.locator('form[aria-busy]').waitFor()
    await page.keyboard.type(' lost')
    expect(await kept()).toBe('ONE')
    letGo()
    await page.waitForURL(`${server.origin}/wiki/Tides`)
    expect(await rawOf()).toBe('ONE')
  })

  test('the saved revision, merged into the form before it is left, is not a draft', { tags: 'long' }, async () => {
    await open()
    await write('ONE')
    // The page after the save loads slowly, so the stream of changes is faster.
    await page.route(`${server.origin}/wiki/Tides`, async route => {
      await new Promise(resolve => setTimeout(resolve, 3000))
      await route.continue()
    })
    await save()
    await page.waitForURL(`${server.origin}/wiki/Tides`)
    await open()
    await page.waitForTimeout(500)
    expect(await offers().allTextContents()).toEqual([])
  })

  test('a failed save returns the form with the cursor in place', { tags: 'long' }, async () => {
    await open()
    await write('ONE')
    await page.locator('#text').press('Control+End')
    await page.route('**/*action=submit', route => route.abort())
    await page.locator('#text').press('Control+s')
    await page.locator('.silence').waitFor()
    await page.keyboard.type(' more')
    expect(await kept()).toBe('ONE more')
  })

  test('no single key leaves a form', { tags: 'long' }, async () => {
    await open()
    await write('ONE')
    await page.evaluate('document.activeElement.blur()')
    for (const key of ['c', 'h', 'r', 'z']) await page.keyboard.press(key)
    await page.keyboard.press('?')
    await page.locator('dialog h2').waitFor()
    expect([page.url(), await kept()]).toEqual([`${server.origin}/wiki/Tides?action=edit`, 'ONE'])
  })

  test('a paste without usable content removes no character', { tags: 'long' }, async () => {
    await open()
    await page.evaluate(`{
      const field = document.querySelector('#text')
      field.setSelectionRange(3, 3)
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/html', '<b></b>')
      field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
    }`)
    await page.getByRole('button', { name: 'Paste with headings' }).click()
    await page.locator('.paste-offer').waitFor({ state: 'detached' })
    expect(await kept()).toBe(old)
  })

  test('a browser that cannot store drafts says so, and asks before the page is left', { tags: 'long' }, async () => {
    const own = await context.browser()!.newContext()
    await own.addInitScript(
      "localStorage.setItem('wiki-box', 'plain'); Storage.prototype.setItem = () => { throw new DOMException('no', 'SecurityError') }",
    )
    await own.addInitScript(noDatabase)
    const locked = await own.newPage()
    await open(locked)
    await locked.locator('#text').pressSequentially('x')
    await locked.locator('.draft-status', { hasText: 'cannot store drafts' }).waitFor()
    const asked: string[] = []
    locked.on('dialog', dialog => {
      asked.push(dialog.type())
      void dialog.dismiss()
    })
    await locked.evaluate('location.href = "/wiki/Special:AllPages"').catch(() => {})
    await expect.poll(() => asked).toEqual(['beforeunload'])
    expect(await locked.locator('#text').inputValue()).toContain('x')
    await own.close()
  })

  test('choices and texts at conflicts are stored like a draft', { tags: 'long' }, async () => {
    await open()
    await write('ONE\n\ntwo\n\nthree')
    await edit(wiki, 'Tides', 'uno\n\ntwo\n\nthree', { base, author: bob })
    await save()
    await page.locator('textarea[name=edit-1]').fill('one, put well')
    await page.locator('.chosen-count', { hasText: '1 of 1' }).waitFor()
    await page.locator('.draft-status', { hasText: 'Draft stored' }).waitFor()
    await page.close()
    page = await context.newPage()
    await open()
    await page.getByRole('button', { name: 'Continue with the draft' }).click()
    await page.locator('.newer.warning').waitFor()
    await save()
    await page.locator('fieldset').waitFor()
    await expect.poll(() => page.locator('textarea[name=edit-1]').inputValue()).toBe('one, put well')
    await page.getByRole('button', { name: 'Preview of the result' }).click()
    await page.locator('.preview', { hasText: 'one, put well' }).waitFor()
    await Promise.all([
      page.waitForURL(`${server.origin}/wiki/Tides`),
      page.getByRole('button', { name: 'Save the chosen text' }).click(),
    ])
    expect(await rawOf()).toBe('one, put well\n\ntwo\n\nthree')
  })

  test('keys choose sides at conflicts', { tags: 'long' }, async () => {
    await open()
    await write('ONE\n\ntwo\n\nTHREE')
    await edit(wiki, 'Tides', 'uno\n\ntwo\n\ntres', { base, author: bob })
    await save()
    await page.locator('fieldset').first().waitFor()
    await page.locator('.chosen-count').waitFor()
    await page.evaluate("localStorage.setItem('keys', 'off')")
    for (const key of ['j', '2']) await page.keyboard.press(key)
    expect(await page.locator('fieldset input:checked').count()).toBe(0)
    await page.evaluate("localStorage.removeItem('keys')")
    for (const key of ['j', '2', 'j', '3']) await page.keyboard.press(key)
    await page.locator('.chosen-count', { hasText: '2 of 2' }).waitFor()
    await Promise.all([
      page.waitForURL(`${server.origin}/wiki/Tides`),
      page.getByRole('button', { name: 'Save the chosen text' }).click(),
    ])
    expect(await rawOf()).toBe('ONE\n\ntwo\n\ntres\nTHREE')
  })

  test('a page that was moved meanwhile is saved at its new title', { tags: 'long' }, async () => {
    await open()
    await write('one\n\ntwo mine\n\nthree')
    await movePage(wiki, { from: 'Tides', to: 'Ebb and flow', comment: null, author: bob })
    await page.locator('.newer', { hasText: 'moved to Ebb and flow' }).waitFor()
    await Promise.all([page.waitForURL(/action=submit/), save()])
    await Promise.all([page.waitForURL(`${server.origin}/wiki/Ebb_and_flow`), save()])
    expect(await (await fetch(`${server.origin}/wiki/Ebb_and_flow?action=raw`)).text()).toContain('two mine')
  })

  test('a text that is typed without a pause is stored meanwhile', { tags: 'long' }, async () => {
    await open()
    await page.locator('#text').focus()
    const end = Date.now() + 60_000
    while ((await draftCount(page)) === 0 && Date.now() < end) await page.keyboard.type('0123456789', { delay: 60 })
    expect(await draftCount(page)).toBe(1)
  })

  test('a draft survives a killed browser', { tags: 'long', timeout: 300_000 }, async () => {
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
    removeFolder(profile)
  })
})
