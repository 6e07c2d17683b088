/** Starts requests for a few milliseconds in each iteration of the event loop; clients take turns. */

import type { Turns } from '../operations/workers/turns.ts'

/**
 * Starts the tasks of each client in order, none before this call returns. A task returns after its first step; its errors are not
 * caught. Returns a function that takes the task out if it has not started.
 */
export type RequestQueue = (client: string, task: () => void) => () => void

export interface QueueOptions {
  /** Time in each iteration of the event loop for which tasks are started. */
  readonly milliseconds: number
  /** Called before the first task of an iteration; its result is called after the last one. */
  readonly begin: () => () => void
  readonly turns: Pick<Turns, 'isFull' | 'onRoom'>
}

/**
 * Creates a queue that starts tasks for this many milliseconds in each iteration of the event loop, and always at least
 * one. In one iteration Node accepts one new connection and reads a request of each open one. If each were handled at
 * once, a new connection would wait for all the others, in every iteration again.
 *
 * A task of the client that has waited longest for its turn comes first, unless enough of its tasks are being worked on.
 *
 * All tasks of an iteration arrived before its first one starts: what one of them reads from disk is new enough for the others.
 */
export function createRequestQueue({ milliseconds, begin, turns }: QueueOptions): RequestQueue {
  /** The waiting tasks by client, in the order of the clients' turns. */
  const waiting = new Map<string, Set<() => void>>()
  let isWorking = false
  const next = (): (() => void) | undefined => {
    for (const [client, tasks] of waiting) {
      if (turns.isFull(client)) continue
      waiting.delete(client)
      const [task] = tasks
      if (task !== undefined) tasks.delete(task)
      if (tasks.size > 0) waiting.set(client, tasks)
      if (task !== undefined) return task
    }
    return undefined
  }
  const work = async (): Promise<void> => {
    const end = begin()
    const deadline = performance.now() + milliseconds
    let task = next()
    for (; task !== undefined; task = next()) {
      task()
      await quiet()
      if (performance.now() >= deadline) break
    }
    end()
    isWorking = false
    if (task !== undefined) workSoon()
  }
  const workSoon = (): void => {
    if (isWorking || waiting.size === 0) return
    isWorking = true
    setImmediate(work)
  }
  turns.onRoom(workSoon)
  return (client, task) => {
    const tasks = waiting.get(client) ?? new Set()
    waiting.set(client, tasks.add(task))
    workSoon()
    return () => {
      tasks.delete(task)
      if (tasks.size === 0 && waiting.get(client) === tasks) waiting.delete(client)
    }
  }
}

/** Waits until every promise that can settle now has settled. */
async function quiet(): Promise<void> {
  // Node runs ticks that were queued by promises once no promise is left to settle.
  await null
  await new Promise<void>(resolve => process.nextTick(resolve))
}
