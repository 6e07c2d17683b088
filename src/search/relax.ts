/** What to try when a query finds nothing: a last word that is only begun, words with wrong letters, any of the words. */

import { isOptional, type PreparedQuery, prepareQuery } from './candidates.ts'
import { loosenQuery, type Query, type QueryPart, replaceWords } from './query.ts'
import type { LiveSegment } from './segment/build.ts'
import { mistakesAllowed, similarTerms } from './terms.ts'

/** How a query was loosened. */
export type LooseMode = 'begun' | 'similar' | 'any'

/** A query that finds more. */
export interface LooserQuery {
  readonly prepared: PreparedQuery
  /** Words of the index in place of those that it does not have. */
  readonly corrections: ReadonlyMap<string, string>
  /** What to mark in texts. */
  readonly marked: Query
}

/** Lists what to try, in order; each is worked out only when it is asked for. */
export function looserQueries(
  segments: readonly LiveSegment[],
  exact: PreparedQuery,
): { mode: LooseMode; prepare: () => LooserQuery | null }[] {
  const { query } = exact
  const unknown = query.parts.filter(part => isUnknown(part, exact))
  const similar = new Set(unknown)
  let corrections: ReadonlyMap<string, string> | undefined
  const correct = (): ReadonlyMap<string, string> => {
    corrections ??= correctWords(segments, unknown)
    return corrections
  }
  const loosen = (any: boolean): LooserQuery => {
    const prepared = prepareQuery(segments, query, { any, similar })
    return { prepared, corrections: correct(), marked: markSimilar(query, prepared, similar) }
  }
  return [
    { mode: 'begun', prepare: () => beginning(segments, query) },
    { mode: 'similar', prepare: () => (unknown.length === 0 ? null : loosen(false)) },
    { mode: 'any', prepare: () => (query.parts.filter(isOptional).length < 2 ? null : loosen(true)) },
  ]
}

function beginning(segments: readonly LiveSegment[], query: Query): LooserQuery | null {
  const begun = loosenQuery(query)
  if (begun === null) return null
  return { prepared: prepareQuery(segments, begun), corrections: new Map(), marked: begun }
}

/** True for a word that no page has, where similar ones will do. */
function isUnknown(part: QueryPart, { expanded }: PreparedQuery): boolean {
  const key = part.alternatives[0]?.[0]
  if (part.kind !== 'word' || key === undefined || mistakesAllowed(key) === 0) return false
  return expanded.get(key)!.length === 0
}

/** Finds the nearest word for each, and of equally near ones the most frequent. */
function correctWords(segments: readonly LiveSegment[], unknown: readonly QueryPart[]): Map<string, string> {
  const corrections = new Map<string, string>()
  for (const part of unknown) {
    const key = part.alternatives[0]![0]!
    for (let mistakes = 1; mistakes <= mistakesAllowed(key) && !corrections.has(key.key); mistakes++) {
      const found = [...similarTerms(segments, key.key, mistakes)].sort((a, b) => b[1] - a[1])[0]
      if (found !== undefined) corrections.set(key.key, found[0])
    }
  }
  return corrections
}

/** Adds the words that were found to those that were asked for. */
function markSimilar(query: Query, { expanded }: PreparedQuery, similar: ReadonlySet<QueryPart>): Query {
  const added = [...similar].flatMap(part => {
    const word = part.words[0]!
    const found = expanded.get(part.alternatives[0]![0]!)!
    return found.flatMap(({ term }) => replaceWords({ ...query, parts: [part] }, new Map([[word, term]])).parts)
  })
  return { ...query, parts: [...query.parts.filter(part => !similar.has(part)), ...added] }
}
