/** Comparing files that lie anywhere. */

import type { Comparison } from '../core/comparison.ts'
import { compare } from './comparing/comparison.ts'

/**
 * Compares two files as texts of UTF-8; bytes that are none show as U+FFFD.
 *
 * Errors: rest-resource-limit-exceeded.
 */
export function compareFiles(from: Buffer, to: Buffer): Comparison {
  return compare({ id: 0, text: from.toString('utf8') }, { id: 0, text: to.toString('utf8') })
}
