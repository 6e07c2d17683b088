/**
 * Proofs that the user of a session was there a moment ago. The rights of the owner need one beside the cookie, which the browser
 * sends by itself. A page gets it after a token or a sign-in link was entered, and passes it on in its forms; no request with the
 * cookie alone returns it. Source: docs/authentication.md#what-the-owner-proves.
 */

import { createHmac } from 'node:crypto'
import { isSameSecret } from './sessions.ts'

/** Milliseconds for which a proof is valid. */
const proofMilliseconds = 10 * 60 * 1000

/** Makes a proof for a session, valid on the server with this key. It looks like a token, so that logs leave it out. */
export function proofFor(key: Buffer, session: string, now = Date.now()): string {
  return signed(key, session, (now + proofMilliseconds).toString(36))
}

/** Returns true for a proof of this session that is still valid. */
export function isProof(key: Buffer, session: string, proof: string, now = Date.now()): boolean {
  const [, end = ''] = /^wiki_([\da-z]{1,11})_/.exec(proof) ?? []
  return Number.parseInt(end, 36) > now && isSameSecret(proof, signed(key, session, end))
}

function signed(key: Buffer, session: string, end: string): string {
  return `wiki_${end}_${createHmac('sha256', key).update(`${end} ${session}`).digest('base64url')}`
}
