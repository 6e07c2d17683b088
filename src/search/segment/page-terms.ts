/** The terms of the document being added to a segment: frequencies and positions. */

import { type ByteWriter, byteWriter } from './bytes.ts'
import type { PostingChains } from './posting-chains.ts'
import { fields, maxCounted, writePosting } from './postings.ts'
import { growTo } from './term-numbers.ts'

const width = fields.length
const bodyField = width - 1

/** Terms of one document, by their numbers. */
export interface PageTerms {
  readonly clear: () => void
  /** Counts an occurrence at a position; returns true if the term is new in the field. */
  readonly raise: (number: number, field: number, place: number) => boolean
  /** Sets the number that a non-word term has instead of a frequency. */
  readonly set: (number: number, count: number) => void
  /** Writes the postings of a document's terms; returns the number of terms. */
  readonly file: (chains: PostingChains, document: number) => number
}

/** Positions of terms in the order found, one linked list for each term. */
interface Finds {
  length: number
  places: Uint32Array<ArrayBuffer>
  /** For each position, the next one of the same term; 0 if there is none. */
  next: Uint32Array<ArrayBuffer>
}

/** Starts with no document. */
export function pageTerms(): PageTerms {
  let terms = new Uint32Array(1024)
  let counts = new Uint16Array(1024 * width)
  let [first, last] = [new Uint32Array(1024), new Uint32Array(1024)]
  const finds: Finds = { length: 1, places: new Uint32Array(1024), next: new Uint32Array(1024) }
  /** Last position of each term, counted from 1 over all documents. */
  let seen = new Uint32Array(1024)
  /** Terms of the documents before and of this one. */
  let [before, length] = [0, 0]
  const writer = byteWriter()
  const slotOf = (number: number): number => {
    if (number >= seen.length) seen = growTo(seen, 2 * number)
    const place = seen[number]! - 1 - before
    if (place >= 0) return place
    if (length === terms.length) {
      ;[terms, first, last] = [growTo(terms, 2 * length), growTo(first, 2 * length), growTo(last, 2 * length)]
      const more = new Uint16Array(2 * length * width)
      more.set(counts)
      counts = more
    }
    terms[length] = number
    first[length] = 0
    seen[number] = before + length + 1
    return length++
  }
  return {
    clear: () => {
      counts.fill(0, 0, length * width)
      before += length
      length = 0
      finds.length = 1
    },
    raise: (number, field, place) => {
      const slot = slotOf(number)
      const count = counts[slot * width + field]!
      if (count === maxCounted) return false
      counts[slot * width + field] = count + 1
      const find = addFind(finds, place)
      if (first[slot] === 0) first[slot] = find
      else finds.next[last[slot]!] = find
      last[slot] = find
      return count === 0
    },
    set: (number, count) => {
      counts[slotOf(number) * width + bodyField] = Math.min(count, maxCounted)
    },
    file: (chains, document) => {
      for (let slot = 0; slot < length; slot++) {
        const number = terms[slot]!
        writePosting(writer, chains.count(number, document), counts, slot * width)
        writePlaces(writer, finds, first[slot]!)
        chains.append(number, writer)
      }
      return length
    },
  }
}

function addFind(finds: Finds, place: number): number {
  const find = finds.length++
  if (find === finds.places.length) {
    finds.places = growTo(finds.places, 2 * find)
    finds.next = growTo(finds.next, 2 * find)
  }
  finds.places[find] = place
  finds.next[find] = 0
  return find
}

/** Writes the positions of a term in a document as differences; 0 for a position that is none. */
function writePlaces(writer: ByteWriter, { places, next }: Finds, first: number): void {
  let last = 0
  for (let find = first; find !== 0; find = next[find]!) {
    const place = places[find]!
    writer.varint(place === 0 ? 0 : place - last)
    if (place > 0) last = place
  }
}
