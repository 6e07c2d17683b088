/** In-memory state: requests in flight and recent failures. */

export type Once = <Result>(name: string, action: () => Promise<Result>) => Promise<Result>

/** Shares one result among concurrent calls with the same name. */
export function shareRunning(): Once {
  const running = new Map<string, Promise<unknown>>()
  return async <Result>(name: string, action: () => Promise<Result>) => {
    const found = running.get(name) as Promise<Result> | undefined
    if (found !== undefined) return found
    const started = action().finally(() => running.delete(name))
    running.set(name, started)
    return started
  }
}

/** Maximum number of cached values; the oldest are evicted. */
const memoryLimit = 10_000

export interface ExpiringCache<Value> {
  get(name: string): Value | undefined
  /** Caches a value for the given number of milliseconds. */
  set(name: string, value: Value, milliseconds: number): void
}

/** Creates an empty cache of at most this many values. */
export function createExpiringCache<Value>(limit = memoryLimit): ExpiringCache<Value> {
  const entries = new Map<string, { readonly value: Value; readonly until: number }>()
  return {
    get(name) {
      const found = entries.get(name)
      return found !== undefined && found.until > performance.now() ? found.value : undefined
    },
    set(name, value, milliseconds) {
      entries.delete(name)
      entries.set(name, { value, until: performance.now() + milliseconds })
      const [oldest] = entries.keys()
      if (entries.size > limit && oldest !== undefined) entries.delete(oldest)
    },
  }
}
