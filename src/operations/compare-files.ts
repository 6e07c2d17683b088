/** Compares files at any path. */

import type { Comparison } from '../core/comparison.ts'
import { compare } from './comparing/comparison.ts'

/** Compares two files as UTF-8 texts, with U+FFFD for invalid bytes. Errors: rest-resource-limit-exceeded. */
export function compareFiles(from: Buffer, to: Buffer): Comparison {
  return compare({ id: 0, text: from.toString('utf8') }, { id: 0, text: to.toString('utf8') })
}
