/** Counts about histories that were made lately. */

import { createLruCache, type LruCache } from '../../core/lru-cache.ts'
import type { WikiConfig } from '../../core/wiki-config.ts'

/** A count, and the settings that it was made under: they say what is hidden, and who is a bot. */
export interface KeptCount {
  readonly config: WikiConfig
  /** Under way at first: who asks meanwhile waits for the same. Null if the index was written anew before it was done. */
  readonly count: Promise<number | null>
}

/** Bytes of a count: a promise and an object. */
const countBytes = 200

/** Creates a cache of counts for so many bytes: a page with fifty thousand revisions takes milliseconds to count. */
export function createCounts(total: number): LruCache<KeptCount> {
  return createLruCache({ total, sizeOf: () => countBytes })
}
