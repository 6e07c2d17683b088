/** The links of a text without their places, each once. */

import type { LinkForm, LinkRange } from './link-range.ts'
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

const readingBits = { page: 1, transcluded: 2, both: 3 } as const

/** Returns the links in the order of their first places, at most this many. */
export function distinctLinks(text: string, ranges: readonly LinkRange[], most: number): DistinctLink[] {
  const links = new Map<string, DistinctLink>()
  for (const range of ranges) {
    const link = distinctLink(text, range)
    links.set(JSON.stringify(link), link)
    if (links.size === most) break
  }
  return [...links.values()]
}

function distinctLink(text: string, range: LinkRange): DistinctLink {
  const { form, second, reading = 'page', isEmbed = false } = range
  return {
    form,
    target: writtenTarget(text, range),
    ...(second !== null && { second: text.slice(second.start, second.end) }),
    readings: readingBits[reading],
    isEmbed,
  }
}
