import fc from 'fast-check'
import { parseFragment } from 'parse5'
import { describe, expect, test } from 'vitest'
import { documentText } from '../../src/core/document-text.ts'
import { createSignInCode } from '../../src/http/sign-in-code.ts'
import { attributes, html } from '../../src/web/markup.ts'
import { nameAttacks, payloads } from '../browser/attacks.ts'
import { ada, create } from '../operations/_wiki.ts'
import { checkedPage, newSite } from './_site.ts'

const nasty = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom('<', '>', '"', "'", '&', ';', '`', '=', '/', ' ', 'a', '<script>', '<!--', ']]>', '&lt'),
  }),
)

/** A text as a parser reads it from a document: without carriage returns, and with no characters that HTML cannot contain. */
const readable = (text: string): string => documentText(text).replace(/\r\n?/g, '\n')

describe('the template', () => {
  test('keeps every text escaped, in elements and in attributes', () => {
    fc.assert(
      fc.property(nasty, nasty, (text, value) => {
        const written = html`<p title="${value}"${attributes({ lang: value })}>${text}</p>`.toString()
        const { childNodes } = parseFragment(written)
        const [node] = childNodes
        expect(childNodes.length).toBe(1)
        if (node === undefined || !('attrs' in node)) throw new Error('no element')
        expect(node.attrs.map(({ name }) => name)).toEqual(['title', 'lang'])
        expect(node.attrs.map(attribute => attribute.value)).toEqual([readable(value), readable(value)])
        const inside = node.childNodes.map(child => ('value' in child ? child.value : '<element>')).join('')
        expect(inside).toBe(readable(text))
      }),
    )
  })
})

const hostile = [
  '"><script>alert(1)</script>',
  "'onmouseover='alert(1)",
  '<img src=x onerror=alert(1)>',
  '</title><svg/onload=alert(1)>',
  '{{PLURAL:$1|one=<b>}}$1',
]

describe('external names', () => {
  test('stay text on the pages that show them', { tags: 'long' }, async () => {
    const { page, wiki } = await newSite({}, { name: hostile[0], license: { title: hostile[3], url: '' } })
    for (const [index, text] of hostile.entries()) {
      const author = { name: text.replace(/[<>\n]/g, '') || 'x', address: 'a@example.org' }
      await create(wiki, `"onclick='${index}'&lt;b`, `${text} [[A"b'c]]`, { comment: text, author })
    }
    for (const index of hostile.keys()) {
      const path = `/wiki/${encodeURIComponent(`"onclick='${index}'&lt;b`)}`
      expect((await page(path)).status).toBe(200)
    }
    for (const text of hostile) {
      await page(`/wiki/${encodeURIComponent(text)}`)
      await page(`/wiki/Special:Search?search=${encodeURIComponent(text)}`)
      await page(`/wiki/Special:${encodeURIComponent(text)}`)
      await page(`/wiki/Tides?action=${encodeURIComponent(text)}&oldid=${encodeURIComponent(text)}`)
    }
  })
})

/** Forms that return their input, with an error that rejects them; and the handlers that accept a valid name. */
const forms: readonly (readonly [path: string, fields: (attack: string) => Readonly<Record<string, string>>])[] = [
  ['/wiki/Special:MovePage/Tides', to => ({ to: `${to}\u0000|`, reason: to })],
  ['/wiki/Special:MovePage/Tides', to => ({ to, reason: to, do: 'preview' })],
  ['/wiki/Special:DeletePage/Nowhere', reason => ({ reason })],
  ['/wiki/Special:RestorePage/Tides', reason => ({ reason })],
  ['/wiki/Special:Upload', name => ({ name, description: name, reason: name })],
  ['/wiki/Special:Settings', name => ({ name, language: name, mainPage: name, merge: name, 'was-name': name })],
  ['/wiki/Special:Tokens', name => ({ do: 'create', name, email: 'a@example.org', days: name })],
  ['/wiki/Special:Tokens', name => ({ do: 'create', name, email: 'a@example.org', days: '' })],
  ['/wiki/Special:UserLogin', code => ({ code, login: code, returnto: code })],
]

describe('forms', () => {
  test('return hostile fields as text', { tags: 'long' }, async () => {
    const signIn = createSignInCode(ada)
    const { page, ask } = await newSite({ Tides: 'x' }, undefined, { signIn })
    const own = { origin: 'http://localhost:8080', 'sec-fetch-site': 'same-origin' }
    const login = { method: 'POST', body: formOf({ code: signIn.code, returnto: 'Special:Tokens' }), headers: own }
    const begun = (await ask('/wiki/Special:UserLogin', login)).headers
    const cookie = begun.get('set-cookie')!.split(';', 1)[0]!
    const proof = new URL(begun.get('location')!, 'http://x').searchParams.get('proof')!
    const headers = { ...own, cookie }
    const { html: settings } = await page('/wiki/Special:Settings', { headers })
    const token = /name="token" value="([^"]+)"/.exec(settings)![1]!
    const attacks = [...new Set([...hostile, ...nameAttacks, ...payloads])]
    const statuses = new Map<string, number>()
    for (const [index, attack] of attacks.entries())
      for (const at of index < 12 ? forms.keys() : [index % forms.length]) {
        const [path, fields] = forms[at]!
        const sent = path.endsWith('UserLogin') ? own : headers
        const answer = await ask(path, {
          method: 'POST',
          body: formOf({ token, proof, ...fields(attack) }),
          headers: sent,
        })
        // The page itself shows the saved text.
        const isDone = answer.status === 303
        await (isDone ? page(path, { headers: sent }) : checkedPage(path, answer))
        statuses.set(path, Math.max(statuses.get(path) ?? 0, answer.status))
      }
    expect([...statuses.values()].filter(status => status >= 500)).toEqual([])
    expect(statuses.size).toBe(7)
  })
})

function formOf(fields: Readonly<Record<string, string>>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  return form
}

test('a long text is escaped as a short one is, when the page is written, in slices', () => {
  const text = `<&'">😀`.repeat(50_000)
  const page = html`<p title="${text}">${[html`<b>${text}</b>`, 'a']}</p>`
  const escaped = '&lt;&amp;&#39;&quot;&gt;😀'.repeat(50_000)
  expect(page.toString() === `<p title="${escaped}"><b>${escaped}</b>a</p>`).toBe(true)
  const pieces = [...page.pieces()]
  expect(pieces.length).toBeGreaterThan(6)
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(1_000_000)
})
