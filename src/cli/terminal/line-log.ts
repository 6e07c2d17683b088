/** Writes log lines in batches, because a write per line would cost a server as much as the response. */

import type { Output } from './io.ts'

/** Milliseconds that a line is buffered. */
const pause = 10
/** Maximum size of the buffer, in UTF-16 units, and of all that is not written yet. */
const waitingUnits = 16_384
const unwrittenUnits = 1024 * 1024

export interface LineLog {
  readonly write: (line: string) => void
  /** Writes the buffered lines. */
  readonly flush: () => Promise<void>
}

/**
 * Creates a log. Lines that cannot be written, as on a full disk, are lost, because the log must not end the server; and so are
 * those that nobody reads in time, as from a pipe to a stopped program.
 */
export function createLineLog(output: Output): LineLog {
  let waiting = ''
  let unwritten = 0
  let timer: NodeJS.Timeout | undefined
  const flush = async (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    const text = waiting
    waiting = ''
    if (text === '') return
    unwritten += text.length
    await output.write(text).catch(() => {})
    unwritten -= text.length
  }
  return {
    write: line => {
      if (unwritten > unwrittenUnits) return
      waiting += `${line}\n`
      if (waiting.length > waitingUnits) void flush()
      else timer ??= setTimeout(flush, pause)
    },
    flush,
  }
}
