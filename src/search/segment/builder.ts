/**
 * Documents on their way into a segment: what a segment will say of each of their terms is written at once, one behind the
 * other, with the number of the term beside it. In the end that is put in the order of the terms.
 */

import type { AnalysedDocument } from '../document.ts'
import { byteWriter } from './bytes.ts'
import type { Sink } from './checked-file.ts'
import { type PlaceLog, pageTerms } from './page-terms.ts'
import { type DocumentRecord, type SegmentWriter, segmentWriter } from './segment-writer.ts'
import { growTo, type TermNumbers, termNumbers } from './term-numbers.ts'

/** Gathers documents for one segment. */
export interface SegmentBuilder {
  readonly count: number
  /** Number of distinct terms of each document, summed up: what it weighs in memory is in proportion. */
  readonly places: number
  /** Adds a document of a page with a higher id than those before. */
  readonly add: (document: AnalysedDocument) => void
  /** Writes what was added; nothing can be added any more. */
  readonly write: (sink: Sink) => void
}

/** Starts a segment. */
export function segmentBuilder(): SegmentBuilder {
  const numbers = termNumbers()
  const records: DocumentRecord[] = []
  const log = placeLog()
  const page = pageTerms(numbers)
  const add = ({ record, keys, marks }: AnalysedDocument): void => {
    page.clear()
    const lengths = keys.map(({ names, places }, field) => {
      let distinct = 0
      for (let at = 0; at < names.length; at++) if (page.raise(names[at]!, field, places[at]!)) distinct++
      return distinct
    })
    for (const [mark, count] of marks) page.set(mark, count)
    page.file(log, records.length)
    records.push({ ...record, lengths })
  }
  return {
    get count() {
      return records.length
    },
    get places() {
      return log.length
    },
    add,
    write: sink => {
      const writer = segmentWriter(sink)
      const copy = log.reader(numbers, writer)
      for (const number of numbers.sorted()) {
        copy(number)
        writer.term(numbers.term(number), numbers.frequency[number]!)
      }
      for (const record of records) writer.document(record)
      writer.finish()
    },
  }
}

function placeLog(): PlaceLog & {
  /** Gives what writes all that is said of a term. */
  readonly reader: (numbers: TermNumbers, writer: SegmentWriter) => (number: number) => void
} {
  const bytes = byteWriter(64 * 1024)
  let terms = new Uint32Array(1024)
  /** Where each place begins, and where in it the places of the words do. */
  let starts = new Uint32Array(2 * 1024)
  let length = 0
  return {
    get length() {
      return length
    },
    bytes,
    begin: number => {
      if (length + 1 === terms.length)
        [terms, starts] = [growTo(terms, 2 * terms.length), growTo(starts, 2 * starts.length)]
      terms[length] = number
    },
    split: () => {
      starts[2 * length + 1] = bytes.length
    },
    end: () => {
      starts[2 * ++length] = bytes.length
    },
    reader: (numbers, writer) => {
      const { firsts, order } = sortPlaces(terms.subarray(0, length), numbers)
      return number => {
        for (let at = firsts[number]!, end = at + numbers.frequency[number]!; at < end; at++) {
          const place = 2 * order[at]!
          bytes.copyTo(writer.postings, starts[place]!, starts[place + 1]!)
          bytes.copyTo(writer.places, starts[place + 1]!, starts[place + 2]!)
        }
      }
    },
  }
}

/** The places in order of the numbers of their terms; those of one term stay in order of their documents. */
function sortPlaces(
  terms: Uint32Array,
  { frequency, count }: TermNumbers,
): { firsts: Uint32Array; order: Uint32Array } {
  const firsts = new Uint32Array(count)
  for (let number = 1; number < count; number++) firsts[number] = firsts[number - 1]! + frequency[number - 1]!
  const next = firsts.slice()
  const order = new Uint32Array(terms.length)
  for (let at = 0; at < terms.length; at++) order[next[terms[at]!]!++] = at
  return { firsts, order }
}
