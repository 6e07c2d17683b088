/**
 * Every route that reads, and its request for a page `{key, latest, before}`: a path, or `{path, body}` for a POST.
 *
 * `there` is the path of the same route in MediaWiki 1.39, `at` the root of ours (`/v1`). A test compares it with the router's
 * table.
 */
const words = ['bace', 'zafo', 'guha tri', 'kiste', 'lodi', 'cleme', 'phagu ce', 'strido', 'nabra', 'xowe']
const page = '/page/{title}'
const transform = '/transform/wikitext/to'

const table = [
  { route: page, ask: ({ key }) => `/page/${key}`, there: '/v1' },
  ...underPage('bare', 'html', 'with_html', 'history'),
  {
    route: `${page}/history`,
    what: `${page}/history?older_than`,
    ask: ({ key, latest }) => `/page/${key}/history?older_than=${latest}`,
    there: '/v1',
  },
  ...['edits', 'editors', 'minor'].map(type => ({
    route: `${page}/history/counts/{type}`,
    what: `${page}/history/counts/${type}`,
    ask: ({ key }) => `/page/${key}/history/counts/${type}`,
    there: '/v1',
  })),
  ...underPage('links/language', 'links/media'),
  { route: `${page}/lint`, ask: ({ key }) => `/page/${key}/lint` },
  { route: `${page}/authorship`, ask: ({ key }) => `/page/${key}/authorship` },
  { route: `${page}/links/here`, ask: ({ key }) => `/page/${key}/links/here` },
  { route: `${page}/links/out`, ask: ({ key }) => `/page/${key}/links/out` },
  { route: '/category/{name}', ask: () => '/category/X' },
  { route: '/lists/{name}', ask: () => '/lists/orphans' },
  { route: '/pages', ask: () => '/pages' },
  { route: '/files', ask: () => '/files', there: '/v1' },
  { route: '/feed', ask: () => '/feed' },
  { route: '/api.php', ask: () => '/api.php?action=feedrecentchanges', at: '' },
  { route: '/changes', ask: () => '/changes' },
  { route: '/revision/{id}', ask: ({ before }) => `/revision/${before}`, there: '/v1' },
  ...underRevision('bare', 'html', 'with_html'),
  { route: '/revision/{id}/lint', ask: ({ before }) => `/revision/${before}/lint` },
  {
    route: '/revision/{from}/compare/{to}',
    ask: ({ before, latest }) => `/revision/${before}/compare/${latest}`,
    there: '/v1',
  },
  {
    route: '/merge',
    what: 'POST /merge',
    ask: ({ before, key }) => ({
      path: '/merge',
      body: { base: { id: before }, mine: { id: before }, theirs: { text: textOf(key) } },
    }),
  },
  {
    route: '/compare',
    what: 'POST /compare',
    ask: ({ before, key }) => ({ path: '/compare', body: { from: { id: before }, to: { text: textOf(key) } } }),
  },
  { route: '/search', ask: () => '/search' },
  { route: '/search/page', ask: ({ key }) => `/search/page?q=${wordOf(key)}`, there: '/v1' },
  { route: '/search/title', ask: ({ key }) => `/search/title?q=${key.slice(0, 7)}`, there: '/v1' },
  { route: '/file/{title}', ask: () => '/file/Buoy.svg', there: '/v1' },
  ...transforms('/transform/wikitext/to/html', key => ({ wikitext: textOf(key) })),
  ...transforms('/transform/html/to/wikitext', key => ({
    html: `<h2>${key}</h2><p><b>Bold</b></p><ul><li>one</li></ul>`,
  })),
  ...transforms(`${transform}/lint`, key => ({ wikitext: `<b>${textOf(key)}` })),
  { route: '/session', what: '/session, without one', ask: () => '/session', fails: true },
  { route: '/specs/v0/module/-', ask: () => '/specs/v0/module/-' },
  { route: '/specs/v0/module/content/v1', ask: () => '/specs/v0/module/content/v1' },
  { route: '/openapi.json', ask: () => '/openapi.json' },
  { route: '/specs', ask: () => '/specs' },
  { route: '/specs/', ask: () => '/specs/' },
  { route: '/specs/v0/discovery', ask: () => '/specs/v0/discovery' },
  { route: '/{name}', what: '/files/{name}', at: '/files', ask: () => '/Buoy.svg' },
  {
    route: '/thumb/{name}/{width}',
    what: '/files/thumb/{name}/{width}',
    at: '/files',
    ask: () => '/thumb/Buoy.svg/20',
  },
  { route: '/{title*}', what: '/wiki/{title}', at: '/wiki', ask: ({ key }) => `/${key}` },
  { route: '/style.css', at: '', ask: () => '/style.css' },
  { route: '/', at: '', ask: () => '/' },
  { route: '', what: '/rest.php', at: '/rest.php', ask: () => '' },
  { route: page, what: 'not found', ask: ({ key }) => `/page/No_${key}`, there: '/v1', fails: true },
]

/** The same, with the name and the path of each. */
export const readRoutes = table.map(entry => ({ what: entry.route, at: '/v1', ...entry }))

/** A request to one of the two servers: a full path, and a body if there is one. */
export function requestOf({ ask }, place, page) {
  const asked = ask(page)
  return typeof asked === 'string'
    ? { path: place + asked }
    : { path: place + asked.path, body: JSON.stringify(asked.body) }
}

function underPage(...names) {
  return names.map(name => ({ route: `${page}/${name}`, ask: ({ key }) => `/page/${key}/${name}`, there: '/v1' }))
}

function underRevision(...names) {
  return names.map(name => ({
    route: `/revision/{id}/${name}`,
    ask: ({ before }) => `/revision/${before}/${name}`,
    there: '/v1',
  }))
}

/** Alone, for a title, and for a revision of it. */
function transforms(path, body) {
  const places = { '': () => '', '/{title}': ({ key }) => `/${key}`, '/{title}/{revision}': under }
  return Object.entries(places).map(([place, of]) => ({
    route: path + place,
    what: `POST ${path}${place}`,
    ask: page => ({ path: path + of(page), body: body(page.key) }),
    there: '/coredev/v0',
  }))
}

function under({ key, latest }) {
  return `/${key}/${latest}`
}

function textOf(key) {
  return `'''${key}''' is [[Page 1|a page]].\n\n== Part ==\n* one\n* two ''and'' three\n\n[[Category:Group 1]]\n`
}

function wordOf(key) {
  return encodeURIComponent(words[Number(/\d+/.exec(key)) % words.length])
}
