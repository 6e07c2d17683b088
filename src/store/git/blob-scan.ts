/** Passes over many blobs of one `git cat-file --batch --buffer` without holding them. */

import { feed, output, type Running } from '../repository/process.ts'
import { Asked, checkEnd, checkHead } from './batch-reader.ts'
import { pointerBytes } from './lfs.ts'
import { lineFeed, startBytes, textSize } from './objects.ts'

/** Makes a result of each blob, of which it holds no more than the first bytes. */
interface Scan<Item> {
  /** Number of first bytes to hold of a blob of this size. */
  readonly held: (size: number) => number
  /** `last` is the last byte; 0 for an empty blob. */
  readonly result: (blob: { readonly size: number; readonly start: Buffer; readonly last: number }) => Item
}

/**
 * Gives the size of each text without the line feed that ends it, in bytes, those of a chunk of git's output together; null for one that is
 * missing. Only the last byte of a text counts, except where it may be a pointer of Git LFS.
 */
export function readTextSizes(running: Running, hashes: Iterable<string>): AsyncIterable<readonly (number | null)[]> {
  const mayBePointer = (size: number) => size >= pointerBytes.least && size <= pointerBytes.most
  return scanBlobs(running, hashes, {
    held: size => (mayBePointer(size) ? size : 0),
    result: ({ size, start, last }) => (mayBePointer(size) ? textSize(start) : size - Number(last === lineFeed)),
  })
}

/** Gives the first `startBytes` bytes of each blob, those of a chunk of git's output together; null for one that is missing. */
export function readStarts(running: Running, hashes: Iterable<string>): AsyncIterable<readonly (Buffer | null)[]> {
  return scanBlobs(running, hashes, { held: size => Math.min(size, startBytes), result: ({ start }) => start })
}

async function* scanBlobs<Item>(
  running: Running,
  hashes: Iterable<string>,
  scan: Scan<Item>,
): AsyncIterable<readonly (Item | null)[]> {
  const asked = new Asked()
  const failure = feed(running, asked.noting(hashes))
  const scanner = new Scanner(scan, asked)
  try {
    for await (const chunk of output(running)) {
      yield scanner.take(chunk)
      scanner.check()
    }
  } catch (error) {
    throw failure() ?? error
  } finally {
    running.child.kill()
  }
}

/** Follows git's answers: a line that names type and size, the content, a line feed. */
class Scanner<Item> {
  readonly #scan: Scan<Item>
  readonly #asked: Asked
  #head = ''
  #size = 0
  /** Bytes still to come of a content and the line feed after it. */
  #left = 0
  #last = 0
  /** First bytes of the content, and the number of those that have come. */
  #start = Buffer.alloc(0)
  #held = 0
  #failure: unknown = null

  constructor(scan: Scan<Item>, asked: Asked) {
    this.#scan = scan
    this.#asked = asked
  }

  /** Returns the results that a chunk completes, up to the first response that is not the one to its request. */
  take(chunk: Buffer): (Item | null)[] {
    const items: (Item | null)[] = []
    try {
      for (let at = 0; at < chunk.length; ) {
        if (this.#left > 0) at = this.#passContent(chunk, at, items)
        else at = this.#readHead(chunk, at, items)
      }
    } catch (error) {
      this.#failure = error
    }
    return items
  }

  /** Throws if the output is not the responses to the requests: see `checkHead`. */
  check(): void {
    if (this.#failure !== null) throw this.#failure
  }

  #readHead(chunk: Buffer, at: number, items: (Item | null)[]): number {
    const end = chunk.indexOf(lineFeed, at)
    this.#head += chunk.toString('latin1', at, end < 0 ? chunk.length : end)
    checkHead(this.#head, this.#asked.first, { isWhole: end >= 0 })
    if (end < 0) return chunk.length
    const size = this.#head.split(' ')[2]
    this.#head = ''
    // A missing object's line has its hash and a word.
    if (size === undefined) this.#answer(items, null)
    else {
      this.#size = Number(size)
      this.#left = this.#size + 1
      this.#last = 0
      this.#start = Buffer.alloc(this.#scan.held(this.#size))
      this.#held = 0
    }
    return end + 1
  }

  #passContent(chunk: Buffer, at: number, items: (Item | null)[]): number {
    const last = at + this.#left - 2
    if (last >= at && last < chunk.length) this.#last = chunk[last]!
    const passed = Math.min(this.#left, chunk.length - at)
    this.#left -= passed
    this.#held += chunk.copy(this.#start, this.#held, at, at + passed)
    if (this.#left > 0) return at + passed
    checkEnd(chunk[at + passed - 1], this.#asked.first)
    this.#answer(items, this.#scan.result({ size: this.#size, start: this.#start, last: this.#last }))
    return at + passed
  }

  #answer(items: (Item | null)[], item: Item | null): void {
    this.#asked.answered()
    items.push(item)
  }
}
