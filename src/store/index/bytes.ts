/** Bytes of the index as a reader sees them: a region of the base file, read in checked blocks, then what was appended since. */

import { closeSync, fstatSync, readSync } from 'node:fs'
import { WikiError } from '../../core/errors.ts'
import { openFile, removeFile } from '../../files/private-files.ts'
import { checksum } from './checksum.ts'

/** Bytes to a block: one read, one checksum. */
export const blockBytes = 4 * 1024

/** Blocks that are read at a time where all are, and that get their memory at a time: one by one it takes longer than reading. */
const windowBlocks = 16

/** Bytes of blocks that stay in memory by default. */
const usualMemory = 32 * 1024 * 1024

/** Copies a text that was cut out of a larger one: kept as it is it would keep all of that in memory. */
export function ownText(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le')
}

/** Reads bytes at an offset. The bytes are a view: to be used before the next are asked for. */
export type ReadBytes = (offset: number, length: number) => Buffer

/**
 * The base file, read block by block as asked for. Blocks stay in memory up to a bound; beyond it all are dropped, since callers
 * may still hold some, and read again as asked for.
 */
export class BlockFile {
  /** True once a block was not as it was written. The file is deleted then: the next process builds a new one. */
  isDamaged = false
  readonly #path: string
  #file: number | null
  readonly #size: number
  readonly #sums: Buffer
  #blocks: (Buffer | undefined)[] = []
  #blockCount = 0
  readonly #mostBlocks: number
  /** Number of readers that go on although another file takes this one's place. */
  #holders = 0
  #isReplaced = false
  /** Memory for the next blocks. */
  #room = Buffer.alloc(0)

  /** `size` bytes from the file's start are covered by `sums`, four bytes a block; `memory` bounds the bytes of blocks in memory. */
  constructor(path: string, size: number, sums: Buffer, memory = usualMemory) {
    this.#mostBlocks = Math.max(1, Math.floor(memory / blockBytes))
    this.#path = path
    this.#file = openFile(path, 'r')
    this.#size = size
    this.#sums = sums
  }

  /** Reads a region; throws `wiki-index-damaged` where the bytes are not those that were written. */
  read(offset: number, length: number): Buffer {
    const first = Math.floor(offset / blockBytes)
    const start = offset - first * blockBytes
    if (start + length <= blockBytes) return this.#block(first).subarray(start, start + length)
    const parts: Buffer[] = []
    for (let block = first; block * blockBytes < offset + length; block++) parts.push(this.#block(block))
    return Buffer.concat(parts).subarray(start, start + length)
  }

  /** Reads every block once, many at a time, and keeps none of them; pauses after each step. */
  *verify(): Generator<void> {
    for (let block = 0; block * blockBytes < this.#size; block += windowBlocks) {
      this.#blocksFrom(block, windowBlocks)
      yield
    }
  }

  /** Gives a reader for who reads all from the beginning on: of what it has read it keeps only the last blocks. */
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

  /** Keeps the file open for who reads on, until as many have called `release`. */
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

  /** May be called again. A number given back to the system may be another file's already, so it is forgotten. */
  close(): void {
    this.#isReplaced = true
    if (this.#holders > 0) return
    if (this.#file !== null) closeSync(this.#file)
    this.#file = null
  }

  #block(block: number): Buffer {
    const known = this.#blocks[block]
    if (known !== undefined) return known
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
    if (this.#blockCount === this.#mostBlocks) {
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
   * Makes bytes that may grow while these stay as they are. The memory is shared: only one of all forks may go on growing
   * after another was thrown away.
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

  /** Reads bytes that lie wholly in the base or wholly among the added ones, as records do. */
  read(offset: number, length: number): Buffer {
    const inBase = this.#region.length
    if (offset < inBase) return (this.#file as BlockFile).read(this.#region.offset + offset, length)
    return this.#added.subarray(offset - inBase, offset - inBase + length)
  }

  append(bytes: Uint8Array): void {
    const at = this.#grow(bytes.length)
    this.#added.set(bytes, at)
  }

  /** Appends so many bytes, which `write` fills in: it is given the memory and where in it they begin. */
  appendWith(length: number, write: (bytes: Buffer, at: number) => void): void {
    const at = this.#grow(length)
    write(this.#added, at)
  }

  /** Appends a text in UTF-8; gives its length in bytes. */
  appendText(text: string): number {
    const length = Buffer.byteLength(text)
    if (length > 0) this.appendWith(length, (bytes, at) => bytes.write(text, at))
    return length
  }

  /** Makes room behind what was added; tells where it begins. */
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

  /** Gives a reader of what lies in the base: see `BlockFile.window`. */
  window(): ReadBytes {
    const { offset: start } = this.#region
    const read = this.#file?.window()
    return (offset, length) => (read as ReadBytes)(start + offset, length)
  }

  /** The bytes of the base between two places, in parts of whole records of so many bytes. */
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
