/** The links of a text without their places, each once. */

import type { FoundLinks, LinkForm, LinkRange } from './link-range.ts'
import { writtenTarget } from './read-target.ts'

/** A link as written in its page. */
export interface DistinctLink {
  readonly form: LinkForm
  /** Decoded, in Markdown. */
  readonly target: string
  /** Second part of `[[first|second]]` in Markdown. */
  readonly second?: string
  /** Readings of the page that include it: as itself (1), as a template (2), or both (3). */
  readonly readings: number
  /** True for an image or a transcluded page. */
  readonly isEmbed: boolean
}

/** The links of a text, and those whose target is computed, as written. */
export interface DistinctLinks {
  readonly links: readonly DistinctLink[]
  readonly computed: readonly string[]
}

const readingBits = { page: 1, transcluded: 2, both: 3 } as const
/** Maximum number of computed links of one text, and their maximum length in UTF-16 units. */
const [maxComputed, longestComputed] = [200, 300]

/** Returns the links in the order of their first places, at most this many. */
export function distinctLinks(text: string, { links: ranges, computed }: FoundLinks, most: number): DistinctLinks {
  const links = new Map<string, DistinctLink>()
  for (const range of ranges) {
    const link = distinctLink(text, range)
    links.set(JSON.stringify(link), link)
    if (links.size === most) break
  }
  const sources = computed.map(({ start, end }) => text.slice(start, Math.min(end, start + longestComputed)))
  return { links: [...links.values()], computed: [...new Set(sources)].slice(0, maxComputed) }
}

function distinctLink(text: string, range: LinkRange): DistinctLink {
  const { form, second, reading = 'page', isEmbed = false } = range
  return {
    form,
    target: writtenTarget(text, range),
    ...(second !== null && { second: writtenTarget(text, { ...range, ...second }) }),
    readings: readingBits[reading],
    isEmbed,
  }
}
