/**
 * Parses and validates the bodies of edits, logins and comparisons. Source: MediaWiki 1.43 includes/Rest/Validator.
 */

import { WikiError } from '../core/errors.ts'
import { nearest } from '../core/nearest-name.ts'
import { fieldFault } from '../http/messages/messages.ts'
import { type Body, type BodyRequest, isObject, phpText, readJson } from '../http/read-body.ts'
import { isSameSecret } from '../http/sessions.ts'
import { wellFormed } from '../operations/workers/long-text.ts'

interface Edit {
  readonly source: string
  /** Null if the server should generate it. */
  readonly comment: string | null
  /** Name of a content model, unchecked; null or missing if the title or the page determines it. */
  readonly contentModel: string | null | undefined
  /** Undefined if the body omits it. */
  readonly minor: boolean | undefined
  /** True to mark the edit as a bot's; undefined leaves that to the token. */
  readonly bot: boolean | undefined
}

/** Body of `POST /page`. */
export interface NewPage extends Edit {
  readonly title: string
}

/** Body of `PUT /page/{title}`. */
export interface PageUpdate extends Edit {
  /** Id of the revision that the edit is based on, any integer; missing for a new page. */
  readonly base: number | undefined
}

/** Type of a field: `text` is a string, `text or null` may be null, `optional text` may also be absent. */
type FieldRule =
  | 'text'
  | 'text or null'
  | 'optional text'
  | 'optional revision'
  | 'optional flag'
  | 'id'
  | 'optional id'

const newPageFields = {
  source: 'text',
  title: 'text',
  comment: 'text or null',
  content_model: 'optional text',
  minor: 'optional flag',
  bot: 'optional flag',
  token: 'optional text',
} as const satisfies Record<string, FieldRule>

const pageUpdateFields = {
  source: 'text',
  comment: 'text or null',
  content_model: 'optional text',
  latest: 'optional revision',
  minor: 'optional flag',
  bot: 'optional flag',
  token: 'optional text',
} as const satisfies Record<string, FieldRule>

/** Fields that every action on a page accepts. */
const actionFields = { comment: 'optional text', dryRun: 'optional flag', token: 'optional text' } as const

const deletionFields = { ...actionFields, latest: 'optional revision' } as const satisfies Record<string, FieldRule>
const moveFields = {
  ...actionFields,
  to: 'text',
  redirect: 'optional flag',
  updateLinks: 'optional flag',
  retitleLinks: 'optional flag',
  latest: 'optional revision',
} as const satisfies Record<string, FieldRule>
const restorationFields = { ...actionFields, revision: 'optional id' } as const satisfies Record<string, FieldRule>
const undoFields = {
  ...actionFields,
  revision: 'id',
  after: 'optional id',
  minor: 'optional flag',
  bot: 'optional flag',
} as const satisfies Record<string, FieldRule>

const loginFields = { token: 'text' } as const satisfies Record<string, FieldRule>

/** Parses the body of `POST /page`. Throws WikiError for any error in it. */
export async function readNewPage(request: BodyRequest): Promise<NewPage> {
  const body = await readJson(request)
  checkFields(body, newPageFields)
  checkCsrfToken(body, request)
  return { ...(await readEdit(body)), title: await wellFormed(body.title as string) }
}

/** Parses the body of `PUT /page/{title}`. Throws WikiError for any error in it. */
export async function readPageUpdate(request: BodyRequest): Promise<PageUpdate> {
  const body = await readJson(request)
  checkFields(body, pageUpdateFields)
  checkCsrfToken(body, request)
  return { ...(await readEdit(body)), base: baseOf(body) }
}

/** Parses the body of `POST /session`. Throws WikiError for any error in it. */
export async function readLogin(request: BodyRequest): Promise<{ readonly token: string }> {
  const body = await readJson(request)
  checkFields(body, loginFields)
  return { token: body.token as string }
}

