/**
 * Compresses responses in the encodings that clients accept. A cached response is compressed once. Responses with a secret must
 * not be compressed, because their length would reveal it (BREACH).
 */

import { promisify } from 'node:util'
import * as zlib from 'node:zlib'
import { bytesOfText } from '../core/lru-cache.ts'
import { byteLength, isStream, type PlainResponse, withBytes } from './response.ts'

/** Size in bytes below which an uncompressed response fits into one packet. */
const smallBytes = 1400

type Encode = (bytes: Uint8Array) => Promise<Uint8Array<ArrayBuffer>>

/** Content types that compress well. Images and sound are already compressed. */
const compressible = /^(?:text\/|image\/svg|application\/(?:json|javascript|[\w.-]+\+(?:json|xml)))/

/** Only available in Node 22.15 and later. */
const { zstdCompress } = zlib as { zstdCompress?: typeof zlib.gzip }

/** Encodings, best first. The brotli quality is as fast as gzip. */
const encodings: readonly (readonly [name: string, encode: Encode])[] = [
  ['br', bytes => promisify(zlib.brotliCompress)(bytes, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 4 } })],
  ...(zstdCompress === undefined ? [] : [['zstd', promisify(zstdCompress)] as [string, Encode]]),
  ['gzip', bytes => promisify(zlib.gzip)(bytes)],
]

/** Compressed bodies, for as long as their responses are cached. */
const compressed = new WeakMap<Uint8Array, Map<string, Promise<Uint8Array<ArrayBuffer>>>>()

/** Bytes of the compressed forms of a body. */
const compressedBytes = new WeakMap<Uint8Array, number>()

/** Returns the bytes of a body and of its compressed forms, which live as long. */
export function bytesWithEncodings(body: string | Uint8Array): number {
  return typeof body === 'string' ? bytesOfText(body) : body.length + (compressedBytes.get(body) ?? 0)
}

/** Returns true if a client accepts an encoding. Source: RFC 9110, 12.5.3. */
export function acceptsEncoding(headers: Headers, name: string): boolean {
  const ranges = (headers.get('accept-encoding') ?? '').slice(0, 1000).toLowerCase().split(',')
  return ranges.some(range => {
    const [own = '', ...parameters] = range.split(';').map(part => part.trim())
    return own === name && !parameters.some(parameter => /^q=0(?:\.0{0,3})?$/.test(parameter))
  })
}

/**
 * Returns the response in the best accepted encoding. The entity tag is the same for all encodings, as in MediaWiki: it
 * identifies a state of the page, which `If-Match` of a write refers to. Source: MediaWiki 1.43
 * includes/Output/OutputHandler.php, handleGzip.
 *
 * `onGrown` is called with a body that has another compressed form now.
 */
export async function inEncoding(
  response: PlainResponse,
  headers: Headers,
  onGrown: (body: Uint8Array) => void = () => {},
): Promise<PlainResponse> {
  if (isStream(response.body) || byteLength(response) < smallBytes) return response
  if (!compressible.test(response.headers['content-type'] ?? '')) return response
  const vary = [response.headers.vary, 'Accept-Encoding'].filter(Boolean).join(', ')
  const encoding = encodings.find(([name]) => acceptsEncoding(headers, name))
  if (encoding === undefined) return { ...response, headers: { ...response.headers, vary } }
  const [name, encode] = encoding
  const body = (await withBytes(response)).body as Uint8Array<ArrayBuffer>
  const byEncoding = compressed.get(body) ?? new Map<string, Promise<Uint8Array<ArrayBuffer>>>()
  compressed.set(body, byEncoding)
  const bytes = byEncoding.get(name) ?? counted(body, encode(body), onGrown)
  byEncoding.set(name, bytes)
  return { ...response, headers: { ...response.headers, vary, 'content-encoding': name }, body: await bytes }
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
