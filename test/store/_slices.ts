/** A clock by which every slice of long work is as short as can be. */

/** Makes a stand-in for `performance.now`: a slice asks it at its beginning and before each of its parts. */
export function hastyClock(): () => number {
  let calls = 0
  return () => Math.floor(++calls / 3) * 1000
}
