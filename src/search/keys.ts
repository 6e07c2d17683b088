/** The keys under which the index files a text. */

import { adjoins, listTokens, type Token } from './tokens.ts'

/** The marks of a sign's key; neither is part of any word. */
const signStart = '~'
const signEnd = '!'

/** A UTF-16 unit of a sign takes three characters of 64 each: MiniSearch reads all siblings of a tree node in turn. */
const unitWidth = 3
const firstDigit = 0x30

/**
 * Lists the keys of a text, one for each occurrence: a word as it is and, where it has accents, without them as well;
 * a sign together with the sign behind it. So a run of n signs has n keys, and one sign is found as their beginning.
 */
export function listKeys(text: string): string[] {
  const keys: string[] = []
  let sign: Token | null = null
  for (const token of listTokens(text)) {
    if (sign !== null) keys.push(signKey(sign.word, adjoins(sign, token) ? token.word : ''))
    sign = token.sign ? token : null
    if (token.sign) continue
    keys.push(token.word)
    if (token.plain !== token.word) keys.push(token.plain)
  }
  if (sign !== null) keys.push(signKey(sign.word, ''))
  return keys
}

/** Makes the key of a sign and the one behind it; with "" for the latter, what all keys of the sign begin with. */
export function signKey(sign: string, next: string): string {
  return signStart + packSign(sign) + signEnd + packSign(next)
}

/** True for the key of a sign, false for a word. */
export function isSignKey(key: string): boolean {
  return key.startsWith(signStart)
}

/** Makes the word or signs out of a key again. */
export function textOfKey(key: string): string {
  return isSignKey(key) ? key.slice(1).split(signEnd).map(unpackSign).join('') : key
}

function packSign(sign: string): string {
  let packed = ''
  for (let at = 0; at < sign.length; at++) {
    const unit = sign.charCodeAt(at)
    packed += String.fromCharCode(firstDigit + (unit >> 12), firstDigit + ((unit >> 6) & 63), firstDigit + (unit & 63))
  }
  return packed
}

function unpackSign(packed: string): string {
  let sign = ''
  for (let at = 0; at < packed.length; at += unitWidth) {
    const [high, middle, low] = [0, 1, 2].map(digit => packed.charCodeAt(at + digit) - firstDigit) as [
      number,
      number,
      number,
    ]
    sign += String.fromCharCode((high << 12) | (middle << 6) | low)
  }
  return sign
}
