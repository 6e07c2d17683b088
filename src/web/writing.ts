/** Forms that change the wiki: their fields, and their senders. */

import { isWikiError, WikiError } from '../core/errors.ts'
import { covers, type Scope } from '../core/scopes.ts'
import {
  type BegunSession,
  bearerToken,
  beginSession,
  checkOrigin,
  findSession,
  findUser,
  findWriter,
  type Writer,
  writerOf,
} from '../http/access.ts'
import type { FormFile } from '../http/form.ts'
import { isProof, proofFor } from '../http/proof.ts'
import { type Body, bodyBytesFor, readForm, readFormWithFiles, shortBodyBytes } from '../http/read-body.ts'
import { retryHeaders } from '../http/retry-after.ts'
import { isSameSecret } from '../http/sessions.ts'
import type { Token } from '../operations/tokens.ts'
import { isLong, wellFormed, wellFormedAtOnce, withLineFeeds } from '../operations/workers/long-text.ts'
import { specialAddress, urlPrefix, withQuery } from './addresses.ts'
import { attributes, html, type Markup } from './markup.ts'
import { errorSentence } from './parts/error-sentence.ts'
import { notice } from './parts/notice.ts'
import { redirectReply, type WebReply, type WebRequest } from './request.ts'
import { isGuarded } from './rights.ts'

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
export async function readShortForm({ event, wiki }: WebRequest): Promise<Form> {
  return formOf(await readForm({ event, writer: null, maxBodyBytes: shortBodyBytes, wiki }), new Map())
}

/** Reads a form with sources of pages. Errors: those of `readForm`. */
export async function readSourceForm({ event, wiki }: WebRequest): Promise<Form> {
  // Both texts of a conflict between the wiki's largest pages, three bytes for each of theirs, and the other fields.
  const maxBodyBytes = bodyBytesFor(wiki.store.config.limits.source)
  return formOf(await readForm({ event, writer: null, maxBodyBytes, wiki }), new Map())
}

/**
 * Reads a form that may contain a file. Errors: rest-resource-limit-exceeded for a form larger than the largest file and its
 * description, and those of `readFormWithFiles`.
 */
