/** Preselects candidates for the engine: the best by its own formula, computed on typed arrays. */

import type { LiveSegment } from '../segment/build.ts'
import type { Totals } from '../segment/folder.ts'
import { forEachCommon, placeOf } from '../segment/ordinals.ts'
import { fields, type Postings } from '../segment/postings.ts'
import type { PreparedQuery } from './prepared-query.ts'
import type { QueryKey, QueryPart } from './query.ts'
import { bm25, boosts, type Candidate, titleFields } from './query-engine.ts'
import type { FoundTerm } from './terms.ts'
import type { TitleHit } from './titles.ts'

/** Candidates kept if the engine may score them differently. */
const maxGuessed = 400

/** Candidates with equal scores that are kept beside better ones. */
const maxTied = 800

/** Tolerance for the same numbers added in another order. */
const tolerance = 1e-8

/** If documents outnumber candidates by this factor, only the candidates are scored. */
const fewTimes = 8

/** Weights of the engine. Source: minisearch 7, weights of prefix and fuzzy matches. */
const [prefixWeight, fuzzyWeight] = [0.375, 0.45]

/** The candidates of one segment, and their scores. */
interface ScoredList {
  readonly ordinals: Uint32Array
  readonly scores: Float64Array
}

/** A candidate in its list. */
interface Place {
  readonly from: number
  readonly at: number
  readonly score: number
}

/** Marks a candidate placed by its title: it competes only with other such candidates. */
const taken = -1

/**
 * Keeps the candidates that can be among this many best ones by the engine's formula: those with the highest scores, and as many
 * of those whose titles begin with the query. The engine then ranks them.
 */
export function keepBest(
  segments: readonly LiveSegment[],
  prepared: PreparedQuery,
  {
    found,
    most,
    totals,
    titles,
  }: {
    /** Ordinals by segment. */
    readonly found: readonly Uint32Array[]
    readonly most: number
    readonly totals: Totals
    readonly titles: Iterable<TitleHit>
  },
): Candidate[] {
  const wanted = isGuess(prepared) ? Math.max(maxGuessed, 4 * most) : most
  const count = found.reduce((sum, { length }) => sum + length, 0)
  const lists = found.map(ordinals => ({ ordinals, scores: new Float64Array(ordinals.length) }))
  if (count > wanted) addAllScores(segments, lists, { prepared, totals })
  const titled = takeTitled(segments, lists, titles)
  const idOf = ({ from, at }: Place) => segments[from]!.segment.id(lists[from]!.ordinals[at]!)
  const best = bestOfLists(lists, wanted, idOf)
  const selected = [...titled.map(places => bestPlaces(places, wanted)), best].flat()
  return selected.map(({ from, at }) => {
    const ordinal = lists[from]!.ordinals[at]!
    return { from, ordinal, id: segments[from]!.segment.id(ordinal) }
  })
}

/** True if the engine's score has factors that the formula here lacks. */
function isGuess({ query, any, similar }: PreparedQuery): boolean {
  const isChoice = ({ alternatives }: QueryPart): boolean =>
    alternatives.length > 1 && alternatives.some(keys => keys.length > 1)
  return any || similar.size > 0 || query.parts.some(isChoice)
}

/** Removes from the lists the candidates whose title equals the query, or begins with it. */
function takeTitled(
  segments: readonly LiveSegment[],
  lists: readonly ScoredList[],
  titles: Iterable<TitleHit>,
): [same: Place[], begun: Place[]] {
  const tiers: [Place[], Place[]] = [[], []]
  for (const { id, from, tier } of titles) {
    const { ordinals, scores } = lists[from]!
    const at = placeOf(ordinals, segments[from]!.segment.ordinalOf(id))
    if (at < 0) continue
    tiers[tier === 0 ? 0 : 1].push({ from, at, score: scores[at]! })
    scores[at] = taken
  }
  return tiers
}

function bestPlaces(places: readonly Place[], most: number): readonly Place[] {
  if (places.length <= most) return places
  const least = nthHighest([Float64Array.from(places, ({ score }) => score)], most) * (1 - tolerance)
  return places.filter(({ score }) => score >= least)
}

