/**
 * The full-text index of a wiki: finds the pages that contain the words of a query, best first. Another engine can replace it
 * if it passes the contract in `test/search/_contract.ts`.
 */

import { isAsking, listCandidates, prepareQuery } from './query/candidates.ts'
import type { PreparedQuery } from './query/prepared-query.ts'
import { parseQuery, type Query } from './query/query.ts'
import { type LooseMode, relaxedQueries } from './query/query-relaxation.ts'
import {
  type IndexContent,
  type RankRequest,
  rank,
  type SearchHit,
  type SearchRequest,
  withForms,
} from './query/ranking.ts'
import { compareTexts } from './query/terms.ts'
import { byPlace, findTitles, keepLinked, type TitleHit, type TitleRequest } from './query/titles.ts'
import { type StoredDocument, titleTerm } from './segment/document.ts'

/** Result of a search. */
export interface IndexResult {
  readonly hits: readonly SearchHit[]
  /** Relaxation that was needed to find anything. */
  readonly mode: 'all' | LooseMode
  /** Words of the index that replace unknown words of the query. */
  readonly corrections: ReadonlyMap<string, string>
  /** Query whose matches are highlighted in the pages' texts. */
  readonly query: Query
}

/** Interface of an index for operations. */
export interface SearchIndex {
  /** Number of pages. */
  readonly count: number
  /** Finds the pages that match all of a query, or, if there are none, the nearest matches. */
  readonly search: (query: string | Query, request: SearchRequest) => IndexResult
  /** Lists pages by the beginning of a title, best first. */
  readonly titles: (request: TitleRequest) => TitleHit[]
  /** Fields that results show of a page; undefined if it is not indexed. */
  readonly stored: (id: number) => StoredDocument | undefined
  /** Revision and fingerprint that are indexed for a page; undefined if it is not. */
  readonly state: (id: number) => IndexedState | undefined
  /** Lists the ids of the indexed pages. */
  readonly ids: () => Iterable<number>
  /** Number of pages that link to a title. */
  readonly incoming: (title: string) => number
  /** Lists the redirects to a folded title, by page id. */
  readonly redirectsTo: (title: string) => number[]
  /** Lists the pages with links by a folded name, by page id. */
  readonly linkingBy: (name: string) => number[]
}

/** Indexed version of a page. */
export interface IndexedState {
  readonly revision: number
  readonly fingerprint: number
}

/** Answers a search. */
export function searchContent(content: IndexContent, asked: string | Query, request: RankRequest): IndexResult {
  const query = typeof asked === 'string' ? parseQuery(asked) : asked
  const { segments, memory } = content
  const exact = prepareQuery(segments, query, { memory })
  const found = rank(content, exact, request)
  const none = { corrections: new Map<string, string>(), query: withForms(query, exact) }
  if ((found.length > 0 && !request.any) || !isAsking(query)) return { ...none, hits: found, mode: 'all' }
  const isFound = (prepared: PreparedQuery): boolean =>
    listCandidates(segments, prepared, request).some(({ length }) => length > 0)
  for (const { mode, prepare } of relaxedQueries(content, exact, isFound)) {
    const looser = request.any && mode !== 'any' ? null : prepare()
    if (looser === null) continue
    const hits = rank(content, looser.prepared, request)
    if (hits.length > 0)
      return { hits, mode, corrections: looser.corrections, query: withForms(looser.marked, looser.prepared) }
  }
  return { ...none, hits: [], mode: 'all' }
}

/** Lists titles, best first. */
export function titlesOf(
  { segments }: IndexContent,
  request: TitleRequest,
  { linksTo, stored }: { linksTo: (hit: TitleHit) => number; stored: (id: number) => StoredDocument | undefined },
): TitleHit[] {
  const best = new Map<number, TitleHit>()
  for (const hit of findTitles(segments, request)) {
    const earlier = best.get(hit.id)
    if (earlier === undefined || isRedirectReported(hit, earlier)) best.set(hit.id, hit)
  }
  const linked = keepLinked([...best.values()], { limit: request.limit, segments: segments.length })
  const ranked = linked.map(hit => ({ hit, links: linksTo(hit) }))
  const names = new Map<number, Name>()
  const nameOf = ({ id, matched }: TitleHit): Name => {
    const cached = names.get(id)
    if (cached !== undefined) return cached
    const { title, redirects } = stored(id)!
    const name = { folded: titleTerm([title, ...redirects][matched] ?? title), title }
    names.set(id, name)
    return name
  }
  ranked.sort((a, b) => byPlace(a.hit, b.hit) || b.links - a.links || compareNames(nameOf(a.hit), nameOf(b.hit)))
  return ranked.slice(0, request.limit).map(({ hit }) => resultOf(hit, request, stored))
}

/** Of many titles only the first of each page was examined: this also finds a redirect with the same beginning. */
function resultOf(
  hit: TitleHit,
  { typed }: TitleRequest,
  stored: (id: number) => StoredDocument | undefined,
): TitleHit {
  if (!hit.chosen || hit.tier !== 1 || hit.matched !== 0) return hit
  const folded = titleTerm(typed)
  const redirect = (stored(hit.id)?.redirects ?? []).findIndex(title => titleTerm(title).startsWith(folded))
  return redirect < 0 ? hit : { ...hit, matched: redirect + 1 }
}

/** Returns true if a matched redirect is reported, even though the page's own title also matches. */
function isRedirectReported(hit: TitleHit, other: TitleHit): boolean {
  return hit.tier < other.tier || (hit.tier === other.tier && other.matched === 0)
}

/** A matched title, folded, and the page's own. */
type Name = { readonly folded: string; readonly title: string }

function compareNames(a: Name, b: Name): number {
  return compareTexts(a.folded, b.folded) || compareTexts(a.title, b.title)
}

export type { IndexContent } from './query/ranking.ts'
export type { TitleHit, TitleRequest } from './query/titles.ts'
export type { SearchDocument, StoredDocument } from './segment/document.ts'
