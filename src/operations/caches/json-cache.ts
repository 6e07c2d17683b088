/** On-disk cache of JSON values beside the index. */

import { type DiskCacheLimits, openDiskCache } from '../../files/disk-cache.ts'
import { jsonPieces } from '../workers/json-pieces.ts'
import { decoded, encoded } from '../workers/long-text.ts'

export interface JsonCache<Value> {
  /** Returns a value; undefined if it is missing, expired or damaged. */
  readonly get: (key: string) => Promise<Value | undefined>
  /** Writes a value for a client; false if it is too large or the folder is not writable. */
  readonly set: (key: string, value: Value, client?: string) => Promise<boolean>
}

/** Opens the cache in a folder, which need not exist. Keys are file names without their extension. */
export function openJsonCache<Value>(folder: string, limits: DiskCacheLimits): JsonCache<Value> {
  const files = openDiskCache(folder, limits)
  return {
    get: async key => {
      const bytes = await files.get(`${key}.json`)
      return bytes === null ? undefined : (JSON.parse(await decoded(bytes)) as Value)
    },
    set: async (key, value, client) => files.set(`${key}.json`, await encoded(jsonPieces(value)), client),
  }
}
