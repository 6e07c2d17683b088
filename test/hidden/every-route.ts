/** Requests to every route of the API, about the wiki in secret-wiki.ts. */

import { linkLists } from '../../src/operations/link-lists.ts'
import type { Route } from '../../src/rest/route.ts'
import { routeTables } from '../../src/rest/routes.ts'
import type { SecretWiki } from './secret-wiki.ts'

const titles = ['Ferry', 'ferry', 'Tides', 'Gone', 'File:Map.svg', 'Pier', 'Quay', 'Users', 'None']
// Differs from a secret in one letter: no suggestion may reveal the right one.
const words = [
  'ferry',
  'tides',
  'low%20water',
  'insource:water',
  'quay',
  'zqyoldtext',
  'zqygonetext',
  'zqyfiletext',
  'zqymovetext',
  'zq',
]

/** A value of each parameter of a path, and of each parameter of a query that identifies something in the wiki. */
const values: Readonly<Record<string, (wiki: SecretWiki) => readonly string[]>> = {
  title: () => titles,
  'title*': () => titles,
  name: () => ['Map.svg', 'None.svg', 'Ferry', 'zq', ...Object.keys(linkLists)],
  width: () => ['4', '40'],
  type: () => ['anonymous', 'bot', 'editors', 'edits', 'minor', 'reverted', 'temporary'],
  id: ({ ids }) => [...ids, 99].map(String),
  revision: ({ ids }) => ids.map(String),
  from: ({ ids }) => ids.slice(0, 6).map(String),
  to: ({ ids }) => ids.slice(0, 6).map(String),
}

const flavors = ['', '?flavor=edit', '?flavor=fragment', '?stash=1', '?redirect=no']

/** Query strings, for routes that read one. */
const queries: Readonly<Record<string, readonly string[]>> = {
  '/search/page': words.map(word => `?q=${word}`),
  '/search/title': words.map(word => `?q=${word}`),
  '/page/{title}/html': flavors,
  '/page/{title}/with_html': flavors,
  '/revision/{id}/html': flavors,
  '/revision/{id}/with_html': flavors,
  '/feed': ['', '?format=json', '?user=zq', '?title=Ferry', '?category=zq'],
  '/pages': ['', '?prefix=zq'],
  '/changes': ['', '?user=zq', '?title=Gone', '?prefix=zq', '?minor=yes', '?newer_than=1', '?limit=1'],
  '/page/{title}/history': ['', '?filter=anonymous', '?filter=reverted', '?older_than=4', '?newer_than=2'],
}

/** Bodies of POST and PUT requests; a route that is not listed must have none. */
const bodies: Readonly<Record<string, (wiki: SecretWiki) => readonly object[]>> = {
  'POST /page': () => [
    { title: 'Ferry', source: 'x', comment: 'c' },
    { title: 'Wharf', source: 'x', comment: 'c' },
  ],
  'PUT /page/{title}': () => [2, 3, 4, 5, 99].map(id => ({ source: 'Another.', comment: 'c', latest: { id } })),
  'POST /page/{title}/move': () => [{ to: 'Elsewhere', dryRun: true }, { to: 'Ferry' }],
  'POST /page/{title}/restore': ({ ids }) => [{ dryRun: true }, ...ids.map(revision => ({ revision, dryRun: true }))],
  'POST /page/{title}/undo': ({ ids }) => ids.map(revision => ({ revision, dryRun: true })),
  'PUT /file/{title}': () => [{ none: true }],
  'POST /compare': ({ ids }) => [
    ...ids.map(id => ({ from: { id }, to: { text: 'other' } })),
    ...['Ferry', 'Gone', 'Pier', 'File:Map.svg'].map(title => ({ from: { text: 'other' }, to: { title } })),
  ],
  'POST /merge': ({ ids }) => ids.map(id => ({ base: { text: '' }, mine: { id }, theirs: { text: '' } })),
  'POST /session': () => [{ token: 'none' }],
  ...transforms('wikitext/to/html', [{}, { stash: true }, { wikitext: '{{Ferry}} {{REVISIONUSER:Ferry}} {{:Gone}}' }]),
  ...transforms('wikitext/to/lint', [{}, { wikitext: '<b>{{REVISIONUSER:Ferry}}' }]),
  ...transforms('html/to/wikitext', [{ html: '<p>some text</p>' }]),
  ...transforms('{from}/to/{to}', [{}]),
}

function transforms(path: string, all: readonly object[]): Record<string, () => readonly object[]> {
  const places = ['', '/{title}', '/{title}/{revision}']
  return Object.fromEntries(places.map(place => [`POST /transform/${path}${place}`, () => all]))
}

/** A request; a body is sent as JSON. */
export interface AskedRoute {
  readonly method: string
  readonly path: string
  readonly body?: object
}

/** All requests of one route. Throws an error for an unlisted parameter or body. */
function requestsOf(wiki: SecretWiki, mount: string, { method, path }: Route): AskedRoute[] {
  const names = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name as string)
  const paths = names.reduce<readonly string[]>(
    (known, name) => {
      const found = path.startsWith('/transform/{from}') && name !== 'title' ? ['x'] : values[name]?.(wiki)
      if (found === undefined) throw new Error(`The parameter ${name} of ${path} is not listed`)
      return known.flatMap(text => found.map(value => text.replace(`{${name}}`, encodeURIComponent(value))))
    },
    [path],
  )
  const asked = paths.flatMap(text => (queries[path] ?? ['']).map(query => `${mount}${text}${query}`))
  if (method === 'GET' || method === 'DELETE') return asked.map(path => ({ method, path }))
  const sent = bodies[`${method} ${path}`]?.(wiki)
  if (sent === undefined) throw new Error(`The body of ${method} ${path} is not listed`)
  return asked.flatMap(path => sent.map(body => ({ method, path, body })))
}

/** All routes under their first mount: those that read, then those that write. */
export function everyRoute(wiki: SecretWiki): AskedRoute[] {
  const routes = routeTables.flatMap(({ mounts, routes }) =>
    routes.map(route => ({ mount: mounts[0] as string, route })),
  )
  const inOrder = [...routes.filter(({ route }) => !route.writes), ...routes.filter(({ route }) => route.writes)]
  return inOrder.flatMap(({ mount, route }) => requestsOf(wiki, mount, route))
}
