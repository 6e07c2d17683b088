import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { WikiError } from '../../src/core/errors.ts'
import { createSignInCode } from '../../src/http/sign-in-code.ts'
import { writeSettings } from '../../src/operations/configure.ts'
import { createToken, listTokens } from '../../src/operations/tokens.ts'
import type { AppOptions } from '../../src/rest/app.ts'
import { readSessions } from '../../src/store/repository/session-file.ts'
import { contentFor } from '../media/_files.ts'
import { ada, bob, commitFiles, create, edit } from '../operations/_wiki.ts'
import { attributeOf, linksOf, newSite, type ShownPage, type Site, textOf } from './_site.ts'

/** A browser with a cookie. */
interface Person {
  readonly site: Site
  readonly headers: Record<string, string>
  readonly token: string
  /** Sends a form, and returns the page or the redirect. */
  readonly send: (path: string, fields: Fields) => Promise<Response>
  /** Submits a form whose response is a page. */
  readonly sendForPage: (path: string, fields: Fields) => Promise<ShownPage>
}

type Fields = Readonly<Record<string, string | File>>

const own = { origin: 'http://localhost:8080', 'sec-fetch-site': 'same-origin' }

function formData(fields: Fields): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  return form
}

/** Signs in with a token through the form. */
async function signedIn(pages: Readonly<Record<string, string>> = {}, options: AppOptions = {}): Promise<Person> {
  const site = await newSite(pages, undefined, options)
  const { token: secret } = await createToken(site.wiki, { name: ada.name, address: ada.address })
  const begun = await site.ask('/wiki/Special:UserLogin', {
    method: 'POST',
    body: formData({ login: secret }),
    headers: own,
  })
  const cookie = (begun.headers.get('set-cookie') ?? '').split(';', 1)[0]!
  expect([begun.status, cookie !== '']).toEqual([303, true])
  const headers = { ...own, cookie }
  const token = fieldOf(await site.page('/wiki/Some_page?action=edit', { headers }), 'token')
  const post = (fields: Fields) => ({ method: 'POST', body: formData({ token, ...fields }), headers })
  return {
    site,
    headers,
    token,
    send: (path, fields) => site.ask(path, post(fields)),
    sendForPage: (path, fields) => site.page(path, post(fields)),
  }
}

function fieldOf({ elements }: ShownPage, name: string): string {
  const field = elements.find(element => attributeOf(element, 'name') === name)
  if (field?.tagName === 'textarea') return textOf(field.childNodes)
  return field === undefined ? '' : (attributeOf(field, 'value') ?? '')
}

const rawOf = async ({ ask }: Site, title: string): Promise<string> => (await ask(`/wiki/${title}?action=raw`)).text()

const save = { do: 'save', summary: 'why' }

