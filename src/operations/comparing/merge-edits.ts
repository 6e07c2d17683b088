/** Merges two edits of one text. Returns the merged text, or the changes of both sides if they conflict. */

import type { DiffElement } from '../../core/comparison.ts'
import type { ContentModel } from '../../core/content-models.ts'
import { isWikiError } from '../../core/errors.ts'
import type { WikiConfig } from '../../core/wiki-config.ts'
import { compareTexts } from '../../diff/compare-texts.ts'
import { mergeTexts } from '../../diff/merge.ts'
import { createWorkLimit, type WorkLimit } from '../../diff/work-limit.ts'
import { checkSource, fileOfSource, maxSourceBytes } from '../resources/source.ts'
import { checkCompared } from './comparison.ts'
import { movedText } from './moved-text.ts'

/** Three texts of the file, and the rules for merging them. */
export interface Edits {
  readonly base: string
  readonly current: string
  readonly submitted: string
  readonly policy: WikiConfig['merge']
  readonly model: ContentModel
  /** Maximum size of the merged source in bytes; 2 MiB if omitted. */
  readonly limit?: number
  /** True for an edit that brings an earlier text back: it conflicts if text that it takes away has moved. */
  readonly isUndo?: boolean
}

/**
 * The merged text; or the differences of both sides from the base, null if they are too large or take too many steps. `moved` is text
 * that an undo would leave, because it has moved.
 */
export type MergedEdits =
  | { readonly text: string }
  | {
      readonly local: readonly DiffElement[] | null
      readonly remote: readonly DiffElement[] | null
      readonly moved?: string
    }

/** Approximate maximum bytes of each difference of a conflict. */
const maxConflictBytes = 4 * 1024 * 1024

/**
 * Merges two edits of one text. The merge and both differences share one work limit: texts that take more steps conflict, without
 * the differences, so that the result is the same on every machine. Errors: rest-resource-limit-exceeded.
 */
export function mergeEdits(edits: Edits): MergedEdits {
  const { base, current, submitted, policy, model, limit = maxSourceBytes, isUndo = false } = edits
  checkCompared(base, current, submitted)
  const by = unitOf(policy, model)
  // A text that nobody changed needs no merge.
  if (by === 'never' && submitted === base) return { text: current }
  const work = createWorkLimit()
  const merge = by === 'never' ? undefined : unlessTooLarge(() => mergeTexts(base, submitted, current, { by, work }))
  // The limit is exhausted, so computing the differences would fail.
  if (merge === null) return { local: null, remote: null }
  if (merge?.merged && isWhole(fileOfSource(merge.text), model, limit)) {
    const text = fileOfSource(merge.text)
    const moved = isUndo ? movedText(edits, text) : null
    return moved === null ? { text } : { local: null, remote: null, moved }
  }
  const limits = { maxBytes: maxConflictBytes, work }
  return { local: differenceOf(base, submitted, limits), remote: differenceOf(base, current, limits) }
}

/**
 * Returns the unit of a merge. Only prose is merged by words, because half a statement from each side makes no program.
 */
export function unitOf(policy: WikiConfig['merge'], model: ContentModel): WikiConfig['merge'] {
  return policy === 'words' && !isProse(model) ? 'lines' : policy
}

/** Returns true for a content model whose texts can be merged by words. */
export function isProse(model: ContentModel): boolean {
  return model === 'wikitext' || model === 'markdown' || model === 'text'
}

/** Two valid halves may form an invalid whole. */
function isWhole(text: string, model: ContentModel, limit: number): boolean {
  try {
    checkSource(text, model, limit)
    return true
  } catch {
    return false
  }
}

/** Compares two texts; null if the difference is too large or takes too many steps. */
export function differenceOf(
  base: string,
  side: string,
  limits: { readonly maxBytes: number; readonly work: WorkLimit },
): DiffElement[] | null {
  return unlessTooLarge(() => compareTexts(base, side, limits))
}

/** Returns a function's result, null if it exceeds a limit. */
function unlessTooLarge<Result>(work: () => Result): Result | null {
  try {
    return work()
  } catch (error) {
    if (isWikiError(error, 'rest-resource-limit-exceeded') || isWikiError(error, 'wiki-texts-too-complex')) return null
    throw error
  }
}
