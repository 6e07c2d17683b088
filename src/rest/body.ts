/**
 * Request bodies, checked in MediaWiki's order: type, presence, JSON, fields.
 *
 * Source: REST.md 13 and 14; MediaWiki 1.43 includes/Rest/Validator.
 */

import { WikiError } from '../core/errors.ts'
import type { RestRequest } from './handlers/handler.ts'
import { isSameSecret } from './sessions.ts'

/** Largest request body where nothing else is said, bytes: a source of 2 MiB, twice as long in JSON. */
export const usualBodyBytes = 4 * 1024 * 1024

/** What reading a body needs to know of its request. */
export type BodyRequest = Pick<RestRequest, 'event' | 'writer' | 'maximumBodyBytes'>

interface Edit {
  readonly source: string
  /** Null asks the server to fill it in. */
  readonly comment: string | null
  /** Name of a content model, not checked; null or missing where the title or the page says it. */
  readonly contentModel: string | null | undefined
}

/** Body of `POST /page`. */
export interface NewPage extends Edit {
  readonly title: string
}

/** Body of `PUT /page/{title}`. */
export interface PageUpdate extends Edit {
  /** Id of the revision the edit is based on, any integer; missing for a new page. */
  readonly base: number | undefined
}

/** What a field must be: `text` is a string, `text or null` may be null, `optional text` may also be absent. */
type FieldRule = 'text' | 'text or null' | 'optional text' | 'optional revision'

const newPageFields = {
  source: 'text',
  title: 'text',
  comment: 'text or null',
  content_model: 'optional text',
  token: 'optional text',
} as const satisfies Record<string, FieldRule>

const pageUpdateFields = {
  source: 'text',
  comment: 'text or null',
  content_model: 'optional text',
  latest: 'optional revision',
  token: 'optional text',
} as const satisfies Record<string, FieldRule>

const loginFields = { token: 'text' } as const satisfies Record<string, FieldRule>

type Body = Readonly<Record<string, unknown>>

/** Reads and checks the body of `POST /page`. Throws WikiError for everything that is wrong with it. */
export async function readNewPage(request: BodyRequest): Promise<NewPage> {
  const body = await readJson(request)
  checkFields(body, newPageFields)
  checkCsrfToken(body, request)
  return { ...readEdit(body), title: wellFormed(body.title as string) }
}

/** Reads and checks the body of `PUT /page/{title}`. Throws WikiError for everything that is wrong with it. */
export async function readPageUpdate(request: BodyRequest): Promise<PageUpdate> {
  const body = await readJson(request)
  checkFields(body, pageUpdateFields)
  checkCsrfToken(body, request)
  const latest = body.latest as { id: number } | null | undefined
  return { ...readEdit(body), base: latest?.id }
}

/** Reads and checks the body of `POST /session`. Throws WikiError for everything that is wrong with it. */
export async function readLogin(request: BodyRequest): Promise<{ readonly token: string }> {
  const body = await readJson(request)
  checkFields(body, loginFields)
  return { token: body.token as string }
}

/** A missing token is 400 by the specification, where MediaWiki 1.43 has 403. Source: SPEC 5, REST.md 13. */
function checkCsrfToken({ token }: Body, { writer }: BodyRequest): void {
  const expected = writer?.csrf ?? null
  if (expected === null) return
  const isMissing = token === undefined || token === null || token === ''
  if (isMissing && expected.isRequired) throw badField('token', 'missingparam', token ?? null)
  if (!isMissing && !isSameSecret(token as string, expected.token)) throw new WikiError('rest-badtoken')
}

/** Body of the transforms from wikitext. */
export interface Transform {
  /** Null where the text of a page or a revision is meant. */
  readonly wikitext: string | null
  readonly bodyOnly: boolean
  /** What the offsets of faults count, not checked. */
  readonly offsetType: unknown
}

/**
 * Reads the body of a transform from wikitext. Fields that it does not know are let pass, and so are numbers for text.
 *
 * Source: REST.md 12.
 */
