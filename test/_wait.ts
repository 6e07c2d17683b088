/** Waits with a limit that only a hanging test reaches: for a result, or for an error that says what is missing. */

import { setTimeout as sleep } from 'node:timers/promises'

/** Milliseconds that anything may take, on a loaded machine too; less than the limit of a test. */
const longest = 100_000

/** Resolves with the result of a promise. Throws if it is not settled in time; `what` is the expected event. */
export async function inTime<Result>(what: string, result: Promise<Result>): Promise<Result> {
  const ended = new AbortController()
  const late = sleep(longest, undefined, { signal: ended.signal }).then(() => {
    throw new Error(`${longest / 1000} seconds are over, and not: ${what}`)
  })
  try {
    return await Promise.race([result, late])
  } finally {
    ended.abort()
    late.catch(() => {})
  }
}

/**
 * Calls a function repeatedly until it returns a value other than undefined, and resolves with that value. Throws if there is
 * none in time.
 */
export async function until<Result>(
  what: string,
  look: () => Result | undefined | Promise<Result | undefined>,
): Promise<Result> {
  for (let waited = 0; waited < longest; waited += 20) {
    const found = await look()
    if (found !== undefined) return found
    await sleep(20)
  }
  throw new Error(`${longest / 1000} seconds are over, and not: ${what}`)
}

/** A line of shell that waits until there is a file of that name. */
export function untilFile(path: string): string {
  return `while ! [ -e '${path}' ]; do sleep 0.02; done`
}
