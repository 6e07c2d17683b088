/** A query that is ready to be looked up. */

import type { Query, QueryKey, QueryPart } from './query.ts'
import type { FoundTerm } from './terms.ts'

/** A query with the terms that its keys mean. */
export interface PreparedQuery {
  readonly query: Query
  /** True if one of the parts will do. */
  readonly any: boolean
  /** Parts that similar words will do for. */
  readonly similar: ReadonlySet<QueryPart>
  readonly terms: ReadonlyMap<string, FoundTerm>
  /** The terms of each key. */
  readonly expanded: ReadonlyMap<QueryKey, readonly FoundTerm[]>
}
