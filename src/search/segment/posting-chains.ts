/**
 * Postings of terms while documents are added: the growing bytes of many terms, in chunks of one array. A term's chunks
 * are linked, each twice as long as the one before, so that most terms need one and frequent ones are read in long runs.
 */

import type { ByteWriter } from './bytes.ts'
import { growTo } from './term-numbers.ts'

/** Bytes of a term's first chunk, and of the longest ones; after each is room for the link to the next. */
const firstPiece = 8
const longestPiece = 4096
const linkSize = 4

/** Columns of a term: its first chunk, its write position, the end and size of the current chunk, and its documents. */
const row = { head: 0, at: 1, end: 2, size: 3, frequency: 4, next: 5, length: 6 } as const

/** Bytes of many terms, by their numbers. */
export interface PostingChains {
  /** Memory in use. */
  readonly bytes: number
  /** Number of documents that a term is in. */
  readonly frequency: (number: number) => number
  /** Counts a document of a term; returns the number of documents between it and the previous one. */
  readonly count: (number: number, document: number) => number
  /** Appends the written bytes, at least one, to a term's chain. */
  readonly append: (number: number, writer: ByteWriter) => void
  /** Writes the bytes of a term. */
  readonly copyTo: (writer: ByteWriter, number: number) => void
}

/** Starts with no terms. */
export function postingChains(): PostingChains {
  let rows = new Uint32Array(row.length * 1024)
  let bytes = Buffer.allocUnsafe(64 * 1024)
  let length = 0
  /** Starts a chunk after the full one. */
  const grow = (base: number): void => {
    const [end, last] = [rows[base + row.end]!, rows[base + row.size]!]
    const size = last === 0 ? firstPiece : Math.min(2 * last, longestPiece)
    if (length + size + linkSize > bytes.length) {
      const more = Buffer.allocUnsafe(2 * bytes.length)
      bytes.copy(more, 0, 0, length)
      bytes = more
    }
    if (last === 0) rows[base + row.head] = length
    else bytes.writeUInt32LE(length, end)
    rows[base + row.at] = length
    rows[base + row.end] = length + size
    rows[base + row.size] = size
    length += size + linkSize
  }
  let base = 0
  const target = {
    part: (from: Uint8Array, start: number, end: number): void => {
      let at = rows[base + row.at]!
      let limit = rows[base + row.end]!
      for (let source = start; source < end; source++) {
        if (at === limit) {
          grow(base)
          at = rows[base + row.at]!
          limit = rows[base + row.end]!
        }
        bytes[at++] = from[source]!
      }
      rows[base + row.at] = at
    },
  }
  return {
    get bytes() {
      return rows.byteLength + length
    },
    frequency: number => rows[number * row.length + row.frequency]!,
    count: (number, document) => {
      const base = number * row.length
      if (base >= rows.length) rows = growTo(rows, 2 * (base + row.length))
      const gap = document - rows[base + row.next]!
      rows[base + row.next] = document + 1
      rows[base + row.frequency]!++
      return gap
    },
    append: (number, writer) => {
      base = number * row.length
      writer.moveTo(target)
    },
    copyTo: (writer, number) => {
      const base = number * row.length
      let at = rows[base + row.head]!
      for (let size = firstPiece; at + size !== rows[base + row.end]; size = Math.min(2 * size, longestPiece)) {
        writer.part(bytes, at, at + size)
        at = bytes.readUInt32LE(at + size)
      }
      writer.part(bytes, at, rows[base + row.at]!)
    },
  }
}
