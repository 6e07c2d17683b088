// @module-tag long
/**
 * Script additions to a page for reading: previews, the mark in the contents, single keys, stored choices, local times.
 */

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSignInCode } from '../../src/http/sign-in-code.ts'
import { ada, commitFiles, create, newWiki } from '../operations/_wiki.ts'
import { hasBrowser, startBrowser, whereBrowser } from './_chromium.ts'
import { served } from './_pages.ts'

const long = 'Water comes and goes.\n\n'.repeat(60)
const tides = `Lead with [[Fog]] and [[Nowhere]] and [[Mist]].<ref>An ''almanac'' of [[Fog]]</ref>\n\n${['One', 'Two', 'Three', 'Four'].map(name => `== ${name} ==\n${long}`).join('')}\n<references/>`

/** Light grounds of all hues, as authors write them: in cells, rows and boxes, with links and code on them. */
const coloured = Array.from({ length: 12 }, (_, at) => {
  const ground = `#${[0, 4, 8].map(third => Math.round(215 + 40 * Math.cos(((at + third) * Math.PI) / 6)).toString(16)).join('')}`
  const words = 'words, [[Fog]], [[Nowhere]], [https://example.org out], <code>code</code>, <small>small</small>'
  return `{| class="wikitable" bgcolor="${ground}"
|- style="background: ${ground}"
| ${words} || bgcolor="${ground}" | ${words}
! style="background-color:${ground};" | ${words}
|}
<div style="background:${ground}">${words}</div>`
}).join('\n')

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

