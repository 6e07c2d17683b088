/** Counts how often long work lets others run. */

import { vi } from 'vitest'

/** Does work for which each look at the clock finds that a slice of time is over; returns the turns of the event loop meanwhile. */
export async function turnsOf(work: () => Promise<unknown>): Promise<number> {
  let time = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (time += 100))
  let turns = 0
  let isOver = false
  const count = (): void => {
    turns++
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  try {
    await work()
  } finally {
    isOver = true
    clock.mockRestore()
  }
  return turns
}
