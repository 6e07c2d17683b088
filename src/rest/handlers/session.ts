/** Sessions of browsers: a cookie in place of a token, which a page should not store. */

import { WikiError } from '../../core/errors.ts'
import { sessionScopes } from '../../core/scopes.ts'
import { bearerToken, beginSession, checkOrigin, endSession, findSession, findUser } from '../../http/access.ts'
import { csrfTokenOf } from '../../http/sessions.ts'
import type { Token } from '../../operations/tokens.ts'
import { readLogin } from '../body.ts'
import type { Reply, RestRequest } from './handler.ts'

/**
 * Creates a session with a token. A page of another origin may not, because it could sign the reader in as its own
 * user.
 */
export async function sessionStart(request: RestRequest): Promise<Reply> {
  const { access, client, event } = request
  checkOrigin(event.req.headers, client)
  const { token } = await readLogin(request)
  const user = findUser(access, token, client)
  const { id, cookie } = await beginSession(access, event.req.headers, client, user.id)
  return { body: sessionObject(inSession(user), csrfTokenOf(id)), headers: { 'set-cookie': cookie } }
}

/**
 * Returns the signed-in user, and the CSRF token that edits with a cookie need. Edits with a token in the header need
 * none.
 */
export async function sessionState({ access, client, event }: RestRequest): Promise<Reply> {
  const { headers } = event.req
  const bearer = bearerToken(headers)
  if (bearer !== null) return { body: sessionObject(findUser(access, bearer, client), null) }
  checkOrigin(headers, client)
  const session = findSession(access, headers)
  if (session === null) throw new WikiError('wiki-login-required')
  return { body: sessionObject(inSession(session.user), session.csrfToken) }
}

/** Ends the session if there is one. */
export async function sessionEnd(request: RestRequest): Promise<Reply> {
  const { access, client, event } = request
  checkOrigin(event.req.headers, client)
  const headers = { 'set-cookie': await endSession(access, event.req.headers, client) }
  return { status: 204, body: '', type: 'text/plain', headers }
}

function inSession(user: Token): Token {
  return { ...user, scopes: sessionScopes(user.scopes) }
}

function sessionObject({ name, bot, scopes }: Token, csrfToken: string | null): object {
  return { user: { name, bot, scopes }, csrf_token: csrfToken }
}
