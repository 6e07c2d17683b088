/**
 * Access tokens: created for a person or a program, shown once, stored as hashes. A plain SHA-256 suffices, because a
 * token has 256 random bits; only a password would need a slow hash.
 */

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { isIP } from 'node:net'
import { WikiError } from '../core/errors.ts'
import { isScopeList, type Scope, scopeNames, usualScopes } from '../core/scopes.ts'
import {
  changeTokens,
  readTokens,
  type StoredToken,
  tokenFileState,
  tokenLimit,
} from '../store/repository/token-file.ts'
import { failure } from './resources/params.ts'
import type { Wiki } from './wiki.ts'

/** A token in lists, without its secret. */
export type Token = Omit<StoredToken, 'hash' | 'scopes'> & { readonly scopes: readonly Scope[] }

/** A new token, with the secret that is shown only once. */
export interface NewToken extends Token {
  readonly token: string
}

export interface CreateTokenRequest {
  /** Author name of edits made with the token. */
  readonly name: string
  /** E-mail address of the author; none if omitted. */
  readonly address?: string | undefined
  /** True if its edits are a bot's. */
  readonly bot?: boolean | undefined
  /** Distinct scope names; `usualScopes` if omitted. */
  readonly scopes?: readonly string[] | undefined
  /**
   * A date, `2027-01-31` or `2027-01-31T12:00:00Z`, or days, `90d`. If omitted, the token is valid until it is revoked.
   */
  readonly expires?: string | undefined
}

/** Creates a token. Errors: badvalue, wiki-locked, wiki-bad-token-file. */
export async function createToken({ store }: Wiki, request: CreateTokenRequest): Promise<NewToken> {
  const token = `wiki_${randomBytes(32).toString('base64url')}`
  const entry: Token = {
    id: randomBytes(4).toString('hex'),
    name: authorName(request.name),
    address: authorAddress(request.address ?? ''),
    bot: request.bot === true,
    scopes: scopesOf(request.scopes),
    created: new Date().toISOString(),
    expires: request.expires === undefined ? null : expiry(request.expires),
  }
  await changeTokens(store.repository, tokens => {
    const inForce = tokens.filter(isInForce)
    if (inForce.length >= tokenLimit) throw badValue('name', entry.name, `There are ${tokenLimit} tokens already`)
    return [...inForce, { ...entry, hash: hashOf(token).toString('hex') }]
  })
  return { ...entry, token }
}

/** Lists the tokens, oldest first, including expired ones. Errors: wiki-bad-token-file. */
export async function listTokens({ store }: Wiki): Promise<{ readonly tokens: readonly Token[] }> {
  return { tokens: readTokens(store.repository).map(shown) }
}

/** Revokes a token and returns its description. Errors: wiki-nonexistent-token, wiki-locked, wiki-bad-token-file. */
export async function revokeToken({ store }: Wiki, id: string): Promise<Token> {
  let revoked: StoredToken | undefined
  await changeTokens(store.repository, tokens => {
    revoked = tokens.find(token => token.id === id)
    if (revoked === undefined) throw new WikiError('wiki-nonexistent-token', { params: [id], hint: 'wiki token list' })
    return tokens.filter(token => token !== revoked)
  })
  return shown(revoked!)
}

/** Valid tokens. A change of the file takes effect at the next look-up. */
export interface TokenBook {
  /** Returns the token with this secret; null if none is valid. Errors: wiki-bad-token-file. */
  readonly find: (token: string) => Token | null
  /** Returns the token with this id, while it is valid. Errors: wiki-bad-token-file. */
  readonly withId: (id: string) => Token | null
}

/** Opens a wiki's tokens for a server. Nothing is read before the first lookup. */
export function openTokenBook({ store }: Wiki): TokenBook {
  let state: string | undefined
  let tokens: readonly { readonly token: StoredToken; readonly hash: Buffer }[] = []
  const current = () => {
    const { repository } = store
    const now = tokenFileState(repository)
    if (now !== state) {
      tokens = readTokens(repository).map(token => ({ token, hash: Buffer.from(token.hash, 'hex') }))
      state = now
    }
    return tokens.filter(({ token }) => isInForce(token))
  }
  return {
    find: token => {
      const presented = hashOf(token)
      // All of them are compared, each in constant time, so that the duration reveals nothing.
      const found = current().filter(({ hash }) => timingSafeEqual(hash, presented))
      return found[0] === undefined ? null : shown(found[0].token)
    },
    withId: id => {
      const found = current().find(({ token }) => token.id === id)
      return found === undefined ? null : shown(found.token)
    },
  }
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

function isInForce({ expires }: StoredToken): boolean {
  return expires === null || Date.parse(expires) > Date.now()
}

function shown({ id, name, address, bot, scopes = usualScopes, created, expires }: StoredToken): Token {
  return { id, name, address, bot, scopes, created, expires }
}

function scopesOf(names: readonly string[] | undefined): readonly Scope[] {
  if (names === undefined) return usualScopes
  if (isScopeList(names)) return scopeNames.filter(name => names.includes(name))
  throw badValue('scope', names.join(','), `Scopes are ${scopeNames.join(', ')}, each once`)
}

/** An IP address as a name would make its edits look anonymous. */
function authorName(text: string): string {
  const name = text.trim()
  const isName = /^[^<>\p{Cc}\p{Surrogate}]{1,255}$/u.test(name) && isIP(name) === 0
  if (!isName) throw badValue('name', text, 'A name has no < and >, and is no IP address')
  return name
}

function authorAddress(text: string): string {
  if (/^[^<>\s\p{Cc}\p{Surrogate}]{0,320}$/u.test(text)) return text
  throw badValue('email', text, 'An address is like ada@example.org')
}

const day = 24 * 60 * 60 * 1000
const dateForm = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d)?Z)?$/

function expiry(text: string): string {
  const days = /^(\d{1,5})d$/.exec(text)?.[1]
  const time =
    days !== undefined ? Date.now() + Number(days) * day : dateForm.test(text) ? Date.parse(text) : Number.NaN
  if (time > Date.now()) return new Date(time).toISOString()
  throw badValue('expires', text, 'Give a day to come, 2027-01-31, or a number of days, 90d')
}

function badValue(name: string, value: string, hint: string): WikiError {
  return new WikiError('badvalue', { params: [name, value], hint, data: failure(name, value, 'badvalue', []) })
}
