/** Finds the documents that contain the phrases of a query, by word positions. */

import type { LiveSegment } from '../segment/build.ts'
import { anyPlaceReader, type PlaceReader, placeReader } from '../segment/word-positions.ts'
import type { PreparedQuery } from './prepared-query.ts'
import { isPhrase, type QueryPart } from './query.ts'

/** Keeps the documents that contain a phrase, or those that do not. Ordinals ascend. */
export function withPhrase(
  { segment }: LiveSegment,
  from: number,
  { part, prepared, ordinals, isWanted }: SearchTarget & { readonly ordinals: Uint32Array; readonly isWanted: boolean },
): Uint32Array {
  if (!isPhrase(part) || ordinals.length === 0) return ordinals
  const isHeld = phraseTest(segment, from, { part, prepared })
  return ordinals.filter(ordinal => isHeld(ordinal) === isWanted)
}

interface SearchTarget {
  readonly part: QueryPart
  readonly prepared: PreparedQuery
}

/** Returns true if the words of a phrase are adjacent; documents are requested in ascending order. */
function phraseTest(segment: LiveSegment['segment'], from: number, sought: SearchTarget): (ordinal: number) => boolean {
  const [first, ...others] = wordReaders(segment, from, sought)
  return ordinal => {
    let places = first!(ordinal)
    for (let word = 0; word < others.length && places.length > 0; word++) {
      places = placesBehind(places, others[word]!(ordinal))
    }
    return places.length > 0
  }
}

/** A reader for each word of a phrase. Only the first is restricted to titles, since no phrase spans two fields. */
function wordReaders(segment: LiveSegment['segment'], from: number, { part, prepared }: SearchTarget): PlaceReader[] {
  return part.alternatives[0]!.map((key, word) => {
    const inTitles = part.inTitle && word === 0
    const readers = prepared.expanded.get(key)!.flatMap(({ term, postings }) => {
      const list = postings[from] ?? null
      return list === null ? [] : placeReader(segment, term, { postings: list, inTitles })
    })
    return anyPlaceReader(readers)
  })
}

/** Positions of the second list that directly follow one of the first, written over the first; both ascend. */
function placesBehind(first: Uint32Array, second: Uint32Array): Uint32Array {
  let [at, length] = [0, 0]
  for (let behind = 0; behind < second.length; behind++) {
    const place = second[behind]!
    while (at < first.length && first[at]! < place - 1) at++
    if (at === first.length) break
    if (first[at] === place - 1) second[length++] = place
  }
  return second.subarray(0, length)
}
