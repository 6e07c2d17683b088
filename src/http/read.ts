/**
 * Responds to reads, of the API and of pages alike: from the cache or made now, under the request's conditions, in a content coding
 * that the client accepts.
 */

import type { H3Event } from 'h3'
import { codingFor, inCoding, isCompressible } from './compress.ts'
import {
  noValidators,
  precondition,
  tagOf,
  type Validators,
  validatorHeaders,
  validatorsInCoding,
} from './conditional.ts'
import { emptyResponse, isStream, keeping, type PlainResponse, withBytes } from './response.ts'
import type { Dates, Outcome, ResponseCache, WikiState } from './response-cache.ts'

export interface Read {
  readonly event: H3Event
  readonly cache: ResponseCache
  /** The state that the response depends on. */
  readonly state: WikiState
  /** Differs between requests with different responses. */
  readonly address: string
  /** The client that a new response counts for in the cache. */
  readonly client: string
}

/** A response that was made for a read. */
export interface Made {
  /** Without validators. */
  readonly response: PlainResponse
  /** Beginning of its tag, see `tagOf`; of a stream, the tag. */
  readonly tag?: string | undefined
  /** Time of the last edit that it shows, ISO 8601. */
  readonly edited?: string | undefined
  readonly lasts: Lasting
}

/**
 * The time for which a response stays true: until the wiki changes; a minute, since it may show the time; for this request only, since making
 * it has an effect; or not at all, since it is incomplete, so that clients keep nothing either.
 */
export type Lasting = 'state' | 'minute' | 'request' | 'incomplete'

/** Milliseconds for which the server keeps a response. MediaWiki keeps HTML for an hour. */
const lifetimes: Readonly<Record<Lasting, number>> = {
  state: Number.POSITIVE_INFINITY,
  minute: 60_000,
  request: 0,
  incomplete: 0,
}

/** Member of a request's context: true if the response came from the cache, false for a cache miss. */
export const cachedMark = 'isCachedResponse'

/** Responds to a read, whose response `make` makes if none is cached. */
export async function respondToRead(read: Read, make: () => Promise<Made>): Promise<PlainResponse> {
  const { method, headers } = read.event.req
  const { response, validators } = await outcomeOf(read, make)
  const coding = codingFor(response, headers)
  const own = validatorHeaders(validatorsInCoding(validators, coding))
  const vary = isCompressible(response)
    ? { vary: [response.headers.vary, 'Accept-Encoding'].filter(Boolean).join(', ') }
    : {}
  const stopped = precondition(method, headers, validators, coding)
  const described = { ...response, headers: { ...response.headers, ...own, ...vary } }
  if (stopped === 304) return emptyResponse(304, unchangedHeaders(described))
  if (stopped === 412) return emptyResponse(412, own)
  return inCoding(described, coding, body => read.cache.recount(body, read.client))
}

/** Headers of a 200 that its 304 repeats. Source: RFC 9110 15.4.5. */
const unchangedNames = ['cache-control', 'content-location', 'etag', 'expires', 'last-modified', 'vary'] as const

function unchangedHeaders({ headers }: PlainResponse): Record<string, string> {
  return Object.fromEntries(
    unchangedNames.flatMap(name => (headers[name] === undefined ? [] : [[name, headers[name]]])),
  )
}

async function outcomeOf({ event, cache, state, address, client }: Read, make: () => Promise<Made>): Promise<Outcome> {
  const cached = cache.get(state, address)
  const { dates } = cache
  const isCached = cached !== undefined && cached.until > performance.now()
  event.context[cachedMark] = isCached
  if (isCached) return cached
  const made = await make()
  const response = await withBytes(kept(made))
  const until = performance.now() + lifetimes[made.lasts]
  const outcome = { response, validators: validatorsOf({ ...made, response }, dates), until }
  if (response.status === 200 && lifetimes[made.lasts] > 0) cache.set(state.state, address, outcome, client)
  return outcome
}

function kept({ response, lasts }: Made): PlainResponse {
  if (lasts !== 'incomplete') return response
  return { ...response, headers: { ...response.headers, 'cache-control': keeping.never } }
}

/**
 * A response that nobody keeps has none, and a date only where MediaWiki's has one: that of the last edit that it shows, unless more than
 * an edit has changed it since. Without an edit it is the time since which the server has known the response to be as it is.
 */
function validatorsOf(
  { response: { status, headers, body }, tag, edited, lasts }: Made,
  { began, changed }: Dates,
): Validators {
  if (lasts === 'incomplete' || headers['cache-control'] === keeping.never) return noValidators
  if (tag === undefined && (status !== 200 || isStream(body))) return noValidators
  const now = Date.now()
  const known = lasts === 'state' ? began : Math.max(began, now)
  const dated = edited === undefined ? known : Math.min(Math.max(Date.parse(edited), changed), now)
  return {
    etag: isStream(body) ? `"${tag}"` : tagOf(tag, { headers, body }),
    lastModified: tag === undefined ? null : dated,
    known,
  }
}
