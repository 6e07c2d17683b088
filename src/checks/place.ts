/** Offsets of a text as lines and columns. */

import type { Place } from './problem.ts'

/** Longest source line that a place keeps, in UTF-16 units. */
export const longestSource = 2000

/** Returns what turns ranges of a text into places; the lines are found once. Offsets are UTF-16 units. */
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

/** Number, from 0, of the last line that begins at or before an offset. */
function lineAt(starts: readonly number[], at: number): number {
  let [low, high] = [0, starts.length]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (starts[middle]! <= at) low = middle
    else high = middle
  }
  return low
}
