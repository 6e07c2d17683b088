/** The time for which caches may use a response without asking, by RFC 9111. */

import { fromNow } from './_times.ts'

export interface StoredResponse {
  readonly status: number
  readonly headers: Headers
}

/** Statuses that a cache may keep without being told to. Source: RFC 9110 15.1. */
const guessed: ReadonlySet<number> = new Set([200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501])

/** Returns true if a cache may store the response to a GET. Source: RFC 9111 3. */
export function isStorable({ status, headers }: StoredResponse, shared: boolean, isAuthorized: boolean): boolean {
  const directives = directivesOf(headers)
  if (directives.has('no-store') || (shared && directives.has('private'))) return false
  if (shared && isAuthorized) return ['must-revalidate', 'public', 's-maxage'].some(name => directives.has(name))
  const isExplicit = ['public', 'private', 'max-age'].some(name => directives.has(name)) || headers.has('expires')
  return isExplicit || (shared && directives.has('s-maxage')) || guessed.has(status)
}

/**
 * Returns the seconds for which a cache may use the response without asking: those that it states, or what a cache may guess, a tenth of
 * its age, and without a date whatever it likes. Source: RFC 9111 4.2.1, 4.2.2, 5.2.2.4.
 */
export function freshSeconds(response: StoredResponse, shared: boolean): number {
  const { headers } = response
  const directives = directivesOf(headers)
  if (directives.has('no-cache')) return 0
  const stated = (shared ? directives.get('s-maxage') : undefined) ?? directives.get('max-age')
  if (stated !== undefined) return Number(stated)
  const date = Date.parse(headers.get('date') ?? fromNow(0).toUTCString())
  if (headers.has('expires')) return Math.max(0, Date.parse(headers.get('expires') ?? '') - date) / 1000 || 0
  if (!guessed.has(response.status) && !directives.has('public')) return 0
  const modified = headers.get('last-modified')
  return modified === null ? Number.POSITIVE_INFINITY : Math.max(0, date - Date.parse(modified)) / 10_000
}

function directivesOf(headers: Headers): ReadonlyMap<string, string> {
  const parts = (headers.get('cache-control') ?? '')
    .toLowerCase()
    .split(',')
    .map(part => part.trim())
  return new Map(parts.filter(Boolean).map(part => [part.split('=')[0]!, part.split('=')[1] ?? ''] as const))
}

/** Returns the names in `Vary`, in lower case. */
export function variesBy(headers: Headers): readonly string[] {
  const names = (headers.get('vary') ?? '')
    .toLowerCase()
    .split(',')
    .map(name => name.trim())
  return [...new Set(names.filter(Boolean))].sort()
}
