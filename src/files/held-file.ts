/**
 * Files that are about to be replaced or deleted. The file system frees the blocks of a file that has no name and no handle any
 * more, and the call that takes the last of them waits for that: milliseconds on ext4, where other calls take microseconds.
 */

import { close, closeSync, constants, openSync } from 'node:fs'

/** Handles that wait to be closed, and their maximum number. */
const held: number[] = []
const heldLimit = 32

/** Milliseconds for which handles are held: the change that they belong to is done then. */
const heldMilliseconds = 20

/** Holds a file open while `act` takes its name away, and closes it in the background. Without such a file only `act` runs. */
export function whileHeld<Result>(path: string, act: () => Result): Result {
  const file = hold(path)
  try {
    return act()
  } finally {
    if (file !== null) closeLater(file)
  }
}

/** Null if the file cannot be opened, and on Windows, which lacks this flag and renames nothing over an open file. */
function hold(path: string): number | null {
  if (constants.O_NONBLOCK === undefined) return null
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch {
    return null
  }
}

/** The end of the process closes them, too. */
function closeLater(file: number): void {
  if (held.length === heldLimit) closeSync(held.shift() as number)
  if (held.length === 0) setTimeout(closeAll, heldMilliseconds).unref()
  held.push(file)
}

function closeAll(): void {
  for (const file of held.splice(0)) close(file, () => {})
}
