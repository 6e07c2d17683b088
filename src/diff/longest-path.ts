/**
 * Finds a longest common subsequence of one pair of ranges, along which parts are split. Two methods give the same
 * pairs: bit rows for items that repeat often (spaces), chained matches for mostly unique ones (lines).
 *
 * Source: docs/reference/comparison.md#common-subsequence. The bit rows are the recurrence of Hyyrö (2004), the chained
 * matches Hunt and Szymanski (1977).
 */

import type { Span } from './changes.ts'
import { room, type Workspace } from './workspace.ts'

/** A range of the shorter list and one of the longer. */
export interface Ranges {
  readonly short: Int32Array
  readonly shortSpan: Span
  readonly long: Int32Array
  readonly longSpan: Span
  /** Exclusive upper bound of all items. */
  readonly distinct: number
}

/** Result of `findPath` for ranges that are too large. */
export const tooLarge = -1

/**
 * Maximum machine words that a pass may write: 64 MB. Ranges that exceed it by both methods have at least 23,000 items
 * each, and repeat the same few.
 */
const maxWords = 2 ** 24

/** Steps that a pass counts in addition to the words that it writes. */
const stepsOfPass = 256

/** Cost of a chained match, in machine words. */
const wordsPerMatch = 16

/** Number of words of a row that can be written in the time for one position of an item. */
const wordsPerLowering = 8

/**
 * Finds a longest common subsequence of the ranges, stores its pairs of positions in the workspace, and returns their
 * number, or `tooLarge`. Throws `wiki-texts-too-complex`.
 */
export function findPath(ranges: Ranges, workspace: Workspace): number {
  indexLonger(ranges, workspace)
  const { short, shortSpan } = ranges
  const { counts } = workspace
  let rows = 0
  let matches = 0
  for (let place = shortSpan.start; place < shortSpan.end; place++) {
    const count = counts[short[place]!]!
    if (count > 0) rows++
    matches += count
  }
  const length = rows === 0 ? 0 : choosePass(ranges, rows, matches, workspace)
  forgetLonger(ranges, workspace)
  return length
}

/** Links the positions of each item in the longer range, last one first. */
function indexLonger({ long, longSpan, distinct }: Ranges, workspace: Workspace): void {
  workspace.heads = room(workspace.heads, distinct, -1)
  workspace.counts = room(workspace.counts, distinct)
  workspace.masks = room(workspace.masks, distinct, -1)
  workspace.previous = room(workspace.previous, longSpan.end)
  const { heads, counts, previous } = workspace
  for (let place = longSpan.start; place < longSpan.end; place++) {
    const item = long[place]!
    previous[place] = heads[item]!
    heads[item] = place
    counts[item]!++
  }
}

function forgetLonger({ long, longSpan }: Ranges, { heads, counts, masks }: Workspace): void {
  for (let place = longSpan.start; place < longSpan.end; place++) {
    const item = long[place]!
    heads[item] = -1
    counts[item] = 0
    masks[item] = -1
  }
}

function choosePass(ranges: Ranges, rows: number, matches: number, workspace: Workspace): number {
  const rowCost = rows * widthOf(ranges)
  const matchCost = matches * wordsPerMatch
  if (Math.min(rowCost, matchCost) > maxWords) return tooLarge
  workspace.work.count(stepsOfPass + Math.min(rowCost, matchCost))
  workspace.pathShort = room(workspace.pathShort, rows)
  workspace.pathLong = room(workspace.pathLong, rows)
  if (matchCost < rowCost) return chainMatches(ranges, rows, workspace)
  writeRows(ranges, rows, workspace)
  return traceRows(ranges, rows, workspace)
}

/** Number of words of a bit row. */
function widthOf({ longSpan }: Ranges): number {
  return (longSpan.end - longSpan.start + 31) >>> 5
}

/**
 * Writes one bit row for each item of the shorter range that occurs in the longer one, after a first row of ones. A
 * zero bit is an end: the subsequence of the items so far first grows by one at this position.
 */
function writeRows(ranges: Ranges, rows: number, workspace: Workspace): void {
  const { short, shortSpan, longSpan } = ranges
  const width = widthOf(ranges)
  workspace.rowWords = room(workspace.rowWords, (rows + 1) * width)
  workspace.rowPlaces = room(workspace.rowPlaces, rows + 1)
  writeMasks(ranges, width, workspace)
  const { counts, heads, previous, masks, maskWords, rowWords: words, rowPlaces: places } = workspace
  words.fill(-1, 0, width)
  let row = 0
  for (let place = shortSpan.start; place < shortSpan.end; place++) {
    const item = short[place]!
    if (counts[item] === 0) continue
    const above = row * width
    places[++row] = place
    if (masks[item] !== -1) {
      writeRow(words, above, width, maskWords, masks[item]! * width)
    } else {
      words.copyWithin(above + width, above, above + width)
      for (let at = heads[item]!; at >= 0; at = previous[at]!)
        lowerEnd(words, above + width, width, at - longSpan.start)
    }
  }
}

