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

/** Maximum number of remembered values; the oldest are evicted. */
const memoryLimit = 10_000

export interface Memory<Value> {
  find(name: string): Value | undefined
  /** Caches a value for the given number of milliseconds. */
  keep(name: string, value: Value, milliseconds: number): void
}

/** Creates an empty memory. */
export function createMemory<Value>(): Memory<Value> {
  const kept = new Map<string, { readonly value: Value; readonly until: number }>()
  return {
    find(name) {
      const found = kept.get(name)
      return found !== undefined && found.until > performance.now() ? found.value : undefined
    },
    keep(name, value, milliseconds) {
      kept.delete(name)
      kept.set(name, { value, until: performance.now() + milliseconds })
      const [oldest] = kept.keys()
      if (kept.size > memoryLimit && oldest !== undefined) kept.delete(oldest)
    },
  }
}
