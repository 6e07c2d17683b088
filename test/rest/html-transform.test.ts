import { describe, expect, test } from 'vitest'
import { hideRevision } from '../../src/operations/hide-revision.ts'
import { createApp } from '../../src/rest/app.ts'
import { png } from '../media/_files.ts'
import { ada, commitFiles, edit, newWiki } from '../operations/_wiki.ts'
import { jsonOf } from './json-response.ts'

const source = '==  Ropes ==\nThin ones.\n\n\n* Hemp\n*Sisal'
const path = '/v1/transform/html/to/wikitext'

async function newApp() {
  const { wiki } = await newWiki({ Ropes: source })
  const app = createApp(wiki)
  const ask = (body: unknown, { to = path, headers = {} }: { to?: string; headers?: Record<string, string> } = {}) =>
    app.request(to, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  return { app, ask }
}

describe('the transform of HTML to wikitext', () => {
  test('returns wikitext, without a line feed at its end', async () => {
    const { ask } = await newApp()
    const response = await ask({ html: '<h2>Knots</h2><p>A <b>bowline</b>.</p>' })
    expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
      200,
      'text/plain; charset=utf-8; profile="https://www.mediawiki.org/wiki/Specs/wikitext/1.0.0"',
      "== Knots ==\nA '''bowline'''.",
    ])
  })

  test('keeps unchanged parts, if path, ETag or body identify the original', async () => {
    const { app, ask } = await newApp()
    const page = await app.request('/v1/page/Ropes/html')
    const html = (await page.text()).replace('Thin', 'Thick')
    const changed = source.replace('Thin', 'Thick')
    const etag = page.headers.get('etag')!
    const answers = [
      await ask({ html }, { to: `${path}/Ropes/1` }),
      await ask({ html }, { to: `${path}/Ropes`, headers: { 'if-match': etag } }),
      await ask({ html, original: { revid: 1 } }),
      await ask({ html: { body: html }, original: { wikitext: { body: source } } }, { to: `${path}/Ropes` }),
    ]
    expect(await Promise.all(answers.map(answer => answer.text()))).toEqual(answers.map(() => changed))
  })

  test.each([
    ['{}', path, {}, 400, 'rest-transform-missing-html'],
    ['{"html":null}', path, {}, 400, 'rest-transform-missing-html'],
    ['{"html":["a"]}', path, {}, 400, 'rest-body-validation-error'],
    ['[]', path, {}, 400, 'rest-json-body-parse-error'],
    ['{"htm":"a"}', path, {}, 400, 'rest-extraneous-body-fields'],
    ['{"html":"a","original":{"revId":1}}', path, {}, 400, 'rest-extraneous-body-fields'],
    ['{"html":"a","original":{"revid":"1a"}}', path, {}, 400, 'rest-body-validation-error'],
    ['{"html":"a","original":"1"}', path, {}, 400, 'rest-body-validation-error'],
    ['{"html":"","original":{"etag":"\\"x\\""}}', path, {}, 400, 'rest-bad-etag'],
    ['{"html":"","original":{"renderid":"../../x"}}', path, {}, 400, 'rest-bad-etag'],
    ['{', path, {}, 400, 'rest-json-body-parse-error'],
    ['{"html":""}', `${path}/Ropes/99`, {}, 404, 'rest-specified-revision-unavailable'],
    ['{"html":""}', `${path}/a%7Cb`, {}, 400, 'apierror-invalidtitle'],
    ['{"html":""}', path, { 'if-match': '"99/x/view/html"' }, 412, 'rest-no-stashed-content'],
    ['{"html":""}', path, { 'if-match': '"x"' }, 412, 'rest-no-stashed-content'],
    ['html=x', path, { 'content-type': 'text/plain' }, 415, 'rest-unsupported-content-type'],
  ])('%s to %s with %o gets %i %s', async (body, to, headers, status, key) => {
    const { ask } = await newApp()
    const response = await ask(body, { to, headers })
    const answer = await jsonOf(response)
    expect([response.status, answer.errorKey ?? answer.error]).toEqual([status, key])
  })

  test('accepts any Accept header', async () => {
    const { ask } = await newApp()
    expect((await ask({ html: 'x' }, { headers: { accept: 'image/png' } })).status).toBe(200)
  })
})

