/**
 * Answers in the encodings that clients take. An answer that is kept is compressed once. Answers with a secret in them are not to be
 * compressed: their length would tell of it (BREACH).
 */

import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Answer } from './answer.ts'

/** Bytes below which an answer fits into one packet as it is. */
const smallBytes = 1400

type Encode = (bytes: Uint8Array) => Promise<Uint8Array<ArrayBuffer>>

/** Encodings, the best first. The quality of brotli is the one that takes no longer than gzip does. */
const encodings: readonly (readonly [name: string, encode: Encode])[] = [
  ['br', bytes => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })],
  ['gzip', bytes => promisify(gzip)(bytes)],
]

/** Bodies that were compressed, as long as their answers are kept. */
const compressed = new WeakMap<Uint8Array, Map<string, Promise<Uint8Array<ArrayBuffer>>>>()

/** Returns true if a client takes an encoding. Source: RFC 9110, 12.5.3. */
export function acceptsEncoding(headers: Headers, name: string): boolean {
  const ranges = (headers.get('accept-encoding') ?? '').slice(0, 1000).toLowerCase().split(',')
  return ranges.some(range => {
    const [own = '', ...parameters] = range.split(';').map(part => part.trim())
    return own === name && !parameters.some(parameter => /^q=0(?:\.0{0,3})?$/.test(parameter))
  })
}

/** Returns the answer in the best encoding that the client takes. */
export async function inEncoding(answer: Answer, headers: Headers): Promise<Answer> {
  const { body } = answer
  if (!(body instanceof Uint8Array) || body.length < smallBytes) return answer
  const vary = [answer.headers.vary, 'Accept-Encoding'].filter(Boolean).join(', ')
  const encoding = encodings.find(([name]) => acceptsEncoding(headers, name))
  if (encoding === undefined) return { ...answer, headers: { ...answer.headers, vary } }
  const [name, encode] = encoding
  const known = compressed.get(body) ?? new Map<string, Promise<Uint8Array<ArrayBuffer>>>()
  compressed.set(body, known)
  const bytes = known.get(name) ?? encode(body)
  known.set(name, bytes)
  return { ...answer, headers: { ...answer.headers, vary, 'content-encoding': name }, body: await bytes }
}
