/** The part of a page's text that a search result shows. Source: REST.md 11.1. */

import { listMatches, type MatchRange } from './match.ts'
import type { Query } from './query.ts'

/** Lines of an excerpt. */
const mostLines = 2
/** Characters shown before and after the last match of a line. Source: recorded answers of MediaWiki. */
const charactersBefore = 75
const charactersAfter = 76
/** Characters shown of a match: a run of signs or a phrase between symbols may be the whole text. */
const longestMatch = 150
/** Characters of the beginning that is shown where the text has no match. */
const leadLength = 150

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#039;',
}

/** A line of the text with what matches in it: ranges in order that do not overlap. */
interface MatchedLine {
  readonly start: number
  readonly end: number
  ranges: MatchRange[]
}

/**
 * Cuts the first two lines with a match out of a text: HTML of the raw text, matches in `<span class="searchmatch">`,
 * each line cut around its last match and ended by a line feed. "" where nothing in the text matches.
 */
export function excerpt(text: string, query: Query): string {
  return matchedLines(text, query)
    .map(line => renderLine(text, line))
    .join('')
}

/** Makes the excerpt of a page that only its title matches: HTML of the text's first 150 characters. */
export function leadExcerpt(text: string): string {
  const start = text.search(/\S/)
  return start < 0 ? '' : escapeHtml(text.slice(start, endBefore(text, start + leadLength))).trimEnd()
}

function matchedLines(text: string, query: Query): MatchedLine[] {
  const lines: MatchedLine[] = []
  for (const range of listMatches(text, query.parts)) {
    const line = lines.at(-1)
    if (line && range.start < line.end) addRange(line, range)
    else if (lines.length === mostLines) break
    else lines.push(lineAround(text, range))
  }
  return lines
}

function lineAround(text: string, range: MatchRange): MatchedLine {
  const feed = text.indexOf('\n', range.end)
  const end = feed < 0 ? text.length : feed
  const start = text.lastIndexOf('\n', range.start) + 1
  return { start, end: text[end - 1] === '\r' ? end - 1 : end, ranges: [range] }
}

/** Keeps no more ranges than the cut line has room for: a line may be the whole text. */
function addRange(line: MatchedLine, added: MatchRange): void {
  let { start, end } = added
  while (line.ranges.length > 0 && line.ranges.at(-1)!.end > start) {
    const overlapped = line.ranges.pop()!
    start = Math.min(start, overlapped.start)
    end = Math.max(end, overlapped.end)
  }
  if (line.ranges.push({ start, end }) > 2 * charactersBefore) line.ranges = line.ranges.slice(-charactersBefore)
}

function renderLine(text: string, line: MatchedLine): string {
  const last = line.ranges.at(-1)!
  const start = startAfter(text, Math.max(line.start, last.start - charactersBefore))
  const end = endBefore(text, Math.min(line.end, Math.min(last.end, last.start + longestMatch) + charactersAfter))
  let html = ''
  let at = start
  for (const range of line.ranges.filter(range => range.start >= start)) {
    const match = text.slice(range.start, Math.min(range.end, end))
    html += `${escapeHtml(text.slice(at, range.start))}<span class="searchmatch">${escapeHtml(match)}</span>`
    at = range.start + match.length
  }
  html += escapeHtml(text.slice(at, end))
  return `${start > line.start ? `...${html.trimStart()}` : html}\n`
}

/** The offset, moved out of a surrogate pair. */
function startAfter(text: string, offset: number): number {
  return isWithinPair(text, offset) ? offset + 1 : offset
}

/** The offset, moved out of a surrogate pair. */
function endBefore(text: string, offset: number): number {
  return isWithinPair(text, offset) ? offset - 1 : offset
}

function isWithinPair(text: string, offset: number): boolean {
  return offset > 0 && /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(offset - 1, offset + 1))
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, character => escapes[character]!)
}
