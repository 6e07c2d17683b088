/** Problems found in a text, before the wiki's settings assign a severity. */

import type { Lint } from '../../wikitext/index.ts'

/** A problem with its range, in UTF-16 units. */
export interface FoundProblem {
  readonly kind: string
  readonly start: number
  readonly end: number
  readonly detail?: string
  /** End of the faulty markup. The rest up to `end` is its content. */
  readonly markupEnd?: number
  /** The API's object of a lint problem. */
  readonly lint?: Lint
}
