/**
 * The code of a sign-in link for the person at this machine: printed where the server was started, valid once and for ten
 * minutes. It stands for an author, not for a token.
 */

import { randomBytes } from 'node:crypto'
import type { Token } from '../operations/tokens.ts'
import { isSameSecret } from './sessions.ts'

/** Milliseconds for which a code is good. */
const codeMilliseconds = 10 * 60 * 1000

/** Id of the session's owner instead of a token's. No token has it: theirs are hexadecimal. */
export const localOwner = 'local'

export interface SignInCode {
  /** The code, as a link has it. */
  readonly code: string
  /** The person as the owner of sessions. */
  readonly owner: Token
  /** Returns true if a code is this one and still good. */
  readonly isGood: (code: string) => boolean
  /** Uses a good code up; false for another one. */
  readonly take: (code: string) => boolean
}

/** Makes a code for an author. */
export function createSignInCode(
  author: { readonly name: string; readonly address: string },
  now: () => number = Date.now,
): SignInCode {
  const code = `wiki_${randomBytes(24).toString('base64url')}`
  const end = now() + codeMilliseconds
  let isUsed = false
  const isGood = (given: string): boolean => isSameSecret(given, code) && !isUsed && now() < end
  return {
    code,
    owner: {
      id: localOwner,
      ...author,
      bot: false,
      scopes: ['admin'],
      created: new Date(now()).toISOString(),
      expires: null,
    },
    isGood,
    take: given => {
      if (!isGood(given)) return false
      isUsed = true
      return true
    },
  }
}
