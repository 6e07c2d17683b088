/** The keys of a text in the index. */

import { adjoins, listTokens, longestWord, stripAccents, type Token } from './tokens.ts'

/** Characters that join the parts of an identifier or a name: `bip-0032`, `OP_CHECKSIG`, `wiki.json`, `O’Neill`. */
const joint = /^(?:[.'’‘＇]|(?![—―⸺⸻])\p{Pd}|\p{Pc})$/u

const apostrophe = /^['’‘＇]$/

const letters = /^[\p{L}\p{M}]+$/u

/** A run of more parts is not an identifier: only its parts are keys. */
const maxParts = 6

const noKeys: readonly string[] = []

/**
 * Receives the keys of texts, one for each occurrence. A position counts words from the beginning of the page, with a gap of
 * one between texts; it is 0 for keys of several words, which have no position.
 */
export interface KeySink {
  /** A word of ASCII letters and digits as written, in any case. */
  readonly word: (text: string, start: number, end: number, place: number) => void
  readonly key: (key: string, place: number) => void
}

/**
 * Emits the keys of texts: a word, with and without its accents; a sign, alone and with the following one; an identifier as a
 * whole, besides its parts. Positions start at `first`, not 0; returns the one after the last.
 */
export function readKeys(texts: readonly string[], first: number, sink: KeySink): number {
  let place = first
  for (const text of texts) place = readText(text, place, sink) + 1
  return place
}

const tagSign = '#'.charCodeAt(0)

/** Most words are ASCII and not joined to others: they become keys without a token. */
function readText(text: string, first: number, sink: KeySink): number {
  let place = first
  for (let at = 0; at < text.length; at++) {
    if (text.charCodeAt(at) === tagSign) readTag(text, at, sink)
    const start = at
    while (unitKind(text, at) === unitKinds.word) at++
    if (unitKind(text, at) === unitKinds.other || (at > start && isJoint(text, at))) {
      at = endOfRow(text, at)
      place = readRow(text.slice(start, at), place, sink)
    } else if (at > start) {
      sink.word(text, start, Math.min(at, start + longestWord), place++)
      readShorter(text, { start, end: at }, sink)
    }
  }
  return place
}

/** Emits the additional keys of a word: a number without leading zeros, a letter with the signs after it. */
function readShorter(text: string, word: { readonly start: number; readonly end: number }, sink: KeySink): void {
  const number = unpaddedKey(text, word)
  if (number !== null) sink.key(number, 0)
  const signed = signedKey(text, word)
  if (signed !== null) sink.key(signed, 0)
}

/** People do not leave out the leading zeros of longer rows of digits. */
const maxDigits = 9

/** Returns a number without leading zeros, as people name `Bip-0341`; null for any other word. */
function unpaddedKey(text: string, { start, end }: { readonly start: number; readonly end: number }): string | null {
  if (text[start] !== '0' || end - start < 2 || end - start > maxDigits) return null
  const word = text.slice(start, end)
  return /^0+[1-9]\d*$/.test(word) ? word.replace(/^0+/, '') : null
}

/** Maximum letters of a word that may end in signs: longer words precede an anchor or a sum. */
const maxLetters = 2

/**
 * Returns the key of a short word with the signs that make it a name, such as `c++` or `f#`; null if there are none. The word
 * itself is a key as well.
 */
export function signedKey(
  text: string,
  { start, end }: { readonly start: number; readonly end: number },
): string | null {
  const [sign, next] = [text[end], text[end + 1]]
  if (end - start > maxLetters || (sign !== '#' && (sign !== '+' || next !== '+'))) return null
  const after = sign === '#' ? end + 1 : end + 2
  if (isInWord(text, after) || text[after] === '+' || text[after] === '#') return null
  const word = text.slice(start, end)
  return letters.test(word) ? word.toLowerCase() + text.slice(end, after) : null
}

/** A tag of notes, from its sign on. Source: https://help.obsidian.md/tags, "Tag format": letters, digits, `_`, `-` and `/`, not digits alone. */
const tagAt = /#(?=[\p{L}\p{M}\p{N}_/-]*[\p{L}_/-])[\p{L}\p{N}_][\p{L}\p{M}\p{N}_/-]{0,63}/uy

/** Returns the key of a text that is a tag: `#harbour/north` without case and accents; null for any other. */
export function tagKey(text: string): string | null {
  tagAt.lastIndex = 0
  const found = tagAt.exec(text)
  return found === null || found[0].length !== text.length ? null : stripAccents(text.toLowerCase()).replace(/\/+$/, '')
}

/** Emits the keys of a tag and of those that it lies in: `#harbour` for `#harbour/north`. */
function readTag(text: string, at: number, sink: KeySink): void {
  if (at > 0 && !/[\s([{,]/.test(text[at - 1]!)) return
  tagAt.lastIndex = at
  const key = tagKey(tagAt.exec(text)?.[0] ?? '')
  for (let end = key?.length ?? -1; end > 0; end = key!.lastIndexOf('/', end - 1)) sink.key(key!.slice(0, end), 0)
}

/** Kinds of code units: part of an ASCII word, possibly part of another word, possibly a joint. */
const unitKinds = { none: 0, word: 1, other: 2, joint: 3 } as const
const kindOfAscii = Uint8Array.from({ length: 128 }, (_, code) => {
  const unit = String.fromCharCode(code)
  if (joint.test(unit)) return unitKinds.joint
  return /[0-9A-Za-z]/.test(unit) ? unitKinds.word : unitKinds.none
})

function unitKind(text: string, at: number): number {
  if (at >= text.length) return unitKinds.none
  const code = text.charCodeAt(at)
  return code < kindOfAscii.length ? kindOfAscii[code]! : unitKinds.other
}

function isInWord(text: string, at: number): boolean {
  const kind = unitKind(text, at)
  return kind === unitKinds.word || kind === unitKinds.other
}

function isJoint(text: string, at: number): boolean {
  return unitKind(text, at) === unitKinds.joint && isInWord(text, at + 1)
}

/** The end of a run of words that may be joined. */
function endOfRow(text: string, from: number): number {
  let at = from
  while (isInWord(text, at) || isJoint(text, at)) at++
  return at
}

function readRow(text: string, first: number, sink: KeySink): number {
  let place = first
  const run: Token[] = []
  let before: Token | null = null
  for (const token of listTokens(text)) {
    if (before !== null && adjoins(before, token)) sink.key(before.word + token.word, 0)
    before = token
    if (!continues(run, token, text)) for (const key of identifierKeys(run.splice(0), text)) sink.key(key, 0)
    run.push(token)
    sink.key(token.word, place)
    if (token.plain !== token.word) sink.key(token.plain, place)
    readShorter(text, token, sink)
    place++
  }
  for (const key of identifierKeys(run, text)) sink.key(key, 0)
  return place
}

/** True if a token is joined to the last one of a run of parts. */
export function continues(run: readonly Token[], token: Token, text: string): boolean {
  const last = run.at(-1)
  if (last === undefined || last.sign || token.sign) return false
  return token.start === last.end + 1 && joint.test(text[last.end]!)
}

/** True if apostrophes alone join the parts: `don't`. Its words have forms, as others have. */
export function isContraction(run: readonly Token[], text: string): boolean {
  return run.length > 1 && run.slice(1).every(({ start }) => apostrophe.test(text[start - 1]!))
}

/** Returns the key of an identifier of several parts, with any separator; null if it is none. */
export function identifierKey(run: readonly Token[]): string | null {
  if (run.length < 2 || run.length > maxParts) return null
  return run.map(token => token.plain).join('-')
}

/**
 * Returns the keys of an identifier of two parts without its separator: `ESP32-C6` is also written ESP32C6, `bip-0032` bip0032 and BIP32.
 * Parts of a number, or words with a full stop between them, are not written as one.
 */
export function compactKeys(run: readonly Token[], text: string): readonly string[] {
  if (run.length !== 2) return noKeys
  const [{ plain: first, end }, { plain: second }] = run as [Token, Token]
  if (/\d$/.test(first) && /^\d/.test(second)) return noKeys
  if (text[end] === '.' && letters.test(second)) return noKeys
  const [whole, short] = [first + second, compactWords(first, second)]
  if (whole.length > longestWord) return noKeys
  return short === null || short === whole ? [whole] : [whole, short]
}

/** Joins two words, the second without leading zeros of a number; null if the result is not a word. */
export function compactWords(first: string, second: string): string | null {
  if (/^\d+$/.test(second)) return /\d$/.test(first) ? null : first + second.replace(/^0+(?=\d)/, '')
  return letters.test(first) && letters.test(second) ? first + second : null
}

function identifierKeys(run: readonly Token[], text: string): readonly string[] {
  if (run.length < 2) return noKeys
  if (isContraction(run, text)) return compactKeys(run, text)
  const key = identifierKey(run)
  return key === null ? noKeys : [key, ...compactKeys(run, text)]
}
