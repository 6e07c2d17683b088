/** A response before h3 sends it: status, headers, body. */

import { STATUS_CODES } from 'node:http'
import { HTTPResponse } from 'h3'
import { isLongJson, jsonPieces } from '../operations/workers/json-pieces.ts'
import { bytesInSlices, encoded, isLong } from '../operations/workers/long-text.ts'

export interface PlainResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array<ArrayBuffer> | StreamBody
}

/** A body that is sent in chunks. Nothing is read before the first chunk is requested. */
export interface StreamBody {
  /** Bytes; infinite for a stream of unknown length. */
  readonly length: number
  readonly open: () => AsyncIterable<Uint8Array>
}

/** True for a streamed body. */
export function isStream(body: PlainResponse['body']): body is StreamBody {
  return typeof body === 'object' && 'open' in body
}

interface ResponseOptions {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

/** Writes the body of a JSON response in compact form, as MediaWiki sends it, with no escapes beyond those that JSON requires. */
export async function jsonBody(value: unknown): Promise<string | Uint8Array<ArrayBuffer>> {
  return isLongJson(value) ? encoded(jsonPieces(value)) : JSON.stringify(value)
}

/** Makes a response of short JSON. */
export function jsonResponse(value: unknown, { status = 200, headers = {} }: ResponseOptions = {}): PlainResponse {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(value) }
}

/** Encodes the text of a response that is cached, so that this happens only once. */
export async function withBytes(response: PlainResponse): Promise<PlainResponse> {
  return typeof response.body === 'string' ? { ...response, body: await encoded([response.body]) } : response
}

/** Encodes a long text, which would take long when it is sent. */
export async function withoutLongText(response: PlainResponse): Promise<PlainResponse> {
  return isLong(response.body) ? withBytes(response) : response
}

/** Values of `Cache-Control`, by those who may keep a response. Source: RFC 9111 5.2.2. */
export const keeping = {
  /** Everyone, asking before each use: what a wiki shows may change with each edit, move or hidden revision. */
  checked: 'no-cache',
  /** The client alone, likewise. */
  own: 'private, no-cache',
  /** No one. */
  never: 'no-store',
  /** Everyone, for ever: an address that contains a hash of the bytes. */
  always: 'public, max-age=31536000, immutable',
} as const

/**
 * Returns `Cache-Control` of a read that does not name its own. Without it a cache may guess how long a response stays fresh, from
 * `Last-Modified` even for months. Source: RFC 9111 4.2.2.
 */
function keepingOf(status: number): string {
  return status < 400 ? keeping.checked : keeping.never
}

/** Creates a response without a body. */
export function emptyResponse(status: number, headers: Readonly<Record<string, string>> = {}): PlainResponse {
  return { status, headers, body: '' }
}

/**
 * Content security policy of HTML responses. Text, images and sound of this server are shown, and links work. There are
 * no scripts, forms or frames, and the sandbox gives the page no origin, so its content cannot act on behalf of its
 * reader.
 */
const htmlPolicy =
  "default-src 'none'; base-uri 'self'; form-action 'none'; frame-ancestors 'self'; img-src 'self' data:; " +
  "media-src 'self'; style-src 'self' 'unsafe-inline'; sandbox allow-popups allow-top-navigation-by-user-activation"

/** `Vary` header that MediaWiki 1.43 sends in every response. */
const everyVary = 'x-restbase-compat'

/** Statuses whose responses have no length, because they have no body. */
const bodiless: ReadonlySet<number> = new Set([204, 304])

/**
 * Converts to h3's response, adding the headers that every response has. `Content-Length` describes the body even for
 * HEAD, whose body h3 removes.
 */
export function toResponse(
  { status, headers, body }: PlainResponse,
  about: { readonly id: string; readonly bytes: number; readonly method: string },
): HTTPResponse {
  const isRead = about.method === 'GET' || about.method === 'HEAD'
  return new HTTPResponse(sentBody(body), {
    status,
    statusText: STATUS_CODES[status] ?? '',
    headers: {
      ...(/^text\/html|[/+]xml/.test(headers['content-type'] ?? '') && { 'content-security-policy': htmlPolicy }),
      ...(isRead && { 'cache-control': keepingOf(status) }),
      ...headers,
      ...(bodiless.has(status) || about.bytes === Number.POSITIVE_INFINITY
        ? {}
        : { 'content-length': String(about.bytes) }),
      'x-content-type-options': 'nosniff',
      'x-request-id': about.id,
      vary: headers.vary === undefined ? everyVary : `${headers.vary}, ${everyVary}`,
    },
  })
}

/** Long bytes are a stream, because the system would copy all of them at once. */
function sentBody(body: PlainResponse['body']): string | Uint8Array<ArrayBuffer> | ReadableStream | null {
  if (body.length === 0) return null
  if (isStream(body)) return ReadableStream.from(body.open())
  return typeof body !== 'string' && isLong(body) ? ReadableStream.from(bytesInSlices(body)) : body
}

/** Returns the length of a response's body in bytes. */
export function byteLength({ body }: PlainResponse): number {
  return typeof body === 'string' ? Buffer.byteLength(body) : body.length
}
