/** Starts requests in order of arrival, for a few milliseconds in each iteration of the event loop. */

/** Starts tasks in order, none before this call returns. Errors of a task are not caught. */
export type RequestQueue = (task: () => void) => void

export interface QueueOptions {
  readonly milliseconds: number
  readonly begin: () => () => void
}

/**
 * Creates a queue that starts tasks for this many milliseconds in each iteration of the event loop, and always at least
 * one. In one iteration Node accepts one new connection and reads a request of each open one. If each were handled at
 * once, a new connection would wait for all the others, in every iteration again.
 *
 * `begin` is called before the first task of an iteration, its result after the last one. Each of these tasks arrived before: what
 * one of them reads from disk is new enough for the others.
 */
export function createRequestQueue({ milliseconds, begin }: QueueOptions): RequestQueue {
  const waiting: (() => void)[] = []
  let isWorking = false
  const work = async (): Promise<void> => {
    const end = begin()
    const deadline = performance.now() + milliseconds
    do {
      waiting.shift()!()
      await quiet()
    } while (waiting.length > 0 && performance.now() < deadline)
    end()
    isWorking = waiting.length > 0
    if (isWorking) setImmediate(work)
  }
  return task => {
    waiting.push(task)
    if (!isWorking) setImmediate(work)
    isWorking = true
  }
}

/** Waits until every promise that can settle now has settled. */
async function quiet(): Promise<void> {
  // Node runs ticks that were queued by promises once no promise is left to settle.
  await null
  await new Promise<void>(resolve => process.nextTick(resolve))
}
