/** Counts how often long work lets others run, and how much it does in between. */

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

/**
 * Does work with a clock at which every time slice is over; returns the most steps in one turn of the event loop. `observe` is
 * called first, with the function that counts a step.
 */
export async function mostInOneTurn(
  observe: (step: () => void) => void,
  work: () => Promise<unknown>,
): Promise<number> {
  let inTurn = 0
  let most = 0
  observe(() => {
    most = Math.max(most, ++inTurn)
  })
  const nextTurn = (): void => {
    inTurn = 0
    next = setImmediate(nextTurn)
  }
  let next = setImmediate(nextTurn)
  try {
    await pausesOf(work)
  } finally {
    clearImmediate(next)
    vi.restoreAllMocks()
  }
  return most
}
