/** Cache of texts while a record is verified; yields to the event loop between reads. */

import type { BranchRecord } from '../../store/acknowledged/branch-record.ts'
import { createPause } from '../workers/pause.ts'

/** Maximum characters in the cache. */
const maxCachedLength = 16_000_000

export interface Texts {
  /** Returns the text of a blob; "" for no blob; null if git lacks it. */
  readonly of: (blob: string | null) => Promise<string | null>
}

/** Reads texts through the cache. */
export function readTexts(record: BranchRecord): Texts {
  const cache = new Map<string, string>()
  let length = 0
  const pause = createPause()
  const read = async (blob: string): Promise<string | null> => {
    const text = (await record.content(blob))?.toString('utf8') ?? null
    if (text === null) return null
    cache.set(blob, text)
    length += text.length
    for (const [oldest, { length: size }] of cache) {
      if (length <= maxCachedLength || oldest === blob) break
      cache.delete(oldest)
      length -= size
    }
    return text
  }
  const of = async (blob: string | null) => {
    await pause()
    return blob === null ? '' : (cache.get(blob) ?? read(blob))
  }
  return { of }
}
