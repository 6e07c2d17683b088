/** The routes of the API, in the order of the specification. Source: SPEC 4. */

import type { PageObject } from '../core/page.ts'
import { countValidators, historyValidators, revisionValidators, type Validators } from './conditional.ts'
import { type Handler, missingWhereInvalid, notBuilt } from './handlers/handler.ts'
import { history, historyCount, pageBare, pageSource } from './handlers/pages.ts'
import { comparison, revisionBare, revisionSource } from './handlers/revisions.ts'
import { discovery, entrance } from './handlers/roots.ts'
import { pageSearch, searchDescription, titleSearch } from './handlers/search.ts'
import { sessionEnd, sessionStart, sessionState } from './handlers/session.ts'
import { pageCreation, pageUpdate } from './handlers/writes.ts'
import type { RouteTable } from './match.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

export interface Route {
  readonly method: Method
  /** Exact segments; `{name}` stands for any one of them, also an empty one. */
  readonly path: string
  readonly handler: Handler
  /** `Cache-Control` of the answer, where it has one. Source: REST.md 0.3. */
  readonly cache?: string
  /** `Cache-Control` of the answer that leads to the title's canonical spelling. */
  readonly redirectCache?: string
  /** What dates the answer that leads to the title's canonical spelling: the page's latest revision. */
  readonly dates?: (latest: PageObject['latest']) => Validators
  /** True where the wiki changes: who may not write is refused before the handler is asked. */
  readonly writes?: true
  /** True where the answer is about who asks: it is kept nowhere, and pages of other origins do not see it. */
  readonly session?: true
}

const briefly = 'max-age=5'
const minute = 'max-age=60'
const typeahead = 'public, max-age=1200'
const saved = 'private,must-revalidate,s-maxage=0'
const never = 'no-store'

/** Routes of the specification, and newer ones of MediaWiki. */
const apiRoutes: readonly Route[] = [
  { method: 'GET', path: '/search', handler: searchDescription, cache: 'max-age=600' },
  { method: 'GET', path: '/search/page', handler: pageSearch },
  { method: 'GET', path: '/search/title', handler: titleSearch, cache: typeahead },
  { method: 'POST', path: '/page', handler: pageCreation, cache: saved, writes: true },
  { method: 'GET', path: '/page/{title}', handler: pageSource, cache: briefly, dates: revisionValidators },
  { method: 'PUT', path: '/page/{title}', handler: pageUpdate, cache: saved, writes: true },
  { method: 'GET', path: '/page/{title}/bare', handler: pageBare, cache: briefly, dates: revisionValidators },
  { method: 'GET', path: '/page/{title}/with_html', handler: notBuilt, cache: briefly, redirectCache: minute },
  { method: 'GET', path: '/page/{title}/html', handler: notBuilt, cache: briefly, redirectCache: minute },
  { method: 'GET', path: '/page/{title}/links/language', handler: notBuilt },
  { method: 'GET', path: '/page/{title}/links/media', handler: notBuilt },
  { method: 'POST', path: '/transform/wikitext/to/html/{title}', handler: notBuilt },
  { method: 'POST', path: '/transform/html/to/wikitext/{title}', handler: notBuilt },
  { method: 'POST', path: '/transform/wikitext/to/lint/{title}', handler: notBuilt },
  { method: 'GET', path: '/file/{title}', handler: notBuilt },
  { method: 'GET', path: '/page/{title}/history', handler: missingWhereInvalid(history), dates: historyValidators },
  {
    method: 'GET',
    path: '/page/{title}/history/counts/{type}',
    handler: missingWhereInvalid(historyCount),
    cache: minute,
    dates: countValidators,
  },
  { method: 'GET', path: '/revision/{id}/bare', handler: revisionBare, cache: briefly },
  { method: 'GET', path: '/revision/{id}', handler: revisionSource, cache: briefly },
  { method: 'GET', path: '/revision/{id}/html', handler: notBuilt, cache: briefly },
  { method: 'GET', path: '/revision/{id}/with_html', handler: notBuilt, cache: briefly },
  { method: 'GET', path: '/revision/{from}/compare/{to}', handler: comparison },
]

/** Routes of ours: a cookie in place of a token. */
const sessionRoutes: readonly Route[] = [
  { method: 'GET', path: '/session', handler: sessionState, cache: never, session: true },
  { method: 'POST', path: '/session', handler: sessionStart, cache: never, session: true },
  { method: 'DELETE', path: '/session', handler: sessionEnd, cache: never, session: true },
]

/** Routes that describe the API. */
const specificationRoutes: readonly Route[] = [
  { method: 'GET', path: '/specs/v0/discovery', handler: discovery, cache: minute },
]

/** Ways in, for those who know nothing but the server's name. */
const entranceRoutes: readonly Route[] = [
  { method: 'GET', path: '', handler: entrance },
  { method: 'GET', path: '/', handler: entrance },
]

/** Where the API is found: by its own name, and where clients of MediaWiki look for it. */
export const apiMounts = ['/v1', '/rest.php/v1', '/w/rest.php/v1'] as const
const rootMounts = ['/rest.php', '/w/rest.php', ''] as const

/** All that is routed. */
export const routeTables: readonly RouteTable[] = [
  { mounts: apiMounts, routes: [...apiRoutes, ...sessionRoutes, ...specificationRoutes] },
  { mounts: rootMounts, routes: [...specificationRoutes, ...entranceRoutes] },
]
