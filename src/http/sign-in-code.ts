/**
 * The codes of sign-in links for the user at this machine. They are printed where the server was started: one at the start, and others when
 * a page asks for one, because the user has no token. Each is valid once, for ten minutes, and represents an author.
 */

import { randomBytes } from 'node:crypto'
import type { Token } from '../operations/tokens.ts'
import { isSameSecret } from './sessions.ts'

/** Milliseconds for which a code is valid, and between two that pages ask for. */
const codeMilliseconds = 10 * 60 * 1000
const renewMilliseconds = 30 * 1000

/** Owner id of such sessions in place of a token's id. No token has it, because token ids are hexadecimal. */
export const localOwner = 'local'

export interface SignInCode {
  /** The newest code. */
  readonly code: string
  /** The user, as the owner of sessions. */
  readonly owner: Token
  /** Returns true if a code matches and is still valid. */
  readonly isGood: (code: string) => boolean
  /** Invalidates a matching code; false for any other code. */
  readonly take: (code: string) => boolean
  /** Sets the function that prints a link with the newest code. Without one, pages do not offer a new link. */
  readonly printWith: (print: (back: string) => void) => void
  readonly isPrinted: () => boolean
  /** Prints a link with a new code that leads on to a title, unless one was printed a moment ago and is still valid. Earlier codes stay valid. */
  readonly renew: (back?: string) => void
}

/** Creates the first code for an author. */
export function createSignInCode(
  author: { readonly name: string; readonly address: string },
  now: () => number = Date.now,
): SignInCode {
  /** Ends of the codes that are not used, in milliseconds since 1970; the newest is the last. */
  const codes = new Map<string, number>()
  let newest = ''
  let print: ((back: string) => void) | null = null
  const add = (): void => {
    for (const [code, end] of codes) if (end <= now()) codes.delete(code)
    newest = `wiki_${randomBytes(24).toString('base64url')}`
    codes.set(newest, now() + codeMilliseconds)
  }
  const matching = (given: string): string | undefined =>
    [...codes].find(([code, end]) => isSameSecret(given, code) && now() < end)?.[0]
  add()
  return {
    get code() {
      return newest
    },
    owner: {
      id: localOwner,
      ...author,
      bot: false,
      scopes: ['admin'],
      created: new Date(now()).toISOString(),
      expires: null,
    },
    isGood: given => matching(given) !== undefined,
    take: given => codes.delete(matching(given) ?? ''),
    printWith: given => {
      print = given
    },
    isPrinted: () => print !== null,
    renew: (back = '') => {
      if (print === null || (codes.get(newest) ?? 0) - codeMilliseconds + renewMilliseconds > now()) return
      add()
      print(back)
    },
  }
}
