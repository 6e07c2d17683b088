/** Statistics of a comparison. */

import type { Comparison, DiffElement, DiffSection } from '../../core/comparison.ts'

export interface ComparisonSummary {
  /** Growth of the text in bytes. */
  readonly delta: number
  readonly lines: { readonly added: number; readonly deleted: number; readonly changed: number; readonly moved: number }
  /** Headings of the changed sections without their equals signs, in order; "" is the lead section. */
  readonly sections: readonly string[]
}

/** Strips the equals signs of a heading, and a comment after them. */
function plainHeading(heading: string): string {
  const line = heading.trimEnd()
  const comment = line.endsWith('-->') ? line.indexOf('<!--') : -1
  const marked = comment === -1 ? line : line.slice(0, comment).trimEnd()
  let end = marked.length
  while (marked[end - 1] === '=') end--
  return (end === marked.length ? heading : marked.slice(0, end).trimEnd()).replace(/^=+\s*/, '')
}

/** Counts the changes in a comparison; `delta` is the growth in bytes. */
export function summarizeComparison({ from, to, diff }: Comparison, delta: number): ComparisonSummary {
  const count = (type: DiffElement['type']): number => diff.filter(element => element.type === type).length
  const sections = new Set<string>()
  for (const { type, offset } of diff) {
    if (type === 0) continue
    const heading = offset.to === null ? headingAt(from.sections, offset.from ?? 0) : headingAt(to.sections, offset.to)
    sections.add(plainHeading(heading))
  }
  return {
    delta,
    lines: { added: count(1), deleted: count(2), changed: count(3), moved: count(5) },
    sections: [...sections],
  }
}

/** Returns the heading of the section that contains an offset, by binary search; "" before the first one. */
function headingAt(sections: readonly DiffSection[], place: number): string {
  let low = 0
  let high = sections.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (sections[middle]!.offset <= place) low = middle + 1
    else high = middle
  }
  return sections[low - 1]?.heading ?? ''
}
