/** Reads a log from its end, where the newest lines are. */

import { closeSync, fstatSync, readSync } from 'node:fs'
import { openFile } from './private-files.ts'

/** Bytes of each read. A few lines are enough for most callers. */
const blockBytes = 16 * 1024

/** Maximum bytes of a line. No log has longer ones, and each further block would be joined to all of it. */
const longestLine = 1024 * 1024

/**
 * Yields the lines of a file that are not empty, the last one first, up to one that is too long; none if it cannot be opened. Reads only
 * what is requested.
 */
export function* linesFromEnd(path: string): Iterable<string> {
  const file = tryToOpen(path)
  if (file === null) return
  try {
    let begun: Buffer = Buffer.alloc(0)
    const stat = fstatSync(file)
    for (let start = stat.isFile() ? stat.size : 0; start > 0; ) {
      const length = Math.min(blockBytes, start)
      start -= length
      const bytes = Buffer.concat([readAt(file, start, length), begun])
      // The first line may begin before these bytes.
      const whole = start === 0 ? 0 : bytes.indexOf('\n') + 1
      begun = start > 0 && whole === 0 ? bytes : bytes.subarray(0, whole)
      if (begun.length > longestLine) return
      if (begun === bytes) continue
      yield* bytes
        .toString('utf8', whole)
        .split('\n')
        .filter(line => line !== '')
        .reverse()
    }
  } finally {
    closeSync(file)
  }
}

function tryToOpen(path: string): number | null {
  try {
    return openFile(path, 'r')
  } catch {
    return null
  }
}

/** Shorter if the file was cut meanwhile. */
function readAt(file: number, start: number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  return bytes.subarray(0, readSync(file, bytes, 0, length, start))
}
