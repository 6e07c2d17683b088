/** Chooses the segments of an index to merge. */

import type { LiveSegment } from './build.ts'

/** Number of segments of similar size that are merged. */
const segmentsOfSize = 8

/**
 * Segments of fewer documents are merged at once; larger ones when there is time, or when they exceed the usual number by this
 * factor.
 */
const quickMerge = 512
const patience = 3

/**
 * Returns the segments of a size that reaches the number for a merge, and all smaller ones, which add little cost; or a
 * segment of which half is deleted; null if there are none. With `quick`, large segments only if it is urgent.
 */
export function chooseFull<Part extends LiveSegment>(parts: readonly Part[], quick: boolean): Part[] | null {
  const sizes = new Map<number, Part[]>()
  for (const part of parts) {
    if (isMostlyDead(part, quick)) return [part]
    const size = Math.floor(Math.log(part.segment.count) / Math.log(segmentsOfSize))
    sizes.set(size, [...(sizes.get(size) ?? []), part])
  }
  const ordered = [...sizes].sort((a, b) => a[0] - b[0]).map(([, ofSize]) => ofSize)
  const full = ordered.findIndex(ofSize => isFull(ofSize, quick))
  return full < 0 ? null : ordered.slice(0, full + 1).flat()
}

function isMostlyDead({ segment: { count }, dead }: LiveSegment, quick: boolean): boolean {
  const living = count - dead.size
  return count > 1 && living * (quick && count >= quickMerge ? 8 : 2) < count
}

function isFull(parts: readonly LiveSegment[], quick: boolean): boolean {
  const isLate = quick && parts.some(({ segment }) => segment.count >= quickMerge)
  return parts.length >= segmentsOfSize * (isLate ? patience : 1)
}

/**
 * Returns the small segments that together have as many documents as the largest of them, so that each document is copied only
 * a few times.
 */
export function chooseLeast<Part extends LiveSegment>(parts: readonly Part[]): Part[] | null {
  const sorted = parts.toSorted((a, b) => a.segment.count - b.segment.count)
  let [sum, worth] = [0, 0]
  for (const [at, { segment }] of sorted.entries()) {
    if (at > 0 && segment.count <= sum) worth = at + 1
    sum += segment.count
  }
  return worth === 0 ? null : sorted.slice(0, worth)
}