export async function readUploadForm(request: WebRequest): Promise<Form> {
  const { event, wiki, words } = request
  try {
    const { fields, files } = await readFormWithFiles({
      event,
      wiki,
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
   * Begins the session of a user who sent a token with the form; null for any other. Call it after the action has succeeded: an error
   * response would create a session that nobody uses.
   */
  readonly begin: () => Promise<BegunSession | null>
}

/**
 * Identifies the sender of a form that needs a scope: by a token or a sign-in link in the form, by a session, or as an anonymous user
 * if the wiki allows that. A form submitted by another site is refused before anything is written.
 *
 * Errors: rest-cross-origin-anon-write, rest-write-denied, apierror-permissiondenied, wiki-proof-required, wiki-login-required,
 * wiki-unknown-token, rest-badtoken, apierror-ratelimited.
 */
export async function senderOf(request: WebRequest, form: Form, needed: Scope): Promise<Sender> {
  const { access, client, options } = request
  const { headers } = request.event.req
  checkOrigin(headers, client)
  if (options.readOnly === true) throw new WikiError('rest-write-denied')
  const login = form.text('login').trim()
  if (login !== '') {
    const user = userOf(request, login)
    const isSame = findSession(access, headers)?.user.id === user.id
    const begin = async () => (isSame ? null : beginSession(access, headers, client, user.id))
    return { writer: { ...writerOf(user, needed), csrf: null }, begin }
  }
  const session = bearerToken(headers) === null ? findSession(access, headers) : null
  // Before the proof: a form that was open while its user signed in again says so.
  if (session !== null) checkCsrf(form, session.csrfToken)
  const isProved = proofIn(request, form) !== ''
  const writer = await findWriter(access, headers, client, { ...options, needed, isProved })
  if (writer.csrf !== null) checkCsrf(form, writer.csrf.token)
  return { writer, begin: async () => null }
}

function checkCsrf(form: Form, token: string): void {
  if (!isSameSecret(form.text('token'), token)) throw new WikiError('rest-badtoken')
}

/**
 * Finds the user of a token, of a sign-in link or of the code in one. The code is used up. Errors: wiki-unknown-token,
 * apierror-ratelimited, wiki-bad-token-file.
 */
export function userOf({ access, client }: WebRequest, login: string): Token {
  const code = /[?&]code=(wiki_[\w-]+)/.exec(login)?.[1] ?? login
  return access.signIn?.take(code) ? access.signIn.owner : findUser(access, code, client)
}

/** Rights over settings and tokens: none, all after a proof, or all. */
export type Ownership = 'none' | 'unproved' | 'proved'

/** Returns what the caller of a page, or the sender of a form, may do as an owner. */
export function ownershipOf(request: WebRequest, form: Form | null): Ownership {
  const session = findSession(request.access, request.event.req.headers)
  if (session === null || !covers(session.user.scopes, 'admin')) return 'none'
  return proofIn(request, form) === '' ? 'unproved' : 'proved'
}

/** Returns the proof in a form, or in the URL of a page; "" if it is not a valid one. */
export function proofIn({ access, event, query }: WebRequest, form: Form | null): string {
  const proof = (form === null ? query('proof') : form.text('proof')) ?? ''
  const session = proof === '' ? null : findSession(access, event.req.headers)
  return session !== null && isProof(access.key, session.id, proof) ? proof : ''
}

/** An admin who has proved to be there. */
export interface Admin {
  readonly writer: Writer
  /** Responds to a form that has succeeded: leads to a page of the owner, which gets a new proof. */
  readonly leadTo: (address: string) => Promise<WebReply>
}

/** Identifies the admin who sent a form. Errors: those of `senderOf`. */
export async function adminOf(request: WebRequest, form: Form): Promise<Admin> {
  const { access, event } = request
  const { writer, begin } = await senderOf(request, form, 'admin')
  const session = findSession(access, event.req.headers)
  // Anonymous users may only edit pages.
  if (form.text('login').trim() === '' && session === null) throw new WikiError('wiki-login-required')
  const leadTo = async (address: string): Promise<WebReply> => {
    const begun = await begin()
    const proof = proofFor(access.key, (begun ?? session)!.id)
    return savedReply(request, withQuery(address, { proof }), begun)
  }
  return { writer, leadTo }
}

/** Writes the forms in which a signed-in admin proves to be there, by a token or a new link, to change the page with this name. */
export function proofForms(request: WebRequest, name: 'Settings' | 'Tokens'): Markup {
  const { words, access } = request
  const link =
    access.signIn?.isPrinted() === true
      ? html`<form class="action" method="post" action="${specialAddress('UserLogin')}"><input type="hidden" name="returnto" value="Special:${name}"><p>${words.say('newLinkHint')}</p>
<p class="actions"><button type="submit" name="do" value="link">${words.say('newLink')}</button></p></form>`
      : null
  return html`${notice(words.say('proofHint'))}
<form class="action" method="post" action="${specialAddress(name)}">${senderFields(request, proofField(request))}
<p class="actions"><button type="submit" name="do" value="prove" class="primary">${words.say('proveSender')}</button></p></form>${link}`
}

/** A form with other buttons, such as a preview, does not require a proof for these. */
function proofField({ words }: WebRequest, isRequired = true): Markup {
  return html`<label>${words.say('accessTokenOrLink')} <input type="password" name="login" autocomplete="current-password"${attributes({ required: isRequired })} spellcheck="false"></label>`
}

/**
 * Writes the part of a form about the page with a key that identifies its sender. An owner's session alone may not change what only
 * owners may; another page that the form changes shows only when it was sent, and is shown again.
 */
export function fieldsToWrite(request: WebRequest, key: string, isAgain = false): Markup {
  const asksProof = request.isOwner() && (isAgain || isGuarded(request, key))
  return senderFields(request, asksProof ? proofField(request, false) : null)
}

/** Writes the part of an owner's form that identifies its sender and proves it; `form` is the form that was sent, if any. */
export function ownerFields(request: WebRequest, form: Form | null): Markup {
  const proof = proofIn(request, form)
  if (proof !== '') return senderFields(request, html`<input type="hidden" name="proof" value="${proof}">`)
  return senderFields(request, ownershipOf(request, form) === 'unproved' ? proofField(request) : null)
}

/** Returns the redirect to a URL of this server, below the path of the session that has begun. */
export function redirectInto(begun: BegunSession | null, address: string): WebReply {
  return redirectReply(303, placeIn(begun, address), begun === null ? {} : { 'set-cookie': begun.cookie })
}

function placeIn(begun: BegunSession | null, address: string): string {
  return begun === null ? address : begun.prefix + address.slice(urlPrefix().length)
}

/**
 * Writes the part of a form that identifies its sender: the session's token, or a field for an access token. `proof` is the part that
 * proves who is behind a session.
 */
export function senderFields(request: WebRequest, proof: Markup | null = null): Markup {
  const { access, event, options, wiki, words, client } = request
  const session = findSession(access, event.req.headers)
  if (session !== null) {
    return sender(
      html`<input type="hidden" name="token" value="${session.csrfToken}"><p class="meta">${words.say('youEditAs', html`<bdi>${session.user.name}</bdi>`)}</p>${proof}`,
    )
  }
  const elsewhere = html`<a href="${specialAddress('UserLogin')}" target="_blank">${words.say('signInElsewhere')}</a>`
  const login = html`<label>${words.say('accessToken')} <input type="password" name="login" autocomplete="current-password" spellcheck="false"></label><p>${elsewhere}</p>`
  if (options.allowAnonymous !== true && !wiki.store.config.anonymousEdits)
    return sender(html`<div class="notice"><p>${words.say('signInToSave')}</p>${login}</div>`)
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
  begun: BegunSession | null,
  fields: Readonly<Record<string, string | number>> = {},
): WebReply {
  if (event.req.headers.get('accept') !== 'application/json') return redirectInto(begun, address)
  const body = JSON.stringify({ saved: placeIn(begun, address), ...fields })
  const own = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }
  return { response: { status: 200, headers: { ...own, ...(begun !== null && { 'set-cookie': begun.cookie }) }, body } }
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
