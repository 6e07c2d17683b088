/** Escapes text that wikitext would read as markup: a table says what is unsafe, and as little as possible is wrapped in `<nowiki>`. */

import { decodeEntity } from '../wikitext/sanitize/entities.ts'
import type { EscapePlace } from './escape-place.ts'
import { address, type Unsafe, unsafe, wordStart } from './unsafe.ts'
import { findHeadingEnd, type Span } from './unsafe-spans.ts'

function shieldReference(reference: string): string {
  const decoded = decodeEntity(reference)
  const isInvalid = decoded === '\ufffd' && !/^&#(?:x0*fffd|0*65533);$/i.test(reference)
  return decoded === null || isInvalid ? reference : `&amp;${reference.slice(1)}`
}

/** Quick test: text without any of these is safe. */
const signs = /[&[\]<|:]|''|\{[{|]|-\{|__|~~~|!!|＿＿|^[*#;=!＃-]|=(?![\s\S])|RFC|PMID|ISBN/m

/** Returns true if the text contains anything that may be markup in some position. */
export function hasSigns(text: string): boolean {
  return signs.test(text)
}

/** Escapes a text so that it is read as plain text. */
export function escapeText(text: string, place: EscapePlace): string {
  if (!hasSigns(text)) return text
  const safe = withoutReferences(text)
  const found = unsafeSpans(safe, place)
  if (found.length === 0) return safe
  let out = ''
  let at = 0
  for (const { start, end } of found) {
    out += `${safe.slice(at, start)}<nowiki>${safe.slice(start, end)}</nowiki>`
    at = end
  }
  return out + safe.slice(at)
}

function withoutReferences(text: string): string {
  const plain = text.includes('&')
    ? text.replace(/&(?:[A-Za-z0-9\u0080-\uffff]{1,32}|#[0-9]+|#[xX][0-9A-Fa-f]+);/g, shieldReference)
    : text
  return plain.includes('<') ? plain.replace(/<(\/?nowiki\s*\/?)>/gi, '&lt;$1&gt;') : plain
}

function unsafeSpans(text: string, place: EscapePlace): Span[] {
  const found: Span[] = []
  for (const rule of unsafe) {
    if (rule.sign !== undefined && !text.includes(rule.sign)) continue
    if (rule.where !== undefined && !rule.where(place)) continue
    const isJoined = rule.isFirstLine === true && found.some(({ start, end }) => text.slice(start, end).includes('\n'))
    const own = spansOf(rule, text, place, isJoined)
    if (own.length > 0 && rule.isWhole) return [{ start: 0, end: text.length }]
    if (own.length > 1 && rule.isOne) found.push({ start: own[0]!.start, end: own.at(-1)!.end })
    else for (const one of own) found.push(one)
  }
  const closing = findHeadingEnd(text, place)
  if (closing !== null) found.push(closing)
  return found.length === 0 ? found : withOpenTags(withLinks(mergeOverlaps(found), text, place), text)
}

/**
 * Joins an unclosed start tag with what follows it, up to the end of its line. Source: Parsoid, the wikitext serialiser, on
 * `<nowiki>` around several tokens.
 */
function withOpenTags(found: readonly Span[], text: string): Span[] {
  const spans: Span[] = []
  for (const one of found) {
    const last = spans.at(-1)
    if (last?.isOpen === true && !text.slice(last.end, one.start).includes('\n'))
      Object.assign(last, { end: one.end, isOpen: one.isOpen === true })
    else spans.push(one)
  }
  for (const one of spans) if (one.isOpen) one.end = lineEnd(text, one.end)
  return mergeOverlaps(spans)
}

function lineEnd(text: string, from: number): number {
  const at = text.indexOf('\n', from)
  return at === -1 ? text.length : at
}

const linkStart = new RegExp(`${address}[^\\s<>"\\[\\]]*|(?:RFC|PMID|ISBN)[ \\t\\u00a0]+[\\d\\s-]+[xX]?`, 'iuy')

const linkEnd = new RegExp(`${wordStart}(?:RFC|PMID|ISBN)[ \\t\\u00a0]+[\\d \\t\\u00a0-]+[xX]?$`, 'u')
/** Maximum length of a magic link that is searched for before a range, with the character before it. */
const longestMagic = 64

/** Extends each match over an adjacent link: `<nowiki>` would separate the link from the word beside it. */
function withLinks(found: Span[], text: string, { context }: EscapePlace): Span[] {
  if (context.link !== '' && context.link !== 'media') return found
  for (const one of found) {
    const before = text.slice(Math.max(0, one.start - longestMagic), one.start)
    one.start -= linkEnd.exec(before)?.[0].length ?? 0
    linkStart.lastIndex = one.end
    // The next link may begin right after the digits of this one.
    while (linkStart.test(text)) one.end = linkStart.lastIndex
  }
  return mergeOverlaps(found)
}

function spansOf(
  { pattern: given, patternOf, find, atLineStart, isFirstLine, shorten, unless }: Unsafe,
  text: string,
  place: EscapePlace,
  isJoined: boolean,
): Span[] {
  const one = find?.(text, place)
  const pattern = given ?? patternOf?.(place)
  const found: Span[] = one ? [one].flat() : []
  if (pattern === undefined) return found
  // `<nowiki>` joins lines into one.
  const end = isFirstLine && !isJoined ? `${text}\n`.indexOf('\n') : text.length
  pattern.lastIndex = 0
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    if (match.index >= end) break
    if (atLineStart && match.index === 0 && !place.isLineStart) continue
    if (unless?.(match[0], place)) continue
    const { length } = shorten?.(match[0]) ?? match[0]
    found.push({ start: match.index, end: match.index + length })
  }
  return found
}

function mergeOverlaps(found: Span[]): Span[] {
  const sorted = found.sort((one, other) => one.start - other.start || other.end - one.end)
  const merged: Span[] = []
  for (const one of sorted) {
    const last = merged.at(-1)
    if (last === undefined || one.start > last.end) merged.push({ ...one })
    else if (one.end >= last.end) Object.assign(last, { end: one.end, isOpen: one.isOpen === true })
  }
  return merged
}
