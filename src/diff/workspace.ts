/** Memory that many small comparisons share, so that none allocates its own, with a common work limit. */

import { noWorkLimit, type WorkLimit } from './work-limit.ts'

/**
 * Buffers that grow on demand. The stated values of `slots`, `heads`, `counts` and `masks` hold before and after each
 * comparison; the other buffers are then undefined.
 */
export interface Workspace {
  /** Counts the steps of all comparisons that share the workspace. */
  readonly work: WorkLimit
  /** By number: 0. */
  slots: Int32Array
  /** By candidate: -1; during a pass, its last position in the longer range. */
  heads: Int32Array
  /** By candidate: 0; during a pass, its frequency in the longer range. */
  counts: Int32Array
  /** By candidate: -1; during a pass, the number of the bit mask of its positions. */
  masks: Int32Array
  /** By position in the longer list: the previous position of the same candidate, -1 = none. */
  previous: Int32Array
  maskWords: Int32Array
  rowWords: Int32Array
  /** By row: the position in the shorter list that it belongs to. */
  rowPlaces: Int32Array
  /** Pairs of positions found by the last pass, last pair first. */
  pathShort: Int32Array
  pathLong: Int32Array
}

/** Creates a workspace for lists of numbers below a size. */
export function createWorkspace(size: number, work: WorkLimit = noWorkLimit): Workspace {
  const empty = new Int32Array(0)
  return {
    work,
    slots: new Int32Array(size),
    heads: empty,
    counts: empty,
    masks: empty,
    previous: empty,
    maskWords: empty,
    rowWords: empty,
    rowPlaces: empty,
    pathShort: empty,
    pathLong: empty,
  }
}

/** Returns a buffer of at least a size: the given one, or a larger one that contains only `content`. */
export function room(buffer: Int32Array, size: number, content: 0 | -1 = 0): Int32Array {
  if (buffer.length >= size) return buffer
  const larger = new Int32Array(size + (size >>> 2))
  return content === 0 ? larger : larger.fill(content)
}
