/** Decodes the content codings of request bodies, within limits at every step. Source: RFC 9110 8.4, 15.5.16. */

import { pipeline, Readable, type Transform } from 'node:stream'
import { createGunzip, createInflate } from 'node:zlib'
import { isWikiError, WikiError } from '../core/errors.ts'

type Pieces = AsyncIterable<Uint8Array> | Iterable<Uint8Array>

/**
 * Decoders by the names of codings. Brotli has none: from fifteen bytes it fills 16 MiB, which it keeps for as long as the body arrives, on
 * each connection.
 */
const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
}

/** Value of `Accept-Encoding` in a response that refuses a coding. */
export const acceptedCodings = 'gzip, deflate'

/** Maximum number of codings of one body. No client uses more than one. */
const maxCodings = 2

/**
 * Returns the codings of a body in the order in which they are removed. Codings of the transfer are not content
 * codings, but Node removes only `chunked`. Errors: wiki-unsupported-coding.
 */
export function codingsOf(headers: Headers): readonly string[] {
  const transfers = namesIn(headers.get('transfer-encoding')).filter(name => name !== 'chunked')
  const names = namesIn(headers.get('content-encoding')).filter(name => name !== 'identity')
  const unknown = [...transfers, ...names.filter(name => !Object.hasOwn(decoders, name))]
  if (unknown.length > 0 || names.length > maxCodings)
    throw new WikiError('wiki-unsupported-coding', { params: [(unknown[0] ?? names.join(', ')).slice(0, 100)] })
  return names.reverse()
}

function namesIn(header: string | null): string[] {
  return (header ?? '')
    .split(',')
    .map(name => name.trim().toLowerCase())
    .filter(name => name !== '')
}

/** Maximum bytes, and the error for more of them. */
interface Bound {
  readonly most: number
  readonly tooLarge: () => WikiError
}

/**
 * Removes the codings of a body. Every step may give `most` bytes at most: a small body may expand a thousand times at
 * each. Errors: rest-body-validation-error for bytes that are not in the coding, `tooLarge`, those of the source.
 */
export function withoutCodings(pieces: Pieces, codings: readonly string[], bound: Bound): Pieces {
  return codings.reduce((source, coding) => bounded(inflated(source, coding), bound), pieces)
}

/** Passes bytes on, up to a limit. */
export async function* bounded(source: Pieces, { most, tooLarge }: Bound): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const piece of source) {
    size += piece.length
    if (size > most) throw tooLarge()
    yield piece
  }
}

async function* inflated(source: Pieces, coding: string): AsyncGenerator<Uint8Array> {
  const decoder = decoders[coding]!()
  // The decoder passes the source's error on; the callback keeps it from being thrown twice.
  pipeline(Readable.from(source, { objectMode: false }), decoder, () => {})
  try {
    yield* decoder as AsyncIterable<Uint8Array>
  } catch (cause) {
    throw isWikiError(cause) ? cause : undecodable(coding, cause)
  }
}

function undecodable(coding: string, cause: unknown): WikiError {
  return new WikiError('rest-body-validation-error', { params: [`it is not in the content coding ${coding}`], cause })
}
