/**
 * The ids that imported revisions had where they come from: pairs of id and ordinal, sorted in the base, so that one is found
 * by halving. A wiki without imports has none.
 */

import { lowerBound } from './base-rows.ts'
import { type BlockFile, GrowingBytes, type Region } from './bytes.ts'

/** Id (6 bytes), ordinal of the revision (4). */
const pairBytes = 10

export class Originals {
  #bytes: GrowingBytes
  readonly #baseCount: number
  /** Ordinals by id, of the pairs that the base lacks; made when it is first asked. */
  #added: Map<number, number[]> | null = null

  constructor(file: BlockFile | null, region: Region) {
    this.#bytes = new GrowingBytes(file, region)
    this.#baseCount = region.length / pairBytes
  }

  /** Makes pairs that may grow while these stay as they are: see `GrowingBytes.fork`. */
  fork(): Originals {
    const fork = new Originals(null, { offset: 0, length: this.#baseCount * pairBytes })
    fork.#bytes = this.#bytes.fork()
    return fork
  }

  /** Bytes so far. */
  get length(): number {
    return this.#bytes.length
  }

  add(id: number, ordinal: number): void {
    const bytes = Buffer.alloc(pairBytes)
    bytes.writeUIntLE(id, 0, 6)
    bytes.writeUInt32LE(ordinal, 6)
    this.append(bytes)
  }

  /** Takes in the pairs of a tail's frame. */
  append(bytes: Buffer): void {
    this.#bytes.append(bytes)
    this.#added = null
  }

  /** The pairs added since there were `length` bytes. */
  since(length: number): Buffer {
    return this.#bytes.since(length)
  }

  /** Ordinals of the revisions that had an id, in their order. */
  find(id: number): number[] {
    const found: number[] = []
    for (let at = lowerBound(this.#baseCount, at => this.#id(at) < id); at < this.#baseCount; at++) {
      if (this.#id(at) !== id) break
      found.push(this.#ordinal(at))
    }
    this.#added ??= this.#addedPairs()
    return [...found, ...(this.#added.get(id) ?? [])]
  }

  /** The highest id; 0 where there is none. */
  get last(): number {
    this.#added ??= this.#addedPairs()
    let last = this.#baseCount === 0 ? 0 : this.#id(this.#baseCount - 1)
    for (const id of this.#added.keys()) last = Math.max(last, id)
    return last
  }

  /** All pairs in order: what the next base holds, in parts. The added ones are few, and their places found by halving. */
  *parts(): Generator<Buffer> {
    const bytes = this.#bytes.since(this.#baseCount * pairBytes)
    const added = Array.from({ length: bytes.length / pairBytes }, (_, at) =>
      bytes.subarray(at * pairBytes, (at + 1) * pairBytes),
    ).sort((a, b) => idIn(a) - idIn(b) || ordinalIn(a) - ordinalIn(b))
    let at = 0
    for (const pair of added) {
      const from = at
      at += lowerBound(this.#baseCount - from, step => this.#id(from + step) <= idIn(pair))
      yield* this.#bytes.baseParts(from * pairBytes, at * pairBytes)
      yield pair
    }
    yield* this.#bytes.baseParts(at * pairBytes)
  }

  #addedPairs(): Map<number, number[]> {
    const pairs = new Map<number, number[]>()
    for (let at = this.#baseCount; at < this.#bytes.length / pairBytes; at++) {
      const same = pairs.get(this.#id(at))
      if (same) same.push(this.#ordinal(at))
      else pairs.set(this.#id(at), [this.#ordinal(at)])
    }
    return pairs
  }

  #id(at: number): number {
    return idIn(this.#bytes.read(at * pairBytes, pairBytes))
  }

  #ordinal(at: number): number {
    return ordinalIn(this.#bytes.read(at * pairBytes, pairBytes))
  }
}

function idIn(pair: Buffer): number {
  return pair.readUIntLE(0, 6)
}

function ordinalIn(pair: Buffer): number {
  return pair.readUInt32LE(6)
}
