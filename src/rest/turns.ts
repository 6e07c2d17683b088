/** Turns of the event loop: requests begin in the order in which they come, a few milliseconds of them in each turn. */

/** Begins tasks in their order. None is begun before this is left; what one of them throws is not caught. */
export type Turns = (task: () => void) => void

/**
 * Makes a queue whose tasks take this many milliseconds of a turn, or one task where that takes longer. A turn of Node's event
 * loop takes one new connection and a request of each that is open: where each of these is answered at once, the last of many
 * connections waits as long as all the others together, over and over.
 */
export function createTurns({ milliseconds }: { readonly milliseconds: number }): Turns {
  const waiting: (() => void)[] = []
  let isWorking = false
  const work = async (): Promise<void> => {
    const end = performance.now() + milliseconds
    do {
      waiting.shift()!()
      await quiet()
    } while (waiting.length > 0 && performance.now() < end)
    isWorking = waiting.length > 0
    if (isWorking) setImmediate(work)
  }
  return task => {
    waiting.push(task)
    if (!isWorking) setImmediate(work)
    isWorking = true
  }
}

/** Waits until nothing goes on that does not wait for something itself. */
async function quiet(): Promise<void> {
  // Ticks that are asked for while promises go on have their turn when none of these goes on any more.
  await null
  await new Promise<void>(resolve => process.nextTick(resolve))
}
