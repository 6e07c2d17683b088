/** A browser that is signed in shows nothing of it to a program on another port of the machine, which browsers send cookies to. */

import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSignInCode, type SignInCode } from '../../src/http/sign-in-code.ts'
import type { Wiki } from '../../src/operations/wiki.ts'
import { ada, create, newWiki } from '../operations/_wiki.ts'
import { hasBrowser, startBrowser, whereBrowser } from './_chromium.ts'
import { served } from './_pages.ts'

/** The text of a form in a plain box, in place of the editor. */
const plainBox = "localStorage.setItem('wiki-box', 'plain')"

describe.skipIf(!hasBrowser)(`another port of the machine (${whereBrowser})`, () => {
  let context: BrowserContext
  let wiki: Wiki
  let signIn: SignInCode
  let server: Awaited<ReturnType<typeof served>>
  let neighbour: Server
  let page: Page
  /** Requests to the neighbour. */
  const seen: IncomingMessage[] = []

  beforeAll(async () => {
    context = await startBrowser([])
    await context.addInitScript(plainBox)
    wiki = (await newWiki()).wiki
    await create(wiki, 'Tides', 'old')
    signIn = createSignInCode(ada)
    server = await served(wiki, { signIn })
    neighbour = createServer((request, response) => {
      seen.push(request)
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Mine</title><body>')
    }).listen(0, '127.0.0.1')
    page = await context.newPage()
    await page.goto(`${server.origin}/wiki/Special:UserLogin?code=${signIn.code}&returnto=Tides`)
    await page.locator('main form button').first().click()
    await page.waitForURL(/\/wiki\/Tides/)
  })
  afterAll(async () => {
    await context?.close()
    neighbour?.close()
    await server?.close()
  })

  test('gets no cookie, whatever the browser asks it for', async () => {
    expect(new URL(page.url()).pathname).toMatch(/^\/~[\w-]{16}\/wiki\/Tides$/)
    const { port } = neighbour.address() as AddressInfo
    const stranger = await context.newPage()
    for (const path of ['/', '/wiki/Tides', '/v1/session', '/~0123456789abcdef/wiki/Tides'])
      await stranger.goto(`http://127.0.0.1:${port}${path}`)
    // A link in a page of the wiki.
    await page.evaluate(`{
      const link = document.createElement('a')
      Object.assign(link, { href: 'http://127.0.0.1:${port}/clicked', id: 'out', textContent: 'out' })
      document.querySelector('main').append(link)
    }`)
    await page.locator('#out').click()
    await page.waitForURL(/clicked/)
    expect(seen.map(({ url }) => url)).toEqual(expect.arrayContaining(['/', '/v1/session', '/clicked']))
    for (const { headers } of seen)
      expect([headers.cookie, headers.referer ?? '']).toEqual([undefined, expect.not.stringContaining('~')])
    await stranger.close()
  })

  test('the wiki without the path leads the browser below it, and a form there is saved', async () => {
    await page.goto(`${server.origin}/wiki/Tides?action=edit`)
    await page.waitForURL(/\/~[\w-]{16}\/wiki\/Tides\?action=edit/)
    await page.locator('#text').fill('new')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.waitForURL(url => url.pathname.endsWith('/wiki/Tides') && url.search === '')
    expect(await (await fetch(`${server.origin}/wiki/Tides?action=raw`)).text()).toBe('new')
  })

  test('a form that was open without the path is saved after signing in in another tab', async () => {
    const other = await startBrowser([])
    await other.addInitScript(plainBox)
    const form = await other.newPage()
    await form.goto(`${server.origin}/wiki/Tides?action=edit`)
    await form.locator('#text').fill('newer')
    signIn.printWith(() => {})
    signIn.renew()
    const tab = await other.newPage()
    await tab.goto(`${server.origin}/wiki/Special:UserLogin?code=${signIn.code}`)
    await tab.locator('main form button').first().click()
    await tab.waitForURL(/\/~/)
    await tab.waitForFunction("localStorage.getItem('wiki-own-place') !== null")
    await form.getByRole('button', { name: 'Save', exact: true }).click()
    await form.waitForURL(/\/~[\w-]{16}\/wiki\/Tides$/)
    expect(await (await fetch(`${server.origin}/wiki/Tides?action=raw`)).text()).toBe('newer')
    await other.close()
  })

  test('signing out leaves the path', async () => {
    await page.goto(`${server.origin}/wiki/Special:UserLogin`)
    await page.waitForURL(/\/~/)
    await page.locator('main form button').click()
    await page.waitForURL(url => !url.pathname.startsWith('/~') && url.pathname.startsWith('/wiki/'))
    expect(await context.cookies()).toEqual([])
  })
})
