/** Parses the bodies of edits, logins and comparisons. */

import { WikiError } from '../core/errors.ts'
import { type Body, type BodyRequest, readJson, shortBodyBytes } from '../http/read-body.ts'
import { isSameSecret } from '../http/sessions.ts'
import { wellFormed } from '../operations/workers/long-text.ts'
import { badField, badValue, checkFields, type FieldRules } from './fields.ts'

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

const newPageFields = {
  source: 'text',
  title: 'text',
  comment: 'text or null',
  content_model: 'optional text',
  minor: 'optional flag',
  bot: 'optional flag',
  token: 'optional text',
} as const satisfies FieldRules

const pageUpdateFields = {
  source: 'text',
  comment: 'text or null',
  content_model: 'optional text',
  latest: 'optional revision',
  minor: 'optional flag',
  bot: 'optional flag',
  token: 'optional text',
} as const satisfies FieldRules

/** Fields that every action on a page accepts. */
const actionFields = { comment: 'optional text', dryRun: 'optional flag', token: 'optional text' } as const

const deletionFields = { ...actionFields, latest: 'optional revision' } as const satisfies FieldRules
const moveFields = {
  ...actionFields,
  to: 'text',
  redirect: 'optional flag',
  updateLinks: 'optional flag',
  retitleLinks: 'optional flag',
  latest: 'optional revision',
} as const satisfies FieldRules
const restorationFields = { ...actionFields, revision: 'optional id' } as const satisfies FieldRules
const undoFields = {
  ...actionFields,
  revision: 'id',
  after: 'optional id',
  minor: 'optional flag',
  bot: 'optional flag',
} as const satisfies FieldRules

const loginFields = { token: 'text' } as const satisfies FieldRules

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
  const body = await readShort(request)
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

async function readAction(request: BodyRequest, fields: FieldRules): Promise<Body> {
  const body = await readShort(request)
  checkFields(body, fields)
  checkCsrfToken(body, request)
  return body
}

/** Reads a body without a text of a page. */
function readShort(request: BodyRequest): Promise<Body> {
  return readJson({ ...request, maxBodyBytes: Math.min(request.maxBodyBytes, shortBodyBytes) })
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

const comparisonFields = { from: 'side', to: 'side' } as const satisfies FieldRules

/** Parses the body of `POST /compare`. Throws WikiError for any error in it. */
export async function readComparison(
  request: BodyRequest,
): Promise<{ readonly from: ComparisonSide; readonly to: ComparisonSide }> {
  const body = await readJson(request)
  checkFields(body, comparisonFields)
  return { from: await sideOf(body.from), to: await sideOf(body.to) }
}

const mergeUnits = ['lines', 'words'] as const
const mergeFields = { base: 'side', mine: 'side', theirs: 'side', by: 'optional text' } as const satisfies FieldRules

/** Parses the body of `POST /merge`. Throws WikiError for any error in it. */
export async function readMerge(request: BodyRequest): Promise<{
  readonly sides: Readonly<Record<'base' | 'mine' | 'theirs', ComparisonSide>>
  readonly by: (typeof mergeUnits)[number]
}> {
  const body = await readJson(request)
  checkFields(body, mergeFields)
  const by = mergeUnits.find(unit => unit === (body.by ?? 'words'))
  if (by === undefined) throw badValue('by', body.by)
  const [base, mine, theirs] = [await sideOf(body.base), await sideOf(body.mine), await sideOf(body.theirs)]
  return { sides: { base, mine, theirs }, by }
}

async function sideOf(checked: unknown): Promise<ComparisonSide> {
  const side = checked as ComparisonSide
  return 'text' in side
    ? { text: await wellFormed(side.text) }
    : 'title' in side
      ? { title: await wellFormed(side.title) }
      : side
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
