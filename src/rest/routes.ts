/** The routes of the API, in the order of the specification. Source: SPEC 4. */

import type { PageObject } from '../core/page.ts'
import type { Wiki } from '../operations/wiki.ts'
import {
  countValidators,
  historyValidators,
  linkValidators,
  revisionValidators,
  type Validators,
} from './conditional.ts'
import { fileBytes, fileFacts, fileThumbnail, mediaLinks, readingPage } from './handlers/files.ts'
import { type Handler, missingWhereInvalid, notBuilt } from './handlers/handler.ts'
import { pageHtml, pageWithHtml, renderedValidators, revisionHtml, revisionWithHtml } from './handlers/html.ts'
import { pageLint, revisionLint } from './handlers/lint.ts'
import { history, historyCount, languageLinks, pageBare, pageSource } from './handlers/pages.ts'
import { comparison, revisionBare, revisionSource, textComparison } from './handlers/revisions.ts'
import { discovery, entrance } from './handlers/roots.ts'
import { pageSearch, searchDescription, titleSearch } from './handlers/search.ts'
import { sessionEnd, sessionStart, sessionState } from './handlers/session.ts'
import { htmlOfWikitext, lintOfWikitext, unknownTransform } from './handlers/transforms.ts'
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
  readonly dates?: (latest: PageObject['latest'], wiki: Wiki) => Validators
  /** True where the wiki changes: who may not write is refused before the handler is asked. */
  readonly writes?: true
  /** True where the answer is about who asks: it is kept nowhere, and pages of other origins do not see it. */
  readonly session?: true
}

const briefly = 'max-age=5'
const minute = 'max-age=60'
const typeahead = 'public, max-age=1200'
const unsaved = 'private,no-cache,s-maxage=0'
const saved = 'private,must-revalidate,s-maxage=0'
const never = 'no-store'

/** A transform by itself, for a title, and for a revision of it. */
function transforms(path: string, handler: Handler): Route[] {
  const places = [path, `${path}/{title}`, `${path}/{title}/{revision}`]
  return places.map(path => ({ method: 'POST', path, handler, cache: unsaved }))
}

/** Routes of the specification, and newer ones of MediaWiki. */
const apiRoutes: readonly Route[] = [
  { method: 'GET', path: '/search', handler: searchDescription, cache: 'max-age=600' },
  { method: 'GET', path: '/search/page', handler: pageSearch },
  { method: 'GET', path: '/search/title', handler: titleSearch, cache: typeahead },
  { method: 'POST', path: '/page', handler: pageCreation, cache: saved, writes: true },
  { method: 'GET', path: '/page/{title}', handler: pageSource, cache: briefly, dates: revisionValidators },
  { method: 'PUT', path: '/page/{title}', handler: pageUpdate, cache: saved, writes: true },
  { method: 'GET', path: '/page/{title}/bare', handler: pageBare, cache: briefly, dates: revisionValidators },
  {
    method: 'GET',
    path: '/page/{title}/with_html',
    handler: pageWithHtml,
    cache: briefly,
    redirectCache: minute,
    dates: renderedValidators('with_html'),
  },
  {
    method: 'GET',
    path: '/page/{title}/html',
    handler: pageHtml,
    cache: briefly,
    redirectCache: minute,
    dates: renderedValidators('html'),
  },
  {
    method: 'GET',
    path: '/page/{title}/links/language',
    handler: missingWhereInvalid(languageLinks),
    dates: linkValidators,
  },
  { method: 'GET', path: '/page/{title}/links/media', handler: mediaLinks },
  { method: 'GET', path: '/page/{title}/lint', handler: pageLint, redirectCache: minute, dates: linkValidators },
  ...transforms('/transform/wikitext/to/html', htmlOfWikitext),
  ...transforms('/transform/html/to/wikitext', notBuilt),
  ...transforms('/transform/wikitext/to/lint', lintOfWikitext),
  ...transforms('/transform/{from}/to/{to}', unknownTransform),
  { method: 'GET', path: '/file/{title}', handler: fileFacts },
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
  { method: 'GET', path: '/revision/{id}/html', handler: revisionHtml, cache: briefly },
  { method: 'GET', path: '/revision/{id}/with_html', handler: revisionWithHtml, cache: briefly },
  { method: 'GET', path: '/revision/{id}/lint', handler: revisionLint },
  { method: 'GET', path: '/revision/{from}/compare/{to}', handler: comparison },
  { method: 'POST', path: '/compare', handler: textComparison, cache: unsaved },
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

/** Bytes of media files, beside the API: answers of the API lead here. */
const fileRoutes: readonly Route[] = [
  { method: 'GET', path: '/{name}', handler: fileBytes, cache: minute },
  { method: 'GET', path: '/thumb/{name}/{width}', handler: fileThumbnail, cache: minute },
]

/** Addresses of pages for people, as descriptions of files have them. */
const readingRoutes: readonly Route[] = [{ method: 'GET', path: '/{title}', handler: readingPage }]

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
  { mounts: ['/files'], routes: fileRoutes },
  { mounts: ['/wiki'], routes: readingRoutes },
  { mounts: rootMounts, routes: [...specificationRoutes, ...entranceRoutes] },
]
