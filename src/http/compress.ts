/**
 * Compresses responses in the content coding that a client prefers. A cached response is compressed once. Responses with a secret
 * must not be compressed, because their length would reveal it (BREACH).
 */

import { promisify } from 'node:util'
import * as zlib from 'node:zlib'
import { bytesOfText } from '../core/lru-cache.ts'
import { type Coding, codings } from './conditional.ts'
import { byteLength, isStream, type PlainResponse, withBytes } from './response.ts'

/** Size in bytes below which an uncompressed response fits into one packet. */
const smallBytes = 1400

type Encode = (bytes: Uint8Array) => Promise<Uint8Array<ArrayBuffer>>

/** Content types that compress well. Images and sound are already compressed. */
const compressible = /^(?:text\/|image\/svg|application\/(?:json|javascript|[\w.-]+\+(?:json|xml)))/

/** Only available in Node 22.15 and later. */
const { zstdCompress } = zlib as { zstdCompress?: typeof zlib.gzip }

/** The brotli quality is as fast as gzip. */
const encoders: Readonly<Record<Coding, Encode | null>> = {
  br: bytes => promisify(zlib.brotliCompress)(bytes, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 4 } }),
  zstd: zstdCompress === undefined ? null : promisify(zstdCompress),
  gzip: bytes => promisify(zlib.gzip)(bytes),
}
const offered = codings.filter(coding => encoders[coding] !== null)

/** Compressed bodies, for as long as their responses are cached. */
const compressed = new WeakMap<Uint8Array, Map<Coding, Promise<Uint8Array<ArrayBuffer>>>>()

/** Bytes of the compressed forms of a body. */
const compressedBytes = new WeakMap<Uint8Array, number>()

/** Returns the bytes of a body and of its compressed forms, which live as long. */
export function bytesWithEncodings(body: string | Uint8Array): number {
  return typeof body === 'string' ? bytesOfText(body) : body.length + (compressedBytes.get(body) ?? 0)
}

/**
 * Returns the coding that a client prefers among those offered, best first; null for none. Of codings with the same weight the first
 * one is chosen. Source: RFC 9110, 12.5.3; 8.4.1.3 (`x-gzip`).
 */
export function preferredCoding(headers: Headers, names: readonly Coding[]): Coding | null {
  const weights = weightsIn((headers.get('accept-encoding') ?? '').slice(0, 1000))
  const weightOf = (name: string): number | undefined => weights.get(name) ?? weights.get('*')
  let best: { readonly coding: Coding | null; readonly weight: number } = {
    coding: null,
    // Whoever names codings and not this one prefers those.
    weight: weights.get('identity') ?? 0,
  }
  for (const coding of names) {
    const weight = weightOf(coding) ?? 0
    if (weight > best.weight || (weight === best.weight && weight > 0 && best.coding === null))
      best = { coding, weight }
  }
  return best.coding
}

function weightsIn(header: string): ReadonlyMap<string, number> {
  const ranges = header
    .toLowerCase()
    .split(',')
    .map(range => {
      const [name = '', ...parameters] = range.split(';').map(part => part.trim())
      const weight = parameters.map(parameter => /^q=([01](?:\.\d{0,3})?)$/.exec(parameter)?.[1]).find(Boolean)
      return [name === 'x-gzip' ? 'gzip' : name, Math.min(1, Number(weight ?? 1))] as const
    })
  return new Map(ranges)
}

/** Returns true for a response whose coding depends on the client. */
export function isCompressible(response: PlainResponse): boolean {
  if (isStream(response.body) || byteLength(response) < smallBytes) return false
  return compressible.test(response.headers['content-type'] ?? '')
}

/** Returns the coding in which a client gets a response; null for none. */
export function codingFor(response: PlainResponse, headers: Headers): Coding | null {
  return isCompressible(response) ? preferredCoding(headers, offered) : null
}

/**
 * Returns the response in a coding. `onGrown` is called with a body that has another compressed form now.
 */
export async function inCoding(
  response: PlainResponse,
  coding: Coding | null,
  onGrown: (body: Uint8Array) => void = () => {},
): Promise<PlainResponse> {
  if (coding === null) return response
  const body = (await withBytes(response)).body as Uint8Array<ArrayBuffer>
  const byCoding = compressed.get(body) ?? new Map<Coding, Promise<Uint8Array<ArrayBuffer>>>()
  compressed.set(body, byCoding)
  const bytes = byCoding.get(coding) ?? counted(body, encoders[coding]!(body), onGrown)
  byCoding.set(coding, bytes)
  return { ...response, headers: { ...response.headers, 'content-encoding': coding }, body: await bytes }
}

async function counted(
  body: Uint8Array,
  encoded: Promise<Uint8Array<ArrayBuffer>>,
  onGrown: (body: Uint8Array) => void,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await encoded
  compressedBytes.set(body, (compressedBytes.get(body) ?? 0) + bytes.length)
  onGrown(body)
  return bytes
}
