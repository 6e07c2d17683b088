/** The comparison of two texts, as the API sends it. */

import type { DiffElement } from '../core/comparison.ts'
import { findChanges } from './common-subsequence.ts'
import { listElements } from './elements.ts'
import { splitLines } from './lines.ts'
import { findMoves } from './moves.ts'
import { listOperations } from './operations.ts'
import { createOutputLimit } from './output-limit.ts'
import { createVocabulary } from './vocabulary.ts'
import { noWorkLimit, type WorkLimit } from './work-limit.ts'
import { createWorkspace } from './workspace.ts'

export interface CompareTextsOptions {
  /** Bytes of JSON, about, beyond which the elements are given up; no bound if omitted. */
  readonly maximumBytes?: number
  /** Counts the steps; no bound if omitted. */
  readonly work?: WorkLimit
}

/**
 * Compares two texts by lines and words. Equal texts, and texts that differ only by a line feed at the very end, give
 * no elements. Throws nothing but `rest-resource-limit-exceeded`, where the elements take more than `maximumBytes`, and what
 * `work` throws.
 *
 * The answer is MediaWiki's, but for these bounds: on lines with Thai other words may be marked, see `thaiBreaks`; in
 * texts of more than 23,000 changed lines that repeat much, more lines than necessary may be called changed, see
 * `findPath`; and on pages with many huge paragraphs some moved ones may be called deleted and added, see
 * `createVocabulary`. Two lines over 40,000,000 cells (words of one changed middle times words of the other) are shown
 * as deleted and added throughout, there as here.
 *
 * Source: docs/reference/comparison.md; wikidiff2 1.14.1 with MediaWiki's settings.
 */
export function compareTexts(
  from: string,
  to: string,
  { maximumBytes = Number.POSITIVE_INFINITY, work = noWorkLimit }: CompareTextsOptions = {},
): DiffElement[] {
  if (from === to) return []
  const numbers = new Map<string, number>()
  const fromLines = splitLines(from, numbers)
  const toLines = splitLines(to, numbers)
  const changes = findChanges(fromLines.ids, toLines.ids, createWorkspace(numbers.size, work))
  const { diff, likeness } = createVocabulary(fromLines, toLines, numbers.size, work)
  const operations = listOperations(changes, diff)
  const looseLines = findMoves(operations, likeness)
  const limit = createOutputLimit(maximumBytes)
  return listElements({ from: fromLines, to: toLines, operations, looseLines, compare: diff, limit })
}
