/** Compares two texts within limits, in the main thread, in a worker or on the command line. */

import type { Comparison } from '../../core/comparison.ts'
import { WikiError } from '../../core/errors.ts'
import { compareTexts } from '../../diff/compare-texts.ts'
import { listSections } from '../../diff/sections.ts'
import { createWorkLimit } from '../../diff/work-limit.ts'

/** A side of a comparison: the id of its revision, 0 for another text, and its text. */
export interface ComparedText {
  readonly id: number
  readonly text: string
}

/**
 * Maximum bytes of all texts that are compared or merged together. A saved text has at most 2 MiB; git may contain
 * larger ones.
 */
export const maxComparedBytes = 16 * 1024 * 1024

/** Approximate maximum bytes of a comparison as a response: see `OutputLimit`. */
export const maxComparisonBytes = 24 * 1024 * 1024

/**
 * Compares two texts. Errors: rest-resource-limit-exceeded if the texts are too large, or the result has more than `maxBytes`;
 * wiki-texts-too-complex if the comparison takes too many steps.
 */
export function compare(from: ComparedText, to: ComparedText, maxBytes = maxComparisonBytes): Comparison {
  checkCompared(from.text, to.text)
  const limits = { maxBytes, work: createWorkLimit() }
  return {
    from: { id: from.id, slot_role: 'main', sections: listSections(from.text) },
    to: { id: to.id, slot_role: 'main', sections: listSections(to.text) },
    diff: from.text === to.text ? [] : compareTexts(from.text, to.text, limits),
  }
}

/** Throws `rest-resource-limit-exceeded` if texts are too large to be compared, merged or written as a patch. */
export function checkCompared(...texts: readonly string[]): void {
  const bytes = texts.reduce((sum, text) => sum + text.length, 0)
  if (bytes <= maxComparedBytes && texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0) <= maxComparedBytes)
    return
  throw new WikiError('rest-resource-limit-exceeded', {
    params: ['compared text', `${maxComparedBytes} bytes`],
    hint: 'git diff --word-diff compares files of any size',
  })
}
