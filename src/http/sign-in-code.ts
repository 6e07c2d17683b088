/**
 * The code of a sign-in link for the user at this machine. It is printed where the server was started, and valid once,
 * for ten minutes. It represents an author, not a token.
 */

import { randomBytes } from 'node:crypto'
import type { Token } from '../operations/tokens.ts'
import { isSameSecret } from './sessions.ts'

/** Milliseconds for which a code is valid. */
const codeMilliseconds = 10 * 60 * 1000

/** Owner id of such sessions in place of a token's id. No token has it, because token ids are hexadecimal. */
export const localOwner = 'local'

export interface SignInCode {
  /** The code in the link. */
  readonly code: string
  /** The user, as the owner of sessions. */
  readonly owner: Token
  /** Returns true if a code matches and is still valid. */
  readonly isGood: (code: string) => boolean
  /** Invalidates a matching code; false for any other code. */
  readonly take: (code: string) => boolean
}

/** Creates a code for an author. */
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
