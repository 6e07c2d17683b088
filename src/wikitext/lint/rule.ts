/** The form of a rule, and the state that rules share during a page. */

import type { ChildNode, ElementNode, ParentNode } from '../tree/node.ts'
import type { LintType } from './types.ts'

/** Unbreakable pieces of a line: the length of their text, and the node after each of them. */
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
  /** True if it is in the opening tag, and not in the content. */
  readonly isTagOnly?: boolean
}

/** State of a page that rules share from one element to the next. */
export interface LintPage {
  /** Ends of misnested tags, which are reported with these tags. */
  readonly ends: Set<ElementNode>
  /** Ids seen so far. */
  readonly ids: Set<string>
  /** Unbreakable pieces of lines, by their parents. */
  readonly runs: Map<ParentNode, ReadonlyMap<ChildNode, Run>>
}

export type LintRule = (node: ElementNode, page: LintPage) => readonly Finding[]
