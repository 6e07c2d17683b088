/**
 * Reads and checks request bodies in MediaWiki's order: type, presence, form. Source: MediaWiki 1.43
 * includes/Rest/Validator.
 */

import type { H3Event } from 'h3'
import { WikiError } from '../core/errors.ts'
import { decoded } from '../operations/workers/long-text.ts'
import type { Writer } from './access.ts'
import { type FormWithFiles, formTypes, formWithFiles } from './form.ts'
import { addPiece, beginBody, bytesOf, endBody } from './held-bodies.ts'

/** Default maximum size of a request body, in bytes: a source of 2 MiB, which doubles in JSON. */
export const usualBodyBytes = 4 * 1024 * 1024

/** The parts of a request needed to read its body. */
export interface BodyRequest {
  readonly event: H3Event
  /** Author of the edit; null for routes that only read. */
  readonly writer: Writer | null
  /** Maximum size of the body, in bytes. */
  readonly maxBodyBytes: number
}

/** The members of a body. A client controls it, so only own properties count. */
export type Body = Readonly<Record<string, unknown>>

/** Returns true for an object that is not an array. */
export function isObject(value: unknown): value is Body {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Formats a number or a boolean as PHP does. */
export function phpText(value: unknown): string {
  return typeof value === 'boolean' ? (value ? '1' : '') : String(value)
}

/** Reads a JSON body, the only type in MediaWiki's REST API reference. Throws WikiError for any error in it. */
export function readJson(request: BodyRequest): Promise<Body> {
  return readFields(request, { 'application/json': jsonFields })
}

/** Reads a body that is JSON or a form, as for transforms. Throws WikiError as `readJson`. */
export function readJsonOrForm(request: BodyRequest): Promise<Body> {
  return readFields(request, { 'application/json': jsonFields, ...formTypes })
}

/** Reads the body of a form. Throws WikiError as `readJson`. */
export function readForm(request: BodyRequest): Promise<Body> {
  return readFields(request, formTypes)
}

/** Reads a form with its files. Throws WikiError as `readJson`. */
export async function readFormWithFiles(request: BodyRequest): Promise<FormWithFiles> {
  let files: FormWithFiles['files'] = new Map()
  const fields = await readFields(request, {
    'multipart/form-data': async (bytes, type) => {
      const form = await formWithFiles(bytes, type)
      files = form.files
      return form.fields
    },
  })
  return { fields, files }
}

/** Parses the fields of a body. */
type FieldReader = (bytes: Buffer, type: string) => Promise<Body>

async function readFields(request: BodyRequest, readers: Readonly<Record<string, FieldReader>>): Promise<Body> {
  const { headers } = request.event.req
  const type = headers.get('content-type')
  const name = type?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (type === null || !Object.hasOwn(readers, name)) {
    throw new WikiError('rest-unsupported-content-type', { params: [type ?? '(none)'] })
  }
  const bytes = await readBytes(request)
  // An intentionally empty body has a length header. Without one, the client forgot the body.
  const isAnnounced = headers.has('content-length') || headers.has('transfer-encoding')
  if (bytes.length === 0 && !isAnnounced) throw new WikiError('rest-request-body-expected')
  return readers[name]!(bytes, type)
}

async function jsonFields(bytes: Buffer): Promise<Body> {
  const body = parseJson(await decoded(bytes))
  if (typeof body !== 'object' || body === null) throw new WikiError('rest-json-body-parse-error')
  return body as Body
}

/** Maximum depth of a body. Source: PHP json_decode. */
const maxDepth = 512

/** Maximum number of values in a body. Bodies of the API have a dozen, and a million empty lists take long to parse. */
const maxValues = 10_000

/** Counts levels and values, that is brackets and commas outside strings, in one pass. */
function isTooMuch(text: string): boolean {
  let depth = 0
  let values = 0
  let isString = false
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]
    if (sign === '"') isString = !isString
    else if (isString) at += Number(sign === '\\')
    else if (sign === '[' || sign === '{') depth++
    else if (sign === ']' || sign === '}') depth--
    else if (sign === ',') values++
    if (depth > maxDepth || values > maxValues) return true
  }
  return false
}

function parseJson(text: string): unknown {
  if (isTooMuch(text)) throw new WikiError('rest-json-body-parse-error')
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new WikiError('rest-json-body-parse-error', { cause })
  }
}

/** Reads the body up to the limit, as `takeBody` does. */
export async function readBytes({ event, writer, maxBodyBytes }: BodyRequest): Promise<Buffer> {
  const body = beginBody({ isAnonymous: writer === null, drop: () => event.runtime?.node?.req.destroy() })
  try {
    await takeBody({ event, maxBodyBytes }, piece => addPiece(body, piece))
    return bytesOf(body)
  } finally {
    endBody(body)
  }
}

/** Requests whose bodies are not held in memory, by Node's request object. */
export const spooledRequests = new WeakSet<object>()

/**
 * Passes the body on in chunks, up to the limit. The rest is discarded as it arrives, so that the client, which is
 * still sending, can read the response. Closing the connection would lose it. Errors: rest-body-too-large,
 * rest-request-body-expected, those of `take`.
 */
export async function takeBody(
  { event, maxBodyBytes }: Pick<BodyRequest, 'event' | 'maxBodyBytes'>,
  take: (piece: Uint8Array) => void,
): Promise<void> {
  const tooLarge = new WikiError('rest-body-too-large', { params: [maxBodyBytes] })
  if (Number(event.req.headers.get('content-length')) > maxBodyBytes) throw tooLarge
  const incoming = event.runtime?.node?.req
  let size = 0
  try {
    for await (const piece of piecesOf(incoming?.iterator({ destroyOnReturn: false }) ?? event.req.body ?? [])) {
      size += piece.length
      if (size > maxBodyBytes) throw tooLarge
      take(piece)
    }
  } catch (error) {
    // Called only now, because the stream does not flow while it is iterated.
    incoming?.resume()
    throw error
  }
}

/** Reads a stream. A client that has disconnected cannot read a response, but that is not a bug. */
async function* piecesOf(source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncIterable<Uint8Array> {
  try {
    yield* source
  } catch (cause) {
    throw new WikiError('rest-request-body-expected', { cause })
  }
}
