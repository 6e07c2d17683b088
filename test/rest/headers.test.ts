import type { H3 } from 'h3'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { addFile } from '../../src/operations/add-file.ts'
import { createApp } from '../../src/rest/app.ts'
import { routeTables } from '../../src/rest/routes.ts'
import { png } from '../media/_files.ts'
import { ada, create, newWiki } from '../operations/_wiki.ts'

// A decoder is a process, which starts slowly if many run.
vi.setConfig({ testTimeout: 60_000 })

const script = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script></svg>'

/** Requests of every route: successes, redirects and errors. The keys are those of the table. */
const examples: Readonly<Record<string, readonly (readonly [path: string, body?: unknown])[]>> = {
  'GET /search': [['/v1/search']],
  'GET /search/page': [['/v1/search/page?q=x'], ['/v1/search/page'], ['/v1/search/page?q=%3Cscript%3E&limit=x']],
  'GET /search/title': [['/v1/search/title?q=x']],
  'POST /page': [
    ['/v1/page', { title: 'Made', source: 'x', comment: null }],
    ['/v1/page', { title: '<b>', source: 'x', comment: null }],
    ['/v1/page', '<script>'],
  ],
  'GET /page/{title}': [['/v1/page/X'], ['/v1/page/x'], ['/v1/page/No%3Cscript%3E'], ['/v1/page/Old'], ['/v1/page/']],
  'PUT /page/{title}': [['/v1/page/Put', { source: 'x', comment: null }]],
  'GET /page/{title}/bare': [['/v1/page/X/bare']],
  'GET /page/{title}/with_html': [['/v1/page/X/with_html'], ['/v1/page/Old/with_html']],
  'GET /page/{title}/html': [
    ...['X', 'x', 'Old', 'Code.css', 'Code.js', 'Data.json', 'Mark', 'Missing'].map(
      title => [`/v1/page/${title}/html`] as const,
    ),
    ['/v1/page/X/html?flavor=edit'],
    ['/v1/page/X/html?flavor=fragment'],
    ['/rest.php/v1/page/X/html'],
    ['/w/rest.php/v1/page/X/html'],
  ],
  'GET /page/{title}/links/language': [['/v1/page/X/links/language']],
  'GET /page/{title}/links/media': [['/v1/page/X/links/media']],
  'GET /page/{title}/lint': [['/v1/page/X/lint']],
  'POST /transform/wikitext/to/html': [['/v1/transform/wikitext/to/html', { wikitext: '<script>' }]],
  'POST /transform/wikitext/to/html/{title}': [['/v1/transform/wikitext/to/html/X', { wikitext: 'x' }]],
  'POST /transform/wikitext/to/html/{title}/{revision}': [['/v1/transform/wikitext/to/html/X/1', {}]],
  'POST /transform/html/to/wikitext': [['/v1/transform/html/to/wikitext', { html: '<script>x</script>' }]],
  'POST /transform/html/to/wikitext/{title}': [['/v1/transform/html/to/wikitext/X', { html: 'x' }]],
  'POST /transform/html/to/wikitext/{title}/{revision}': [['/v1/transform/html/to/wikitext/X/1', { html: 'x' }]],
  'POST /transform/wikitext/to/lint': [['/v1/transform/wikitext/to/lint', { wikitext: '<b>' }]],
  'POST /transform/wikitext/to/lint/{title}': [['/v1/transform/wikitext/to/lint/X', { wikitext: '<b>' }]],
  'POST /transform/wikitext/to/lint/{title}/{revision}': [['/v1/transform/wikitext/to/lint/X/1', {}]],
  'POST /transform/{from}/to/{to}': [['/v1/transform/html/to/%3Cscript%3E', {}]],
  'POST /transform/{from}/to/{to}/{title}': [['/v1/transform/a/to/b/X', {}]],
  'POST /transform/{from}/to/{to}/{title}/{revision}': [['/v1/transform/a/to/b/X/1', {}]],
  'DELETE /page/{title}': [['/v1/page/No'], ['/v1/page/X', { latest: { id: 99 } }]],
  'POST /page/{title}/move': [
    ['/v1/page/X/move', { to: '<script>' }],
    ['/v1/page/X/move', { to: 'Y', dryRun: true }],
  ],
  'POST /page/{title}/restore': [['/v1/page/No/restore', {}]],
  'POST /page/{title}/undo': [['/v1/page/X/undo', { revision: 1 }]],
  'GET /file/{title}': [['/v1/file/Photo.png']],
  'PUT /file/{title}': [['/v1/file/Note.exe', '<script>']],
  'DELETE /file/{title}': [['/v1/file/No.svg']],
  'GET /page/{title}/history': [['/v1/page/X/history']],
  'GET /page/{title}/authorship': [['/v1/page/X/authorship'], ['/v1/page/No/authorship']],
  'GET /page/{title}/history/counts/{type}': [['/v1/page/X/history/counts/edits']],
  'GET /page/{title}/links/here': [['/v1/page/X/links/here'], ['/v1/page/X/links/here?kind=%3Cscript%3E']],
  'GET /page/{title}/links/out': [
    ['/v1/page/X/links/out'],
    ['/v1/page/No/links/out'],
    ['/v1/page/X/links/out?after=x'],
  ],
  'GET /category/{name}': [['/v1/category/X'], ['/v1/category/%3Cscript%3E']],
  'GET /lists/{name}': [['/v1/lists/orphans'], ['/v1/lists/%3Cscript%3E']],
  'GET /pages': [['/v1/pages'], ['/v1/pages?limit=%3Cscript%3E']],
  'GET /files': [['/v1/files']],
  'GET /feed': [['/v1/feed'], ['/v1/feed?format=json'], ['/v1/feed?format=rss'], ['/v1/feed?format=%3Cscript%3E']],
  'GET /api.php': [['/api.php?action=feedrecentchanges'], ['/w/api.php?action=%3Cscript%3E']],
  'POST /merge': [
    ['/v1/merge', { base: { text: 'a' }, mine: { text: 'b' }, theirs: { text: '<script>' } }],
    ['/v1/merge', { base: 1 }],
  ],
  'GET /changes': [['/v1/changes'], ['/v1/changes?title=No'], ['/v1/changes?limit=%3Cscript%3E']],
  'GET /revision/{id}/bare': [['/v1/revision/1/bare']],
  'GET /revision/{id}': [['/v1/revision/1'], ['/v1/revision/99']],
  'GET /revision/{id}/html': [['/v1/revision/1/html']],
  'GET /revision/{id}/with_html': [['/v1/revision/1/with_html']],
  'GET /revision/{id}/lint': [['/v1/revision/1/lint']],
  'GET /revision/{from}/compare/{to}': [['/v1/revision/1/compare/1']],
  'POST /compare': [['/v1/compare', { from: { text: 'a' }, to: { text: 'b' } }]],
  'GET /session': [['/v1/session']],
  'POST /session': [['/v1/session', { token: '<script>' }]],
  'DELETE /session': [['/v1/session']],
  'GET /specs/v0/module/content/v1': [['/specs/v0/module/content/v1']],
  'GET /openapi.json': [['/openapi.json'], ['/v1/openapi.json']],
  'GET /specs/v0/module/-': [['/specs/v0/module/-'], ['/v1/specs/v0/module/-']],
  'GET /specs': [['/specs']],
  'GET /specs/': [['/specs/']],
  'GET /specs/v0/discovery': [['/specs/v0/discovery']],
  'GET /{name}': [
    ...['Photo.png', 'Script.svg', 'Page.pdf', 'Note.txt', 'No.svg'].map(name => [`/files/${name}`] as const),
  ],
  'GET /thumb/{name}/{width}': [['/files/thumb/Photo.png/40px'], ['/files/thumb/Script.svg/40px']],
  'GET /{title*}': [['/wiki/X'], ['/wiki/%3Cscript%3E'], ['/wiki/a/b']],
  'GET /style.css': [['/style.css']],
  'GET ': [['']],
  'GET /': [['/'], ['/rest.php/']],
}

