/** Ranks the pages that match a query. */

import type { MatchInfo } from 'minisearch'
import type { LiveSegment } from '../segment/build.ts'
import type { Totals } from '../segment/folder.ts'
import { keepBest } from './candidate-selection.ts'
import { listCandidates } from './candidates.ts'
import { listMatches } from './match.ts'
import type { PreparedQuery } from './prepared-query.ts'
import type { Query, QueryPart } from './query.ts'
import { type Candidate, type Scored, scoreCandidates } from './query-engine.ts'
import type { TermMemory } from './term-memory.ts'
import { findTitles, readStored, type TitleHit } from './titles.ts'

/** Limits on the matching pages to return. */
export interface SearchRequest {
  /** At most this many. */
  readonly limit: number
  /** Only pages of these namespaces; of all if omitted. */
  readonly namespaces?: readonly number[] | undefined
  /** True if pages with any of the words are wanted, even though others have all. */
  readonly any?: boolean | undefined
}

/** A page that a search found. */
export interface SearchHit {
  /** Page id. */
  readonly id: number
  /** Comparable within one search only. */
  readonly score: number
  /** Title of the redirect by which it was found; null if its own title or text matched. */
  readonly redirect: string | null
}

/** Data that an index searches. */
export interface IndexContent {
  readonly segments: readonly LiveSegment[]
  readonly totals: Totals
  readonly memory: TermMemory
}

/** Search request, and the number of links to each page. */
export interface RankRequest extends SearchRequest {
  readonly incoming: (id: number) => number
}

/** Maximum titles with the query as prefix that come before other pages. */
const maxFavoured = 500

/** Maximum leading pages whose incoming links are counted. */
const maxWeighed = 50

/** Bonus for each doubling of a page's incoming links. */
const linkWeight = 0.1

/** Returns the query with the word forms that the index has, for highlighting. */
export function withForms(query: Query, { expanded }: PreparedQuery): Query {
  const formsOf = (part: QueryPart): readonly string[] =>
    part.alternatives.flat().flatMap(key => (key.stem ? (expanded.get(key)?.[0]?.forms ?? []) : []))
  const parts = query.parts.map(part => ({ ...part, forms: formsOf(part).filter(form => form !== part.words[0]) }))
  return { ...query, parts }
}

/** Best first: the title itself, titles with the query as prefix, then by score; ties by incoming links. */
export function rank(content: IndexContent, prepared: PreparedQuery, request: RankRequest): SearchHit[] {
  const { segments, totals } = content
  const found = listCandidates(segments, prepared, request)
  if (found.every(({ length }) => length === 0)) return []
  const titles = titleTiers(content, prepared, request)
  const most = Math.max(maxWeighed, request.limit)
  const candidates = keepBest(segments, prepared, { found, most, totals, titles: titles.values() })
  const weights = prepared.any ? partWeights(content, prepared) : null
  const scored = scoreAll(content, prepared, candidates).map(hit => ({
    ...hit,
    score: weights === null ? hit.score : hit.score * coverage(weights, prepared, hit.match),
    tier: titles.get(hit.id)?.tier ?? 2,
  }))
  const ranked = withLinks(scored.sort(byRankAndId), request)
  const places = new Map(candidates.map(candidate => [candidate.id, candidate]))
  return settleTies(ranked, request)
    .slice(0, request.limit)
    .map(({ id, score, match }) => {
      // A title that only begins with the query need not have its words.
      const alias = titles.get(id)?.matched || (isByRedirect(prepared, match) ? null : 0)
      if (alias === 0) return { id, score, redirect: null }
      const { from, ordinal } = places.get(id)!
      const { redirects } = readStored(segments[from]!, ordinal)
      return {
        id,
        score,
        redirect:
          (alias === null ? bestOf(redirects, withForms(prepared.query, prepared)) : redirects[alias - 1]) ?? null,
      }
    })
}

/** Pages as good as the last of these are weighed too, since links decide between them. */
function withLinks(scored: readonly Ranked[], { incoming }: { incoming: (id: number) => number }): Ranked[] {
  let end = Math.min(maxWeighed, scored.length)
  while (end > 0 && end < scored.length && byRank(scored[end]!, scored[end - 1]!) === 0) end++
  const weighed = scored.slice(0, end).map(hit => ({
    ...hit,
    score: hit.score * (1 + linkWeight * Math.log2(1 + incoming(hit.id))),
  }))
  return [...weighed.sort(byRankAndId), ...scored.slice(end)]
}

const byRank = (a: Ranked, b: Ranked): number => a.tier - b.tier || b.score - a.score
/** A total order: that of the segments depends on how the index grew. */
const byRankAndId = (a: Ranked, b: Ranked): number => byRank(a, b) || a.id - b.id

