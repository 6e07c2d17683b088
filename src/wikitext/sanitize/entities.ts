/** Character references: `&eacute;`, `&#233;`, `&#xE9;`. */

import { parseFragment } from 'parse5'

/** Replaces a reference to a code point that HTML forbids. */
const replacement = '\ufffd'

/** MediaWiki's own names, in addition to those of HTML. */
const ownNames: Readonly<Record<string, string>> = { רלמ: '\u200f', رلم: '\u200f' }

const reference = /&(?:#(?:[xX]([0-9A-Fa-f]+)|([0-9]+))|([A-Za-z][A-Za-z0-9]{1,31}|רלמ|رلم));/g

/** Cache of characters by existing name: at most the 2,125 of HTML. */
const cache = new Map<string, string>()

/**
 * Decodes every character reference. Names are HTML's and need their semicolon; the number of an invalid character becomes
 * U+FFFD; other text stays unchanged.
 *
 * Source: MediaWiki Sanitizer::decodeCharReferences.
 */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(reference, (source, hexadecimal?: string, decimal?: string, name?: string) => {
    if (name !== undefined) return decodeName(name) ?? source
    return decodeNumber(hexadecimal ?? decimal!, hexadecimal === undefined ? 10 : 16)
  })
}

/** Decodes one reference with its `&` and `;`; null if it is none. */
export function decodeEntity(source: string): string | null {
  const decoded = decodeEntities(source)
  return decoded === source ? null : decoded
}

function decodeNumber(digits: string, radix: 10 | 16): string {
  const significant = digits.replace(/^0+/, '')
  const code = significant.length > 8 ? Number.NaN : Number.parseInt(significant, radix)
  return isCharacter(code) ? String.fromCodePoint(code) : replacement
}

/** Returns true if a code point may be referred to. Source: HTML, "character reference state"; XML, production Char. */
function isCharacter(code: number): boolean {
  if (code < 0x7f) return code === 0x09 || code === 0x0a || code >= 0x20
  return (code >= 0xa0 && code <= 0xd7ff) || (code >= 0xe000 && code <= 0xfffd) || (code >= 0x10000 && code <= 0x10ffff)
}

function decodeName(name: string): string | undefined {
  if (Object.hasOwn(ownNames, name)) return ownNames[name]
  const cached = cache.get(name)
  if (cached !== undefined) return cached
  const decoded = lookUp(name)
  if (decoded !== undefined) cache.set(name, decoded)
  return decoded
}

/** Asks parse5, which has HTML's table. parse5 also reads `&notit;` as `&not` and `it;`, which is not a name. */
function lookUp(name: string): string | undefined {
  const [node] = parseFragment(`&${name};`).childNodes
  const text = node !== undefined && 'value' in node ? node.value : ''
  if (text.startsWith('&') && text.length > 1) return undefined
  return text.endsWith(';') && name !== 'semi' ? undefined : text
}
