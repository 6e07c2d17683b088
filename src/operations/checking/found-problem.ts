/** Problems as they are found in a text, before a wiki's settings say how bad they are. */

import type { Lint } from '../../wikitext/index.ts'

/** A problem where it stands: UTF-16 units. */
export interface FoundProblem {
  readonly kind: string
  readonly start: number
  readonly end: number
  readonly detail?: string
  /** End of the faulty markup; the rest up to `end` is its content. */
  readonly markupEnd?: number
  /** The object of the API, for a problem of wikitext. */
  readonly lint?: Lint
}
