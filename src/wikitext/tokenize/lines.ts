/** Scans the constructs at the start of a line: headings, lists, rules, tables. */

import { textNode } from '../tree/node.ts'
import { annotationBefore, scanAnnotation } from './annotations.ts'
import { emit, flushText, lineEnd, nodeAround, pageOffset, type Scan } from './scan.ts'
import { scanSwitch } from './signs.ts'
import { isPipeWord, scanTableLine, startsTable } from './tables.ts'
import { noAttributes } from './token.ts'

/**
 * Scans the construct at the start of a line. Returns false if there is none; the line has then begun, unless a comment or
 * template leaves that open.
 */
export function scanLineStart(scan: Scan): boolean {
  const node = scan.nodeAt.get(scan.at)
  if (node?.kind === 'text') return passCommentLine(scan, node.end)
  if (node?.kind === 'template' && scan.table.depth > 0 && isPipeWord(scan, scan.at)) return startPipe(scan)
  if (node !== undefined && node.kind !== 'extension') return false
  if (scan.text[scan.at] === '_' && scanSwitch(scan)) return true
  if (scan.text[scan.at] === '<' && scanAnnotation(scan)) return true
  scan.lineStart = false
  return scan.hasLines && startLine(scan)
}

function startPipe(scan: Scan): boolean {
  scan.lineStart = false
  return scan.hasLines && scanTableLine(scan)
}

function startLine(scan: Scan): boolean {
  switch (scan.text[scan.at]) {
    case '=':
      return scanHeading(scan)
    case '*':
    case '#':
    case ';':
    case ':':
      return scanBullets(scan)
    case '-':
      return scanRule(scan)
    case ' ':
    case '\t':
    case '{':
    case '|':
    case '!':
      return scanTableLine(scan)
    default:
      return false
  }
}

/** White space beside a comment alone on its line is not part of the page's text. */
function passCommentLine(scan: Scan, end: number): boolean {
  const { at, text } = scan
  const nodes = [textNode(text.slice(at, end))]
  emit(
    scan,
    { kind: 'atom', level: 'transparent', nodes, start: pageOffset(scan, at), end: pageOffset(scan, end) },
    at,
    end,
  )
  return true
}

function scanRule(scan: Scan): boolean {
  const { at, text } = scan
  let end = at
  while (text[end] === '-') end++
  if (end - at < 4) return false
  const data = { parsoid: end - at > 4 ? { extra_dashes: end - at - 4 } : {} }
  emit(
    scan,
    {
      kind: 'void',
      name: 'hr',
      attributes: noAttributes,
      syntax: 'wiki',
      data,
      start: pageOffset(scan, at),
      end: pageOffset(scan, end),
    },
    at,
    end,
  )
  return true
}

function scanBullets(scan: Scan): boolean {
  const { at, text } = scan
  let end = at
  while (end < scan.end && isBullet(text.charCodeAt(end))) end++
  const bullets = text.slice(at, end)
  emit(scan, { kind: 'item', bullets, inline: false, start: pageOffset(scan, at), end: pageOffset(scan, end) }, at, end)
  scan.term = bullets.endsWith(';') ? bullets : null
  if (/^:+$/.test(bullets) && startsTable(scan)) scanTableLine(scan)
  return true
}

function isBullet(unit: number): boolean {
  return unit === 42 || unit === 35 || unit === 58 || unit === 59
}

/** Level of a heading and the offsets of its parts. */
interface HeadingShape {
  readonly level: number
  readonly contentEnd: number
  readonly end: number
}

function scanHeading(scan: Scan): boolean {
  const shape = headingShape(scan)
  if (shape === undefined) return false
  const { level, contentEnd, end } = shape
  const { at } = scan
  const name = `h${level}`
  const data = isEditable(scan, shape) ? {} : { isUneditable: true }
  const open = { kind: 'open', name, attributes: noAttributes, syntax: 'wiki', data } as const
  emit(scan, { ...open, start: pageOffset(scan, at), end: pageOffset(scan, at + level) }, at, at + level)
  scan.run.scanTo(scan, contentEnd)
  flushText(scan, contentEnd)
  emit(
    scan,
    { kind: 'close', name, syntax: 'wiki', start: pageOffset(scan, contentEnd), end: pageOffset(scan, end) },
    contentEnd,
    end,
  )
  return true
}

/** False for headings that an editor's preprocessor would not find: with unclosed brackets, or inside tags. */
function isEditable(scan: Scan, { end }: HeadingShape): boolean {
  const { at, text, brackets } = scan
  const before = text[at - 1]
  if (before !== undefined && before !== '\n') return false
  for (let index = at; index < end; index++) {
    const node = scan.nodeAt.get(index)
    if (node !== undefined) index = node.end - 1
    else if (text.startsWith('[[', index) || text.startsWith('-{', index)) {
      if (!brackets.has(index)) return false
      index++
    } else if (text.startsWith('{{', index)) return false
  }
  return !/\S/.test(text.slice(end, lineEnd(scan, end)).replace(/<!--[\s\S]*?-->/g, ''))
}

function headingShape(scan: Scan): HeadingShape | undefined {
  const { at, text } = scan
  const end = withoutTail(scan, at, lineEnd(scan, at))
  let lead = at
  while (lead < end && text[lead] === '=') lead++
  if (lead === end) return signsOnly(at, end)
  let tail = end
  while (text[tail - 1] === '=') tail--
  const level = Math.min(lead - at, end - tail, 6)
  return level === 0 ? undefined : { level, contentEnd: end - level, end }
}

/** A line of `=` only is a heading of the signs in its middle. */
function signsOnly(at: number, end: number): HeadingShape | undefined {
  const level = Math.min(Math.floor((end - at - 1) / 2), 6)
  return level < 1 ? undefined : { level, contentEnd: end - level, end }
}

/** The end of a line's text before trailing white space, comments and annotations. */
function withoutTail(scan: Scan, start: number, lineEnd: number): number {
  let end = lineEnd
  while (end > start) {
    const unit = scan.text.charCodeAt(end - 1)
    const node = nodeAround(scan, end - 1)
    const annotation = unit === 62 ? annotationBefore(scan, end) : undefined
    if (annotation !== undefined) end = annotation.start
    else if (node?.kind === 'comment' || node?.kind === 'inclusion' || (node?.kind === 'text' && unit !== 10))
      end = node.start
    else if (unit === 32 || unit === 9) end--
    else break
  }
  return end
}
