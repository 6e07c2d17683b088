/** The API as an h3 app: maps a request to a response and a line in the log. It opens no port. */

import { randomUUID } from 'node:crypto'
import { inspect } from 'node:util'
import { H3, type H3Event, type HTTPResponse } from 'h3'
import { isWikiError } from '../core/errors.ts'
import { type Access, findSession, isSignedIn, openAccess } from '../http/access.ts'
import { readClient, readPeer, type Trust, trustIn } from '../http/client.ts'
import { ownPathIn, withoutOwnPaths } from '../http/own-path.ts'
import { isLostPath, isPagePath } from '../http/page-paths.ts'
import type { PageHandler } from '../http/page-request.ts'
import { readTarget, type Target } from '../http/params.ts'
import { cachedMark } from '../http/read.ts'
import { byteLength, keeping, type PlainResponse, toResponse, withoutLongText } from '../http/response.ts'
import { ResponseCache } from '../http/response-cache.ts'
import type { ServerOptions } from '../http/server-options.ts'
import type { Wiki } from '../operations/wiki.ts'
import { corsHeaders } from './cors.ts'
import { findMatch, handleRequest } from './dispatch.ts'
import { contentLanguage, errorResponse } from './errors.ts'
import { type Log, missingHeader } from './log.ts'
import type { Match } from './match.ts'

export type { AccessEntry, ErrorEntry, Log, LogEntry } from './log.ts'

export interface AppOptions extends ServerOptions {
  /** Called for each request, and for each internal error. */
  readonly log?: Log
  /**
   * Loads the handler of the pages for browsers, on the first request for one. Without it, `/` and `/wiki/` redirect to
   * the API.
   */
  readonly pages?: () => Promise<PageHandler>
}

/** Parts of the server that runs an app. */
export interface AppServer {
  readonly access: Access
  /** Called before one of its requests is worked on; the result is called when the response is made, before it is sent. */
  readonly begin: (request: object) => () => void
}

/** Maximum UTF-16 units of a request line, and of the name of a browser, in the log. */
const loggedUnits = 2000

/** State shared by all requests of one app. */
interface AppContext {
  readonly wiki: Wiki
  readonly options: AppOptions
  readonly trust: Trust
  readonly access: Access
  readonly cache: ResponseCache
  readonly begin: AppServer['begin']
}

/** Creates the app that serves a wiki. Errors: wiki-usage for an invalid proxy address. */
export function createApp(wiki: Wiki, options: AppOptions = {}, server?: AppServer): H3 {
  // Routing is our own, see match.ts, and so is the handling of malformed encoding: h3 would refuse bytes that
  // MediaWiki accepts in a title.
  const app = new H3({ silent: true, allowMalformedURL: true })
  const trust = trustIn(options.trustProxy ?? [])
  const context = {
    wiki,
    options,
    trust,
    access: server?.access ?? openAccess(wiki, options),
    begin: server?.begin ?? (() => () => {}),
    cache: new ResponseCache(wiki.store.cacheBytes('responses')),
  }
  return app.use(event => respond(event, context))
}

async function respond(event: H3Event, { options: given, ...rest }: AppContext): Promise<HTTPResponse> {
  const start = performance.now()
  const id = requestId()
  const sent = readTarget(event)
  const own = given.prefix ? '' : ownPathIn(sent.path)
  const options = own === '' ? given : { ...given, prefix: own }
  const context = { ...rest, options }
  const below = pathBelow(options.prefix, sent.path)
  const target = { ...sent, path: below ?? sent.path }
  const match = below === null ? null : belowPrefix(findMatch(below), options.prefix)
  const isPage = options.pages !== undefined && below !== null && isForPeople(event, below, match)
  const isLeft = own !== '' && isRead(event) && isForUs(event, context) && !hasSession(event, context)
  const make = async (): Promise<PlainResponse> => {
    if (isLeft) return leadOut(target)
    return isPage ? handlePage(event, target, id, context) : handleApi(event, target, id, { ...context, match })
  }
  // Work goes on for a client that has left, so it counts until it is done.
  const end = context.begin(event.runtime?.node?.req ?? event)
  const response = await make().then(withoutLongText).finally(end)
  const bytes = byteLength(response)
  const milliseconds = Math.round((performance.now() - start) * 1000) / 1000
  options.log?.({
    event: 'request',
    time: now(),
    id,
    peer: readPeer(event, context.trust),
    method: event.req.method,
    target: withoutSecrets(sent.path + sent.search).slice(0, loggedUnits),
    ...(isCutOff(event)
      ? { status: cutOff, bytes: 0 }
      : { status: response.status, bytes: Number.isFinite(bytes) ? bytes : 0 }),
    milliseconds,
    agent: withoutSecrets(event.req.headers.get('user-agent') ?? '').slice(0, loggedUnits),
    ...(response.headers[missingHeader] !== undefined && { missing: Number(response.headers[missingHeader]) }),
  })
  return toResponse(withTiming(response, event, milliseconds), { id, bytes, method: event.req.method })
}

/** Status in the log of a request that never arrived as a whole: nobody has got a response. Source: nginx, NGX_HTTP_CLIENT_CLOSED_REQUEST. */
const cutOff = 499

/** Returns true if the connection ended in the middle of the request: the client left, or the connection gave way to others. */
function isCutOff({ runtime }: H3Event): boolean {
  const request = runtime?.node?.req
  return request !== undefined && !request.complete && request.destroyed
}

