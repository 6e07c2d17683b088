/** Segments that become one, read and written in order, a few terms in memory. */

import { setImmediate as pause } from 'node:timers/promises'
import { type Cursor, skipVarints } from './bytes.ts'
import type { Sink } from './checked-file.ts'
import { copyPosting, copyPostings, lastDocument, nextPosting, type PostingsWalk, walkPostings } from './postings.ts'
import type { Entry, Segment } from './segment.ts'
import { type SegmentWriter, segmentWriter } from './segment-writer.ts'

/** Milliseconds of work at a time, so that others have their turn. */
const turn = 8

/** A segment with those of its documents that count no more. */
export interface LiveSegment {
  readonly segment: Segment
  readonly dead: ReadonlySet<number>
}

/** The living documents of the segments, in order of their page ids. */
interface Origins {
  readonly from: Uint16Array
  readonly ordinals: Uint32Array
  /** Of each segment where its documents are among all; -1 for dead ones. */
  readonly places: readonly Int32Array[]
  /** Of each segment how far all its documents moved together; null if they did not. */
  readonly offsets: readonly (number | null)[]
}

/** Writes the living documents of segments as one, in steps between which others have their turn. */
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

/** Each segment has its documents in order already: the next one is always the first of one of them. */
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

/** Terms in order, each as the entries that segments have of it. */
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
  /** Places of its words in the document end here, and begin there. */
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

/** Writes the postings of a term in all segments; returns the number of its living documents. */
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

/** Of segments whose documents stay together, one segment's behind another's, lists are copied whole. */
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
