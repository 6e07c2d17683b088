/** Attacks in a real browser: what the unit tests hold to be harmless must be so where it counts. */

import { existsSync } from 'node:fs'
import { type Browser, chromium, type Frame, type Page, type Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { attackedPage } from '../wikitext/_attacked.ts'
import { xssVectors } from '../wikitext/xss-vectors.ts'

const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'
const origin = 'http://wiki.example'
/** What pages fetch of the wiki's own. */
const ownPath = /^\/(?:media|thumb)\//
const picture = Buffer.from('R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==', 'base64')
/** Pages that are open at a time, each in a frame. */
const pagesAtOnce = 24
/** Where links may lead. */
const harmlessProtocols = ['http:', 'https:', 'mailto:']

/** Runs in a page: does to every element what readers may do, but for following links; returns where links lead. */
const touchEverything = `(() => {
  document.addEventListener('click', event => event.preventDefault())
  for (const element of document.querySelectorAll('body, body *')) {
    for (const type of ['mouseover', 'mouseenter', 'pointerenter', 'click', 'dblclick', 'contextmenu', 'keydown', 'toggle']) {
      element.dispatchEvent(new MouseEvent(type, { bubbles: true, cancelable: true }))
    }
    element.focus?.()
    element.blur?.()
    element.scrollTop = 1
  }
  return Array.from(document.links, link => link.protocol)
})()`

describe.skipIf(!existsSync(executablePath))(`a browser (skipped where there is none at ${executablePath})`, () => {
  let browser: Browser
  let page: Page
  let contents: readonly string[] = []
  let events: string[][] = []

  beforeAll(async () => {
    browser = await chromium.launch({
      executablePath,
      args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
    })
    page = await (await browser.newContext()).newPage()
    await page.exposeBinding('xss', ({ frame }) => note(frame, 'a script ran'))
    page.on('dialog', async dialog => {
      note(null, `a dialog: ${dialog.message()}`)
      await dialog.dismiss()
    })
    await page.route('**/*', answer)
  }, 60_000)

  afterAll(async () => {
    await browser?.close()
  })

  function note(frame: Frame | null, event: string): void {
    const number = Number(/\/page\/(\d+)$/.exec(frame?.url() ?? '')?.[1] ?? -1)
    if (events[number] === undefined) for (const list of events) list.push(event)
    else events[number].push(event)
  }

  async function answer(route: Route): Promise<void> {
    const request = route.request()
    const url = new URL(request.url())
    const number = /^\/page\/(\d+)$/.exec(url.pathname)?.[1]
    const isOwn = url.origin === origin
    if (isOwn && url.pathname === '/all') return route.fulfill({ contentType: 'text/html', body: allFrames() })
    if (isOwn && ownPath.test(url.pathname)) return route.fulfill({ contentType: 'image/gif', body: picture })
    if (isOwn && number !== undefined && request.resourceType() === 'document') {
      return route.fulfill({ contentType: 'text/html; charset=utf-8', body: contents[Number(number)] ?? '' })
    }
    note(request.frame(), `a request: ${url.href}`)
    return route.abort()
  }

  function allFrames(): string {
    return contents.map((_, number) => `<iframe src="${origin}/page/${number}"></iframe>`).join('')
  }

  /** Opens pages, touches everything in them, and tells what happened in each. */
  async function visit(pages: readonly string[]): Promise<string[][]> {
    contents = pages
    events = pages.map(() => [])
    await page.goto(`${origin}/all`, { waitUntil: 'load' })
    for (const frame of page.frames()) {
      if (frame === page.mainFrame()) continue
      const protocols = await frame.evaluate<string[]>(touchEverything)
      const others = protocols.filter(protocol => !harmlessProtocols.includes(protocol))
      for (const protocol of others) note(frame, `a link: ${protocol}`)
    }
    await page.waitForTimeout(20)
    return events
  }

  test('what happens is noticed', async () => {
    const seen = await visit([
      '<p>nothing</p>',
      '<img src="/media/x.gif" onload="xss()">',
      '<img src="http://evil.example/x.png">',
      '<p>x<script>xss()</script>',
      '<a href="javascript:void 0">x</a>',
      '<b onclick="xss()">x</b>',
    ])
    expect(seen).toEqual([
      [],
      ['a script ran'],
      ['a request: http://evil.example/x.png'],
      ['a script ran'],
      ['a link: javascript:'],
      ['a script ran'],
    ])
  }, 60_000)

  test.each(xssVectors.map(({ what, texts }) => [what, texts] as const))(
    'runs and fetches nothing: %s',
    async (_, texts) => {
      const failures: [text: string, events: string[]][] = []
      for (let at = 0; at < texts.length; at += pagesAtOnce) {
        const some = texts.slice(at, at + pagesAtOnce)
        const seen = await visit(await Promise.all(some.map(text => attackedPage(text))))
        failures.push(...some.map((text, index): [string, string[]] => [text, seen[index]!]))
      }
      expect(failures.filter(([, found]) => found.length > 0)).toEqual([])
    },
    120_000,
  )
})
