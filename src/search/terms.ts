/** The terms of an index that a query's keys mean, and where they are. */

import type { Language } from './language.ts'
import { behindPrefix, marks } from './marks.ts'
import type { QueryKey } from './query.ts'
import type { LiveSegment } from './segment/build.ts'
import { placeOf } from './segment/ordinals.ts'
import { joinPostings, type Postings } from './segment/postings.ts'
import type { Entry, Segment } from './segment/segment.ts'

/** Most terms that one beginning stands for, the most frequent ones; and most that one misspelt word does. */
const mostBegun = 256
const mostSimilar = 64

/** Terms that are looked at while similar ones are sought. */
const mostVisited = 50_000

/** Terms that are looked at for the forms of one word, in each segment. */
const mostForms = 2_000

/** Where words begin: before it are the terms that are none, see `marks`. */
const firstLetter = '\x0a'

/** Letters that a form may have more than the stem. */
const longestEnding = 10

/** A term that is searched for, in all segments. */
export interface FoundTerm {
  readonly term: string
  /** Postings in each segment; null where it is not there. */
  readonly postings: readonly (Postings | null)[]
  /** Living documents that have it, in any field: a common word is not rare because few headings have it. */
  readonly frequency: number
  /** Of a stem: the forms that were found. */
  readonly forms?: readonly string[]
}

/** Reads a term; undefined where no living document has it. */
export function readTerm(segments: readonly LiveSegment[], term: string): FoundTerm | undefined {
  const postings = segments.map(({ segment }) => {
    const entry = segment.find(term)
    return entry === undefined ? null : segment.postings(entry)
  })
  const frequency = countLiving(segments, postings)
  return frequency > 0 ? { term, postings, frequency } : undefined
}

/**
 * Reads all forms of a word as if they were one term, as an index of stems would have it; `name` is the mark and the stem.
 * The forms are sought in the dictionary, where most stand beside each other: the index holds no stems, and another
 * language needs no other index.
 */
export function readStem(
  segments: readonly LiveSegment[],
  name: string,
  { language, read }: { language: Language; read: (term: string) => FoundTerm | undefined },
): FoundTerm | undefined {
  const stem = name.slice(marks.stem.length)
  const entries = segments.flatMap(({ segment }) => formsIn(segment, stem, language))
  const found = [...new Set(entries.map(({ term }) => term))].flatMap(form => read(form) ?? [])
  const forms = found.map(({ term }) => term)
  if (found.length < 2) return found[0] && { ...found[0], term: name, forms }
  const postings = segments.map((_, at) => {
    const lists = found.flatMap(({ postings }) => postings[at] ?? [])
    return lists.length === 0 ? null : joinPostings(lists)
  })
  return { term: name, postings, frequency: countLiving(segments, postings), forms }
}

/** The last letter of a stem may be another in some of the forms: happy, happier. */
function formsIn(segment: Segment, stem: string, language: Language): Entry[] {
  const found: Entry[] = []
  let left = mostForms
  for (const entry of segment.withPrefix(stem.length > 3 ? stem.slice(0, -1) : stem)) {
    if (left-- <= 0) break
    if (mayBeForm(entry.term, stem) && language.stem(entry.term) === stem) found.push(entry)
  }
  return found
}

/** Most terms are told from the forms of a word without their stems: relayed may be one of relai, relational is none. */
function mayBeForm(term: string, stem: string): boolean {
  const more = term.length - stem.length
  return more <= 3 || (more < longestEnding && term.startsWith(stem))
}

function countLiving(segments: readonly LiveSegment[], postings: readonly (Postings | null)[]): number {
  let total = 0
  for (const [at, { dead }] of segments.entries()) {
    const documents = postings[at]?.documents
    if (documents === undefined) continue
    total += documents.length
    for (const ordinal of dead) if (placeOf(documents, ordinal) >= 0) total--
  }
  return total
}

/** Number of living documents that have a term in any field. */
export function countDocuments(segments: readonly LiveSegment[], term: string): number {
  let total = 0
  for (const { segment, dead } of segments) {
    const entry = segment.find(term)
    if (entry === undefined) continue
    total += entry.count
    if (dead.size === 0) continue
    const { documents } = segment.postings(entry)
    for (const ordinal of dead) if (placeOf(documents, ordinal) >= 0) total--
  }
  return total
}

/** Lists the terms that a key means: itself, and those that begin so where it is a beginning. */
export function expandKey(segments: readonly LiveSegment[], { key, prefix }: QueryKey): string[] {
  const begun = prefix ? mostFrequent(begunTerms(segments, key), mostBegun) : []
  return [...new Set([key, ...begun])]
}

