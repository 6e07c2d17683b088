/**
 * The full-text index of a wiki: which pages hold the words of a query, best first. Any engine that keeps what is written
 * here can take the place of this one; `test/search/contract.ts` says it in tests.
 */

import type { MatchInfo } from 'minisearch'
import { isAsking, type KnownTerms, keepBest, listCandidates, type PreparedQuery, prepareQuery } from './candidates.ts'
import { marks, type StoredDocument, titleTerm } from './document.ts'
import { type Candidate, type Scored, scoreCandidates, type Totals } from './hydrate.ts'
import { listMatches } from './match.ts'
import { parseQuery, type Query } from './query.ts'
import { type LooseMode, looserQueries } from './relax.ts'
import type { LiveSegment } from './segment/build.ts'
import { countDocuments } from './terms.ts'
import { findTitles, readStored, type TitleHit, type TitleRequest } from './titles.ts'

/** Which of the matching pages to return. */
export interface SearchRequest {
  /** At most this many. */
  readonly limit: number
  /** Only pages of these namespaces; of all where it is missing. */
  readonly namespaces?: readonly number[] | undefined
}

/** A page that a search found. */
export interface SearchHit {
  /** Page id. */
  readonly id: number
  /** Comparable within one search only. */
  readonly score: number
  /** Title of the redirect by which it was found; null where it was found by what is its own. */
  readonly redirect: string | null
}

/** What a search found. */
export interface SearchAnswer {
  readonly hits: readonly SearchHit[]
  /** How far the query was loosened to find something. */
  readonly mode: 'all' | LooseMode
  /** Words of the index in place of those that it does not have, as far as they were needed. */
  readonly corrections: ReadonlyMap<string, string>
  /** What to mark in the pages' texts. */
  readonly query: Query
}

/** What operations ask of an index. */
export interface SearchIndex {
  /** Number of pages. */
  readonly count: number
  /** Finds the pages that hold everything a query names, or, where there are none, what is nearest to it. */
  readonly search: (query: string | Query, request: SearchRequest) => SearchAnswer
  /** Lists pages by the beginning of a title, best first. */
  readonly titles: (request: TitleRequest) => TitleHit[]
  /** What results show of a page; undefined where it is not indexed. */
  readonly stored: (id: number) => StoredDocument | undefined
  /** Revision and fingerprint that are indexed for a page; undefined where it is not. */
  readonly state: (id: number) => IndexedState | undefined
  /** Lists the ids of the indexed pages. */
  readonly ids: () => Iterable<number>
  /** Number of pages that link to a title. */
  readonly incoming: (title: string) => number
  /** Lists the redirects to a folded title, by page id. */
  readonly redirectsTo: (title: string) => number[]
}

/** What of a page is indexed. */
export interface IndexedState {
  readonly revision: number
  readonly fingerprint: number
}

/** Candidates that the engine scores; of more, those that score highest by its formula. */
const mostScored = 400

/** Titles that begin with the query and are put before other pages. */
const mostFavoured = 500

/** Link counts that are remembered. */
const mostCounts = 100_000

/** What an index answers from. */
export interface IndexContent {
  readonly segments: readonly LiveSegment[]
  readonly totals: Totals
}

/** Counts of links by folded title, as long as nothing changes. */
export type LinkCounts = Map<string, number>

/** Gives the number of pages that link to a title. */
export function countIncoming({ segments }: IndexContent, counts: LinkCounts, title: string): number {
  const term = marks.link + titleTerm(title)
  const known = counts.get(term)
  if (known !== undefined) return known
  const count = countDocuments(segments, term)
  if (counts.size >= mostCounts) counts.clear()
  counts.set(term, count)
  return count
}

/** Answers a search. */
export function searchContent(
  content: IndexContent,
  asked: string | Query,
  request: SearchRequest & { readonly incoming: (id: number) => number },
): SearchAnswer {
  const query = typeof asked === 'string' ? parseQuery(asked) : asked
  const { segments } = content
  const known: KnownTerms = new Map()
  const exact = prepareQuery(segments, query, { known })
  const found = rank(content, exact, request)
  const none = { corrections: new Map<string, string>(), query }
  if (found.length > 0 || !isAsking(query)) return { ...none, hits: found, mode: 'all' }
  const isFound = (prepared: PreparedQuery): boolean => listCandidates(segments, prepared, request).length > 0
  for (const { mode, prepare } of looserQueries(segments, exact, { known, isFound })) {
    const looser = prepare()
    if (looser === null) continue
    const hits = rank(content, looser.prepared, request)
    if (hits.length > 0) return { hits, mode, corrections: looser.corrections, query: looser.marked }
  }
  return { ...none, hits: [], mode: 'all' }
}

/** Best first: the title itself, titles that begin so, then by score; equal ones by incoming links. */
function rank(
  content: IndexContent,
  prepared: PreparedQuery,
  request: SearchRequest & { readonly incoming: (id: number) => number },
): SearchHit[] {
  const { segments, totals } = content
  const candidates = listCandidates(segments, prepared, request)
  if (candidates.length === 0) return []
  const titles = titleTiers(content, prepared, request)
  const most = Math.max(mostScored, 4 * request.limit)
  const kept = keepBest(segments, prepared, candidates, { totals, most, always: new Set(titles.keys()) })
  const ranked = scoreAll(content, prepared, kept).map(hit => ({ ...hit, tier: titles.get(hit.id)?.tier ?? 2 }))
  ranked.sort((a, b) => a.tier - b.tier || b.score - a.score)
  const places = new Map(kept.map(candidate => [candidate.id, candidate]))
  return settleTies(ranked, request)
    .slice(0, request.limit)
    .map(({ id, score, match }) => {
      const alias = titles.get(id)?.matched ?? (isByRedirect(prepared, match) ? null : 0)
      if (alias === 0) return { id, score, redirect: null }
      const { from, ordinal } = places.get(id)!
      const { redirects } = readStored(segments[from]!, ordinal)
      return {
        id,
        score,
        redirect: (alias === null ? bestOf(redirects, prepared.query) : redirects[alias - 1]) ?? null,
      }
    })
}

