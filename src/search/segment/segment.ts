/** An immutable part of the index: terms, postings and documents, read in pieces on demand. */

import { behindPrefix, isTitleTerm, linkTermOf } from '../words/term-prefixes.ts'
import { type Cursor, readVarint } from './bytes.ts'
import {
  type CheckedFile,
  DamagedSegment,
  openChecked,
  type PageCache,
  type PartCache,
  pageCache,
  partCache,
  type Source,
} from './checked-file.ts'
import { fields, type Postings, readPostings } from './postings.ts'
import {
  blockSize,
  blockTerms,
  type DocumentRecord,
  headerSize,
  recordSize,
  segmentVersion,
  titleRowSize,
} from './segment-writer.ts'

/** Title rows in a block. */
export const titleStride = 64

/** A term of the dictionary. */
export interface Entry {
  readonly term: string
  /** Documents that have it, including replaced ones. */
  readonly count: number
  readonly offset: number
  readonly length: number
  /** Bytes of its word positions, which follow the postings. */
  readonly placesLength: number
}

/** Terms of a block, in order, which are scanned one by one. */
interface Block {
  readonly terms: readonly string[]
  /** For each term, the other data of its entry, in that order. */
  readonly numbers: Float64Array
}

const entryNumbers = 4
const noBlock: Block = { terms: [], numbers: new Float64Array() }

/** Decoded blocks of dictionaries that segments share. */
export type BlockCache = PartCache<Block>

/** Cached blocks, and the approximate bytes of one. */
const usualBlocks = 4_096
const decodedBytes = 2_560

/** Creates a cache of the given number of blocks. */
export function blockCache(most = usualBlocks): BlockCache {
  return partCache(most)
}

/** Returns the number of blocks that fit into a cache of the given bytes. */
export function blocksOf(bytes: number): number {
  return Math.max(1, Math.floor(bytes / decodedBytes))
}

const isBigEndian = new Uint8Array(new Uint16Array([1]).buffer)[0] === 0

/** Numbers of a document's record. */
const recordLength = recordSize / 4
const titleNumbers = titleRowSize / 4

function isAscii(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at]! >= 0x80) return false
  return true
}

function entryAt({ terms, numbers }: Block, at: number): Entry | undefined {
  const term = terms[at]
  if (term === undefined) return undefined
  const base = at * entryNumbers
  const [offset, length, placesLength] = [numbers[base + 1]!, numbers[base + 2]!, numbers[base + 3]!]
  return { term, count: numbers[base]!, offset, length, placesLength }
}

/** A segment open for reading. All methods throw `DamagedSegment` if the file is damaged. */
export class Segment {
  readonly #file: CheckedFile
  readonly #starts: readonly number[]
  readonly terms: number
  /** Number of documents. */
  readonly count: number
  readonly #firstTerms: string[] = []
  #records: Uint32Array | null = null
  readonly #columns: Uint32Array<ArrayBuffer>[] = []
  #titles: Uint32Array | null = null
  #maxima: Uint32Array | null = null

  readonly #blocks: BlockCache
  readonly #number: number

  /** Opens a segment; file pages and dictionary blocks are in caches that segments may share. */
  constructor(source: Source, cache: PageCache = pageCache(), blocks = blockCache()) {
    this.#blocks = blocks
    this.#number = blocks.open()
    this.#file = openChecked(source, cache)
    const header = this.#file.read(this.#file.length - headerSize, headerSize)
    const values = Array.from({ length: headerSize / 4 }, (_, at) => header.readUInt32LE(at * 4))
    this.#starts = values.slice(0, 6)
    this.terms = values[6]!
    this.count = values[7]!
    if (values[8] !== segmentVersion) throw new DamagedSegment('version')
  }

  close(): void {
    this.#file.close()
  }

  // Terms

  /** Finds a term. */
  find(term: string): Entry | undefined {
    const number = this.#blockOf(term)
    if (number < 0) return undefined
    const block = this.#block(number)
    return entryAt(block, block.terms.indexOf(term))
  }

  /** Lists the terms from one on, in order. */
  *from(term: string): Generator<Entry, void, undefined> {
    const walk = this.walk()
    for (let entry = walk(term); entry !== undefined; entry = walk(null)) yield entry
  }

