/**
 * Files that reads have found lacking, until they arrive. Whatever was made without them is made again then. Nothing is polled: who
 * wants to know looks at all places.
 */

import { statSync } from 'node:fs'

/**
 * Maximum places. Content usually arrives all at once, so the first ones tell. A place stays after its arrival, because what has arrived
 * may go again: the number is bounded, and looking at all of them takes a millisecond.
 */
const maxPlaces = 200

export class AwaitedFiles {
  /** State of each place when it was last looked at. */
  readonly #places = new Map<string, string>()
  #misses = 0
  #arrivals = 0

  /** Number of times that something may have arrived. */
  get arrivals(): number {
    return this.#arrivals
  }

  /** Number of reads that lacked something. */
  get misses(): number {
    return this.#misses
  }

  /**
   * Notes what a read lacked, by the places where it would be. A new place counts as empty, so that what arrives between the read
   * and this note is seen.
   */
  add(...places: readonly string[]): void {
    this.#misses++
    for (const path of places) if (this.#places.size < maxPlaces && !this.#places.has(path)) this.#places.set(path, '')
  }

  /** Looks at each place. */
  check(): void {
    let hasChanged = false
    for (const [path, before] of this.#places) {
      const now = stampOf(path)
      if (now === before) continue
      this.#places.set(path, now)
      hasChanged = true
    }
    if (hasChanged) this.#arrivals++
  }
}

function stampOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false })
  return found === undefined ? '' : `${found.ino} ${found.mtimeMs} ${found.size}`
}