test.each([
  ['its own page', { 'Template:Tide': '{{{at}}}<templatedata>{"format":"block","params":{}}</templatedata>' }],
  [
    'its documentation',
    { 'Template:Tide': 'x', 'Template:Tide/doc': '<templatedata>{"format":"block"}</templatedata>' },
  ],
  [
    'the documentation of the one that it redirects to',
    {
      'Template:Tide': '#REDIRECT [[Template:Tides]]',
      'Template:Tides': '<templatedata>{</templatedata>',
      'Template:Tides/doc': '<templatedata >{"format":"block"}</templatedata>',
    },
  ],
])('a new template call is formatted as TemplateData specifies: on %s', async (_, pages) => {
  const { wiki } = await newWiki(pages)
  const html = `<p data-mw='{"parts":[{"template":{"target":{"wt":"tide"},"params":{"at":{"wt":"noon"}}}}]}' typeof="mw:Transclusion">x</p>`
  const answer = await createApp(wiki).request(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ html }),
  })
  expect(await answer.text()).toBe('{{tide\n| at = noon\n}}')
})

/** Links whose target the renderer rewrites in one of the dialects. */
const rewritten = [
  '[[other.mediawiki]] [[other.mediawiki|x]] [[./other.mediawiki|x]] [[OTHER.MEDIAWIKI|x]] [[  other.mediawiki  |x]]',
  '[[guide/deep.wiki|x]] [[guide/deep.wiki#Part|x]] [[/guide/deep.wiki|x]] [[guide/{{lc:DEEP}}.wiki|x]]',
  '[[deep]] [[deep]]s [[deep|x]] [[deep#Part]] [[Deep page]] [[a b.wiki|x]] [[a%20b.wiki|x]] [[a_b.wiki|x]]',
  '[[notes.md|x]] [[src/main.c|x]] [[src/|x]] [[images/x.png]] [[x.png|x]] [[redirect.mediawiki|x]]',
  '[[Image:images/x.png|thumb|[[deep|x]]]] [[File:x.png|20px|link=deep]] [[:File:images/x.png]] [[Media:images/x.png|x]]',
  '[[missing.mediawiki|x]] [[page.mediawiki|self]] [[Category:deep|s]] [[de:Deep]] [[:de:Deep|x]] [[w:Deep|x]]',
  "* [[deep|x]]\n* '''[[other.mediawiki|x]]''' [[deep|''x'']]",
  '{|\n| [[deep|x]]\n| [[other.mediawiki|x]]\n|}',
  'A note.<ref>[[other.mediawiki|x]]</ref>',
  '<gallery>\nFile:images/x.png|[[deep|x]]\n</gallery>',
  '== [[deep|x]] ==',
].join('\n\n')

describe('HTML for editors that is sent back without a revision', () => {
  const asked = async (app: ReturnType<typeof createApp>, to: string, html: string) => {
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ html }) }
    return (await app.request(`${path}/${to}`, init)).text()
  }

  test.each(['mediawiki', 'paths', 'gollum', 'notes'])(
    'keeps the targets of links as they were written: %s',
    async links => {
      const settings = { links, interwiki: { w: 'https://w.example/$1' }, languages: { de: 'https://de.example/$1' } }
      const { wiki } = await newWiki({}, settings)
      await commitFiles(wiki, {
        'page.mediawiki': rewritten,
        'guide/page.mediawiki': rewritten,
        'other.mediawiki': 'Other',
        'guide/deep.wiki': '== Part ==',
        'Deep-page.wiki': 'x',
        'a b.wiki': 'x',
        'notes.md': '# Notes',
        'redirect.mediawiki': '#REDIRECT [[other.mediawiki]]',
        'src/main.c': 'int x;',
        'images/x.png': png(30, 20),
      })
      const app = createApp(wiki)
      for (const title of ['Page', 'Guide%2Fpage']) {
        const document = await (await app.request(`/v1/page/${title}/html?flavor=edit`)).text()
        expect(await asked(app, title, document.replace(/ about="[^"]*\/revision\/\d+"/, ''))).toBe(rewritten)
      }
    },
  )

  test('gives the bytes of the revision that the document names', async () => {
    const untidy = "==Part</tt>==\n* <b>open ''both\n<references>\n| a</br>"
    const { wiki } = await newWiki()
    await commitFiles(wiki, { 'Ropes.wiki': untidy })
    await commitFiles(wiki, { 'Knots.wiki': 'Bends.' })
    const app = createApp(wiki)
    const document = await (await app.request('/v1/page/Ropes/html?flavor=edit')).text()
    await edit(wiki, 'Ropes', 'Another text.')
    expect(await asked(app, 'Ropes', document)).toBe(untidy)
    const others = [document.replace(/(SHA1" content=")./, '$1x'), document.replace('revision/1"', 'revision/2"')]
    for (const html of others) expect(await asked(app, 'Ropes', html)).not.toBe(untidy)
    expect(await asked(app, 'Knots', document)).not.toBe(untidy)
    await hideRevision(wiki, { id: 1, parts: ['text'], author: ada, comment: null, reason: '' })
    expect(await asked(app, 'Ropes', document)).toContain('open')
  })
})
