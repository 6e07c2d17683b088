/** Suggests the name that was meant by a misspelled one. */

/** Letters of a beginning that stands for a name. */
const shortestBeginning = 3

/**
 * Returns the name that was meant: in another case, the only one that begins with what was typed, or the nearest one, with at most two typing errors,
 * fewer for a short word. Undefined if there is none. Names are compared as `fold` spells them.
 */
export function nearest(typed: string, names: Iterable<string>, fold = lowerCase): string | undefined {
  const sought = fold(typed)
  const begun: string[] = []
  let best: string | undefined
  let least = Math.min(2, Math.floor(sought.length / shortestBeginning)) + 1
  for (const name of names) {
    const folded = fold(name)
    if (begun.length < 2 && sought.length >= shortestBeginning && folded.startsWith(sought)) begun.push(name)
    if (Math.abs(folded.length - sought.length) >= least) continue
    const slips = countSlips(sought, folded)
    if (slips < least) [best, least] = [name, slips]
  }
  return least === 0 || begun.length !== 1 ? best : begun[0]
}

function lowerCase(text: string): string {
  return text.toLowerCase()
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
