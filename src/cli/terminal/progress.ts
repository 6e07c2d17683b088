/** Progress bar on stderr. It appears after 250 ms and is redrawn at most ten times a second. */

import type { Output } from './io.ts'
import { ownSequence } from './terminal-guard.ts'

const delay = 250
const interval = 100
const width = 24

/** Moves the cursor to the first column and clears the rest of the line. Source: ECMA-48, CHA and EL. */
const lineStart = ownSequence('\u001b[G')
const restOfLine = ownSequence('\u001b[K')

export interface Progress {
  /** Reports work done; `total` is null if unknown. */
  report(done: number, total: number | null): void
  /** Removes the bar. */
  clear(): Promise<void>
}

/** `clock` counts milliseconds. */
interface ProgressOptions {
  readonly isShown?: boolean
  readonly clock?: () => number
}

/** Returns a progress bar for a terminal; on any other output it shows nothing. */
export function createProgress(
  output: Output,
  label: string,
  { isShown = true, clock = Date.now }: ProgressOptions = {},
): Progress {
  const start = clock()
  let shown = Number.NEGATIVE_INFINITY
  let visible = false
  return {
    report(done, total) {
      const now = clock()
      if (!isShown || !output.isTTY || now - start < delay || now - shown < interval) return
      shown = now
      visible = true
      output.write(`${lineStart}${progressLine(label, done, total)}${restOfLine}`).catch(() => {})
    },
    async clear() {
      if (visible) await output.write(lineStart + restOfLine).catch(() => {})
      visible = false
    },
  }
}

/** `Indexing [######......] 25% of 40,000`, or `Indexing 10,000` if the total is unknown. */
export function progressLine(label: string, done: number, total: number | null): string {
  if (total === null || total <= 0) return `${label} ${done.toLocaleString('en')}`
  const part = Math.min(1, done / total)
  const bar = '#'.repeat(Math.round(part * width)).padEnd(width, '.')
  return `${label} [${bar}] ${Math.floor(part * 100)}% of ${total.toLocaleString('en')}`
}
