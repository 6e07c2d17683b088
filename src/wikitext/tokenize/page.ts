/** The scanner's loop: text up to a character that may begin a construct, then the construct. */

import { scanAngle } from './angles.ts'
import { scanAutolink } from './autolinks.ts'
import { scanBrace } from './braces.ts'
import { scanLineStart } from './lines.ts'
import { scanBracket } from './links.ts'
import { scanMagicLink } from './magic-links.ts'
import { emit, flushText, pageOffset, type Scan } from './scan.ts'
import { scanEntity, scanSwitch } from './signs.ts'
import { continueLine, isPipeWord, scanCellBreak } from './tables.ts'
import { scanVariant } from './variants.ts'

type Handler = (scan: Scan) => boolean

/** Handlers by first character. One that returns false has changed nothing, and the character is text. */
const handlers: (Handler | undefined)[] = []
const rows: readonly [characters: string, handler: Handler][] = [
  ['\n', scanNewline],
  ["'", scanQuote],
  ['[', scanBracket],
  ['{', scanTemplate],
  ['<', scanAngle],
  ['&', scanEntity],
  ['_\uff3f', scanSwitch],
  [':', scanColon],
  ['|!', scanCellBreak],
  ['RPI', scanMagicLink],
  ['-', scanVariant],
]
for (const [characters, handler] of rows) {
  for (const character of characters) handlers[character.charCodeAt(0)] = handler
}
const lastHandled = handlers.length
const isHandled = Uint8Array.from({ length: lastHandled }, (_, unit) => (handlers[unit] === undefined ? 0 : 1))

/** Scans a text up to an offset; tokens are added to its output. */
export function scanTo(scan: Scan, end: number): void {
  const before = scan.end
  scan.end = end
  const { text } = scan
  while (scan.at < end) {
    if (scan.lineStart && scanLineStart(scan)) continue
    const unit = text.charCodeAt(scan.at)
    if (scan.lineBlank && unit !== 32 && unit !== 9 && unit !== 60 && unit !== 123) scan.lineBlank = false
    const handler = unit < lastHandled ? handlers[unit] : undefined
    if (handler === undefined || !handler(scan))
      scan.at = scan.lineStart || scan.lineBlank ? scan.at + 1 : nextSign(text, scan.at + 1, end)
  }
  flushText(scan, Math.min(scan.at, end))
  scan.end = before
}

/** Offset of the next character that may begin a construct. */
function nextSign(text: string, from: number, end: number): number {
  let at = from
  while (at < end) {
    const unit = text.charCodeAt(at)
    if (unit < lastHandled && isHandled[unit] === 1) break
    at++
  }
  return at
}

function scanNewline(scan: Scan): boolean {
  const { at } = scan
  emit(scan, { kind: 'newline', start: pageOffset(scan, at), end: pageOffset(scan, at + 1) }, at, at + 1)
  scan.lineStart = true
  scan.lineBlank = true
  scan.term = null
  scan.cellLine = ''
  return true
}

function scanTemplate(scan: Scan): boolean {
  if (scan.cellLine !== '' && isPipeWord(scan, scan.at) && scanCellBreak(scan)) return true
  if (!scanBrace(scan)) return false
  if (scan.table.tail !== -1) continueLine(scan)
  return true
}

function scanQuote(scan: Scan): boolean {
  const { at, end, text } = scan
  let to = at + 1
  while (to < end && text.charCodeAt(to) === 39) to++
  if (to - at < 2) return false
  emit(scan, { kind: 'quote', length: to - at, start: pageOffset(scan, at), end: pageOffset(scan, to) }, at, to)
  return true
}

/** A colon ends a term, or is part of an address. */
function scanColon(scan: Scan): boolean {
  const { at, term } = scan
  if (scanAutolink(scan)) return true
  if (term === null) return false
  emit(
    scan,
    {
      kind: 'item',
      bullets: `${term.slice(0, -1)}:`,
      inline: true,
      start: pageOffset(scan, at),
      end: pageOffset(scan, at + 1),
    },
    at,
    at + 1,
  )
  return true
}
