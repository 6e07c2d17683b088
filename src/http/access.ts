/**
 * Authenticates writes: by a token, by a session started with one, or anonymously if the wiki allows it. Reads need no
 * authentication.
 */

import { hash, randomBytes } from 'node:crypto'
import { WikiError } from '../core/errors.ts'
import { covers, type Scope, sessionScopes } from '../core/scopes.ts'
import { createSessions, type Sessions, sessionSeconds } from '../operations/sessions.ts'
import { openTokenBook, type Token, type TokenBook } from '../operations/tokens.ts'
import type { Wiki } from '../operations/wiki.ts'
import type { Client } from './client.ts'
import { type CountFailure, createFailureLimit } from './failure-limit.ts'
import { isSameOrigin } from './hosts.ts'
import { ownPathFor } from './own-path.ts'
import { csrfTokenOf } from './sessions.ts'
import { localOwner, type SignInCode } from './sign-in-code.ts'

/** Authentication state of one server, shared by all requests. */
export interface Access {
  readonly wiki: Wiki
  readonly tokens: TokenBook
  readonly sessions: Sessions
  readonly countFailure: CountFailure
  /** Sign-in of the user at this machine; null if there is no sign-in link. */
  readonly signIn: SignInCode | null
  /** Secret of this server, made at its start. */
  readonly key: Buffer
}

export interface AccessRules {
  /** True if anyone may edit, recorded under the IP address; false if omitted. */
  readonly allowAnonymous?: boolean
  /** True if nobody may edit, regardless of all other settings. */
  readonly readOnly?: boolean
  /** Code of the link by which the user at this machine signs in. */
  readonly signIn?: SignInCode
}

/** The author of an edit. */
export interface Writer {
  readonly author: { readonly name: string; readonly address: string; readonly isOwner: boolean }
  readonly bot: boolean
  /** The token that the body must or may contain; null if none is checked. */
  readonly csrf: { readonly token: string; readonly isRequired: boolean } | null
}

/** A session, and its owner. */
export interface Session {
  readonly id: string
  readonly user: Token
  readonly csrfToken: string
}

/** CSRF token of users without a session. Source: MediaWiki's LoggedOutEditToken. */
const anonymousCsrfToken = '+\\'

/** Prepares the access to a wiki. */
export function openAccess(wiki: Wiki, { signIn = null }: { readonly signIn?: SignInCode | null } = {}): Access {
  return {
    wiki,
    tokens: openTokenBook(wiki),
    sessions: createSessions(wiki.store.repository),
    countFailure: createFailureLimit(),
    signIn,
    key: randomBytes(32),
  }
}

/** The scope that a write needs, and the proof in its form. */
interface WriteRules extends AccessRules {
  readonly needed: Scope
  /** True if the form has a proof of the session's user. */
  readonly isProved?: boolean
}

/**
 * Returns the author of a write request that needs a scope. Anonymous edits need none. Only its owner can send an
 * access token, but any page open in the browser can make it send cookies and the IP address. These are therefore
 * accepted only from the wiki's own pages. Source: MediaWiki 1.43 CorsUtils, BasicRequestAuthorizer. Errors:
 * rest-cross-origin-anon-write, rest-write-denied, apierror-permissiondenied, wiki-proof-required, wiki-unknown-token,
 * apierror-ratelimited, wiki-login-required, wiki-bad-token-file.
 */
export async function findWriter(access: Access, headers: Headers, client: Client, rules: WriteRules): Promise<Writer> {
  const bearer = bearerToken(headers)
  if (bearer === null) checkOrigin(headers, client)
  if (rules.readOnly === true) throw new WikiError('rest-write-denied', { data: { error: 'rest-write-denied' } })
  if (bearer !== null) return { ...writerOf(findUser(access, bearer, client), rules.needed), csrf: null }
  const session = findSession(access, headers)
  if (session !== null)
    return { ...sessionWriter(session.user, rules), csrf: { token: session.csrfToken, isRequired: true } }
  if (rules.allowAnonymous !== true && !(await allowsAnonymous(access.wiki))) throw new WikiError('wiki-login-required')
  const author = { name: client.address, address: '', isOwner: false }
  return { author, bot: false, csrf: { token: anonymousCsrfToken, isRequired: false } }
}

/** The cookie alone has never the rights of the owner. */
function sessionWriter(user: Token, { needed, isProved = false }: WriteRules): Pick<Writer, 'author' | 'bot'> {
  const scopes = isProved ? user.scopes : sessionScopes(user.scopes)
  if (covers(user.scopes, needed) && !covers(scopes, needed)) throw new WikiError('wiki-proof-required')
  return writerOf({ ...user, scopes }, needed)
}

