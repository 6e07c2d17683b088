/** Requests of every route, and the wiki that they are for. */

import { addFile } from '../../src/operations/add-file.ts'
import type { Wiki } from '../../src/operations/wiki.ts'
import { png } from '../media/_files.ts'
import { ada, create, newWiki } from '../operations/_wiki.ts'

const script = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script></svg>'

/** Requests of every route: successes, redirects and errors. The keys are those of the table. */
export const examples: Readonly<Record<string, readonly (readonly [path: string, body?: unknown])[]>> = {
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

/** Makes the wiki of the examples. */
export async function exampleWiki(): Promise<Wiki> {
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
  return wiki
}
