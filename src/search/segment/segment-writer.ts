/** Writes a segment: terms in order, then the documents. */

import { isTitleTerm, termPrefixes } from '../words/term-prefixes.ts'
import { type ByteWriter, byteWriter } from './bytes.ts'
import { checkedWriter, type Sink } from './checked-file.ts'
import { fields, type Postings, readPostings } from './postings.ts'

/** Incremented with every change of the format, or of a document's terms. */
export const segmentVersion = 9

/** Terms in a block, which are scanned one by one. */
export const blockTerms = 32

/**
 * Bytes of a document's record: page, revision, namespace, fingerprint, lengths, position of the stored fields, incoming
 * links.
 */
export const recordSize = (6 + fields.length) * 4

/** Bytes of a block's entry: its position in the dictionary, and the number of title rows before it. */
export const blockSize = 8

/** Bytes of a title row: a document, and the number of its title, from 1 on. */
export const titleRowSize = 8

/** Data of a document besides its terms. */
export interface DocumentRecord {
  /** Page id. */
  readonly id: number
  readonly revision: number
  readonly namespace: number
  /** Changes with data that is not in the revision's text: the title, the redirects. */
  readonly fingerprint: number
  /** Distinct terms of each field. */
  readonly lengths: readonly number[]
  /** Terms under which links to it are indexed. */
  readonly linkTerm: string
  /** JSON of the fields that results show. */
  readonly stored: Uint8Array
}

/** Writes one segment. */
export interface SegmentWriter {
  /** Output for the postings of the next term, and for its word positions. */
  readonly postings: ByteWriter
  readonly places: ByteWriter
  /** Adds a term whose postings cover this many documents; terms come in order of their UTF-16 units. */
  readonly term: (term: string, count: number) => void
  /** Adds a document; documents come in order of their ids. */
  readonly document: (record: DocumentRecord) => void
  /** Ends the file. */
  readonly finish: () => void
}

/** Starts a segment. */
export function segmentWriter(sink: Sink): SegmentWriter {
  const file = checkedWriter(sink)
  const dictionary = byteWriter(64 * 1024)
  const postings = byteWriter(64 * 1024)
  const places = byteWriter(64 * 1024)
  const blocks = byteWriter()
  const records = byteWriter()
  const stored = byteWriter()
  const titles = byteWriter()
  const links = new Map<string, number>()
  let [terms, count] = [0, 0]
  let last = ''
  return {
    postings,
    places,
    term: (term, documents) => {
      const isFirst = terms++ % blockTerms === 0
      if (isFirst) {
        blocks.uint32(dictionary.length)
        blocks.uint32(titles.length / titleRowSize)
      }
      if (isTitleTerm(term)) writeTitleRows(titles, readPostings({ bytes: postings.view(), at: 0 }, documents))
      if (term.startsWith(termPrefixes.link)) links.set(term, documents)
      const shared = isFirst ? 0 : sharedLength(last, term)
      dictionary.varint(shared)
      dictionary.text(term.slice(shared))
      dictionary.varint(documents)
      dictionary.varint(file.length)
      dictionary.varint(postings.length)
      dictionary.varint(places.length)
      file.write(postings)
      file.write(places)
      last = term
    },
    document: ({ id, revision, namespace, fingerprint, lengths, linkTerm, stored: shown }) => {
      const values = [id, revision, namespace, fingerprint, ...lengths, stored.length, links.get(linkTerm) ?? 0]
      for (const value of values) records.uint32(value)
      stored.varint(shown.length)
      stored.bytes(shown)
      count++
    },
    finish: () => {
      const starts = [file.length]
      for (const section of [dictionary, blocks, records, stored, titles]) {
        file.write(section)
        starts.push(file.length)
      }
      file.write(headerOf(starts, { terms, count }))
      file.finish()
    },
  }
}

/** Bytes of the result of `headerOf`. */
export const headerSize = 4 * 9

/** Starts of dictionary, blocks, records, stored, titles, and the end; numbers of terms and documents; version. */
function headerOf(starts: readonly number[], { terms, count }: { terms: number; count: number }): ByteWriter {
  const writer = byteWriter(headerSize)
  for (const value of [...starts, terms, count, segmentVersion]) writer.uint32(value)
  return writer
}

function writeTitleRows(writer: ByteWriter, { documents, counts }: Postings): void {
  for (let at = 0; at < documents.length; at++) {
    writer.uint32(documents[at]!)
    writer.uint32(counts[(at + 1) * fields.length - 1]!)
  }
}

/** Number of leading UTF-16 units that two terms share; no surrogate pair is cut. */
function sharedLength(a: string, b: string): number {
  let length = 0
  while (length < a.length && length < b.length && a.charCodeAt(length) === b.charCodeAt(length)) length++
  const last = b.charCodeAt(length - 1)
  return length > 0 && last >= 0xd800 && last < 0xdc00 ? length - 1 : length
}
