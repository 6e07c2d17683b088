/** Processes every request in this order: host, route, method, permission, parameters, handler, conditions. */

import type { H3Event } from 'h3'
import { isWikiError, WikiError } from '../core/errors.ts'
import { type Access, findWriter } from '../http/access.ts'
import { readClient, type Trust } from '../http/client.ts'
import { inEncoding } from '../http/compress.ts'
import {
  bodyValidators,
  noValidators,
  numberedValidators,
  precondition,
  type Validators,
  validatorHeaders,
} from '../http/conditional.ts'
import { readQuery, type Target } from '../http/params.ts'
import { usualBodyBytes } from '../http/read-body.ts'
import { emptyResponse, jsonBody, type PlainResponse, withBytes } from '../http/response.ts'
import { cachedMark, type Outcome, type ResponseCache, stateOf } from '../http/response-cache.ts'
import type { ServerOptions } from '../http/server-options.ts'
import { isTitleRedirect, type TitleRedirect } from '../operations/resources/title-redirect.ts'
import { atSnapshot, type Wiki } from '../operations/wiki.ts'
import { crossOriginHeaders } from './cors.ts'
import { contentLanguage, errorResponse, wrongMethodResponse } from './errors.ts'
import type { Reply, RestRequest } from './handlers/handler.ts'
import { wantsRestbase } from './handlers/restbase.ts'
import { createMatcher, decodeParams, type Match } from './match.ts'
import { redirectResponse, routeOfTitle } from './redirect.ts'
import type { Method, Route } from './route.ts'
import { routeTables } from './routes.ts'

/** An incoming request. */
export interface Incoming {
  readonly event: H3Event
  readonly wiki: Wiki
  readonly target: Target
  /** Null for an unknown path. */
  readonly match: Match | null
  readonly options: ServerOptions
  readonly trust: Trust
  readonly access: Access
  readonly cache: ResponseCache
}

/** Resolves a path; null for an unknown one. */
export const findMatch = createMatcher(routeTables)

/** Processes a request. Throws WikiError; anything else is a bug. */
export async function handleRequest(incoming: Incoming): Promise<PlainResponse> {
  const { event, wiki, target, match, options, trust, access } = incoming
  const { method, headers } = event.req
  const client = readClient(event, { ...options, trust })
  if (match === null) throw new WikiError('rest-no-match', { params: [withoutRoot(target.path)] })
  const { allow, methods } = match.pattern
  if (method === 'OPTIONS') return optionsResponse(wiki, allow)
  const route = methods.get((method === 'HEAD' ? 'GET' : method) as Method)
  if (route === undefined) return wrongMethodResponse(method, allow, await contentLanguage(wiki))
  const writer = route.writes ? await findWriter(access, headers, client, { ...options, needed: route.writes }) : null
  return handleRoute({ route, request: restRequest(incoming, match, { client, writer }), match, cache: incoming.cache })
}

/** Returns the path as MediaWiki's router sees it. */
function withoutRoot(path: string): string {
  return path.replace(/^(?:\/w)?\/rest\.php(?=\/)/, '')
}

/** The allowed origins are a setting, so the latest settings are read first. */
async function optionsResponse({ store }: Wiki, allow: string): Promise<PlainResponse> {
  await store.refresh().catch(() => {})
  return emptyResponse(204, {
    allow,
    'access-control-allow-methods': allow,
    'access-control-allow-headers': crossOriginHeaders,
  })
}

function restRequest(
  { event, wiki, target, access, options }: Incoming,
  match: Match,
  { client, writer }: Pick<RestRequest, 'client' | 'writer'>,
): RestRequest {
  return {
    wiki: { ...wiki, client: client.address },
    event,
    base: `${client.isSecure ? 'https' : 'http'}://${client.host}${match.mount}`,
    route: match.pattern.path,
    path: decodeParams(match),
    query: readQuery(target.search),
    search: target.search,
    client,
    access,
    writer,
    maxBodyBytes: options.maxBodyBytes ?? Math.max(usualBodyBytes, 2 * wiki.store.config.limits.source),
  }
}

/**
 * Evaluates conditions before a write. A read names the validators of its result and uses one snapshot of the wiki. A
 * write follows the branch, and detects a damaged index before it writes.
 */
async function handleRoute(routed: RoutedRequest): Promise<PlainResponse> {
  const { route, request } = routed
  if (!route.writes && !route.session)
    return atSnapshot(request.wiki, wiki => handleRead({ ...routed, request: { ...request, wiki } }))
  const { method, headers } = request.event.req
  const isRefused = !route.checksConditions && precondition(method, headers, noValidators) !== null
  if (route.writes && isRefused) return emptyResponse(412)
  return (await outcomeOf(routed)).response
}

