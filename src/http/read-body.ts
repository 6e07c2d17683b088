/**
 * Reads and checks request bodies in MediaWiki's order: type, presence, form. Source: MediaWiki 1.43
 * includes/Rest/Validator.
 */

import type { H3Event } from 'h3'
import { WikiError } from '../core/errors.ts'
import type { Writer } from './access.ts'
import { type FormFile, formFiles, formTypes } from './form.ts'

/** Largest request body where nothing else is said, bytes: a source of 2 MiB, twice as long in JSON. */
export const usualBodyBytes = 4 * 1024 * 1024

/** The parts of a request that reading its body needs. */
export interface BodyRequest {
  readonly event: H3Event
  /** Author of the edit; null on routes that only read. */
  readonly writer: Writer | null
  /** Largest body that is read. */
  readonly maximumBodyBytes: number
}

/** The members of a body: a client's, so only their own ones count. */
export type Body = Readonly<Record<string, unknown>>

/** True for an object that is no list. */
export function isObject(value: unknown): value is Body {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Normalises a text as MediaWiki does with all input: letters and their accents composed, and no halves of surrogate pairs, which
 * JSON can spell but UTF-8 cannot.
 */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\uFFFD').normalize('NFC')
}

/** Formats a number or a boolean as PHP does. */
export function phpText(value: unknown): string {
  return typeof value === 'boolean' ? (value ? '1' : '') : String(value)
}

/** Reads a body of JSON, the one type that MediaWiki's REST API reference has. Throws WikiError for everything that is wrong with it. */
export function readJson(request: BodyRequest): Promise<Body> {
  return readFields(request, { 'application/json': jsonFields })
}

/** Reads a body that may also be a form, as those of transforms may. Throws WikiError as `readJson`. */
export function readJsonOrForm(request: BodyRequest): Promise<Body> {
  return readFields(request, { 'application/json': jsonFields, ...formTypes })
}

/** Reads a body that is a form. Throws WikiError as `readJson`. */
export function readForm(request: BodyRequest): Promise<Body> {
  return readFields(request, formTypes)
}

/** Reads a form with its files. Throws WikiError as `readJson`. */
export async function readFormWithFiles(
  request: BodyRequest,
): Promise<{ readonly fields: Body; readonly files: ReadonlyMap<string, FormFile> }> {
  let files: ReadonlyMap<string, FormFile> = new Map()
  const fields = await readFields(request, {
    'multipart/form-data': (bytes, type) => {
      files = formFiles(bytes, type)
      return formTypes['multipart/form-data'](bytes, type)
    },
  })
  return { fields, files }
}

/** Makes fields of a body. */
type FieldReader = (bytes: Buffer, type: string) => Body

async function readFields(request: BodyRequest, readers: Readonly<Record<string, FieldReader>>): Promise<Body> {
  const { headers } = request.event.req
  const type = headers.get('content-type')
  const name = type?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (type === null || !Object.hasOwn(readers, name)) {
    throw new WikiError('rest-unsupported-content-type', { params: [type ?? '(none)'] })
  }
  const bytes = await readBytes(request)
  // An empty body has a length header; without one, the body was forgotten.
  const isAnnounced = headers.has('content-length') || headers.has('transfer-encoding')
  if (bytes.length === 0 && !isAnnounced) throw new WikiError('rest-request-body-expected')
  return readers[name]!(bytes, type)
}

function jsonFields(bytes: Buffer): Body {
  const body = parseJson(bytes.toString('utf8'))
  if (typeof body !== 'object' || body === null) throw new WikiError('rest-json-body-parse-error')
  return body as Body
}

/** Levels of a body. Source: PHP json_decode. */
const maximumDepth = 512

/** Maximum values of a body: a body of the API has a dozen, and a million empty lists take long to parse. */
const maximumValues = 10_000

/** Counts levels and values, which are brackets and commas outside strings, in one pass. */
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
    if (depth > maximumDepth || values > maximumValues) return true
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
export async function readBytes(request: Pick<BodyRequest, 'event' | 'maximumBodyBytes'>): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  await takeBody(request, piece => void pieces.push(piece))
  return Buffer.concat(pieces)
}

/** Requests whose bodies are not held in memory, by the request of Node. */
export const spooledRequests = new WeakSet<object>()

/**
 * Hands the body over piece by piece, up to the limit. The rest is discarded as it arrives, so that the client, still sending, can read
 * the response: closing the connection would lose it. Errors: rest-body-too-large, rest-request-body-expected, those of `take`.
 */
export async function takeBody(
  { event, maximumBodyBytes }: Pick<BodyRequest, 'event' | 'maximumBodyBytes'>,
  take: (piece: Uint8Array) => void,
): Promise<void> {
  const tooLarge = new WikiError('rest-body-too-large', { params: [maximumBodyBytes] })
  if (Number(event.req.headers.get('content-length')) > maximumBodyBytes) throw tooLarge
  const incoming = event.runtime?.node?.req
  let size = 0
  try {
    for await (const piece of piecesOf(incoming?.iterator({ destroyOnReturn: false }) ?? event.req.body ?? [])) {
      size += piece.length
      if (size > maximumBodyBytes) throw tooLarge
      take(piece)
    }
  } catch (error) {
    // Only now: while it is iterated, the stream does not flow.
    incoming?.resume()
    throw error
  }
}

/** Reads a stream. A client that has gone reads no response, but it is no bug. */
async function* piecesOf(source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncIterable<Uint8Array> {
  try {
    yield* source
  } catch (cause) {
    throw new WikiError('rest-request-body-expected', { cause })
  }
}