  /**
   * Returns a function that walks the terms in order: to the first term not before the given one, which must lie ahead, or to
   * the next term. Undefined at the end.
   */
  walk(): (to: string | null) => Entry | undefined {
    let number = -1
    let block = noBlock
    let at = -1
    const enter = (next: number): void => {
      number = next
      block = number < this.#blockCount ? this.#block(number) : noBlock
      at = 0
    }
    return to => {
      const { terms } = block
      at++
      const isAhead = to !== null && (terms.length === 0 || terms.at(-1)! < to)
      if (isAhead) enter(number < 0 ? Math.max(0, this.#blockOf(to)) : this.#blockFrom(number, to))
      if (to !== null) while (at < block.terms.length && block.terms[at]! < to) at++
      if (at >= block.terms.length) enter(number + 1)
      return entryAt(block, at)
    }
  }

  /** Lists the terms with a prefix, in order. */
  *withPrefix(prefix: string): Generator<Entry, void, undefined> {
    for (const entry of this.from(prefix)) {
      if (!entry.term.startsWith(prefix)) return
      yield entry
    }
  }

  /** Reads the postings of a term. */
  postings({ offset, length, count }: Entry): Postings {
    return readPostings({ bytes: this.#file.read(offset, length), at: 0 }, count)
  }

  /** The encoded postings. */
  postingBytes({ offset, length }: Entry): Buffer {
    return this.#file.read(offset, length)
  }

  /** Returns the encoded positions of a term in each document: see `writePlaces`. */
  placeBytes({ offset, length, placesLength }: Entry): Buffer {
    return this.#file.read(offset + length, placesLength)
  }

  get #blockCount(): number {
    return Math.ceil(this.terms / blockTerms)
  }

  /** The last block, within two bounds, whose first term is not after this one; -1 if there is none. */
  #blockOf(term: string, first = 0, end = this.#blockCount): number {
    let [low, high] = [first, end]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#firstTerm(middle) <= term) low = middle + 1
      else high = middle
    }
    return low - 1
  }

  /** The same if that block is near another one. */
  #blockFrom(start: number, term: string): number {
    let [low, high] = [start, start + 1]
    for (let step = 1; high < this.#blockCount && this.#firstTerm(high) <= term; step *= 2) {
      low = high
      high += step
    }
    return this.#blockOf(term, low, Math.min(high, this.#blockCount))
  }