export async function readTransform(request: BodyRequest): Promise<Transform> {
  const body = await readJson(request)
  const given = Object.hasOwn(body, 'wikitext') ? body.wikitext : null
  const wikitext = isObject(given) && Object.hasOwn(given, 'body') ? given.body : given
  const isText = ['string', 'number', 'boolean'].includes(typeof wikitext)
  const bodyOnly = Object.hasOwn(body, 'body_only') && [true, 1, '1', 'true'].includes(body.body_only as string)
  const offsetType = Object.hasOwn(body, 'offsetType') ? body.offsetType : undefined
  return { wikitext: isText ? wellFormed(phpText(wikitext)) : null, bodyOnly, offsetType }
}

/** Body of the transform from HTML. */
export interface HtmlTransform {
  readonly html: string
  /** Id of the revision that the HTML was made of. */
  readonly revision: number | undefined
  /** The text that the HTML was made of, and that HTML. */
  readonly original: { readonly source: string; readonly html: string | undefined } | undefined
}

/**
 * Reads the body of a transform from HTML: `html` is a text, or an object with the text in `body`; so are `wikitext` and
 * `html` in `original`. Fields that it does not know are let pass. Throws `rest-transform-missing-html`.
 *
 * Source: REST.md 12; Parsoid's page bundles.
 */
export async function readHtmlTransform(request: BodyRequest): Promise<HtmlTransform> {
  const maximumBodyBytes = Math.max(request.maximumBodyBytes, largestHtmlBody)
  const body = await readJson({ ...request, maximumBodyBytes })
  const html = textMember(body, 'html')
  if (html === undefined) throw new WikiError('rest-transform-missing-html')
  const given = Object.hasOwn(body, 'original') && isObject(body.original) ? body.original : {}
  const source = textMember(given, 'wikitext') ?? textMember(given, 'source')
  const revision = Object.hasOwn(given, 'revid') ? Number(given.revid) : Number.NaN
  return {
    html,
    revision: Number.isSafeInteger(revision) && revision > 0 ? revision : undefined,
    original: source === undefined ? undefined : { source, html: textMember(given, 'html') },
  }
}

/** HTML of 10 MiB, half as long again in JSON, and the original beside it. */
const largestHtmlBody = 32 * 1024 * 1024

function textMember(body: Body, name: string): string | undefined {
  const value = Object.hasOwn(body, name) ? body[name] : undefined
  const text = isObject(value) && Object.hasOwn(value, 'body') ? value.body : value
  return typeof text === 'string' ? text.replace(/\p{Surrogate}/gu, '\uFFFD') : undefined
}

/** A side of a comparison: a revision, a page's latest one, or a text. */
export type ComparisonSide = { readonly id: number } | { readonly title: string } | { readonly text: string }

/** What a side may say, one of them. */
const sideChecks = {
  id: Number.isSafeInteger,
  title: (value: unknown) => typeof value === 'string',
  text: (value: unknown) => typeof value === 'string',
} as const

/** Reads and checks the body of `POST /compare`. Throws WikiError for everything that is wrong with it. */
export async function readComparison(
  request: BodyRequest,
): Promise<{ readonly from: ComparisonSide; readonly to: ComparisonSide }> {
  const body = await readJson(request)
  const [from, to] = [readSide(body, 'from'), readSide(body, 'to')]
  const unknown = Object.keys(body).filter(name => name !== 'from' && name !== 'to')
  if (unknown.length > 0) throw extraneousFields(unknown.slice(0, 10).map(brief))
  return { from, to }
}