/** Of many equal ones, those with the lowest ids are kept: in each list they come first. */
function bestOfLists(lists: readonly ScoredList[], most: number, idOf: (place: Place) => number): Place[] {
  const least = nthHighest(
    lists.map(({ scores }) => scores),
    most,
  )
  const [below, above] = [least * (1 - tolerance), least * (1 + tolerance)]
  const kept = Math.max(maxTied, most)
  const better: Place[] = []
  const tied: Place[] = []
  for (const [from, { scores }] of lists.entries()) {
    let left = kept
    for (let at = 0; at < scores.length; at++) {
      const score = scores[at]!
      if (score > above) better.push({ from, at, score })
      else if (score >= below && left-- > 0) tied.push({ from, at, score })
    }
  }
  if (tied.length > kept) tied.sort((one, other) => idOf(one) - idOf(other))
  return [...better, ...tied.slice(0, kept)]
}

/** The lowest of the given number of highest numbers; 0 if there are fewer. */
function nthHighest(lists: readonly Float64Array[], n: number): number {
  // A min-heap of the highest numbers.
  const heap = new Float64Array(n)
  for (const list of lists) {
    for (let at = 0; at < list.length; at++) if (list[at]! > heap[0]!) replaceLowest(heap, list[at]!)
  }
  return heap[0] ?? 0
}

function replaceLowest(heap: Float64Array, value: number): void {
  let at = 0
  for (let next = 1; next < heap.length; next = 2 * at + 1) {
    if (next + 1 < heap.length && heap[next + 1]! < heap[next]!) next++
    if (heap[next]! >= value) break
    heap[at] = heap[next]!
    at = next
  }
  heap[at] = value
}

function addAllScores(
  segments: readonly LiveSegment[],
  lists: readonly ScoredList[],
  { prepared, totals }: { prepared: PreparedQuery; totals: Totals },
): void {
  const averages = totals.lengths.map(sum => sum / totals.count)
  const weighed = prepared.query.parts.flatMap(part =>
    part.alternatives.flat().flatMap(key =>
      prepared.expanded.get(key)!.map(term => {
        const factors = factorsOf(part, term, { weight: weightOf(key, term.term), totals })
        return { term, factors }
      }),
    ),
  )
  for (const [from, { ordinals, scores }] of lists.entries()) {
    const { segment } = segments[from]!
    const lengths = fields.map((_, field) => segment.fieldLengths(field))
    const all = new Float64Array(segment.count)
    for (const { term, factors } of weighed) {
      const list = term.postings[from] ?? null
      if (list !== null) addScores(all, ordinals, list, { factors, lengths, averages })
    }
    for (let at = 0; at < ordinals.length; at++) scores[at] = all[ordinals[at]!]!
  }
}

function weightOf({ key, prefix, weight }: QueryKey, term: string): number {
  if (term === key) return weight
  const distance = term.length - key.length
  if (prefix && term.startsWith(key)) return (weight * prefixWeight * term.length) / (term.length + 0.3 * distance)
  return (weight * fuzzyWeight * term.length) / (term.length + 1)
}

/** Returns the factor of a term in each field. */
function factorsOf(
  { inTitle }: QueryPart,
  { frequency }: FoundTerm,
  { weight, totals }: { weight: number; totals: Totals },
): number[] {
  const rarity = Math.log(1 + (totals.count - frequency + 0.5) / (frequency + 0.5))
  return fields.map(field => (inTitle && !titleFields.includes(field) ? 0 : weight * boosts[field] * rarity))
}

/** Adds a term's contribution to the scores of its documents, some of which are not candidates. */
function addScores(
  scores: Float64Array,
  candidates: Uint32Array,
  { documents, counts }: Postings,
  {
    factors,
    lengths,
    averages,
  }: Record<'factors' | 'averages', readonly number[]> & { lengths: readonly Uint32Array[] },
): void {
  const { k, b, d } = bm25
  const add = (place: number): void => {
    const ordinal = documents[place]!
    const base = place * fields.length
    for (let field = 0; field < fields.length; field++) {
      const count = counts[base + field]!
      if (count === 0) continue
      const length = lengths[field]![ordinal]! / averages[field]!
      scores[ordinal]! += factors[field]! * (d + (count * (k + 1)) / (count + k * (1 - b + b * length)))
    }
  }
  if (candidates.length * fewTimes < documents.length) forEachCommon(documents, candidates, add)
  else for (let place = 0; place < documents.length; place++) add(place)
}
