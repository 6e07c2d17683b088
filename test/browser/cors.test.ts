import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createToken } from '../../src/operations/tokens.ts'
import { type RunningServer, serve } from '../../src/rest/serve.ts'
import { commitFiles, newWiki } from '../operations/_wiki.ts'
import { browser } from './_chromium.ts'

// A browser needs time to start.
vi.setConfig({ testTimeout: 60_000 })

const { wiki } = await newWiki({ X: 'one' })
const { token } = await createToken(wiki, { name: 'Ada', address: 'ada@example.org' })

/** A server of another origin, whose page is empty. */
const other = createServer((_, response) => response.setHeader('content-type', 'text/html').end('<!doctype html>'))
let api: RunningServer
let otherPort: number

beforeAll(async () => {
  // The worst case: anybody may edit.
  api = await serve(wiki, { port: 0, allowAnonymous: true })
  other.listen(0, '127.0.0.1')
  await once(other, 'listening')
  otherPort = (other.address() as AddressInfo).port
})

afterAll(async () => {
  other.closeAllConnections()
  other.close()
  await api.close()
})

interface Sent {
  readonly url: string
  readonly init?: RequestInit
}

/** Sends a request from a page as its own script would; gives what the script sees of the answer, or the error it meets. */
function fetchIn(page: Page, path: string, init: RequestInit = {}): Promise<unknown> {
  return page.evaluate(
    async ({ url, init }: Sent) => {
      try {
        const response = await fetch(url, init)
        const { status, type, headers } = response
        const text = await response.text()
        return { status, type, etag: headers.get('etag'), body: text === '' ? null : JSON.parse(text) }
      } catch (error) {
        return String(error)
      }
    },
    { url: `${api.url}${path}`, init },
  )
}

const body = (title: string, more: object = {}) => JSON.stringify({ title, source: 'text', comment: null, ...more })
const json = { 'content-type': 'application/json' }
const refused = 'TypeError: Failed to fetch'

function isThere(title: string): boolean {
  return wiki.store.findPage(title) !== undefined
}

