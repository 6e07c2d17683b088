/** Secrets of sessions. */

import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

/**
 * Returns the CSRF token of a session, known only to clients that can read its responses. It is hexadecimal, so that no
 * form changes it.
 */
export function csrfTokenOf(sessionId: string): string {
  return createHmac('sha256', sessionId).update('csrf').digest('hex').slice(0, 40)
}

/** Compares two texts in constant time. */
export function isSameSecret(one: string, other: string): boolean {
  const [left, right] = [one, other].map(text => createHash('sha256').update(text).digest())
  return timingSafeEqual(left!, right!)
}
