/**
 * Finds a longest common subsequence of two lists. Ties are frequent, because all spaces of a line are equal, so the
 * choice among equally long common subsequences is part of the contract.
 *
 * Source: docs/reference/comparison.md#common-subsequence.
 */

import type { Changes, Span } from './changes.ts'
import { findPath, type Ranges, tooLarge } from './longest-path.ts'
import { type ShiftDirection, shiftRuns } from './shift-runs.ts'
import type { Workspace } from './workspace.ts'

export interface SubsequenceOptions {
  /** Direction in which runs of changes move along equal items; MediaWiki's comparisons shift up, git and GNU down. */
  readonly shift?: ShiftDirection
  /** Maximum cells to compare; see `Changes`. No limit by default. */
  readonly maxCells?: number
}

/** The middle of a list without the items that the other middle lacks, renumbered from 0. */
interface Candidates {
  readonly items: Int32Array
  /** Index of each candidate in the full list. */
  readonly places: Int32Array
  readonly length: number
  readonly flags: Uint8Array
}

/** Ranges of candidates of both lists that are still to be compared. */
interface Part {
  readonly from: Span
  readonly to: Span
}

/** Maximum number of parts that a part is split into. */
const maxParts = 8

/**
 * Compares two lists of numbers, all below the size of the workspace's slots. Time is bounded by `maxCells` and by the
 * limit of a pass, see `longest-path.ts`. Beyond that, the common subsequence may be shorter than possible.
 */
export function findChanges(
  from: Int32Array,
  to: Int32Array,
  workspace: Workspace,
  { shift = 'up', maxCells = Number.POSITIVE_INFINITY }: SubsequenceOptions = {},
): Changes {
  const middle = trim(from, to)
  const cells = sizeOf(middle.from) * sizeOf(middle.to)
  const changes = { from: new Uint8Array(from.length), to: new Uint8Array(to.length), cells, overLimit: false }
  if (cells > maxCells) {
    changes.from.fill(1)
    changes.to.fill(1)
    return { ...changes, overLimit: true }
  }
  changes.from.fill(1, middle.from.start, middle.from.end)
  changes.to.fill(1, middle.to.start, middle.to.end)
  if (cells > 0) keepCommon(from, to, middle, changes, workspace)
  shiftRuns(from, changes.from, changes.to, shift)
  shiftRuns(to, changes.to, changes.from, shift)
  return changes
}

/** Trims the common prefix, then as much of the common suffix as leaves both an item. */
function trim(from: Int32Array, to: Int32Array): Part {
  let start = 0
  let fromEnd = from.length
  let toEnd = to.length
  const shorter = Math.min(fromEnd, toEnd)
  while (start < shorter && from[start] === to[start]) start++
  while (fromEnd - 1 > start && toEnd - 1 > start && from[fromEnd - 1] === to[toEnd - 1]) {
    fromEnd--
    toEnd--
  }
  return { from: { start, end: fromEnd }, to: { start, end: toEnd } }
}

function sizeOf({ start, end }: Span): number {
  return end - start
}

/** Clears the flags of the middle's items that have a partner. */
function keepCommon(from: Int32Array, to: Int32Array, middle: Part, changes: Changes, workspace: Workspace): void {
  const { slots } = workspace
  for (let place = middle.from.start; place < middle.from.end; place++) slots[from[place]!] = 1
  let distinct = 0
  for (let place = middle.to.start; place < middle.to.end; place++) {
    if (slots[to[place]!] === 1) slots[to[place]!] = ++distinct + 1
  }
  if (distinct > 0) {
    const fromCandidates = listCandidates(from, middle.from, changes.from, slots)
    const toCandidates = listCandidates(to, middle.to, changes.to, slots)
    solve(fromCandidates, toCandidates, distinct, workspace)
  }
  for (let place = middle.from.start; place < middle.from.end; place++) slots[from[place]!] = 0
}

/** Lists the items that occur in both middles, which their slots record: 2 more than the number assigned here. */
function listCandidates(list: Int32Array, { start, end }: Span, flags: Uint8Array, slots: Int32Array): Candidates {
  const items = new Int32Array(end - start)
  const places = new Int32Array(end - start)
  let length = 0
  for (let place = start; place < end; place++) {
    const slot = slots[list[place]!]!
    if (slot < 2) continue
    items[length] = slot - 2
    places[length++] = place
  }
  return { items, places, length, flags }
}

