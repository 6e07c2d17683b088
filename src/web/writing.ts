/** Forms that change the wiki: their fields, and their senders. */

import { isWikiError, WikiError } from '../core/errors.ts'
import { covers, type Scope } from '../core/scopes.ts'
import { checkOrigin, cookieHeader, findSession, findUser, findWriter, type Writer, writerOf } from '../http/access.ts'
import type { FormFile } from '../http/form.ts'
import { type Body, bodyBytesFor, readForm, readFormWithFiles, shortBodyBytes } from '../http/read-body.ts'
import { retryHeaders } from '../http/retry-after.ts'
import { isSameSecret } from '../http/sessions.ts'
import { sessionSeconds } from '../operations/sessions.ts'
import { isLong, wellFormed, wellFormedAtOnce, withLineFeeds } from '../operations/workers/long-text.ts'
import { specialAddress } from './addresses.ts'
import { html, type Markup } from './markup.ts'
import { errorSentence } from './parts/error-sentence.ts'
import { redirectReply, type WebReply, type WebRequest } from './request.ts'

/** Maximum size of a form in bytes: of what is beside the file, and of the file. */
const formBytes = 12 * 1024 * 1024
const uploadBytes = 32 * 1024 * 1024

/** Largest file that a form may contain, in bytes. The API and the command line take files as large as `limits.file`. */
export function largestUpload({ wiki }: WebRequest): number {
  return Math.min(uploadBytes, wiki.store.config.limits.file)
}

/** The CSRF token of users without a session. Source: MediaWiki's LoggedOutEditToken. */
const anonymousToken = '+\\'

/** A submitted form. */
export interface Form {
  /** Returns a field's text with LF line ends, of a source of any length; "" if it is missing. */
  readonly source: (name: string) => string
  /** Returns the text of any other field as `source` does, cut after `longestField`. */
  readonly text: (name: string) => string
  readonly isChecked: (name: string) => boolean
  /** Returns a field's number; 0 if it is not a number. */
  readonly id: (name: string) => number
  readonly file: (name: string) => FormFile | null
}

/** Reads a form of short fields. Errors: those of `readForm`. */
export async function readShortForm({ event }: WebRequest): Promise<Form> {
  return formOf(await readForm({ event, writer: null, maxBodyBytes: shortBodyBytes }), new Map())
}

/** Reads a form with sources of pages. Errors: those of `readForm`. */
export async function readSourceForm({ event, wiki }: WebRequest): Promise<Form> {
  // Both texts of a conflict between the wiki's largest pages, three bytes for each of theirs, and the other fields.
  const maxBodyBytes = bodyBytesFor(wiki.store.config.limits.source)
  return formOf(await readForm({ event, writer: null, maxBodyBytes }), new Map())
}

/**
 * Reads a form that may contain a file. Errors: rest-resource-limit-exceeded for a form larger than the largest file and its
 * description, and those of `readFormWithFiles`.
 */
export async function readUploadForm(request: WebRequest): Promise<Form> {
  const { event, words } = request
  try {
    const { fields, files } = await readFormWithFiles({
      event,
      writer: null,
      maxBodyBytes: uploadBytes + formBytes,
    })
    return formOf(fields, files)
  } catch (error) {
    if (!isWikiError(error, 'rest-body-too-large')) throw error
    throw new WikiError('rest-resource-limit-exceeded', {
      params: [words.text('fileToUpload'), `${largestUpload(request)} bytes`],
    })
  }
}

/**
 * Maximum UTF-16 units of a field other than a source. Browsers send fewer, by the `maxlength` of the field; without a limit, showing the form
 * again would take long.
 */
const longestField = 20_000

async function formOf(fields: Body, files: ReadonlyMap<string, FormFile>): Promise<Form> {
  const textOf = (name: string, longest: number): string => {
    const value = Object.hasOwn(fields, name) ? fields[name] : ''
    return typeof value === 'string' ? wellFormedAtOnce(value.slice(0, longest)).replaceAll('\r\n', '\n') : ''
  }
  const sources = new Map<string, string>()
  for (const [name, value] of Object.entries(fields))
    if (typeof value === 'string' && isLong(value)) sources.set(name, await withLineFeeds(await wellFormed(value)))
  const text = (name: string): string => textOf(name, longestField)
  return {
    source: name => {
      const source = sources.get(name) ?? textOf(name, Number.POSITIVE_INFINITY)
      sources.set(name, source)
      return source
    },
    text,
    isChecked: name => text(name) !== '',
    id: name => (/^\d{1,15}$/.test(text(name)) ? Number(text(name)) : 0),
    file: name => files.get(name) ?? null,
  }
}

/** The sender of a form. */
export interface Sender {
  readonly writer: Writer
  /**
   * Begins the session of a user who sent a token with the form, and returns the header with its cookie. Call it after
   * the action has succeeded: an error response would create a session that nobody uses.
   */
  readonly sessionHeaders: () => Readonly<Record<string, string>>
}

/**
 * Identifies the sender of a form that needs a scope: by a token in the form, by a session, or as an anonymous user if
 * the wiki allows that. A form submitted by another site is refused before anything is written.
 *
 * Errors: rest-cross-origin-anon-write, rest-write-denied, apierror-permissiondenied, wiki-login-required,
 * wiki-unknown-token, rest-badtoken, apierror-ratelimited.
 */
