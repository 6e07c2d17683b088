/** Suggests the name that was meant by a misspelled one. */

/** Returns the nearest name; undefined if none is near enough: at most two edits, fewer for a short word. */
export function nearest(typed: string, names: Iterable<string>): string | undefined {
  let best: string | undefined
  let least = Math.min(2, Math.floor(typed.length / 3)) + 1
  for (const name of names) {
    if (Math.abs(name.length - typed.length) >= least) continue
    const slips = countSlips(typed.toLowerCase(), name.toLowerCase())
    if (slips < least) [best, least] = [name, slips]
  }
  return best
}

/** Counts the insertions, deletions, replacements and swaps of neighbours between two words. */
export function countSlips(from: string, to: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let i = 1; i <= from.length; i++) {
    const row = [i]
    for (let j = 1; j <= to.length; j++) {
      const same = from[i - 1] === to[j - 1] ? 0 : 1
      const swapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
      const swap = swapped ? (beforeLast[j - 2] as number) + 1 : Number.POSITIVE_INFINITY
      row.push(Math.min((last[j] as number) + 1, (row[j - 1] as number) + 1, (last[j - 1] as number) + same, swap))
    }
    beforeLast = last
    last = row
  }
  return last[to.length] as number
}
