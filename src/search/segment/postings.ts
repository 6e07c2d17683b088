/** In which documents of a segment a term is, and how often in which field. */

import { type ByteWriter, type Cursor, readVarint } from './bytes.ts'
import { forEachCommon, unite } from './ordinals.ts'

/** Fields of a document that are weighed, the most telling first. */
export const fields = ['title', 'redirects', 'headings', 'lead', 'body'] as const

/** Name of a field. */
export type Field = (typeof fields)[number]

/** Where a term is, documents in order. */
export interface Postings {
  /** Ordinals of the documents. */
  readonly documents: Uint32Array
  /** How often in each field of each: `fields.length` numbers a document. */
  readonly counts: Uint16Array
}

const bodyAlone = 1 << (fields.length - 1)

/** Writes postings: distance from the document before, a bit for once in the body, or which fields and how often. */
export function writePostings(writer: ByteWriter, { documents, counts }: Postings): void {
  let last = -1
  for (let at = 0; at < documents.length; at++) {
    const mask = maskAt(counts, at)
    const isPlain = mask === bodyAlone && counts[at * fields.length + fields.length - 1] === 1
    writer.varint((documents[at]! - last - 1) * 2 + Number(isPlain))
    last = documents[at]!
    if (isPlain) continue
    writer.byte(mask)
    for (let field = 0; field < fields.length; field++) {
      if (mask & (1 << field)) writer.varint(counts[at * fields.length + field]!)
    }
  }
}

/** Reads postings of so many documents. */
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

function maskAt(counts: Uint16Array, at: number): number {
  let mask = 0
  for (let field = 0; field < fields.length; field++) {
    if (counts[at * fields.length + field]! > 0) mask |= 1 << field
  }
  return mask
}

/** Makes postings of what terms have together; counts of one document are added. */
export function joinPostings(lists: readonly Postings[]): Postings {
  const documents = unite(lists.map(list => list.documents))
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
