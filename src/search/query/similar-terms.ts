/** Terms of an index that are similar to a word. */

import type { LiveSegment } from '../segment/build.ts'
import type { Segment } from '../segment/segment.ts'
import { firstWord } from '../words/term-prefixes.ts'
import type { QueryKey } from './query.ts'
import { compareTexts, countDocuments } from './terms.ts'

/** Maximum terms that replace one misspelt word, the most frequent ones. */
const maxSimilar = 64

/** Maximum terms examined in a search for similar ones. */
const maxVisited = 50_000

/** Returns the number of misspelt letters tolerated in a key. */
export function mistakesAllowed({ key, literal }: QueryKey): number {
  if (literal || key.length < 5) return 0
  return key.length < 8 ? 1 : 2
}

/** A term that is similar to another word. */
export interface SimilarTerm {
  /** Documents that have it. */
  readonly count: number
  /** Letters that differ. */
  readonly distance: number
}

/**
 * Lists the terms within a given edit distance of a word, the most frequent ones if there are many. Only living documents count: which
 * dead ones are still in the segments depends on how the index grew.
 */
export function similarTerms(segments: readonly LiveSegment[], word: string, most: number): Map<string, SimilarTerm> {
  const distances = new Map<string, number>()
  for (const { segment } of segments)
    for (const [term, distance] of similarIn(segment, word, most)) distances.set(term, distance)
  for (const swapped of transpositions(word)) distances.set(swapped, 1)
  const found = [...distances].map(([term, distance]) => ({ term, distance, count: countDocuments(segments, term) }))
  const best = found.filter(({ count }) => count > 0).sort((a, b) => b.count - a.count || compareTexts(a.term, b.term))
  return new Map(best.slice(0, maxSimilar).map(({ term, distance, count }) => [term, { distance, count }]))
}

/**
 * Lists the word with each pair of neighbouring letters swapped: Levenshtein's distance counts a transposition as two edits.
 */
export function transpositions(word: string): string[] {
  const swapped = Array.from({ length: word.length - 1 }, (_, at) => {
    const [first, second] = [word[at]!, word[at + 1]!]
    return `${word.slice(0, at)}${second}${first}${word.slice(at + 2)}`
  })
  return swapped.filter(other => other !== word)
}

/**
 * Walks the sorted terms as if they were a tree: once a prefix is too different, it skips to the next one that may be similar
 * enough. The distance is Levenshtein's, in UTF-16 units, as in MiniSearch.
 */
function* similarIn(segment: Segment, word: string, most: number): Generator<[string, number], void, undefined> {
  const rows = distanceRows(word, most)
  const walk = segment.walk()
  let next: string | null = firstWord
  for (let visited = 0; next !== null && visited < maxVisited; visited++) {
    const entry = walk(next)
    if (entry === undefined) return
    const { term } = entry
    const distance = rows.advance(term)
    if (distance <= most) yield [term, distance]
    next = rows.next()
  }
}

/** Levenshtein's table for one word and a sequence of sorted terms. */
export interface DistanceRows {
  /** Advances to a term; returns its distance, or more than the maximum. */
  readonly advance: (term: string) => number
  /** True if some prefix of that term is within the distance. */
  readonly isBegun: () => boolean
  /** The first text after that term which may be within the distance or have such a prefix; null if there is none. */
  readonly next: () => string | null
}

/** Greater than all UTF-16 units. */
const noUnit = 0x10000

/** Computes the rows of the table up to the given distance; the common prefix of successive terms is computed once. */
export function distanceRows(word: string, most: number): DistanceRows {
  const width = word.length + 1
  const rows = [Uint8Array.from({ length: width }, (_, at) => at)]
  const leasts = [0]
  let last = ''
  /** Units of the term that may be a prefix of a similar term. */
  let fitting = 0
  const extend = (unit: number, depth: number): number => {
    const above = rows[depth - 1]!
    rows[depth] ??= new Uint8Array(width)
    const row = rows[depth]!
    row[0] = depth
    let least = depth
    for (let at = 1; at < width; at++) {
      const change = above[at - 1]! + Number(word.charCodeAt(at - 1) !== unit)
      row[at] = Math.min(change, above[at]! + 1, row[at - 1]! + 1)
      least = Math.min(least, row[at]!)
    }
    leasts[depth] = least
    return least
  }
  /**
   * The lowest unit above another one that may follow this many units: if the distance is used up, only some units of the
   * word.
   */
  const unitBehind = (unit: number, depth: number): number => {
    if (leasts[depth]! < most) return unit + 1
    const row = rows[depth]!
    let lowest = noUnit
    for (let at = 0; at < word.length; at++) {
      const own = word.charCodeAt(at)
      if (row[at] === most && own > unit && own < lowest) lowest = own
    }
    return lowest
  }
  return {
    advance: term => {
      let depth = 0
      while (depth < fitting && depth < term.length && last.charCodeAt(depth) === term.charCodeAt(depth)) depth++
      while (depth < term.length && extend(term.charCodeAt(depth), depth + 1) <= most) depth++
      last = term
      fitting = depth
      return depth < term.length ? most + 1 : rows[depth]![word.length]!
    },
    isBegun: () => rows.slice(0, fitting + 1).some(row => row[word.length]! <= most),
    next: () => {
      for (let depth = fitting; depth >= 0; depth--) {
        const unit = unitBehind(depth < last.length ? last.charCodeAt(depth) : -1, depth)
        if (unit < noUnit) return last.slice(0, depth) + String.fromCharCode(unit)
      }
      return null
    },
  }
}
