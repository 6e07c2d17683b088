/** The cookie of a session: the path that keeps it from other ports of the machine, and what it is worth to whoever has it. */

import { describe, expect, test } from 'vitest'
import { isProof, proofFor } from '../../src/http/proof.ts'
import { createSignInCode } from '../../src/http/sign-in-code.ts'
import { createToken, listTokens } from '../../src/operations/tokens.ts'
import type { AppOptions, LogEntry } from '../../src/rest/app.ts'
import { createApp } from '../../src/rest/app.ts'
import { handlePage } from '../../src/web/handle-page.ts'
import { ada, bob, newWiki } from '../operations/_wiki.ts'

/** Headers by which a browser differs from a program. */
const browser = { 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'same-origin' }

async function machine(options: AppOptions = {}, host = '127.0.0.1:8080') {
  const { wiki } = await newWiki({ Tides: 'See [[Fog]].' })
  const signIn = createSignInCode(ada)
  signIn.printWith(() => {})
  const log: LogEntry[] = []
  const app = createApp(wiki, { pages: async () => handlePage, signIn, log: entry => log.push(entry), ...options })
  const ask = async (path: string, init: RequestInit & { host?: string } = {}) =>
    app.request(`http://${init.host ?? host}${path}`, {
      ...init,
      headers: { accept: 'text/html', host: init.host ?? host, origin: `http://${host}`, ...init.headers },
    })
  const post = (path: string, fields: Record<string, string>, headers: Record<string, string> = browser) =>
    ask(path, { method: 'POST', body: new URLSearchParams(fields), headers })
  /** Signs in by the link, and returns the cookie, its path and the page that is shown then. */
  const begin = async (headers: Record<string, string> = browser, back = 'Tides') => {
    signIn.renew()
    const fields = { code: signIn.code, returnto: back }
    const answer = await post(`${options.prefix ?? ''}/wiki/Special:UserLogin`, fields, headers)
    const [cookie = '', path = ''] = answer.headers.get('set-cookie')?.split('; ') ?? []
    return { cookie, path: path.replace(/^Path=|\/$/g, ''), shown: answer.headers.get('location') ?? '' }
  }
  return { wiki, signIn, log, ask, post, begin }
}

describe('the path of the cookie', () => {
  test.each(['127.0.0.1:8080', 'localhost', '[::1]:8080', 'wiki.localhost:1', '127.9.9.9'])(
    'is one that nobody else knows at %s',
    async host => {
      const { begin, ask } = await machine({}, host)
      const { cookie, path, shown } = await begin()
      expect(path).toMatch(/^\/~[\w-]{16}$/)
      expect(shown).toBe(`${path}/wiki/Tides?done=signed-in`)
      const page = await (await ask(shown, { headers: { cookie } })).text()
      const links = [...page.matchAll(/ (?:href|action|src)="(\/[^"]*)"/g)].map(([, link]) => link!)
      expect(links.filter(link => !link.startsWith(`${path}/`))).toEqual([])
      expect(page).toContain(`rel="canonical" href="http://${host}/wiki/Tides"`)
    },
  )

  test('is its own also for a browser that is older than Fetch Metadata', async () => {
    const { begin } = await machine()
    expect((await begin({ 'upgrade-insecure-requests': '1' })).path).toMatch(/^\/~[\w-]{16}$/)
  })

  test.each<[why: string, options: AppOptions, host: string, headers: Record<string, string>, path: string]>([
    ['a host that has no strangers', { allowedHosts: ['wiki.example'] }, 'wiki.example', browser, ''],
    ['a base path, which belongs to a proxy', { prefix: '/team' }, '127.0.0.1', browser, '/team'],
    ['a program, which nobody leads to another port', {}, '127.0.0.1', { 'sec-fetch-mode': 'cors' }, ''],
  ])('is the usual one for %s', async (_, options, host, headers, path) => {
    expect((await (await machine(options, host)).begin(headers)).path).toBe(path)
  })

  test('is the same for a user while the server runs, and another for the next user and server', async () => {
    const { wiki, begin, post } = await machine()
    const first = await begin()
    expect((await begin()).path).toBe(first.path)
    const { token } = await createToken(wiki, { name: bob.name })
    const other = await post('/wiki/Special:UserLogin', { login: token })
    expect(other.headers.get('location')).toMatch(/^\/~[\w-]{16}\/wiki\/Main_Page/)
    expect(other.headers.get('location')).not.toContain(first.path)
    expect((await (await machine()).begin()).path).not.toBe(first.path)
  })

  test('is left by a read without the session, and stays for a form that was sent', async () => {
    const { ask, post } = await machine()
    const path = '/~0123456789abcdef'
    const location = async (rest: string, init = {}) => (await ask(path + rest, init)).headers.get('location')
    expect(await location('/wiki/Tides?action=edit')).toBe('/wiki/Tides?action=edit')
    expect(await location('//evil.example/')).toBe('/evil.example/')
    expect(await location('/\\evil.example/')).toBe('/evil.example/')
    expect((await ask(`${path}/wiki/Tides`, { host: 'evil.example' })).status).toBe(403)
    const kept = await post(`${path}/wiki/Tides?action=submit`, { do: 'save', text: 'precious' })
    expect([kept.status, (await kept.text()).includes('precious')]).toEqual([401, true])
  })

  test('is in no page for others, whoever asked first', async () => {
    const { ask, begin } = await machine()
    const { cookie, path } = await begin()
    await ask(`${path}/wiki/Tides`, { headers: { cookie } })
    expect(await (await ask('/wiki/Tides')).text()).not.toContain('/~')
  })

  test('is not in the log, and neither are codes and proofs', async () => {
    const { ask, begin, log, signIn } = await machine()
    await ask(`/wiki/Special:UserLogin?code=${signIn.code}`)
    const { cookie, path, shown } = await begin(browser, 'Special:Tokens')
    await ask(shown, { headers: { cookie } })
    await ask(`/v1/page/x${path}/y`)
    const text = JSON.stringify(log)
    expect(text).toContain('/~***/wiki/Special:Tokens?proof=wiki_***')
    const proof = new URL(shown, 'http://x').searchParams.get('proof')!
    for (const secret of [path, proof, signIn.code]) expect(text).not.toContain(secret)
  })
})