const routes = routeTables.flatMap(({ routes }) => routes.map(({ method, path }) => `${method} ${path}`))

let app: H3

beforeAll(async () => {
  const { wiki } = await newWiki({
    X: '[[File:Script.svg]] <b>x</b>',
    Old: '#REDIRECT [[X]]',
    'Code.css': 'a{}',
    'Code.js': '1',
    'Data.json': '{"<b>":1}',
  })
  await create(wiki, 'Mark', '<script>x</script>', { contentModel: 'markdown' })
  const files = { 'Photo.png': png(80, 40), 'Script.svg': Buffer.from(script), 'Page.pdf': Buffer.from('%PDF-1.4 x') }
  for (const [name, content] of Object.entries({ ...files, 'Note.txt': Buffer.from('<script>alert(1)</script>') }))
    await addFile(wiki, { name, content, comment: null, author: ada })
  app = createApp(wiki, { allowAnonymous: true })
})

/** All responses of a route, including those to unsupported methods. */
async function answersOf(route: string): Promise<[asked: string, response: Response][]> {
  const method = route.split(' ', 1)[0]!
  const answers: [string, Response][] = []
  for (const [path, body] of examples[route] ?? []) {
    const headers = { 'content-type': 'application/json' }
    const sent = body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body)
    const more = method === 'GET' ? ['HEAD', 'PATCH', 'OPTIONS'] : ['PATCH']
    for (const each of [method, ...more]) {
      const answer = await app.request(`http://localhost${path}`, {
        method: each,
        headers,
        body: each === method ? sent : null,
        redirect: 'manual',
      })
      answers.push([`${each} ${path}`, answer])
    }
  }
  return answers
}

