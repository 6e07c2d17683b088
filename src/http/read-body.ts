/**
 * Reads and checks request bodies in MediaWiki's order: type, presence, form. Source: MediaWiki 1.43
 * includes/Rest/Validator.
 */

import { isUtf8 } from 'node:buffer'
import type { H3Event } from 'h3'
import { WikiError } from '../core/errors.ts'
import type { Wiki } from '../operations/wiki.ts'
import { decoded } from '../operations/workers/long-text.ts'
import type { Writer } from './access.ts'
import { bounded, codingsOf, withoutCodings } from './content-coding.ts'
import { isUnicode, mediaTypeOf } from './content-type.ts'
import { type FormWithFiles, formTypes, formWithFiles, multipartType } from './form.ts'
import { addPiece, beginBody, bytesOf, endBody } from './held-bodies.ts'

/** Maximum bytes of a body without texts of pages. */
export const shortBodyBytes = 1024 * 1024

/**
 * Returns the maximum size of a JSON body or a form with texts of this size, and other fields. The longest form of a
 * byte is six bytes, `\u0000`: a text is never refused for the way in which a client escapes it.
 */
export function bodyBytesFor(textBytes: number): number {
  return 6 * textBytes + shortBodyBytes
}

/** The parts of a request needed to read its body. */
export interface BodyRequest {
  readonly event: H3Event
  /** Author of the edit; null for routes that only read. */
  readonly writer: Writer | null
  /** Maximum size of the body, in bytes. */
  readonly maxBodyBytes: number
  /** The client that the request counts for. While its body arrives, other requests of the client may begin. */
  readonly wiki: Pick<Wiki, 'client' | 'turns'>
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
    [multipartType]: async (bytes, type) => {
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
  const type = headers.get('content-type') ?? ''
  const reader = readers[supportedType(type, Object.keys(readers))]!
  const bytes = await readBytes(request)
  // An intentionally empty body has a length header. Without one, the client forgot the body.
  const isAnnounced = headers.has('content-length') || headers.has('transfer-encoding')
  if (bytes.length === 0 && !isAnnounced) throw new WikiError('rest-request-body-expected')
  return reader(bytes, type)
}

/**
 * Returns the media type of a `Content-Type` if it is one of these, in UTF-8. A text in another encoding is refused, because
 * reading it as UTF-8 would change it. Errors: rest-unsupported-content-type.
 */
function supportedType(header: string, types: readonly string[]): string {
  const name = mediaTypeOf(header)
  if (types.includes(name) && isUnicode(header)) return name
  const needed = types.includes(name) ? `${name} in UTF-8` : types.join(' or ')
  throw new WikiError('rest-unsupported-content-type', { params: [header.slice(0, 200) || '(none)', needed] })
}

async function jsonFields(bytes: Buffer): Promise<Body> {
  if (!isUtf8(bytes)) throw badJson('it is not UTF-8')
  const body = parseJson(await decoded(bytes))
  if (typeof body !== 'object' || body === null) throw badJson('it is no object')
  if (!isWellFormed(body)) throw badJson('it has half a surrogate pair')
  return body as Body
}

/** A lone surrogate has no form in UTF-8. PHP's json_decode refuses it, too. */
function isWellFormed(value: unknown): boolean {
  if (typeof value === 'string') return !/\p{Surrogate}/u.test(value)
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([name, member]) => isWellFormed(name) && isWellFormed(member))
}

function badJson(reason: string, cause?: unknown): WikiError {
  return new WikiError('rest-json-body-parse-error', { params: [reason], cause })
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
  if (isTooMuch(text)) throw badJson(`it has more than ${maxDepth} levels or ${maxValues} values`)
  try {
    return JSON.parse(text)
  } catch (cause) {
    const reason = text.startsWith('\ufeff') ? 'it begins with a byte order mark' : (cause as SyntaxError).message
    throw badJson(reason.slice(0, 200), cause)
  }
}

/** Reads the body up to the limit, as `takeBody` does. */
export async function readBytes({ event, writer, maxBodyBytes, wiki }: BodyRequest): Promise<Buffer> {
  const body = beginBody({
    isAnonymous: writer === null,
    client: wiki.client,
    drop: () => event.runtime?.node?.req.destroy(),
  })
  try {
    await takeBody({ event, maxBodyBytes, wiki }, piece => addPiece(body, piece))
    return bytesOf(body)
  } finally {
    endBody(body)
  }
}

/** Requests whose bodies are not held in memory, by Node's request object. */
export const spooledRequests = new WeakSet<object>()

/**
 * Passes the body on in chunks, without its content coding, up to the limit, which also holds for the bytes as sent. The rest is
 * discarded as it arrives, so that the client, which is still sending, can read the response. Closing the connection would lose it.
 * Errors: rest-body-too-large, rest-request-body-expected, wiki-unsupported-coding, those of `take`.
 */
export async function takeBody(
  { wiki, ...body }: Omit<BodyRequest, 'writer'>,
  take: (piece: Uint8Array) => void,
): Promise<void> {
  await wiki.turns.untilArrived(wiki.client, () => takePieces(body, take))
}

async function takePieces(
  { event, maxBodyBytes: most }: Pick<BodyRequest, 'event' | 'maxBodyBytes'>,
  take: (piece: Uint8Array) => void,
): Promise<void> {
  const tooLarge = () => new WikiError('rest-body-too-large', { params: [most] })
  const codings = codingsOf(event.req.headers)
  if (Number(event.req.headers.get('content-length')) > most) throw tooLarge()
  const incoming = event.runtime?.node?.req
  try {
    const sent = piecesOf(incoming?.iterator({ destroyOnReturn: false }) ?? event.req.body ?? [])
    for await (const piece of withoutCodings(bounded(sent, { most, tooLarge }), codings, { most, tooLarge }))
      take(piece)
  } catch (error) {
    // Only now, because the stream does not flow while it is iterated. A decoder may end the iteration later: then a listener makes it flow.
    incoming?.on('data', () => {}).resume()
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
