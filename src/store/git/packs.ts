/**
 * Reads objects from packs without git: for a few of them starting git takes longer than the rest of a command. Anything unusual
 * is left to git. Source: git's Documentation/gitformat-pack.txt, index version 2.
 */

import { closeSync, readdirSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { crc32, inflateSync } from 'node:zlib'
import { openFile } from '../../files/private-files.ts'
import type { GitObject, ObjectType } from './backend.ts'
import { applyDelta } from './delta.ts'

/** Reads packed objects. */
export interface PackReader {
  /** Returns an object; null if it is in no pack, or git should read it because it is large or unusual. */
  readonly read: (hash: string) => GitObject | null
  /** Returns true if a pack has an object of this hash, readable or not. */
  readonly has: (hash: string) => boolean
  readonly close: () => void
}

/** Limits of a reader. More packs, and larger objects, are left to git, which has a multi-pack index. */
interface PackLimits {
  readonly packs: number
  /** Bytes expanded for one object, with all its delta bases. */
  readonly bytes: number
}

const usualLimits: PackLimits = { packs: 64, bytes: 16 * 1024 * 1024 }

/** Maximum length of a delta chain; git's own limit is 50. */
const maxDeltas = 64

const types: Readonly<Record<number, ObjectType>> = { 1: 'commit', 2: 'tree', 3: 'blob', 4: 'tag' }
const offsetDelta = 6
const hashDelta = 7

const indexMagic = 0xff744f63
const hashBytes = 20
const headBytes = 8
const fanoutBytes = 256 * 4
const largeOffset = 0x80000000

/** Hashes read from an index at a time: of 15,000 with the same first byte, one is 60 places from the expected position. */
const maxProbed = 400

/** Opens the packs of an object directory; later ones are noticed too. */
export function openPacks(objectDirectory: string, limits = usualLimits): PackReader {
  const folder = join(objectDirectory, 'pack')
  let packs: readonly Pack[] = []
  let seen = 0
  const close = (): void => {
    for (const pack of packs) pack.close()
    packs = []
    seen = 0
  }
  const look = (): void => {
    const changed = statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0
    if (changed === seen) return
    close()
    packs = openAll(folder, limits.packs)
    seen = changed
  }
  const find = (hash: string): [pack: Pack, place: Place] | null => {
    const key = Buffer.from(hash, 'hex')
    look()
    for (const pack of packs) {
      const place = pack.find(key)
      if (place !== null) return [pack, place]
    }
    return null
  }
  const read = (hash: string): GitObject | null => {
    try {
      const found = find(hash)
      return found === null ? null : readObject(...found, limits.bytes)
    } catch {
      // Git reports the problem.
      return null
    }
  }
  const has = (hash: string): boolean => {
    try {
      return find(hash) !== null
    } catch {
      return false
    }
  }
  return { read, has, close }
}

function openAll(folder: string, maxPacks: number): Pack[] {
  const names = readdirSync(folder).filter(name => name.endsWith('.idx'))
  return names.length > maxPacks ? [] : names.map(name => new Pack(join(folder, name.slice(0, -'.idx'.length))))
}

/** Offset of an object in a pack, and the checksum of its entry. */
interface Place {
  readonly offset: number
  readonly crc: number
}

/** A pack and its index. */
class Pack {
  readonly #path: string
  #index: number | null = null
  #pack: number | null = null
  #fanout: Buffer = Buffer.alloc(0)

  constructor(path: string) {
    this.#path = path
  }

  /**
   * Locates an object; null if the pack lacks it. Hashes are uniformly distributed, so interpolation finds most at the
   * first probe.
   */
  find(hash: Buffer): Place | null {
    const index = this.#openIndex()
    const first = hash[0]!
    let low = first === 0 ? 0 : this.#countTo(first - 1)
    let high = this.#countTo(first)
    let likely = low + Math.floor((hash.readUInt32BE(1) / 2 ** 32) * (high - low))
    while (low < high) {
      const start = Math.max(low, likely - (maxProbed >>> 1))
      const count = Math.min(maxProbed, high - start)
      const hashes = readAt(index, headBytes + fanoutBytes + start * hashBytes, count * hashBytes)
      const before = countBefore(hashes, hash, count)
      if (before < count && compareAt(hashes, before, hash) === 0)
        return this.#placeOf(start + before, this.#countTo(255))
      if (before > 0 && before < count) return null
      if (before === 0) high = start
      else low = start + count
      likely = (low + high) >>> 1
    }
    return null
  }

  /** Bytes of the pack; fewer at its end. */
  bytes(offset: number, length: number): Buffer {
    this.#pack ??= openFile(`${this.#path}.pack`, 'r')
    return readAt(this.#pack, offset, length)
  }

  close(): void {
    if (this.#index !== null) closeSync(this.#index)
    if (this.#pack !== null) closeSync(this.#pack)
    this.#index = null
    this.#pack = null
  }

  #openIndex(): number {
    if (this.#index === null) {
      this.#index = openFile(`${this.#path}.idx`, 'r')
      const head = readAt(this.#index, 0, headBytes + fanoutBytes)
      if (head.readUInt32BE(0) !== indexMagic || head.readUInt32BE(4) !== 2) throw new Error('no index of version 2')
      this.#fanout = head.subarray(headBytes)
    }
    return this.#index
  }

  /** Objects whose hash begins with this byte or a lower one. */
  #countTo(byte: number): number {
    return this.#fanout.readUInt32BE(byte * 4)
  }

  /** The hashes are followed by checksums of four bytes, then by offsets; large offsets come last. */
  #placeOf(entry: number, count: number): Place {
    const numbers = headBytes + fanoutBytes + count * hashBytes
    const crc = readAt(this.#index!, numbers + entry * 4, 4).readUInt32BE(0)
    const offset = readAt(this.#index!, numbers + (count + entry) * 4, 4).readUInt32BE(0)
    if (offset < largeOffset) return { offset, crc }
    const far = numbers + count * 8 + (offset - largeOffset) * 8
    return { offset: Number(readAt(this.#index!, far, 8).readBigUInt64BE(0)), crc }
  }
}

/** Number of hashes, of a sorted list, that precede one. */
function countBefore(hashes: Buffer, hash: Buffer, count: number): number {
  let low = 0
  let high = count
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compareAt(hashes, middle, hash) < 0) low = middle + 1
    else high = middle
  }
  return low
}

function compareAt(hashes: Buffer, at: number, hash: Buffer): number {
  return hashes.compare(hash, 0, hashBytes, at * hashBytes, (at + 1) * hashBytes)
}

/** Reads a file at an offset; fewer bytes at its end. */
function readAt(file: number, offset: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length)
  return bytes.subarray(0, readSync(file, bytes, 0, length, offset))
}

function readObject(pack: Pack, { offset, crc }: Place, maxBytes: number): GitObject | null {
  const deltas: Buffer[] = []
  let left = maxBytes
  let entry = entryAt(pack, offset)
  let sum: number | null = crc
  for (; entry.base !== null; entry = entryAt(pack, entry.base)) {
    left -= entry.size
    if (left < 0 || deltas.length === maxDeltas) return null
    deltas.push(unpack(pack, entry, sum))
    sum = null
  }
  const type = types[entry.code]
  if (type === undefined || entry.size > left) return null
  let content = unpack(pack, entry, sum)
  while (deltas.length > 0) {
    left -= content.length
    const next = applyDelta(content, deltas.pop()!, left)
    if (next === null) return null
    content = next
  }
  return { type, content }
}

/** An entry of a pack: an object, or a delta and the location of its base. */
interface PackEntry {
  readonly code: number
  /** Bytes after expansion. */
  readonly size: number
  readonly offset: number
  /** Bytes before the compressed data. */
  readonly header: number
  readonly base: number | null
}

/** Maximum bytes before an entry's data: type, size and a hash. */
const longestHeader = 32

function entryAt(pack: Pack, offset: number): PackEntry {
  const bytes = pack.bytes(offset, longestHeader)
  const code = (bytes[0]! >> 4) & 7
  let size = bytes[0]! & 15
  let at = 1
  for (let unit = 16; bytes[at - 1]! & 0x80; unit *= 128) size += (bytes[at++]! & 0x7f) * unit
  if (code === hashDelta) {
    const base = pack.find(bytes.subarray(at, at + hashBytes))
    if (base === null) throw new Error('a delta of what is not there')
    return { code, size, offset, header: at + hashBytes, base: base.offset }
  }
  if (code !== offsetDelta) return { code, size, offset, header: at, base: null }
  let distance = bytes[at]! & 0x7f
  while (bytes[at++]! & 0x80) distance = (distance + 1) * 128 + (bytes[at]! & 0x7f)
  if (distance > offset) throw new Error('a delta of what is not there')
  return { code, size, offset, header: at, base: offset - distance }
}

/** Inflates an entry. Packs do not store the compressed length, which exceeds the original one only slightly. */
function unpack(pack: Pack, { offset, header, size }: PackEntry, sum: number | null): Buffer {
  const bytes = pack.bytes(offset, header + size + (size >>> 8) + 64)
  const { buffer, engine } = inflateSync(bytes.subarray(header), {
    info: true,
    maxOutputLength: Math.max(1, size),
    chunkSize: Math.max(64, size),
  }) as unknown as { readonly buffer: Buffer; readonly engine: { readonly bytesWritten: number } }
  const isWhole = sum === null || crc32(bytes.subarray(0, header + engine.bytesWritten)) === sum
  if (buffer.length !== size || !isWhole) throw new Error('a damaged pack')
  return buffer
}
