/** The bound on the work of a comparison or a merge, counted in steps, so that the result never depends on the machine. */

import { WikiError } from '../core/errors.ts'

export interface WorkLimit {
  /** Counts steps. Throws `wiki-texts-too-complex` when all together are too many. */
  readonly count: (steps: number) => void
}

/** Steps that the comparison or the merge of two texts may take: two to three seconds of one core. */
export const mostSteps = 2 ** 29

/** Counts nothing. */
export const noWorkLimit: WorkLimit = { count: () => {} }

/** Creates a limit of this many steps. */
export function createWorkLimit(most = mostSteps): WorkLimit {
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
