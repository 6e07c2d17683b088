/** The form of a rule, and the state that rules share during a page. */

import type { ChildNode, ElementNode, ParentNode } from '../tree/node.ts'
import type { LintType } from './types.ts'

/** Tags that are closed, but in the wrong place. */
export interface Closers {
  /** By the tag without an end of its own: the later end that closes it. */
  readonly of: ReadonlyMap<ElementNode, ElementNode>
  /** Stray ends that are reported with the tag that they close. */
  readonly late: ReadonlySet<ElementNode>
  /** Tags whose end follows right after the place where they had to end. */
  readonly near: ReadonlySet<ElementNode>
}

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
  readonly closers: Closers
  /** Ids seen so far. */
  readonly ids: Set<string>
  /** Unbreakable pieces of lines, by their parents. */
  readonly runs: Map<ParentNode, ReadonlyMap<ChildNode, Run>>
}

export type LintRule = (node: ElementNode, page: LintPage) => readonly Finding[]
