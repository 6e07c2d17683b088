/**
 * Collects documents for a segment: the postings of each term are appended to its earlier ones. At the end they are written in
 * the order of the terms.
 */

import { type KeySink, readKeys } from '../words/keys.ts'
import { isPrefixedTerm } from '../words/term-prefixes.ts'
import { byteWriter, skipVarints } from './bytes.ts'
import type { Sink } from './checked-file.ts'
import type { AnalysedDocument } from './document.ts'
import { pageTerms } from './page-terms.ts'
import { postingChains } from './posting-chains.ts'
import { nextPosting, walkPostings } from './postings.ts'
import { type DocumentRecord, type SegmentWriter, segmentWriter } from './segment-writer.ts'
import { termNumbers } from './term-numbers.ts'

/** Collects documents for one segment. */
export interface SegmentBuilder {
  readonly count: number
  /** Memory in use. */
  readonly bytes: number
  /** Adds a document of a page with a higher id than those before. */
  readonly add: (document: AnalysedDocument) => void
  /** Writes the segment; nothing can be added afterwards. */
  readonly write: (sink: Sink) => void
}

/** Starts a segment. */
export function segmentBuilder(): SegmentBuilder {
  const numbers = termNumbers()
  const chains = postingChains()
  const page = pageTerms()
  const records: DocumentRecord[] = []
  /** The field that is being read, and its distinct terms. */
  let [field, distinct] = [0, 0]
  const raise = (number: number, place: number): void => {
    if (page.raise(number, field, place)) distinct++
  }
  const sink: KeySink = {
    word: (text, start, end, place) => raise(numbers.ofWord(text, start, end), place),
    key: (key, place) => raise(numbers.of(key), place),
  }
  const add = ({ record, texts, prefixedTerms }: AnalysedDocument): void => {
    page.clear()
    let place = 1
    const lengths = texts.map((list, at) => {
      ;[field, distinct] = [at, 0]
      place = readKeys(list, place, sink)
      return distinct
    })
    for (const [term, count] of prefixedTerms) page.set(numbers.of(term), count)
    page.file(chains, records.length)
    records.push({ ...record, lengths })
  }
  return {
    get count() {
      return records.length
    },
    get bytes() {
      return numbers.bytes + chains.bytes
    },
    add,
    write: sink => {
      const writer = segmentWriter(sink)
      const encoded = byteWriter()
      for (const [term, number] of numbers.inOrder()) {
        const count = chains.frequency(number)
        chains.copyTo(encoded, number)
        splitPostings(encoded.view(), count, { writer, hasPlaces: !isPrefixedTerm(term) })
        encoded.clear()
        writer.term(term, count)
      }
      for (const record of records) writer.document(record)
      writer.finish()
    },
  }
}

/** Writes postings, with the word positions of each separately. */
function splitPostings(
  bytes: Uint8Array,
  count: number,
  { writer, hasPlaces }: { writer: SegmentWriter; hasPlaces: boolean },
): void {
  const walk = walkPostings(bytes, count)
  for (let start = 0; nextPosting(walk); start = walk.at) {
    const end = walk.at
    writer.postings.part(bytes, start, end)
    if (!hasPlaces) continue
    skipVarints(walk, walk.times)
    writer.places.part(bytes, end, walk.at)
  }
}
