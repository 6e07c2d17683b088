/** State of the serialiser: the text written so far, and the gap before the next output. */

import type { Site } from '../wikitext/site.ts'
import type { ElementNode, FragmentNode, ParentNode } from '../wikitext/tree/node.ts'
import type { Context } from './context.ts'
import type { ValueTrial } from './elements/values.ts'
import type { Layout } from './layout.ts'
import { isSpaceAt } from './node-queries.ts'
import type { Original } from './original.ts'
import type { TemplateLayout } from './template-layout.ts'

/** Bounds on the number of line breaks between two pieces. */
export interface Limits {
  readonly min?: number
  readonly max?: number
}

/** White space and comments since the last output, and the number of line breaks required there. */
export interface Gap {
  text: string
  min: number
  max: number
  /** Place in the text of the line breaks that `min` requires. */
  at: number
  /** True if the text is from the source, so that no number of line breaks is too large. */
  isFromSource: boolean
}

/** Notes being written. A note is not written inside itself, and repetition stops at a limit. */
export interface NoteUse {
  readonly open: Set<string>
  readonly written: Set<string>
  /** UTF-16 units that may still be written repeatedly. */
  left: number
}

export interface Writer {
  readonly site: Site
  /** Title of the page, in reading form. */
  readonly title: string
  readonly original: Original | null
  /** Layout detected from the page. */
  readonly layout: Layout
  readonly out: string[]
  readonly gap: Gap
  /** False until something is written. */
  hasOutput: boolean
  /** True if the line contains only comments so far. */
  isLineStart: boolean
  /** Start of the current line. */
  lineHead: string
  /** True if the line contains an open bracket before a URL, so that a closing bracket would make a link. */
  isAddressOpen: boolean
  /** The current line from its last unclosed `[[` on. */
  openLink: string
  /** True until a line break is written. */
  isFirstLine: boolean
  /** True if a link to a page is written. The text before it is then no attributes of the cell. */
  hasLink: boolean
  /** End of the output. */
  tail: string
  /** Writes the children of a node. */
  readonly children: (writer: Writer, parent: ParentNode, context: Context) => void
  /** Texts of notes, by id. */
  readonly notes: ReadonlyMap<string, ElementNode>
  /** Preferred layouts of templates, by page key. */
  readonly layouts: ReadonlyMap<string, TemplateLayout>
  readonly noteUse: NoteUse
  /** Returns true if an attribute's value is read as it was meant. */
  readonly isRead: ValueTrial
  /** Parses HTML from an attribute. */
  readonly parse: (html: string) => FragmentNode
}

const tailLength = 40

/** Makes a writer for nested text, such as a link's, which is already within a line. */
export function innerWriter(writer: Writer, { isLineStart = false } = {}): Writer {
  return {
    ...writer,
    out: [],
    gap: emptyGap(),
    hasOutput: false,
    isLineStart,
    lineHead: isLineStart ? '' : 'x',
    isAddressOpen: false,
    isFirstLine: true,
    hasLink: false,
    openLink: '',
    tail: '',
  }
}

/** Returns an empty gap. */
export function emptyGap(): Gap {
  return { text: '', min: 0, max: Number.POSITIVE_INFINITY, at: 0, isFromSource: false }
}

/** Returns the number of line breaks before the next output. */
export function limit({ gap }: Writer, { min = 0, max = Number.POSITIVE_INFINITY }: Limits): void {
  if (min > gap.min) Object.assign(gap, { min, at: gap.text.length })
  gap.max = Math.min(gap.max, max)
}

/** Puts white space or a comment into the gap. */
export function space({ gap }: Writer, text: string): void {
  gap.text += text
}

/** Removes spaces from the start of the line, because the next output must start the line. */
export function startLine({ gap, isLineStart, hasOutput }: Writer): void {
  if (gap.isFromSource) return
  if (!hasOutput && isLineStart) gap.text = gap.text.replace(/^\s+$/, '')
  gap.text = gap.text.replace(/\n[ \t]+$/, '\n')
  if (isLineStart) gap.text = gap.text.replace(/^[ \t]+$/, '')
}

/** Writes wikitext after the gap. */
export function write(writer: Writer, text: string): void {
  if (text === '') return
  closeGap(writer, text)
  push(writer, text)
}

/** Ends the text. The content of the gap becomes its end. */
export function finish(writer: Writer): string {
  closeGap(writer, '')
  return writer.out.join('')
}

/** Returns the text that the gap would add before output. */
export function gapText(writer: Writer): string {
  const { text, min, max, at, isFromSource } = writer.gap
  const found = countNewlines(text) + (writer.tail.endsWith('\n') ? 1 : 0)
  const wanted = writer.hasOutput || !writer.isLineStart ? min : 0
  if (found < wanted) return withNewlines(text, { count: wanted - found, at, isFromSource })
  const most = Math.max(max, wanted)
  return found > most && !isFromSource ? withoutNewlines(text, found - most) : text
}

/** Adds line breaks at the end of a gap, or before the comments that the next block begins with. */
function withNewlines(
  text: string,
  { count, at, isFromSource }: { count: number; at: number; isFromSource: boolean },
): string {
  const start = text.includes('<!--', at) ? at : text.length
  const before = text.slice(0, start)
  return (isFromSource ? before : before.replace(/(?<![ \t])[ \t]+$/, '')) + '\n'.repeat(count) + text.slice(start)
}

