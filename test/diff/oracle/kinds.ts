/** Kinds of pages whose parts have an identity, and the edits that people make of them. */

import { lists } from './lists.ts'
import type { Change, Part, Rules } from './page.ts'
import { prose } from './prose.ts'
import { structures } from './structures.ts'
import type { Source } from './words.ts'

export type Syntax = 'wikitext' | 'markdown'

export interface Kind {
  readonly make: (source: Source) => Part
  /** Makes one change of a page, or null if the page has nothing to change so. */
  readonly edit: (source: Source, page: Part) => Change | null
  /** Makes an edit of several changes, which some sides begin with. */
  readonly also?: (source: Source, page: Part) => readonly Change[]
  /** Makes an edit that some bases have behind them. */
  readonly before?: (source: Source, page: Part) => readonly Change[]
  readonly rules: Partial<Record<Syntax, Rules>>
}

export const kinds: Readonly<Record<string, Kind>> = { ...lists, ...structures, ...prose }
