/**
 * Finds the headings of a wikitext as MediaWiki's preprocessor does: in one pass over the text, with a stack of open
 * constructs. Only constructs that affect headings are parsed.
 *
 * Source: docs/reference/comparison.md#sections.
 */

import type { DiffSection } from '../core/comparison.ts'
import { byteCounter } from './lines.ts'

export interface SectionOptions {
  /** Maximum level to list, 1 to 6. The API uses four. */
  readonly maxLevel?: number
}

/** Bracket constructs by their opening: their closing, and whether they hide headings inside. */
const brackets = {
  '{': { close: '}', least: 2, most: 3, hides: true },
  '[': { close: ']', least: 2, most: 2, hides: false },
  '-{': { close: '}-', least: 2, most: 2, hides: false },
} as const

/** Tags whose content is not wikitext of the page. An unclosed start tag is text. */
const opaqueTags = ['nowiki', 'pre', 'gallery', 'indicator', 'langconvert', 'ref', 'references', 'poem', 'templatedata']

/** The opaque tag that extends to the end of the text if unclosed. */
const openEndedTag = 'includeonly'

/** Tags that are skipped while their content counts. */
const transparentTags = ['noinclude', '/noinclude', 'onlyinclude', '/onlyinclude']

const tagNames = [...opaqueTags, openEndedTag, ...transparentTags].join('|')

/** An unclosed construct: brackets, or a heading whose line has not ended. */
interface Frame {
  opener: keyof typeof brackets | 'heading'
  /** Number of unmatched opening characters; for a heading its equals signs, at most six. */
  count: number
  /** Start of the construct. */
  readonly start: number
  /** Number of headings found before it. */
  readonly headingsBefore: number
  /** True between a pipe and the first equals sign, which starts the value of a template's argument. */
  awaitsEquals: boolean
  /** True if a hyphen precedes the braces. It belongs to them if one brace remains. */
  hyphen: boolean
  /** End of the last comment in a heading, and end of the text before it and its adjacent comments. */
  commentEnd: number
  visualEnd: number
}

interface Heading {
  readonly level: number
  readonly start: number
  readonly end: number
}

/** The state of one pass. */
interface Scan {
  readonly text: string
  at: number
  readonly frames: Frame[]
  readonly headings: Heading[]
  /** False once a search found no further `>`. */
  maySeeTagEnd: boolean
  /** Names of tags without a further end tag. */
  readonly unclosedTags: Set<string>
}

/**
 * Lists the headings of a text in order, each as the source of its line. Headings inside templates, comments and tags
 * such as `nowiki` are not headings of the page. Time and memory are linear in the length of the text.
 *
 * Source: docs/reference/comparison.md#sections; MediaWiki 1.39 includes/parser/Preprocessor_Hash.php (behaviour).
 */
export function listSections(text: string, { maxLevel = 4 }: SectionOptions = {}): DiffSection[] {
  const bytesBefore = byteCounter(text)
  return findHeadings(text)
    .filter(({ level }) => level <= maxLevel)
    .map(({ level, start, end }) => ({ level, heading: text.slice(start, end), offset: bytesBefore(start) }))
}

function findHeadings(text: string): Heading[] {
  const scan: Scan = { text, at: 0, frames: [], headings: [], maySeeTagEnd: true, unclosedTags: new Set() }
  const sign = /[\n<[\]{}|=-]/g
  openHeading(scan)
  for (;;) {
    sign.lastIndex = scan.at
    if (!sign.test(text)) break
    scan.at = sign.lastIndex - 1
    readSign(scan, text[scan.at]!, scan.frames.at(-1))
  }
  scan.at = text.length
  if (scan.frames.at(-1)?.opener === 'heading') closeHeading(scan)
  return scan.headings
}

/** Parses one character that may be markup, and advances past it. */
function readSign(scan: Scan, sign: string, top: Frame | undefined): void {
  if (sign === '\n') readLineEnd(scan, top)
  else if (scan.text.startsWith('<!--', scan.at)) readComment(scan, top)
  else if (sign === '<') readTag(scan)
  else if (sign === '[' || sign === '{') openBrackets(scan, sign, scan.at)
  else if (scan.text.startsWith('-{', scan.at)) openBrackets(scan, '{', scan.at + 1)
  else if (top === undefined || !readClose(scan, top)) readArgumentSign(scan, sign, top)
}

/** Parses a pipe or an equals sign; anything else is text. */
function readArgumentSign(scan: Scan, sign: string, top: Frame | undefined): void {
  scan.at++
  if (top === undefined || top.opener === 'heading' || top.opener === '[') return
  if (sign === '|') top.awaitsEquals = true
  if (sign === '=') top.awaitsEquals = false
}

function readLineEnd(scan: Scan, top: Frame | undefined): void {
  if (top?.opener === 'heading') closeHeading(scan)
  scan.at++
  openHeading(scan)
}

/** Opens a heading if the line that starts here begins with equals signs. */
function openHeading(scan: Scan): void {
  const { text, at, frames } = scan
  const count = Math.min(6, countSign(text, '=', at))
  if (count === 0 || (count === 1 && frames.at(-1)?.awaitsEquals)) return
  frames.push(createFrame(scan, 'heading', count))
  scan.at += count
}

