/** Segments that become one, read and written in order, a few terms in memory. */

import { setImmediate as pause } from 'node:timers/promises'
import type { Sink } from './checked-file.ts'
import { fields, type Postings } from './postings.ts'
import type { Entry, Segment } from './segment.ts'
import { segmentWriter } from './segment-writer.ts'

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
}

/** Writes the living documents of segments as one, in steps between which others have their turn. */
export async function mergeSegments(sink: Sink, parts: readonly LiveSegment[]): Promise<void> {
  const origins = listOrigins(parts)
  const writer = segmentWriter(sink)
  const join = postingsJoiner(origins.places)
  let end = performance.now() + turn
  for (const found of mergedTerms(parts)) {
    const postings = join(found.map(([from, entry]) => [from, parts[from]!.segment.postings(entry)]))
    if (postings.documents.length > 0) writer.term(found[0]![1].term, postings)
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
  return { from, ordinals, places }
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

/** Gives what joins the postings of a term; what it gives is valid until it is asked again. */
function postingsJoiner(places: readonly Int32Array[]): (lists: readonly (readonly [number, Postings])[]) => Postings {
  let documents = new Uint32Array(1024)
  let counts = new Uint16Array(1024 * fields.length)
  return lists => {
    const most = lists.reduce((sum, [, list]) => sum + list.documents.length, 0)
    if (documents.length < most) {
      documents = new Uint32Array(2 * most)
      counts = new Uint16Array(2 * most * fields.length)
    }
    const heads = lists.map(([from, list]) => listHead(places[from]!, list))
    let length = 0
    for (let head = leastHead(heads); head !== null; head = leastHead(heads)) {
      documents[length] = head.place
      const [to, base] = [length * fields.length, head.at * fields.length]
      for (let field = 0; field < fields.length; field++) counts[to + field] = head.list.counts[base + field]!
      length++
      advance(head, head.at + 1)
    }
    return { documents: documents.subarray(0, length), counts }
  }
}

/** Where one is in the postings of a segment: at a living document, or at the end. */
interface ListHead {
  readonly places: Int32Array
  readonly list: Postings
  at: number
  place: number
}

function listHead(places: Int32Array, list: Postings): ListHead {
  const head: ListHead = { places, list, at: 0, place: 0 }
  advance(head, 0)
  return head
}

function advance(head: ListHead, to: number): void {
  const { places, list } = head
  const { length } = list.documents
  let at = to
  while (at < length && places[list.documents[at]!]! < 0) at++
  head.at = at
  head.place = at < length ? places[list.documents[at]!]! : Number.POSITIVE_INFINITY
}

function leastHead(heads: readonly ListHead[]): ListHead | null {
  let least: ListHead | null = null
  for (const head of heads) if (head.place < (least?.place ?? Number.POSITIVE_INFINITY)) least = head
  return least
}