/** An action on a page. */
export interface PageAction {
  /** Null if the server should generate it. */
  readonly comment: string | null
  readonly dryRun: boolean
}

/** Parses the body of `DELETE /page/{title}`, which is optional. Throws WikiError for any error in it. */
export async function readDeletion(request: BodyRequest): Promise<PageAction & { readonly base: number | undefined }> {
  const body = hasBody(request) ? await readAction(request, deletionFields) : {}
  return { ...(await actionOf(body)), base: baseOf(body) }
}

/** Returns the error for a deletion without a base revision: the page may have changed since it was read. */
export function missingLatest(): WikiError {
  return badField('latest', 'missingparam', null)
}

/** Parses the body of `POST /page/{title}/move`. Throws WikiError for any error in it. */
export async function readMove(request: BodyRequest): Promise<MoveAction> {
  const body = await readAction(request, moveFields)
  const redirect = (body.redirect ?? true) as boolean
  const [updateLinks, retitleLinks] = [body.updateLinks ?? false, body.retitleLinks ?? false] as [boolean, boolean]
  return {
    ...(await actionOf(body)),
    to: await wellFormed(body.to as string),
    redirect,
    updateLinks,
    retitleLinks,
    base: baseOf(body),
  }
}

/** Body of `POST /page/{title}/move`. */
export interface MoveAction extends PageAction {
  readonly to: string
  readonly redirect: boolean
  readonly updateLinks: boolean
  readonly retitleLinks: boolean
  readonly base: number | undefined
}

/** Parses the body of `POST /page/{title}/restore`. Throws WikiError for any error in it. */
export async function readRestoration(
  request: BodyRequest,
): Promise<PageAction & { readonly revision: number | undefined }> {
  const body = await readAction(request, restorationFields)
  return { ...(await actionOf(body)), revision: (body.revision ?? undefined) as number | undefined }
}

/** Body of `POST /page/{title}/undo`: undoes the revisions after `after` up to `revision`. */
export interface UndoAction extends PageAction {
  readonly revision: number
  readonly after: number | undefined
  readonly minor: boolean | undefined
  readonly bot: boolean | undefined
}

/** Parses the body of `POST /page/{title}/undo`. Throws WikiError for any error in it. */
export async function readUndo(request: BodyRequest): Promise<UndoAction> {
  const body = await readAction(request, undoFields)
  const after = (body.after ?? undefined) as number | undefined
  return { ...(await actionOf(body)), ...flagsOf(body), revision: body.revision as number, after }
}

async function readAction(request: BodyRequest, fields: Readonly<Record<string, FieldRule>>): Promise<Body> {
  const body = await readJson(request)
  checkFields(body, fields)
  checkCsrfToken(body, request)
  return body
}

function hasBody({ event }: BodyRequest): boolean {
  const { headers } = event.req
  return headers.has('content-type') || headers.has('transfer-encoding') || Number(headers.get('content-length')) > 0
}

async function actionOf(body: Body): Promise<PageAction> {
  const comment = (body.comment ?? null) as string | null
  return { comment: comment === null ? null : await wellFormed(comment), dryRun: body.dryRun === true }
}

function baseOf(body: Body): number | undefined {
  return (body.latest as { id: number } | null | undefined)?.id
}

function flagsOf(body: Body): Pick<Edit, 'minor' | 'bot'> {
  return { minor: body.minor as boolean | undefined, bot: body.bot as boolean | undefined }
}

/** Checks the token of a request without a JSON body, which a session's client sends as a header. */
export function checkCsrfHeader(request: BodyRequest): void {
  checkCsrfToken({ token: request.event.req.headers.get('x-csrf-token') }, request)
}

/**
 * Checks a session's token. A missing one is 400, as the MediaWiki REST API reference states; MediaWiki 1.43 sends 403.
 */
