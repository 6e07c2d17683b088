/** Tells clients when to retry after an error. Source: RFC 9110 section 10.2.3, RFC 6585 section 4. */

import { type ErrorKey, isWikiError } from '../core/errors.ts'

const seconds: Partial<Record<ErrorKey, number>> = {
  'apierror-ratelimited': 60,
  'wiki-render-limit': 30,
  'wiki-search-building': 5,
  'wiki-work-limit': 30,
}

/** Returns the header `retry-after` for a thrown value; none if a retry is useless. */
export function retryHeaders(thrown: unknown): Record<string, string> {
  const wait = isWikiError(thrown) ? seconds[thrown.code] : undefined
  return wait === undefined ? {} : { 'retry-after': String(wait) }
}