function readSide(body: Body, name: 'from' | 'to'): ComparisonSide {
  const side = Object.hasOwn(body, name) ? body[name] : undefined
  if (side === undefined || side === null) throw badField(name, 'missingparam', null)
  if (!isObject(side)) throw badField(name, 'notarray', brief(phpText(side)))
  const [member, ...others] = Object.entries(side)
  const check = member === undefined ? undefined : sideChecks[member[0] as keyof typeof sideChecks]
  const isKnown = member !== undefined && Object.hasOwn(sideChecks, member[0]) && check?.(member[1])
  if (!isKnown || others.length > 0) throw badField(name, 'badvalue', shown(side))
  const value = member[1]
  return { [member[0]]: typeof value === 'string' ? wellFormed(value) : value } as ComparisonSide
}

function isObject(value: unknown): value is Body {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function readEdit(body: Body): Edit {
  const comment = body.comment as string | null
  return {
    source: wellFormed(body.source as string),
    comment: comment === null ? null : wellFormed(comment),
    contentModel: body.content_model as string | null | undefined,
  }
}

/**
 * Puts a text together as MediaWiki does with all that is sent to it: letters and their accents as one character, and no
 * halves of surrogate pairs, which JSON can spell but UTF-8 cannot.
 */
function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\uFFFD').normalize('NFC')
}

async function readJson(request: BodyRequest): Promise<Body> {
  const { headers } = request.event.req
  const type = headers.get('content-type')
  if (type?.split(';', 1)[0]?.trim().toLowerCase() !== 'application/json') {
    throw new WikiError('rest-unsupported-content-type', { params: [type ?? '(none)'] })
  }
  const bytes = await readBytes(request)
  // An empty body is announced as such; where nothing was announced, the body was forgotten.
  const isAnnounced = headers.has('content-length') || headers.has('transfer-encoding')
  if (bytes.length === 0 && !isAnnounced) throw new WikiError('rest-request-body-expected')
  const body = parseJson(bytes.toString('utf8'))
  if (typeof body !== 'object' || body === null) throw new WikiError('rest-json-body-parse-error')
  return body as Body
}

/** Levels of a body. Source: PHP json_decode. */
const maximumDepth = 512

/** Counts brackets outside strings, in one pass. */
function isTooDeep(text: string): boolean {
  let depth = 0
  let isString = false
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]
    if (sign === '"') isString = !isString
    else if (isString) at += Number(sign === '\\')
    else if (sign === '[' || sign === '{') depth++
    else if (sign === ']' || sign === '}') depth--
    if (depth > maximumDepth) return true
  }
  return false
}

function parseJson(text: string): unknown {
  if (isTooDeep(text)) throw new WikiError('rest-json-body-parse-error')
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new WikiError('rest-json-body-parse-error', { cause })
  }
}

/**
 * Reads the body up to the limit. What comes after it is thrown away as it arrives, so that the client, still sending,
 * can read the answer: closing the connection under it would lose that.
 */
async function readBytes({ event, maximumBodyBytes }: BodyRequest): Promise<Buffer> {
  const tooLarge = new WikiError('rest-body-too-large', { params: [maximumBodyBytes] })
  if (Number(event.req.headers.get('content-length')) > maximumBodyBytes) throw tooLarge
  const incoming = event.runtime?.node?.req
  const bytes = await collect(incoming?.iterator({ destroyOnReturn: false }) ?? event.req.body ?? [], maximumBodyBytes)
  if (bytes !== null) return bytes
  // Only now: while it is iterated, the stream does not flow.
  incoming?.resume()
  throw tooLarge
}

/** Joins chunks; null where they are more than so many bytes. */
async function collect(
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  limit: number,
): Promise<Buffer | null> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of source) {
      size += chunk.length
      if (size > limit) return null
      chunks.push(chunk)
    }
  } catch (cause) {
    // The client has gone: nobody will read this, but it is no fault of ours.
    throw new WikiError('rest-request-body-expected', { cause })
  }
  return Buffer.concat(chunks)
}

/** Checks one field, and throws what is wrong with it. */
type FieldCheck = (name: string, value: unknown) => void

