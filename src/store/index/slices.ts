/** Long work in slices: the event loop has its turn between them, so a server goes on answering. */

import { setImmediate as turn } from 'node:timers/promises'

/** Milliseconds that others wait for at most, but for the last steps of a slice. */
const sliceTime = 4

/** Steps between two looks at the clock. */
const stepsAtOnce = 4

/** Takes all steps at once. */
export function atOnce(steps: Generator<void, void>): void {
  while (!steps.next().done);
}

/** Takes steps until there are no more, or until `goesOn`, asked before each slice, is false; tells whether all were taken. */
export async function inSlices(steps: Generator<void, void>, goesOn: () => boolean): Promise<boolean> {
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
