/** Postings: the documents of a segment that have a term, and the frequency in each field. */

import { type ByteWriter, type Cursor, readVarint } from './bytes.ts'
import { forEachCommon, union } from './ordinals.ts'

/** Scored fields of a document, the most significant first. */
export const fields = ['title', 'redirects', 'headings', 'lead', 'body'] as const

/** Name of a field. */
export type Field = (typeof fields)[number]

/** Documents of a term, in order. */
export interface Postings {
  /** Ordinals of the documents. */
  readonly documents: Uint32Array
  /** Occurrences in each field of each document: `fields.length` numbers a document. */
  readonly counts: Uint16Array
}

const width = fields.length
const bodyField = width - 1

/** Maximum count of a term. */
export const maxCounted = 0xffff

/**
 * Writes a posting: the distance from the term's last document, with a flag for a single occurrence in the body; otherwise the
 * fields and the frequency in each. The counts start at `base`.
 */
export function writePosting(writer: ByteWriter, gap: number, counts: Uint16Array, base: number): void {
  const mask = maskAt(counts, base)
  const isPlain = mask === 1 << bodyField && counts[base + bodyField] === 1
  writer.varint(gap * 2 + Number(isPlain))
  if (isPlain) return
  writer.byte(mask)
  for (let field = 0; field < width; field++) if (mask & (1 << field)) writer.varint(counts[base + field]!)
}

/** Cursor over postings that are read one by one to be rewritten. It starts before the first. */
export interface PostingsWalk extends Cursor {
  /** Current document. */
  document: number
  /** Documents after the current one. */
  left: number
  /** Number before the counts of the current document, and start of the counts. */
  head: number
  start: number
  /** Occurrences in the current document. */
  times: number
}

/** Begins to read the postings of the given number of documents. */
export function walkPostings(bytes: Uint8Array, count: number): PostingsWalk {
  return { bytes, at: 0, document: -1, left: count, head: 0, start: 0, times: 0 }
}

/** Moves to the next document; false if there is none. */
export function nextPosting(walk: PostingsWalk): boolean {
  if (walk.left === 0) return false
  walk.left--
  walk.head = readVarint(walk)
  walk.document += (walk.head >>> 1) + 1
  walk.start = walk.at
  walk.times = walk.head & 1 ? 1 : sumCounts(walk)
  return true
}

/** Writes the current posting at the given distance from another document. */
export function copyPosting(walk: PostingsWalk, writer: ByteWriter, gap: number): void {
  writer.varint(gap * 2 + (walk.head & 1))
  writer.part(walk.bytes, walk.start, walk.at)
}

/** Writes all postings of a term, with the documents shifted. */
export function copyPostings(bytes: Uint8Array, writer: ByteWriter, offset: number): void {
  const cursor = { bytes, at: 0 }
  writer.varint(readVarint(cursor) + 2 * offset)
  writer.part(bytes, cursor.at, bytes.length)
}

/** The last of the given number of documents. */
export function lastDocument(bytes: Uint8Array, count: number): number {
  const walk = walkPostings(bytes, count)
  while (nextPosting(walk));
  return walk.document
}

function sumCounts(cursor: Cursor): number {
  let sum = 0
  for (let mask = cursor.bytes[cursor.at++] as number; mask > 0; mask &= mask - 1) sum += readVarint(cursor)
  return sum
}

/** Reads the postings of the given number of documents. */
export function readPostings(cursor: Cursor, count: number): Postings {
  const documents = new Uint32Array(count)
  const counts = new Uint16Array(count * fields.length)
  let document = -1
  for (let at = 0; at < count; at++) {
    const head = readVarint(cursor)
    document += (head >>> 1) + 1
    documents[at] = document
    const base = at * fields.length
    if (head & 1) counts[base + fields.length - 1] = 1
    else readCounts(cursor, counts, base)
  }
  return { documents, counts }
}

function readCounts(cursor: Cursor, counts: Uint16Array, base: number): void {
  const mask = cursor.bytes[cursor.at++] as number
  for (let field = 0; field < fields.length; field++) {
    if (mask & (1 << field)) counts[base + field] = readVarint(cursor)
  }
}

function maskAt(counts: Uint16Array, base: number): number {
  let mask = 0
  for (let field = 0; field < width; field++) if (counts[base + field]! > 0) mask |= 1 << field
  return mask
}

/** Joins the postings of several terms; the counts of one document are added. */
export function joinPostings(lists: readonly Postings[]): Postings {
  const documents = union(lists.map(list => list.documents))
  const counts = new Uint16Array(documents.length * fields.length)
  for (const list of lists) {
    forEachCommon(list.documents, documents, (from, to) => addCounts(counts, to, list.counts, from))
  }
  return { documents, counts }
}

function addCounts(target: Uint16Array, to: number, source: Uint16Array, from: number): void {
  for (let field = 0; field < fields.length; field++) {
    const at = to * fields.length + field
    target[at] = Math.min(target[at]! + source[from * fields.length + field]!, 0xffff)
  }
}
