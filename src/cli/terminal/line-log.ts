/** Writes log lines in batches, because a write per line would cost a server as much as the response. */

import type { Output } from './io.ts'

/** Milliseconds that a line is buffered. */
const pause = 10
/** Maximum size of the buffer, in UTF-16 units. */
const waitingUnits = 16_384

export interface LineLog {
  readonly write: (line: string) => void
  /** Writes the buffered lines. */
  readonly flush: () => Promise<void>
}

/**
 * Creates a log. Lines that cannot be written, as on a full disk, are lost, because the log must not end the server.
 */
export function createLineLog(output: Output): LineLog {
  let waiting = ''
  let timer: NodeJS.Timeout | undefined
  const flush = async (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    const text = waiting
    waiting = ''
    if (text !== '') await output.write(text).catch(() => {})
  }
  return {
    write: line => {
      waiting += `${line}\n`
      if (waiting.length > waitingUnits) void flush()
      else timer ??= setTimeout(flush, pause)
    },
    flush,
  }
}
