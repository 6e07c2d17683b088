/** Path and query of a request as the client sent them; h3 and URL would normalise them. */

import type { H3Event } from 'h3'
import { WikiError } from '../core/errors.ts'

export interface Target {
  /** Still percent-encoded, with every slash and dot the client sent. */
  readonly path: string
  /** With its question mark; "" if there is none. */
  readonly search: string
}

/** Reads the request target; from a socket, what stood on the request line, which is ASCII. */
export function readTarget(event: H3Event): Target {
  const line = event.runtime?.node?.req.url ?? event.req.url
  const [target = ''] = line.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, '').split('#', 1)
  const query = target.indexOf('?')
  if (query < 0) return { path: target, search: '' }
  return { path: target.slice(0, query), search: target.slice(query) }
}

/**
 * Decodes one segment of a path: percent-decoding once, as UTF-8; bytes that are none become U+FFFD, a plus stays a plus.
 *
 * @throws WikiError badvalue for a percent sign without two hexadecimal digits, and for a NUL
 */
export function decodeSegment(name: string, raw: string): string {
  if (/%(?![\da-f]{2})|%00/i.test(raw)) throw badValue(name, raw)
  if (!raw.includes('%')) return raw
  const bytes = raw.replace(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

/** Value of one query parameter; undefined if it is absent, the last one where it is repeated. */
export type Query = (name: string) => string | undefined

/**
 * Makes a reader of a query string.
 *
 * @throws WikiError badvalue, when asked, for a parameter given as a list (`name[]=x`)
 */
export function readQuery(search: string): Query {
  let parsed: URLSearchParams | undefined
  return name => {
    if (search === '') return undefined
    parsed ??= new URLSearchParams(search)
    for (const [key, value] of parsed) if (key.startsWith(`${name}[`)) throw badValue(name, [value])
    return parsed.getAll(name).at(-1)
  }
}

function badValue(name: string, value: string | readonly string[]): WikiError {
  const data = { error: 'parameter-validation-failed', name, value, failureCode: 'badvalue', failureData: null }
  return new WikiError('badvalue', { params: [name, String(value)], data })
}