describe('the form', () => {
  test('saves a page and redirects to it', { tags: 'long' }, async () => {
    const { send, site } = await signedIn({ Tides: 'old' })
    const base = site.wiki.store.findPage('Tides')!.latest
    const saved = await send('/wiki/Tides?action=submit', {
      ...save,
      text: 'new\r\nlines',
      base: String(base),
      minor: '1',
    })
    expect([saved.status, saved.headers.get('location')]).toEqual([303, '/wiki/Tides'])
    expect(await rawOf(site, 'Tides')).toBe('new\nlines')
    const revision = site.wiki.store.revision(site.wiki.store.findPage('Tides')!.latest)
    expect(revision).toMatchObject({ minor: true, comment: 'why', user: { name: ada.name } })
  })

  test('creates a page, and starts with the text of another one on request', async () => {
    const { send, site, headers } = await signedIn({ 'Template:Start': 'begin here' })
    const form = await site.page('/wiki/New?action=edit&preload=Template:Start', { headers })
    expect([fieldOf(form, 'text'), fieldOf(form, 'base')]).toEqual(['begin here', '0'])
    expect((await send('/wiki/New?action=submit', { ...save, text: 'made', base: '0' })).status).toBe(303)
    expect(await rawOf(site, 'New')).toBe('made')
  })

  test('shows a preview and the changes, and keeps the text', async () => {
    const { sendForPage, site } = await signedIn({ Tides: 'one two' })
    const base = String(site.wiki.store.findPage('Tides')!.latest)
    const fields = { text: "one '''three'''", summary: 'half', base }
    const preview = await sendForPage('/wiki/Tides?action=submit', { ...fields, do: 'preview' })
    expect(preview.html).toContain('one <b>three</b>')
    const changes = await sendForPage('/wiki/Tides?action=submit', { ...fields, do: 'changes' })
    expect(changes.elements.filter(({ tagName }) => tagName === 'ins').length).toBe(1)
    for (const page of [preview, changes])
      expect([fieldOf(page, 'text'), fieldOf(page, 'summary'), fieldOf(page, 'base')]).toEqual([
        fields.text,
        'half',
        base,
      ])
    expect(await rawOf(site, 'Tides')).toBe('one two')
  })

  test('returns every text unchanged', { tags: 'long' }, async () => {
    const { sendForPage } = await signedIn()
    const unit = fc.constantFrom('\n', '<', '</textarea>', '&', '&amp;', '"', ' ', 'a', '<script>', 'ß', '{{', "'''")
    await fc.assert(
      fc.asyncProperty(fc.string({ unit, maxLength: 30 }), async text => {
        const shown = await sendForPage('/wiki/T?action=submit', { do: 'changes', text, base: '0' })
        expect(fieldOf(shown, 'text')).toBe(text)
      }),
      { numRuns: 25 },
    )
  })

  test('edits one section and leaves the others unchanged', async () => {
    const text = 'lead\n\n== A ==\na\n\n=== A1 ===\na1\n\n== B ==\nb'
    const { site, headers, send } = await signedIn({ Tides: text })
    const form = await site.page('/wiki/Tides?action=edit&section=1', { headers })
    expect(fieldOf(form, 'text')).toBe('== A ==\na\n\n=== A1 ===\na1')
    expect(fieldOf(form, 'summary')).toBe('/* A */ ')
    const fields = { ...save, section: '1', base: fieldOf(form, 'base'), text: '== A ==\nother' }
    expect((await send('/wiki/Tides?action=submit', fields)).status).toBe(303)
    expect(await rawOf(site, 'Tides')).toBe('lead\n\n== A ==\nother\n\n== B ==\nb')
    const lead = await site.page('/wiki/Tides?action=edit&section=0', { headers })
    expect(fieldOf(lead, 'text')).toBe('lead')
  })

  test('shows no changes of a text that saving would not change', async () => {
    const { sendForPage, site } = await signedIn()
    const base = await create(site.wiki, 'Tides', 'one')
    for (const [text, isChanged] of [
      ['one\n\n', false],
      ['one \n', false],
      ['two\n\n', true],
    ] as const) {
      const shown = await sendForPage('/wiki/Tides?action=submit', { ...save, do: 'changes', base: String(base), text })
      const inserted = shown.elements.filter(({ tagName }) => tagName === 'ins')
      expect([shown.text.includes('There is no difference'), inserted.length]).toEqual(
        isChanged ? [false, 1] : [true, 0],
      )
    }
  })

  const markdown =
    '---\ntitle: T\n---\nlead\n# A\n\na\n## A1\na1\n\n\n> # quoted\n\n```\n# code\n```\n\nB b\n---\nb\n# C #\n'

  test.each([
    ['0', '---\ntitle: T\n---\nlead', ''],
    ['1', '# A\n\na\n## A1\na1\n\n\n> # quoted\n\n```\n# code\n```\n\nB b\n---\nb', '/* A */ '],
    ['2', '## A1\na1\n\n\n> # quoted\n\n```\n# code\n```', '/* A1 */ '],
    ['3', 'B b\n---\nb', '/* B b */ '],
    ['4', '# C #', '/* C */ '],
  ])('edits section %s of Markdown and keeps every other byte', async (section, own, summary) => {
    const { site, headers, send } = await signedIn()
    await create(site.wiki, 'Tides', markdown, { contentModel: 'markdown' })
    const read = await site.page('/wiki/Tides')
    expect(
      linksOf(read).flatMap(link => (link.includes('&section=') ? link.replace(/&in=[0-9a-f]{12}/, '') : [])),
    ).toEqual(['1', '2', '3', '4'].map(number => `/wiki/Tides?action=edit&section=${number}`))
    const form = await site.page(`/wiki/Tides?action=edit&section=${section}`, { headers })
    expect([fieldOf(form, 'text'), fieldOf(form, 'summary')]).toEqual([own, summary])
    const raw = await rawOf(site, 'Tides')
    const fields = { ...save, section, base: fieldOf(form, 'base'), text: `${own}\n\nnew` }
    expect((await send('/wiki/Tides?action=submit', fields)).status).toBe(303)
    const saved = await rawOf(site, 'Tides')
    const [before, after] = raw.split(own) as [string, string]
    expect(saved.startsWith(`${before}${own}\n\nnew`)).toBe(true)
    expect(saved.slice(before.length + own.length + 5).trimStart()).toBe(after.trimStart())
  })

  test('saves any unchanged section unchanged', { tags: 'long' }, async () => {
    const { site, headers, send } = await signedIn()
    const block = fc.constantFrom(
      '# A',
      '## B',
      'T\n===',
      'text',
      '- item',
      '> # q',
      '<div>',
      '</div>',
      '```',
      '<h2 data-mw-line="0">x</h2>',
    )
    let pages = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(block, fc.constantFrom('\n', '\n\n', '\n\n\n')), { minLength: 1, maxLength: 12 }),
        async parts => {
          const text = parts.flat().join('')
          const title = `Page_${++pages}`
          await create(site.wiki, title, `${text}end`, { contentModel: 'markdown' })
          const sections = linksOf(await site.page(`/wiki/${title}`)).filter(link => link.includes('&section='))
          for (const link of ['?action=edit&section=0', ...sections]) {
            const section = link.slice(link.lastIndexOf('section=') + 8)
            const form = await site.page(`/wiki/${title}?action=edit&section=${section}`, { headers })
            const fields = { ...save, section, base: fieldOf(form, 'base'), text: fieldOf(form, 'text') }
            await send(`/wiki/${title}?action=submit`, fields)
            expect(await rawOf(site, title)).toBe(`${text}end`)
          }
        },
      ),
      { numRuns: 12 },
    )
  })

  test.each(['wikitext', 'markdown'] as const)(
    'shows the whole page if a section is not there: %s',
    async contentModel => {
      const { site, headers } = await signedIn()
      await create(site.wiki, 'Tides', '# A\n\na', { contentModel })
      const shown = await site.page('/wiki/Tides?action=edit&section=9', { headers })
      expect([shown.status, shown.text.includes('no longer has this section')]).toEqual([200, true])
      expect(shown.text).toContain('# A\n\na\n')
    },
  )

  test('undoes an edit and keeps later ones', async () => {
    const { site, headers, send } = await signedIn()
    const first = await create(site.wiki, 'Tides', 'one\n\ntwo\n\nthree')
    const second = await edit(site.wiki, 'Tides', 'ONE\n\ntwo\n\nthree', { base: first, author: bob })
    const third = await edit(site.wiki, 'Tides', 'ONE\n\ntwo\n\nTHREE', { base: second, author: bob })
    const form = await site.page(`/wiki/Tides?action=edit&undo=${second}`, { headers })
    expect(fieldOf(form, 'text')).toBe('one\n\ntwo\n\nTHREE')
    expect(fieldOf(form, 'summary')).toContain(`${second}`)
    const fields = { ...save, base: String(third), text: fieldOf(form, 'text') }
    expect((await send('/wiki/Tides?action=submit', fields)).status).toBe(303)
    expect(await rawOf(site, 'Tides')).toBe('one\n\ntwo\n\nTHREE')
  })

  test.each(['changes', 'save', 'resolve'])(
    'keeps the text whatever is wrong with the revision that it names: %s',
    async way => {
      const { sendForPage } = await signedIn({ Tides: 'old' })
      const fields = {
        do: way,
        text: 'precious',
        summary: 'why',
        section: '7',
        base: '999',
        current: '998',
        'edit-2': 'words',
      }
      const shown = await sendForPage('/wiki/Tides?action=submit', fields)
      expect([fieldOf(shown, 'text'), fieldOf(shown, 'summary')]).toEqual(['precious', 'why'])
      if (way === 'resolve') expect(shown.text).toContain('words')
    },
  )

  test('keeps the text after an internal error, which is logged', async () => {
    const faults: string[] = []
    const { sendForPage, site } = await signedIn(
      { Tides: 'old' },
      {
        log: entry => void (entry.event === 'error' && faults.push(entry.error)),
      },
    )
    const { store } = site.wiki
    const refresh = vi.spyOn(store, 'refresh').mockResolvedValueOnce(undefined as never)
    refresh.mockRejectedValueOnce(new Error('the disk is full'))
    const shown = await sendForPage('/wiki/Tides?action=submit', { ...save, text: 'precious', base: '1' })
    expect([shown.status, fieldOf(shown, 'text'), faults.length]).toEqual([500, 'precious', 1])
    expect(shown.text).not.toContain('disk')
  })

  test('keeps the text while the server is busy, and says when to try again', async () => {
    const { sendForPage, send, site } = await signedIn({ Tides: 'old' })
    const busy = (times: number) => {
      const refresh = vi.spyOn(site.wiki.store, 'refresh')
      for (let time = 1; time < times; time++) refresh.mockResolvedValueOnce(undefined as never)
      refresh.mockRejectedValueOnce(new WikiError('wiki-work-limit'))
    }
    busy(2)
    const shown = await sendForPage('/wiki/Tides?action=submit', { ...save, text: 'precious', base: '1' })
    expect([shown.status, fieldOf(shown, 'text'), shown.headers.get('retry-after')]).toEqual([503, 'precious', '30'])
    busy(2)
    const { status, headers } = await send('/wiki/Special:DeletePage/Tides', { reason: 'gone' })
    expect([status, headers.get('retry-after')]).toEqual([503, '30'])
  })

  test('holds the largest text that the wiki permits', { tags: 'long' }, async () => {
    const site = await newSite({ Tides: 'old' }, { limits: { source: 16 * 1024 * 1024 } })
    const text = `${'some words '.repeat(1_200_000)}LAST`
    const body = formData({ ...save, text, base: '1' })
    const answer = await site.ask('/wiki/Tides?action=submit', { method: 'POST', body, headers: own })
    expect([answer.status === 413, (await answer.text()).includes('LAST')]).toEqual([false, true])
  })

  test('with too many fields is refused, and nothing of it is saved', async () => {
    const { send, site } = await signedIn({ Tides: 'old' })
    const fields = Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [`field-${index}`, '']))
    const sent = { ...fields, ...save, base: '1', text: 'new' }
    for (const body of [formData(sent), new URLSearchParams(sent)]) {
      const answer = await site.ask('/wiki/Tides?action=submit', { method: 'POST', body, headers: own })
      const text = await answer.text()
      expect(answer.status).toBe(400)
      expect(text).toContain('more than 1000 fields')
      expect(text).toContain('Your browser still has your text')
    }
    expect((await send('/wiki/Tides?action=submit', { ...save, base: '1', text: 'new' })).status).toBe(303)
  })

  test('that is too large says where its text still is', async () => {
    const { site } = await signedIn({ Tides: 'old' })
    const body = new URLSearchParams({ text: 'x'.repeat(13 * 1024 * 1024 + 1) })
    const shown = await site.page('/wiki/Tides?action=submit', { method: 'POST', body, headers: own })
    expect(shown.status).toBe(413)
    expect(shown.text).toContain('Your browser still has your text')
    expect((await site.page('/wiki/Tides?oldid=99')).text).not.toContain('Your browser still has')
  })

  test('keeps the text after an error', async () => {
    const { sendForPage } = await signedIn({ 'MediaWiki:A.json': '{}' })
    const shown = await sendForPage('/wiki/MediaWiki:A.json?action=submit', { ...save, text: '{"a"', base: '1' })
    expect([shown.status, fieldOf(shown, 'text')]).toEqual([400, '{"a"'])
  })
})

