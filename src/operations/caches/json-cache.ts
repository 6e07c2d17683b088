/** On-disk cache of JSON values beside the index. */

import { type DiskCacheLimits, openDiskCache } from '../../files/disk-cache.ts'

export interface JsonCache<Value> {
  /** Returns a value; undefined if it is missing, expired or damaged. */
  readonly find: (key: string) => Promise<Value | undefined>
  /** Writes a value; false if it is too large or the folder is not writable. */
  readonly keep: (key: string, value: Value) => Promise<boolean>
}

/** Opens the cache in a folder, which need not exist. Keys are file names without their extension. */
export function openJsonCache<Value>(folder: string, limits: DiskCacheLimits): JsonCache<Value> {
  const files = openDiskCache(folder, limits)
  return {
    find: async key => {
      const bytes = await files.find(`${key}.json`)
      return bytes === null ? undefined : (JSON.parse(bytes.toString('utf8')) as Value)
    },
    keep: (key, value) => files.keep(`${key}.json`, Buffer.from(JSON.stringify(value))),
  }
}
