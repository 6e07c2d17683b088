/** When a long tail of the index is folded: aside, while its owner goes on answering, or at the end of an owner of few words. */

import { foldAside, foldNow, tailExcess } from './fold.ts'
import type { RevisionIndex } from './revision-index.ts'

/** Milliseconds after an update until a long tail is folded: a command has given its answer by then, and ended. */
const foldDelay = 1000

/** An owner that ends folds a tail that is this many times too long: where there are only commands, nobody else does. */
const foldedAtEnd = 4

export interface FoldingOptions {
  readonly folder: string
  /** Gives the index where it is as on disk, but for what other processes added; null if it is not, or is being changed. */
  readonly stored: () => RevisionIndex | null
  /** Told of what went wrong and should not have; a full disk, say, is passed over. */
  readonly notice?: ((message: string) => void) | undefined
}

/** Folds the tail of one owner's index when it grows long. */
export class IndexFolding {
  readonly #options: FoldingOptions
  #timer: NodeJS.Timeout | undefined
  #hasSaved = false
  #hasEnded = false
  /** Multiple of the longest allowed tail above which folding begins. */
  #above = 1

  constructor(options: FoldingOptions) {
    this.#options = options
  }

  /** Takes notice that the index was stored: a tail that has become too long will be folded. */
  saved(): void {
    this.#hasSaved = true
    if (this.#timer !== undefined || tailExcess(this.#options.folder) <= this.#above) return
    this.#timer = setTimeout(() => void this.#fold(), foldDelay)
    // A command does not stay for it.
    this.#timer.unref()
  }

  /** Gives up what is under way. To be called before the index is closed. */
  end(): void {
    clearTimeout(this.#timer)
    this.#hasEnded = true
    const { folder, stored } = this.#options
    const index = this.#hasSaved ? stored() : null
    try {
      if (index !== null && tailExcess(folder) > foldedAtEnd) foldNow(index, folder)
    } catch (error) {
      this.#tell(error)
    }
  }

  async #fold(): Promise<void> {
    const { folder, stored } = this.#options
    const index = stored()
    if (index !== null) {
      const excess = tailExcess(folder)
      const isFolded = await this.#foldAside(index)
      // After a failure, folding is tried again when the tail has doubled.
      this.#above = isFolded ? 1 : Math.max(1, excess * 2)
    }
    this.#timer = undefined
  }

  async #foldAside(index: RevisionIndex): Promise<boolean> {
    try {
      return await foldAside(index, this.#options.folder, () => !this.#hasEnded && index.isOpen)
    } catch (error) {
      this.#tell(error)
      return false
    }
  }

  /** The index is as good as before; damage shows at the next question. */
  #tell(error: unknown): void {
    const isExpected = (error as NodeJS.ErrnoException).code !== undefined
    if (!isExpected) this.#options.notice?.(`The index could not be folded: ${error}`)
  }
}
