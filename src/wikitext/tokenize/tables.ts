/** Tables: lines that begin, end and divide them, and the cells of one line. */

import type { Argument, PreNode, Template } from '../preprocess/nodes.ts'
import { attributesOf, readAttributes, type TagAttributes } from './attributes.ts'
import { bracesAt, expansionOf, scanExpanded } from './braces.ts'
import { commentToken } from './comments.ts'
import {
  emit,
  expandedText,
  flushText,
  lineEnd,
  nodeFrom,
  nodesBetween,
  pageOffset,
  type Scan,
  skipBlank,
} from './scan.ts'

/** True if a table begins here or after white space and comments. */
export function startsTable(scan: Scan): boolean {
  const at = skipBlank(scan, scan.at)
  return !scan.nodeAt.has(at) && scan.text[at] === '{' && afterPipe(scan, at + 1) > at + 1
}

/** `{{!}}`, which stands for a pipe where a pipe would end a template's argument. */
const pipeWord = '{{!}}'

/** Offset after a pipe or the word for it; the same offset if there is none. */
function afterPipe(scan: Scan, at: number): number {
  if (at >= scan.end) return at
  const unit = scan.text.charCodeAt(at)
  if (unit === 124) return at + 1
  return unit === 123 && isPipeWord(scan, at) ? at + pipeWord.length : at
}

/** True for `{{!}}`. */
export function isPipeWord(scan: Scan, at: number): boolean {
  return scan.text.startsWith(pipeWord, at) && bracesAt(scan, at)?.end === at + pipeWord.length
}

/** Scans a line of a table from its start. False if it is none. */
export function scanTableLine(scan: Scan): boolean {
  const at = skipBlank(scan, scan.at)
  const pipe = afterPipe(scan, at)
  if (at >= scan.end || (pipe === at && scan.nodeAt.has(at))) return false
  const sign = pipe > at ? '|' : scan.text[at]
  if (sign === '{') return startsTable(scan) && openTable(scan, at)
  if (scan.table.depth === 0 || (sign !== '|' && sign !== '!')) return false
  scan.run.scanTo(scan, at)
  if (sign === '!') return openCell(scan, at, at + 1, '!')
  switch (scan.text[pipe]) {
    case '}':
      return closeTable(scan, at, pipe + 1)
    case '-':
      return openRow(scan, at, pipe)
    case '+':
      return openCaption(scan, at, pipe + 1)
    default:
      return openCell(scan, at, pipe, '|')
  }
}

/** Scans `||` and `!!`, which separate cells of one line. */
export function scanCellBreak(scan: Scan): boolean {
  const { at, text, cellLine } = scan
  if (cellLine === '' || at + 1 >= scan.end) return false
  if (text[at] === '!') return cellLine === '!' && text[at + 1] === '!' && openCell(scan, at, at + 2, cellLine, true)
  const pipe = afterPipe(scan, at)
  const second = pipe === at ? at : afterPipe(scan, pipe)
  if (second > pipe) return openCell(scan, at, second, cellLine, true)
  return text[at] === '|' && breakInTemplate(scan, at, cellLine)
}

/** A pipe before a template whose text begins with one separates cells, too. */
function breakInTemplate(scan: Scan, at: number, line: '|' | '!'): boolean {
  const node = bracesAt(scan, at + 1)
  if (node === undefined || !expansionOf(scan, node).text.startsWith('|')) return false
  openCellIn(scan, node, { at, from: 1, line, attributes: '' })
  return true
}

function openTable(scan: Scan, at: number): boolean {
  scan.run.scanTo(scan, at)
  scan.table.depth++
  openLine(scan, 'table', at, afterPipe(scan, at + 1))
  return true
}

/** Opens a table or a row: the rest of the line is its attributes. */
function openLine(scan: Scan, name: 'table' | 'tr', start: number, attributes: number): void {
  const end = lineEnd(scan, attributes)
  const mixed = nodesBetween(scan, attributes, end).find(node => isMixed(scan, node))
  if (mixed === undefined) openTag(scan, name, { start, attributes, end })
  else openMixed(scan, mixed as Template, { name, start, attributes })
}

/** True for a template whose text continues after the line's end. */
function isMixed(scan: Scan, node: PreNode): boolean {
  return (node.kind === 'template' || node.kind === 'argument') && expansionOf(scan, node).text.includes('\n')
}

function endsLine(scan: Scan, node: PreNode): boolean {
  return node.kind === 'inclusion' || isMixed(scan, node)
}

