/** The things that routes without sign-in can make grow: rows for every route, and no turn of a client that stays taken. */

import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Wiki } from '../../src/operations/wiki.ts'
import { createTurns } from '../../src/operations/workers/turns.ts'
import { routeTables } from '../../src/rest/routes.ts'
import { type RunningServer, serve } from '../../src/rest/serve.ts'
import { handlePage } from '../../src/web/handle-page.ts'
import { livePath } from '../../src/web/live.ts'
import { actionNames, specialNames } from '../../src/web/routes.ts'
import { examples, exampleWiki } from './_route-examples.ts'

/** Rows of docs/rooms/rendering.md: names of what grows, and where it is. */
const rows = new Map(
  readFileSync('docs/rooms/rendering.md', 'utf8')
    .split('This is all that requests without sign-in can make grow.')[1]!
    .split('\n\nNobody')[0]!
    .split('\n')
    .filter(line => /^\| (?!what)/.test(line))
    .map(line => line.split('|').map(cell => cell.trim()))
    .map(([, what, , , , where]) => [what!, where!.replaceAll('`', '')]),
)

const everyRequest = ['connections', 'waiting requests', 'requests at work', 'log lines'] as const
const read = ['responses'] as const
const job = ['jobs', 'workers'] as const
const render = [...job, 'rendered pages', 'files of rendered pages', 'metadata'] as const
const links = ['link tables'] as const
const search = ['search caches', 'search index', ...job] as const
const sent = ['bodies'] as const

type Rows = readonly string[]

/** Routes of the API, by method and path: what they make grow besides the rows of every request. */
const routes: Readonly<Record<string, Rows>> = {
  'GET /search': read,
  'GET /search/page': [...read, ...search, ...render, 'thumbnails'],
  'GET /search/title': [...read, ...search, ...render, 'thumbnails'],
  'GET /page/{title}': read,
  'GET /page/{title}/bare': read,
  'GET /page/{title}/html': [...read, ...render, 'stashed HTML'],
  'GET /page/{title}/with_html': [...read, ...render, 'stashed HTML'],
  'GET /page/{title}/links/language': [...read, ...render],
  'GET /page/{title}/links/media': [...read, ...render],
  'GET /page/{title}/lint': [...read, ...job],
  ...forms('POST /transform/wikitext/to/html', [...sent, ...render, 'stashed HTML']),
  ...forms('POST /transform/html/to/wikitext', [...sent, ...render]),
  ...forms('POST /transform/wikitext/to/lint', [...sent, ...job, 'metadata']),
  ...forms('POST /transform/{from}/to/{to}', []),
  'GET /file/{title}': [...read, 'metadata'],
  'GET /page/{title}/history': read,
  'GET /page/{title}/authorship': [...read, ...job],
  'GET /page/{title}/history/counts/{type}': [...read, 'counts'],
  'GET /pages': read,
  'GET /files': [...read, 'metadata'],
  'GET /feed': read,
  'GET /changes': read,
  'GET /page/{title}/links/here': [...read, ...links, ...job],
  'GET /page/{title}/links/out': [...read, ...links, ...job],
  'GET /category/{name}': [...read, ...links, ...job],
  'GET /lists/{name}': [...read, ...links, ...job],
  'GET /revision/{id}/bare': read,
  'GET /revision/{id}': read,
  'GET /revision/{id}/html': [...read, ...render, 'stashed HTML'],
  'GET /revision/{id}/with_html': [...read, ...render, 'stashed HTML'],
  'GET /revision/{id}/lint': [...read, ...job],
  'GET /revision/{from}/compare/{to}': [...read, ...job],
  'POST /merge': [...sent, ...job],
  'POST /compare': [...sent, ...job],
  'GET /session': [],
  'POST /session': [...sent, 'failed sign-ins'],
  'DELETE /session': [],
  'GET /specs/v0/module/-': read,
  'GET /specs/v0/module/content/v1': read,
  'GET /openapi.json': read,
  'GET /specs/v0/discovery': read,
  'GET /specs': read,
  'GET /specs/': read,
  'GET ': read,
  'GET /': read,
  'GET /{name}': [...read, 'metadata'],
  'GET /thumb/{name}/{width}': [...read, 'metadata', 'thumbnails', 'thumbnails in the making'],
  'GET /{title*}': read,
  'GET /api.php': read,
  'GET /style.css': read,
}

/** Actions of pages. */
const actions: Readonly<Record<string, Rows>> = {
  view: [...read, ...render, ...links],
  ...all(['edit', 'submit'], [...sent, ...render]),
  history: [...read, ...job],
  authors: [...read, ...job],
  info: [...read, ...links, ...render, 'counts'],
  links: [...read, ...links, ...job],
  ...all(['raw', 'parameters', 'sections', 'delete', 'credits', 'purge'], read),
  lead: [...read, ...render],
}

const linkLists =
  'whatlinkshere lists lonelypages deadendpages wantedpages wantedfiles wantedtemplates wantedcategories ' +
  'uncategorizedpages unusedimages unusedtemplates doubleredirects brokenredirects mostlinkedpages categories'
