/** MiniSearch over a part of the index: it holds the terms of one query and the candidate pages, and scores them. */

import MiniSearch, { type Query as EngineQuery, type MatchInfo, type Options } from 'minisearch'
import type { LiveSegment } from '../segment/build.ts'
import type { Totals } from '../segment/folder.ts'
import { forEachCommon } from '../segment/ordinals.ts'
import { type Field, fields } from '../segment/postings.ts'
import type { Query, QueryPart } from './query.ts'
import { mistakesAllowed } from './similar-terms.ts'
import type { FoundTerm } from './terms.ts'

/** Weight of each field relative to the body. */
export const boosts = { title: 16, redirects: 12, headings: 4, lead: 3.5, body: 1 } as const

/** BM25+ parameters k1, b and δ. */
export const bm25 = { k: 2, b: 0.7, d: 0.2 }

/** Fields in which `intitle:` looks. */
export const titleFields: readonly Field[] = ['title', 'redirects']

/** Options of the engine, for a part of the index or all of it. */
export const engineOptions: Options = {
  fields: [...fields],
  processTerm: term => term,
  tokenize: text => [text],
  autoVacuum: false,
  logger: () => undefined,
}

/** A page among those that can answer a query. */
export interface Candidate {
  /** Index of the segment, and ordinal of the document in it. */
  readonly from: number
  readonly ordinal: number
  /** Page id. */
  readonly id: number
}

/** A page with the engine's score. */
export interface Scored {
  readonly id: number
  readonly score: number
  /** The fields in which each term was found. */
  readonly match: MatchInfo
}

/** Pages with a term: only candidates are listed, but the total number is known. */
class ListedPages extends Map<number, number> {
  readonly #size: number

  constructor(size: number) {
    super()
    this.#size = size
  }

  override get size(): number {
    return this.#size
  }
}

class PartialEngine extends MiniSearch<{ id: number }> {
  constructor({ count, lengths }: Totals) {
    super(engineOptions as Options<{ id: number }>)
    this._documentCount = count
    this._avgFieldLength = lengths.map(sum => sum / Math.max(1, count))
  }

  addPage(id: number, lengths: number[]): void {
    this._documentIds.set(id, id)
    this._fieldLength.set(id, lengths)
  }

  addTermPages(term: string, pages: Map<number, Map<number, number>>): void {
    this._index.set(term, pages)
  }
}

/** Scores candidates as one engine over the whole index would. */
export function scoreCandidates(
  request: { readonly query: Query; readonly any: boolean; readonly similar: ReadonlySet<QueryPart> },
  { segments, totals, terms }: { segments: readonly LiveSegment[]; totals: Totals; terms: Iterable<FoundTerm> },
  candidates: readonly Candidate[],
): Scored[] {
  const engine = new PartialEngine(totals)
  for (const { id, from, ordinal } of candidates) {
    const { segment } = segments[from]!
    engine.addPage(
      id,
      fields.map((_, field) => segment.fieldLength(ordinal, field)),
    )
  }
  const bySegment = segments.map((_, from) => candidatesOf(candidates, from))
  for (const term of terms) {
    const pages = listPages(term, bySegment)
    if (pages.size > 0) engine.addTermPages(term.term, pages)
  }
  const results = engine.search(engineQuery(request), { boost: boosts, bm25 })
  return results.map(({ id, score, match, queryTerms }) => ({
    id: id as number,
    score: roundScore(score / queryTerms.length),
    match,
  }))
}

/** Candidates of one segment, in order. */
interface SegmentCandidates {
  readonly ordinals: Uint32Array
  readonly ids: readonly number[]
}

function candidatesOf(candidates: readonly Candidate[], from: number): SegmentCandidates {
  const own = candidates.filter(candidate => candidate.from === from).sort((a, b) => a.ordinal - b.ordinal)
  return { ordinals: Uint32Array.from(own, ({ ordinal }) => ordinal), ids: own.map(({ id }) => id) }
}

/** Builds the engine's query: all parts, or any; each part by one of its alternatives. Candidates satisfy the choices already. */
export function engineQuery({
  query,
  any,
  similar,
}: {
  readonly query: Query
  readonly any: boolean
  readonly similar: ReadonlySet<QueryPart>
}): EngineQuery {
  const toQuery = (part: QueryPart): EngineQuery => ({
    combineWith: 'OR' as const,
    ...(part.inTitle && { fields: [...titleFields] }),
    queries: part.alternatives.map(keys => ({
      combineWith: 'AND' as const,
      queries: keys.map(key => ({
        queries: [key.key],
        prefix: key.prefix,
        // One more than allowed: the engine counts a transposition as two edits.
        fuzzy: similar.has(part) && mistakesAllowed(key) > 0 ? mistakesAllowed(key) + 1 : false,
        boostTerm: () => key.weight,
      })),
    })),
  })
  return { combineWith: any || query.choices.length > 0 ? 'OR' : 'AND', queries: query.parts.map(toQuery) }
}

function listPages(term: FoundTerm, candidates: readonly SegmentCandidates[]): Map<number, Map<number, number>> {
  const pages = new Map<number, ListedPages>()
  for (const [from, postings] of term.postings.entries()) {
    if (postings === null) continue
    const { ordinals, ids } = candidates[from]!
    forEachCommon(ordinals, postings.documents, (at, place) => {
      for (let field = 0; field < fields.length; field++) {
        const count = postings.counts[place * fields.length + field]!
        if (count === 0) continue
        if (!pages.has(field)) pages.set(field, new ListedPages(term.frequency))
        pages.get(field)!.set(ids[at]!, count)
      }
    })
  }
  return pages
}

/** Rounds scores: sums of the same numbers in another order differ in their last digits, which must not reorder pages. */
function roundScore(score: number): number {
  return Number(score.toPrecision(9))
}
