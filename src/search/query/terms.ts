/** The terms of an index that a query's keys mean, with their postings. */

import type { LiveSegment } from '../segment/build.ts'
import { placeOf } from '../segment/ordinals.ts'
import { joinPostings, type Postings } from '../segment/postings.ts'
import type { Entry, Segment } from '../segment/segment.ts'
import type { Language } from '../words/language.ts'
import { termPrefixes } from '../words/term-prefixes.ts'
import type { QueryKey } from './query.ts'

/** Maximum terms for one prefix, the most frequent ones. */
const maxBegun = 256

/** Terms of which these are chosen: those with most documents, if dead ones count. */
const maxLikely = 4 * maxBegun

/** Maximum terms examined for the forms of one word, in each segment. */
const maxForms = 2_000

/** Maximum letters that a form is longer than the stem. */
const longestEnding = 10

/** A term that is searched for, in all segments. */
export interface FoundTerm {
  readonly term: string
  /** Postings in each segment; null if the term does not occur there. */
  readonly postings: readonly (Postings | null)[]
  /** Live documents with the term, in any field: a common word is not rare because few headings have it. */
  readonly frequency: number
  /** Of a stem: the forms that were found. */
  readonly forms?: readonly string[]
}

/** Reads a term; undefined if no live document has it. */
export function readTerm(segments: readonly LiveSegment[], term: string): FoundTerm | undefined {
  const postings = segments.map(({ segment }) => {
    const entry = segment.find(term)
    return entry === undefined ? null : segment.postings(entry)
  })
  const frequency = countLiving(segments, postings)
  return frequency > 0 ? { term, postings, frequency } : undefined
}

/**
 * Reads all forms of a word as one term, as an index of stems would have it; `name` is the prefix and the stem. The forms are
 * found in the dictionary, where most are neighbours. The index holds no stems, so another language needs no other index.
 */
export function readStem(
  segments: readonly LiveSegment[],
  name: string,
  { language, read }: { language: Language; read: (term: string) => FoundTerm | undefined },
): FoundTerm | undefined {
  const stem = name.slice(termPrefixes.stem.length)
  const entries = segments.flatMap(({ segment }) => formsIn(segment, stem, language))
  const found = [...new Set(entries.map(({ term }) => term))].sort(compareTexts).flatMap(form => read(form) ?? [])
  const forms = found.map(({ term }) => term)
  if (found.length < 2) return found[0] && { ...found[0], term: name, forms }
  const postings = segments.map((_, at) => {
    const lists = found.flatMap(({ postings }) => postings[at] ?? [])
    return lists.length === 0 ? null : joinPostings(lists)
  })
  return { term: name, postings, frequency: countLiving(segments, postings), forms }
}

/** The last letter of a stem may differ in some of the forms: happy, happier. */
function formsIn(segment: Segment, stem: string, language: Language): Entry[] {
  const found: Entry[] = []
  let left = maxForms
  for (const entry of segment.withPrefix(stem.length > 3 ? stem.slice(0, -1) : stem)) {
    if (left-- <= 0) break
    if (mayBeForm(entry.term, stem) && language.stem(entry.term) === stem) found.push(entry)
  }
  return found
}

/** Most terms can be distinguished without their stems: relayed may be a form of relai, relational cannot. */
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

/** Lists the terms of a key: itself and, for a prefix, the terms that begin with it. */
export function expandKey(segments: readonly LiveSegment[], { key, prefix }: QueryKey): string[] {
  const begun = prefix ? mostFrequent(segments, begunTerms(segments, key)) : []
  return [...new Set([key, ...begun])]
}

/** Lists the terms with a prefix, with the number of their documents, dead ones too. */
function begunTerms(segments: readonly LiveSegment[], prefix: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { segment } of segments) {
    for (const { term, count } of segment.withPrefix(prefix)) counts.set(term, (counts.get(term) ?? 0) + count)
  }
  return counts
}

/** Of many terms, the living documents of the first few are counted. */
function mostFrequent(segments: readonly LiveSegment[], counts: ReadonlyMap<string, number>): string[] {
  const terms = [...counts.keys()].sort(compareTexts)
  if (terms.length <= maxBegun) return terms
  const likely = terms.sort((a, b) => counts.get(b)! - counts.get(a)!).slice(0, maxLikely)
  const living = new Map(likely.map(term => [term, countDocuments(segments, term)]))
  return likely.sort((a, b) => living.get(b)! - living.get(a)! || compareTexts(a, b)).slice(0, maxBegun)
}

/** Compares texts by their UTF-16 units. */
export function compareTexts(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}