function createFrame({ at, headings }: Scan, opener: Frame['opener'], count: number): Frame {
  const headingsBefore = headings.length
  return { opener, count, start: at, headingsBefore, awaitsEquals: false, hyphen: false, commentEnd: -1, visualEnd: -1 }
}

/** Counts consecutive occurrences of a character. */
function countSign(text: string, sign: string, start: number, most = Number.POSITIVE_INFINITY): number {
  let count = 0
  while (count < most && text[start + count] === sign) count++
  return count
}

/** Ends the heading on top of the stack at the end of its line, and keeps it if the line ends with equals signs. */
function closeHeading(scan: Scan): void {
  const { text, at, headings } = scan
  const { start, count, headingsBefore, commentEnd, visualEnd } = scan.frames.pop()!
  let end = beforeBlanks(text, at)
  if (end === commentEnd) end = beforeBlanks(text, visualEnd)
  let closing = 0
  while (text[end - closing - 1] === '=') closing++
  const isBare = end - closing === start
  const level = isBare ? Math.min(6, Math.floor((closing - 1) / 2)) : Math.min(closing, count)
  if (level < 1) return
  headings.length = headingsBefore
  headings.push({ level, start, end: at })
}

/** Returns the start of the spaces and tabs before an offset. */
function beforeBlanks(text: string, end: number): number {
  let at = end
  while (text[at - 1] === ' ' || text[at - 1] === '\t') at--
  return at
}

function behindBlanks(text: string, start: number): number {
  let at = start
  while (text[at] === ' ' || text[at] === '\t') at++
  return at
}

/** Opens brackets. A hyphen belongs only to a single brace; before several it is remembered. */
function openBrackets(scan: Scan, sign: '[' | '{', start: number): void {
  const hyphen = start > scan.at
  const count = countSign(scan.text, sign, start)
  if (hyphen && count === 1) scan.frames.push(createFrame(scan, '-{', 2))
  else if (count >= brackets[sign].least) scan.frames.push({ ...createFrame(scan, sign, count), hyphen })
  scan.at = start + count
}

/** Closes the construct on top of the stack, or part of its brackets; returns true if anything was consumed. */
function readClose(scan: Scan, top: Frame): boolean {
  if (top.opener === 'heading') return false
  const { close, least, most, hides } = brackets[top.opener]
  if (!scan.text.startsWith(close, scan.at)) return false
  const matched = close.length > 1 ? most : countSign(scan.text, close, scan.at, Math.min(top.count, most))
  scan.at += Math.max(matched, 1)
  if (matched < least) return true
  if (hides) scan.headings.length = top.headingsBefore
  top.count -= matched
  top.awaitsEquals = false
  if (top.count === 1 && top.hyphen) {
    top.opener = '-{'
    top.count = 2
    top.hyphen = false
  }
  if (top.count < 2) scan.frames.pop()
  return true
}

/** Skips a comment, or the whole line if it contains only comments. */
function readComment(scan: Scan, top: Frame | undefined): void {
  const { text, at } = scan
  const end = commentEndAt(text, at)
  const blanks = beforeBlanks(text, at)
  const lineEnd = text[blanks - 1] === '\n' ? behindComments(text, at) : -1
  if (text[lineEnd] === '\n') {
    scan.at = lineEnd + 1
    openHeading(scan)
    return
  }
  scan.at = end < 0 ? text.length : end
  if (end < 0 || top === undefined) return
  if (top.commentEnd !== blanks) top.visualEnd = blanks
  top.commentEnd = end
}

/** Returns the end of the comment that starts here; -1 if it is not closed. */
function commentEndAt(text: string, start: number): number {
  const end = text.indexOf('-->', start + 4)
  return end < 0 ? -1 : end + 3
}

/** Returns the offset after all comments that start here, including white space between and after them. */
function behindComments(text: string, start: number): number {
  let at = start
  while (text.startsWith('<!--', at)) {
    const end = commentEndAt(text, at)
    if (end < 0) break
    at = behindBlanks(text, end)
  }
  return at
}

/** Skips a tag that hides its content, together with the content, or a tag without effect. */
function readTag(scan: Scan): void {
  const { text, at, unclosedTags } = scan
  const name = tagNameAt(text, at + 1)
  const tagEnd = name !== null && scan.maySeeTagEnd ? text.indexOf('>', at + 1 + name.length) : -1
  if (name !== null && tagEnd < 0) scan.maySeeTagEnd = false
  scan.at = tagEnd < 0 ? at + 1 : tagEnd + 1
  if (name === null || tagEnd < 0 || transparentTags.includes(name) || text[tagEnd - 1] === '/') return
  const end = unclosedTags.has(name) ? -1 : behindEndTag(text, name, scan.at)
  if (end >= 0) scan.at = end
  else if (name === openEndedTag) scan.at = text.length
  else unclosedTags.add(name)
}

function tagNameAt(text: string, start: number): string | null {
  const pattern = new RegExp(`(?:${tagNames})(?=[ \\t\\n\\v\\f\\r]|/?>)`, 'iy')
  pattern.lastIndex = start
  return pattern.exec(text)?.[0].toLowerCase() ?? null
}

function behindEndTag(text: string, name: string, start: number): number {
  const pattern = new RegExp(`</${name}[ \\t\\n\\v\\f\\r]*>`, 'gi')
  pattern.lastIndex = start
  return pattern.test(text) ? pattern.lastIndex : -1
}
