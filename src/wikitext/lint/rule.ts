/** The form of a rule, and what rules share while a page is looked at. */

import type { ChildNode, ElementNode, ParentNode } from '../tree/node.ts'
import type { LintType } from './types.ts'

/** Tags that are closed, but not where they ought to be. */
export interface Closers {
  /** By the tag that has no end of its own: what closes it behind it. */
  readonly of: ReadonlyMap<ElementNode, ElementNode>
  /** Stray ends of formatting tags, which are reported with the tag that they close. */
  readonly late: ReadonlySet<ElementNode>
}

/** Pieces of a line that stand together: the length of their text, and what follows each of them. */
export interface Run {
  readonly length: number
  readonly next: ChildNode | null
}

/** Problem that a rule found at an element. */
export interface Finding {
  readonly type: LintType
  readonly params?: Readonly<Record<string, unknown>>
  /** Range of the problem, instead of the element's own range; then without widths. */
  readonly at?: { readonly start: number; readonly end: number }
  /** True if it is in the opening tag, not in what the element holds. */
  readonly isTagOnly?: boolean
}

/** State of a page that rules share from one element to the next. */
export interface LintPage {
  readonly closers: Closers
  /** Ids seen so far. */
  readonly ids: Set<string>
  /** Pieces of lines that stand together, by what holds them. */
  readonly runs: Map<ParentNode, ReadonlyMap<ChildNode, Run>>
}

export type LintRule = (node: ElementNode, page: LintPage) => readonly Finding[]
