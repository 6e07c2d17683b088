/** Limits the work of a comparison or merge, counted in steps, so that the result does not depend on the machine. */

import { WikiError } from '../core/errors.ts'

export interface WorkLimit {
  /** Counts steps. Throws `wiki-texts-too-complex` if the total is too large. */
  readonly count: (steps: number) => void
}

/** Maximum steps of the comparison or merge of two texts: two to three seconds on one core. */
export const maxSteps = 2 ** 29

/** Counts nothing. */
export const noWorkLimit: WorkLimit = { count: () => {} }

/** Creates a limit of this many steps. */
export function createWorkLimit(most = maxSteps): WorkLimit {
  let left = most
  return {
    count: steps => {
      left -= steps
      if (left >= 0) return
      throw new WikiError('wiki-texts-too-complex', {
        params: [most],
        hint: 'git diff --word-diff compares files of any size',
      })
    },
  }
}
