/** Merges files at any path. */

import { WikiError } from '../core/errors.ts'
import { type MarkedMerge, type MarkerOptions, mergeWithMarkers } from '../diff/merge.ts'
import { createWorkLimit } from '../diff/work-limit.ts'
import { checkCompared } from './comparing/comparison.ts'

export { mergeAsGit } from '../store/repository/git-drivers.ts'

/**
 * Merges two files that are based on a third one. Files that are not UTF-8 are refused, because bytes would change.
 * Errors: wiki-usage, rest-resource-limit-exceeded, wiki-texts-too-complex.
 */
export function mergeFiles(
  base: Uint8Array,
  mine: Uint8Array,
  theirs: Uint8Array,
  options: MarkerOptions = {},
): MarkedMerge {
  const texts = [decode(base), decode(mine), decode(theirs)] as const
  checkCompared(...texts)
  return mergeWithMarkers(...texts, { work: createWorkLimit(), ...options })
}

function decode(bytes: Uint8Array): string {
  try {
    // A byte order mark is kept, because it is part of the file.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (cause) {
    throw new WikiError('wiki-usage', { params: ['Only UTF-8 texts can be merged'], cause })
  }
}
