/**
 * Sessions of browsers: begun with a token, known by a cookie. They live in memory: who serves anew logs in anew.
 */

import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** Seconds that a session lasts. */
export const sessionSeconds = 24 * 60 * 60

/** Sessions that are kept; the oldest go first. */
const sessionLimit = 10_000

export interface Sessions {
  /** Begins a session with a token; gives the id for the cookie. */
  readonly begin: (tokenId: string) => string
  /** Id of the token that a session was begun with; null if there is no such session any more. */
  readonly tokenOf: (id: string) => string | null
  readonly end: (id: string) => void
}

/** Makes the sessions of one server. They are kept under hashes: nobody who reads the memory can take one over. */
export function createSessions(): Sessions {
  const sessions = new Map<string, { readonly tokenId: string; readonly end: number }>()
  return {
    begin: tokenId => {
      const id = randomBytes(32).toString('base64url')
      sessions.set(hashOf(id), { tokenId, end: Date.now() + sessionSeconds * 1000 })
      if (sessions.size > sessionLimit) sessions.delete(sessions.keys().next().value ?? '')
      return id
    },
    tokenOf: id => {
      const session = sessions.get(hashOf(id))
      if (session !== undefined && session.end > Date.now()) return session.tokenId
      sessions.delete(hashOf(id))
      return null
    },
    end: id => void sessions.delete(hashOf(id)),
  }
}

function hashOf(id: string): string {
  return createHash('sha256').update(id).digest('hex')
}

/** The CSRF token of a session: what only who may read our answers can know. Hexadecimal, so that no form spoils it. */
export function csrfTokenOf(sessionId: string): string {
  return createHmac('sha256', sessionId).update('csrf').digest('hex').slice(0, 40)
}

/** Compares two texts in a time that tells nothing of them. */
export function isSameSecret(one: string, other: string): boolean {
  const [left, right] = [one, other].map(text => createHash('sha256').update(text).digest())
  return timingSafeEqual(left!, right!)
}
