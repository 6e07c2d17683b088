/** A hostile origin in a real browser with a session of the wiki: it neither reads nor writes. */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Wiki } from '../../src/index.ts'
import { addFile } from '../../src/operations/add-file.ts'
import { createToken } from '../../src/operations/tokens.ts'
import { type RunningServer, serve } from '../../src/rest/serve.ts'
import { isProof, rounds } from '../_rounds.ts'
import { ada, newWiki } from '../operations/_wiki.ts'
import { hasBrowser, startBrowser, whereBrowser } from './_chromium.ts'
import { readingPages, readingSession, writing } from './_hostile-page.mjs'
import { svgAttacks } from './svg-attacks.ts'

const secret = 'Ada the keeper'
/** With every drawing, or with the thousands of a list, it takes minutes. */
const patience = isProof ? 1_800_000 : 120_000
const drawing = '<svg xmlns="http://www.w3.org/2000/svg" width="41" height="40"/>'

describe.skipIf(!hasBrowser)(`a browser (${whereBrowser})`, () => {
  let wiki: Wiki
  let server: RunningServer
  let closed: RunningServer
  let hostile: Server
  let context: BrowserContext
  let mine: Page
  let csrf = ''
  /** The path of the session's cookie. The hostile pages know it, as they know the CSRF token. */
  let ownPath = ''
  let token = ''
  /** Requests to the hostile server, other than those for its own pages. */
  const asked: string[] = []

  beforeAll(async () => {
    wiki = (await newWiki({ Tide: 'The secret of Ada.' })).wiki
    await addFile(wiki, { name: 'Tide.svg', content: Buffer.from(drawing), comment: null, author: ada })
    for (const [at, text] of svgAttacks.entries())
      await addFile(wiki, { name: `S${at}.svg`, content: Buffer.from(text), comment: null, author: ada })
    server = await serve(wiki, { port: 0 })
    closed = await serve(wiki, { port: 0, crossOrigin: false })
    token = (await createToken(wiki, { name: secret })).token
    hostile = createServer(answerHostile).listen(0, '127.0.0.1')
    await new Promise(resolve => hostile.once('listening', resolve))
    const rules = ['MAP rebound.example 127.0.0.1', `MAP evil.example:80 127.0.0.1:${portOf(hostile)}`]
    context = await startBrowser([...rules, 'MAP evil.example 127.0.0.1', 'MAP *.localhost 127.0.0.1'])
    mine = await context.newPage()
    csrf = await login()
    ownPath = (await context.cookies())[0]!.path.replace(/\/$/, '')
  }, patience)

  afterAll(async () => {
    await context?.close()
    hostile?.closeAllConnections()
    hostile?.close()
    await server?.close()
    await closed?.close()
  })

  function answerHostile(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '/', 'http://evil.example')
    const to = url.searchParams.get('to')
    if (to !== null) return void response.writeHead(307, { location: to, 'access-control-allow-origin': '*' }).end()
    if (url.pathname !== '/' && url.pathname !== '/favicon.ico') asked.push(url.pathname)
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Evil</title><body>')
  }

  /** Starts a session from a page of the wiki's own origin, as our script would. Returns its CSRF token. */
  async function login(): Promise<string> {
    // A page of ours runs no injected script, so a page without a policy is opened.
    await mine.goto(`${addressOf(server.url)}/style.css`)
    const body = JSON.stringify({ token })
    return mine.evaluate(async body => {
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch('/v1/session', { method: 'POST', headers, body })
      return ((await answer.json()) as { csrf_token: string }).csrf_token
    }, body)
  }

  /** Runs attempts in a page of a hostile origin; returns what each has read. */
  async function attempts(
    list: Readonly<Record<string, (wiki: string, csrf: string) => Promise<string>>>,
    origin: string,
    target: RunningServer,
  ): Promise<Record<string, string>> {
    const page = await context.newPage()
    const seen: Record<string, string> = {}
    const from = origins.indexOf(origin)
    const chosen = Object.entries(list).filter((_, at) => (at + from) % rounds(4, 2, 1) === 0)
    for (const [name, attempt] of chosen) {
      await page.goto(`${origin}:${portOf(hostile)}/`)
      const code = `(${attempt})(${JSON.stringify(addressOf(target.url) + (target === server ? ownPath : ''))}, ${JSON.stringify(csrf)})`
      const tried = page.evaluate<string>(`Promise.resolve(${code}).catch(error => '')`).catch(() => '')
      seen[name] = await Promise.race([tried, page.waitForTimeout(5_000).then(() => '')])
    }
    await page.close()
    return seen
  }

  // Slow: each attempt opens a page. In `npm test` each is made from one of the four origins.
  const origins = ['http://evil.example', 'http://localhost', 'http://127.0.0.1', 'http://evil.localhost']

  test('our own pages see the session', async () => {
    await mine.goto(`${addressOf(server.url)}/style.css`)
    const told = await mine.evaluate(async path => (await fetch(`${path}/v1/session`)).text(), ownPath)
    expect(JSON.parse(told)).toEqual({
      user: { name: secret, bot: false, scopes: ['edit', 'upload', 'delete'] },
      csrf_token: csrf,
    })
    const cookies = await context.cookies()
    expect(cookies.every(({ httpOnly, sameSite }) => httpOnly && sameSite === 'Strict')).toBe(true)
  })

  test.each(origins)(
    '%s reads nothing of the session, and no page with it',
    { tags: ['rounds', 'long'] },
    async origin => {
      expect(successesOf(await attempts(readingSession, origin, server))).toEqual({})
      const read = await attempts(readingPages, origin, server)
      expect(Object.values(read).filter(text => text.includes(secret) || text.includes(csrf))).toEqual([])
    },
  )

  test.each(origins)('%s reads nothing at all from a server that does not allow it', { tags: 'rounds' }, async origin =>
    expect(successesOf(await attempts(readingPages, origin, closed))).toEqual({}),
  )

  test.each(origins)('%s writes nothing, even with the CSRF token', { tags: ['rounds', 'long'] }, async origin => {
    await wiki.store.refresh()
    const before = wiki.store.lastRevisionId
    const told = await attempts(writing, origin, server)
    await wiki.store.refresh()
    expect([wiki.store.lastRevisionId, Object.values(told).filter(text => /^2|"id"|open/.test(text))]).toEqual([
      before,
      [],
    ])
    await mine.goto(`${addressOf(server.url)}/style.css`)
    const status = await mine.evaluate(async path => (await fetch(`${path}/v1/session`)).status, ownPath)
    expect(status).toBe(200)
  })

  test('a foreign name that resolves to this server is refused', { tags: 'long' }, async () => {
    const page = await context.newPage()
    for (const path of ['/v1/page/Tide/html', '/v1/session', '/files/Tide.svg', '/style.css']) {
      const answer = await page.goto(`http://rebound.example:${new URL(server.url).port}${path}`)
      expect([answer?.status(), await answer?.text()]).toEqual([403, expect.stringContaining('wiki-host-not-allowed')])
    }
    await page.close()
  })

  test('a page of ours is never shown in a frame of another origin', { tags: 'long' }, async () => {
    const page = await context.newPage()
    await page.goto(`http://evil.example:${portOf(hostile)}/`)
    const address = `${addressOf(server.url)}/v1/page/Tide/html`
    await page.evaluate(`new Promise(resolve => {
      const frame = document.createElement('iframe')
      frame.src = ${JSON.stringify(address)}
      frame.onload = resolve
      document.body.append(frame)
    })`)
    const shown = await page
      .frames()[1]
      ?.evaluate<string>('document.documentElement.textContent')
      .catch(() => '')
    expect(shown).not.toContain('secret')
    await page.close()
  })

  // Slow: each needs a separate page. `npm test` opens every fifteenth, test:full every fifth, a proof run all of them.
  test('opened drawings send no requests', { tags: ['rounds', 'long'], timeout: patience }, async () => {
    asked.length = 0
    const page = await context.newPage()
    await page.goto('http://evil.example/probe')
    expect(asked).toEqual(['/probe'])
    for (const at of svgAttacks.keys()) {
      if (at % rounds(15, 5, 1) !== 0) continue
      await page.goto(`${addressOf(server.url)}/files/S${at}.svg`, { waitUntil: 'load' }).catch(() => {})
    }
    await page.close()
    expect(asked).toEqual(['/probe'])
  })
})

/** The attempts that have read anything. */
function successesOf(seen: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(seen).filter(([, text]) => text !== ''))
}

/** As people type it: the browser sends cookies of `localhost` to every port of it. */
function addressOf(url: string): string {
  return `http://localhost:${new URL(url).port}`
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port
}
