/** Relaxes a query without results: an unfinished last word, misspelt words, then any of the words. */

import type { LiveSegment } from '../segment/build.ts'
import { isOptional, prepareQuery } from './candidates.ts'
import type { PreparedQuery } from './prepared-query.ts'
import { type Query, type QueryPart, replaceWords, withAlternatives, withPrefixQuery } from './query.ts'
import type { IndexContent } from './ranking.ts'
import { mistakesAllowed, type SimilarTerm, similarTerms } from './similar-terms.ts'

/** Kind of relaxation of a query. */
export type LooseMode = 'begun' | 'similar' | 'any'

/** A query that finds more. */
export interface LooserQuery {
  readonly prepared: PreparedQuery
  /** Words of the index that replace unknown ones. */
  readonly corrections: ReadonlyMap<string, string>
  /** Query whose matches are highlighted in texts. */
  readonly marked: Query
}

/** Lists the relaxations to try, in order; each is computed on demand. */
export function relaxedQueries(
  { segments, memory }: IndexContent,
  exact: PreparedQuery,
  isFound: (prepared: PreparedQuery) => boolean,
): { mode: LooseMode; prepare: () => LooserQuery | null }[] {
  const { query } = exact
  const unknown = query.parts.filter(part => isUnknown(part, exact))
  let found: ReadonlyMap<QueryPart, ReadonlyMap<string, SimilarTerm>> | undefined
  const loosen = (any: boolean): LooserQuery => {
    found ??= new Map(unknown.map(part => [part, similarOf(segments, part)]))
    const similar = new Map([...found].map(([part, terms]) => [part, terms.keys()]))
    const prepared = prepareQuery(segments, query, { any, similar, memory })
    return { prepared, corrections: correctWords(found), marked: markSimilar(query, found) }
  }
  const plainer = (): LooserQuery | null => {
    const other = withAlternatives(query)
    return other && { prepared: prepareQuery(segments, other, { memory }), corrections: new Map(), marked: other }
  }
  return [
    { mode: 'similar', prepare: plainer },
    { mode: 'begun', prepare: () => beginning(query, words => prepareQuery(segments, words, { memory }), isFound) },
    { mode: 'similar', prepare: () => (unknown.length === 0 ? null : loosen(false)) },
    {
      mode: 'any',
      prepare: () => (query.parts.filter(isOptional).length < 2 || query.choices.length > 0 ? null : loosen(true)),
    },
  ]
}

/** Treats the last word as a prefix. Skipped if no page has the other words. */
function beginning(
  query: Query,
  prepare: (query: Query) => PreparedQuery,
  isFound: (prepared: PreparedQuery) => boolean,
): LooserQuery | null {
  const begun = query.choices.length > 0 ? null : withPrefixQuery(query)
  if (begun === null) return null
  const others = { ...query, parts: query.parts.slice(0, -1) }
  if (others.parts.length > 0 && !isFound(prepare(others))) return null
  return { prepared: prepare(begun), corrections: new Map(), marked: begun }
}

/** True for an unknown word that may be replaced by similar ones. */
function isUnknown(part: QueryPart, { expanded }: PreparedQuery): boolean {
  const key = part.alternatives[0]?.[0]
  if (part.kind !== 'word' || key === undefined || mistakesAllowed(key) === 0) return false
  return part.alternatives.flat().every(key => expanded.get(key)!.length === 0)
}

function similarOf(segments: readonly LiveSegment[], part: QueryPart): ReadonlyMap<string, SimilarTerm> {
  const key = part.alternatives[0]![0]!
  return similarTerms(segments, key.key, mistakesAllowed(key))
}

/** Returns the nearest word for each, and of equally near ones the most frequent. */
function correctWords(found: ReadonlyMap<QueryPart, ReadonlyMap<string, SimilarTerm>>): Map<string, string> {
  const corrections = new Map<string, string>()
  for (const [part, terms] of found) {
    const best = [...terms].sort(([, a], [, b]) => a.distance - b.distance || b.count - a.count)[0]
    if (best !== undefined) corrections.set(part.words[0]!, best[0])
  }
  return corrections
}

/** Replaces the words of the query by the ones found. */
function markSimilar(query: Query, found: ReadonlyMap<QueryPart, ReadonlyMap<string, SimilarTerm>>): Query {
  const added = [...found].flatMap(([part, terms]) =>
    [...terms.keys()].flatMap(
      term => replaceWords({ ...query, parts: [part] }, new Map([[part.words[0]!, term]])).parts,
    ),
  )
  return { ...query, parts: [...query.parts.filter(part => !found.has(part)), ...added] }
}