/** Opens a table or row whose attributes end inside a template's text; the rest of that text is content. */
function openMixed(scan: Scan, node: Template, tag: { name: 'table' | 'tr'; start: number; attributes: number }): void {
  const { name, start, attributes } = tag
  const expansion = expansionOf(scan, node)
  const line = expansion.text.indexOf('\n')
  const text = expandedText(scan, attributes, node.start) + expansion.text.slice(0, line)
  const inside = madeInPart(attributesOf(name, text), text)
  flushText(scan, start)
  scan.plain = node.start
  scan.at = node.start
  const before = (): void => {
    scan.out.push({
      kind: 'open',
      name,
      syntax: 'wiki',
      ...inside,
      start: pageOffset(scan, start),
      end: pageOffset(scan, node.start),
    })
  }
  scanExpanded(scan, node, { expansion, from: line, opened: name, before })
}

function openRow(scan: Scan, at: number, sign: number): boolean {
  let from = sign
  while (scan.text[from] === '-') from++
  openLine(scan, 'tr', at, from)
  return true
}

function closeTable(scan: Scan, at: number, end: number): boolean {
  scan.table.depth--
  scan.cellLine = ''
  emit(
    scan,
    { kind: 'close', name: 'table', syntax: 'wiki', start: pageOffset(scan, at), end: pageOffset(scan, end) },
    at,
    end,
  )
  return true
}

function openCaption(scan: Scan, at: number, from: number): boolean {
  const found = findAttributes(scan, from, '|')
  const end = found === null || found.node !== undefined ? null : found.end
  const next = end === null ? from : afterPipe(scan, end)
  openTag(scan, 'caption', { start: at, attributes: from, end: end ?? from, next })
  return true
}

function openCell(scan: Scan, at: number, from: number, line: '|' | '!', isRow = false): boolean {
  const found = findAttributes(scan, from, line)
  if (found?.node !== undefined) {
    openCellIn(scan, found.node, { at, from: found.end + 1, line, attributes: found.text })
    return true
  }
  const end = found === null ? from : found.end
  const range = { start: at, attributes: from, end, next: found === null ? from : afterPipe(scan, end) }
  openTag(scan, line === '!' ? 'th' : 'td', range, isRow ? { stx: 'row' } : {})
  scan.cellLine = line
  return true
}

interface CellStart {
  /** Offset of the cell's sign in the text. */
  readonly at: number
  /** Offset of the cell's content in the template's text. */
  readonly from: number
  readonly line: '|' | '!'
  /** Source of the attributes. */
  readonly attributes: string
}

/** Marks attributes that a template made together with content, so an editor cannot change them separately. */
function madeInPart({ attributes, data }: TagAttributes, text: string): TagAttributes {
  const [name] = attributes.keys()
  if (name === undefined) return { attributes, data }
  const row = [{ txt: name, html: text.trim(), uneditable: true }, { html: '' }]
  const whole = new Map(attributes).set('typeof', 'mw:ExpandedAttrs')
  return { attributes: whole, data: { ...data, mw: { attribs: [row] } } }
}

/** Opens a cell whose content begins inside a template's text; the text before is the cell's attributes. */
function openCellIn(scan: Scan, node: Template | Argument, { at, from, line, attributes }: CellStart): void {
  flushText(scan, at)
  scan.plain = node.start
  scan.at = node.start
  const expansion = expansionOf(scan, node)
  const inside = attributesOf('td', attributes.replace(/\n+/g, ' '))
  const token = { kind: 'open', name: line === '!' ? 'th' : 'td', syntax: 'wiki', ...inside } as const
  scan.cellLine = line
  scan.lineStart = false
  scan.lineBlank = false
  const before = (): void => {
    scan.out.push({ ...token, start: pageOffset(scan, at), end: pageOffset(scan, at + 1) })
  }
  scanExpanded(scan, node, { expansion, from, opened: 'cell', before })
}

/** The single pipe that ends a cell's attributes. */
interface AttributesEnd {
  readonly text: string
  /** Offset of the pipe: in the scan's text, or in the text of the template. */
  readonly end: number
  readonly node?: Template | Argument
}

