/** A query that is ready for look-up. */

import type { Query, QueryKey, QueryPart } from './query.ts'
import type { FoundTerm } from './terms.ts'

/** A query with the terms that its keys mean. */
export interface PreparedQuery {
  readonly query: Query
  /** True if any one part suffices. */
  readonly any: boolean
  /** Parts for which similar words suffice. */
  readonly similar: ReadonlySet<QueryPart>
  readonly terms: ReadonlyMap<string, FoundTerm>
  /** The terms of each key. */
  readonly expanded: ReadonlyMap<QueryKey, readonly FoundTerm[]>
}
