/** Converts offsets of a text to lines and columns. */

import type { Place } from './problem.ts'

/** Maximum length of a stored source line, in UTF-16 units. */
export const longestSource = 2000

/**
 * Returns a function that converts ranges of a text to places. Offsets are UTF-16 units. The text is split into lines
 * once.
 */
export function placesIn(text: string): (start: number, end: number) => Place {
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)]
  return (start, end) => {
    const [first, last] = [lineAt(starts, start), lineAt(starts, Math.max(start, end))]
    const [from, to] = [starts[first]!, starts[last]!]
    const lineEnd = (starts[first + 1] ?? text.length + 1) - 1
    return {
      line: first + 1,
      column: start - from + 1,
      endLine: last + 1,
      endColumn: Math.max(start, end) - to + 1,
      byteColumn: Buffer.byteLength(text.slice(from, start)) + 1,
      endByteColumn: Buffer.byteLength(text.slice(to, Math.max(start, end))) + 1,
      source: text.slice(from, Math.min(lineEnd, from + longestSource)).replace(/\r$/, ''),
    }
  }
}

/** Returns the number, counted from 0, of the last line that starts at or before an offset. */
function lineAt(starts: readonly number[], at: number): number {
  let [low, high] = [0, starts.length]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (starts[middle]! <= at) low = middle
    else high = middle
  }
  return low
}
