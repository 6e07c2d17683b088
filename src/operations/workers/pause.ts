/** Long work with yields to the event loop between its steps, so that a server keeps responding. */

import { createPause, type Pause } from '../../store/index/slices.ts'

export { createPause, type Pause }

/** Index entries processed between two readings of the clock. */
export const stepsAtOnce = 512

/** Takes a number of steps, with a pause after every few of them. */
export async function inTurns(steps: number, pause: Pause, take: (at: number) => void): Promise<void> {
  for (let at = 0; at < steps; at++) {
    take(at)
    if ((at + 1) % stepsAtOnce === 0) await pause()
  }
}

/** Items that are sorted between two pauses. */
const sortedAtOnce = 4096

/** Sorts items by merging sorted runs, with pauses. Equal items keep their order. */
export async function sortInTurns<Item>(
  items: readonly Item[],
  compare: (a: Item, b: Item) => number,
  pause: Pause,
): Promise<Item[]> {
  let runs: Item[][] = []
  for (let at = 0; at < items.length; at += sortedAtOnce) {
    runs.push(items.slice(at, at + sortedAtOnce).sort(compare))
    await pause()
  }
  while (runs.length > 1) {
    const merged: Item[][] = []
    for (let at = 0; at < runs.length; at += 2) merged.push(await merge(runs[at] ?? [], runs[at + 1] ?? []))
    runs = merged
  }
  return runs[0] ?? []

  async function merge(left: readonly Item[], right: readonly Item[]): Promise<Item[]> {
    const merged: Item[] = []
    let [at, other] = [0, 0]
    await inTurns(left.length + right.length, pause, () => {
      const isLeft = other >= right.length || (at < left.length && compare(left[at] as Item, right[other] as Item) <= 0)
      merged.push((isLeft ? left[at++] : right[other++]) as Item)
    })
    return merged
  }
}
