// @module-tag long
/**
 * The pages for browsers in a real one: they run nothing from a text, work with the keyboard alone, can be printed, and can be
 * read at 400 %.
 */

import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addFile } from '../../src/operations/add-file.ts'
import type { Wiki } from '../../src/operations/wiki.ts'
import { rounds } from '../_rounds.ts'
import { ada, create, edit, newWiki } from '../operations/_wiki.ts'
import { hasBrowser, startBrowser, whereBrowser } from './_chromium.ts'
import { served, tidesWiki } from './_pages.ts'
import { lineAttacks, markdownAttacks, nameAttacks, wikitextAttacks } from './attacks.ts'

/** A drawing that would send a request as a separate document or within a page. */
const hostileDrawing = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9" onload="xss()"><script>xss()</script></svg>',
)

describe.skipIf(!hasBrowser)(`the pages in a browser (${whereBrowser})`, () => {
  let context: BrowserContext
  let page: Page
  const events: string[] = []

  beforeAll(async () => {
    context = await startBrowser()
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
  })

  afterAll(async () => context?.close())

  /**
   * Serves a wiki; the browser leaves the page before it closes, because a request without a response is an event of a later
   * test.
   */
  async function open(wiki: Wiki) {
    const { origin, close } = await served(wiki)
    const leave = async (): Promise<void> => {
      await page.goto('about:blank')
      await close()
    }
    return { origin, leave }
  }

  test('run no script from page content, and request no other host', {
    tags: ['rounds', 'long'],
    timeout: 600_000,
  }, async () => {
    const { wiki } = await newWiki({}, { name: '"><script>xss()</script>' })
    const texts = [...wikitextAttacks, ...markdownAttacks]
    const chosen = texts.filter((_, at) => at % Math.max(1, Math.floor(texts.length / rounds(6, 16, 40))) === 0)
    const lines = [...lineAttacks].slice(0, chosen.length)
    const ids: number[] = []
    for (const [at, attack] of chosen.entries()) {
      const name = (lines[at % lines.length] ?? 'x').replace(/[<>\n]/g, '') || 'x'
      const author = { name, address: 'x@example.org' }
      ids.push(await create(wiki, `A/${at}`, attack, { comment: lines[at % lines.length] ?? null, author }))
      await edit(wiki, `A/${at}`, `word ${attack}`, { base: ids[at]!, author })
    }
    await addFile(wiki, { name: 'A.svg', content: hostileDrawing, comment: '<script>xss()</script>', author: ada })
    const { origin, leave } = await open(wiki)
    const names = nameAttacks.slice(0, rounds(4, 8, 16)).map(name => encodeURIComponent(name))
    const actions = ['history', 'edit', 'authors', 'links', 'info', 'lead', 'raw'].map(action => `action=${action}`)
    const addresses = [
      ...chosen.map((_, at) => `/wiki/A/${at}`),
      ...chosen.flatMap((_, at) =>
        at % 4 === 0
          ? [...actions.map(action => `/wiki/A/${at}?${action}`), `/wiki/A/${at}?diff=cur&oldid=${ids[at]}`]
          : [],
      ),
      ...names.flatMap(name => [`/wiki/${name}`, `/wiki/Special:Search?search=${name}`]),
      '/wiki/Special:RecentChanges?limit=500',
      '/wiki/Special:AllPages',
      '/wiki/Special:ListFiles',
      '/wiki/Special:Lists/wanted',
      '/wiki/Special:Statistics',
      '/wiki/Special:RecentChanges?feed=atom',
      '/wiki/File:A.svg',
    ]
    for (const address of addresses) {
      const answer = await page.goto(origin + address)
      expect(answer?.headers()['content-security-policy'], address).toMatch(/base-uri 'none'|sandbox$/)
    }
    await leave()
    // Policies that block something report to the console; the test is that nothing ran.
    expect(events.splice(0).filter(event => !/Content Security Policy|Refused to/.test(event))).toEqual([])
  })

  test('are read and searched by the keyboard alone', { tags: 'long' }, async () => {
    const { origin, leave } = await open(await tidesWiki('en'))
    await page.setViewportSize({ width: 1280, height: 700 })
    await page.goto(`${origin}/wiki/Tides`)
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.getAttribute("href")')).toBe('#ui--content')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.closest("main") !== null')).toBe(true)
    await page.goto(`${origin}/wiki/Tides`)
    for (let times = 0; times < 3; times++) await page.keyboard.press('Tab')
    await page.keyboard.type('fog')
    await Promise.all([page.waitForURL(/Special:Search/), page.keyboard.press('Enter')])
    expect(await page.textContent('h1')).toContain('fog')
    await leave()
    expect(events.splice(0)).toEqual([])
  })

  test('run nothing from a link preview or a note in it', {
    tags: ['rounds', 'long'],
    timeout: 300_000,
  }, async () => {
    const chosen = wikitextAttacks.filter(
      (_, at) => at % Math.max(1, Math.floor(wikitextAttacks.length / rounds(6, 8, 16))) === 0,
    )
    const { wiki } = await newWiki(Object.fromEntries(chosen.map((attack, at) => [`P/${at}`, attack])))
    const links = chosen.map((attack, at) => `* [[P/${at}]] <ref>${attack}</ref>`).join('\n')
    await create(wiki, 'Links', `${links}\n<references/>`)
    const { origin, leave } = await open(wiki)
    await page.setViewportSize({ width: 1280, height: 700 })
    await page.goto(`${origin}/wiki/Links`)
    let shown = 0
    const preview = page.locator('#ui--preview')
    const previewed = '.content a[href^="/wiki/P/"]:not(.new, :has(img)), .reference a'
    for (const link of await page.locator(previewed).all()) {
      if (!(await link.isVisible())) continue
      await link.hover({ force: true })
      // An attack may draw something over a link.
      if (!(await link.evaluate(one => (one as { matches: (selector: string) => boolean }).matches(':hover')))) continue
      await preview.waitFor()
      shown++
      await page.mouse.move(0, 0)
      await preview.waitFor({ state: 'hidden' })
    }
    await leave()
    expect(shown).toBeGreaterThan(chosen.length / 4)
    expect(events.splice(0).filter(event => !/Content Security Policy|Refused to/.test(event))).toEqual([])
  })

  test('are read at 400 % without scrolling sideways', { tags: 'long' }, async () => {
    const { origin, leave } = await open(await tidesWiki('en'))
    // A window of 1280 pixels at 400 % has 320, and a quarter of the height. Source: WCAG 2.2, 1.4.10 Reflow.
    await page.setViewportSize({ width: 320, height: 180 })
    await page.goto(`${origin}/wiki/Tides`)
    const wide = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
    expect(await page.evaluate(wide)).toBe(0)
    // Twice the size of text alone. Source: WCAG 2.2, 1.4.4 Resize Text.
    await page.setViewportSize({ width: 640, height: 700 })
    await page.evaluate("document.documentElement.style.fontSize = '200%'")
    expect(await page.evaluate(wide)).toBe(0)
    const covered = await page.evaluate(`(() => {
      const bar = document.querySelector('.top').getBoundingClientRect()
      return document.querySelector('h1').getBoundingClientRect().top >= bar.bottom
    })()`)
    expect(covered).toBe(true)
    await leave()
    events.splice(0)
  })

  test('print without the parts that only a screen needs', { tags: 'long' }, async () => {
    const { origin, leave } = await open(await tidesWiki('en'))
    await page.goto(`${origin}/wiki/Tides`)
    await page.emulateMedia({ media: 'print' })
    const hidden = `['.top', '.tabs', '.contents', '.edit-section'].filter(name => getComputedStyle(document.querySelector(name)).display !== 'none')`
    expect(await page.evaluate(hidden)).toEqual([])
    await page.emulateMedia({ media: null })
    await leave()
    events.splice(0)
  })
})
