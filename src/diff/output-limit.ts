/** Limits the size of a comparison while it is produced, so that an excess is never held in memory. */

import { WikiError } from '../core/errors.ts'

/** Approximates the JSON size of an element: about a byte for each UTF-16 unit of its text, and its members. */
export interface OutputLimit {
  /** Counts an element. Throws `rest-resource-limit-exceeded` if the total is too large. */
  readonly count: (units: number, ranges: number) => void
}

/** Bytes of JSON around the text of an element, and of a highlighted range. */
const elementBytes = 64
const rangeBytes = 36

/** Creates a limit of this many bytes. */
export function createOutputLimit(maxBytes: number): OutputLimit {
  let left = maxBytes
  return {
    count: (units, ranges) => {
      left -= elementBytes + units + ranges * rangeBytes
      if (left >= 0) return
      throw new WikiError('rest-resource-limit-exceeded', {
        params: ['comparison', `${maxBytes} bytes`],
        hint: 'git diff --word-diff compares files of any size',
      })
    },
  }
}
