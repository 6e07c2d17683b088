/**
 * Splits lines into words and maps each distinct word to a small integer. Source: docs/reference/comparison.md#words.
 */

import { numberOf } from './lines.ts'
import { hasThai, thaiBreaks } from './thai.ts'

/** The words of one line. A line ends at its first NUL. */
export interface Words {
  readonly line: string
  /** Start of each word, in UTF-16 units, then the end of the last one. Later entries are undefined. */
  readonly starts: Int32Array
  /** The same positions in UTF-8 bytes. */
  readonly bytes: Int32Array
  /** One number per word, equal for equal words of all lines that share the map. */
  readonly ids: Int32Array
}

/** Numbers of the words of one comparison. ASCII characters are their own numbers, so the map's numbers follow them. */
export type WordNumbers = Map<string, number>

const firstFreeNumber = 128

/** Number of a leading space that belongs to no other word. It equals only a leading tab. */
const emptyBody = 0

const blank = 0x20
const tab = 0x09

/** Returns the number of numbers in use, which all of them are below. */
export function countNumbers(numbers: WordNumbers): number {
  return firstFreeNumber + numbers.size
}

/**
 * Splits a line into words: maximal runs of letters, and every other character alone. On lines with Thai letters the
 * runs are split further, see `thaiBreaks`: all of them, or with `thaiIn` as `runs` those that have Thai letters
 * themselves, so that a sentence has the same words on every line.
 */
export function splitWords(fullLine: string, numbers: WordNumbers, thaiIn: 'lines' | 'runs' = 'lines'): Words {
  const line = untilNul(fullLine)
  const breaks = hasThai(line) ? thaiBreaks(line) : null
  if (breaks !== null && thaiIn === 'runs') keepThaiRuns(line, breaks)
  const ids = new Int32Array(line.length)
  const starts = new Int32Array(line.length + 1)
  let count = 0
  let start = 0
  if (startsWithLoneBlank(line)) {
    ids[count++] = emptyBody
    start = 1
  }
  while (start < line.length) {
    starts[count] = start
    const end = wordEnd(line, start, breaks)
    const code = line.charCodeAt(start)
    ids[count++] =
      end === start + 1 && code < firstFreeNumber ? code : firstFreeNumber + numberOf(line.slice(start, end), numbers)
    start = end
  }
  starts[count] = start
  return { line, starts, bytes: byteStarts(line, starts, count), ids: ids.subarray(0, count) }
}

/** Takes away the breaks in runs of letters without Thai. */
function keepThaiRuns(line: string, breaks: Uint8Array): void {
  for (let start = 0; start < line.length; ) {
    const end = wordEnd(line, start, null)
    if (!hasThai(line.slice(start, end))) breaks.fill(0, start, end)
    start = end
  }
}

/** Returns the end of the word that starts here. */
function wordEnd(line: string, start: number, breaks: Uint8Array | null): number {
  let code = line.codePointAt(start)!
  let end = start + unitsOf(code)
  if (!isLetter(code)) return end
  while (end < line.length && breaks?.[end] !== 1) {
    code = line.codePointAt(end)!
    if (!isLetter(code)) break
    end += unitsOf(code)
  }
  return end
}

/** Converts word starts to byte offsets. In ASCII they are equal. */
function byteStarts(line: string, starts: Int32Array, count: number): Int32Array {
  if (Buffer.byteLength(line) === line.length) return starts
  const bytes = new Int32Array(count + 1)
  let size = 0
  for (let word = 0; word < count; word++) {
    for (let at = starts[word]!; at < starts[word + 1]!; ) {
      const code = line.codePointAt(at)!
      at += unitsOf(code)
      size += bytesOf(code)
    }
    bytes[word + 1] = size
  }
  return bytes
}

/** Returns the part of a line before its first NUL, which its words cover. */
export function untilNul(line: string): string {
  const nul = line.indexOf('\0')
  return nul < 0 ? line : line.slice(0, nul)
}

function startsWithLoneBlank(line: string): boolean {
  return isBlank(line.charCodeAt(0)) && !isBlank(line.charCodeAt(1))
}

function isBlank(code: number): boolean {
  return code === blank || code === tab
}

/**
 * Returns true for a word character: ASCII letters, digits and the underscore, and everything from U+00C0 up except
 * scripts written without spaces (kana, Han and its extensions A and B).
 */
function isLetter(code: number): boolean {
  if (code < 0xc0) return isAsciiLetter(code)
  return !(code >= 0x3000 && code <= 0x9fff) && !(code >= 0x20000 && code <= 0x2a000)
}

function isAsciiLetter(code: number): boolean {
  const lower = code | 0x20
  return (lower >= 0x61 && lower <= 0x7a) || (code >= 0x30 && code <= 0x39) || code === 0x5f
}

function unitsOf(code: number): number {
  return code > 0xffff ? 2 : 1
}

function bytesOf(code: number): number {
  if (code < 0x80) return 1
  if (code < 0x800) return 2
  return code > 0xffff ? 4 : 3
}
