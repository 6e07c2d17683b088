/** Matches the source of pages: literal texts, or regular expressions in linear time. */

import { RE2JS, RE2JSException } from 're2js'
import { WikiError } from '../../core/errors.ts'
import type { TextRange } from './match.ts'
import type { QueryFilter } from './query.ts'

/** Maximum length of a pattern. */
const longestPattern = 300

/**
 * Returns a function that lists the non-overlapping places of a text which a filter matches. A value that is not a pattern
 * matches literally, in any case.
 *
 * Errors: wiki-bad-pattern. Source: RE2's syntax, which has no backreferences and no lookaround.
 */
export function sourceMatches({ value, pattern }: QueryFilter): (text: string) => Iterable<TextRange> {
  if (pattern !== undefined) return placesOf(compile(value, pattern.ignoreCase))
  const literal = literalPattern(value)
  return function* (text) {
    for (const { 0: match, index } of text.matchAll(literal)) yield { start: index, end: index + match.length }
  }
}

/**
 * Returns the first places of a text that filters on its source match, up to a maximum number; null if the text does not satisfy them all.
 *
 * Errors: wiki-bad-pattern.
 */
export function satisfyingPlaces(text: string, filters: readonly QueryFilter[], most: number): TextRange[] | null {
  const places: TextRange[] = []
  for (const filter of filters) {
    let isFound = false
    for (const place of sourceMatches(filter)(text)) {
      isFound = true
      if (filter.negated || places.length >= most) break
      places.push(place)
    }
    if (isFound === filter.negated) return null
  }
  return places
}

function placesOf(compiled: RE2JS): (text: string) => Iterable<TextRange> {
  return function* (text) {
    const matcher = compiled.matcher(text)
    while (matcher.find()) yield { start: matcher.start(), end: matcher.end() }
  }
}

/** A literal text is safe with the platform's regular expressions: their time is linear for it. */
function literalPattern(sought: string): RegExp {
  return new RegExp(sought.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'giu')
}

/** Search target: a case-insensitive text, or a pattern. */
export type SearchTarget = { readonly text: string } | { readonly pattern: string; readonly ignoreCase: boolean }

/**
 * Returns a function that counts the non-overlapping matches in a text and locates the first.
 *
 * Errors: wiki-bad-pattern.
 */
export function patternCounter(sought: SearchTarget): (text: string) => MatchSummary {
  return 'text' in sought ? textCounter(sought.text) : matchCounter(compile(sought.pattern, sought.ignoreCase))
}

/** Number of matches, and the range of the first. */
interface MatchSummary extends TextRange {
  readonly count: number
}

/** A text after replacement. */
export interface Replaced {
  readonly text: string
  readonly count: number
}

/** Text or pattern that is replaced. */
export interface Replaceable {
  readonly find: string
  readonly isPattern: boolean
  readonly ignoreCase: boolean
}

/**
 * Returns a function that replaces every match. In the replacement of a pattern, `$1` and `${name}` are its groups, `$&` is
 * the match and `$$` a dollar sign; the replacement of a literal text is inserted verbatim. Empty matches are skipped.
 *
 * Errors: wiki-bad-pattern, also if the replacement names a group that the pattern does not have.
 */
export function patternReplacer(
  { find, isPattern, ignoreCase }: Replaceable,
  replacement: string,
): (text: string) => Replaced {
  const compiled = compile(isPattern ? find : RE2JS.quote(find), ignoreCase)
  const pieces = isPattern ? piecesOf(compiled, find, replacement) : [replacement]
  return text => replaceMatches(text, compiled, pieces)
}

/** A part of a text, or a group by its name or number. */
type Piece = string | { readonly group: string | number }

function piecesOf(compiled: RE2JS, find: string, replacement: string): Piece[] {
  const names = compiled.namedGroups()
  return replacement.split(/(\$(?:\$|&|\d{1,2}|\{[^{}]{1,100}\}))/).map(piece => {
    if (!/^\$./.test(piece)) return piece
    if (piece === '$$') return '$'
    const name = piece === '$&' ? '0' : piece.replace(/[${}]/g, '')
    const exists = /^\d+$/.test(name) ? Number(name) <= compiled.groupCount() : Object.hasOwn(names, name)
    if (!exists) refuse(find, `it has no group ${name}, which the replacement names`)
    return { group: /^\d+$/.test(name) ? Number(name) : name }
  })
}

function replaceMatches(text: string, compiled: RE2JS, pieces: readonly Piece[]): Replaced {
  const matcher = compiled.matcher(text)
  const parts: string[] = []
  let [at, count] = [0, 0]
  while (matcher.find()) {
    if (matcher.start() === matcher.end()) continue
    const put = pieces.map(piece => (typeof piece === 'string' ? piece : (matcher.group(piece.group) ?? '')))
    parts.push(text.slice(at, matcher.start()), ...put)
    at = matcher.end()
    count++
  }
  return { text: parts.join('') + text.slice(at), count }
}

const nothing: MatchSummary = { count: 0, start: 0, end: 0 }

function textCounter(sought: string): (text: string) => MatchSummary {
  const literal = literalPattern(sought)
  return text => {
    const [first, ...others] = text.matchAll(literal)
    if (first === undefined) return nothing
    return { count: 1 + others.length, start: first.index, end: first.index + first[0].length }
  }
}

function matchCounter(compiled: RE2JS): (text: string) => MatchSummary {
  const places = placesOf(compiled)
  return text => {
    let found = nothing
    for (const { start, end } of places(text)) {
      if (start === end) continue
      found = found.count === 0 ? { count: 1, start, end } : { ...found, count: found.count + 1 }
    }
    return found
  }
}

function compile(value: string, ignoreCase: boolean): RE2JS {
  if (value.length > longestPattern) refuse(value, `it is longer than ${longestPattern} characters`)
  try {
    return RE2JS.compile(value, RE2JS.MULTILINE | (ignoreCase ? RE2JS.CASE_INSENSITIVE : 0))
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error
    return refuse(
      value,
      error.message.replace('error parsing regexp: ', '').replace('`(?m)', '`').replace('`(?im)', '`'),
    )
  }
}

function refuse(value: string, reason: string): never {
  throw new WikiError('wiki-bad-pattern', { params: [value, reason] })
}
