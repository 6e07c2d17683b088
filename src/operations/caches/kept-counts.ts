/** Counts about histories that were made lately. */

import { createLruCache, type LruCache } from '../../core/lru-cache.ts'
import type { WikiConfig } from '../../core/wiki-config.ts'

/** A count, and the settings that it was made under: they say what is hidden, and who is a bot. */
export interface KeptCount {
  readonly config: WikiConfig
  /** Under way at first: who asks meanwhile waits for the same. Null if the index was written anew before it was done. */
  readonly count: Promise<number | null>
}

/** Bytes of the counts that are kept: a page with fifty thousand revisions takes milliseconds to count. */
const totalBytes = 2 * 1024 * 1024

/** Bytes of a count: a promise and an object. */
const countBytes = 200

/** Makes what keeps counts, each for as long as its page has no newer revision. */
export function createCounts(): LruCache<KeptCount> {
  return createLruCache({ total: totalBytes, sizeOf: () => countBytes })
}
