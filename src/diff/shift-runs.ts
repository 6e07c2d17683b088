/**
 * Shifts runs of changed items along equal items: `a b [a b]`, `a [b a] b` and `[a b] a b` are equivalent.
 *
 * Source: docs/reference/comparison.md#placement-of-runs.
 */

/** `up`: as far towards the start as possible; `down`: towards the end. A run of the other list in between stops it. */
export type ShiftDirection = 'up' | 'down'

/** A run of changed items, and the corresponding position in the other list. */
interface Run {
  start: number
  end: number
  partner: number
}

/**
 * Shifts every run of changed items of one list as far as possible in its direction. Adjacent runs become one. Changes
 * the flags of `changed` in place, never their number.
 */
export function shiftRuns(items: Int32Array, changed: Uint8Array, other: Uint8Array, direction: ShiftDirection): void {
  const run: Run = { start: 0, end: 0, partner: 0 }
  for (;;) {
    const start = nextRun(run, changed, other)
    if (start < 0) return
    run.start = start
    run.end = afterChanged(changed, start)
    settle(run, items, changed, other, direction)
  }
}

/** Returns the start of the next run; -1 if there is none. */
function nextRun(run: Run, changed: Uint8Array, other: Uint8Array): number {
  const start = changed.indexOf(1, run.end)
  if (start < 0) return -1
  let partner = afterChanged(other, run.partner)
  for (let kept = start - run.end; kept > 0; kept--) partner = afterChanged(other, partner + 1)
  run.partner = partner
  return start
}

function afterChanged(flags: Uint8Array, place: number): number {
  let at = place
  while (at < flags.length && flags[at] === 1) at++
  return at
}

/** Shifts one run up and down until it stops growing, then to its final position. */
function settle(run: Run, items: Int32Array, changed: Uint8Array, other: Uint8Array, direction: ShiftDirection): void {
  let size: number
  let mark: number
  do {
    size = run.end - run.start
    while (canStepUp(run, items)) {
      stepUp(run, changed, other)
      while (run.start > 0 && changed[run.start - 1] === 1) run.start--
    }
    mark = hasPartner(run, other, direction) ? run.end : items.length
    while (run.end < items.length && items[run.start] === items[run.end]) {
      if (stepDown(run, changed, other)) mark = run.end
    }
  } while (size !== run.end - run.start)
  while (mark < run.end) stepUp(run, changed, other)
}

/** Returns true if a run that is already up must stay there. */
function hasPartner({ partner }: Run, other: Uint8Array, direction: ShiftDirection): boolean {
  return direction === 'up' ? partner < other.length : partner > 0 && other[partner - 1] === 1
}

function canStepUp({ start, end }: Run, items: Int32Array): boolean {
  return start > 0 && items[start - 1] === items[end - 1]
}

function stepUp(run: Run, changed: Uint8Array, other: Uint8Array): void {
  changed[--run.start] = 1
  changed[--run.end] = 0
  do run.partner--
  while (other[run.partner] === 1)
}

/** Shifts a run one item down, merging runs that it meets, and returns whether the other list has a run there. */
function stepDown(run: Run, changed: Uint8Array, other: Uint8Array): boolean {
  changed[run.start++] = 0
  changed[run.end++] = 1
  run.end = afterChanged(changed, run.end)
  run.partner++
  const meets = other[run.partner] === 1
  run.partner = afterChanged(other, run.partner)
  return meets
}
