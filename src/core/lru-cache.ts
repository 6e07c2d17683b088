/** A size-bounded LRU cache. */

export interface LruCacheOptions<Value> {
  /** Maximum bytes of all entries together, including their overhead. */
  readonly total: number
  /** Maximum bytes of one entry; `total` if omitted. */
  readonly each?: number
  /** Returns the bytes of a value, without its name and the overhead of the entry. */
  readonly sizeOf: (value: Value) => number
}

/** Overhead of an entry, in bytes, besides its value and name. */
const entryBytes = 200

/** Bytes that a string may take: two for each UTF-16 unit. */
export function bytesOfText(text: string): number {
  return 2 * text.length
}

export interface LruCache<Value> {
  readonly get: (name: string) => Value | undefined
  readonly set: (name: string, value: Value) => void
  readonly delete: (name: string) => void
  readonly clear: () => void
}

/** Creates an empty cache. */
export function createLruCache<Value>({ total, each = total, sizeOf }: LruCacheOptions<Value>): LruCache<Value> {
  // A Map iterates in insertion order, so its first entry is the least recently used.
  const entries = new Map<string, { readonly value: Value; readonly size: number }>()
  let sum = 0
  const drop = (name: string): void => {
    sum -= entries.get(name)?.size ?? 0
    entries.delete(name)
  }
  return {
    get: name => {
      const found = entries.get(name)
      if (found === undefined) return undefined
      entries.delete(name)
      entries.set(name, found)
      return found.value
    },
    set: (name, value) => {
      drop(name)
      const size = entryBytes + bytesOfText(name) + sizeOf(value)
      if (size > each) return
      entries.set(name, { value, size })
      sum += size
      for (const oldest of entries.keys()) {
        if (sum <= total) break
        drop(oldest)
      }
    },
    delete: drop,
    clear: () => {
      entries.clear()
      sum = 0
    },
  }
}
