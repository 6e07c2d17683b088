/** Compares two texts, in the form that the API sends. */

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
  /** Approximate bytes of JSON beyond which the comparison is abandoned; no limit if omitted. */
  readonly maxBytes?: number
  /** Counts the steps; no limit if omitted. */
  readonly work?: WorkLimit
}

/**
 * Compares two texts by lines and words. Equal texts, and texts that differ only by a final line feed, give no
 * elements. Throws `rest-resource-limit-exceeded` if the elements take more than `maxBytes`, and the errors of
 * `work`.
 *
 * The result equals MediaWiki's with four exceptions. A moved line right behind its old position has its offsets in both texts. On lines with Thai, other words may be marked, see `thaiBreaks`.
 * In texts with more than 23,000 changed and repetitive lines, more lines than necessary may count as changed, see
 * `findPath`. On pages with many huge paragraphs, some moved ones may be shown as deleted and added, see
 * `createVocabulary`. Two lines with more than 40,000,000 cells (words of one changed middle times words of the other)
 * are shown as wholly deleted and added, as in MediaWiki.
 *
 * Source: docs/reference/comparison.md; wikidiff2 1.14.1 with MediaWiki's settings.
 */
export function compareTexts(
  from: string,
  to: string,
  { maxBytes = Number.POSITIVE_INFINITY, work = noWorkLimit }: CompareTextsOptions = {},
): DiffElement[] {
  if (from === to) return []
  const numbers = new Map<string, number>()
  const fromLines = splitLines(from, numbers)
  const toLines = splitLines(to, numbers)
  const changes = findChanges(fromLines.ids, toLines.ids, createWorkspace(numbers.size, work))
  const { diff, likeness } = createVocabulary(fromLines, toLines, numbers.size, work)
  const operations = listOperations(changes, diff)
  const looseLines = findMoves(operations, likeness)
  const limit = createOutputLimit(maxBytes)
  return listElements({ from: fromLines, to: toLines, operations, looseLines, compare: diff, limit })
}
