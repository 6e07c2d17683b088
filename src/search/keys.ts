/** The keys under which the index files a text. */

import { adjoins, listTokens, type Token } from './tokens.ts'

/** What joins the parts of an identifier: `bip-0032`, `OP_CHECKSIG`, `wiki.json`. */
const joints = new Set(['-', '_', '.'])

const letters = /^[\p{L}\p{M}]+$/u

/** Longer rows of parts are no identifiers, only their parts are found. */
const mostParts = 6

/** The keys of texts, one for each occurrence. */
export interface KeyList {
  readonly names: readonly string[]
  /**
   * Where each stands, in words from the beginning of the page on; between two texts one place is free. 0 for keys of several
   * words: none of them stands there.
   */
  readonly places: readonly number[]
  /** The place behind the last one. */
  readonly end: number
}

/**
 * Lists the keys of texts: a word as it is and, where it has accents, without them as well; a sign, and the sign together
 * with the one behind it; an identifier of several parts as a whole beside its parts. Places begin at `first`, not 0.
 */
export function listKeys(texts: readonly string[], first = 1): KeyList {
  const names: string[] = []
  const places: number[] = []
  let place = first
  for (const text of texts) {
    place = addKeys(text, names, places, place) + 1
  }
  return { names, places, end: place }
}

function addKeys(text: string, names: string[], places: number[], first: number): number {
  const add = (key: string, place: number): void => {
    names.push(key)
    places.push(place)
  }
  let place = first
  const run: Token[] = []
  let before: Token | null = null
  for (const token of listTokens(text)) {
    if (before !== null && adjoins(before, token)) add(before.word + token.word, 0)
    before = token
    if (!continues(run, token, text)) for (const key of identifierKeys(run.splice(0), text)) add(key, 0)
    run.push(token)
    add(token.word, place)
    if (token.plain !== token.word) add(token.plain, place)
    place++
  }
  for (const key of identifierKeys(run, text)) add(key, 0)
  return place
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

const noKeys: readonly string[] = []

function identifierKeys(run: readonly Token[], text: string): readonly string[] {
  if (run.length < 2) return noKeys
  return [identifierKey(run), compactKey(run, text)].filter(key => key !== null)
}