/** Splits the lists into ever smaller parts, until each has only equal ends or nothing in common. */
function solve(from: Candidates, to: Candidates, distinct: number, workspace: Workspace): void {
  const open: Part[] = [{ from: { start: 0, end: from.length }, to: { start: 0, end: to.length } }]
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    const rest = keepEnds(part, from, to)
    if (sizeOf(rest.from) > 0 && sizeOf(rest.to) > 0) cutPart(rest, from, to, distinct, workspace, open)
  }
}

/** Matches equal candidates at the ends of a part and returns the rest. */
function keepEnds(part: Part, from: Candidates, to: Candidates): Part {
  let { start: fromStart, end: fromEnd } = part.from
  let { start: toStart, end: toEnd } = part.to
  while (fromStart < fromEnd && toStart < toEnd && from.items[fromStart] === to.items[toStart]) {
    keep(from, fromStart++, to, toStart++)
  }
  while (fromStart < fromEnd && toStart < toEnd && from.items[fromEnd - 1] === to.items[toEnd - 1]) {
    keep(from, --fromEnd, to, --toEnd)
  }
  return { from: { start: fromStart, end: fromEnd }, to: { start: toStart, end: toEnd } }
}

function keep(first: Candidates, firstAt: number, second: Candidates, secondAt: number): void {
  first.flags[first.places[firstAt]!] = 0
  second.flags[second.places[secondAt]!] = 0
}

/** Splits a part along a longest common subsequence and adds the new parts to `open`. */
function cutPart(
  part: Part,
  from: Candidates,
  to: Candidates,
  distinct: number,
  workspace: Workspace,
  open: Part[],
): void {
  const isFromShort = sizeOf(part.from) <= sizeOf(part.to)
  const [short, long] = isFromShort ? [from, to] : [to, from]
  const [shortSpan, longSpan] = isFromShort ? [part.from, part.to] : [part.to, part.from]
  const ranges: Ranges = { short: short.items, shortSpan, long: long.items, longSpan, distinct }
  const length = findPath(ranges, workspace)
  if (length === tooLarge) {
    halve(part, open)
  } else if (sizeOf(shortSpan) < maxParts) {
    // Split into single candidates, each would find exactly its partner on the path.
    const { pathShort, pathLong } = workspace
    for (let step = 0; step < length; step++) keep(short, pathShort[step]!, long, pathLong[step]!)
  } else if (length > 0) {
    for (const [shortPart, longPart] of cutRanges(ranges, length, workspace)) {
      open.push(isFromShort ? { from: shortPart, to: longPart } : { from: longPart, to: shortPart })
    }
  }
}

/**
 * Splits a part that is too large in the middle of both lists, because matching items are likely at similar positions.
 */
function halve({ from, to }: Part, open: Part[]): void {
  const fromMiddle = (from.start + from.end) >>> 1
  const toMiddle = (to.start + to.end) >>> 1
  open.push({ from: { start: from.start, end: fromMiddle }, to: { start: to.start, end: toMiddle } })
  open.push({ from: { start: fromMiddle, end: from.end }, to: { start: toMiddle, end: to.end } })
}

/** Splits the shorter range evenly, and the longer one after the path's last partner before each split. */
function cutRanges({ shortSpan, longSpan }: Ranges, length: number, workspace: Workspace): [short: Span, long: Span][] {
  const { pathShort, pathLong } = workspace
  const size = sizeOf(shortSpan)
  const parts: [Span, Span][] = []
  let [shortEnd, longEnd] = [shortSpan.end, longSpan.end]
  let step = 0
  for (let cut = maxParts - 2; cut >= 0; cut--) {
    const shortCut = shortSpan.start + Math.floor((size + maxParts - 1 + size * cut) / maxParts)
    while (step < length && pathShort[step]! >= shortCut) step++
    const longCut = step < length ? pathLong[step]! + 1 : longSpan.start
    parts.push([
      { start: shortCut, end: shortEnd },
      { start: longCut, end: longEnd },
    ])
    shortEnd = shortCut
    longEnd = longCut
  }
  parts.push([
    { start: shortSpan.start, end: shortEnd },
    { start: longSpan.start, end: longEnd },
  ])
  return parts
}