describe('the author of an edit', () => {
  test('who is not signed in loses nothing, and can sign in with the same form', async () => {
    const site = await newSite({ Tides: 'old' })
    const { token } = await createToken(site.wiki, { name: bob.name, address: bob.address })
    const fields = { ...save, text: 'precious', base: '1' }
    const post = (more: Fields): RequestInit => ({
      method: 'POST',
      body: formData({ ...fields, ...more }),
      headers: own,
    })
    const refused = await site.page('/wiki/Tides?action=submit', post({}))
    expect([refused.status, fieldOf(refused, 'text')]).toEqual([401, 'precious'])
    const wrong = await site.page('/wiki/Tides?action=submit', post({ login: 'wiki_wrong' }))
    expect([wrong.status, fieldOf(wrong, 'text')]).toEqual([401, 'precious'])
    await site.page('/wiki/Tides?action=submit', post({ login: token, base: '999' }))
    // No browser got the cookie of a session.
    expect(readSessions(site.wiki.store.repository)).toEqual([])
    const saved = await site.ask('/wiki/Tides?action=submit', post({ login: token }))
    expect([saved.status, saved.headers.get('set-cookie')?.includes('HttpOnly; SameSite=Strict')]).toEqual([303, true])
    expect(await rawOf(site, 'Tides')).toBe('precious')
  })

  test.each([
    ['a page of another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }, {}],
    ['a page of another site, as old browsers send it', { origin: 'null' }, {}],
    ['a site beside this one', { 'sec-fetch-site': 'same-site' }, {}],
    ['a form without its token', own, { token: '' }],
    ['a form with the token of another session', own, { token: 'a'.repeat(40) }],
    ['a form with the token of those who have no session', own, { token: '+\\' }],
  ])('is not %s', async (_, headers, fields) => {
    const { site, headers: signed, token } = await signedIn({ Tides: 'old' })
    for (const path of [
      '/wiki/Tides?action=submit',
      '/wiki/Special:DeletePage/Tides',
      '/wiki/Special:MovePage/Tides',
    ]) {
      const body = formData({ ...save, token, to: 'Gone', text: 'evil', base: '1', ...fields })
      const cookie = { cookie: signed.cookie ?? '' }
      const answer = await site.ask(path, { method: 'POST', body, headers: { ...cookie, ...headers } })
      expect(answer.status).toBe(403)
    }
    expect(await rawOf(site, 'Tides')).toBe('old')
  })

  test('may be anonymous if the wiki permits it, with a notice that the address is public', async () => {
    const site = await newSite({ Tides: 'old' }, undefined, { allowAnonymous: true })
    const form = await site.page('/wiki/Tides?action=edit')
    expect(form.text).toContain('127.0.0.1 will be public')
    const body = formData({ ...save, text: 'new', base: '1', token: fieldOf(form, 'token') })
    expect((await site.ask('/wiki/Tides?action=submit', { method: 'POST', body, headers: own })).status).toBe(303)
  })

  test('is nobody on a read-only server, and everyone may view the source', async () => {
    const { page, ask } = await newSite({ Tides: 'the source' }, undefined, { readOnly: true })
    const source = await page('/wiki/Tides?action=edit')
    expect(source.text).toContain('This server does not accept edits.')
    expect(source.text).toContain('the source')
    expect(source.text).toContain('Source of Tides')
    expect((await page('/wiki/Special:NewPage')).text).toContain('This server does not accept edits.')
    expect(source.elements.some(element => attributeOf(element, 'name') === 'do')).toBe(false)
    const body = formData({ ...save, text: 'new', base: '1' })
    expect((await ask('/wiki/Tides?action=submit', { method: 'POST', body, headers: own })).status).toBe(403)
    expect((await page('/wiki/Nope')).html).not.toContain('action=edit')
    for (const path of ['/wiki/Tides', '/wiki/Special:SpecialPages', '/wiki/Tides?action=history'])
      expect((await page(path)).html).not.toMatch(/Special:(?:NewPage|Upload|UserLogin|MovePage|DeletePage)|undo=/)
  })

  test('is not in pages that are cached for others', async () => {
    const { site, headers } = await signedIn({ Tides: 'x' })
    for (const path of ['/wiki/Tides', '/wiki/Special:RecentChanges', '/wiki/Special:AllPages']) {
      const [one, other] = [await site.page(path, { headers }), await site.page(path)]
      expect(one.html).toBe(other.html)
    }
    const form = await site.page('/wiki/Tides?action=edit', { headers })
    expect(form.headers.get('cache-control')).toBe('private, no-cache')
  })
})

describe('the sign-in link for the user of this machine', () => {
  const post = (code: string): RequestInit => ({ method: 'POST', body: formData({ code }), headers: own })

  test('signs in once, by a form and not by a GET request', async () => {
    const signIn = createSignInCode(ada)
    const { page, ask } = await newSite({}, undefined, { signIn })
    const path = `/wiki/Special:UserLogin?code=${signIn.code}`
    for (let times = 0; times < 2; times++) expect((await page(path)).text).toContain('Sign in as Ada Example')
    const begun = await ask('/wiki/Special:UserLogin', post(signIn.code))
    expect([begun.status, begun.headers.get('set-cookie') !== null]).toEqual([303, true])
    expect((await page(path)).text).toContain('was already used')
    expect((await ask('/wiki/Special:UserLogin', post(signIn.code))).status).toBe(401)
    const cookie = begun.headers.get('set-cookie')!.split(';', 1)[0]!
    const known = await page('/wiki/Special:UserLogin', { headers: { cookie } })
    expect(known.text).toContain('You are signed in as Ada Example.')
    const ended = await ask('/wiki/Special:UserLogout', {
      method: 'POST',
      body: formData({}),
      headers: { ...own, cookie },
    })
    expect(ended.status).toBe(303)
    expect((await page('/wiki/Special:UserLogin', { headers: { cookie } })).text).not.toContain('You are signed in')
  })

  test('returns to the page that the user came from, and never elsewhere', async () => {
    const signIn = createSignInCode(ada)
    const site = await newSite({ 'Sea fog': 'x' }, undefined, { signIn })
    const read = await site.page('/wiki/Sea_fog')
    expect(linksOf(read)).toContain('/wiki/Special:UserLogin?returnto=Sea_fog')
    const post = (fields: Fields): RequestInit => ({ method: 'POST', body: formData(fields), headers: own })
    const wrong = await site.page('/wiki/Special:UserLogin', post({ login: 'wiki_x', returnto: 'Sea_fog' }))
    expect(fieldOf(wrong, 'returnto')).toBe('Sea_fog')
    const { token } = await createToken(site.wiki, { name: ada.name, address: ada.address })
    const goals = ['Sea_fog', '', '//evil.example', 'https://evil.example', '../v1', 'a\r\nX: y', '?x=1#y']
    const places = await Promise.all(
      goals.map(async returnto => {
        const answer = await site.ask('/wiki/Special:UserLogin', post({ login: token, returnto }))
        return new URL(answer.headers.get('location') ?? '', 'http://localhost:8080/').href
      }),
    )
    expect(places[0]).toBe('http://localhost:8080/wiki/Sea_fog?done=signed-in')
    for (const place of places) expect(new URL(place).origin).toBe('http://localhost:8080')
  })

  test('is valid for ten minutes', () => {
    let now = 0
    const signIn = createSignInCode(ada, () => now)
    now = 10 * 60_000 - 1
    expect([signIn.isGood(signIn.code), signIn.isGood('wiki_other')]).toEqual([true, false])
    now = 10 * 60_000
    expect([signIn.isGood(signIn.code), signIn.take(signIn.code)]).toEqual([false, false])
  })

  test('cannot be guessed repeatedly, nor submitted by another site', async () => {
    const signIn = createSignInCode(ada)
    const { ask } = await newSite({}, undefined, { signIn })
    const statuses: number[] = []
    for (let tries = 0; tries < 11; tries++)
      statuses.push((await ask('/wiki/Special:UserLogin', post('wiki_x'))).status)
    expect([statuses[0], statuses.at(-1)]).toEqual([401, 429])
    const foreign = { ...post(signIn.code), headers: { origin: 'https://evil.example' } }
    expect((await ask('/wiki/Special:UserLogin', foreign)).status).toBe(403)
  })
})

describe('the settings and tokens', () => {
  /** Signs in with the link for the person at this machine. */
  async function owner() {
    const signIn = createSignInCode(ada)
    const site = await newSite({ Tides: 'x' }, undefined, { signIn })
    const begun = await site.ask('/wiki/Special:UserLogin', {
      method: 'POST',
      body: formData({ code: signIn.code, returnto: 'Special:Settings' }),
      headers: own,
    })
    const proof = new URL(begun.headers.get('location')!, 'http://x').searchParams.get('proof')!
    const headers = { ...own, cookie: begun.headers.get('set-cookie')!.split(';', 1)[0]! }
    const token = fieldOf(await site.page('/wiki/Tides?action=edit', { headers }), 'token')
    const post = (fields: Fields): RequestInit => {
      return { method: 'POST', body: formData({ token, proof, ...fields }), headers }
    }
    return { site, headers, post, proof }
  }

  test('are saved in one commit by the user of this machine', async () => {
    const { site, headers, post } = await owner()
    const page = await site.page('/wiki/Special:Settings', { headers })
    const fields = { name: 'Harbour', language: 'de', mainPage: 'Tides', merge: 'lines', stemming: '1' }
    expect(fieldOf(page, 'mainPage')).toBe('Main Page')
    expect((await site.ask('/wiki/Special:Settings', post(fields))).status).toBe(303)
    await site.wiki.store.refresh()
    expect(site.wiki.store.config).toMatchObject({ name: 'Harbour', language: 'de', mainPage: 'Tides', merge: 'lines' })
    const refused = await site.page('/wiki/Special:Settings', post({ ...fields, language: 'not a code', name: 'Kept' }))
    expect([refused.status, fieldOf(refused, 'name'), fieldOf(refused, 'language')]).toEqual([
      400,
      'Kept',
      'not a code',
    ])
    expect(site.wiki.store.config.name).toBe('Harbour')
  })

  test('show the detected main page if no setting names one', async () => {
    const site = await newSite({ Home: 'x' })
    expect(fieldOf(await site.page('/wiki/Special:Settings'), 'mainPage')).toBe('Home')
    const set = await newSite({ Home: 'x' }, { mainPage: 'Planned' })
    expect(fieldOf(await set.page('/wiki/Special:Settings'), 'mainPage')).toBe('Planned')
  })

  test('do not overwrite what another admin changed while the form was open', async () => {
    const { site, headers, post } = await owner()
    const page = await site.page('/wiki/Special:Settings', { headers })
    const sent = page.elements.flatMap(element => {
      const name = attributeOf(element, 'name') ?? ''
      return name.startsWith('was-') || name.includes('license') ? [[name, attributeOf(element, 'value') ?? '']] : []
    })
    const stale = { ...Object.fromEntries(sent), language: 'en', mainPage: 'Main Page', merge: 'words', stemming: '1' }
    await writeSettings(site.wiki, { values: { name: 'Harbour', mainPage: 'Tides' }, author: bob, comment: null })
    const answer = await site.ask('/wiki/Special:Settings', post({ ...stale, name: '', language: 'de' }))
    expect(answer.status).toBe(303)
    await site.wiki.store.refresh()
    expect(site.wiki.store.config).toMatchObject({ name: 'Harbour', mainPage: 'Tides', language: 'de' })
    // The same setting: the form is shown again, and its next answer acts on the setting of now.
    const refused = await site.page('/wiki/Special:Settings', post({ ...stale, name: 'Port' }))
    expect([refused.status, refused.text.includes('wiki.json (name)')]).toEqual([409, true])
    expect(fieldOf(refused, 'was-name')).toBe('=Harbour')
    expect(site.wiki.store.config.name).toBe('Harbour')
  })

  test('a token is shown once, works, and stops working when it is revoked', async () => {
    const { site, headers, post } = await owner()
    const made = await site.page(
      '/wiki/Special:Tokens',
      post({ do: 'create', name: 'Bob Example', email: '', days: '30', 'scope-edit': '1' }),
    )
    const secret = /<code>(wiki_[\w-]{43})<\/code>/.exec(made.html)![1]!
    expect([made.headers.get('cache-control'), made.text.includes('Bob Example')]).toEqual(['no-store', true])
    expect((await site.page('/wiki/Special:Tokens', { headers })).text).not.toContain(secret)
    const edit = () =>
      site.ask('/v1/page', {
        method: 'POST',
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
        body: JSON.stringify({ title: `P${Math.random()}`, source: 'x', comment: null }),
      })
    expect((await edit()).status).toBe(201)
    const id = fieldOf(made, 'id')
    expect((await site.ask('/wiki/Special:Tokens', post({ do: 'revoke', id }))).status).toBe(303)
    expect((await edit()).status).toBe(401)
  })

  test('sessions of the link end on request', async () => {
    const { site, headers, post } = await owner()
    expect((await site.ask('/wiki/Special:Tokens', post({ do: 'end-sessions' }))).status).toBe(303)
    expect((await site.page('/wiki/Special:UserLogin', { headers })).text).not.toContain('You are signed in')
  })

  test('are not for anonymous users', async () => {
    const { ask } = await newSite({ Tides: 'x' }, undefined, { allowAnonymous: true })
    const body = formData({ token: '+\\', do: 'create', name: 'Evil', days: '', 'scope-admin': '1' })
    for (const path of ['/wiki/Special:Settings', '/wiki/Special:Tokens'])
      expect((await ask(path, { method: 'POST', body, headers: own })).status).toBe(401)
  })

  test.each([
    ['another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }, {}],
    ['another site, as old browsers send it', { origin: 'null' }, {}],
    ['a site beside this one', { 'sec-fetch-site': 'same-site' }, {}],
    ['a form without its token', {}, { token: '' }],
    ['a form with the token of another session', {}, { token: 'a'.repeat(40) }],
  ])('are not changed by %s', async (_, foreign, fields) => {
    const { site, headers, post } = await owner()
    const { id } = await createToken(site.wiki, { name: bob.name, address: bob.address })
    const forms: readonly (readonly [path: string, fields: Fields])[] = [
      ['Settings', { name: 'Evil', anonymousEdits: '1' }],
      ['Tokens', { do: 'create', name: 'Evil', days: '', 'scope-admin': '1' }],
      ['Tokens', { do: 'revoke', id }],
      ['Tokens', { do: 'end-sessions' }],
    ]
    for (const [path, sent] of forms) {
      const { body } = post({ ...sent, ...fields })
      const init = { method: 'POST', body: body ?? null, headers: { ...headers, ...foreign } }
      expect((await site.ask(`/wiki/Special:${path}`, init)).status).toBe(403)
    }
    await site.wiki.store.refresh()
    expect(site.wiki.store.config).toMatchObject({ name: '', anonymousEdits: false })
    const tokens = await listTokens(site.wiki)
    expect(tokens.tokens.map(token => token.name)).toEqual([bob.name])
    expect((await site.page('/wiki/Special:UserLogin', { headers })).text).toContain('You are signed in')
  })

  test("are never another user's", async () => {
    const { site, send, sendForPage, headers } = await signedIn({ Tides: 'x' })
    for (const path of ['/wiki/Special:Settings', '/wiki/Special:Tokens']) {
      expect((await site.page(path, { headers })).text).toContain('This requires the link that the server printed')
      expect((await sendForPage(path, { name: 'Evil', do: 'create', anonymousEdits: '1' })).status).toBe(403)
    }
    expect((await send('/wiki/Special:Tokens', { do: 'end-sessions' })).status).toBe(403)
    await site.wiki.store.refresh()
    expect(site.wiki.store.config).toMatchObject({ name: '', anonymousEdits: false })
  })
})

describe('two edits of one page', () => {
  async function conflict(mine = 'one MINE\n\ntwo\n\nthree', theirs = 'one THEIRS\n\ntwo\n\nthree again') {
    const person = await signedIn()
    const { wiki } = person.site
    const base = await create(wiki, 'Tides', 'one\n\ntwo\n\nthree')
    const current = await edit(wiki, 'Tides', theirs, { base, author: bob })
    const sent = { ...save, text: mine, base: String(base) }
    return { ...person, base, current, sent }
  }

  test('are merged if possible', async () => {
    const { send, sent, site } = await conflict('one\n\nTWO\n\nthree')
    expect((await send('/wiki/Tides?action=submit', sent)).status).toBe(303)
    expect(await rawOf(site, 'Tides')).toBe('one THEIRS\n\nTWO\n\nthree again')
  })

  test('are shown before they are saved if the settings say that nothing is merged', async () => {
    const { sendForPage, send, sent, site, current } = await conflict('one\n\nTWO\n\nthree')
    await writeSettings(site.wiki, { values: { merge: 'never' }, author: bob, comment: null })
    const shown = await sendForPage('/wiki/Tides?action=submit', sent)
    expect([shown.status, await rawOf(site, 'Tides')]).toEqual([409, 'one THEIRS\n\ntwo\n\nthree again'])
    expect(shown.text).toContain('changed other parts of this page. The text below has both edits')
    const both = 'one THEIRS\n\nTWO\n\nthree again'
    expect([fieldOf(shown, 'text').trim(), fieldOf(shown, 'base')]).toEqual([both, String(current)])
    expect((await send('/wiki/Tides?action=submit', { ...sent, text: both, base: String(current) })).status).toBe(303)
    expect(await rawOf(site, 'Tides')).toBe(both)
  })

  test('are shown conflict by conflict with both texts, and nothing chosen', async () => {
    const { sendForPage, sent } = await conflict()
    const shown = await sendForPage('/wiki/Tides?action=submit', sent)
    expect(shown.status).toBe(409)
    for (const words of ['MINE', 'THEIRS', 'three again', 'two']) expect(shown.text).toContain(words)
    expect(shown.elements.filter(element => attributeOf(element, 'checked') !== undefined)).toEqual([])
    expect(fieldOf(shown, 'text')).toBe(sent.text)
  })

  test.each([
    ['theirs', 'one THEIRS'],
    ['mine', 'one MINE'],
    ['both', 'one THEIRS\none MINE'],
    ['edit', 'one and all'],
  ])('are resolved by %s', async (choice, first) => {
    const { send, sent, current, site } = await conflict()
    const written = choice === 'edit' ? 'one and all' : 'one THEIRS\r\none MINE\r\n'
    const fields = { ...sent, do: 'resolve', current: String(current), 'choice-1': choice, 'edit-1': written }
    expect((await send('/wiki/Tides?action=submit', fields)).status).toBe(303)
    expect(await rawOf(site, 'Tides')).toBe(`${first}\n\ntwo\n\nthree again`)
  })

  test('leave out no text that was written at a place, unless the user insists', async () => {
    const { send, sendForPage, sent, current, site } = await conflict()
    const written = { 'choice-1': 'theirs', 'edit-1': 'precious words' }
    const fields = { ...sent, do: 'resolve', current: String(current), ...written }
    const shown = await sendForPage('/wiki/Tides?action=submit', fields)
    expect([shown.status, fieldOf(shown, 'edit-1').trim()]).toEqual([409, 'precious words'])
    expect(shown.text).toContain('At place 1 you wrote a text but chose another one')
    const again = { ...fields, 'left-out': fieldOf(shown, 'left-out') }
    expect((await send('/wiki/Tides?action=submit', again)).status).toBe(303)
    expect(await rawOf(site, 'Tides')).toBe('one THEIRS\n\ntwo\n\nthree again')
  })

  test('are not saved while a conflict is open, and choices stay', async () => {
    const mine = 'one MINE\n\ntwo\n\nthree'
    const person = await signedIn()
    const { wiki } = person.site
    const base = await create(wiki, 'Tides', 'one\n\ntwo\n\nthree')
    const theirs = 'one THEIRS\n\ntwo\n\nthree THEIRS'
    const current = await edit(wiki, 'Tides', theirs, { base, author: bob })
    const text = mine.replace('three', 'three MINE')
    const fields = {
      ...save,
      do: 'resolve',
      text,
      base: String(base),
      current: String(current),
      'choice-2': 'mine',
      'edit-1': 'draft',
    }
    const shown = await person.sendForPage('/wiki/Tides?action=submit', fields)
    expect([shown.status, shown.text.includes('still need a choice')]).toEqual([409, true])
    const chosen = shown.elements.filter(element => attributeOf(element, 'checked') !== undefined)
    expect(chosen.map(element => [attributeOf(element, 'name'), attributeOf(element, 'value')])).toEqual([
      ['choice-2', 'mine'],
    ])
    expect(fieldOf(shown, 'edit-1')).toBe('draft')
    expect(await rawOf(person.site, 'Tides')).toBe(theirs)
  })

  test('are resolved in one form however many conflicts they have', { tags: 'long' }, async () => {
    const numbers = Array.from({ length: 601 }, (_, index) => index)
    const textOfAll = (end: string) => numbers.map(number => `paragraph ${number} ${end}`).join('\n\n')
    const { send, sendForPage, site } = await signedIn()
    const base = await create(site.wiki, 'Tides', textOfAll('old'))
    await edit(site.wiki, 'Tides', textOfAll('THEIRS'), { base, author: bob })
    const fields = { ...save, text: textOfAll('MINE'), base: String(base) }
    const shown = await sendForPage('/wiki/Tides?action=submit', fields)
    const names = shown.elements.flatMap(element => attributeOf(element, 'name') ?? [])
    const places = names.filter(name => name.startsWith('edit-')).map(name => name.slice('edit-'.length))
    expect(shown.status).toBe(409)
    expect(places.length).toBeGreaterThan(200)
    expect(places.length).toBeLessThan(401)
    const chosen = places.flatMap(place => [
      [`edit-${place}`, fieldOf(shown, `edit-${place}`)],
      [`choice-${place}`, place === '1' ? 'both' : place === '2' ? 'theirs' : 'mine'],
    ])
    const hidden = ['base', 'current', 'text'].map(name => [name, fieldOf(shown, name)])
    // In the order of the page: the last part must not be missing.
    const all = { ...Object.fromEntries(chosen), ...Object.fromEntries(hidden), do: 'resolve' }
    expect((await send('/wiki/Tides?action=submit', all)).status).toBe(303)
    const written = await rawOf(site, 'Tides')
    expect(written).toBe(
      textOfAll('MINE')
        .replace(/paragraph [01] MINE/g, found => `${found.replace('MINE', 'THEIRS')}\n${found}`)
        .replace(/paragraph [23] MINE/g, found => found.replace('MINE', 'THEIRS')),
    )
  })

  test('may be followed by a third edit during the resolution', async () => {
    const { sendForPage, sent, current, site } = await conflict()
    await edit(site.wiki, 'Tides', 'one THIRD\n\ntwo\n\nthree again', { base: current, author: bob })
    const fields = { ...sent, do: 'resolve', current: String(current), 'choice-1': 'mine' }
    const shown = await sendForPage('/wiki/Tides?action=submit', fields)
    expect([shown.status, fieldOf(shown, 'base')]).toEqual([409, String(current)])
    for (const words of ['MINE', 'THIRD']) expect(shown.text).toContain(words)
  })

  test('keep every choice when the session ends during the resolution', async () => {
    const { site, sent, current, headers } = await conflict()
    const fields = { ...sent, do: 'resolve', current: String(current), 'choice-1': 'edit', 'edit-1': 'precious words' }
    const body = formData({ ...fields, token: 'of a session that is gone' })
    const shown = await site.page('/wiki/Tides?action=submit', { method: 'POST', body, headers })
    expect([shown.status, fieldOf(shown, 'edit-1').trim(), fieldOf(shown, 'text')]).toEqual([
      403,
      'precious words',
      sent.text,
    ])
    const chosen = shown.elements.filter(element => attributeOf(element, 'checked') !== undefined)
    expect(chosen.map(element => attributeOf(element, 'value'))).toEqual(['edit'])
    expect(fieldOf(shown, 'current')).toBe(String(current))
  })

  test('keep the resolved text when the page is deleted', async () => {
    const { send, sendForPage, sent, current } = await conflict()
    expect((await send('/wiki/Special:DeletePage/Tides', { reason: 'gone' })).status).toBe(303)
    const fields = { ...sent, do: 'resolve', current: String(current), 'choice-1': 'edit', 'edit-1': 'precious words' }
    const shown = await sendForPage('/wiki/Tides?action=submit', fields)
    expect([shown.status, fieldOf(shown, 'text')]).toEqual([409, 'precious words\n\ntwo\n\nthree again\n'])
  })

  test('that both create a page keep both texts', async () => {
    const { sendForPage, site } = await signedIn()
    await create(site.wiki, 'Tides', 'their page', { author: bob })
    const shown = await sendForPage('/wiki/Tides?action=submit', { ...save, text: 'my page', base: '0' })
    expect(shown.status).toBe(409)
    for (const words of ['their', 'my']) expect(shown.text).toContain(words)
  })

  test('one of which deletes the page offer to create it again', { tags: 'long' }, async () => {
    const { sendForPage, send, site } = await signedIn({ Tides: 'old' })
    expect((await send('/wiki/Special:DeletePage/Tides', { reason: 'gone' })).status).toBe(303)
    const shown = await sendForPage('/wiki/Tides?action=submit', { ...save, text: 'precious', base: '1' })
    expect([shown.status, fieldOf(shown, 'text'), fieldOf(shown, 'base')]).toEqual([409, 'precious', '0'])
    expect((await send('/wiki/Tides?action=submit', { ...save, text: 'precious', base: '0' })).status).toBe(303)
    expect(await rawOf(site, 'Tides')).toBe('precious')
  })
})

describe('a form that is submitted twice', () => {
  test.each([
    ['begins a page once', {}, '0'],
    ['edits a page once', { Tides: 'old' }, '1'],
  ])('%s', async (_, pages, base) => {
    const { send, site } = await signedIn(pages)
    const fields = { ...save, text: 'new\n\nwords', base }
    for (let times = 0; times < 2; times++) expect((await send('/wiki/Tides?action=submit', fields)).status).toBe(303)
    expect(await rawOf(site, 'Tides')).toBe('new\n\nwords')
  })

  test('adds its sentence once, with an edit of another user in between', async () => {
    const { send, site } = await signedIn({ Tides: 'Old.' })
    const fields = { ...save, text: 'Old. New.', base: '1' }
    expect((await send('/wiki/Tides?action=submit', fields)).status).toBe(303)
    await edit(site.wiki, 'Tides', 'Old. New. Newer.', { author: bob })
    expect((await send('/wiki/Tides?action=submit', fields)).status).toBe(303)
    expect(await rawOf(site, 'Tides')).toBe('Old. New. Newer.')
  })
})

describe('a page that is moved while a user writes', () => {
  test.each([true, false])('saves the text at its new title; a redirect: %s', async redirect => {
    const { send, sendForPage, site } = await signedIn({ Fog: 'grey\n\nwet' })
    const sent = { ...save, text: 'grey\n\nvery wet', base: String(site.wiki.store.findPage('Fog')!.latest) }
    await send('/wiki/Special:MovePage/Fog', { to: 'Sea fog', ...(redirect && { redirect: '1' }) })
    const shown = await sendForPage('/wiki/Fog?action=submit', sent)
    expect([shown.status, fieldOf(shown, 'text'), shown.text.includes('was moved to Sea fog')]).toEqual([
      409,
      sent.text,
      true,
    ])
    const form = shown.elements.find(element => attributeOf(element, 'class') === 'edit')
    const fields = { ...sent, text: fieldOf(shown, 'text'), base: fieldOf(shown, 'base') }
    expect((await send(attributeOf(form!, 'action') ?? '', fields)).headers.get('location')).toBe('/wiki/Sea_fog')
    expect(await rawOf(site, 'Sea_fog')).toBe('grey\n\nvery wet')
  })
})

test('a script gets JSON for a saved text', async () => {
  const { site, headers, token } = await signedIn({ Tides: 'old' })
  const body = formData({ ...save, text: 'new', base: '1', token })
  const sent = { method: 'POST', body, headers: { ...headers, accept: 'application/json' } }
  const answer = await site.ask('/wiki/Tides?action=submit', sent)
  expect([answer.status, await answer.json()]).toEqual([200, { saved: '/wiki/Tides' }])
})

describe('pasted HTML', () => {
  const quotes = "'".repeat(3)
  const pasted = { do: 'convert', html: 'see <b>bold</b>' }

  test('is converted to the markup of the page', async () => {
    const { send } = await signedIn({ Tides: 'old' })
    const answer = await send('/wiki/Tides?action=submit', pasted)
    expect(await answer.json()).toEqual({ text: `see ${quotes}bold${quotes}` })
  })

  test.each(['Tides', 'Notes'])('of many pages is refused with the reason: %s', async title => {
    const { sendForPage, site } = await signedIn({ Tides: 'old' })
    await create(site.wiki, 'Notes', 'old', { contentModel: 'markdown' })
    const html = '<p>a</p>'.repeat(40_000)
    const shown = await sendForPage(`/wiki/${title}?action=submit`, { ...pasted, html })
    expect([shown.status, shown.text.includes('larger than the limit')]).toEqual([413, true])
  })

  test('is refused by a read-only server', async () => {
    const { ask } = await newSite({ Tides: 'old' }, undefined, { readOnly: true })
    const body = formData(pasted)
    expect((await ask('/wiki/Tides?action=submit', { method: 'POST', body, headers: own })).status).toBe(403)
  })
})

test('fields that browsers keep short are cut, and the text is not', async () => {
  const { send } = await signedIn({ Tides: 'low' })
  const long = 'x'.repeat(400_000)
  for (const [path, fields] of [
    ['Special:MovePage/Tides', { to: long, reason: long }],
    ['Special:Upload', { name: long, reason: long }],
    ['Special:UserLogin', { login: long, returnto: long }],
    ['Special:Settings', { name: long, language: long }],
    ['Special:Tokens', { do: 'create', name: long, days: long }],
    ['Tides?action=submit', { do: 'preview', text: 'low', summary: long, draft: long, section: long }],
  ] as const) {
    const answer = await send(`/wiki/${path}`, fields)
    expect([path, (await answer.text()).length < 200_000]).toEqual([path, true])
  }
  const refused = await send('/wiki/Special:MovePage/Tides', { to: long.repeat(3) })
  expect(refused.status).toBe(413)
  const preview = await send('/wiki/Tides?action=submit', { do: 'preview', text: long, base: '1' })
  expect((await preview.text()).split(long).length).toBe(3)
})

test('changes that are too large to be shown are a sentence above the form, which keeps the text', {
  tags: 'long',
}, async () => {
  const { sendForPage } = await signedIn({ Tides: 'low' })
  const text = Array.from({ length: 200_000 }, (_, at) => `${at}`).join('\n')
  const shown = await sendForPage('/wiki/Tides?action=submit', { do: 'changes', text, base: '1' })
  expect([shown.status, fieldOf(shown, 'text').length]).toEqual([200, text.length])
  expect(shown.elements.some(({ tagName }) => tagName === 'table')).toBe(false)
  expect(shown.text.slice(0, 3000)).toMatch(/limit/i)
})

test('choices in a conflict have a preview, which saves nothing', async () => {
  const { sendForPage, site } = await signedIn()
  const base = await create(site.wiki, 'Tides', 'one\n\ntwo')
  const current = await edit(site.wiki, 'Tides', 'uno\n\ntwo', { base, author: bob })
  const fields = { do: 'preview-chosen', text: "'''ONE'''\n\ntwo", base: String(base), current: String(current) }
  const open = await sendForPage('/wiki/Tides?action=submit', fields)
  expect([open.status, open.text.includes('still need a choice')]).toEqual([409, true])
  const shown = await sendForPage('/wiki/Tides?action=submit', { ...fields, 'choice-1': 'mine' })
  expect([shown.status, shown.html.includes('<b>ONE</b>')]).toEqual([200, true])
  const chosen = shown.elements.filter(element => attributeOf(element, 'checked') !== undefined)
  expect(chosen.map(element => attributeOf(element, 'value'))).toEqual(['mine'])
  expect(await rawOf(site, 'Tides')).toBe('uno\n\ntwo')
})

describe('a page', () => {
  test('is moved with its history and leaves a redirect on request', async () => {
    const { send, site } = await signedIn({ Fog: 'grey' })
    const moved = await send('/wiki/Special:MovePage/Fog', { to: 'Sea fog', redirect: '1', reason: 'clearer' })
    expect([moved.status, moved.headers.get('location')]).toEqual([303, '/wiki/Sea_fog?done=moved'])
    expect((await site.ask('/wiki/Fog')).headers.get('location')).toBe('/wiki/Sea_fog?redirectedfrom=Fog')
  })

  test('shows the effect of a move, and writes nothing', async () => {
    const { sendForPage, site } = await signedIn({ Fog: 'grey', Tides: 'a [[Fog]] and [[fog|mist]]' })
    const shown = await sendForPage('/wiki/Special:MovePage/Fog', {
      do: 'preview',
      to: 'Sea fog',
      redirect: '1',
      updateLinks: '1',
    })
    expect([shown.status, fieldOf(shown, 'to')]).toEqual([200, 'Sea fog'])
    for (const text of ['Sea_fog.wiki', 'Links on 1 page are rewritten', 'Tides (2)', '+a [[Sea fog|Fog]]'])
      expect(shown.text).toContain(text)
    expect([await rawOf(site, 'Fog'), await rawOf(site, 'Tides')]).toEqual(['grey', 'a [[Fog]] and [[fog|mist]]'])
  })

  test('shows its incoming links before it is deleted', async () => {
    const { site, headers } = await signedIn({ Fog: 'grey', Tides: 'a [[Fog]]', Ebb: '[[fog]]' })
    expect((await site.page('/wiki/Special:DeletePage/Fog', { headers })).text).toContain('2 pages link here')
  })

  test('that cannot be moved shows the reason and keeps the entered title', async () => {
    const { sendForPage } = await signedIn({ Fog: 'grey', Tides: 'x' })
    const shown = await sendForPage('/wiki/Special:MovePage/Fog', { to: 'Tides' })
    expect([shown.status, fieldOf(shown, 'to')]).toEqual([409, 'Tides'])
    expect(linksOf(shown).filter(link => link === '/wiki/Tides').length).toBe(1)
  })

  test('is deleted and restored', async () => {
    const { send, site } = await signedIn({ Fog: 'grey' })
    expect((await send('/wiki/Special:DeletePage/Fog', { reason: 'lifted' })).status).toBe(303)
    const missing = await site.page('/wiki/Fog')
    expect(missing.text).toContain('lifted · Its history')
    expect(missing.html).toContain('/wiki/Special:RestorePage/Fog')
    expect((await site.page('/wiki/Fog?action=history')).html).toContain('/wiki/Special:RestorePage/Fog')
    const restored = await send('/wiki/Special:RestorePage/Fog', { reason: 'back' })
    expect([restored.status, restored.headers.get('location')]).toEqual([303, '/wiki/Fog?done=restored'])
    expect(await rawOf(site, 'Fog')).toBe('grey')
  })

  test('is created by its title', async () => {
    const { ask } = await newSite()
    expect((await ask('/wiki/Special:NewPage?title=A+b')).headers.get('location')).toBe('/wiki/A_b?action=edit')
  })
})

describe('the deletion form', () => {
  test('deletes no revision and no file that is newer than itself', { tags: 'long' }, async () => {
    const { send, sendForPage, site, headers } = await signedIn({ Tides: 'old', 'File:Map.png': 'A map' })
    const upload = (byte: number) => {
      const file = new File([contentFor('a.png', `${byte}`)], 'a.png')
      return send('/wiki/Special:Upload', { file, name: 'Map.png', replace: '1' })
    }
    const changes = [
      [
        'Tides',
        () => edit(site.wiki, 'Tides', 'new', { base: site.wiki.store.findPage('Tides')!.latest, author: ada }),
      ],
      ['File:Map.png', () => upload(1)],
      ['File:Map.png', () => upload(2)],
    ] as const
    for (const [title, change] of changes) {
      const address = `/wiki/Special:DeletePage/${title}`
      const shownIn = (form: ShownPage) =>
        Object.fromEntries(['shown', 'shown-file'].map(name => [name, fieldOf(form, name)]))
      const before = shownIn(await site.page(address, { headers }))
      await change()
      const refused = await sendForPage(address, { ...before, reason: 'spam' })
      expect([refused.status, fieldOf(refused, 'reason')]).toEqual([409, 'spam'])
      expect(refused.text).toContain('was changed after this form was opened')
      expect(site.wiki.store.findPage(title)).toBeDefined()
      if (change === changes[1][1]) continue
      expect((await send(address, { ...shownIn(refused), reason: 'spam' })).status).toBe(303)
      expect([site.wiki.store.findPage(title), site.wiki.store.findFile(title)]).toEqual([undefined, undefined])
    }
  })
})

describe('a file', () => {
  const bytes = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 255, 13, 10, 45, 45])

  test('keeps its description, and a further one, when it is replaced', async () => {
    const { send, site } = await signedIn()
    const added = (byte: number, description: string) => {
      const file = new File([contentFor('a.png', `${byte}`)], 'a.png')
      return send('/wiki/Special:Upload', { file, name: 'Chart.png', description, replace: '1' })
    }
    const texts: string[] = []
    for (const [byte, description] of ['A chart', '', 'With depths', 'A chart'].entries()) {
      expect((await added(byte, description)).status).toBe(303)
      texts.push(await rawOf(site, 'File:Chart.png'))
    }
    expect(texts).toEqual(['A chart', 'A chart', 'A chart\n\nWith depths', 'A chart\n\nWith depths'])
  })

  test('is uploaded byte for byte with its description, and replaced only on request', { tags: 'long' }, async () => {
    const { send, sendForPage, site } = await signedIn()
    const fields = { file: new File([bytes], 'a.png'), name: 'Chart.png', description: 'A [[chart]]' }
    const added = await send('/wiki/Special:Upload', fields)
    expect([added.status, added.headers.get('location')]).toEqual([303, '/wiki/File:Chart.png?done=uploaded'])
    const got = await site.ask('/files/Chart.png')
    expect(new Uint8Array(await got.arrayBuffer())).toEqual(bytes)
    expect(await rawOf(site, 'File:Chart.png')).toBe('A [[chart]]')
    const { tip } = site.wiki.store
    expect([(await send('/wiki/Special:Upload', fields)).status, site.wiki.store.tip]).toEqual([303, tip])
    const other = new File([contentFor('b.png', 'other')], 'b.png')
    expect((await sendForPage('/wiki/Special:Upload', { ...fields, file: other })).status).toBe(409)
    expect((await send('/wiki/Special:Upload', { ...fields, file: other, replace: '1' })).status).toBe(303)
  })

  test('has a limit that the form names, and so does the refusal', async () => {
    const { site, headers, sendForPage } = await signedIn()
    const form = await site.page('/wiki/Special:Upload', { headers })
    expect(form.text).toContain('At most 32 MB. Files of up to 100 MB are added by wiki file add.')
    const large = new File([new Uint8Array(2 * 1024)], 'a.png')
    await commitFiles(site.wiki, { 'wiki.json': '{"limits":{"file":1024}}' })
    expect((await site.page('/wiki/Special:Upload', { headers })).text).toContain('At most 1 KB.')
    const refused = await sendForPage('/wiki/Special:Upload', { file: large, name: 'A.png', description: 'kept' })
    expect([refused.status, refused.text.includes('limit of 1024 bytes')]).toEqual([413, true])
    const request = {
      method: 'POST',
      headers: { ...headers, 'content-length': '99999999', 'content-type': 'multipart/form-data; boundary=a' },
    }
    const unread = await site.page('/wiki/Special:Upload', { ...request, body: 'a' })
    expect([unread.status, unread.text.includes('limit of 1024 bytes')]).toEqual([413, true])
  })

  test('of an unsupported type is refused with the reason', async () => {
    const { sendForPage } = await signedIn()
    const shown = await sendForPage('/wiki/Special:Upload', { file: new File([bytes], 'evil.exe'), name: '' })
    expect(shown.status).toBe(400)
  })
})
