/** Computes the lines to replace to turn one text into another, so that the cursor keeps its position between them. */

import { eachSpan } from '../../../diff/changes.ts'
import { findChanges } from '../../../diff/common-subsequence.ts'
import { type Lines, splitLines } from '../../../diff/lines.ts'
import { createWorkspace } from '../../../diff/workspace.ts'

/** A replacement, in UTF-16 units of the first text. */
export interface TextChange {
  readonly from: number
  readonly to: number
  readonly insert: string
}

/** Returns the replacements that turn `before` into `after`, in order. */
export function lineChanges(before: string, after: string): TextChange[] {
  const numbers = new Map<string, number>()
  const [old, now] = [`${before}\n`, `${after}\n`].map(text => splitLines(text, numbers)) as [Lines, Lines]
  const found: TextChange[] = []
  eachSpan(
    findChanges(old.ids, now.ids, createWorkspace(numbers.size)),
    (fromStart, fromEqual, _, toStart, toEqual) => {
      if (fromStart < fromEqual || toStart < toEqual)
        found.push(
          within(before, {
            from: old.starts[fromStart]!,
            to: old.starts[fromEqual]!,
            insert: now.text.slice(now.starts[toStart], now.starts[toEqual]),
          }),
        )
    },
  )
  return found
}

/** Both texts were compared with an extra line feed at the end. A change of the last line must not include it. */
function within(before: string, { from, to, insert }: TextChange): TextChange {
  const { length } = before
  if (to <= length) return { from, to, insert }
  if (from > length) return { from: length, to: length, insert: `\n${insert.slice(0, -1)}` }
  if (insert !== '') return { from, to: length, insert: insert.slice(0, -1) }
  return { from: Math.max(0, from - 1), to: length, insert: '' }
}