/** Directives that a policy must have for a document by another author. */
function isStrict(policy: string | null): boolean {
  const parts = new Map((policy ?? '').split(';').map(part => [part.trim().split(' ')[0], part.trim()]))
  const sandbox = parts.get('sandbox') ?? ''
  return (
    parts.get('default-src') === "default-src 'none'" &&
    sandbox !== '' &&
    !/allow-(?:scripts|same-origin|forms|modals)/.test(sandbox) &&
    !parts.has('script-src') &&
    !/\*|https?:|unsafe-eval/.test(policy ?? '')
  )
}

/** Types that no browser runs or shows as a document of this origin, whatever their content. */
const inert =
  /^(?:application\/json|application\/feed\+json; charset=utf-8|application\/opensearchdescription\+xml|text\/css; charset=utf-8|text\/plain(?:; .*)?)$/

describe('every response restricts what a browser may do with it', () => {
  test('the examples cover all routes, and no others', () => {
    expect([...new Set(routes)].sort()).toEqual(Object.keys(examples).sort())
  })

  test.each([...new Set(routes)])('%s', async route => {
    for (const [asked, response] of await answersOf(route)) {
      const { headers, status } = response
      const type = headers.get('content-type')
      const isFile = /^\w+ \/files\//.test(asked) && (status === 200 || status === 206)
      expect([asked, headers.get('x-content-type-options')]).toEqual([asked, 'nosniff'])
      expect([asked, status]).not.toEqual([asked, 500])
      if (type === null) expect([asked, [204, 304, 405].includes(status)]).toEqual([asked, true])
      else if (/^text\/html|\+xml/.test(type) || isFile)
        expect([asked, isStrict(headers.get('content-security-policy'))]).toEqual([asked, true])
      else expect([asked, inert.test(type), type]).toEqual([asked, true, type])
    }
  })

  test.each(['/', '/files/', '/v1/page/X/html/more', '/no', '/v1', "/v1/page/'%22%3E%3Cscript%3E", '/v1/page/%'])(
    'what means nothing: %s',
    async path => {
      const { headers } = await app.request(`http://localhost${path}`)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
    },
  )

  test('a drawing or a text opened in a browser has no origin and runs nothing', async () => {
    for (const name of ['Script.svg', 'Note.txt']) {
      const { headers } = await app.request(`http://localhost/files/${name}`)
      expect(headers.get('content-security-policy')).toMatch(/^sandbox; default-src 'none'/)
    }
    const note = await app.request('http://localhost/files/Note.txt')
    expect(note.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    const pdf = await app.request('http://localhost/files/Page.pdf')
    expect(pdf.headers.get('content-disposition')).toMatch(/^attachment;/)
  })
})