/** True where something of the query is in no field but the titles of redirects. */
function isByRedirect({ query, expanded }: PreparedQuery, match: MatchInfo): boolean {
  if (!Object.values(match).flat().includes('redirects')) return false
  return query.parts.some(part => {
    const terms = part.alternatives.flat().flatMap(key => expanded.get(key) ?? [])
    const found = terms.flatMap(({ term }) => (Object.hasOwn(match, term) ? match[term]! : []))
    return found.length > 0 && found.every(field => field === 'redirects')
  })
}

/** The title that has the most of a query. */
function bestOf(titles: readonly string[], { parts }: Query): string | undefined {
  const counted = titles.map(title => ({
    title,
    count: new Set([...listMatches(title, parts)].map(({ part }) => part)).size,
  }))
  return counted.sort((a, b) => b.count - a.count)[0]?.title
}

/** A query that only filters has no words to score. */
function scoreAll(content: IndexContent, prepared: PreparedQuery, kept: readonly Candidate[]): Scored[] {
  if (prepared.query.parts.length === 0) return kept.map(({ id }) => ({ id, score: 1, match: {} }))
  return scoreCandidates(prepared, { ...content, terms: prepared.terms.values() }, kept)
}

/** Which pages have the query as their title (0), or a title that begins with it (1). */
function titleTiers(
  { segments }: IndexContent,
  { query, any }: PreparedQuery,
  { namespaces }: SearchRequest,
): Map<number, TitleHit> {
  const tiers = new Map<number, TitleHit>()
  const isPlain = query.filters.length === 0 && query.excluded.length === 0
  if (!isPlain || any || namespaces === undefined || query.text === '') return tiers
  let left = mostFavoured
  for (const hit of findTitles(segments, { typed: query.text, namespaces, limit: mostFavoured, beginnings: true })) {
    if (hit.tier > 1 || left-- <= 0) break
    const known = tiers.get(hit.id)
    if (known === undefined || isBetter(hit, known)) tiers.set(hit.id, hit)
  }
  return tiers
}

interface Ranked extends Scored {
  readonly tier: number
}

/** Only as far as the limit: what comes behind it is not shown. */
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

/** Lists titles, best first. */
export function titlesOf(
  { segments }: IndexContent,
  request: TitleRequest,
  { linksTo, stored }: { linksTo: (hit: TitleHit) => number; stored: (id: number) => StoredDocument | undefined },
): TitleHit[] {
  const best = new Map<number, TitleHit>()
  for (const hit of findTitles(segments, request)) {
    const known = best.get(hit.id)
    if (known === undefined || isTold(hit, known)) best.set(hit.id, hit)
  }
  const ranked = [...best.values()].map(hit => ({ hit, links: linksTo(hit) }))
  const names = new Map<number, Name>()
  const nameOf = ({ id, matched }: TitleHit): Name => {
    const known = names.get(id)
    if (known !== undefined) return known
    const { title, redirects } = stored(id)!
    const name = { folded: titleTerm([title, ...redirects][matched] ?? title), title }
    names.set(id, name)
    return name
  }
  ranked.sort((a, b) => a.hit.tier - b.hit.tier || b.links - a.links || compareNames(nameOf(a.hit), nameOf(b.hit)))
  return ranked.slice(0, request.limit).map(({ hit }) => toldOf(hit, request, stored))
}

/** Of many titles only the first of each page was looked at: a redirect that begins so as well is found here. */
function toldOf(hit: TitleHit, { typed }: TitleRequest, stored: (id: number) => StoredDocument | undefined): TitleHit {
  if (hit.links === null || hit.tier !== 1 || hit.matched !== 0) return hit
  const folded = titleTerm(typed)
  const redirect = (stored(hit.id)?.redirects ?? []).findIndex(title => titleTerm(title).startsWith(folded))
  return redirect < 0 ? hit : { ...hit, matched: redirect + 1 }
}

/** A redirect that was found is told of, though the page's own title begin so too. Source: REST.md 11.2. */
function isTold(hit: TitleHit, known: TitleHit): boolean {
  return hit.tier < known.tier || (hit.tier === known.tier && known.matched === 0)
}

/** Of the titles of one page its own counts before those of redirects. */
function isBetter(hit: TitleHit, known: TitleHit): boolean {
  return hit.tier < known.tier || (hit.tier === known.tier && hit.matched < known.matched)
}

/** A title that was found, folded, and the page's own. */
type Name = { readonly folded: string; readonly title: string }

function compareNames(a: Name, b: Name): number {
  return compareTexts(a.folded, b.folded) || compareTexts(a.title, b.title)
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}

export type { SearchDocument, StoredDocument } from './document.ts'
export type { TitleHit, TitleRequest } from './titles.ts'
