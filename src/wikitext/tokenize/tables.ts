/** Tables: lines that begin, end and divide them, and the cells of one line. */

import { readAttributes } from './attributes.ts'
import { emit, lineEnd, pageRange, type Scan } from './scan.ts'

/** True where a table begins here or after white space and comments. */
export function startsTable(scan: Scan): boolean {
  const at = skipBlank(scan, scan.at)
  return scan.text.startsWith('{|', at) && !scan.nodeAt.has(at)
}

/** Reads a line of a table from where the line begins. False where it is none. */
export function scanTableLine(scan: Scan): boolean {
  const at = skipBlank(scan, scan.at)
  if (at >= scan.end || scan.nodeAt.has(at)) return false
  const sign = scan.text[at]
  if (sign === '{') return scan.text[at + 1] === '|' && openTable(scan, at)
  if (scan.table.depth === 0 || (sign !== '|' && sign !== '!')) return false
  scan.run.scanTo(scan, at)
  if (sign === '!') return openCell(scan, at, at + 1, '!')
  switch (scan.text[at + 1]) {
    case '}':
      return closeTable(scan, at)
    case '-':
      return openRow(scan, at)
    case '+':
      return openCaption(scan, at)
    default:
      return openCell(scan, at, at + 1, '|')
  }
}

/** Reads `||` and `!!`, where cells of one line part. */
export function scanCellBreak(scan: Scan): boolean {
  const { at, text, cellLine } = scan
  if (cellLine === '' || text[at + 1] !== text[at] || at + 1 >= scan.end) return false
  if (text[at] === '!' && cellLine !== '!') return false
  return openCell(scan, at, at + 2, cellLine)
}

/** White space and comments that may stand before a table's signs. */
function skipBlank(scan: Scan, from: number): number {
  let at = from
  for (;;) {
    const unit = scan.text.charCodeAt(at)
    const node = unit === 60 ? scan.nodeAt.get(at) : undefined
    if (unit === 32 || unit === 9) at++
    else if (node?.kind === 'comment' || node?.kind === 'inclusion') at = node.end
    else return at
  }
}

function openTable(scan: Scan, at: number): boolean {
  scan.run.scanTo(scan, at)
  scan.table.depth++
  openTag(scan, 'table', { start: at, attributes: at + 2, end: lineEnd(scan, at + 2) })
  return true
}

function openRow(scan: Scan, at: number): boolean {
  let from = at + 1
  while (scan.text[from] === '-') from++
  openTag(scan, 'tr', { start: at, attributes: from, end: lineEnd(scan, from) })
  return true
}

function closeTable(scan: Scan, at: number): boolean {
  scan.table.depth--
  scan.cellLine = ''
  emit(scan, { kind: 'close', name: 'table', syntax: 'wiki', ...pageRange(scan, at, at + 2) }, at, at + 2)
  return true
}

function openCaption(scan: Scan, at: number): boolean {
  const pipe = attributesPipe(scan, at + 2, '|')
  openTag(scan, 'caption', {
    start: at,
    attributes: at + 2,
    end: pipe === -1 ? at + 2 : pipe,
    next: pipe + 1 || at + 2,
  })
  return true
}

function openCell(scan: Scan, at: number, from: number, line: '|' | '!'): boolean {
  const pipe = attributesPipe(scan, from, line)
  const isRow = from - at === 2
  const range = { start: at, attributes: from, end: pipe === -1 ? from : pipe, next: pipe === -1 ? from : pipe + 1 }
  openTag(scan, line === '!' ? 'th' : 'td', range, isRow ? { stx: 'row' } : {})
  scan.cellLine = line
  return true
}

/** Offset of the single pipe that ends a cell's attributes, -1 where it has none. */
function attributesPipe(scan: Scan, from: number, line: '|' | '!'): number {
  const { text, end } = scan
  let at = from
  while (at < end) {
    const node = scan.nodeAt.get(at)
    if (node !== undefined) {
      at = node.end
      continue
    }
    switch (text[at]) {
      case '\n':
        return -1
      case '|':
        return text[at + 1] === '|' ? -1 : at
      case '!':
        if (line === '!' && text[at + 1] === '!') return -1
        break
      case '[':
        if (text[at + 1] === '[') return -1
        break
    }
    at++
  }
  return -1
}

interface TagRange {
  readonly start: number
  /** Where the attributes begin and end. */
  readonly attributes: number
  readonly end: number
  /** Where the content begins. */
  readonly next?: number
}

function openTag(scan: Scan, name: string, range: TagRange, parsoid: Record<string, unknown> = {}): void {
  const { attributes, data } = readAttributes(scan, name, range.attributes, range.end)
  const next = range.next ?? range.end
  const token = { kind: 'open', name, attributes, syntax: 'wiki' } as const
  const whole = { ...data, parsoid: { ...data.parsoid, ...parsoid } }
  emit(scan, { ...token, data: whole, ...pageRange(scan, range.start, next) }, range.start, next)
}
