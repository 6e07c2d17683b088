/** State of the serialiser: the text written so far, and the gap before the next piece. */

import type { Site } from '../wikitext/site.ts'
import type { ElementNode, FragmentNode, ParentNode } from '../wikitext/tree/node.ts'
import type { Context } from './context.ts'
import type { Layout } from './layout.ts'
import { isSpaceAt } from './node-queries.ts'
import type { Original } from './original.ts'
import type { TemplateLayout } from './template-layout.ts'

/** Bounds on the number of line breaks between two pieces. */
export interface Limits {
  readonly min?: number
  readonly max?: number
}

/** White space and comments since the last thing written, and how many line breaks are wanted there. */
export interface Gap {
  text: string
  min: number
  max: number
  /** True if the text is the page's own: then nothing is too much. */
  isKept: boolean
}

/** Notes in use. A note is not written inside itself, and repeated notes stop at the bound. */
export interface NoteUse {
  readonly open: Set<string>
  readonly written: Set<string>
  /** Units of text that may still be written again. */
  left: number
}

export interface Writer {
  readonly site: Site
  /** Title of the page, reading form. */
  readonly title: string
  readonly original: Original | null
  /** Layout detected from the page. */
  readonly layout: Layout
  readonly out: string[]
  readonly gap: Gap
  /** False until something was written. */
  hasOutput: boolean
  /** True if nothing but comments stands on the line. */
  isLineStart: boolean
  /** First characters of the line. */
  lineHead: string
  /** True if a bracket stands before an address on the line: another bracket would make both a link. */
  isAddressOpen: boolean
  /** The line from its last two brackets on, where they are not closed. */
  openLink: string
  /** True while neither a line break nor a link to a page was written. */
  isFirstLine: boolean
  /** Last characters written. */
  tail: string
  /** Writes the children of a node. */
  readonly children: (writer: Writer, parent: ParentNode, context: Context) => void
  /** Texts of notes, by their ids. */
  readonly notes: ReadonlyMap<string, ElementNode>
  /** Preferred layouts of templates, by page key. */
  readonly layouts: ReadonlyMap<string, TemplateLayout>
  readonly noteUse: NoteUse
  /** Reads HTML that an attribute holds. */
  readonly parse: (html: string) => FragmentNode
}

const kept = 40

/** Makes a writer of an inner text, such as a link's: it stands in a line already. */
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
    openLink: '',
    tail: '',
  }
}

/** Makes a gap without anything. */
export function emptyGap(): Gap {
  return { text: '', min: 0, max: Number.POSITIVE_INFINITY, isKept: false }
}

/** Returns the number of line breaks before the next output. */
export function limit({ gap }: Writer, { min = 0, max = Number.POSITIVE_INFINITY }: Limits): void {
  gap.min = Math.max(gap.min, min)
  gap.max = Math.min(gap.max, max)
}

/** Puts white space or a comment into the gap. */
export function space({ gap }: Writer, text: string): void {
  gap.text += text
}

/** Removes spaces from the start of the line: the next output has to be first on it. */
export function startLine({ gap, isLineStart, hasOutput }: Writer): void {
  if (gap.isKept) return
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

/** Ends the text: what is in the gap stands at its end. */
export function finish(writer: Writer): string {
  closeGap(writer, '')
  return writer.out.join('')
}

/** Says what would stand before something written now. */
export function gapText(writer: Writer): string {
  const { text, min, max, isKept } = writer.gap
  const found = countNewlines(text) + (writer.tail.endsWith('\n') ? 1 : 0)
  const wanted = writer.hasOutput || !writer.isLineStart ? min : 0
  if (found < wanted) return (isKept ? text : text.replace(/(?<![ \t])[ \t]+$/, '')) + '\n'.repeat(wanted - found)
  const most = Math.max(max, wanted)
  return found > most && !isKept ? withoutNewlines(text, found - most) : text
}

function closeGap(writer: Writer, next: string): void {
  const text = gapText(writer)
  const isBlock = writer.gap.min > 0 && !writer.gap.isKept
  clear(writer.gap)
  if (text !== '') push(writer, isBlock && next !== '' ? text.replace(/(\n|^)[ \t]+$/, '$1') : text)
}

function clear(gap: Gap): void {
  gap.text = ''
  gap.min = 0
  gap.max = Number.POSITIVE_INFINITY
  gap.isKept = false
}

function push(writer: Writer, text: string): void {
  if (text === '') return
  writer.out.push(text)
  writer.hasOutput = true
  writer.tail = text.length >= kept ? text.slice(-kept) : (writer.tail + text).slice(-kept)
  const newline = text.lastIndexOf('\n')
  writer.isFirstLine &&= newline === -1 && !text.includes('[[')
  if (newline !== -1) writer.isAddressOpen = false
  const line = newline === -1 ? text : text.slice(newline + 1)
  writer.openLink = newline === -1 && writer.openLink !== '' ? openLinkOf(writer.openLink + line) : openLinkOf(line)
  if (newline !== -1) {
    writer.isLineStart = true
    writer.lineHead = ''
  }
  if (writer.lineHead.length < kept) writer.lineHead = (writer.lineHead + line).slice(0, kept)
  if (!writer.isLineStart) return
  writer.isLineStart = line === '' || (line.startsWith('<!--') && /^(?:<!--(?:[^-]|-(?!->))*-->)*$/.test(line))
}

/** Longest that a target of a link can be, with signs around it. */
const longestTarget = 400

function openLinkOf(line: string): string {
  const start = line.lastIndexOf('[[')
  const isOpen = start !== -1 && line.indexOf(']]', start) === -1 && line.length - start < longestTarget
  return isOpen ? line.slice(start) : ''
}

/** Stands for a comment: HTML has no such character. */
const commentSign = '\0'

/** A text without its whole comments; `sign` stands in their place. One pass, however many are never closed. */
export function withoutComments(text: string, sign = ''): string {
  if (!text.includes('<!--')) return text
  const parts: string[] = []
  let at = 0
  for (let start = text.indexOf('<!--'); start !== -1; start = text.indexOf('<!--', at)) {
    const end = text.indexOf('-->', start + 4)
    if (end === -1) break
    parts.push(text.slice(at, start))
    at = end + 3
  }
  return at === 0 ? text : parts.join(sign) + sign + text.slice(at)
}

/** Counts line breaks outside of comments; a line of nothing but comments counts for none. */
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
  // Behind the last end of a comment there is none: each search for an end would go through all the rest.
  const end = text.includes('-->') ? text.lastIndexOf('-->') + 3 : 0
  const closed = text.slice(0, end).replace(/<!--[\s\S]*?-->|\n[ \t]*(?=\n)|\n/g, drop)
  return closed + text.slice(end).replace(/\n[ \t]*(?=\n|$)|\n/g, drop)
}

/** The white space at the end of a text, where a line breaks in it: from the line's last spaces on. */
export function lineBreakAfter(text: string): string {
  if (text === '' || !isSpaceAt(text, text.length - 1)) return ''
  const [found] = /(?<!\s)[^\S\n]*\n\s*$/.exec(text) ?? ['']
  return found
}
