/** Merges segments: terms are read and written in order, a few at a time in memory. */

import { setImmediate as pause } from 'node:timers/promises'
import { type Cursor, skipVarints } from './bytes.ts'
import type { Sink } from './checked-file.ts'
import { copyPosting, copyPostings, lastDocument, nextPosting, type PostingsWalk, walkPostings } from './postings.ts'
import type { Entry, Segment } from './segment.ts'
import { type SegmentWriter, segmentWriter } from './segment-writer.ts'

/** Milliseconds of a time slice. */
const turn = 8

/** A segment with its deleted documents. */
export interface LiveSegment {
  readonly segment: Segment
  readonly dead: ReadonlySet<number>
}

/** The living documents of the segments, in order of their page ids. */
interface Origins {
  readonly from: Uint16Array
  readonly ordinals: Uint32Array
  /** For each segment, the new ordinals of its documents; -1 for deleted ones. */
  readonly places: readonly Int32Array[]
  /** For each segment, the common shift of all its documents; null if there is none. */
  readonly offsets: readonly (number | null)[]
}

/** Writes the live documents of segments as one segment, in time slices. */
export async function mergeSegments(sink: Sink, segments: readonly LiveSegment[]): Promise<void> {
  const parts = segments
    .filter(({ segment }) => segment.count > 0)
    .toSorted((a, b) => a.segment.id(0) - b.segment.id(0))
  const origins = listOrigins(parts)
  const writer = segmentWriter(sink)
  let end = performance.now() + turn
  for (const found of mergedTerms(parts)) {
    const count = joinPostings(writer, found, { parts, origins })
    if (count > 0) writer.term(found[0]![1].term, count)
    if (performance.now() < end) continue
    await pause()
    end = performance.now() + turn
  }
  for (const [at, from] of origins.from.entries()) {
    writer.document(parts[from]!.segment.record(origins.ordinals[at]!))
    if (performance.now() < end) continue
    await pause()
    end = performance.now() + turn
  }
  writer.finish()
}

/** Each segment is sorted already: the next document is always the first one left of some segment. */
function listOrigins(parts: readonly LiveSegment[]): Origins {
  const count = parts.reduce((sum, { segment, dead }) => sum + segment.count - dead.size, 0)
  const [from, ordinals] = [new Uint16Array(count), new Uint32Array(count)]
  const places = parts.map(({ segment }) => new Int32Array(segment.count).fill(-1))
  const heads = parts.map(part => nextLiving(part, 0))
  for (let at = 0; at < count; at++) {
    let least = -1
    let leastId = Number.POSITIVE_INFINITY
    for (let part = 0; part < parts.length; part++) {
      const { segment } = parts[part]!
      const id = heads[part]! < segment.count ? segment.id(heads[part]!) : Number.POSITIVE_INFINITY
      if (id < leastId) [least, leastId] = [part, id]
    }
    from[at] = least
    ordinals[at] = heads[least]!
    places[least]![heads[least]!] = at
    heads[least] = nextLiving(parts[least]!, heads[least]! + 1)
  }
  const offsets = places.map(list =>
    list.every((place, at) => place >= 0 && place === list[0]! + at) ? list[0]! : null,
  )
  return { from, ordinals, places, offsets }
}

function nextLiving({ segment, dead }: LiveSegment, ordinal: number): number {
  let next = ordinal
  while (next < segment.count && dead.has(next)) next++
  return next
}

/** Terms in order, each with its entries in the segments. */
function* mergedTerms(parts: readonly LiveSegment[]): Generator<[from: number, Entry][], void, undefined> {
  const walks = parts.map(({ segment }) => segment.from(''))
  const heads = walks.map(walk => walk.next().value as Entry | undefined)
  for (;;) {
    let first: string | undefined
    for (const head of heads) {
      if (head !== undefined && (first === undefined || head.term < first)) first = head.term
    }
    if (first === undefined) return
    const found: [number, Entry][] = []
    for (let part = 0; part < heads.length; part++) {
      const head = heads[part]
      if (head?.term !== first) continue
      found.push([part, head])
      heads[part] = walks[part]!.next().value as Entry | undefined
    }
    yield found
  }
}

/** Position in the postings of a segment: at a live document with its number in the merged segment, or at the end. */
interface ListHead {
  readonly walk: PostingsWalk
  /** End and start of the term's word positions in the document. */
  readonly words: Cursor
  wordsStart: number
  readonly places: Int32Array
  place: number
}

function listHead(walk: PostingsWalk, words: Cursor, places: Int32Array): ListHead {
  const head: ListHead = { walk, words, wordsStart: 0, places, place: 0 }
  advance(head)
  return head
}

function advance(head: ListHead): void {
  const { walk, words, places } = head
  while (nextPosting(walk)) {
    head.wordsStart = words.at
    if (words.bytes.length > 0) skipVarints(words, walk.times)
    head.place = places[walk.document]!
    if (head.place >= 0) return
  }
  head.place = Number.POSITIVE_INFINITY
}

/** Writes the postings of a term in all segments; returns the number of its live documents. */
function joinPostings(
  writer: SegmentWriter,
  found: readonly [from: number, Entry][],
  { parts, origins: { places, offsets } }: { parts: readonly LiveSegment[]; origins: Origins },
): number {
  if (found.every(([from]) => offsets[from] !== null)) return appendPostings(writer, found, { parts, offsets })
  const heads = found.map(([from, entry]) => {
    const { segment } = parts[from]!
    const walk = walkPostings(segment.postingBytes(entry), entry.count)
    return listHead(walk, { bytes: segment.placeBytes(entry), at: 0 }, places[from]!)
  })
  let [count, next] = [0, 0]
  for (let head = leastHead(heads); head !== null; head = leastHead(heads)) {
    copyPosting(head.walk, writer.postings, head.place - next)
    writer.places.part(head.words.bytes, head.wordsStart, head.words.at)
    next = head.place + 1
    count++
    advance(head)
  }
  return count
}

/** If the documents of each segment stay together, one segment after another, lists are copied whole. */
function appendPostings(
  writer: SegmentWriter,
  found: readonly [from: number, Entry][],
  { parts, offsets }: { parts: readonly LiveSegment[]; offsets: Origins['offsets'] },
): number {
  let [count, next] = [0, 0]
  for (const [at, [from, entry]] of found.entries()) {
    const [{ segment }, offset] = [parts[from]!, offsets[from]!]
    const bytes = segment.postingBytes(entry)
    copyPostings(bytes, writer.postings, offset - next)
    writer.places.bytes(segment.placeBytes(entry))
    if (at < found.length - 1) next = offset + lastDocument(bytes, entry.count) + 1
    count += entry.count
  }
  return count
}

function leastHead(heads: readonly ListHead[]): ListHead | null {
  let least: ListHead | null = null
  for (const head of heads) if (head.place < (least?.place ?? Number.POSITIVE_INFINITY)) least = head
  return least
}