  #firstTerm(block: number): string {
    this.#firstTerms[block] ??= (this.#blocks.find(this.#number, block) ?? this.#readBlock(block, 1)).terms[0]!
    return this.#firstTerms[block]
  }

  #block(block: number): Block {
    const cached = this.#blocks.find(this.#number, block)
    if (cached !== undefined) return cached
    const read = this.#readBlock(block, Math.min(blockTerms, this.terms - block * blockTerms))
    this.#blocks.keep(this.#number, block, read)
    return read
  }

  #blockStart(block: number): number {
    const [dictionary, blocks] = this.#starts as [number, number]
    return block === this.#blockCount
      ? blocks
      : dictionary + this.#file.read(blocks + block * blockSize, 4).readUInt32LE(0)
  }

  /** One string for the whole block: decoding each term separately would take most of the time. */
  #readBlock(block: number, count: number): Block {
    const start = this.#blockStart(block)
    const bytes = this.#file.read(start, this.#blockStart(block + 1) - start)
    const text = bytes.toString('latin1')
    const cursor: Cursor = { bytes, at: 0 }
    const terms: string[] = []
    const numbers = new Float64Array(entryNumbers * count)
    let term = ''
    for (let at = 0; at < count; at++) {
      const shared = readVarint(cursor)
      const end = readVarint(cursor) + cursor.at
      const suffix = isAscii(bytes, cursor.at, end)
        ? text.slice(cursor.at, end)
        : bytes.toString('utf8', cursor.at, end)
      term = shared === 0 ? suffix : term.slice(0, shared) + suffix
      cursor.at = end
      terms.push(term)
      for (let number = 0; number < entryNumbers; number++) numbers[at * entryNumbers + number] = readVarint(cursor)
    }
    return { terms, numbers }
  }

  // Documents

  /** Page id of a document. */
  id(ordinal: number): number {
    return this.#all()[ordinal * recordLength]!
  }

  revision(ordinal: number): number {
    return this.#all()[ordinal * recordLength + 1]!
  }

  namespace(ordinal: number): number {
    return this.#all()[ordinal * recordLength + 2]! | 0
  }

  fingerprint(ordinal: number): number {
    return this.#all()[ordinal * recordLength + 3]!
  }

  /** Namespaces of all documents. */
  namespaces(): Int32Array {
    return new Int32Array(this.#column(2).buffer)
  }

  /** Distinct terms of a field of all documents. */
  fieldLengths(field: number): Uint32Array {
    return this.#column(4 + field)
  }

  /** Distinct terms of one of its fields. */
  fieldLength(ordinal: number, field: number): number {
    return this.#all()[ordinal * recordLength + 4 + field]!
  }

  /** Finds the document of a page; -1 if it is not here. */
  ordinalOf(id: number): number {
    let low = 0
    let high = this.count
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.id(middle) < id) low = middle + 1
      else high = middle
    }
    return low < this.count && this.id(low) === id ? low : -1
  }

  /** Returns the JSON of the fields that results show of a document. */
  stored(ordinal: number): Buffer {
    const [, , , stored, end] = this.#starts as readonly [number, number, number, number, number]
    const start = stored + this.#all()[ordinal * recordLength + 4 + fields.length]!
    const cursor: Cursor = { bytes: this.#file.read(start, Math.min(8, end - start)), at: 0 }
    const length = readVarint(cursor)
    return this.#file.read(start + cursor.at, length)
  }

  /** The record of a document, for rewriting. */
  record(ordinal: number): DocumentRecord {
    const lengths = fields.map((_, field) => this.fieldLength(ordinal, field))
    const [id, revision, namespace] = [this.id(ordinal), this.revision(ordinal), this.namespace(ordinal)]
    const [fingerprint, stored] = [this.fingerprint(ordinal), this.stored(ordinal)]
    const { title } = JSON.parse(stored.toString()) as { readonly title: string }
    return { id, revision, namespace, lengths, fingerprint, linkTerm: linkTermOf(title), stored }
  }

  #all(): Uint32Array {
    this.#records ??= this.#numbers(this.#starts[2]!, this.count * recordLength)
    return this.#records
  }

  /** One number of every record, side by side: a scan of all of them touches a fraction of the memory. */
  #column(at: number): Uint32Array<ArrayBuffer> {
    this.#columns[at] ??= Uint32Array.from({ length: this.count }, (_, row) => this.#all()[row * recordLength + at]!)
    return this.#columns[at]
  }

  /** Reads numbers of four bytes. */
  #numbers(offset: number, count: number): Uint32Array {
    const numbers = new Uint32Array(count)
    const bytes = Buffer.from(numbers.buffer)
    bytes.set(this.#file.read(offset, 4 * count))
    if (isBigEndian) bytes.swap32()
    return numbers
  }

  // Titles

  /** Returns the title rows of terms with a prefix; the first `exact` of them equal the prefix. */
  titleRows(prefix: string): { start: number; end: number; exact: number } {
    const start = this.#rowOf(prefix)
    const next = behindPrefix(prefix)
    const end = next === null ? this.#titleNumbers().length / titleNumbers : this.#rowOf(next)
    return { start, end, exact: this.find(prefix)?.count ?? 0 }
  }

  /** The document of a title row. */
  titleOrdinal(row: number): number {
    return this.#titleNumbers()[row * titleNumbers]!
  }

  /** Returns the number of the title of a row: 0 for its own, 1 for that of its first redirect. */
  titleMatched(row: number): number {
    return this.#titleNumbers()[row * titleNumbers + 1]! - 1
  }

  /** Documents of this segment that link to a document of it, including deleted ones. */
  linksTo(ordinal: number): number {
    return this.#all()[ordinal * recordLength + 5 + fields.length]!
  }

  /** The maximum number of links of a document in each block of title rows: see `titleStride`. */
  titleMaxima(): Uint32Array {
    if (this.#maxima === null) {
      const rows = this.#titleNumbers().length / titleNumbers
      this.#maxima = new Uint32Array(Math.ceil(rows / titleStride))
      for (let row = 0; row < rows; row++) {
        const at = Math.floor(row / titleStride)
        this.#maxima[at] = Math.max(this.#maxima[at]!, this.linksTo(this.titleOrdinal(row)))
      }
    }
    return this.#maxima
  }

  #titleNumbers(): Uint32Array {
    const [titles, end] = [this.#starts[4]!, this.#starts[5]!]
    this.#titles ??= this.#numbers(titles, (end - titles) / 4)
    return this.#titles
  }

  /** The first row of a term that is not before this one. */
  #rowOf(term: string): number {
    const block = this.#blockOf(term)
    if (block < 0) return 0
    let row = this.#file.read(this.#starts[1]! + block * blockSize + 4, 4).readUInt32LE(0)
    const { terms, numbers } = this.#block(block)
    for (let at = 0; at < terms.length && terms[at]! < term; at++) {
      if (isTitleTerm(terms[at]!)) row += numbers[at * entryNumbers]!
    }
    return row
  }
}
