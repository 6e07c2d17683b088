import { describe, expect, test } from 'vitest'
import { createSignInCode } from '../../src/http/sign-in-code.ts'
import { createToken } from '../../src/operations/tokens.ts'
import { ada, bob } from '../operations/_wiki.ts'
import { attributeOf, newSite, type Site } from './_site.ts'

const own = { origin: 'http://localhost:8080', 'sec-fetch-site': 'same-origin' }
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'
const edge = 'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0 Safari/537.36 Edg/142.0'

/** Signs in. The page of tokens is open for whoever just did; its URL is `shown`. */
async function begun({ ask }: Site, fields: Record<string, string>, agent: string) {
  const body = new URLSearchParams({ ...fields, returnto: 'Special:Tokens' })
  const answer = await ask('/wiki/Special:UserLogin', {
    method: 'POST',
    body,
    headers: { ...own, 'user-agent': agent },
  })
  const shown = answer.headers.get('location')!
  const headers: Record<string, string> = { ...own, cookie: answer.headers.get('set-cookie')!.split(';', 1)[0]! }
  return { headers, shown, proof: new URL(shown, 'http://x').searchParams.get('proof')! }
}

async function begin(site: Site, fields: Record<string, string>, agent: string): Promise<Record<string, string>> {
  return (await begun(site, fields, agent)).headers
}

