/** Values that were lately of use, up to a bound: what nobody asks for goes first. */

export interface RecentOptions<Value> {
  /** Sum of the sizes of all values that are kept. */
  readonly total: number
  /** Largest size of one value that is kept; any that fits into the sum if omitted. */
  readonly each?: number
  readonly sizeOf: (value: Value, name: string) => number
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
      const size = sizeOf(value, name)
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
