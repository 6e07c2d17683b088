/** Values that were lately of use, up to a bound in bytes: what nobody asks for goes first. */

export interface RecentOptions<Value> {
  /** Bytes of all values that are kept, with what keeping them takes. */
  readonly total: number
  /** Bytes of the largest value that is kept; any that fits into the sum if omitted. */
  readonly each?: number
  /** Bytes of a value; its name and its place in the memory are counted here. */
  readonly sizeOf: (value: Value) => number
}

/** Bytes that an entry takes beside its value and the characters of its name. */
const entryBytes = 200

/** Bytes that a string may take: two for each UTF-16 unit. */
export function bytesOfText(text: string): number {
  return 2 * text.length
}

export interface Recent<Value> {
  readonly find: (name: string) => Value | undefined
  readonly keep: (name: string, value: Value) => void
  readonly forget: (name: string) => void
  readonly clear: () => void
}

/** Makes a memory with nothing in it. */
export function createRecent<Value>({ total, each = total, sizeOf }: RecentOptions<Value>): Recent<Value> {
  // A Map goes by the order in which names came.
  const kept = new Map<string, { readonly value: Value; readonly size: number }>()
  let sum = 0
  const drop = (name: string): void => {
    sum -= kept.get(name)?.size ?? 0
    kept.delete(name)
  }
  return {
    find: name => {
      const found = kept.get(name)
      if (found === undefined) return undefined
      kept.delete(name)
      kept.set(name, found)
      return found.value
    },
    keep: (name, value) => {
      drop(name)
      const size = entryBytes + bytesOfText(name) + sizeOf(value)
      if (size > each) return
      kept.set(name, { value, size })
      sum += size
      for (const oldest of kept.keys()) {
        if (sum <= total) break
        drop(oldest)
      }
    },
    forget: drop,
    clear: () => {
      kept.clear()
      sum = 0
    },
  }
}
