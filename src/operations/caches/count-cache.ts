/** Cache of counts about histories. */

import { createLruCache, type LruCache } from '../../core/lru-cache.ts'
import type { WikiConfig } from '../../core/wiki-config.ts'

/** A count, and the settings it was made under: they define hidden revisions and bots. */
export interface CachedCount {
  readonly config: WikiConfig
  /** Possibly still in progress; concurrent callers share it. Null if the index was rewritten before it was done. */
  readonly count: Promise<number | null>
}

/** Bytes of a count: a promise and an object. */
const countBytes = 200

/** Creates a cache of counts with this many bytes: counting a page with fifty thousand revisions takes milliseconds. */
export function createCountCache(total: number): LruCache<CachedCount> {
  return createLruCache({ total, sizeOf: () => countBytes })
}
