// @module-tag long
/** Texts with every name that the scripts search for, and with addresses that cannot be decoded: no script fails, and each still works. */

import { readdirSync, readFileSync } from 'node:fs'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSignInCode } from '../../src/http/sign-in-code.ts'
import { ada, commitFiles, create, newWiki } from '../operations/_wiki.ts'
import { hasBrowser, startBrowser, whereBrowser } from './_chromium.ts'
import { served } from './_pages.ts'

const scripts = new URL('../../src/web/client/', import.meta.url)
const source = readdirSync(scripts, { recursive: true, encoding: 'utf8' })
  .filter(name => name.endsWith('.ts'))
  .map(name => readFileSync(new URL(name, scripts), 'utf8'))
  .join('\n')

/** Names in the selectors of the scripts, and those that they make themselves. */
const namesIn = (pattern: RegExp): string[] => [...new Set([...source.matchAll(pattern)].map(([, name]) => name!))]
const classes = namesIn(/\.([a-z][a-z-]+)(?=[\s.,:>'"[\])])/g)
const ids = [...namesIn(/id: '([^']+)'/g), ...namesIn(/#([a-z][a-z-]+)/g), ...namesIn(/\bid = '([^']+)'/g)]
const datas = [
  ...namesIn(/\[(data-[a-z-]+)/g),
  ...namesIn(/dataset\.(\w+)/g).map(name => `data-${name.replace(/[A-Z]/g, sign => `-${sign.toLowerCase()}`)}`),
  ...['data-edit', 'data-live', 'data-drafts', 'data-session', 'data-choice', 'data-part'],
]
/** Names of things of a window, which an element with that id covers where the browser lacks them. */
const globals = ['trustedTypes', 'indexedDB', 'locks', 'navigator', 'localStorage', 'reportError', 'cite_note-x']

const links = ['#%E0%A4%A', '#%', '#%%%', '#%ff%fe', '#cite_note-%E0%A4%A', '#ui--content', '%zz#%zz', '#x:~:text=%E0']
const elementsWith = (attributes: string): string =>
  `<div ${attributes}>words <span ${attributes}>more</span> <time ${attributes} datetime="2020-01-01T12:00:00Z">noon</time> <time datetime="T">T</time> ${links.map(link => `[[${link}|x]]`).join(' ')} [[Fog%E0%A4%A|x]] [[Fog]]</div>\n`
const hostile = [
  `class="${classes.join(' ')}"`,
  ...['{', '1', ''].map(value => datas.map(name => `${name}="${value}"`).join(' ')),
  ...[...ids, ...globals].map(id => `id="${id}"`),
]
  .map(elementsWith)
  .join('')
const sections = ['One', 'Two', 'Three', 'Four'].map(name => `== ${name} ==\n${'Water comes and goes.\n\n'.repeat(60)}`)

describe.skipIf(!hasBrowser)(`forged parts (${whereBrowser})`, () => {
  let context: BrowserContext
  let site: Awaited<ReturnType<typeof served>>
  const errors: string[] = []
  const signIn = createSignInCode(ada)

  beforeAll(async () => {
    context = await startBrowser()
    const { wiki } = await newWiki({ Fog: "'''Fog''' hides the pier." })
    await create(wiki, 'Tides', `${hostile}${sections.join('')}`)
    const markdown = `${hostile.replace(/\[\[(.*?)\|x\]\]/g, '<a href="$1">x</a> [x]($1)')}\n\n${sections.join('').replaceAll(/== (\w+) ==/g, '# $1\n')}`
    const beside = Object.fromEntries(['_Sidebar', '_Header', '_Footer'].map(name => [`${name}.wiki`, hostile]))
    await commitFiles(wiki, { 'Mark.md': markdown, ...beside })
    await wiki.store.refresh()
    site = await served(wiki, { signIn })
  })
  afterAll(async () => {
    await context?.close()
    await site?.close()
  })

  async function open(path: string): Promise<Page> {
    const page = await context.newPage()
    page.on('pageerror', error => errors.push(`${path}: ${error.message}`))
    await page.setViewportSize({ width: 1280, height: 700 })
    // Its scripts have run when it is loaded. A page that shows new changes keeps a connection open, so the network is never idle.
    await page.goto(site.origin + path)
    return page
  }

  test('the names of the scripts are found', () => {
    expect([classes.length > 10, ids.length > 3, datas.length > 10]).toEqual([true, true, true])
  })

  test('a page is read with all additions of the script', async () => {
    for (const path of ['/wiki/Tides', '/wiki/Mark']) {
      const page = await open(path)
      const searchBox = page.locator('header.top input[type="search"]')
      await page.evaluate("document.querySelector('nav.contents details').open = true")
      await page.locator('nav.contents a', { hasText: 'Two' }).first().click()
      await page.locator('nav.contents a[aria-current]', { hasText: 'Two' }).waitFor()
      await page.keyboard.press('/')
      expect(await searchBox.evaluate('this === document.activeElement || document.activeElement.name')).toBeTruthy()
      await page.keyboard.type('Fo')
      await page.locator('header.top [role="option"]', { hasText: 'Fog' }).waitFor()
      await page.keyboard.press('Escape')
      await page.locator('header.top .menu summary').click()
      expect(await page.locator('header.top select').isVisible()).toBe(true)
      await page.keyboard.press('Escape')
      expect(await page.locator('header.top select').isVisible()).toBe(false)
      // The author's times are the author's words.
      expect(await page.locator('time', { hasText: 'noon' }).count()).toBeGreaterThan(10)
      // Markdown has no links inside HTML.
      if (path === '/wiki/Tides') {
        await page.locator('main [data-ui-text] a', { hasText: /^Fog$/ }).last().hover()
        await page.locator('[role="tooltip"]', { hasText: 'hides the pier' }).waitFor()
      }
      for (const link of await page.locator('main [data-ui-text] a', { hasText: /^x$/ }).all())
        await link.dispatchEvent('pointerover')
      await page.locator('h1').click()
      await page.keyboard.press('?')
      await page.locator('dialog table').waitFor()
      await page.close()
    }
    expect(errors).toEqual([])
  })

  test('lists, histories and forms start beside such a text', async () => {
    const signedIn = await open(`/wiki/Special:UserLogin?code=${signIn.code}`)
    await Promise.all([signedIn.waitForURL(url => !url.search), signedIn.locator('main form button').click()])
    await signedIn.close()
    const paths = ['Special:RecentChanges', 'Special:Drafts', 'Special:Keys', 'Tides?action=history', 'Special:Tokens']
    for (const path of paths) await (await open(`/wiki/${path}`)).close()
    const list = await open('/wiki/Special:RecentChanges')
    await list.locator('main button', { hasText: 'Show new changes' }).click()
    await list.close()
    const page = await open('/wiki/Tides?action=edit')
    await page.locator('button[value="preview"]').first().click()
    await page.locator('.preview time', { hasText: 'noon' }).first().waitFor()
    await page.close()
    expect(errors).toEqual([])
  })
})