/** Returns the weight of each part of a query; rare words weigh more. */
function partWeights({ totals }: IndexContent, { query, expanded }: PreparedQuery): Map<QueryPart, number> {
  const weightOf = (part: QueryPart): number => {
    const terms = part.alternatives.flat().flatMap(key => expanded.get(key) ?? [])
    const most = Math.max(0, ...terms.map(({ frequency }) => frequency))
    return Math.log(1 + (totals.count + 1) / (most + 0.5))
  }
  return new Map(query.parts.map(part => [part, weightOf(part)]))
}

/** Returns the squared weight share of the query parts that a page has, 0 to 1. Squaring penalises partial matches. */
function coverage(weights: ReadonlyMap<QueryPart, number>, { expanded }: PreparedQuery, match: MatchInfo): number {
  const [all, own] = [[...weights], [...weights].filter(([part]) => isMatched(part, expanded, match))].map(list =>
    list.reduce((sum, [, weight]) => sum + weight, 0),
  )
  return (own! / all!) ** 2
}

function isMatched(part: QueryPart, expanded: PreparedQuery['expanded'], match: MatchInfo): boolean {
  return part.alternatives.some(keys =>
    keys.every(key => expanded.get(key)!.some(({ term }) => Object.hasOwn(match, term))),
  )
}

/** True if a part of the query matches only the titles of redirects. */
function isByRedirect({ query, expanded }: PreparedQuery, match: MatchInfo): boolean {
  if (!Object.values(match).flat().includes('redirects')) return false
  return query.parts.some(part => {
    const terms = part.alternatives.flat().flatMap(key => expanded.get(key) ?? [])
    const found = terms.flatMap(({ term }) => (Object.hasOwn(match, term) ? match[term]! : []))
    return found.length > 0 && found.every(field => field === 'redirects')
  })
}

/** The title that matches most of a query. */
function bestOf(titles: readonly string[], { parts }: Query): string | undefined {
  const counted = titles.map(title => ({
    title,
    count: new Set([...listMatches(title, parts)].map(({ part }) => part)).size,
  }))
  return counted.sort((a, b) => b.count - a.count)[0]?.title
}

/** A query that only filters has no words to score, and a page that a choice's filter found may have none of its words. */
function scoreAll(content: IndexContent, prepared: PreparedQuery, candidates: readonly Candidate[]): Scored[] {
  const { parts, choices } = prepared.query
  if (parts.length === 0) return candidates.map(({ id }) => ({ id, score: 1, match: {} }))
  const scored = scoreCandidates(prepared, { ...content, terms: prepared.terms.values() }, candidates)
  if (choices.length === 0 || scored.length === candidates.length) return scored
  const ids = new Set(scored.map(({ id }) => id))
  return [...scored, ...candidates.filter(({ id }) => !ids.has(id)).map(({ id }) => ({ id, score: 0, match: {} }))]
}

/** Returns the pages whose title equals the query (0) or begins with it (1). */
function titleTiers(
  { segments }: IndexContent,
  { query, any }: PreparedQuery,
  { namespaces }: SearchRequest,
): Map<number, TitleHit> {
  const tiers = new Map<number, TitleHit>()
  if (any || namespaces === undefined || query.text === '') return tiers
  for (const hit of findTitles(segments, { typed: query.text, namespaces, limit: maxFavoured, beginnings: true })) {
    if (hit.tier > 1) break
    const best = tiers.get(hit.id)
    if (best === undefined || isBetter(hit, best)) tiers.set(hit.id, hit)
  }
  if (tiers.size <= maxFavoured) return tiers
  const inOrder = [...tiers].sort(([, a], [, b]) => a.tier - b.tier || a.id - b.id)
  return new Map(inOrder.slice(0, maxFavoured))
}

interface Ranked extends Scored {
  readonly tier: number
}

/** Only up to the limit: later results are not shown. */
function settleTies(
  ranked: readonly Ranked[],
  { incoming, limit }: { incoming: (id: number) => number; limit: number },
): Ranked[] {
  const settled: Ranked[] = []
  for (let at = 0; at < ranked.length && settled.length < limit; ) {
    let end = at + 1
    while (end < ranked.length && ranked[end]!.tier === ranked[at]!.tier && ranked[end]!.score === ranked[at]!.score)
      end++
    const tied = ranked.slice(at, end)
    if (tied.length === 1) settled.push(tied[0]!)
    else {
      const counted = tied.map(hit => ({ hit, links: incoming(hit.id) }))
      counted.sort((a, b) => b.links - a.links || a.hit.id - b.hit.id)
      settled.push(...counted.map(({ hit }) => hit))
    }
    at = end
  }
  return settled
}

/** Of a page's titles, its own precedes those of redirects. */
function isBetter(hit: TitleHit, other: TitleHit): boolean {
  return hit.tier < other.tier || (hit.tier === other.tier && hit.matched < other.matched)
}