const fieldChecks: Readonly<Record<FieldRule, FieldCheck>> = {
  text: checkPresentText,
  'text or null': (name, value) => value === null || checkPresentText(name, value),
  'optional text': (name, value) => value === undefined || value === null || checkText(name, value),
  'optional revision': (name, value) => value === undefined || value === null || checkRevision(name, value),
}

function checkFields(body: Body, rules: Readonly<Record<string, FieldRule>>): void {
  for (const [name, rule] of Object.entries(rules)) {
    fieldChecks[rule](name, Object.hasOwn(body, name) ? body[name] : undefined)
  }
  if (Array.isArray(body)) return
  const unknown = Object.keys(body).filter(name => !Object.hasOwn(rules, name))
  if (unknown.length > 0) throw extraneousFields(unknown.slice(0, 10).map(brief))
}

function checkPresentText(name: string, value: unknown): void {
  if (value === undefined || value === null) throw badField(name, 'missingparam', null)
  checkText(name, value)
}

function checkText(name: string, value: unknown): void {
  if (typeof value === 'object' && value !== null) throw badField(name, 'badvalue', shown(value))
  if (typeof value !== 'string') throw badField(name, 'needstring', phpText(value))
}

/** Writes a number or a boolean as PHP does. */
function phpText(value: unknown): string {
  return typeof value === 'boolean' ? (value ? '1' : '') : String(value)
}

/** What `latest` may hold, and which of it must be there: the object a client got with the page, or its id alone. */
const revisionMembers = {
  id: { isRequired: true, accepts: Number.isSafeInteger, type: 'an integer' },
  timestamp: { isRequired: false, accepts: (value: unknown) => typeof value === 'string', type: 'a string' },
} as const

function checkRevision(name: string, value: unknown): void {
  if (typeof value !== 'object' || value === null) throw badField(name, 'notarray', brief(phpText(value)))
  const fail = (fault: SchemaFault): never => {
    const failureData = { 'schema-validation-error': { ...fault, context: 1 } }
    throw badField(name, 'schema-validation-failed', JSON.stringify(shown(value)), failureData)
  }
  const members = new Map<string, unknown>(Object.entries(value))
  for (const [property, { isRequired, accepts, type }] of Object.entries(revisionMembers)) {
    const pointer = `/${property}`
    const isMissing = !members.has(property)
    if (isMissing && isRequired) fail({ property, pointer, message: `${property} is required`, constraint: 'required' })
    if (!isMissing && !accepts(members.get(property))) {
      fail({ property, pointer, message: `${property} must be ${type}`, constraint: 'type' })
    }
    members.delete(property)
  }
  if (members.size > 0) {
    fail({ property: '', pointer: '', message: 'only id and timestamp are known', constraint: 'additionalProp' })
  }
}

interface SchemaFault {
  readonly property: string
  readonly pointer: string
  readonly message: string
  readonly constraint: string
}

/** One level of a value, and not much of it: what a client sent can be nested deeper than JSON can be written. */
function shown(value: object): unknown {
  const flat = (member: unknown): unknown =>
    typeof member === 'object' ? null : typeof member === 'string' ? brief(member) : member
  const members = Object.entries(value).slice(0, 20)
  if (Array.isArray(value)) return members.map(([, member]) => flat(member))
  return Object.fromEntries(members.map(([name, member]) => [brief(name), flat(member)]))
}

/** As much of a client's text as an error repeats. */
function brief(text: string): string {
  return text.slice(0, 100)
}

function badField(name: string, failureCode: string, value: unknown, failureData: unknown = null): WikiError {
  const data = { error: 'parameter-validation-failed', name, value, failureCode, failureData }
  return new WikiError('rest-body-validation-error', { params: [`${name}: ${failureCode}`], data })
}

function extraneousFields(names: readonly string[]): WikiError {
  const name = names.join(', ')
  const data = {
    error: 'parameter-validation-failed',
    failureCode: 'extraneous-body-fields',
    name,
    failureData: names,
  }
  return new WikiError('rest-extraneous-body-fields', { params: [name], data })
}
