/** Comparing files that lie anywhere. */

import type { Comparison } from '../core/comparison.ts'
import { compareTexts } from '../diff/compare-texts.ts'
import { listSections } from '../diff/sections.ts'

/** Compares two files as texts of UTF-8; bytes that are none show as U+FFFD. */
export function compareFiles(from: Buffer, to: Buffer): Comparison {
  const [fromText, toText] = [from.toString('utf8'), to.toString('utf8')]
  return {
    from: { id: 0, slot_role: 'main', sections: listSections(fromText) },
    to: { id: 0, slot_role: 'main', sections: listSections(toText) },
    diff: fromText === toText ? [] : compareTexts(fromText, toText),
  }
}
