/**
 * Limits of what a repository may contain. Trees can contain each other many times, so that a few kilobytes have billions of files, and
 * git itself has no limit.
 */

import { getHeapStatistics } from 'node:v8'
import { WikiError } from '../../core/errors.ts'
import { shortHash } from '../../core/short-hash.ts'

/** Bytes of memory that the first index takes for each page, with a margin: see docs/benchmarks.md. */
const bytesPerFile = 2500

/** Maximum number of pages and media files, deleted ones included: as many as the memory of Node can hold. */
export const maxFiles = Math.floor(getHeapStatistics().heap_size_limit / bytesPerFile)

/** Maximum number of paths and folders in which two commits differ: a commit may replace every file. */
export const maxChanges = 2 * maxFiles

/** Maximum number of revisions, which are outside of the heap. */
export const maxRevisions = 50_000_000

/** Hint for the limits that follow from the memory of Node. */
const moreMemory = 'If it is meant to be so large, give Node more memory: NODE_OPTIONS=--max-old-space-size=16384'

/** Hint for the other limits. */
export const lessHistory = 'Work in a clone with less history: git clone --depth 1000'

/** Creates the error for a repository over a limit, such as `the limit of 10 pages`. */
export function tooLarge(limit: string, hint = moreMemory): WikiError {
  return new WikiError('wiki-too-large', { params: [limit], hint })
}

/** Returns a function that counts the differences of one commit from another. It throws `wiki-too-large` beyond the limit. */
export function changeCounter(commit: string): (more: number) => void {
  let count = 0
  return more => {
    count += more
    if (count > maxChanges)
      throw tooLarge(`the limit of ${maxChanges} changed files in one commit (${shortHash(commit)})`)
  }
}
