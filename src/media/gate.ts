/** Lets so many things happen at once; the others wait their turn. */

export type Gate = <Result>(action: () => Promise<Result>) => Promise<Result>

/** Creates a gate through which at most `width` actions go at once, in the order in which they come. */
export function createGate(width: number): Gate {
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