async function handleRead(routed: RoutedRequest): Promise<PlainResponse> {
  const { route, request } = routed
  const { method, headers } = request.event.req
  const { response, validators } = isCacheable(route) ? await cachedOutcome(routed) : await outcomeOf(routed)
  const compressed = () => inEncoding(response, headers, body => routed.cache.recount(body))
  if (!isCacheable(route) || validators === null) return compressed()
  const stopped = precondition(method, headers, validators)
  if (stopped === null) return compressed()
  return emptyResponse(stopped, { ...(stopped === 304 && cacheHeaders(response)), ...validatorHeaders(validators) })
}

/** Headers of a 200 response that its 304 repeats. Source: RFC 9110 section 15.4.5. */
const cacheHeaderNames = ['cache-control', 'vary', 'content-location', 'expires'] as const

function cacheHeaders({ headers }: PlainResponse): Record<string, string> {
  return Object.fromEntries(
    cacheHeaderNames.flatMap(name => (headers[name] === undefined ? [] : [[name, headers[name]]])),
  )
}

/** Returns true if the response depends only on the URL and the wiki, so that it can be cached. */
function isCacheable({ method, session }: Route): boolean {
  return method === 'GET' && !session
}

/** A request with its route. */
interface RoutedRequest {
  readonly route: Route
  readonly request: RestRequest
  readonly match: Match
  readonly cache: ResponseCache
}

/** Milliseconds for which a response that shows the time may be cached; an hour in MediaWiki. */
const ageLimit = 60_000

/** Returns the cached response for a snapshot of the same state. */
async function cachedOutcome(routed: RoutedRequest): Promise<Outcome> {
  const { request, match, cache } = routed
  const { store } = request.wiki
  const form = wantsRestbase(request.event.req.headers) ? 'restbase ' : ''
  const address = `${form}${request.base} ${request.route} ${match.segments.join('/')}${request.search}`
  const state = stateOf(store)
  const cached = cache.get(state, address)
  const isCached = cached !== undefined && cached.until > performance.now()
  request.event.context[cachedMark] = isCached
  if (isCached) return cached
  const outcome = await outcomeOf(routed)
  if (outcome.response.status !== 200 || outcome.until === 0) return outcome
  const ready = { ...outcome, response: await withBytes(outcome.response) }
  cache.set(state, address, ready)
  return ready
}

async function outcomeOf({ route, request, match }: RoutedRequest): Promise<Outcome> {
  try {
    const reply = numbered(await route.handler(request), request.wiki)
    const validators = validatorsOf(reply, route)
    const lasting = route.ages ? performance.now() + ageLimit : Number.POSITIVE_INFINITY
    const until = reply.uncached || reply.once ? 0 : lasting
    return { response: await replyResponse({ ...reply, validators }, route), validators, until }
  } catch (thrown) {
    if (isTitleRedirect(thrown)) return titleRedirect(thrown, { route, request, match })
    if (isWikiError(thrown, 'rest-precondition-failed'))
      return { response: emptyResponse(412), validators: noValidators, until: 0 }
    if (isWikiError(thrown) && thrown.status === 404) {
      return {
        response: errorResponse(thrown, await contentLanguage(request.wiki), request.event.req),
        validators: noValidators,
        until: 0,
      }
    }
    throw thrown
  }
}

/** A list without its own entity tag gets one from its bytes. */
function validatorsOf({ validators, body, uncached }: Reply, { tagsBody }: Route): Validators {
  if (validators !== undefined || !tagsBody || uncached) return validators ?? noValidators
  return bodyValidators(JSON.stringify(body))
}

function numbered(reply: Reply, wiki: Wiki): Reply {
  return reply.validators === undefined ? reply : { ...reply, validators: numberedValidators(reply.validators, wiki) }
}

/** For a redirect to a page's canonical title, the conditions are evaluated against that page. */
function titleRedirect(
  { key, latest }: TitleRedirect,
  { route, request, match }: Omit<RoutedRequest, 'cache'>,
): Outcome {
  const validators = numberedValidators(route.dates?.(latest, request.wiki) ?? noValidators, request.wiki)
  const cache = route.redirectCache === undefined ? {} : { 'cache-control': route.redirectCache }
  const location = routeOfTitle(match, request, key)
  return {
    response: redirectResponse(301, location, { ...cache, ...validatorHeaders(validators) }),
    validators,
    until: 0,
  }
}

async function replyResponse(
  { body, type, status = 200, headers = {}, validators = noValidators, uncached = false }: Reply,
  route: Route,
): Promise<PlainResponse> {
  const cache = route.cache === undefined || uncached ? {} : { 'cache-control': route.cache }
  const allHeaders = { ...cache, ...validatorHeaders(validators), ...headers }
  return {
    status,
    headers: { 'content-type': type ?? 'application/json', ...allHeaders },
    body: type === undefined ? await jsonBody(body) : (body as PlainResponse['body']),
  }
}