const plain =
  'recentchanges contributions allpages prefixindex longpages shortpages repositoryfile filenames random drafts specialpages ' +
  'keys statistics version pagehistory pageinfo editpage purge permanentlink filepath redirect mycontributions'

/** Special pages. */
const specials: Readonly<Record<string, Rows>> = {
  search: [...read, ...search],
  ...all(linkLists.split(' '), [...read, ...links, ...job]),
  ...all(plain.split(' '), read),
  ...all(['listfiles', 'fileversion'], [...read, 'metadata', 'thumbnails']),
  ...all(['newpage', 'upload', 'revertfile', 'movepage', 'deletepage', 'restorepage', 'settings', 'tokens'], sent),
  ...all(['userlogin', 'userlogout'], [...sent, 'failed sign-ins', 'links to sign in']),
  diff: [...read, ...job],
  linterrors: [...read, ...job],
}

/** Paths beside the tables of routes. */
const others: Readonly<Record<string, Rows>> = { [livePath]: ['event streams'] }

/** A transform alone, for a title, and for a revision. */
function forms(path: string, what: Rows): Record<string, Rows> {
  return all([path, `${path}/{title}`, `${path}/{title}/{revision}`], what)
}

function all(names: readonly string[], what: Rows): Record<string, Rows> {
  return Object.fromEntries(names.map(name => [name, what]))
}

const apiRoutes = routeTables.flatMap(table => table.routes.filter(({ writes }) => !writes))
const namesOf = (table: object): string[] => Object.keys(table).sort()

describe('there is a row for', () => {
  test('each route of the API that needs no sign-in', () => {
    expect(namesOf(routes)).toEqual([...new Set(apiRoutes.map(({ method, path }) => `${method} ${path}`))].sort())
  })

  test('each action and each special page', () => {
    expect([namesOf(actions), namesOf(specials)]).toEqual([[...actionNames].sort(), [...specialNames].sort()])
  })

  test('all that a route makes grow, and for nothing else', () => {
    const grown = [routes, actions, specials, others].flatMap(table => Object.values(table)).flat()
    expect([...new Set([...everyRequest, ...grown])].sort()).toEqual([...rows.keys()].sort())
  })
})

describe('a server', () => {
  let wiki: Wiki
  let server: RunningServer
  let root: string
  /** Requests at work. */
  let taken = 0

  beforeAll(async () => {
    const turns = createTurns()
    const begin = (client: string) => {
      taken++
      const end = turns.begin(client)
      let isTaken = true
      return () => {
        if (isTaken) taken--
        isTaken = false
        end()
      }
    }
    wiki = { ...(await exampleWiki()), turns: { ...turns, begin } }
    server = await serve(wiki, { port: 0, pages: async () => handlePage, allowAnonymous: true })
    root = new URL(server.url).origin
  })

  afterAll(async () => {
    await server.close()
    await wiki.close()
  })

  const ask = async (method: string, path: string, body?: unknown): Promise<number> => {
    const isText = body === undefined || typeof body === 'string'
    const response = await fetch(root + path, {
      method,
      redirect: 'manual',
      ...(body !== undefined && {
        headers: { 'content-type': 'application/json' },
        body: isText ? body : JSON.stringify(body),
      }),
    })
    await response.arrayBuffer()
    return response.status
  }

  const requests = Object.entries(examples).flatMap(([route, some]) =>
    some.map(([path, body]) => [`${route.split(' ')[0]} ${path}`, body] as const),
  )
  const pages = [
    ...actionNames.map(name => `/wiki/X?action=${name}`),
    ...specialNames.map(name => `/wiki/Special:${name}`),
    ...['/', '/index.php?title=X', '/no-such-path', '/wiki/No%0Atitle'],
  ].map(path => [`GET ${path}`, undefined] as const)

  // Slow: it sends about two hundred requests.
  test('gives the turn back after each request', { tags: ['long'] }, async () => {
    for (const [line, body] of [...requests, ...pages]) {
      const [method, path] = line.split(' ', 2) as [string, string]
      await ask(method, path, body)
      expect([line, taken]).toEqual([line, 0])
    }
  })

  test('gives the turn back while a stream of events is open', async () => {
    const closing = new AbortController()
    const response = await fetch(root + livePath, { signal: closing.signal })
    await response.body!.getReader().read()
    expect(taken).toBe(0)
    closing.abort()
  })

  test('writes into no folder of the index without a row', async () => {
    await ask('POST', '/v1/transform/wikitext/to/html', { wikitext: 'x', stash: true })
    await ask('GET', '/wiki/Special:Search?search=x')
    await ask('GET', '/files/thumb/Photo.png/40px')
    const folders = readdirSync(wiki.store.cacheDirectory, { withFileTypes: true }).filter(one => one.isDirectory())
    const found = folders.map(({ name }) => `${name}/`)
    expect(found).toContain('stash/')
    expect([...found].filter(name => name !== 'uploads/' && ![...rows.values()].includes(name))).toEqual([])
  })
})
