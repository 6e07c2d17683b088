/** Sizes of many texts from one `git cat-file --batch --buffer`. */

import { feed, output, type Running } from '../repository/process.ts'
import { pointerBytes } from './lfs.ts'
import { lineFeed, textSize } from './objects.ts'

/**
 * Gives the size of each text without the line feed that ends it, in bytes, those of a chunk of git's output together; null for one that is
 * missing. Of a text no more is held than the chunk at hand, for only its last byte counts, except where it may be a pointer of Git LFS.
 */
export async function* readTextSizes(
  running: Running,
  hashes: Iterable<string>,
): AsyncIterable<readonly (number | null)[]> {
  const failure = feed(running, hashes)
  const scanner = new Scanner()
  try {
    for await (const chunk of output(running)) yield scanner.take(chunk)
  } catch (error) {
    throw failure() ?? error
  } finally {
    running.child.kill()
  }
}

/** Follows git's answers: a line that names type and size, the content, a line feed. */
class Scanner {
  #head = ''
  #size = 0
  /** Bytes still to come of a content and the line feed after it. */
  #left = 0
  #last = 0
  /** Pieces of a content as short as a pointer. */
  #short: Buffer[] | null = null

  take(chunk: Buffer): (number | null)[] {
    const sizes: (number | null)[] = []
    for (let at = 0; at < chunk.length; ) {
      if (this.#left > 0) at = this.#passContent(chunk, at, sizes)
      else at = this.#readHead(chunk, at, sizes)
    }
    return sizes
  }

  #readHead(chunk: Buffer, at: number, sizes: (number | null)[]): number {
    const end = chunk.indexOf(lineFeed, at)
    this.#head += chunk.toString('latin1', at, end < 0 ? chunk.length : end)
    if (end < 0) return chunk.length
    const size = this.#head.split(' ')[2]
    this.#head = ''
    // A missing object's line has its hash and a word.
    if (size === undefined) sizes.push(null)
    else {
      this.#size = Number(size)
      this.#left = this.#size + 1
      this.#last = 0
      this.#short = this.#size >= pointerBytes.least && this.#size <= pointerBytes.most ? [] : null
    }
    return end + 1
  }

  #passContent(chunk: Buffer, at: number, sizes: (number | null)[]): number {
    const last = at + this.#left - 2
    if (last >= at && last < chunk.length) this.#last = chunk[last]!
    const passed = Math.min(this.#left, chunk.length - at)
    this.#left -= passed
    this.#short?.push(chunk.subarray(at, at + passed))
    if (this.#left === 0) sizes.push(this.#textSize())
    return at + passed
  }

  #textSize(): number {
    if (this.#short === null) return this.#size - Number(this.#last === lineFeed)
    return textSize(Buffer.concat(this.#short).subarray(0, this.#size))
  }
}
