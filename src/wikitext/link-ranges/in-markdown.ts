/** Finds the links of Markdown with a CommonMark parser. */

import type { postprocess } from 'micromark'
import { offsetsInText, withLineFeeds } from '../../core/line-ends.ts'
import { hasExpression, readExpression } from '../../links/expression.ts'
import { readFrontMatter } from '../models/front-matter.ts'
import { contentsRequest, includePrefix, silentRanges } from '../models/note-markup.ts'
import { expressionDestination } from '../models/wiki-link-rule.ts'
import { boxSyntax } from './box-syntax.ts'
import { findFrontMatterLinks } from './in-front-matter.ts'
import { findTagLinks } from './in-html.ts'
import { type FoundLinks, type LinkRange, trimmedRange } from './link-range.ts'

type Event = ReturnType<typeof postprocess>[number]

type Range = { readonly start: number; readonly end: number }

/** Maximum length of a text, and of its opening brackets: parsing takes more than linear time. */
const maxLength = 2 * 1024 * 1024
const maxBrackets = 20_000
/** Tokens that contain no `[[link]]`. */
const opaque: ReadonlySet<string> = new Set([
  ...['codeText', 'codeFenced', 'codeIndented', 'htmlFlow', 'htmlText', 'autolink'],
  ...['resource', 'definition'],
])

/** Finds the links of a page; null if it is too long. */
export async function findMarkdownLinks(page: string): Promise<FoundLinks | null> {
  if (page.length > maxLength || countOf(page, '[') > maxBrackets) return null
  const plain = withLineFeeds(page)
  const { text } = await readFrontMatter(plain)
  const base = plain.length - text.length
  const events = await eventsOf(text)
  const masks = rangesOf(events, opaque)
  const silent = silentRanges(text)
  const isSeen = freeOf(silent)
  const links = [...destinations(text, events), ...tagLinks(text, events), ...bracketLinks(text, masks)].filter(
    ({ start }) => isSeen(start),
  )
  const offsets = offsetsInText(page) ?? (offset => offset)
  const matter = base === 0 ? [] : await findFrontMatterLinks(plain)
  const moved = [
    ...matter.map(link => movedLink(link, offsets)),
    ...links.map(link => movedLink(link, offset => offsets(base + offset))),
  ]
  return { links: moved.sort((a, b) => a.start - b.start), computed: [] }
}

function countOf(text: string, sign: string): number {
  let count = 0
  for (let at = text.indexOf(sign); at !== -1; at = text.indexOf(sign, at + 1)) count++
  return count
}

function movedLink(link: LinkRange, offsets: (offset: number) => number): LinkRange {
  const second = link.second && { start: offsets(link.second.start), end: offsets(link.second.end) }
  const textAt = link.textAt === null ? null : offsets(link.textAt)
  return { ...link, start: offsets(link.start), end: offsets(link.end), textAt, second }
}

async function eventsOf(text: string): Promise<Event[]> {
  const { parse, postprocess, preprocess } = await import('micromark')
  return postprocess(
    parse({ extensions: [boxSyntax] })
      .document()
      .write(preprocess()(text, undefined, true)),
  )
}

function rangesOf(events: readonly Event[], types: ReadonlySet<string>): Range[] {
  const ranges: Range[] = []
  for (const [phase, token] of events)
    if (phase === 'enter' && types.has(token.type)) ranges.push({ start: token.start.offset, end: token.end.offset })
  return ranges
}

/** Finds the destinations of links, pictures and definitions. */
function destinations(text: string, events: readonly Event[]): LinkRange[] {
  const found: LinkRange[] = []
  let isEmbed = false
  for (const [phase, token] of events) {
    const { type, start, end } = token
    if (phase === 'exit') continue
    if (type === 'link' || type === 'image') isEmbed = type === 'image'
    else if (type === 'resourceDestinationString' || type === 'definitionDestinationString')
      found.push(destination(text, { start: start.offset, end: end.offset }, isEmbed && type[0] === 'r'))
  }
  return found
}

function destination(text: string, { start, end }: Range, isEmbed: boolean): LinkRange {
  const enclosed = text[start - 1] === '<' && text[end] === '>' ? 'angles' : 'none'
  return { form: 'path', start, end, textAt: null, second: null, enclosed, isEmbed }
}

function tagLinks(text: string, events: readonly Event[]): LinkRange[] {
  const tags = rangesOf(events, new Set(['htmlFlow', 'htmlText']))
  return tags.flatMap(({ start, end }) => findTagLinks(text.slice(start, end), start))
}

