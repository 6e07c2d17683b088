/** Memory that many small comparisons share, so that none has to allocate its own, and the work that they share. */

import { noWorkLimit, type WorkLimit } from './work-limit.ts'

/** Buffers that grow as needed. What `slots` says holds before and after each comparison; the others mean nothing then. */
export interface Workspace {
  /** Counts the steps of all comparisons that share the workspace. */
  readonly work: WorkLimit
  /** By number: 0. */
  slots: Int32Array
  /** By candidate: -1; in a pass, its last place in the longer range. */
  heads: Int32Array
  /** By candidate: 0; in a pass, how often it stands in the longer range. */
  counts: Int32Array
  /** By candidate: -1; in a pass, the number of the bit mask of its places. */
  masks: Int32Array
  /** By place in the longer list: the place of the same candidate before it, -1 = none. */
  previous: Int32Array
  maskWords: Int32Array
  rowWords: Int32Array
  /** By row: the place in the shorter list it was made for. */
  rowPlaces: Int32Array
  /** The pairs of places the last pass found, last pair first. */
  pathShort: Int32Array
  pathLong: Int32Array
}

/** Makes a workspace for lists of numbers below a size. */
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

/** Returns a buffer of at least a size: the one given, or a larger one that holds nothing but `content`. */
export function room(buffer: Int32Array, size: number, content: 0 | -1 = 0): Int32Array {
  if (buffer.length >= size) return buffer
  const larger = new Int32Array(size + (size >>> 2))
  return content === 0 ? larger : larger.fill(content)
}