test('an admin sees the sessions, and ends one of them', async () => {
  const signIn = createSignInCode(ada)
  const site = await newSite({ Tides: 'x' }, undefined, { signIn })
  const { token, id } = await createToken(site.wiki, { name: bob.name, address: bob.address })
  const { headers: admin, shown: address, proof } = await begun(site, { code: signIn.code }, firefox)
  const laptop = await begin(site, { login: token }, edge)
  const script = await begin(site, { login: token }, '<script>alert(1)</script>')
  const shown = await site.page(address, { headers: admin })
  expect(shown.text).toContain(`${ada.name} (this one)Firefox, Linux`)
  expect(shown.text).toContain(`${bob.name}Edge, Windows`)
  expect(shown.html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
  // Their names are those of the owners, never ids that a cookie could have.
  expect([laptop, script].some(({ cookie = '' }) => shown.html.includes(cookie.split('=')[1]!))).toBe(false)
  const fields = shown.elements.filter(({ tagName }) => tagName === 'input')
  const valuesOf = (name: string): string[] =>
    fields.flatMap(one => (attributeOf(one, 'name') === name ? (attributeOf(one, 'value') ?? '') : []))
  const ofEdge = /Edge, Windows.*?name="id" value="([0-9a-f]{64})"/s.exec(shown.html)![1]!
  const end = (headers: Record<string, string>, csrf: string) =>
    site.ask('/wiki/Special:Tokens', {
      method: 'POST',
      body: new URLSearchParams({ token: csrf, proof, do: 'end-session', id: ofEdge }),
      headers,
    })
  expect((await end(script, valuesOf('token')[0]!)).status).toBe(403)
  expect((await end(admin, 'a'.repeat(40))).status).toBe(403)
  const isSignedIn = async (headers: Record<string, string>): Promise<boolean> =>
    (await site.page('/wiki/Special:UserLogin', { headers })).text.includes('You are signed in')
  expect(await isSignedIn(laptop)).toBe(true)
  expect((await end(admin, valuesOf('token')[0]!)).headers.get('location')).toContain('done=session-ended')
  expect(await Promise.all([laptop, script, admin].map(isSignedIn))).toEqual([false, true, true])
  // Sessions of a revoked token are invalid and not listed.
  const body = new URLSearchParams({ token: valuesOf('token')[0]!, proof, do: 'revoke', id })
  await site.ask('/wiki/Special:Tokens', { method: 'POST', body, headers: admin })
  expect((await site.page(address, { headers: admin })).text).not.toContain(bob.name)
})

test('pages about the caller name the reader who is signed in; pages for everybody do not', async () => {
  const signIn = createSignInCode({ ...ada, name: 'Ada <b>' })
  const site = await newSite({ Tides: 'x' }, undefined, { signIn })
  const headers = await begin(site, { code: signIn.code }, firefox)
  const named = async (path: string): Promise<boolean> => (await site.page(path, { headers })).text.includes('Ada <b>')
  expect(await Promise.all(['/wiki/Special:Upload', '/wiki/Tides?action=edit', '/wiki/Tides'].map(named))).toEqual([
    ...[true, true, false],
  ])
})

describe('"End all" ends the sessions that it names', () => {
  /** The answer to the button, and who is signed in then: the owner by the link, and an admin by a token. */
  async function endedBy(who: 'owner' | 'admin' | 'token in the form'): Promise<[boolean, boolean, boolean]> {
    const signIn = createSignInCode(ada)
    const site = await newSite({ Tides: 'x' }, undefined, { signIn })
    const { token } = await createToken(site.wiki, { name: bob.name, address: '', scopes: ['admin'] })
    const ofOwner = await begun(site, { code: signIn.code }, firefox)
    const ofAdmin = await begun(site, { login: token }, edge)
    const [owner, admin] = [ofOwner.headers, ofAdmin.headers]
    const nobody = { headers: own, shown: '/wiki/Special:Tokens', proof: '' }
    const { headers, shown: address, proof } = who === 'owner' ? ofOwner : who === 'admin' ? ofAdmin : nobody
    const shown = await site.page(address, { headers })
    const csrf = /name="token" value="(\w+)"/.exec(shown.html)?.[1] ?? ''
    const body = new URLSearchParams({
      ...{ do: 'end-sessions', proof },
      ...(csrf === '' ? { login: token } : { token: csrf }),
    })
    const { headers: answer } = await site.ask('/wiki/Special:Tokens', { method: 'POST', body, headers })
    const isSignedIn = async (caller: Record<string, string>): Promise<boolean> =>
      (await site.page('/wiki/Special:UserLogin', { headers: caller })).text.includes('You are signed in')
    return [
      answer.get('location')?.includes('done=sessions-ended') === true,
      await isSignedIn(owner),
      await isSignedIn(admin),
    ]
  }

  test.each(['owner', 'admin', 'token in the form'] as const)('sent by: %s', async who => {
    expect(await endedBy(who)).toEqual([true, false, true])
  })

  test('it is not offered where no such session is open, and says "this one too" only of an own one', async () => {
    const signIn = createSignInCode(ada)
    const site = await newSite({ Tides: 'x' }, undefined, { signIn })
    const { token } = await createToken(site.wiki, { name: bob.name, address: '', scopes: ['admin'] })
    const admin = await begun(site, { login: token }, edge)
    const textFor = async ({ headers, shown }: typeof admin) => (await site.page(shown, { headers })).text
    expect(await textFor(admin)).not.toContain('End all')
    const owner = await begun(site, { code: signIn.code }, firefox)
    expect(await textFor(admin)).toMatch(/End all of them/)
    expect(await textFor(owner)).toMatch(/End all, this one too/)
  })
})

test('a refused token keeps the words of its form, and settings that nobody changed are not reported as saved', async () => {
  const signIn = createSignInCode(ada)
  const site = await newSite({ Tides: 'x' }, undefined, { signIn })
  const { headers: owner, proof } = await begun(site, { code: signIn.code }, firefox)
  const token = /name="token" value="(\w+)"/.exec(
    (await site.page('/wiki/Special:Settings', { headers: owner })).html,
  )![1]!
  const fields = {
    token,
    proof,
    do: 'create',
    name: 'Gate <keeper',
    email: 'x@example.org',
    days: '7',
    'scope-delete': '1',
  }
  const refused = await site.page('/wiki/Special:Tokens', {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: owner,
  })
  const valueIn = (name: string): string | undefined =>
    refused.elements.flatMap(one => (attributeOf(one, 'name') === name ? (attributeOf(one, 'value') ?? '') : []))[0]
  expect(refused.status).toBe(400)
  expect([valueIn('name'), valueIn('email'), valueIn('days')]).toEqual(['Gate <keeper', 'x@example.org', '7'])
  const isChecked = (name: string): boolean =>
    refused.elements.some(one => attributeOf(one, 'name') === name && attributeOf(one, 'checked') !== undefined)
  expect(['scope-delete', 'scope-edit'].map(isChecked)).toEqual([true, false])

  const settings = await site.page(`/wiki/Special:Settings?proof=${proof}`, { headers: owner })
  const asServed = settings.elements
    .filter(one => one.tagName === 'input' && attributeOf(one, 'type') !== 'checkbox')
    .flatMap(one => [[attributeOf(one, 'name') ?? '', attributeOf(one, 'value') ?? ''] as [string, string]])
  const chosen = settings.elements.filter(one => attributeOf(one, 'checked') !== undefined)
  const body = new URLSearchParams([
    ...asServed,
    ...chosen.map(one => [attributeOf(one, 'name')!, '1'] as [string, string]),
    ['merge', 'words'],
  ])
  const answer = await site.ask('/wiki/Special:Settings', { method: 'POST', body, headers: owner })
  expect([answer.status, answer.headers.get('location')]).toEqual([
    303,
    expect.stringMatching(/^\/wiki\/Special:Settings\?proof=wiki_/),
  ])
})