describe('whoever has the cookie', () => {
  /** A program with the cookie of the owner, which it got from a browser. */
  async function thief() {
    const place = await machine()
    const { cookie, path } = await place.begin()
    const headers = { cookie }
    const read = async (page: string) => (await place.ask(page, { headers })).text()
    const csrf = /name="token" value="(\w+)"/.exec(await read('/wiki/Tides?action=edit'))![1]!
    const send = (page: string, fields: Record<string, string>) =>
      place.post(page, { token: csrf, ...fields }, { ...headers, ...browser })
    return { ...place, headers, read, send, path }
  }

  test('gets no token, no setting, no list and no end of sessions without a fresh proof', async () => {
    const { wiki, read, send, ask, headers, signIn } = await thief()
    const { id } = await createToken(wiki, { name: bob.name })
    for (const page of ['/wiki/Special:Tokens', '/wiki/Special:Settings']) {
      const text = await read(page)
      expect(text).toContain('Token, or link for signing in')
      expect(text).not.toContain('name="proof"')
      expect(text).not.toContain(bob.name)
    }
    const other = proofFor(Buffer.alloc(32), 'another session')
    for (const proof of ['', 'x', other, signIn.code])
      for (const [page, fields] of [
        ['Tokens', { do: 'create', name: 'Evil', days: '', 'scope-admin': '1' }],
        ['Tokens', { do: 'revoke', id }],
        ['Tokens', { do: 'end-sessions' }],
        ['Tokens', { do: 'prove' }],
        ['Settings', { name: 'Evil', anonymousEdits: '1' }],
      ] as const)
        expect((await send(`/wiki/Special:${page}`, { proof, ...fields })).status).toBe(403)
    await wiki.store.refresh()
    expect(wiki.store.config).toMatchObject({ name: '', anonymousEdits: false })
    expect((await listTokens(wiki)).tokens.map(({ name }) => name)).toEqual([bob.name])
    const session = await ask('/v1/session', { headers: { ...headers, accept: 'application/json' } })
    expect(await session.json()).toMatchObject({ user: { scopes: ['edit', 'upload', 'delete'] } })
  })

  test('has a proof of its own session alone, for ten minutes', async () => {
    const key = Buffer.alloc(32, 1)
    const proof = proofFor(key, 'one', 1_000)
    expect(isProof(key, 'one', proof, 1_000 + 599_999)).toBe(true)
    expect(isProof(key, 'one', proof, 1_000 + 600_000)).toBe(false)
    expect(isProof(key, 'two', proof, 1_000)).toBe(false)
    expect(isProof(Buffer.alloc(32, 2), 'one', proof, 1_000)).toBe(false)
    for (const forged of ['', 'wiki_', `${proof}x`, proof.replace(/_\w+_/, '_zzzzzzzz_')])
      expect(isProof(key, 'one', forged, 1_000)).toBe(false)
  })
})

describe('the owner proves to be there', () => {
  test.each<[by: string, login: (link: string, token: string) => string]>([
    ['a new link', link => link],
    ['its code', link => link.split('=')[1]!],
    ['a token of an admin', (_, token) => token],
  ])('by %s, and stays signed in', async (_, login) => {
    const { wiki, signIn, post, begin, ask } = await machine()
    const { token } = await createToken(wiki, { name: ada.name, scopes: ['admin'] })
    const { cookie, path } = await begin()
    const page = await (await ask(`${path}/wiki/Special:Settings`, { headers: { cookie } })).text()
    const csrf = /name="token" value="(\w+)"/.exec(page)![1]!
    signIn.renew()
    const link = `http://127.0.0.1:8080/wiki/Special:UserLogin?code=${signIn.code}`
    const fields = { token: csrf, do: 'prove', login: login(link, token) }
    const answer = await post(`${path}/wiki/Special:Settings`, fields, { ...browser, cookie })
    const own = answer.headers.get('set-cookie')?.split(';', 1)[0] ?? cookie
    const shown = await (await ask(answer.headers.get('location')!, { headers: { cookie: own } })).text()
    const proof = /name="proof" value="(wiki_[\w-]+)"/.exec(shown)![1]!
    const now = /name="token" value="(\w+)"/.exec(shown)![1]!
    const place = new URL(answer.headers.get('location')!, 'http://x').pathname
    const changed = { name: 'Coast', language: 'en', mainPage: 'Tides', merge: 'words', stemming: '1' }
    const saved = await post(place, { token: now, proof, ...changed }, { ...browser, cookie: own })
    expect([saved.status, saved.headers.get('location')]).toEqual([303, expect.stringContaining('proof=wiki_')])
    await wiki.store.refresh()
    expect(wiki.store.config.name).toBe('Coast')
  })

  test('not by a token of an editor', async () => {
    const { wiki, post } = await machine()
    const { token } = await createToken(wiki, { name: bob.name })
    expect((await post('/wiki/Special:Settings', { login: token, do: 'prove' })).status).toBe(403)
  })
})
