/** The objects of a pack by hash: packed arrays, because a JavaScript object for each of millions takes too much memory. */

import { createHash } from 'node:crypto'

interface PackEntry {
  readonly offset: number
  readonly crc: number
  /** Length of the chain of deltas up to it. */
  readonly depth: number
}

const hashBytes = 20
const firstCapacity = 1024
/** Offsets from here on go into the index's table of 8-byte offsets. */
const largeOffset = 0x80000000

export class HashTable {
  count = 0
  #hashes = Buffer.alloc(firstCapacity * hashBytes)
  #offsets = new Float64Array(firstCapacity)
  #crcs = new Uint32Array(firstCapacity)
  #depths = new Uint8Array(firstCapacity)
  /** Entries + 1, by hash prefix; 0: free. */
  #slots = new Uint32Array(firstCapacity * 2)

  /** Number of the entry with a hash. */
  find(hash: Buffer): number | undefined {
    const entry = (this.#slots[this.#slotOf(hash)] as number) - 1
    return entry < 0 ? undefined : entry
  }

  offset(entry: number): number {
    return this.#offsets[entry] as number
  }

  depth(entry: number): number {
    return this.#depths[entry] as number
  }

  /** Adds a new entry; returns its number. */
  add(hash: Buffer, { offset, crc, depth }: PackEntry): number {
    if (this.count === this.#offsets.length) this.#grow()
    const entry = this.count++
    hash.copy(this.#hashes, entry * hashBytes)
    this.#offsets[entry] = offset
    this.#crcs[entry] = crc
    this.#depths[entry] = depth
    this.#slots[this.#slotOf(hash)] = entry + 1
    return entry
  }

  #slotOf(hash: Buffer): number {
    const slots = this.#slots
    let slot = hash.readUInt32BE(0) % slots.length
    for (let entry = slots[slot] as number; entry !== 0; entry = slots[slot] as number) {
      const at = (entry - 1) * hashBytes
      if (hash.compare(this.#hashes, at, at + hashBytes) === 0) break
      slot = slot + 1 === slots.length ? 0 : slot + 1
    }
    return slot
  }

  #grow(): void {
    const capacity = this.#offsets.length * 2
    this.#hashes = Buffer.concat([this.#hashes], capacity * hashBytes)
    this.#offsets = enlarge(this.#offsets, new Float64Array(capacity))
    this.#crcs = enlarge(this.#crcs, new Uint32Array(capacity))
    this.#depths = enlarge(this.#depths, new Uint8Array(capacity))
    this.#slots = new Uint32Array(capacity * 2)
    for (let entry = 0; entry < this.count; entry++) this.#slots[this.#slotOf(this.#hash(entry))] = entry + 1
  }

  #hash(entry: number): Buffer {
    return this.#hashes.subarray(entry * hashBytes, (entry + 1) * hashBytes)
  }

  /** Formats the pack's index. Source: git's Documentation/gitformat-pack.txt, "Version 2 pack-*.idx". */
  packIndex(packSum: Buffer): Buffer {
    const order = Uint32Array.from({ length: this.count }, (_, entry) => entry)
    order.sort((a, b) =>
      this.#hashes.compare(this.#hashes, b * hashBytes, (b + 1) * hashBytes, a * hashBytes, (a + 1) * hashBytes),
    )
    const fanout = Buffer.alloc(256 * 4)
    const hashes = Buffer.alloc(this.count * hashBytes)
    const crcs = Buffer.alloc(this.count * 4)
    const offsets = Buffer.alloc(this.count * 4)
    const large: number[] = []
    order.forEach((entry, at) => {
      this.#hash(entry).copy(hashes, at * hashBytes)
      crcs.writeUInt32BE(this.#crcs[entry] as number, at * 4)
      const offset = this.offset(entry)
      offsets.writeUInt32BE(offset < largeOffset ? offset : largeOffset + large.push(offset) - 1, at * 4)
      fanout.writeUInt32BE(at + 1, (hashes[at * hashBytes] as number) * 4)
    })
    for (let first = 1; first < 256; first++)
      fanout.writeUInt32BE(Math.max(fanout.readUInt32BE(first * 4), fanout.readUInt32BE(first * 4 - 4)), first * 4)
    const head = Buffer.from([0xff, 0x74, 0x4f, 0x63, 0, 0, 0, 2])
    const body = Buffer.concat([head, fanout, hashes, crcs, offsets, largeOffsets(large), packSum])
    return Buffer.concat([body, createHash('sha1').update(body).digest()])
  }
}

function enlarge<Numbers extends Float64Array | Uint32Array | Uint8Array>(old: Numbers, larger: Numbers): Numbers {
  larger.set(old)
  return larger
}

function largeOffsets(offsets: readonly number[]): Buffer {
  const bytes = Buffer.alloc(offsets.length * 8)
  offsets.forEach((offset, at) => {
    bytes.writeBigUInt64BE(BigInt(offset), at * 8)
  })
  return bytes
}
