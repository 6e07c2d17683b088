/**
 * Documents on their way into a segment: where their terms are stands in arrays of numbers, since objects for each would take
 * more time and memory than all the rest.
 */

import type { AnalysedDocument } from '../document.ts'
import type { Sink } from './checked-file.ts'
import { fields, type Postings } from './postings.ts'
import { type DocumentRecord, segmentWriter } from './segment-writer.ts'
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

const width = fields.length
const bodyField = width - 1

/** Counts that do not fit into a byte stand elsewhere. */
const isLarge = 0xff

/** Where terms are: of each place the number of its term, of its document, and how often it is there in each field. */
interface Places {
  length: number
  terms: Uint32Array<ArrayBuffer>
  documents: Uint32Array<ArrayBuffer>
  counts: Uint8Array<ArrayBuffer>
  /** Large counts, by where they stand in `counts`. */
  readonly large: Map<number, number>
}

/** Starts a segment. */
export function segmentBuilder(): SegmentBuilder {
  const numbers = termNumbers()
  const records: DocumentRecord[] = []
  const places: Places = {
    length: 0,
    terms: new Uint32Array(1024),
    documents: new Uint32Array(1024),
    counts: new Uint8Array(1024 * width),
    large: new Map(),
  }
  const add = ({ record, keys, marks }: AnalysedDocument): void => {
    const first = places.length
    const lengths = keys.map((words, field) => {
      let distinct = 0
      for (const word of words) if (raise(places, placeOf(places, numbers, word, first), field)) distinct++
      return distinct
    })
    for (const [mark, count] of marks) {
      setCount(places, placeOf(places, numbers, mark, first) * width + bodyField, count)
    }
    for (let at = first; at < places.length; at++) places.documents[at] = records.length
    records.push({ ...record, lengths })
  }
  return {
    get count() {
      return records.length
    },
    get places() {
      return places.length
    },
    add,
    write: sink => {
      const writer = segmentWriter(sink)
      const reader = postingsReader(places, numbers)
      for (const number of numbers.sorted()) writer.term(numbers.term(number), reader(number))
      for (const record of records) writer.document(record)
      writer.finish()
    },
  }
}

/** The place of a term in the document whose places begin at `first`. */
function placeOf(places: Places, numbers: TermNumbers, term: string, first: number): number {
  const number = numbers.of(term)
  const known = numbers.last[number]! - 1
  if (known >= first) return known
  const place = places.length++
  if (place === places.terms.length) {
    places.terms = growTo(places.terms, 2 * place)
    places.documents = growTo(places.documents, 2 * place)
    const counts = new Uint8Array(2 * place * width)
    counts.set(places.counts)
    places.counts = counts
  }
  places.terms[place] = number
  numbers.last[number] = place + 1
  numbers.frequency[number]!++
  return place
}

/** Gives true where it was not there before. */
function raise({ counts, large }: Places, place: number, field: number): boolean {
  const at = place * width + field
  const count = counts[at]!
  if (count < isLarge - 1) counts[at] = count + 1
  else {
    large.set(at, Math.min((count === isLarge ? large.get(at)! : count) + 1, 0xffff))
    counts[at] = isLarge
  }
  return count === 0
}

function setCount({ counts, large }: Places, at: number, count: number): void {
  counts[at] = Math.min(count, isLarge)
  if (count >= isLarge) large.set(at, Math.min(count, 0xffff))
}

/** Gives what reads the places of a term; what that gives is valid until it is asked again. */
function postingsReader(places: Places, { frequency, count }: TermNumbers): (number: number) => Postings {
  const { starts, order } = sortPlaces(places, frequency, count)
  let documents = new Uint32Array(1024)
  let counts = new Uint16Array(1024 * width)
  return number => {
    const [start, length] = [starts[number]!, frequency[number]!]
    if (documents.length < length) {
      documents = new Uint32Array(2 * length)
      counts = new Uint16Array(2 * length * width)
    }
    for (let at = 0; at < length; at++) {
      const place = order[start + at]!
      documents[at] = places.documents[place]!
      for (let field = 0; field < width; field++) {
        const from = place * width + field
        const known = places.counts[from]!
        counts[at * width + field] = known === isLarge ? places.large.get(from)! : known
      }
    }
    return { documents: documents.subarray(0, length), counts }
  }
}

/** The places in order of the numbers of their terms; those of one term stay in order of their documents. */
function sortPlaces(
  { terms, length }: Places,
  frequency: Uint32Array,
  count: number,
): { starts: Uint32Array; order: Uint32Array } {
  const starts = new Uint32Array(count)
  for (let number = 1; number < count; number++) starts[number] = starts[number - 1]! + frequency[number - 1]!
  const next = starts.slice()
  const order = new Uint32Array(length)
  for (let at = 0; at < length; at++) order[next[terms[at]!]!++] = at
  return { starts, order }
}
