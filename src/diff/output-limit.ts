/** The bound on what a comparison gives, held while it is made: nobody has to hold more in memory to see that it is too much. */

import { WikiError } from '../core/errors.ts'

/** Counts what an element takes as JSON: about a byte a UTF-16 unit of its text, and what stands around it. */
export interface OutputLimit {
  /** Counts an element. Throws `rest-resource-limit-exceeded` when all together are too large. */
  readonly count: (units: number, ranges: number) => void
}

/** Bytes of JSON around the text of an element, and of a highlighted range. */
const elementBytes = 64
const rangeBytes = 36

/** Makes a bound of this many bytes. */
export function createOutputLimit(maximumBytes: number): OutputLimit {
  let left = maximumBytes
  return {
    count: (units, ranges) => {
      left -= elementBytes + units + ranges * rangeBytes
      if (left >= 0) return
      throw new WikiError('rest-resource-limit-exceeded', {
        params: ['comparison', maximumBytes],
        hint: 'git diff --word-diff compares files of any size',
      })
    },
  }
}
