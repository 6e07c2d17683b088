/** Long work that lets others have their turn: a server goes on answering. */

import { setImmediate as turn } from 'node:timers/promises'

/** Milliseconds of work between two turns of the event loop. */
const sliceTime = 8

/** Makes a function to be awaited between the steps of long work. */
export function createPause(): () => Promise<void> {
  let end = performance.now() + sliceTime
  return async () => {
    if (performance.now() < end) return
    await turn()
    end = performance.now() + sliceTime
  }
}

/** Steps over an index between two looks at the clock. */
export const stepsAtOnce = 512
