/**
 * Cross-origin access. Every origin may read, but only origins in wiki.json may write. These write with a token, which
 * the page must hold itself, because cookies are never accepted. Source: the Fetch standard, 3.2 (CORS protocol).
 */

import type { Match } from './match.ts'
import type { Method, Route } from './route.ts'

/** Request headers allowed for other origins. Source: MediaWiki 1.43 CorsUtils. */
export const crossOriginHeaders =
  'Accept, Accept-Language, Content-Language, Content-Type, Accept-Encoding, DNT, Origin, User-Agent, Api-User-Agent, ' +
  'Access-Control-Max-Age, Authorization, If-Match, If-None-Match, If-Modified-Since'

/** Response headers exposed in addition to the safelisted ones. */
const exposedHeaders = 'ETag, Location, X-Request-Id, Content-Revision-Id, Retry-After, Wiki-Missing-Pages'

/** Seconds for which browsers cache a preflight response. */
const preflightSeconds = '86400'

interface CorsQuestion {
  readonly method: string
  readonly headers: Headers
  /** Null for an unknown path. */
  readonly match: Match | null
  readonly allowedOrigins: readonly string[]
}

/** Returns the CORS headers of a response. Errors have them too, so that a page can read the reason. */
export function corsHeaders(question: CorsQuestion): Record<string, string> {
  return question.method === 'OPTIONS' ? preflightHeaders(question) : responseHeaders(question)
}

function responseHeaders({ method, headers, match, allowedOrigins }: CorsQuestion): Record<string, string> {
  const route = routeFor(match, method)
  if (route?.session) return {}
  const exposed = { 'access-control-expose-headers': exposedHeaders }
  if (isRead(method, route)) return { 'access-control-allow-origin': '*', ...exposed }
  const origin = allowedOrigin(headers, allowedOrigins)
  const vary = allowedOrigins.length === 0 ? {} : { vary: 'Origin' }
  return origin === null ? vary : { 'access-control-allow-origin': origin, ...exposed, ...vary }
}

/** Without `Access-Control-Allow-Origin` a browser does not send the actual request. */
function preflightHeaders({ headers, match, allowedOrigins }: CorsQuestion): Record<string, string> {
  const asked = headers.get('access-control-request-method')
  const route = asked === null ? undefined : routeFor(match, asked)
  if (match === null || asked === null || route === undefined || route.session) return {}
  const age = { 'access-control-max-age': preflightSeconds }
  // A browser caches the methods for the URL, so permission to read must not include writing.
  if (isRead(asked, route)) {
    const methods = readMethods(match).join(', ')
    return { 'access-control-allow-origin': '*', 'access-control-allow-methods': methods, ...age }
  }
  const origin = allowedOrigin(headers, allowedOrigins)
  const vary = { vary: 'Origin' }
  return origin === null ? vary : { 'access-control-allow-origin': origin, ...age, ...vary }
}

function routeFor(match: Match | null, method: string): Route | undefined {
  return match?.pattern.methods.get((method === 'HEAD' ? 'GET' : method) as Method)
}

/** A transform uses POST, but changes nothing. */
function isRead(method: string, route: Route | undefined): boolean {
  return route === undefined ? method === 'GET' || method === 'HEAD' : !route.writes
}

function readMethods({ pattern }: Match): string[] {
  const methods = [...pattern.methods].flatMap(([method, route]) => (route.writes ? [] : [method as string]))
  return methods.includes('GET') ? ['HEAD', ...methods] : methods
}

function allowedOrigin(headers: Headers, allowedOrigins: readonly string[]): string | null {
  const origin = headers.get('origin')
  return origin !== null && allowedOrigins.includes(origin) ? origin : null
}
