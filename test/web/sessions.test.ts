import { expect, test } from 'vitest'
import { createSignInCode } from '../../src/http/sign-in-code.ts'
import { createToken } from '../../src/operations/tokens.ts'
import { ada, bob } from '../operations/_wiki.ts'
import { attributeOf, newSite, type Site } from './_site.ts'

const own = { origin: 'http://localhost:8080', 'sec-fetch-site': 'same-origin' }
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'
const edge = 'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0 Safari/537.36 Edg/142.0'

async function begin({ ask }: Site, fields: Record<string, string>, agent: string): Promise<Record<string, string>> {
  const body = new URLSearchParams(fields)
  const answer = await ask('/wiki/Special:UserLogin', {
    method: 'POST',
    body,
    headers: { ...own, 'user-agent': agent },
  })
  return { ...own, cookie: answer.headers.get('set-cookie')!.split(';', 1)[0]! }
}

test('an admin sees the sessions, and ends one of them', async () => {
  const signIn = createSignInCode(ada)
  const site = await newSite({ Tides: 'x' }, undefined, { signIn })
  const { token, id } = await createToken(site.wiki, { name: bob.name, address: bob.address })
  const admin = await begin(site, { code: signIn.code }, firefox)
  const laptop = await begin(site, { login: token }, edge)
  const script = await begin(site, { login: token }, '<script>alert(1)</script>')
  const shown = await site.page('/wiki/Special:Tokens', { headers: admin })
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
      body: new URLSearchParams({ token: csrf, do: 'end-session', id: ofEdge }),
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
  const body = new URLSearchParams({ token: valuesOf('token')[0]!, do: 'revoke', id })
  await site.ask('/wiki/Special:Tokens', { method: 'POST', body, headers: admin })
  expect((await site.page('/wiki/Special:Tokens', { headers: admin })).text).not.toContain(bob.name)
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
