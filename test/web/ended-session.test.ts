/** The session ends while a form is filled in: its words stay, and it is sent again after signing in in another tab. */

import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createSignInCode, type SignInCode } from '../../src/http/sign-in-code.ts'
import { createSessions } from '../../src/operations/sessions.ts'
import { readSessions } from '../../src/store/repository/session-file.ts'
import { fromNow } from '../_times.ts'
import { ada, newWiki } from '../operations/_wiki.ts'
import { attributeOf, newSite, type ShownPage, type Site, textOf } from './_site.ts'

const own = { origin: 'http://localhost:8080', 'sec-fetch-site': 'same-origin' }

/** Signs in; `back` is the title of the page that is shown then, at the URL `shown`. */
async function signedIn(site: Site, signIn: SignInCode, back = '') {
  const body = new URLSearchParams({ code: signIn.code, returnto: back })
  const answer = await site.ask('/wiki/Special:UserLogin', { method: 'POST', body, headers: own })
  expect(answer.status).toBe(303)
  const headers: Record<string, string> = { ...own, cookie: answer.headers.get('set-cookie')!.split(';', 1)[0]! }
  return { headers, shown: answer.headers.get('location')! }
}

/** The fields of the form that a user can send, with its own values. */
function fieldsOf({ elements }: ShownPage, words: Record<string, string>): Record<string, string> {
  const found: Record<string, string> = {}
  for (const element of elements) {
    const name = attributeOf(element, 'name')
    if (name === undefined || attributeOf(element, 'type') === 'checkbox') continue
    if (element.tagName === 'textarea') found[name] = textOf(element.childNodes).replace(/^\n/, '')
    else if (element.tagName === 'input') found[name] = attributeOf(element, 'value') ?? ''
  }
  // Choices that the forms have already.
  return { ...found, merge: 'words', 'scope-edit': '1', ...words }
}

const forms: readonly [name: string, path: string, action: string, words: Record<string, string>][] = [
  [
    'the text of a page',
    '/wiki/Tides?action=edit',
    '/wiki/Tides?action=submit',
    { text: 'precious', summary: 'dear', do: 'save' },
  ],
  ['a new page', '/wiki/Ebb?action=edit', '/wiki/Ebb?action=submit', { text: 'precious', summary: 'dear', do: 'save' }],
  ['a move', '/wiki/Special:MovePage/Tides', '', { to: 'Precious', reason: 'dear' }],
  ['a deletion', '/wiki/Special:DeletePage/Tides', '', { reason: 'dear' }],
  ['settings', '/wiki/Special:Settings', '', { name: 'Precious', 'license.title': 'dear' }],
  ['a token', '/wiki/Special:Tokens', '', { name: 'Precious', email: 'dear@example.org', days: '7', do: 'create' }],
]

describe.each(forms)('%s', (_, path, action, words) => {
  test('is kept, and saved after signing in again', async () => {
    const signIn = createSignInCode(ada)
    signIn.printWith(() => {})
    const site = await newSite({ Tides: 'old' }, undefined, { signIn })
    const isOwners = /Settings|Tokens/.test(path)
    const { headers: before, shown: address } = await signedIn(site, signIn, path.slice('/wiki/'.length))
    const fields = fieldsOf(await site.page(isOwners ? address : path, { headers: before }), words)
    await site.ask('/wiki/Special:UserLogout', { method: 'POST', body: new URLSearchParams(), headers: before })
    const send = (sent: Record<string, string>, headers: Record<string, string>): RequestInit => {
      const body = new FormData()
      for (const [name, value] of Object.entries(sent)) body.set(name, value)
      return { method: 'POST', body, headers }
    }
    const kept = (shown: ShownPage): void => {
      const now = fieldsOf(shown, {})
      for (const [name, value] of Object.entries(words))
        if (name !== 'do') expect([name, now[name]]).toEqual([name, value])
      const isDisabled = shown.elements.some(
        one => one.tagName === 'fieldset' && attributeOf(one, 'disabled') !== undefined,
      )
      expect(isDisabled).toBe(false)
    }

    const refused = await site.page(action || path, send(fields, before))
    expect(refused.status).toBe(401)
    kept(refused)
    // The way to sign in leaves the form where it is, and needs no token.
    const way = refused.elements.find(one => attributeOf(one, 'target') === '_blank')
    expect(attributeOf(way!, 'href')).toBe('/wiki/Special:UserLogin')
    const asked = await site.page('/wiki/Special:UserLogin', send({ do: 'link' }, own))
    expect(asked.text).toContain('A link was printed')

    const { headers: again } = await signedIn(site, signIn)
    const sent = fieldsOf(refused, words)
    const stale = await site.page(action || path, send({ ...sent, token: fields.token! }, again))
    expect(stale.status).toBe(403)
    expect(stale.text).toContain('You have signed in since')
    kept(stale)
    // The proof was one of the session that has ended.
    if (isOwners) {
      const unproved = await site.page(action || path, send(fieldsOf(stale, words), again))
      expect(unproved.status).toBe(403)
      kept(unproved)
      signIn.renew()
    }
    const login = isOwners ? { login: `http://localhost/wiki/Special:UserLogin?code=${signIn.code}` } : {}
    const saved = await site.ask(action || path, send({ ...fieldsOf(stale, words), ...login }, again))
    expect(saved.status).toBe(words.do === 'create' ? 200 : 303)
  })
})

