/**
 * Counts failed logins per address and minute. Tokens cannot be guessed; the limit stops a misconfigured client from
 * retrying without end. A valid token always passes.
 */

import { WikiError } from '../core/errors.ts'
import { networkOf } from './client.ts'

/** Failures per window that get the detailed error. */
const failuresPerWindow = 10
const windowMilliseconds = 60_000
/** Maximum number of stored addresses; the oldest are evicted. */
const addressLimit = 10_000

/** Counts a failed login of an address. Errors: apierror-ratelimited, once there are too many. */
export type CountFailure = (address: string) => void

/** Creates a counter. */
export function createFailureLimit(): CountFailure {
  const windows = new Map<string, { failures: number; readonly end: number }>()
  return address => {
    const key = networkOf(address)
    const last = windows.get(key)
    const isOver = last === undefined || last.end <= Date.now()
    const current = isOver ? { failures: 0, end: Date.now() + windowMilliseconds } : last
    if (isOver) {
      windows.delete(key)
      windows.set(key, current)
      if (windows.size > addressLimit) windows.delete(windows.keys().next().value ?? '')
    }
    current.failures++
    if (current.failures > failuresPerWindow) throw new WikiError('apierror-ratelimited')
  }
}