/** Finds a cell's attributes on its line, templates read as their text; null if it has none. */
function findAttributes(scan: Scan, from: number, line: '|' | '!'): AttributesEnd | null {
  let before = ''
  let plain = from
  for (let at = from; at < scan.end; ) {
    if (isPipeWord(scan, at)) return endAt(scan, at, before + scan.text.slice(plain, at))
    const braces = bracesAt(scan, at)
    if (braces !== undefined) {
      const expansion = expansionOf(scan, braces)
      const text = expansion.kind === 'plain' ? '' : expansion.text
      before += scan.text.slice(plain, at)
      const sign = findSign(text, 0, text.length, line)
      if (sign !== -1) return endIn(scan, braces, text, sign, before)
      before += text
      at = braces.end
      plain = at
      continue
    }
    const inner = nodeFrom(scan, at)?.end
    if (inner !== undefined) {
      at = inner
      continue
    }
    if (isSign(scan.text, at, line)) return endAt(scan, at, before + scan.text.slice(plain, at))
    at++
  }
  return null
}

function endAt(scan: Scan, at: number, text: string): AttributesEnd | null {
  return isAttributesEnd(scan, at) ? { text, end: at } : null
}

function endIn(
  scan: Scan,
  node: Template | Argument,
  text: string,
  sign: number,
  before: string,
): AttributesEnd | null {
  const next = sign + 1 < text.length ? text[sign + 1] : scan.text[node.end]
  if (text[sign] !== '|' || next === '|') return null
  return { text: before + text.slice(0, sign), end: sign, node }
}

/** A pipe that is not followed by another, in the page's text or in that of a template. */
function isAttributesEnd(scan: Scan, at: number): boolean {
  const pipe = afterPipe(scan, at)
  if (pipe === at || afterPipe(scan, pipe) > pipe) return false
  const next = bracesAt(scan, pipe)
  return next === undefined || !expansionOf(scan, next).text.startsWith('|')
}

function findSign(text: string, from: number, to: number, line: '|' | '!'): number {
  for (let at = from; at < to; at++) {
    if (text[at] === '<') at = endOfNowiki(text, at)
    if (isSign(text, at, line)) return at
  }
  return -1
}

function endOfNowiki(text: string, at: number): number {
  if (!/^<nowiki(?:\s[^<>]{0,100})?>/i.test(text.slice(at, at + 120))) return at
  const close = /<\/nowiki\s*>/gi
  close.lastIndex = at
  return close.test(text) ? close.lastIndex : at
}

/** True at the end of a line, a cell or its attributes, or at a link or variant, which shows that there are no attributes. */
function isSign(text: string, at: number, line: '|' | '!'): boolean {
  switch (text.charCodeAt(at)) {
    case 10:
    case 124:
      return true
    case 33:
      return line === '!' && text[at + 1] === '!'
    case 91:
      return text[at + 1] === '['
    case 45:
      return text[at + 1] === '{'
    default:
      return false
  }
}

interface TagRange {
  readonly start: number
  /** Offsets of the attributes. */
  readonly attributes: number
  readonly end: number
  /** Offset of the content. */
  readonly next?: number
}

function openTag(scan: Scan, name: string, range: TagRange, parsoid: Record<string, unknown> = {}): void {
  const { attributes, data } = readAttributes(scan, name, range.attributes, range.end)
  const next = range.next ?? range.end
  const own = data.parsoid === undefined ? parsoid : { ...data.parsoid, ...parsoid }
  const whole = data.mw === undefined ? { parsoid: own } : { ...data, parsoid: own }
  const start = pageOffset(scan, range.start)
  const token = {
    kind: 'open',
    name,
    attributes,
    syntax: 'wiki',
    data: whole,
    start,
    end: pageOffset(scan, next),
  } as const
  emit(scan, token, range.start, next)
  if (name !== 'table' && name !== 'tr') return
  if (scan.base === -1 && range.end === scan.text.length) scan.table.tail = scan.out.length - 1
  keepComments(scan, range.attributes, range.end)
}

/** Comments among attributes are placed after the tag. */
function keepComments(scan: Scan, start: number, end: number): void {
  for (const node of nodesBetween(scan, start, end)) {
    if (node.kind === 'comment') scan.out.push(commentToken(scan, node))
  }
}

/** If a template's text ends in the line of a table's or row's tag, scans the rest of the page's line as attributes. */
export function continueLine(scan: Scan): void {
  const { table, out, at } = scan
  const index = table.tail
  const token = out[index]
  const end = lineEnd(scan, at)
  table.tail = -1
  if (token?.kind !== 'open' || end === at || nodesBetween(scan, at, end).some(node => endsLine(scan, node))) return
  const more = new Map(readAttributes(scan, token.name, at, end).attributes)
  // The template of this table or row already describes the templates in the attributes.
  for (const name of ['about', 'typeof']) more.delete(name)
  out[index] = { ...token, attributes: new Map([...token.attributes, ...more]) }
  keepComments(scan, at, end)
  scan.at = end
  scan.plain = end
}
