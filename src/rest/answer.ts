/** What goes back to the client, before h3 has it: status, headers, body. */

import { STATUS_CODES } from 'node:http'
import { HTTPResponse } from 'h3'

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array<ArrayBuffer>
}

interface AnswerOptions {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

/** Makes a JSON answer as the service sends it: compact, nothing escaped that need not be. Source: REST.md 0.1. */
export function jsonAnswer(value: unknown, { status = 200, headers = {} }: AnswerOptions = {}): Answer {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(value) }
}

/** Makes an answer without a body. */
export function emptyAnswer(status: number, headers: Readonly<Record<string, string>> = {}): Answer {
  return { status, headers, body: '' }
}

/** Statuses whose answers have no length, because they can have no body. */
const bodiless: ReadonlySet<number> = new Set([204, 304])

/**
 * Gives an answer to h3, with the headers that every answer has. The length is that of the body also for HEAD, from
 * which h3 takes the body away. Source: REST.md 0.3.
 */
export function toResponse({ status, headers, body }: Answer, about: { id: string; bytes: number }): HTTPResponse {
  return new HTTPResponse(body.length === 0 ? null : body, {
    status,
    statusText: STATUS_CODES[status] ?? '',
    headers: {
      ...headers,
      ...(bodiless.has(status) ? {} : { 'content-length': String(about.bytes) }),
      'x-content-type-options': 'nosniff',
      'x-request-id': about.id,
    },
  })
}

/** Length of an answer's body, bytes. */
export function byteLength({ body }: Answer): number {
  return typeof body === 'string' ? Buffer.byteLength(body) : body.length
}
