/**
 * Pairs of numbers, each a key and a value, sorted in the base: the values of a key are found and counted by binary search. Used
 * for original ids of imported revisions, and for the editors of a page.
 */

import { lowerBound } from './base-rows.ts'
import { type BlockFile, GrowingBytes, type Region } from './bytes.ts'

/** Key (6 bytes), value (4). */
const pairBytes = 10

export class Pairs {
  #bytes: GrowingBytes
  readonly #baseCount: number
  /** Values by key of the pairs that the base lacks; built on first use. */
  #added: Map<number, Set<number>> | null = null

  constructor(file: BlockFile | null, region: Region) {
    this.#bytes = new GrowingBytes(file, region)
    this.#baseCount = region.length / pairBytes
  }

  /** Creates a fork that may grow while these pairs stay the same: see `GrowingBytes.fork`. */
  fork(): Pairs {
    const fork = new Pairs(null, { offset: 0, length: this.#baseCount * pairBytes })
    fork.#bytes = this.#bytes.fork()
    return fork
  }

  /** Bytes so far. */
  get length(): number {
    return this.#bytes.length
  }

  /** Adds a pair, unless it exists. */
  add(key: number, value: number): void {
    if (this.#has(key, value)) return
    this.#bytes.append(encodePair(key, value))
    addTo(this.#addedPairs, key, value)
  }

  #has(key: number, value: number): boolean {
    if (this.#addedPairs.get(key)?.has(value)) return true
    const at = this.#placeOf(key, value)
    return at < this.#baseCount && this.#key(at) === key && this.#value(at) === value
  }

  /** Adds the pairs of a frame of the tail. */
  append(bytes: Buffer): void {
    this.#bytes.append(bytes)
    this.#added = null
  }

  /** The pairs added since the length was `length` bytes. */
  since(length: number): Buffer {
    return this.#bytes.since(length)
  }

  /** Values of a key: those of the base in order, then those that were added, in theirs. */
  find(key: number): number[] {
    const found: number[] = []
    for (let at = this.#placeOf(key, 0); at < this.#baseCount && this.#key(at) === key; at++)
      found.push(this.#value(at))
    return [...found, ...(this.#addedPairs.get(key) ?? [])]
  }

  /** Number of values of a key, without reading them. */
  count(key: number): number {
    return this.#placeOf(key + 1, 0) - this.#placeOf(key, 0) + (this.#addedPairs.get(key)?.size ?? 0)
  }

  /** The highest key; 0 if there is none. */
  get last(): number {
    let last = this.#baseCount === 0 ? 0 : this.#key(this.#baseCount - 1)
    for (const key of this.#addedPairs.keys()) last = Math.max(last, key)
    return last
  }

  /** All pairs in order, in parts: the contents of the next base. The added ones are placed by binary search. */
  *parts(): Generator<Buffer> {
    let at = 0
    for (const key of Float64Array.from(this.#addedPairs.keys()).sort()) {
      for (const value of Uint32Array.from(this.#addedPairs.get(key) as Set<number>).sort()) {
        const from = at
        at = this.#placeOf(key, value, from)
        if (at > from) yield* this.#bytes.baseParts(from * pairBytes, at * pairBytes)
        yield encodePair(key, value)
      }
    }
    yield* this.#bytes.baseParts(at * pairBytes)
  }

  get #addedPairs(): Map<number, Set<number>> {
    if (this.#added === null) {
      this.#added = new Map()
      const count = this.#bytes.length / pairBytes
      for (let at = this.#baseCount; at < count; at++) addTo(this.#added, this.#key(at), this.#value(at))
    }
    return this.#added
  }

  /** Index of a pair in the base, or the index at which it would be inserted. */
  #placeOf(key: number, value: number, from = 0): number {
    const isBefore = (at: number) => this.#key(at) < key || (this.#key(at) === key && this.#value(at) < value)
    return from + lowerBound(this.#baseCount - from, step => isBefore(from + step))
  }

  #key(at: number): number {
    return this.#bytes.read(at * pairBytes, pairBytes).readUIntLE(0, 6)
  }

  #value(at: number): number {
    return this.#bytes.read(at * pairBytes, pairBytes).readUInt32LE(6)
  }
}

function addTo(pairs: Map<number, Set<number>>, key: number, value: number): void {
  const values = pairs.get(key)
  if (values === undefined) pairs.set(key, new Set([value]))
  else values.add(value)
}

function encodePair(key: number, value: number): Buffer {
  const bytes = Buffer.alloc(pairBytes)
  bytes.writeUIntLE(key, 0, 6)
  bytes.writeUInt32LE(value, 6)
  return bytes
}
