/** The pages for browsers in a real one: they fit every screen, run nothing of a text, and are used by the keyboard alone. */

import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rounds } from '../_rounds.ts'
import { create, edit, newWiki } from '../operations/_wiki.ts'
import { hasBrowser, startBrowser, whereBrowser } from './_chromium.ts'
import { pagePaths, served, tidesWiki } from './_pages.ts'
import { lineAttacks, markdownAttacks, nameAttacks, wikitextAttacks } from './attacks.ts'

/** Runs in a page: lists what is wrong with it at this size. */
const faultsHere = `(() => {
  const faults = []
  const root = document.documentElement
  if (root.scrollWidth > root.clientWidth) {
    const wide = [...document.querySelectorAll('body *')].filter(one => one.getBoundingClientRect().right > root.clientWidth + 1)
    faults.push('it is ' + root.scrollWidth + ' wide: ' + wide.slice(0, 3).map(one => one.tagName + '.' + one.className).join(', '))
  }
  if (document.querySelectorAll('h1').length !== 1) faults.push('h1')
  for (const one of document.querySelectorAll('a, button, input:not([type=hidden]), select, textarea, summary')) {
    const name = one.getAttribute('aria-label') ?? one.labels?.[0]?.textContent ?? one.textContent
    const picture = one.querySelector?.('img[alt]:not([alt=""])')
    if (name.trim() === '' && picture === null) faults.push('no name: ' + one.outerHTML.slice(0, 100))
  }
  return faults
})()`

describe.skipIf(!hasBrowser)(`the pages in a browser (${whereBrowser})`, () => {
  let context: BrowserContext
  let page: Page
  const events: string[] = []

  beforeAll(async () => {
    context = await startBrowser([])
    await context.exposeBinding('xss', () => void events.push('a script ran'))
    await context.addInitScript(
      "for (const name of ['alert', 'confirm', 'prompt', 'print']) window[name] = () => window.xss()",
    )
    page = await context.newPage()
    page.on('console', message => {
      const isStatus = /Failed to load resource: the server responded with a status of/.test(message.text())
      if (message.type() === 'error' && !isStatus) events.push(`${page.url()}: ${message.text()}`)
    })
    page.on('request', request => {
      if (!/^(?:http:\/\/127\.0\.0\.1:|data:)/.test(request.url())) events.push(`a request: ${request.url()}`)
    })
  }, 60_000)

  afterAll(async () => context?.close())

  test.each(['en', 'ar'])('fit every screen, in %s', { timeout: 300_000 }, async language => {
    const { origin, close } = await served(await tidesWiki(language))
    const faults: string[] = []
    // Slow: each address takes the browser 0.1 s of CPU. What the direction of writing changes is common to all pages.
    for (const path of language === 'en' ? pagePaths : pagePaths.filter((_, at) => at % rounds(3, 1) === 0)) {
      await page.goto(origin + path)
      for (const width of [1280, 375, 320]) {
        await page.setViewportSize({ width, height: 700 })
        const found = await page.evaluate<string[]>(faultsHere)
        faults.push(...found.map(fault => `${path} at ${width}: ${fault}`))
      }
    }
    await close()
    expect(faults).toEqual([])
    expect(events.splice(0)).toEqual([])
  })

  test('run nothing of what strangers wrote, and ask no other host', { timeout: 300_000 }, async () => {
    const { wiki } = await newWiki({}, { name: '"><script>xss()</script>' })
    const texts = [...wikitextAttacks, ...markdownAttacks]
    const chosen = texts.filter((_, at) => at % Math.max(1, Math.floor(texts.length / rounds(12, 400))) === 0)
    const lines = [...lineAttacks].slice(0, chosen.length)
    const ids: number[] = []
    for (const [at, attack] of chosen.entries()) {
      const name = (lines[at % lines.length] ?? 'x').replace(/[<>\n]/g, '') || 'x'
      const author = { name, address: 'x@example.org' }
      ids.push(await create(wiki, `A/${at}`, attack, { comment: lines[at % lines.length] ?? null, author }))
      await edit(wiki, `A/${at}`, `word ${attack}`, { base: ids[at]!, author })
    }
    const { origin, close } = await served(wiki)
    const names = nameAttacks.slice(0, rounds(8, 30)).map(name => encodeURIComponent(name))
    const addresses = [
      ...chosen.map((_, at) => `/wiki/A/${at}`),
      ...chosen.flatMap((_, at) =>
        at % 4 === 0
          ? [`/wiki/A/${at}?action=history`, `/wiki/A/${at}?diff=cur&oldid=${ids[at]}`, `/wiki/A/${at}?action=edit`]
          : [],
      ),
      ...names.flatMap(name => [`/wiki/${name}`, `/wiki/Special:Search?search=${name}`]),
      '/wiki/Special:RecentChanges?limit=500',
      '/wiki/Special:AllPages',
    ]
    for (const address of addresses) {
      const answer = await page.goto(origin + address)
      expect(answer?.headers()['content-security-policy'], address).toContain("base-uri 'none'")
    }
    await close()
    // Policies that stop something tell the console; that nothing ran is the point.
    expect(events.splice(0).filter(event => !/Content Security Policy|Refused to/.test(event))).toEqual([])
  })

  test('are read and searched by the keyboard alone', { timeout: 120_000 }, async () => {
    const { origin, close } = await served(await tidesWiki('en'))
    await page.setViewportSize({ width: 1280, height: 700 })
    await page.goto(`${origin}/wiki/Tides`)
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.getAttribute("href")')).toBe('#content')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.closest("main") !== null')).toBe(true)
    await page.goto(`${origin}/wiki/Tides`)
    for (let times = 0; times < 3; times++) await page.keyboard.press('Tab')
    await page.keyboard.type('fog')
    await Promise.all([page.waitForURL(/Special:Search/), page.keyboard.press('Enter')])
    expect(await page.textContent('h1')).toContain('fog')
    await close()
    expect(events.splice(0)).toEqual([])
  })

  test('are printed without what only a screen needs', { timeout: 60_000 }, async () => {
    const { origin, close } = await served(await tidesWiki('en'))
    await page.goto(`${origin}/wiki/Tides`)
    await page.emulateMedia({ media: 'print' })
    const hidden = `['.top', '.tabs', '.contents', '.edit-section'].filter(name => getComputedStyle(document.querySelector(name)).display !== 'none')`
    expect(await page.evaluate(hidden)).toEqual([])
    await page.emulateMedia({ media: null })
    await close()
    events.splice(0)
  })
})