test('a link is printed only for a page of this server, once in half a minute, and the earlier one stays valid', async () => {
  let now = 0
  let printed = 0
  const signIn = createSignInCode(ada, () => now)
  const site = await newSite({}, undefined, { signIn })
  const ask = (headers: Record<string, string> = own) =>
    site.ask('/wiki/Special:UserLogin', { method: 'POST', body: new URLSearchParams({ do: 'link' }), headers })
  expect((await site.page('/wiki/Special:UserLogin')).text).not.toContain('Print a new link')
  signIn.printWith(() => printed++)
  const first = signIn.code
  await ask()
  expect([printed, signIn.code]).toEqual([0, first])
  now = 30_000
  expect((await ask({ origin: 'https://evil.example' })).status).toBe(403)
  await ask()
  await ask()
  expect([printed, signIn.code === first, signIn.isGood(first), signIn.isGood(signIn.code)]).toEqual([
    1,
    false,
    true,
    true,
  ])
  now = 10 * 60_000
  expect([signIn.isGood(first), signIn.isGood(signIn.code)]).toEqual([false, true])
  // One that was used is replaced at once.
  expect(signIn.take(signIn.code)).toBe(true)
  await ask()
  expect(printed).toBe(2)
})

test('a session ends two weeks after its last use, at the latest after ninety days', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const { repository } = (await newWiki()).wiki.store
  const day = 24 * 60 * 60 * 1000
  const sessions = createSessions(repository)
  const idle = await sessions.begin('idle')
  const busy = await sessions.begin('busy')
  const owners = (): (string | null)[] => [idle, busy].map(createSessions(repository).tokenOf)
  const begun = fromNow(0).getTime()
  for (let days = 0; days <= 13; days += 6) {
    vi.setSystemTime(begun + days * day)
    expect(sessions.tokenOf(busy)).toBe('busy')
  }
  // The use is recorded without a request that waits for it.
  await expect
    .poll(() => readSessions(repository).find(({ tokenId }) => tokenId === 'busy')?.end)
    .toBe(begun + 26 * day)
  vi.setSystemTime(begun + 14 * day)
  expect(owners()).toEqual([null, 'busy'])
  for (let days = 14; days < 90; days += 13) {
    vi.setSystemTime(begun + days * day)
    expect([days, sessions.tokenOf(busy)]).toEqual([days, 'busy'])
    expect(sessions.list().find(({ tokenId }) => tokenId === 'busy')!.begun).toBe(begun)
  }
  vi.setSystemTime(begun + 90 * day)
  expect(owners()).toEqual([null, null])
})

test('a printed link leads on to a title, and to nothing longer', async () => {
  let now = 0
  const backs: string[] = []
  const signIn = createSignInCode(ada, () => now)
  signIn.printWith(back => void backs.push(back))
  const site = await newSite({}, undefined, { signIn })
  for (const returnto of ['Special:Settings', 'é'.repeat(128)]) {
    now += 30_000
    const body = new URLSearchParams({ do: 'link', returnto })
    await site.ask('/wiki/Special:UserLogin', { method: 'POST', body, headers: own })
  }
  expect(backs).toEqual(['Special:Settings', ''])
})