export async function senderOf(request: WebRequest, form: Form, needed: Scope): Promise<Sender> {
  const { access, client, options } = request
  const { headers } = request.event.req
  checkOrigin(headers, client)
  checkSite(headers)
  if (options.readOnly === true) throw new WikiError('rest-write-denied')
  const login = form.text('login').trim()
  if (login !== '') {
    const user = findUser(access, login, client)
    return { writer: { ...writerOf(user, needed), csrf: null }, sessionHeaders: () => beginSession(request, user.id) }
  }
  const writer = await findWriter(access, headers, client, { ...options, needed })
  if (writer.csrf !== null && !isSameSecret(form.text('token'), writer.csrf.token)) throw new WikiError('rest-badtoken')
  return { writer, sessionHeaders: () => ({}) }
}

/**
 * Returns true if the caller may change settings and tokens: by the link that the server printed, or by an admin's
 * token.
 */
export function isAdmin({ access, event }: WebRequest): boolean {
  const session = findSession(access, event.req.headers)
  return session !== null && covers(session.user.scopes, 'admin')
}

/** Identifies the admin who sent a form. Errors: those of `senderOf`. */
export async function adminOf(request: WebRequest, form: Form): Promise<Sender> {
  const sender = await senderOf(request, form, 'admin')
  // Anonymous users may only edit pages.
  if (form.text('login').trim() === '' && !isAdmin(request)) throw new WikiError('wiki-login-required')
  return sender
}

/** Refuses a form if the browser says that it comes from another site. Source: Fetch Metadata. */
export function checkSite(headers: Headers): void {
  const site = headers.get('sec-fetch-site')
  if (site !== null && site !== 'same-origin' && site !== 'none') throw new WikiError('rest-cross-origin-anon-write')
}

/** Begins a session and returns the header with its cookie. The browser's previous session ends. */
export function beginSession({ access, client, event }: WebRequest, owner: string): Record<string, string> {
  const before = findSession(access, event.req.headers)
  if (before !== null) access.sessions.end(before.id)
  const id = access.sessions.begin(owner, event.req.headers.get('user-agent') ?? '')
  return { 'set-cookie': cookieHeader(access.wiki, client, id, sessionSeconds) }
}

/** Writes the part of a form that identifies its sender: the session's token, or a field for an access token. */
export function senderFields({ access, event, options, wiki, words, client }: WebRequest): Markup {
  const session = findSession(access, event.req.headers)
  if (session !== null) {
    return sender(
      html`<input type="hidden" name="token" value="${session.csrfToken}"><p class="meta">${words.say('youEditAs', html`<bdi>${session.user.name}</bdi>`)}</p>`,
    )
  }
  const elsewhere = html`<a href="${specialAddress('UserLogin')}" target="_blank">${words.say('signInElsewhere')}</a>`
  const login = html`<label>${words.say('accessToken')} <input type="password" name="login" autocomplete="current-password" spellcheck="false"></label><p>${elsewhere}</p>`
  if (options.allowAnonymous !== true && !wiki.store.config.anonymousEdits)
    return sender(html`<div class="notice">${words.say('signInToSave')}${login}</div>`)
  return sender(
    html`<input type="hidden" name="token" value="${anonymousToken}"><div class="notice">${words.say('addressPublic', client.address)}<details><summary>${words.say('signIn')}</summary>${login}</details></div>`,
  )
}

/** Scripts find this part by its class, and replace it with a newer page's after a session has ended. */
function sender(fields: Markup): Markup {
  return html`<div class="sender">${fields}</div>`
}

/**
 * Responds to a form whose text is saved. A browser is redirected. A script gets JSON, which cannot be confused with an
 * error page or a proxy's sign-in page.
 */
export function savedReply(
  { event }: WebRequest,
  address: string,
  headers: Readonly<Record<string, string>>,
  fields: Readonly<Record<string, string | number>> = {},
): WebReply {
  if (event.req.headers.get('accept') !== 'application/json') return redirectReply(303, address, { ...headers })
  const body = JSON.stringify({ saved: address, ...fields })
  const own = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }
  return { response: { status: 200, headers: { ...own, ...headers }, body } }
}

/** The message above a form that is shown again, and the status of the response. */
export interface FormFault {
  readonly sentence: Markup
  readonly status: number
  /** When to try again, if that helps. */
  readonly headers: Readonly<Record<string, string>>
}

/** Describes a form's error. An internal error is recorded, and the user learns only that there was one. */
export function formFault(request: WebRequest, thrown: unknown): FormFault {
  if (isWikiError(thrown))
    return { sentence: formError(request, thrown), status: thrown.status, headers: retryHeaders(thrown) }
  request.onFault(thrown)
  return { sentence: html`${request.words.say('faultSentence')} <code>${request.id}</code>`, status: 500, headers: {} }
}

/** Formats the error of a form that is shown again. */
export function formError({ words, access, event }: WebRequest, error: WikiError): Markup {
  // The form shown again has the token of the new session.
  if (error.code === 'rest-badtoken')
    return words.say(findSession(access, event.req.headers) === null ? 'sessionEnded' : 'signedInSince')
  if (error.code === 'wiki-login-required') return words.say('signInToSave')
  return errorSentence(words.language, error)
}
