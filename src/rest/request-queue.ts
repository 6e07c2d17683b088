/** Starts requests, by turns of their connections, for a few milliseconds in each iteration of the event loop. */

/** Starts the tasks of a connection in order, none before this call returns. Errors of a task are not caught. */
export type RequestQueue = (connection: object, task: () => void) => void

export interface QueueOptions {
  /** Time in each iteration of the event loop for which tasks are started. */
  readonly milliseconds: number
  /** Called before the first task of an iteration; its result is called after the last one. */
  readonly begin: () => () => void
}

/**
 * Creates a queue that starts tasks for this many milliseconds in each iteration of the event loop, and always at least
 * one. In one iteration Node accepts one new connection and reads a request of each open one. If each were handled at
 * once, a new connection would wait for all the others, in every iteration again. A connection may send many requests at once
 * (pipelining): each starts one, in the order of their first ones, before any of them starts another.
 *
 * All tasks of an iteration arrived before its first one starts: what one of them reads from disk is new enough for the others.
 */
export function createRequestQueue({ milliseconds, begin }: QueueOptions): RequestQueue {
  const waiting = new Map<object, (() => void)[]>()
  const startNext = (): void => {
    const [connection, tasks] = waiting.entries().next().value!
    const next = tasks.shift()!
    waiting.delete(connection)
    if (tasks.length > 0) waiting.set(connection, tasks)
    next()
  }
  let isWorking = false
  const work = async (): Promise<void> => {
    const end = begin()
    const deadline = performance.now() + milliseconds
    do {
      startNext()
      await quiet()
    } while (waiting.size > 0 && performance.now() < deadline)
    end()
    isWorking = waiting.size > 0
    if (isWorking) setImmediate(work)
  }
  return (connection, task) => {
    const own = waiting.get(connection)
    if (own === undefined) waiting.set(connection, [task])
    else own.push(task)
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
