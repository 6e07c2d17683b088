/** Counts how often long work lets others run. */

import { vi } from 'vitest'

/**
 * Does work with a clock at which every time slice is over; returns the number of pauses in which others run. Turns of the
 * event loop are not a measure, because reading a file takes many of them.
 */
export async function pausesOf(work: () => Promise<unknown>): Promise<number> {
  let looks = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => ++looks * 100)
  try {
    await work()
  } finally {
    clock.mockRestore()
  }
  // At the end of a slice, and at the beginning of the next one.
  return looks / 2
}
