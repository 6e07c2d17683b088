/** Long work in slices, with yields to the event loop between them, so that a server keeps responding. */

import { setImmediate as turn } from 'node:timers/promises'

/** Maximum milliseconds of a slice, except for its last steps. */
const sliceTime = 4

/** Steps between two readings of the clock. */
const stepsAtOnce = 4

/** Yields to the event loop if the current slice has ended. */
export type Pause = () => Promise<void>

/** Returns a function to await between the steps of long work. */
export function createPause(): Pause {
  let end = performance.now() + sliceTime
  return async () => {
    if (performance.now() < end) return
    await turn()
    end = performance.now() + sliceTime
  }
}

/** Takes all steps at once. */
export function atOnce(steps: Generator<void, void>): void {
  while (!steps.next().done);
}

/**
 * Runs steps until there are no more, or until `goesOn`, called before each slice, returns false; returns true if all were
 * run.
 */
export async function inSlices(steps: Generator<void, void>, goesOn = (): boolean => true): Promise<boolean> {
  for (;;) {
    await turn()
    if (!goesOn()) {
      steps.return()
      return false
    }
    const end = performance.now() + sliceTime
    while (performance.now() < end) for (let step = 0; step < stepsAtOnce; step++) if (steps.next().done) return true
  }
}
