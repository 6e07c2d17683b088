/** The rules that every element of a page is held against, in the order in which they are told. */

import type { ChildNode, ElementNode, ParentNode } from '../tree/node.ts'
import { backgroundAlone, duplicateId, missingAlt } from './rules/attributes.ts'
import { noted } from './rules/constructs.ts'
import { deletableTable, fostered, largeTable, tableInList } from './rules/tables.ts'
import { divInSpan, fontAroundLink, obsolete, paragraphsInLine, type Run, spaceInLine } from './rules/tags.ts'
import { type Closers, selfClosed, stripped, unclosed } from './rules/unclosed.ts'
import type { LintType } from './types.ts'

/** Problem that a rule found at an element. */
export interface Finding {
  readonly type: LintType
  readonly params?: Readonly<Record<string, unknown>>
  /** Range of the problem, in place of the element's own range; widths are not told then. */
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

export const lintRules: readonly LintRule[] = [
  deletableTable,
  unclosed,
  selfClosed,
  stripped,
  obsolete,
  fontAroundLink,
  tableInList,
  divInSpan,
  paragraphsInLine,
  spaceInLine,
  largeTable,
  fostered,
  backgroundAlone,
  noted,
  missingAlt,
  duplicateId,
]
