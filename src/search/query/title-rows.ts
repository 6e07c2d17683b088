/** Finds the titles of the most linked pages among many with the same prefix, without reading each. */

import type { LiveSegment } from '../segment/build.ts'
import { titleStride } from '../segment/segment.ts'

/** Rows of titles of a segment. */
export interface RowRange {
  readonly start: number
  readonly end: number
}

/** Up to this number of rows, all are listed. */
const fewRows = 64

/** In segments of up to this number of documents, all rows are listed. */
const fewDocuments = 512

/** True if the list is so long that only the best rows are returned. */
export function isCut({ segment }: LiveSegment, { start, end }: RowRange): boolean {
  return segment.count > fewDocuments && end - start > fewRows
}

/**
 * Lists rows of live documents: all, or, if they are many, those of the given number of documents with most links in this
 * segment; ties go to the first.
 */
export function listRows(live: LiveSegment, range: RowRange, most: number): number[] {
  return isCut(live, range) ? bestRows(live, range, most) : livingRows(live, range)
}

function livingRows({ segment, dead }: LiveSegment, { start, end }: RowRange): number[] {
  const rows: number[] = []
  for (let row = start; row < end; row++) if (!dead.has(segment.titleOrdinal(row))) rows.push(row)
  return rows
}

/** A document's best row so far. */
interface Best {
  readonly row: number
  readonly links: number
}

const nowhere: Best = { row: Number.POSITIVE_INFINITY, links: 0 }

/** Visits the blocks of rows with most links first, until no other block can have more than those found. */
function bestRows(live: LiveSegment, { start, end }: RowRange, most: number): number[] {
  const maxima = live.segment.titleMaxima()
  const first = Math.floor(start / titleStride)
  const strides = Array.from({ length: Math.ceil(end / titleStride) - first }, (_, at) => first + at)
  strides.sort((a, b) => maxima[b]! - maxima[a]! || a - b)
  const best = new Map<number, Best>()
  let least = nowhere
  for (const stride of strides) {
    const cannotBe =
      maxima[stride]! < least.links || (maxima[stride] === least.links && stride * titleStride > least.row)
    if (best.size >= most && cannotBe) break
    const from = Math.max(start, stride * titleStride)
    addRows(live, { start: from, end: Math.min(end, (stride + 1) * titleStride) }, { best, least })
    // Rare, because it reads all rows.
    if (best.size >= 2 * most || (best.size >= most && least.row === nowhere.row)) least = keepMost(best, most)
  }
  keepMost(best, most)
  return [...best.values()].map(({ row }) => row)
}

/** Adds the rows that do not come after the last sufficient one. */
function addRows(
  { segment, dead }: LiveSegment,
  { start, end }: RowRange,
  { best, least }: { best: Map<number, Best>; least: Best },
): void {
  for (let row = start; row < end; row++) {
    const ordinal = segment.titleOrdinal(row)
    const links = segment.linksTo(ordinal)
    if (links < least.links || (links === least.links && row > least.row)) continue
    const earlier = best.get(ordinal)
    if (dead.has(ordinal) || (earlier !== undefined && earlier.row < row)) continue
    best.set(ordinal, { row, links })
  }
}

/** Returns the last of the kept ones. */
function keepMost(best: Map<number, Best>, most: number): Best {
  const sorted = [...best].sort(([, a], [, b]) => b.links - a.links || a.row - b.row)
  for (const [ordinal] of sorted.splice(most)) best.delete(ordinal)
  return sorted.at(-1)?.[1] ?? nowhere
}