/** Returns true for pages, and for unknown paths requested by a browser. */
function isForPeople({ req }: H3Event, path: string, match: Match | null): boolean {
  return isPagePath(path, req.headers) || (match === null && isLostPath(path, req.headers))
}

async function handleApi(
  event: H3Event,
  target: Target,
  id: string,
  context: AppContext & { readonly match: Match | null },
): Promise<PlainResponse> {
  const found = await handleRequest({ ...context, event, target }).catch(thrown =>
    faultResponse(thrown, event, id, context),
  )
  return responseFor(event, context.match, found, context)
}

/** Returns the path below the app's prefix; null for a path outside of it, which has no route. */
function pathBelow(prefix = '', path: string): string | null {
  return path === prefix || path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : null
}

/** Adds the prefix to the mount, so that routes in a response start with it. */
function belowPrefix(match: Match | null, prefix = ''): Match | null {
  return match === null ? null : { ...match, mount: `${prefix}${match.mount}` }
}

/**
 * Adds the time that the response took, and whether a cacheable one came from the cache, for clients that send `Prefer:
 * server-timing`. Source: https://www.w3.org/TR/server-timing/, RFC 7240 (Prefer).
 */
function withTiming(response: PlainResponse, { req, context }: H3Event, milliseconds: number): PlainResponse {
  const preferences = (req.headers.get('prefer') ?? '').slice(0, 1000).toLowerCase().split(',')
  if (!preferences.some(preference => preference.trim() === timingPreference)) return response
  const isCached = context[cachedMark]
  const cache = isCached === undefined ? '' : `cache;desc=${isCached ? 'hit' : 'miss'}, `
  const timing = `${cache}total;dur=${milliseconds}`
  return {
    ...response,
    headers: { ...response.headers, 'server-timing': timing, 'preference-applied': timingPreference },
  }
}

const timingPreference = 'server-timing'

/** A page is for people, not for scripts of other origins, so CORS headers never allow reading it. */
async function handlePage(event: H3Event, target: Target, id: string, context: AppContext): Promise<PlainResponse> {
  const pages = await context.options.pages!()
  const response = await pages({ ...context, event, target, id, onFault: thrown => logFault(thrown, id, context) })
  return { ...response, headers: { ...oursAlone, ...response.headers } }
}

/** Adds headers that depend on the caller and not on the URL: for pages of other origins, and for known users. */
function responseFor(
  { req }: H3Event,
  match: Match | null,
  response: PlainResponse,
  { wiki, access, options }: AppContext,
): PlainResponse {
  const { method, headers } = req
  const { allowedOrigins } = wiki.store.config
  const isPrivate = response.status < 400 && (method === 'GET' || method === 'HEAD') && isSignedIn(access, headers)
  return {
    ...response,
    headers: {
      ...response.headers,
      ...(isPrivate && response.headers['cache-control'] !== keeping.never && { 'cache-control': keeping.own }),
      ...(options.crossOrigin === false ? oursAlone : corsHeaders({ method, headers, match, allowedOrigins })),
    },
  }
}

/** Without it a page of another origin could display an image and learn its size, although it cannot read the bytes. */
const oursAlone = { 'cross-origin-resource-policy': 'same-origin' }

function isRead({ req }: H3Event): boolean {
  return req.method === 'GET' || req.method === 'HEAD'
}

function isForUs(event: H3Event, { options, trust }: AppContext): boolean {
  try {
    readClient(event, { ...options, trust })
    return true
  } catch {
    return false
  }
}

function hasSession({ req }: H3Event, { access }: AppContext): boolean {
  try {
    return findSession(access, req.headers) !== null
  } catch {
    // The page says that the token file is damaged.
    return true
  }
}

/** An own path without its session is left: each would be another address of every page. A form that was sent is never left. */
function leadOut({ path, search }: Target): PlainResponse {
  return {
    status: 307,
    headers: { location: `/${path.replace(/^[/\\]+/, '')}${search}`, 'cache-control': keeping.never },
    body: '',
  }
}

/** A token may appear in the wrong place, and others can read a log. */
function withoutSecrets(text: string): string {
  return withoutOwnPaths(text.replace(/wiki_[\w-]{16,}/g, 'wiki_***'))
}

/** Responds with an error, and logs the details that the client does not see. */
async function faultResponse(
  thrown: unknown,
  { req }: H3Event,
  id: string,
  context: AppContext,
): Promise<PlainResponse> {
  const response = errorResponse(thrown, await contentLanguage(context.wiki), req)
  if (response.status === 500) logFault(thrown, id, context)
  return response
}

function logFault(thrown: unknown, id: string, { options }: AppContext): void {
  options.log?.({ event: 'error', time: now(), id, error: withoutSecrets(detailsOf(thrown).slice(0, 10_000)) })
}

/** The cause of a known error is in the repository or on the disk, so its trace is of no help; that of a bug is. */
function detailsOf(thrown: unknown): string {
  if (!isWikiError(thrown)) return inspect(thrown)
  const cause = thrown.cause instanceof Error ? `, caused by: ${thrown.cause.message}` : ''
  return `${thrown.message}${cause}`
}

/** Returns 24 hexadecimal digits. */
function requestId(): string {
  return randomUUID().replaceAll('-', '').slice(8)
}

function now(): string {
  return new Date().toISOString()
}