function closeGap(writer: Writer, next: string): void {
  const text = gapText(writer)
  const isBlock = writer.gap.min > 0 && !writer.gap.isFromSource
  clear(writer.gap)
  if (text !== '') push(writer, isBlock && next !== '' ? text.replace(/(\n|^)[ \t]+$/, '$1') : text)
}

function clear(gap: Gap): void {
  gap.text = ''
  gap.min = 0
  gap.max = Number.POSITIVE_INFINITY
  gap.at = 0
  gap.isFromSource = false
}

/** Replaces the line breaks of calls, which do not end a line: calls are expanded before lines are read. */
function withoutCallLines(text: string): string {
  if (!text.includes('{{') || !text.includes('\n')) return text
  return text.replace(/\{\{[^{}]*\}\}/g, call => call.replaceAll('\n', ' '))
}

function push(writer: Writer, given: string): void {
  if (given === '') return
  const text = withoutCallLines(given)
  writer.out.push(given)
  writer.hasOutput = true
  writer.tail = text.length >= tailLength ? text.slice(-tailLength) : (writer.tail + text).slice(-tailLength)
  const newline = text.lastIndexOf('\n')
  writer.isFirstLine &&= newline === -1
  writer.hasLink ||= writer.isFirstLine && hasBrackets(text)
  if (newline !== -1) writer.isAddressOpen = false
  const line = newline === -1 ? text : text.slice(newline + 1)
  writer.openLink = newline === -1 && writer.openLink !== '' ? openLinkOf(writer.openLink + line) : openLinkOf(line)
  if (newline !== -1) {
    writer.isLineStart = true
    writer.lineHead = ''
  }
  if (writer.lineHead.length < tailLength) writer.lineHead = (writer.lineHead + line).slice(0, tailLength)
  if (!writer.isLineStart) return
  writer.isLineStart = line === '' || (line.startsWith('<!--') && /^(?:<!--(?:[^-]|-(?!->))*-->)*$/.test(line))
}

/** Returns true if a text contains `[[` outside of `<nowiki>`. */
function hasBrackets(text: string): boolean {
  if (!text.includes('[[')) return false
  const end = '</nowiki>'
  const after = (part: string): string => (part.includes(end) ? part.slice(part.indexOf(end) + end.length) : '')
  return text.split('<nowiki>').some((part, index) => (index === 0 ? part : after(part)).includes('[['))
}

/** Maximum length of a link target with its brackets, in UTF-16 units. */
const longestTarget = 400

function openLinkOf(line: string): string {
  const start = line.lastIndexOf('[[')
  const isOpen = start !== -1 && line.indexOf(']]', start) === -1 && line.length - start < longestTarget
  return isOpen ? line.slice(start) : ''
}

/** Placeholder for a comment: HTML cannot contain this character. */
const commentSign = '\0'

/** Splits a text at its complete comments, which are the odd parts. Takes one pass, regardless of unclosed comments. */
export function splitComments(text: string): string[] {
  const parts: string[] = []
  let at = 0
  for (let start = text.indexOf('<!--'); start !== -1; start = text.indexOf('<!--', at)) {
    const end = text.indexOf('-->', start + 4)
    if (end === -1) break
    parts.push(text.slice(at, start), text.slice(start, end + 3))
    at = end + 3
  }
  parts.push(text.slice(at))
  return parts
}

/** Returns a text with its complete comments replaced by `sign`. */
export function withoutComments(text: string, sign = ''): string {
  if (!text.includes('<!--')) return text
  return splitComments(text)
    .map((part, index) => (index % 2 === 0 ? part : sign))
    .join('')
}

/** Counts line breaks outside comments. A line that consists of comments does not count. */
function countNewlines(text: string): number {
  if (text === '') return 0
  const marked = withoutComments(text, commentSign)
  const plain = marked === text ? text : marked.replace(/\n[ \t]*(?:\0[ \t]*)+(?=\n)/g, '')
  let count = 0
  for (let at = plain.indexOf('\n'); at !== -1; at = plain.indexOf('\n', at + 1)) count++
  return count
}

function withoutNewlines(text: string, count: number): string {
  let left = count
  const drop = (found: string): string => {
    if (!found.startsWith('\n') || left === 0) return found
    left--
    return ''
  }
  // No comment ends after the last end, so the search stops there instead of scanning the rest each time.
  const end = text.includes('-->') ? text.lastIndexOf('-->') + 3 : 0
  const closed = text.slice(0, end).replace(/<!--[\s\S]*?-->|\n[ \t]*(?=\n)|\n/g, drop)
  return closed + text.slice(end).replace(/\n[ \t]*(?=\n|$)|\n/g, drop)
}

/** Returns the trailing white space of a text if it contains a line break, including the spaces before the break. */
export function lineBreakAfter(text: string): string {
  if (text === '' || !isSpaceAt(text, text.length - 1)) return ''
  const [found] = /(?<!\s)[^\S\n]*\n\s*$/.exec(text) ?? ['']
  return found
}
