/** Processes every request in this order: host, route, method, permission, parameters, handler, conditions. */

import type { H3Event } from 'h3'
import { isWikiError, WikiError } from '../core/errors.ts'
import { type Access, findWriter } from '../http/access.ts'
import { type Client, readClient, type Trust } from '../http/client.ts'
import { codingFor, inCoding } from '../http/compress.ts'
import { tagOf } from '../http/conditional.ts'
import { mediaTypeOf } from '../http/content-type.ts'
import { countedAs } from '../http/counted-as.ts'
import { isSameOrigin } from '../http/hosts.ts'
import { readQuery, type Target } from '../http/params.ts'
import { type Made, respondToRead } from '../http/read.ts'
import { bodyBytesFor } from '../http/read-body.ts'
import { emptyResponse, isStream, jsonBody, type PlainResponse } from '../http/response.ts'
import type { ResponseCache } from '../http/response-cache.ts'
import type { ServerOptions } from '../http/server-options.ts'
import { lastEdit } from '../operations/resources/last-edit.ts'
import { isTitleRedirect, type TitleRedirect } from '../operations/resources/title-redirect.ts'
import { atSnapshot, type Wiki } from '../operations/wiki.ts'
import { checkQuery } from './check-query.ts'
import { crossOriginHeaders } from './cors.ts'
import { contentLanguage, errorResponse, wrongMethodResponse } from './errors.ts'
import type { Reply, RestRequest } from './handlers/handler.ts'
import { noActionApi } from './handlers/lists.ts'
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
  if (route === undefined) {
    // Clients of the action API begin with a POST.
    const reason = match.pattern.path === '/api.php' ? noActionApi(baseOf(client, match)) : null
    return wrongMethodResponse(method, allow, await contentLanguage(wiki), reason)
  }
  if (method === 'POST' && !route.writes && !route.session) checkPreflight(headers, client)
  const writer = route.writes ? await findWriter(access, headers, client, { ...options, needed: route.writes }) : null
  const request = restRequest(incoming, match, { client, writer })
  const handled = () => handleRoute({ route, request, match, cache: incoming.cache })
  // A write waits for the disk, and those that arrive together are synced together.
  return route.writes ? request.wiki.turns.whileAway(request.wiki.client, handled) : handled()
}

/**
 * Refuses the texts that a page of another site sends as a form. A browser does not ask before it sends one, so any page could make
 * a server work that it cannot reach itself. Source: the Fetch standard, 3.2.1 (CORS-safelisted requests). Errors:
 * rest-unsupported-content-type.
 */
function checkPreflight(headers: Headers, { host }: Client): void {
  const origin = headers.get('origin')
  const type = headers.get('content-type') ?? ''
  if (origin === null || isSameOrigin(origin, host) || headers.has('authorization')) return
  if (mediaTypeOf(type) === 'application/json') return
  throw new WikiError('rest-unsupported-content-type', { params: [type.slice(0, 200) || '(none)', 'application/json'] })
}

/** Returns the URL that the routes of a mount are below. */
function baseOf({ isSecure, host }: Client, { mount }: Match): string {
  return `${isSecure ? 'https' : 'http'}://${host}${mount}`
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
    wiki: { ...wiki, client: countedAs(access, event.req, client.address) },
    event,
    base: baseOf(client, match),
    route: match.pattern.path,
    path: decodeParams(match),
    query: readQuery(target.search),
    search: target.search,
    client,
    access,
    writer,
    maxBodyBytes: options.maxBodyBytes ?? bodyBytesFor(wiki.store.config.limits.source),
  }
}

/**
 * A read names what its tag begins with, and uses one snapshot of the wiki. A write follows the branch, and detects a damaged index
 * before it writes; its handler evaluates conditions, after the body, because an invalid request is refused as such. Source: RFC 9110
 * 13.2.1.
 */
async function handleRoute(routed: RoutedRequest): Promise<PlainResponse> {
  const { route, request } = routed
  if (!route.writes && !route.session)
    return atSnapshot(request.wiki, wiki => handleRead({ ...routed, request: { ...request, wiki } }))
  return written(await madeFor(routed))
}

/** The response to an upload has the file's tag. */
function written({ response, tag }: Made): PlainResponse {
  if (tag === undefined || isStream(response.body)) return response
  const { headers, body } = response
  return { ...response, headers: { ...headers, etag: tagOf(tag, { headers, body }) } }
}

async function handleRead(routed: RoutedRequest): Promise<PlainResponse> {
  const { route, request, match, cache } = routed
  const { event, wiki } = request
  const { client } = wiki
  if (route.method !== 'GET') {
    const { response } = await madeFor(routed)
    return inCoding(response, codingFor(response, event.req.headers))
  }
  const form = wantsRestbase(event.req.headers) ? 'restbase ' : ''
  const address = `${form}${request.base} ${request.route} ${match.segments.join('/')}${request.search}`
  return respondToRead({ event, cache, state: wiki.store, address, client }, () => madeFor(routed))
}

/** A request with its route. */
interface RoutedRequest {
  readonly route: Route
  readonly request: RestRequest
  readonly match: Match
  readonly cache: ResponseCache
}

async function madeFor({ route, request, match }: Omit<RoutedRequest, 'cache'>): Promise<Made> {
  try {
    checkQuery(route, request.search)
    const reply = await route.handler(request)
    const lasts = reply.lasts ?? (route.ages ? 'minute' : 'state')
    return { response: await replyResponse(reply, route), tag: reply.tag, edited: reply.edited, lasts }
  } catch (thrown) {
    if (isTitleRedirect(thrown)) return titleRedirect(thrown, { route, request, match })
    if (isWikiError(thrown, 'rest-precondition-failed')) return { response: emptyResponse(412), lasts: 'request' }
    if (isWikiError(thrown) && thrown.status === 404) {
      const response = errorResponse(thrown, await contentLanguage(request.wiki), request.event.req)
      return { response, lasts: 'request' }
    }
    throw thrown
  }
}

/** For a redirect to a page's canonical title, the conditions are evaluated against that page. */
function titleRedirect({ key, latest }: TitleRedirect, { route, request, match }: Omit<RoutedRequest, 'cache'>): Made {
  return {
    response: redirectResponse(301, routeOfTitle(match, request, key)),
    tag: route.tag?.(latest, request.wiki.store),
    edited: route.ages ? undefined : lastEdit(request.wiki.store, latest),
    lasts: 'request',
  }
}

async function replyResponse({ body, type, status = 200, headers }: Reply, route: Route): Promise<PlainResponse> {
  const cache = route.cache === undefined ? {} : { 'cache-control': route.cache }
  return {
    status,
    headers: { 'content-type': type ?? 'application/json', ...cache, ...headers },
    body: type === undefined ? await jsonBody(body) : (body as PlainResponse['body']),
  }
}
