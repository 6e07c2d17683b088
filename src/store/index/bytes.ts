/** Bytes of the index as a reader sees them: a region of the base file, read in verified blocks, followed by appended bytes. */

import { closeSync, fstatSync, readSync } from 'node:fs'
import { WikiError } from '../../core/errors.ts'
import { openFile, removeFile } from '../../files/private-files.ts'
import { checksum } from './checksum.ts'

/** Bytes of a block: one read, one checksum. */
export const blockBytes = 4 * 1024

/** Blocks read, and allocated, at a time in sequential reads: single allocations take longer than the reads. */
const windowBlocks = 16

/** Default size of the block cache in bytes. */
const usualMemory = 32 * 1024 * 1024

/** Copies a substring, which would otherwise retain the larger text in memory. */
export function ownText(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le')
}

/** Reads bytes at an offset. The result is a view, valid until the next read. */
export type ReadBytes = (offset: number, length: number) => Buffer

/**
 * The base file, read block by block on demand. Blocks are cached up to a bound; beyond it all are dropped at once, because
 * callers may still hold some.
 */
export class BlockFile {
  /** True once a block failed its checksum. The file is deleted then: the next process builds a new one. */
  isDamaged = false
  readonly #path: string
  #file: number | null
  readonly #size: number
  readonly #sums: Buffer
  #blocks: (Buffer | undefined)[] = []
  #blockCount = 0
  readonly #maxBlocks: number
  /** Number of readers that outlive the replacement of this file. */
  #holders = 0
  #isReplaced = false
  /** Memory for the next blocks. */
  #room = Buffer.alloc(0)

  /** `size` bytes from the file's start are covered by `sums`, four bytes a block; `memory` bounds the bytes of cached blocks. */
  constructor(path: string, size: number, sums: Buffer, memory = usualMemory) {
    this.#maxBlocks = Math.max(1, Math.floor(memory / blockBytes))
    this.#path = path
    this.#file = openFile(path, 'r')
    this.#size = size
    this.#sums = sums
  }

