/** The size of a page over time. */

import { findPage, type TitleQuery } from './resources/find-page.ts'
import type { Wiki } from './wiki.ts'

/** The size of a page from a time on. */
export interface PageSize {
  readonly id: number
  /** Milliseconds since 1970. */
  readonly time: number
  /** Bytes. */
  readonly size: number
}

export interface PageSizes {
  /** Oldest first. */
  readonly sizes: readonly PageSize[]
  /** False if the page has more revisions than the newest ones that were read. */
  readonly isWhole: boolean
}

/** Maximum number of revisions, and number of revisions read between two yields to the event loop. */
const maxRevisions = 20_000
const atOnce = 500

/**
 * Reads the sizes of a page's newest 20,000 revisions. Errors: rest-invalid-title, rest-nonexistent-title;
 * `TitleRedirect`.
 */
export async function pageSizes({ store }: Wiki, query: TitleQuery): Promise<PageSizes> {
  const page = findPage(store, query)
  const sizes: PageSize[] = []
  let olderThan: number | undefined
  let more = true
  while (more && sizes.length < maxRevisions) {
    const part = store.history(page, { limit: atOnce, ...(olderThan !== undefined && { olderThan }) })
    for (const { id, timestamp, size } of part.revisions) sizes.push({ id, time: Date.parse(timestamp), size })
    olderThan = part.revisions.at(-1)?.id
    more = part.more
    await new Promise(setImmediate)
  }
  return { sizes: sizes.reverse(), isWhole: !more }
}
