/** Reads word positions in the documents of a segment, forward from document to document. */

import { type Cursor, readVarint, skipVarints } from './bytes.ts'
import { fields, type Postings } from './postings.ts'
import type { Segment } from './segment.ts'

/** Titles are the fields up to this one. */
const redirectsField = fields.indexOf('redirects')

/** Returns the positions of a word in a document, ascending; documents are requested in order. Valid until the next call. */
export type PlaceReader = (ordinal: number) => Uint32Array

const none = new Uint32Array()

/** Reads the positions of a term whose postings are known: all, or those in titles. */
export function placeReader(
  segment: Segment,
  term: string,
  { postings, inTitles }: { postings: Postings; inTitles: boolean },
): PlaceReader {
  const entry = segment.find(term)
  if (entry === undefined || entry.placesLength === 0) return () => none
  const cursor: Cursor = { bytes: segment.placeBytes(entry), at: 0 }
  const { documents } = postings
  let places = new Uint32Array(256)
  let at = 0
  return ordinal => {
    let skipped = 0
    for (; at < documents.length && documents[at]! < ordinal; at++) skipped += timesAt(postings, at)
    skipVarints(cursor, skipped)
    if (documents[at] !== ordinal) return none
    const times = timesAt(postings, at)
    if (times > places.length) places = new Uint32Array(2 * times)
    return places.subarray(0, readPlaces(cursor, places, { postings, at: at++, inTitles }))
  }
}

/** Reads the places of any of several words. */
export function anyPlaceReader(readers: readonly PlaceReader[]): PlaceReader {
  if (readers.length === 1) return readers[0]!
  return ordinal => Uint32Array.from(readers.flatMap(read => [...read(ordinal)])).sort()
}

function timesAt({ counts }: Postings, at: number): number {
  let times = 0
  for (let field = at * fields.length; field < (at + 1) * fields.length; field++) times += counts[field]!
  return times
}

/** Returns the number of valid positions. */
function readPlaces(
  cursor: Cursor,
  places: Uint32Array,
  { postings, at, inTitles }: { postings: Postings; at: number; inTitles: boolean },
): number {
  let [length, place] = [0, 0]
  for (let field = 0; field < fields.length; field++) {
    const isMeant = !inTitles || field <= redirectsField
    for (let left = postings.counts[at * fields.length + field]!; left > 0; left--) {
      const step = readVarint(cursor)
      place += step
      if (step > 0 && isMeant) places[length++] = place
    }
  }
  return length
}