  /** Reads a region; throws `wiki-index-damaged` if a checksum fails. */
  read(offset: number, length: number): Buffer {
    const first = Math.floor(offset / blockBytes)
    const start = offset - first * blockBytes
    if (start + length <= blockBytes) return this.#block(first).subarray(start, start + length)
    const parts: Buffer[] = []
    for (let block = first; block * blockBytes < offset + length; block++) parts.push(this.#block(block))
    return Buffer.concat(parts).subarray(start, start + length)
  }

  /** Verifies every block once, many at a time, without caching; pauses after each step. */
  *verify(): Generator<void> {
    for (let block = 0; block * blockBytes < this.#size; block += windowBlocks) {
      this.#blocksFrom(block, windowBlocks)
      yield
    }
  }

  /** Returns a reader for sequential access, which caches only the last blocks. */
  window(): ReadBytes {
    let start = 0
    let bytes: Buffer = Buffer.alloc(0)
    return (offset, length) => {
      if (offset < start || offset + length > start + bytes.length) {
        const first = Math.floor(offset / blockBytes)
        start = first * blockBytes
        bytes = this.#blocksFrom(first, Math.max(windowBlocks, Math.ceil((offset + length - start) / blockBytes)))
      }
      return bytes.subarray(offset - start, offset - start + length)
    }
  }

  #blocksFrom(first: number, count: number): Buffer {
    const start = first * blockBytes
    const bytes = Buffer.allocUnsafe(Math.max(0, Math.min(count * blockBytes, this.#size - start)))
    this.#fill(bytes, start)
    for (let at = 0; at < bytes.length; at += blockBytes)
      if (!this.#isSound(first + at / blockBytes, bytes.subarray(at, at + blockBytes))) this.#discard()
    return bytes
  }

  get isOpen(): boolean {
    return this.#file !== null && !this.#isReplaced
  }

  /** Keeps the file open until every caller has called `release`. */
  hold(): void {
    this.#holders++
  }

  release(): void {
    this.#holders--
    if (this.#isReplaced) this.close()
  }

  /** Identifies the file and its state: it differs for every other file, and for this one after a change. */
  get identity(): string {
    if (this.#file === null) throw new Error('the index is closed')
    const { ino, size, mtimeNs, ctimeNs } = fstatSync(this.#file, { bigint: true })
    return `${ino} ${size} ${mtimeNs} ${ctimeNs}`
  }

  /** May be called again. The descriptor is forgotten, because the system may reuse it for another file. */
  close(): void {
    this.#isReplaced = true
    if (this.#holders > 0) return
    if (this.#file !== null) closeSync(this.#file)
    this.#file = null
  }

  #block(block: number): Buffer {
    const cached = this.#blocks[block]
    if (cached !== undefined) return cached
    const start = block * blockBytes
    if (this.#room.length === 0) this.#room = Buffer.allocUnsafeSlow(windowBlocks * blockBytes)
    const bytes = this.#room.subarray(0, Math.max(0, Math.min(blockBytes, this.#size - start)))
    this.#fill(bytes, start)
    if (!this.#isSound(block, bytes)) this.#discard()
    this.#room = this.#room.subarray(blockBytes)
    this.#keep(block, bytes)
    return bytes
  }

  #keep(block: number, bytes: Buffer): void {
    if (this.#blockCount === this.#maxBlocks) {
      this.#blocks = []
      this.#blockCount = 0
    }
    this.#blocks[block] = bytes
    this.#blockCount++
  }

  #fill(bytes: Buffer, start: number): void {
    if (this.#file === null) throw new Error('the index is closed')
    if (readSync(this.#file, bytes, 0, bytes.length, start) !== bytes.length) this.#discard()
  }

  #isSound(block: number, bytes: Buffer): boolean {
    return block * 4 + 4 <= this.#sums.length && checksum(bytes) === this.#sums.readUInt32LE(block * 4)
  }

  #discard(): never {
    this.isDamaged = true
    removeIfPossible(this.#path)
    throw new WikiError('wiki-index-damaged')
  }
}

/** Removes a damaged file. If that is impossible, at least this process knows that it is damaged. */
function removeIfPossible(path: string): void {
  try {
    removeFile(path)
  } catch {
    // A read-only file system.
  }
}

/** Checksums of blocks, four bytes each. */
export function blockSums(bytes: Buffer): Buffer {
  const sums = Buffer.alloc(Math.ceil(bytes.length / blockBytes) * 4)
  for (let at = 0, block = 0; at < bytes.length; at += blockBytes, block++)
    sums.writeUInt32LE(checksum(bytes.subarray(at, at + blockBytes)), block * 4)
  return sums
}

/** A region of the base file. */
export interface Region {
  readonly offset: number
  readonly length: number
}

/** A region of the base that only grows: new bytes are held in memory until the next base is written. */
export class GrowingBytes {
  readonly #file: BlockFile | null
  readonly #region: Region
  #added = Buffer.alloc(0)
  #addedLength = 0

  constructor(file: BlockFile | null, region: Region) {
    this.#file = file
    this.#region = region
  }

  /**
   * Returns a fork that may grow while these bytes stay the same. The memory is shared: of all forks only one may grow after
   * another was discarded.
   */
  fork(): GrowingBytes {
    const fork = new GrowingBytes(this.#file, this.#region)
    fork.#added = this.#added
    fork.#addedLength = this.#addedLength
    return fork
  }

  get length(): number {
    return this.#region.length + this.#addedLength
  }

  /** Reads bytes that lie entirely in the base or entirely among the added ones, as records do. */
  read(offset: number, length: number): Buffer {
    const inBase = this.#region.length
    if (offset < inBase) return (this.#file as BlockFile).read(this.#region.offset + offset, length)
    return this.#added.subarray(offset - inBase, offset - inBase + length)
  }

  append(bytes: Uint8Array): void {
    const at = this.#grow(bytes.length)
    this.#added.set(bytes, at)
  }

  /** Appends this many bytes, which `write` fills in: it gets the memory and the offset. */
  appendWith(length: number, write: (bytes: Buffer, at: number) => void): void {
    const at = this.#grow(length)
    write(this.#added, at)
  }

  /** Appends a text in UTF-8; returns its length in bytes. */
  appendText(text: string): number {
    const length = Buffer.byteLength(text)
    if (length > 0) this.appendWith(length, (bytes, at) => bytes.write(text, at))
    return length
  }

  /** Makes room after the added bytes; returns its offset. */
  #grow(length: number): number {
    const at = this.#addedLength
    const wanted = at + length
    if (wanted > this.#added.length) {
      const larger = Buffer.allocUnsafe(Math.max(4096, wanted * 2))
      this.#added.copy(larger, 0, 0, at)
      this.#added = larger
    }
    this.#addedLength = wanted
    return at
  }

  /** The bytes added since the given length; a view, not a copy. */
  since(length: number): Buffer {
    return this.#added.subarray(length - this.#region.length, this.#addedLength)
  }

  /** Returns a reader of what lies in the base: see `BlockFile.window`. */
  window(): ReadBytes {
    const { offset: start } = this.#region
    const read = this.#file?.window()
    return (offset, length) => (read as ReadBytes)(start + offset, length)
  }

  /** The bytes of the base between two offsets, in parts of whole records of this many bytes. */
  *baseParts(from = 0, to = this.#region.length, record = 1): Generator<Buffer> {
    const read = this.window()
    const step = blockBytes - (blockBytes % record)
    for (let at = from; at < to; at += step) yield read(at, Math.min(step, to - at))
  }

  /** All bytes, in parts of whole records. */
  *parts(record = 1): Generator<Buffer> {
    yield* this.baseParts(0, this.#region.length, record)
    yield this.since(this.#region.length)
  }
}
