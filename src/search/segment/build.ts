/** New segments: from documents in memory, or from segments that become one. */

import { setImmediate as pause } from 'node:timers/promises'
import type { AnalysedDocument } from '../document.ts'
import type { Sink } from './checked-file.ts'
import { fields, type Postings } from './postings.ts'
import type { Entry, Segment } from './segment.ts'
import { segmentWriter } from './segment-writer.ts'

/** Milliseconds of work at a time, so that others have their turn. */
const turn = 8

/** Writes documents, each of another page, as a segment. */
export function buildSegment(sink: Sink, documents: readonly AnalysedDocument[]): void {
  const sorted = documents.toSorted((a, b) => a.record.id - b.record.id)
  const lists = new Map<string, number[]>()
  for (const [ordinal, { terms, counts }] of sorted.entries()) {
    for (const [term, place] of terms) {
      const row = lists.get(term) ?? []
      if (row.length === 0) lists.set(term, row)
      row.push(ordinal)
      for (let field = 0; field < fields.length; field++) row.push(counts[place + field]!)
    }
  }
  const writer = segmentWriter(sink)
  for (const term of [...lists.keys()].sort()) writer.term(term, postingsOf(lists.get(term)!))
  writer.finish(sorted.map(({ record }) => record))
}

/** Numbers of a document in a row: its ordinal and its counts. */
const rowLength = 1 + fields.length

function postingsOf(rows: readonly number[]): Postings {
  const length = rows.length / rowLength
  const documents = new Uint32Array(length)
  const counts = new Uint16Array(length * fields.length)
  for (let at = 0; at < length; at++) {
    documents[at] = rows[at * rowLength]!
    for (let field = 0; field < fields.length; field++) {
      counts[at * fields.length + field] = rows[at * rowLength + 1 + field]!
    }
  }
  return { documents, counts }
}

/** A segment with those of its documents that count no more. */
export interface LiveSegment {
  readonly segment: Segment
  readonly dead: ReadonlySet<number>
}

/** Where a document of a merged segment comes from. */
interface Origin {
  readonly from: number
  readonly ordinal: number
  readonly id: number
}

/** Writes the living documents of segments as one, in steps between which others have their turn. */
export async function mergeSegments(sink: Sink, parts: readonly LiveSegment[]): Promise<void> {
  const origins = parts.flatMap(listLiving).sort((a, b) => a.id - b.id)
  const places = parts.map(({ segment }) => new Int32Array(segment.count).fill(-1))
  for (const [at, { from, ordinal }] of origins.entries()) places[from]![ordinal] = at
  const writer = segmentWriter(sink)
  let end = performance.now() + turn
  for (const [term, found] of mergedTerms(parts)) {
    const postings = joinPostings(found.map(([from, entry]) => [parts[from]!.segment.postings(entry), places[from]!]))
    if (postings.documents.length > 0) writer.term(term, postings)
    if (performance.now() < end) continue
    await pause()
    end = performance.now() + turn
  }
  const records = function* () {
    for (const { from, ordinal } of origins) yield parts[from]!.segment.record(ordinal)
  }
  writer.finish(records())
}

function listLiving({ segment, dead }: LiveSegment, from: number): Origin[] {
  const ordinals = Array.from({ length: segment.count }, (_, ordinal) => ordinal).filter(ordinal => !dead.has(ordinal))
  return ordinals.map(ordinal => ({ from, ordinal, id: segment.id(ordinal) }))
}

/** Terms in order, with the segments that have them. */
function* mergedTerms(parts: readonly LiveSegment[]): Generator<[string, [number, Entry][]], void, undefined> {
  const lists = parts.map(({ segment }) => segment.from(''))
  const heads = lists.map(list => list.next().value as Entry | undefined)
  for (;;) {
    const first = heads.reduce<string | null>(
      (least, head) => (head && (least === null || head.term < least) ? head.term : least),
      null,
    )
    if (first === null) return
    const found: [number, Entry][] = []
    for (const [at, head] of heads.entries()) {
      if (head?.term !== first) continue
      found.push([at, head])
      heads[at] = lists[at]!.next().value as Entry | undefined
    }
    yield [first, found]
  }
}

function joinPostings(lists: readonly (readonly [Postings, Int32Array])[]): Postings {
  const rows: [place: number, list: number, at: number][] = []
  for (const [list, [{ documents }, places]] of lists.entries()) {
    for (const [at, document] of documents.entries())
      if (places[document]! >= 0) rows.push([places[document]!, list, at])
  }
  rows.sort((a, b) => a[0] - b[0])
  const documents = Uint32Array.from(rows, ([place]) => place)
  const counts = new Uint16Array(rows.length * fields.length)
  for (const [to, [, list, at]] of rows.entries()) {
    const from = lists[list]![0].counts
    for (let field = 0; field < fields.length; field++) {
      counts[to * fields.length + field] = from[at * fields.length + field]!
    }
  }
  return { documents, counts }
}