/** Writes the row after another: in every range up to an end, the end moves to the lowest position of the mask. */
function writeRow(words: Int32Array, above: number, width: number, maskWords: Int32Array, mask: number): void {
  let carry = 0
  for (let column = 0; column < width; column++) {
    const word = words[above + column]!
    const hits = word & maskWords[mask + column]!
    const sum = (((word + hits) | 0) + carry) | 0
    carry = (hits | (word & ~sum)) >>> 31
    words[above + width + column] = sum | (word ^ hits)
  }
}

/** Does the same in place for one position of an item. Positions are processed from last to first. */
function lowerEnd(words: Int32Array, row: number, width: number, place: number): void {
  let column = place >>> 5
  const word = row + column
  const bit = 1 << (place & 31)
  let ends = ~words[word]! & -bit
  if ((ends & bit) !== 0) return
  while (ends === 0 && ++column < width) ends = ~words[row + column]!
  if (ends !== 0) words[row + column]! |= ends & -ends
  words[word]! &= ~bit
}

/** Writes a bit mask of positions in the longer range for each item that is frequent there. */
function writeMasks({ short, shortSpan, longSpan }: Ranges, width: number, workspace: Workspace): void {
  const { counts, heads, masks, previous } = workspace
  let used = 0
  for (let place = shortSpan.start; place < shortSpan.end; place++) {
    const item = short[place]!
    if (counts[item]! * wordsPerLowering > width && masks[item] === -1) masks[item] = used++
  }
  workspace.maskWords = room(workspace.maskWords, used * width)
  const words = workspace.maskWords.fill(0, 0, used * width)
  used = 0
  for (let place = shortSpan.start; place < shortSpan.end; place++) {
    const item = short[place]!
    if (masks[item] !== used) continue
    const mask = used++ * width
    for (let at = heads[item]!; at >= 0; at = previous[at]!) {
      const bit = at - longSpan.start
      words[mask + (bit >>> 5)]! |= 1 << (bit & 31)
    }
  }
}

/**
 * Traces the pairs back through the bit rows: an end belongs to the first row that contains it, and follows an end of
 * an earlier row.
 */
function traceRows(ranges: Ranges, rows: number, workspace: Workspace): number {
  const { rowWords, rowPlaces, pathShort, pathLong } = workspace
  const width = widthOf(ranges)
  let row = rows
  let length = 0
  let end = lastEnd(rowWords, row * width, ranges.longSpan.end - ranges.longSpan.start)
  while (end >= 0) {
    const column = end >>> 5
    const bit = 1 << (end & 31)
    while ((rowWords[(row - 1) * width + column]! & bit) === 0) row--
    pathShort[length] = rowPlaces[row]!
    pathLong[length] = ranges.longSpan.start + end
    length++
    row--
    end = lastEnd(rowWords, row * width, end)
  }
  return length
}

/** Returns the last zero bit before a bit of a row; -1 if there is none. */
function lastEnd(words: Int32Array, rowStart: number, before: number): number {
  let column = before >>> 5
  let ends = (before & 31) === 0 ? 0 : ~words[rowStart + column]! & ((1 << (before & 31)) - 1)
  while (ends === 0) {
    if (--column < 0) return -1
    ends = ~words[rowStart + column]!
  }
  return column * 32 + 31 - Math.clz32(ends)
}

/** Finds the path without rows: records for each length the first end so far, and the matches that lead to it. */
function chainMatches({ short, shortSpan }: Ranges, rows: number, workspace: Workspace): number {
  const { counts, heads, previous } = workspace
  const ends = new Int32Array(rows)
  const reachedBy = new Int32Array(rows)
  const matchShort: number[] = []
  const matchLong: number[] = []
  const matchBefore: number[] = []
  let length = 0
  for (let place = shortSpan.start; place < shortSpan.end; place++) {
    const item = short[place]!
    if (counts[item] === 0) continue
    for (let at = heads[item]!; at >= 0; at = previous[at]!) {
      const rank = firstNotBelow(at, ends, length)
      if (rank < length && ends[rank] === at) continue
      ends[rank] = at
      if (rank === length) length++
      matchBefore.push(rank === 0 ? -1 : reachedBy[rank - 1]!)
      reachedBy[rank] = matchShort.push(place) - 1
      matchLong.push(at)
    }
  }
  const { pathShort, pathLong } = workspace
  let match = length === 0 ? -1 : reachedBy[length - 1]!
  for (let step = 0; match >= 0; step++, match = matchBefore[match]!) {
    pathShort[step] = matchShort[match]!
    pathLong[step] = matchLong[match]!
  }
  return length
}

/** Returns the first rank whose end is not below a position; `length` if there is none. */
function firstNotBelow(place: number, ends: Int32Array, length: number): number {
  let low = 0
  let high = length
  if (length > 0 && ends[length - 1]! < place) return length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (ends[middle]! < place) low = middle + 1
    else high = middle
  }
  return low
}
