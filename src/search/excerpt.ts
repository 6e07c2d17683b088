/** The part of a page's text that a search result shows. */

import { documentText } from '../core/document-text.ts'
import { listMatches, type TextRange } from './query/match.ts'
import type { Query, QueryPart } from './query/query.ts'
import { findAddress } from './text/page-text.ts'

/** Maximum lines of an excerpt. */
const maxLines = 2
/** Characters of a line's window: the window with most of the query is shown. */
const windowLength = 100
/** Characters shown before and after the last match of a line. Source: recorded answers of MediaWiki. */
const charactersBefore = 75
const charactersAfter = 76
/** Characters that may be left out so that no word is cut. */
const longestCutWord = 30
/** Characters of the beginning, shown if the text has no match. */
const leadLength = 150
/** Characters of the parts in which a long text is read. */
const partLength = 100_000
/** Maximum matches of a line that are marked, and source matches. */
export const maxMatches = 300
/** Maximum matches of a text that are considered: a letter may occur a million times. */
const maxConsidered = 20_000
/** Weights of a word match and of a source match. */
const [wordWeight, sourceWeight] = [100, 10_000]

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#039;',
}

/** Beginning of a line that is markup rather than text. */
const markup = /^\s*(?:[|!{}<]|\[\[[^\s[\]|]+:|https?:)/i

/** A range of one line, and the share of the query in it. */
interface Passage {
  readonly lineStart: number
  readonly lineEnd: number
  readonly matches: TextRange[]
  readonly weight: number
}

/** A match of a query part, or of none for a source match. */
interface Match extends TextRange {
  readonly part: QueryPart | null
}

/**
 * Cuts the two lines with the highest density of matches out of a text, in their order: HTML of the raw text, matches in
 * `<span class="searchmatch">`, whole words, each line ended by a line feed. "" if nothing in the text matches. `places` are
 * marked as well, and precede words.
 */
export function excerpt(text: string, query: Query, places: Iterable<TextRange> = []): string {
  const steps = excerptSteps(text, query, [...first(maxMatches, places)])
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/** The same, part by part: the caller may yield to the event loop after each part of a long text. */
export function* excerptSteps(
  text: string,
  query: Query,
  places: readonly TextRange[] = [],
): Generator<void, string, undefined> {
  const best: Passage[] = []
  const left = { matches: maxConsidered }
  for (let start = 0; start < text.length; ) {
    const end = lineEnd(text, Math.min(text.length, start + partLength)) + 1
    const part = { text: text.slice(start, end), start, left }
    for (const passage of bestPassages(part.text, outsideAddresses(part.text, matchesIn(part, query, places))))
      keepBest(best, shifted(passage, start))
    start = end
    if (start < text.length) yield
  }
  return best
    .sort((a, b) => a.lineStart - b.lineStart)
    .map(passage => renderPassage(text, passage))
    .join('')
}

/** A part of a text that ends with a line, and the matches that may still be considered. */
interface Part {
  readonly text: string
  readonly start: number
  readonly left: { matches: number }
}

function shifted({ lineStart, lineEnd, matches, weight }: Passage, by: number): Passage {
  const moved = matches.map(match => ({ ...match, start: match.start + by, end: match.end + by }))
  return { lineStart: lineStart + by, lineEnd: lineEnd + by, matches: moved, weight }
}

/** Makes the excerpt of a page that only its title matches: HTML of the text's beginning. */
export function leadExcerpt(text: string): string {
  const start = text.search(/\S/)
  return start < 0 ? '' : escapeHtml(text.slice(start, wordEnd(text, start, start + leadLength))).trimEnd()
}

/** One pass over the text; only the best range of each line is kept. */
function bestPassages(text: string, matches: Iterable<Match>): Passage[] {
  const best: Passage[] = []
  let line: MatchedLine | null = null
  for (const range of matches) {
    if (line === null || range.start >= line.end) {
      keepBest(best, line?.passage ?? null)
      line = lineAround(text, range)
    }
    addMatch(line, range)
  }
  keepBest(best, line?.passage ?? null)
  return best
}

/** Matches of a query and source matches, in order of their ends. Of a place that spans several lines, the first line is marked. */
function matchesIn({ text, start, left }: Part, { parts }: Query, places: readonly TextRange[]): Iterable<Match> {
  const sought: Match[] = []
  for (const place of places) {
    const end = place.end - start
    let from = Math.max(0, place.start - start)
    while (from < end && text[from] === '\n') from++
    const stop = Math.min(end, lineEnd(text, from))
    // A place that begins in an earlier part was marked there.
    if (stop > from && from < text.length && place.start >= start) sought.push({ part: null, start: from, end: stop })
  }
  const words = considered(left, parts.length === 0 ? [] : listMatches(text, parts))
  return sought.length === 0 ? words : [...words, ...sought].sort((a, b) => a.end - b.end)
}

function* first<Item>(most: number, items: Iterable<Item>): Generator<Item, void, undefined> {
  let count = 0
  for (const item of items) {
    yield item
    if (++count >= most) return
  }
}

function* considered<Item>(left: Part['left'], items: Iterable<Item>): Generator<Item, void, undefined> {
  if (left.matches <= 0) return
  for (const item of items) {
    yield item
    if (--left.matches <= 0) return
  }
}

/** Words of web addresses are not in the index, and are not marked. */
function* outsideAddresses(text: string, matches: Iterable<Match>): Generator<Match, void, undefined> {
  let end = -1
  let address: TextRange | null = null
  for (const match of matches) {
    if (match.start > end) {
      end = lineEnd(text, match.end)
      address = findAddress(text, text.lastIndexOf('\n', match.start) + 1, end)
    }
    while (address !== null && address.end <= match.start) address = findAddress(text, address.end, end)
    if (address === null || match.start < address.start || match.part === null) yield match
  }
}

function lineEnd(text: string, at: number): number {
  const feed = text.indexOf('\n', at)
  return feed < 0 ? text.length : feed
}

/** A line being read: its last matches and its best range so far. */
interface MatchedLine {
  readonly start: number
  readonly end: number
  /** Subtracted from the weight of probable markup. */
  readonly handicap: number
  readonly recent: Match[]
  readonly parts: Map<QueryPart | null, number>
  passage: Passage | null
}

/** Adds a match to a line's score: distinct query parts count most, then the number of matches. */
function addMatch(line: MatchedLine, range: Match): void {
  const { recent, parts } = line
  recent.push(range)
  parts.set(range.part, (parts.get(range.part) ?? 0) + 1)
  while (recent.length > 1 && recent[0]!.start <= range.end - windowLength) forget(recent.shift()!, parts)
  const weight =
    parts.size * wordWeight + (parts.has(null) ? sourceWeight : 0) + Math.min(recent.length, 9) - line.handicap
  const { passage } = line
  if (passage === null || weight > passage.weight) {
    line.passage = { lineStart: line.start, lineEnd: line.end, matches: [...recent], weight }
  } else if (
    range.start < passage.matches[0]!.start + windowLength + charactersAfter &&
    passage.matches.length < maxMatches
  ) {
    passage.matches.push(range)
  }
}

function forget({ part }: Match, parts: Map<QueryPart | null, number>): void {
  const left = parts.get(part)! - 1
  if (left === 0) parts.delete(part)
  else parts.set(part, left)
}

function keepBest(best: Passage[], passage: Passage | null): void {
  if (passage === null) return
  best.push(passage)
  if (best.length <= maxLines) return
  let least = 0
  for (const [at, { weight }] of best.entries()) if (weight <= best[least]!.weight) least = at
  best.splice(least, 1)
}

function lineAround(text: string, range: TextRange): MatchedLine {
  const end = lineEnd(text, range.end)
  const start = text.lastIndexOf('\n', range.start) + 1
  const handicap = markup.test(text.slice(start, start + 40)) ? 1_000 : 0
  const shown = text[end - 1] === '\r' ? end - 1 : end
  return { start, end: shown, handicap, recent: [], parts: new Map(), passage: null }
}

function renderPassage(text: string, { lineStart, lineEnd, matches }: Passage): string {
  const ranges = joinRanges(matches)
  const first = ranges[0]!
  const last = ranges.findLast(({ end }) => end <= first.start + windowLength) ?? first
  const begin = Math.min(first.start, Math.max(lineStart, last.start - charactersBefore))
  const start = wordStart(text, begin, lineStart, first.start)
  const lastEnd = Math.min(last.end, last.start + windowLength)
  const end = wordEnd(text, lastEnd, Math.min(lineEnd, lastEnd + charactersAfter))
  let html = ''
  let at = start
  for (const range of ranges.filter(({ start }) => start < end)) {
    const stop = Math.min(range.end, end)
    html += `${escapeHtml(text.slice(at, range.start))}<span class="searchmatch">${escapeHtml(text.slice(range.start, stop))}</span>`
    at = stop
  }
  html += escapeHtml(text.slice(at, end))
  return `${start > lineStart ? `...${html.trimStart()}` : html}\n`
}

/** Ranges in order that do not overlap. */
function joinRanges(matches: readonly TextRange[]): { start: number; end: number }[] {
  const joined: { start: number; end: number }[] = []
  for (const { start, end } of matches.toSorted((a, b) => a.start - b.start)) {
    const last = joined.at(-1)
    if (last !== undefined && start < last.end) last.end = Math.max(last.end, end)
    else joined.push({ start, end })
  }
  return joined
}

/** Moves an offset inside a word to the start of the next word. */
function wordStart(text: string, offset: number, least: number, most: number): number {
  if (offset <= least) return least
  if (offset === most) return offset
  for (let at = offset; at < Math.min(most, offset + longestCutWord); at++) if (/\s/.test(text[at - 1]!)) return at
  return isWithinPair(text, offset) ? offset + 1 : offset
}

/** Moves an offset inside a word to the end of the word before. */
function wordEnd(text: string, least: number, offset: number): number {
  if (offset >= text.length || /\s/.test(text[offset]!)) return Math.min(offset, text.length)
  for (let at = offset; at > Math.max(least, offset - longestCutWord); at--) if (/\s/.test(text[at - 1]!)) return at - 1
  return isWithinPair(text, offset) ? offset - 1 : offset
}

function isWithinPair(text: string, offset: number): boolean {
  return offset > 0 && /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(offset - 1, offset + 1))
}

function escapeHtml(text: string): string {
  return documentText(text).replace(/[&<>"']/g, character => escapes[character]!)
}
