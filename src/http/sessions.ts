/** Secrets of sessions. */

import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

/** The CSRF token of a session: what only who may read our answers can know. Hexadecimal, so that no form spoils it. */
export function csrfTokenOf(sessionId: string): string {
  return createHmac('sha256', sessionId).update('csrf').digest('hex').slice(0, 40)
}

/** Compares two texts in a time that tells nothing of them. */
export function isSameSecret(one: string, other: string): boolean {
  const [left, right] = [one, other].map(text => createHash('sha256').update(text).digest())
  return timingSafeEqual(left!, right!)
}
