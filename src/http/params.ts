/** Path and query of a request exactly as the client sent them; h3 and URL would normalise them. */

import type { H3Event } from 'h3'
import { WikiError } from '../core/errors.ts'

export interface Target {
  /** Still percent-encoded, with every slash and dot as sent. */
  readonly path: string
  /** With its question mark; "" if there is none. */
  readonly search: string
}

/** Reads the request target. From a socket it is the text of the request line, which is ASCII. */
export function readTarget(event: H3Event): Target {
  const [target = ''] = lineOf(event).replace(absoluteForm, '').split('#', 1)
  const query = target.indexOf('?')
  if (query < 0) return { path: target, search: '' }
  return { path: target.slice(0, query), search: target.slice(query) }
}

/** Returns the host in a target with one; null for a mere path. It counts in place of the Host header. Source: RFC 9112, 3.2.2. */
export function authorityIn(event: H3Event): string | null {
  return event.runtime?.node === undefined ? null : (absoluteForm.exec(lineOf(event))?.[1] ?? null)
}

const absoluteForm = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)/i

function lineOf(event: H3Event): string {
  return event.runtime?.node?.req.url ?? event.req.url
}

/**
 * Percent-decodes a segment of a path once, as UTF-8. Invalid bytes become U+FFFD, and a plus sign stays.
 *
 * Errors: badvalue for a percent sign without two hexadecimal digits, and for NUL.
 */
export function decodeSegment(name: string, raw: string): string {
  if (/%(?![\da-f]{2})|%00/i.test(raw)) throw badValue(name, raw)
  if (!raw.includes('%')) return raw
  const bytes = raw.replace(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

/** Returns the value of a query parameter; undefined if it is absent, the last value if it is repeated. */
export type Query = (name: string) => string | undefined

/**
 * Creates a reader of a query string.
 *
 * Reading a parameter that was sent as a list (`name[]=x`) throws badvalue.
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
