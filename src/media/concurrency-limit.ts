/** Limits the number of concurrent asynchronous actions. */

export type ConcurrencyLimit = <Result>(action: () => Promise<Result>) => Promise<Result>

/** Creates a first-in, first-out semaphore that runs at most `width` actions at once. */
export function createConcurrencyLimit(width: number): ConcurrencyLimit {
  const waiting: (() => void)[] = []
  let free = width
  return async action => {
    if (free > 0) free--
    else await new Promise<void>(resolve => waiting.push(resolve))
    try {
      return await action()
    } finally {
      const next = waiting.shift()
      if (next === undefined) free++
      else next()
    }
  }
}
