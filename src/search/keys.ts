/** The keys under which the index files a text. */

import { adjoins, listTokens, type Token } from './tokens.ts'

/** What joins the parts of an identifier: `bip-0032`, `OP_CHECKSIG`, `wiki.json`. */
const joints = new Set(['-', '_', '.'])

const letters = /^[\p{L}\p{M}]+$/u

/** Longer rows of parts are no identifiers, only their parts are found. */
const mostParts = 6

/**
 * Lists the keys of a text, one for each occurrence: a word as it is and, where it has accents, without them as well; a
 * sign, and the sign together with the one behind it; an identifier of several parts as a whole beside its parts.
 */
export function listKeys(text: string): string[] {
  const keys: string[] = []
  const run: Token[] = []
  let before: Token | null = null
  for (const token of listTokens(text)) {
    if (before !== null && adjoins(before, token)) keys.push(before.word + token.word)
    before = token
    if (!continues(run, token, text)) pushIdentifiers(run.splice(0), text, keys)
    run.push(token)
    keys.push(token.word)
    if (token.plain !== token.word) keys.push(token.plain)
  }
  pushIdentifiers(run, text, keys)
  return keys
}

/** True where a token is joined to the last one of a run of parts. */
export function continues(run: readonly Token[], token: Token, text: string): boolean {
  const last = run.at(-1)
  if (last === undefined || last.sign || token.sign) return false
  return token.start === last.end + 1 && joints.has(text[last.end]!)
}

/** Gives the key of an identifier of several parts, whatever joins them; null where it is none. */
export function identifierKey(run: readonly Token[]): string | null {
  if (run.length < 2 || run.length > mostParts) return null
  return run.map(token => token.plain).join('-')
}

/** Gives the key of an identifier of two parts without its joint: `bip-0032` is also written BIP32, `multi-sig` multisig. */
export function compactKey(run: readonly Token[], text: string): string | null {
  if (run.length !== 2) return null
  const [first, second] = [run[0]!.plain, run[1]!.plain]
  if (text[run[0]!.end] === '.' && letters.test(second)) return null
  return compactWords(first, second)
}

/** Makes one word of two, the second without the zeros before a number; null where that is none. */
export function compactWords(first: string, second: string): string | null {
  if (/^\d+$/.test(second)) return /\d$/.test(first) ? null : first + second.replace(/^0+(?=\d)/, '')
  return letters.test(first) && letters.test(second) ? first + second : null
}

function pushIdentifiers(run: readonly Token[], text: string, keys: string[]): void {
  const whole = identifierKey(run)
  const compact = compactKey(run, text)
  if (whole !== null) keys.push(whole)
  if (compact !== null) keys.push(compact)
}