describe.skipIf(!hasBrowser)(`reading with script (${whereBrowser})`, () => {
  let context: BrowserContext
  let site: Awaited<ReturnType<typeof served>>
  let page: Page
  const messages: string[] = []
  const signIn = createSignInCode(ada)

  beforeAll(async () => {
    context = await startBrowser()
    const { wiki } = await newWiki({
      'Main Page': 'hello',
      Fog: "{| class=wikitable\n| a table\n|}\n'''Fog''' hides <b onclick=\"x\">the [[pier]]</b>.\n\nMore.",
      Mist: '#REDIRECT [[Fog]]',
    })
    await create(wiki, 'Tides', tides)
    await create(wiki, 'Colours', coloured)
    site = await served(wiki, { signIn })
  })
  afterAll(async () => {
    await context?.close()
    await site?.close()
  })

  const open = async (path: string): Promise<void> => {
    await page?.close()
    page = await context.newPage()
    await page.clock.install()
    page.on('console', message => message.type() === 'error' && messages.push(message.text()))
    await page.setViewportSize({ width: 1280, height: 700 })
    await page.goto(site.origin + path)
  }
  const preview = () => page.locator('#ui--preview')

  test('the search box becomes narrower before the name of the wiki is shortened', { tags: 'long' }, async () => {
    await open('/wiki/Tides')
    for (const width of [320, 640, 700, 960]) {
      await page.setViewportSize({ width, height: 500 })
      const isWhole = await page.evaluate(
        "(() => { const home = document.querySelector('.home'); return home.scrollWidth <= home.clientWidth })()",
      )
      expect([width, isWhole]).toEqual([width, true])
    }
  })

  test.each(['/wiki/Fog', '/wiki/Fog?action=authors'])(
    'the sidebar covers nothing of %s',
    { tags: 'long' },
    async path => {
      const { wiki } = await newWiki({ Fog: 'x' })
      await commitFiles(wiki, { '_Sidebar.md': '[Fog](Fog)' })
      const own = await served(wiki)
      const other = await context.newPage()
      await other.setViewportSize({ width: 1280, height: 700 })
      await other.goto(own.origin + path)
      const [side, text] = await Promise.all(['.sidebar', 'main'].map(part => other.locator(part).boundingBox()))
      await other.close()
      await own.close()
      const { x, y } = side!
      expect(x + side!.width <= text!.x || y >= text!.y + text!.height).toBe(true)
    },
  )

  test('a paragraph of Markdown has the direction of its first letter, or the one that its author gave', {
    tags: 'long',
  }, async () => {
    const { wiki } = await newWiki()
    await commitFiles(wiki, {
      'Book.md':
        'كتاب <b>a</b> <i>ب</i>\n\n- كتاب <b>a</b> <i>ب</i>\n\na <b>ب</b> <i>c</i>\n\n<div dir="ltr">\n\nكتاب <b>a</b> <i>ب</i>\n\n</div>\n',
    })
    const own = await served(wiki)
    const other = await context.newPage()
    await other.goto(`${own.origin}/wiki/Book`)
    const places = await other.evaluate(
      "[...document.querySelectorAll('.content b')].map(b => Math.sign(b.nextElementSibling.getBoundingClientRect().x - b.getBoundingClientRect().x))",
    )
    await other.close()
    await own.close()
    expect(places).toEqual([-1, -1, 1, 1])
  })

  test('forced colours leave the line below the tabs whole', { tags: 'long' }, async () => {
    await open('/wiki/Tides')
    await page.emulateMedia({ forcedColors: 'active' })
    const widths = await page.evaluate(
      "[...document.querySelectorAll('.tabs > a')].map(tab => getComputedStyle(tab).borderBottomWidth)",
    )
    expect(widths).toEqual(['2px', '0px', '0px'])
  })

  test("shows the beginning of a linked page, and of a redirect's target", { tags: 'long' }, async () => {
    await open('/wiki/Tides')
    for (const name of ['Fog', 'Mist']) {
      await page.mouse.move(0, 0)
      await preview().waitFor({ state: 'hidden' })
      await page.locator('.content').getByRole('link', { name, exact: true }).first().hover()
      await preview().waitFor({ state: 'visible' })
      expect(await preview().textContent()).toBe('FogFog hides the pier.')
    }
    expect(await page.getByRole('link', { name: 'Mist' }).getAttribute('aria-describedby')).toBe('ui--preview')
    await page.keyboard.press('Escape')
    expect(await preview().isVisible()).toBe(false)
    await page.getByRole('link', { name: 'Nowhere' }).hover()
    await page.clock.runFor(500)
    expect(await preview().isVisible()).toBe(false)
  })

  test('shows a note, which stays while the pointer is over it', { tags: 'long' }, async () => {
    await open('/wiki/Tides')
    await page.locator('.reference a').hover()
    await preview().waitFor({ state: 'visible' })
    expect(await preview().textContent()).toContain('An almanac of Fog')
    await preview().getByRole('link', { name: 'Fog' }).hover()
    await page.clock.runFor(400)
    expect(await preview().isVisible()).toBe(true)
    await page.locator('.reference a').focus()
    expect(
      await page
        .locator('[id]')
        .evaluateAll(all => new Set(all.map(one => (one as { id: string }).id)).size === all.length),
    ).toBe(true)
  })

  test('names the reader who has signed in, in the menu of every page', { tags: 'long' }, async () => {
    const inMenu = async (): Promise<string | null> => {
      await page.locator('.top .menu summary').click()
      return page.locator('.top .menu [data-ui-session]').textContent()
    }
    await open(`/wiki/Special:UserLogin?code=${signIn.code}&returnto=Tides`)
    expect(await inMenu()).toBe('Sign in')
    await page.locator('main button').click()
    await page.waitForURL(/\/~[\w-]+\/wiki\/Tides$/)
    await page.locator('.top .menu summary').click()
    await page.locator('.top .menu').getByRole('link', { name: ada.name }).click()
    await page.waitForURL(/Special:UserLogin/)
    expect(await inMenu()).toBe(ada.name)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL(`${site.origin}/wiki/Main_Page`)
    expect(await inMenu()).toBe('Sign in')
  })

  test('marks the section being read, and keeps the contents in view', { tags: 'long' }, async () => {
    await open('/wiki/Tides')
    await page.evaluate("scrollTo(0, document.getElementById('Three').offsetTop + 400)")
    await page.locator('.contents [aria-current]', { hasText: 'Three' }).waitFor()
    expect(await page.locator('.contents [aria-current]').count()).toBe(1)
    const place = await page.locator('.contents [aria-current]').boundingBox()
    expect(place?.y).toBeLessThan(700)
    expect(place?.y).toBeGreaterThan(0)
  })

  test('accepts single keys outside of fields, unless they are switched off', { tags: 'long' }, async () => {
    await open('/wiki/Tides')
    await page.keyboard.press('/')
    await page.keyboard.type('he')
    expect(await page.locator('.top .search input').inputValue()).toBe('he')
    await page.keyboard.press('Escape')
    await page.evaluate('document.activeElement.blur()')
    await page.keyboard.press('?')
    await page.locator('dialog h2').waitFor()
    await page.keyboard.press('h')
    await page.keyboard.press('Escape')
    await page.locator('dialog').waitFor({ state: 'detached' })
    await Promise.all([page.waitForURL(/action=history/), page.keyboard.press('h')])
    await page.locator('.top .menu summary').click()
    await page.getByLabel('Single-key shortcuts').uncheck()
    await page.keyboard.press('Escape')
    expect(await page.locator('.top .menu[open]').count()).toBe(0)
    await page.evaluate('document.activeElement.blur()')
    await page.keyboard.press('c')
    await page.clock.runFor(200)
    expect(page.url()).toContain('action=history')
    await page.evaluate("localStorage.removeItem('keys')")
  })

  test('applies the chosen appearance before the first paint', { tags: 'long' }, async () => {
    await open('/wiki/Tides')
    await page.locator('.top .menu summary').click()
    await page.getByLabel('Appearance').selectOption('dark')
    const ground = 'getComputedStyle(document.body).backgroundColor'
    const dark = await page.evaluate(ground)
    expect(dark).toBe('rgb(22, 24, 28)')
    await page.goto(`${site.origin}/wiki/Fog`, { waitUntil: 'commit' })
    await page.waitForFunction('document.body !== null')
    expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark')
    expect(await page.evaluate(ground)).toBe(dark)
    await page.evaluate("localStorage.removeItem('theme')")
  })

  test('keeps the colours of authors readable, light and dark', { tags: 'long' }, async () => {
    await open('/wiki/Colours')
    await page.evaluate(axe)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      const { violations } = await page.evaluate<AxeResults>(
        'axe.run({ include: [".content"] }, { runOnly: ["color-contrast"], resultTypes: ["violations"] })',
      )
      expect(violations.flatMap(({ nodes }) => nodes.map(({ html }) => html)).slice(0, 3), colorScheme).toEqual([])
    }
  })

  test('offers a search of the texts as the last suggestion', { tags: 'long' }, async () => {
    await open('/wiki/Tides')
    await page.keyboard.press('/')
    // On a loaded machine the index may not be ready: the last key is pressed again until the response contains the
    // page.
    await page.keyboard.type('fo')
    const fog = page.getByRole('option', { name: 'Fog' })
    const isOffered = async (): Promise<boolean> => {
      if (await fog.isVisible()) return true
      await page.keyboard.press('Backspace')
      await page.keyboard.type('o')
      return false
    }
    await expect.poll(isOffered, { interval: 2000 }).toBe(true)
    await page.keyboard.press('ArrowUp')
    await Promise.all([page.waitForURL(/Special:Search\?search=fo$/), page.keyboard.press('Enter')])
  })

  test("shows times in the reader's time zone", { tags: 'long' }, async () => {
    const other = await context.browser()!.newContext({ timezoneId: 'Asia/Tokyo', locale: 'en-US' })
    const tab = await other.newPage()
    await tab.goto(`${site.origin}/wiki/Tides`)
    const [shown, moment] = await tab
      .locator('.last-edit time')
      .evaluate(one => [
        one.textContent,
        new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'Asia/Tokyo' }).format(
          new Date(one.getAttribute('datetime') ?? ''),
        ),
      ])
    expect(shown).toBe(moment)
    await other.close()
    await page.close()
    expect(messages.filter(text => !/status of 404/.test(text))).toEqual([])
  })
})