function checkCsrfToken({ token }: Body, { writer }: BodyRequest): void {
  const expected = writer?.csrf ?? null
  if (expected === null) return
  const isMissing = token === undefined || token === null || token === ''
  if (isMissing && expected.isRequired) throw badField('token', 'missingparam', token ?? null)
  if (!isMissing && !isSameSecret(token as string, expected.token)) throw new WikiError('rest-badtoken')
}

/** A side of a comparison: a revision, a page's latest one, or a text. */
export type ComparisonSide = { readonly id: number } | { readonly title: string } | { readonly text: string }

/** Members of a side, exactly one of which is required. */
const sideChecks = {
  id: Number.isSafeInteger,
  title: (value: unknown) => typeof value === 'string',
  text: (value: unknown) => typeof value === 'string',
} as const

/** Parses the body of `POST /compare`. Throws WikiError for any error in it. */
export async function readComparison(
  request: BodyRequest,
): Promise<{ readonly from: ComparisonSide; readonly to: ComparisonSide }> {
  const body = await readJson(request)
  const [from, to] = [await readSide(body, 'from'), await readSide(body, 'to')]
  const unknown = Object.keys(body).filter(name => name !== 'from' && name !== 'to')
  if (unknown.length > 0) throw extraneousFields(unknown.slice(0, 10).map(brief))
  return { from, to }
}

const mergeUnits = ['lines', 'words'] as const

/** Parses the body of `POST /merge`. Throws WikiError for any error in it. */
export async function readMerge(request: BodyRequest): Promise<{
  readonly sides: Readonly<Record<'base' | 'mine' | 'theirs', ComparisonSide>>
  readonly by: (typeof mergeUnits)[number]
}> {
  const body = await readJson(request)
  const sides = {
    base: await readSide(body, 'base'),
    mine: await readSide(body, 'mine'),
    theirs: await readSide(body, 'theirs'),
  }
  const by = Object.hasOwn(body, 'by') ? mergeUnits.find(unit => unit === body.by) : 'words'
  if (by === undefined) throw badField('by', 'badvalue', brief(phpText(body.by)))
  const unknown = Object.keys(body).filter(name => name !== 'by' && !Object.hasOwn(sides, name))
  if (unknown.length > 0) throw extraneousFields(unknown.slice(0, 10).map(brief))
  return { sides, by }
}

async function readSide(body: Body, name: string): Promise<ComparisonSide> {
  const side = Object.hasOwn(body, name) ? body[name] : undefined
  if (side === undefined || side === null) throw badField(name, 'missingparam', null)
  if (!isObject(side)) throw badField(name, 'notarray', brief(phpText(side)))
  const [member, ...others] = Object.entries(side)
  const check = member === undefined ? undefined : sideChecks[member[0] as keyof typeof sideChecks]
  const isValid = member !== undefined && Object.hasOwn(sideChecks, member[0]) && check?.(member[1])
  if (!isValid || others.length > 0) throw badField(name, 'badvalue', shown(side))
  const value = member[1]
  return { [member[0]]: typeof value === 'string' ? await wellFormed(value) : value } as ComparisonSide
}

async function readEdit(body: Body): Promise<Edit> {
  const comment = body.comment as string | null
  return {
    source: await wellFormed(body.source as string),
    comment: comment === null ? null : await wellFormed(comment),
    contentModel: body.content_model as string | null | undefined,
    ...flagsOf(body),
  }
}

/** Validates one field, and throws its error. */
type FieldCheck = (name: string, value: unknown) => void

const fieldChecks: Readonly<Record<FieldRule, FieldCheck>> = {
  text: checkPresentText,
  'text or null': (name, value) => value === null || checkPresentText(name, value),
  'optional text': (name, value) => value === undefined || value === null || checkText(name, value),
  'optional flag': (name, value) => value === undefined || checkFlag(name, value),
  id: (name, value) => {
    if (value === undefined || value === null) throw badField(name, 'missingparam', null)
    checkId(name, value)
  },
  'optional id': (name, value) => value === undefined || value === null || checkId(name, value),
  'optional revision': (name, value) => value === undefined || value === null || checkRevision(name, value),
}

