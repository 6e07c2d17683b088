/** Controls of files that only an owner may change: nobody else sees them, and a sentence says why. */

import { describe, expect, test } from 'vitest'
import { createToken } from '../../src/operations/tokens.ts'
import { ada, commitFiles } from '../operations/_wiki.ts'
import { newSite, type ShownPage, type Site } from './_site.ts'

const why = 'only an owner may change it'
const own = { 'content-type': 'application/x-www-form-urlencoded', origin: 'http://localhost:8080' }

async function place(): Promise<Site> {
  const site = await newSite({ Tides: 'x' })
  await commitFiles(site.wiki, {
    'AGENTS.md': '# One\n\n[1]\n\n# Two\n',
    'package.json': '{"a": 1}',
    'old/package.json': '{}',
  })
  await commitFiles(site.wiki, {
    'AGENTS.md': '# One\n\n[2]\n\n# Two\n',
    'package.json': '{"a": 2}',
    'old/package.json': null,
  })
  return site
}

/** Signs in with a token of these scopes; returns the header of the session. */
async function session(site: Site, scopes?: string[]): Promise<{ readonly cookie: string }> {
  const { token } = await createToken(site.wiki, { name: ada.name, address: ada.address, scopes })
  const body = new URLSearchParams({ login: token })
  const begun = await site.ask('/wiki/Special:UserLogin', { method: 'POST', body, headers: own })
  return { cookie: (begun.headers.get('set-cookie') ?? '').split(';', 1)[0]! }
}

/** Links and buttons that lead to a change. */
function controls({ elements }: ShownPage): string[] {
  const textOf = (attrs: (typeof elements)[number]['attrs'], name: string) =>
    attrs.find(attribute => attribute.name === name)?.value ?? ''
  return elements.flatMap(({ tagName, attrs }) => {
    const text = tagName === 'a' ? textOf(attrs, 'href') : tagName === 'form' ? textOf(attrs, 'action') : ''
    const isPost = tagName === 'form' && textOf(attrs, 'method') === 'post'
    return isPost || /undo=|section=|oldid=\d+&action=edit|Special:(?:MovePage|DeletePage|RestorePage)/.test(text)
      ? [text]
      : []
  })
}

const addresses = [
  '/wiki/AGENTS',
  '/wiki/Package.json',
  '/wiki/AGENTS?action=edit',
  '/wiki/Package.json?action=edit',
  '/wiki/Package.json?action=edit&undo=3',
  '/wiki/AGENTS?action=history',
  '/wiki/Special:MovePage/Package.json',
  '/wiki/Special:DeletePage/AGENTS',
  '/wiki/Special:RestorePage/Old/package.json',
  '/wiki/Old/package.json?action=history',
  '/wiki/Old/package.json',
  '/wiki/User:Ada/common.js',
  '/wiki/User:Ada/common.js?action=edit',
]

describe('an editor', () => {
  test.each(addresses)('has no control at %s', async address => {
    const site = await place()
    for (const headers of [{}, await session(site)]) {
      const shown = await site.page(address, { headers })
      expect(controls(shown)).toEqual([])
      expect(shown.html).not.toContain('>Edit</a>')
    }
  })

  test('sees the source of the file, and why there is no form', async () => {
    const site = await place()
    const tab = (await site.page('/wiki/Package.json')).elements.filter(({ tagName }) => tagName === 'a')
    expect(tab.some(({ attrs }) => attrs.some(({ value }) => value === '/wiki/Package.json?action=edit'))).toBe(true)
    const shown = await site.page('/wiki/Package.json?action=edit', { headers: await session(site) })
    expect([shown.text.includes(why), shown.html.includes('{&quot;a&quot;: 2}')]).toEqual([true, true])
    for (const address of addresses.slice(6, 9).concat(addresses.slice(10)))
      expect([address, (await site.page(address)).text.includes(why)]).toEqual([address, true])
  })

  test('keeps the controls of pages', async () => {
    const site = await place()
    const headers = await session(site)
    expect(controls(await site.page('/wiki/Tides?action=edit', { headers }))).toContain('/wiki/Special:MovePage/Tides')
    expect((await site.page('/wiki/Tides')).text).not.toContain(why)
    expect((await site.page('/wiki/Nothing')).text).not.toContain(why)
  })
})

describe('an owner', () => {
  test('has the form, and what else changes the page', async () => {
    const site = await place()
    const headers = await session(site, ['admin'])
    const form = await site.page('/wiki/Package.json?action=edit', { headers })
    expect(form.text).not.toContain(why)
    expect(controls(form)).toEqual(
      expect.arrayContaining(['/wiki/Special:MovePage/Package.json', '/wiki/Special:DeletePage/Package.json']),
    )
    expect(controls(await site.page('/wiki/Special:MovePage/Package.json', { headers }))).not.toEqual([])
    expect((await site.page('/wiki/User:Ada/common.js?action=edit', { headers })).status).toBe(200)
  })

  test('proves to be there, because a cookie alone has not the rights of an owner', async () => {
    const site = await place()
    const { cookie } = await session(site, ['admin'])
    const form = await site.page('/wiki/Package.json?action=edit', { headers: { cookie } })
    const fieldOf = ({ elements }: ShownPage, name: string) =>
      elements.find(({ tagName, attrs }) => tagName === 'input' && attrs.some(({ value }) => value === name))?.attrs
    const token = fieldOf(form, 'token')?.find(({ name }) => name === 'value')?.value ?? ''
    const { token: proof } = await createToken(site.wiki, { name: ada.name, scopes: ['admin'] })
    const base = String(site.wiki.store.findPage('Package.json')!.latest)
    const send = (fields: Record<string, string>) => {
      const body = new URLSearchParams({ do: 'save', text: '{"mine": 1}', base, token, ...fields })
      return { method: 'POST', body, headers: { ...own, cookie } }
    }
    const address = '/wiki/Package.json?action=submit'
    const refused = await site.page(address, send({}))
    expect([refused.status, refused.text.includes('Only an owner may change')]).toEqual([403, true])
    for (const shown of [form, refused]) expect(fieldOf(shown, 'login')).toBeDefined()
    expect((await site.ask(address, send({ login: proof }))).status).toBe(303)
  })

  test('whose session has ended gets the form again with the text', async () => {
    const site = await place()
    const body = new URLSearchParams({ do: 'save', text: '{"mine": 1}', base: '3', token: 'x' })
    const shown = await site.page('/wiki/Package.json?action=submit', { method: 'POST', body, headers: own })
    expect([shown.status, shown.html.includes('{&quot;mine&quot;: 1}'), controls(shown).length > 0]).toEqual([
      401,
      true,
      true,
    ])
  })
})