/** Lists the terms that begin so, with the number of their documents. */
function begunTerms(segments: readonly LiveSegment[], prefix: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { segment } of segments) {
    for (const { term, count } of segment.withPrefix(prefix)) counts.set(term, (counts.get(term) ?? 0) + count)
  }
  return counts
}

function mostFrequent(counts: ReadonlyMap<string, number>, most: number): string[] {
  const terms = [...counts.keys()]
  if (terms.length <= most) return terms
  return terms.sort((a, b) => counts.get(b)! - counts.get(a)!).slice(0, most)
}

/** How many wrong letters a key may have. */
export function mistakesAllowed({ key, literal }: QueryKey): number {
  if (literal || key.length < 5) return 0
  return key.length < 8 ? 1 : 2
}

/** A term that is nearly another word. */
export interface SimilarTerm {
  /** Documents that have it. */
  readonly count: number
  /** Letters that differ. */
  readonly distance: number
}

/** Lists the terms that differ from a word in so many letters at most, the most frequent ones where there are many. */
export function similarTerms(segments: readonly LiveSegment[], word: string, most: number): Map<string, SimilarTerm> {
  const found = new Map<string, SimilarTerm>()
  for (const { segment } of segments) {
    for (const [term, { count, distance }] of similarIn(segment, word, most)) {
      found.set(term, { distance, count: count + (found.get(term)?.count ?? 0) })
    }
  }
  for (const swapped of listSwapped(word)) {
    const count = countDocuments(segments, swapped)
    if (count > 0) found.set(swapped, { distance: 1, count })
  }
  const best = [...found].sort((a, b) => b[1].count - a[1].count).slice(0, mostSimilar)
  return new Map(best)
}

/** Lists what a word may have been before two of its letters changed places: to Levenshtein these are two mistakes. */
export function listSwapped(word: string): string[] {
  const swapped = Array.from({ length: word.length - 1 }, (_, at) => {
    const [first, second] = [word[at]!, word[at + 1]!]
    return `${word.slice(0, at)}${second}${first}${word.slice(at + 2)}`
  })
  return swapped.filter(other => other !== word)
}

/**
 * Walks the sorted terms as if they were a tree: once a beginning is too different, all terms that begin so are skipped.
 * Distance is Levenshtein's, in UTF-16 units, as MiniSearch has it.
 */
function* similarIn(segment: Segment, word: string, most: number): Generator<[string, SimilarTerm], void, undefined> {
  const rows = distanceRows(word)
  const walk = segment.walk()
  let entry = walk(firstLetter)
  for (let visited = 0; entry !== undefined && visited < mostVisited; visited++) {
    const { term, count } = entry
    const different = rows.advance(term, most)
    if (different > 0) {
      const next = behindPrefix(term.slice(0, different))
      if (next === null) return
      entry = walk(next)
      continue
    }
    if (rows.distance(term) <= most) yield [term, { count, distance: rows.distance(term) }]
    entry = walk(null)
  }
}

/** Levenshtein's table for one word, row by row. */
export interface DistanceRows {
  /** Computes the rows of a term; gives the length of a beginning that is too different already, or 0. */
  readonly advance: (term: string, most: number) => number
  /** Distance of the term that was advanced to. */
  readonly distance: (term: string) => number
  /** Whether some beginning of a term is near enough, and else the length of one that is too different, or 0. */
  readonly beginningWithin: (term: string, most: number) => { isSimilar: boolean; different: number }
}

/** Makes the rows of Levenshtein's table for one word; what successive terms begin with alike is computed once. */
export function distanceRows(word: string): DistanceRows {
  const width = word.length + 1
  const rows: Uint8Array[] = [Uint8Array.from({ length: width }, (_, at) => at)]
  let known = ''
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
    return least
  }
  return {
    advance: (term: string, most: number): number => {
      let depth = 0
      while (depth < known.length && depth < term.length && known[depth] === term[depth]) depth++
      for (; depth < term.length; depth++) {
        if (extend(term.charCodeAt(depth), depth + 1) <= most) continue
        known = term.slice(0, depth + 1)
        return depth + 1
      }
      known = term
      return 0
    },
    distance: (term: string): number => rows[term.length]![word.length]!,
    beginningWithin: (term: string, most: number): { isSimilar: boolean; different: number } => {
      for (let depth = 0; depth < Math.min(term.length, word.length + most); depth++) {
        const least = extend(term.charCodeAt(depth), depth + 1)
        if (rows[depth + 1]![word.length]! <= most) return { isSimilar: true, different: 0 }
        if (least > most) return { isSimilar: false, different: depth + 1 }
      }
      return { isSimilar: false, different: 0 }
    },
  }
}
