/** Yields to the event loop during long work, so that a server keeps responding. */

import { setImmediate as turn } from 'node:timers/promises'

/** Milliseconds of work between two yields to the event loop. */
const sliceTime = 8

/** Returns a function to await between the steps of long work. */
export function createPause(): () => Promise<void> {
  let end = performance.now() + sliceTime
  return async () => {
    if (performance.now() < end) return
    await turn()
    end = performance.now() + sliceTime
  }
}

/** Index entries processed between two readings of the clock. */
export const stepsAtOnce = 512