// localhost is another site than 127.0.0.1; another port is another origin of the same site, which gets its cookies.
describe.each(['localhost', '127.0.0.1'])('a page of another origin, at %s', host => {
  const open = async (context: Parameters<typeof browser>[0]): Promise<Page> => {
    const page = await (await browser(context)).newPage()
    await page.goto(`http://${host}:${otherPort}/`)
    return page
  }

  test('reads, plainly and with headers of its own', async context => {
    const page = await open(context)
    const plain = (await fetchIn(page, '/page/X')) as { etag: string }
    expect(plain).toMatchObject({ status: 200, type: 'cors', etag: expect.any(String), body: { source: 'one' } })
    const headers = { 'if-none-match': plain.etag, 'api-user-agent': 'test/1', authorization: 'Bearer x' }
    expect(await fetchIn(page, '/page/X/bare', { headers })).toMatchObject({ status: 304 })
    const changed = { headers: { ...headers, 'if-none-match': '"old"' } }
    expect(await fetchIn(page, '/page/X/bare', changed)).toMatchObject({ status: 200, body: { key: 'X' } })
    expect(await fetchIn(page, '/page/Missing')).toMatchObject({
      status: 404,
      body: { errorKey: 'rest-nonexistent-title' },
    })
    expect(await fetchIn(page, '/page/x')).toMatchObject({ status: 200, body: { key: 'X' } })
  })

  test('cannot write: not with JSON, nor with a token, nor with what needs no leave', async context => {
    const page = await open(context)
    // What was allowed for a read of the same address must not be remembered for a write.
    await fetchIn(page, '/page/Put', { headers: { 'api-user-agent': 'test/1' } })
    const authorization = `Bearer ${token}`
    expect(await fetchIn(page, '/page/Put', { method: 'PUT', headers: json, body: body('Put') })).toBe(refused)
    expect(await fetchIn(page, '/page', { method: 'POST', headers: json, body: body('Json') })).toBe(refused)
    expect(
      await fetchIn(page, '/page', { method: 'POST', headers: { ...json, authorization }, body: body('Token') }),
    ).toBe(refused)
    expect(await fetchIn(page, '/page', { method: 'POST', body: body('Simple') })).toBe(refused)
    await fetchIn(page, '/page', { method: 'POST', mode: 'no-cors', body: body('Opaque') })
    const field = `<input name='${body('Form')}'>`
    await page.setContent(`<form action="${api.url}/page" method="post" enctype="text/plain">${field}<button></form>`)
    await page.click('button')
    await page.waitForURL(`${api.url}/page`)
    expect(await page.textContent('body')).toContain('rest-cross-origin-anon-write')
    expect(['Put', 'Json', 'Token', 'Simple', 'Opaque', 'Form'].filter(isThere)).toEqual([])
  })

  test('sees nothing of a session, and cannot use it', async context => {
    const window = await (await browser(context)).newContext()
    const ours = await window.newPage()
    await ours.goto(`${api.url}/page/X`)
    const login = { method: 'POST', headers: json, body: JSON.stringify({ token }) }
    expect(await fetchIn(ours, '/session', login)).toMatchObject({ status: 200, body: { user: { name: 'Ada' } } })
    const page = await window.newPage()
    await page.goto(`http://${host}:${otherPort}/`)
    const credentials = 'include'
    expect(await fetchIn(page, '/session', { credentials })).toBe(refused)
    expect(await fetchIn(page, '/page/X', { credentials })).toBe(refused)
    expect(await fetchIn(page, '/session', { method: 'DELETE', credentials })).toBe(refused)
    await fetchIn(page, '/page', { method: 'POST', mode: 'no-cors', credentials, body: body('Ridden') })
    expect(isThere('Ridden')).toBe(false)
    expect(await fetchIn(ours, '/session')).toMatchObject({ status: 200 })
  })
})

test('a page of our own logs in, never sees the cookie, and writes with the CSRF token', async context => {
  const page = await (await browser(context)).newPage()
  await page.goto(`${api.url}/page/X`)
  const login = { method: 'POST', headers: json, body: JSON.stringify({ token }) }
  const { body: session } = (await fetchIn(page, '/session', login)) as { body: { csrf_token: string } }
  expect(await page.evaluate('document.cookie')).toBe('')
  expect(await page.context().cookies()).toMatchObject([{ httpOnly: true, sameSite: 'Strict', path: '/' }])
  const write = (title: string, more: object) =>
    fetchIn(page, '/page', { method: 'POST', headers: json, body: body(title, more) })
  expect(await write('Ours', {})).toMatchObject({ status: 400 })
  expect(await write('Ours', { token: 'bad' })).toMatchObject({ status: 403 })
  expect(await write('Ours', { token: session.csrf_token })).toMatchObject({ status: 201 })
  expect(await fetchIn(page, '/session', { method: 'DELETE' })).toMatchObject({ status: 204 })
  expect(await page.context().cookies()).toEqual([])
})

test('a page whose origin wiki.json lists writes with a token', async context => {
  const origin = `http://localhost:${otherPort}`
  const page = await (await browser(context)).newPage()
  await commitFiles(wiki, { 'wiki.json': JSON.stringify({ allowedOrigins: [origin] }) })
  await page.goto(`${origin}/`)
  const headers = { ...json, authorization: `Bearer ${token}` }
  const written = await fetchIn(page, '/page', { method: 'POST', headers, body: body('Listed') })
  expect(written).toMatchObject({ status: 201, type: 'cors', body: { key: 'Listed' } })
  const unknown = await fetchIn(page, '/page', { method: 'POST', headers: json, body: body('Unknown') })
  expect(unknown).toMatchObject({ status: 403, body: { error: 'rest-cross-origin-anon-write' } })
  expect(isThere('Unknown')).toBe(false)
})