/**
 * Refuses requests from pages of another origin. Some browsers leave out `Origin`, others this header. Source: Fetch Metadata. Errors:
 * rest-cross-origin-anon-write.
 */
export function checkOrigin(headers: Headers, { host }: Client): void {
  const origin = headers.get('origin')
  const site = headers.get('sec-fetch-site') ?? 'none'
  const isOurs = (origin === null || isSameOrigin(origin, host)) && (site === 'none' || site === 'same-origin')
  if (!isOurs) throw new WikiError('rest-cross-origin-anon-write')
}

/** Returns the user of a token. Errors: wiki-unknown-token, apierror-ratelimited, wiki-bad-token-file. */
export function findUser({ tokens, countFailure }: Access, token: string, { address }: Client): Token {
  const user = tokens.find(token)
  if (user !== null) return user
  countFailure(address)
  throw new WikiError('wiki-unknown-token')
}

/** Returns the session of a request's cookie; null if it has ended. Errors: wiki-bad-token-file. */
export function findSession({ wiki, tokens, sessions, signIn }: Access, headers: Headers): Session | null {
  const id = sessionCookie(headers, wiki)
  const tokenId = id === null ? null : sessions.tokenOf(id)
  const user = tokenId === null ? null : tokenId === localOwner ? (signIn?.owner ?? null) : tokens.withId(tokenId)
  return id === null || user === null ? null : { id, user, csrfToken: csrfTokenOf(id) }
}

/** Returns true if the request comes from a user who is signed in, so that shared caches must not store its response. */
export function isSignedIn(access: Access, headers: Headers): boolean {
  try {
    const bearer = bearerToken(headers)
    return bearer === null ? findSession(access, headers) !== null : access.tokens.find(bearer) !== null
  } catch {
    // Reads work without the token file.
    return false
  }
}

/** Name of the cookie: browsers send cookies to all ports of a machine, so each wiki has its own name. */
export function cookieName({ store }: Wiki): string {
  return `wiki_session_${hash('sha256', store.repository.commonDirectory).slice(0, 8)}`
}

/** A session that has begun, and the header with its cookie. */
export interface BegunSession {
  readonly id: string
  readonly cookie: string
  /** Path below which the browser sends the cookie, without its last slash. */
  readonly prefix: string
}

/** Begins a session of the user with this token. The browser's previous session ends. */
export async function beginSession(
  access: Access,
  headers: Headers,
  client: Client,
  owner: string,
): Promise<BegunSession> {
  const before = findSession(access, headers)
  if (before !== null) await access.sessions.end(before.id)
  const id = await access.sessions.begin(owner, headers.get('user-agent') ?? '')
  const prefix = ownPathFor(client, headers, { key: access.key, owner })
  return { id, prefix, cookie: cookieHeader(access.wiki, { ...client, prefix }, id, sessionSeconds) }
}

/** Ends the session of a request, if there is one; returns the header that removes its cookie. */
export async function endSession(access: Access, headers: Headers, client: Client): Promise<string> {
  const session = findSession(access, headers)
  if (session !== null) await access.sessions.end(session.id)
  return cookieHeader(access.wiki, client, '', 0)
}

function cookieHeader(wiki: Wiki, { isSecure, prefix }: Client, value: string, seconds: number): string {
  const secure = isSecure ? '; Secure' : ''
  return `${cookieName(wiki)}=${value}; Path=${prefix}/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`
}

function sessionCookie(headers: Headers, wiki: Wiki): string | null {
  const cookies = headers.get('cookie')
  if (cookies === null) return null
  const name = cookieName(wiki)
  const found = cookies.split(';').filter(cookie => cookie.trim().startsWith(`${name}=`))
  // With two cookies, another server on this machine has set one that imitates ours.
  return found.length === 1 ? found[0]!.trim().slice(name.length + 1) : null
}

/**
 * Returns the token of `Authorization: Bearer`; "" if malformed, null if there is none. Other schemes belong to a
 * proxy.
 */
export function bearerToken(headers: Headers): string | null {
  const match = /^bearer(?:\s+(\S+))?\s*$/i.exec(headers.get('authorization') ?? '')
  if (match !== null) return match[1] ?? ''
  return /^bearer\b/i.test(headers.get('authorization') ?? '') ? '' : null
}

/** Returns the author of a token. Errors: apierror-permissiondenied if the token lacks the scope. */
export function writerOf({ name, address, bot, scopes }: Token, needed: Scope): Pick<Writer, 'author' | 'bot'> {
  if (!covers(scopes, needed)) throw new WikiError('apierror-permissiondenied', { params: [needed, scopes.join(', ')] })
  return { author: { name, address, isOwner: covers(scopes, 'admin') }, bot }
}

async function allowsAnonymous({ store }: Wiki): Promise<boolean> {
  await store.refresh()
  return store.config.anonymousEdits
}
