/** Moments relative to now, for the ages of files and records. */

/** Returns the moment that many seconds from now; negative ones are past. A minute or more from any limit, since a test may be slow. */
export function fromNow(seconds: number): Date {
  return new Date(Date.now() + seconds * 1000)
}

/** Seconds of a day. */
export const day = 86_400
