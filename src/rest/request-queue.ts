/** Starts requests for a few milliseconds in each iteration of the event loop. */

/** Starts tasks in order, none before this call returns. Errors of a task are not caught. */
export type RequestQueue = (task: () => void) => void

export interface QueueOptions {
  /** Time in each iteration of the event loop for which tasks are started. */
  readonly milliseconds: number
  /** Called before the first task of an iteration; its result is called after the last one. */
  readonly begin: () => () => void
}

/**
 * Creates a queue that starts tasks for this many milliseconds in each iteration of the event loop, and always at least
 * one. In one iteration Node accepts one new connection and reads a request of each open one. If each were handled at
 * once, a new connection would wait for all the others, in every iteration again.
 *
 * All tasks of an iteration arrived before its first one starts: what one of them reads from disk is new enough for the others.
 */
export function createRequestQueue({ milliseconds, begin }: QueueOptions): RequestQueue {
  const waiting = new Set<() => void>()
  let isWorking = false
  const work = async (): Promise<void> => {
    const end = begin()
    const deadline = performance.now() + milliseconds
    for (const task of waiting) {
      waiting.delete(task)
      task()
      await quiet()
      if (performance.now() >= deadline) break
    }
    end()
    isWorking = waiting.size > 0
    if (isWorking) setImmediate(work)
  }
  return task => {
    waiting.add(task)
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