function checkFields(body: Body, rules: Readonly<Record<string, FieldRule>>): void {
  const misspelt = misspeltFields(body, rules)
  if (misspelt.size > 0)
    throw extraneousFields(
      [...misspelt.keys()],
      [...misspelt].map(([name, meant]) => `${name} (did you mean ${meant}?)`),
    )
  for (const [name, rule] of Object.entries(rules)) {
    fieldChecks[rule](name, Object.hasOwn(body, name) ? body[name] : undefined)
  }
  if (Array.isArray(body)) return
  const unknown = Object.keys(body).filter(name => !Object.hasOwn(rules, name))
  if (unknown.length > 0) throw extraneousFields(unknown.slice(0, 10).map(brief))
}

/** Finds fields whose names resemble a missing one. Reporting them says more than that the other is missing. */
function misspeltFields(body: Body, rules: Readonly<Record<string, FieldRule>>): Map<string, string> {
  const found = new Map<string, string>()
  if (Array.isArray(body)) return found
  const missing = Object.keys(rules).filter(name => !Object.hasOwn(body, name))
  const unknown = Object.keys(body).filter(name => !Object.hasOwn(rules, name) && name.length < longestFieldName)
  for (const name of unknown.slice(0, 10)) {
    const meant = nearest(name, missing)
    if (meant !== undefined) found.set(name, meant)
  }
  return found
}

/** Maximum length, in UTF-16 units, of names that are compared with those of fields. */
const longestFieldName = 40

function checkPresentText(name: string, value: unknown): void {
  if (value === undefined || value === null) throw badField(name, 'missingparam', null)
  checkText(name, value)
}

function checkText(name: string, value: unknown): void {
  if (typeof value === 'object' && value !== null) throw badField(name, 'badvalue', shown(value))
  if (typeof value !== 'string') throw badField(name, 'needstring', phpText(value))
}

function checkFlag(name: string, value: unknown): void {
  if (typeof value !== 'boolean') throw badField(name, 'badbool', typeof value === 'object' ? null : value)
}

function checkId(name: string, value: unknown): void {
  if (!Number.isSafeInteger(value) || (value as number) < 1)
    throw badField(name, 'badinteger', typeof value === 'object' ? null : value)
}

/** The revision object from a page, or its id alone. */
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

/** Shortens a value to one level, because a client's value may be nested too deeply to be written as JSON. */
function shown(value: object): unknown {
  const flat = (member: unknown): unknown =>
    typeof member === 'object' ? null : typeof member === 'string' ? brief(member) : member
  const members = Object.entries(value).slice(0, 20)
  if (Array.isArray(value)) return members.map(([, member]) => flat(member))
  return Object.fromEntries(members.map(([name, member]) => [brief(name), flat(member)]))
}

/** Maximum characters of a client's text that an error repeats. */
function brief(text: string): string {
  return text.slice(0, 100)
}

function badField(name: string, failureCode: string, value: unknown, failureData: unknown = null): WikiError {
  const data = { error: 'parameter-validation-failed', name, value, failureCode, failureData }
  const fault = (failureData as { 'schema-validation-error'?: SchemaFault } | null)?.['schema-validation-error']
  const message = fieldFault(failureCode, [name, ...(fault === undefined ? [] : [fault.message])])
  return new WikiError('rest-body-validation-error', { params: [message ?? `${name}: ${failureCode}`], data })
}

function extraneousFields(names: readonly string[], labels: readonly string[] = names): WikiError {
  const name = names.join(', ')
  const data = {
    error: 'parameter-validation-failed',
    failureCode: 'extraneous-body-fields',
    name,
    failureData: names,
  }
  return new WikiError('rest-extraneous-body-fields', { params: [labels.join(', ')], data })
}
