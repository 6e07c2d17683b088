/**
 * Decides when a long tail of the index is compacted: in the background while its owner keeps responding, or when a short-lived
 * owner ends.
 */

import { compactInSlices, compactNow, tailExcess } from './compaction.ts'
import type { RevisionIndex } from './revision-index.ts'

/** Milliseconds after an update until a long tail is compacted: a command has printed its result by then, and ended. */
const compactionDelay = 1000

/** An owner that ends compacts a tail that is this many times too long: where only commands run, nobody else does. */
const compactedAtEnd = 4

export interface CompactionOptions {
  readonly folder: string
  /**
   * Returns the index if it equals the one on disk, apart from additions of other processes; null if not, or while it is being
   * changed.
   */
  readonly stored: () => RevisionIndex | null
  /** Called with unexpected errors; a full disk, for example, is ignored. */
  readonly notice?: ((message: string) => void) | undefined
}

/** Compacts the tail of one owner's index when it grows long. */
export class CompactionSchedule {
  readonly #options: CompactionOptions
  #timer: NodeJS.Timeout | undefined
  #hasSaved = false
  #hasEnded = false
  /** Multiple of the maximum tail above which compaction starts. */
  #above = 1

  constructor(options: CompactionOptions) {
    this.#options = options
  }

  /** Notes that the index was stored: a tail that has become too long is compacted later. */
  saved(): void {
    this.#hasSaved = true
    if (this.#timer !== undefined || tailExcess(this.#options.folder) <= this.#above) return
    this.#timer = setTimeout(() => void this.#compact(), compactionDelay)
    // The timer keeps no command running.
    this.#timer.unref()
  }

  /** Stops compaction in progress. To be called before the index is closed. */
  end(): void {
    clearTimeout(this.#timer)
    this.#hasEnded = true
    const { folder, stored } = this.#options
    const index = this.#hasSaved ? stored() : null
    try {
      if (index !== null && tailExcess(folder) > compactedAtEnd) compactNow(index, folder)
    } catch (error) {
      this.#report(error)
    }
  }

  async #compact(): Promise<void> {
    try {
      const index = this.#options.stored()
      if (index !== null) await this.#compactInSlices(index)
    } catch (error) {
      this.#report(error)
    }
    this.#timer = undefined
  }

  async #compactInSlices(index: RevisionIndex): Promise<void> {
    const { folder } = this.#options
    // After a failure, compaction is tried again when the tail has doubled.
    this.#above = Math.max(1, tailExcess(folder) * 2)
    if (await compactInSlices(index, folder, () => !this.#hasEnded && index.isOpen)) this.#above = 1
  }

  /** The index is unchanged; damage shows at the next query. */
  #report(error: unknown): void {
    const isExpected = (error as NodeJS.ErrnoException).code !== undefined
    if (!isExpected) this.#options.notice?.(`The index could not be compacted: ${error}`)
  }
}