/** `[[first|second]]`; in a table the bar is escaped. The same pattern as in `wiki-link-rule.ts`, which renders it. */
const brackets = /(!?)\[\[([^[\]\n|]{1,1000})(?:\|([^[\]\n]{0,1000}))?\]\]/g
/** `![alt](picture.png =300x200)`, as in Wiki.js. */
const sizedPicture = /!\[[^\][]{0,1000}\]\(([^\s()]{1,1000})[ \t]+=\d{0,5}x\d{0,5}[ \t]*\)/g

/** `[text]({% link x.md %})`: only the rule of `wiki-link-rule.ts` reads a destination with spaces. */
const computed = new RegExp(`\\]\\(${expressionDestination}`, 'g')

function bracketLinks(text: string, masks: readonly Range[]): LinkRange[] {
  const isFree = freeOf(masks)
  const isOutsideTables = freeOf(tablesIn(text))
  const names = [...text.matchAll(brackets)]
    .filter(({ index, 2: first = '' }) => isFree(index) && !isEscaped(text, index) && !contentsRequest.test(first))
    .map(match => nameLink(match, !isOutsideTables(match.index)))
  const pictures = [...text.matchAll(sizedPicture)]
    .filter(({ index }) => isFree(index) && !isEscaped(text, index))
    .map(({ 0: whole, 1: target = '', index }) => {
      const start = index + whole.indexOf('](') + 2
      return destination(text, { start, end: start + target.length }, true)
    })
  const expressions = [...text.matchAll(computed)]
    .filter(({ index, 1: target = '' }) => isComputedPath(target) && isFree(index + 1) && !isEscaped(text, index))
    .map(({ 0: whole, 1: target = '', index }) => {
      const start = index + whole.indexOf(target)
      const isEmbed = text[text.lastIndexOf('[', index) - 1] === '!'
      return destination(text, { start, end: start + target.length }, isEmbed)
    })
  return [...names, ...pictures, ...expressions]
}

/** A reference to a heading leads to its own page. */
function isComputedPath(target: string): boolean {
  return hasExpression(target) && readExpression(target)?.target.startsWith('#') !== true
}

function nameLink(
  { 0: whole, 1: exclamation = '', 2: first = '', 3: second, index }: RegExpMatchArray,
  isInTable: boolean,
): LinkRange {
  const inner = (index ?? 0) + exclamation.length + 2
  // In a table the backslash belongs to the bar.
  const name = isInTable && second !== undefined ? first.replace(/\\$/, '') : first
  const included = includePrefix.exec(name)?.[0].length ?? 0
  const start = inner + (included || name.length - name.trimStart().length)
  const target = { start, end: inner + name.trimEnd().length }
  const secondStart = inner + first.length + 1
  const rest = second === undefined ? null : trimmedRange(second, secondStart)
  const textAt = second === undefined ? (index ?? 0) + whole.length - 2 : null
  return { form: 'name', ...target, textAt, second: rest, isEmbed: exclamation !== '' || included > 0, isInTable }
}

/** Returns a test whether an offset is outside of all ranges, which are sorted and may nest. */
function freeOf(ranges: readonly Range[]): (offset: number) => boolean {
  const outer: Range[] = []
  for (const range of ranges) if (range.start >= (outer.at(-1)?.end ?? 0)) outer.push(range)
  return offset => {
    let [low, high] = [0, outer.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (outer[middle]!.end <= offset) low = middle + 1
      else high = middle
    }
    return low === outer.length || outer[low]!.start > offset
  }
}

function isEscaped(text: string, offset: number): boolean {
  let count = 0
  while (text[offset - 1 - count] === '\\') count++
  return count % 2 === 1
}

/** Maximum length of a delimiter row, UTF-16 units. */
const longestDelimiterRow = 2000

/**
 * Finds the tables: the line before a delimiter row, and the lines after it through the first one without a bar, because a row
 * needs no bar.
 */
function tablesIn(text: string): Range[] {
  const tables: Range[] = []
  let isOpen = false
  for (let [start, before] = [0, 0]; start < text.length; ) {
    const feed = text.indexOf('\n', start)
    const end = feed === -1 ? text.length : feed + 1
    const line = text.slice(start, end).trimEnd()
    if (isOpen) tables.push({ start, end })
    const isDelimiter = isDelimiterRow(line)
    if (isDelimiter && !isOpen) tables.push({ start: before, end: start })
    isOpen = isDelimiter || (isOpen && line.includes('|'))
    before = start
    start = end
  }
  return tables
}

/** The second line of a table consists of dashes and bars. */
function isDelimiterRow(line: string): boolean {
  return line.length < longestDelimiterRow && line.includes('|') && line.includes('-') && !/[^ \t>|:-]/.test(line)
}
