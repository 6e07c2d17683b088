/** The rows of a catalog in the base file: in order of their ordinals, and lists of ordinals by title and by path. */

import { foldTitle } from '../../core/title.ts'
import { comparePaths } from '../format/paths.ts'
import { type BlockFile, GrowingBytes, type Region } from './bytes.ts'
import { type HeapPlaces, type HeapReader, heapReader, readSlice } from './records.ts'

export interface CatalogRow {
  readonly path: string
  /** Prefixed title in URL form; "" if the path makes no legal title. */
  readonly key: string
  readonly deleted?: boolean
}

export interface RowFormat<Row> {
  readonly bytes: number
  readonly encode: (row: Row, heap: HeapPlaces) => Buffer
  readonly decode: (bytes: Buffer, heap: HeapReader) => Row
  /** Strings of a row, path and key first, in the order in which `encode` places them. */
  readonly texts: (row: Row) => readonly string[]
  /** Offsets, in the encoded row that begins at `at`, of the references to its strings. */
  readonly slots: (rows: Buffer, at: number) => readonly number[]
  /** Returns true for the encoded row of a deleted page or file. */
  readonly isDeleted: (row: Buffer) => boolean
}

/** Regions of a catalog in the base file. */
export interface CatalogRegions {
  readonly rows: Region
  /** Ordinals of the rows with a title, in order of folded title, then title. */
  readonly byKey: Region
  /** Ordinals of all rows that are not deleted, in bytewise order of their paths. */
  readonly byPath: Region
  /** Ordinals of the rows that share their title with another row, in order. */
  readonly twins: Region
}

/** A row in the order of titles. */
export interface Placed {
  readonly ordinal: number
  readonly folded: string
  readonly key: string
}

export class BaseRows<Row extends CatalogRow> {
  readonly format: RowFormat<Row>
  readonly heap: GrowingBytes
  readonly rows: GrowingBytes
  readonly byKey: GrowingBytes
  readonly byPath: GrowingBytes
  /** Number of rows, deleted ones included. */
  readonly count: number
  /** Number of rows with a title. */
  readonly keys: number
  /** Number of rows that are not deleted. */
  readonly paths: number
  readonly #textAt: HeapReader
  readonly #twins: GrowingBytes

  constructor(format: RowFormat<Row>, file: BlockFile | null, regions: CatalogRegions, heap: GrowingBytes) {
    this.format = format
    this.heap = heap
    this.rows = new GrowingBytes(file, regions.rows)
    this.byKey = new GrowingBytes(file, regions.byKey)
    this.byPath = new GrowingBytes(file, regions.byPath)
    this.count = regions.rows.length / format.bytes
    this.keys = regions.byKey.length / 4
    this.paths = regions.byPath.length / 4
    this.#textAt = heapReader(heap)
    this.#twins = new GrowingBytes(file, regions.twins)
  }

  at(ordinal: number): Row {
    const { bytes, decode } = this.format
    return decode(this.rows.read(ordinal * bytes, bytes), this.#textAt)
  }

  /** Ordinals of the deleted rows, in order, without decoding the rest. */
  deleted(): number[] {
    const { bytes, isDeleted } = this.format
    const found: number[] = []
    if (this.count === this.paths) return found
    for (let ordinal = 0; ordinal < this.count; ordinal++)
      if (isDeleted(this.rows.read(ordinal * bytes, bytes))) found.push(ordinal)
    return found
  }

  /** Key of a row, without decoding the rest. */
  keyOf(ordinal: number): string {
    return this.#textOf(ordinal, 1)
  }

  /** Path of a row, without decoding the rest. */
  pathOf(ordinal: number): string {
    return this.#textOf(ordinal, 0)
  }

  #textOf(ordinal: number, which: number): string {
    const { bytes, slots } = this.format
    const row = this.rows.read(ordinal * bytes, bytes)
    return this.#textAt(readSlice(row, slots(row, 0)[which] as number))
  }

  /** Ordinal of the row at an index in title order. */
  ordinalByKey(at: number): number {
    return ordinalIn(this.byKey, at)
  }

  /** Ordinal of the row at an index in path order. */
  ordinalByPath(at: number): number {
    return ordinalIn(this.byPath, at)
  }

  /** Rows whose folded title has the prefix, in order. */
  *withPrefix(prefix: string): Iterable<Placed> {
    for (let at = this.#firstKey(prefix); at < this.keys; at++) {
      const ordinal = this.ordinalByKey(at)
      const placed = place(ordinal, this.keyOf(ordinal))
      if (!placed.folded.startsWith(prefix)) return
      yield placed
    }
  }

  /** Ordinals of the rows with a title. */
  *withKey(key: string): Iterable<number> {
    const folded = foldTitle(key)
    for (let at = this.#firstKey(folded); at < this.keys; at++) {
      const ordinal = this.ordinalByKey(at)
      const own = this.keyOf(ordinal)
      if (own === key) yield ordinal
      else if (foldTitle(own) !== folded) return
    }
  }

  /** Ordinals of the rows at a path. */
  *withPath(path: string): Iterable<number> {
    const first = lowerBound(this.paths, at => comparePaths(this.pathOf(this.ordinalByPath(at)), path) < 0)
    for (let at = first; at < this.paths; at++) {
      const ordinal = this.ordinalByPath(at)
      if (this.pathOf(ordinal) !== path) return
      yield ordinal
    }
  }

  /** Ordinals of the rows that share their title with another row: few. */
  twins(): number[] {
    return Array.from({ length: this.#twins.length / 4 }, (_, at) => ordinalIn(this.#twins, at))
  }

  /**
   * Number of different titles whose folded form has the prefix: reads only the rows of a binary search and the shared titles.
   */
  countTitles(prefix: string): number {
    const end =
      prefix === ''
        ? this.keys
        : lowerBound(this.keys, at => this.#foldedAt(at) < prefix || this.#foldedAt(at).startsWith(prefix))
    const twins = this.twins().map(ordinal => this.keyOf(ordinal))
    const counted = twins.filter(key => foldTitle(key).startsWith(prefix))
    return end - this.#firstKey(prefix) - (counted.length - new Set(counted).size)
  }

  #firstKey(folded: string): number {
    return lowerBound(this.keys, at => this.#foldedAt(at) < folded)
  }

  #foldedAt(at: number): string {
    return foldTitle(this.keyOf(this.ordinalByKey(at)))
  }
}

/** Creates the position of a row in title order. */
export function place(ordinal: number, key: string): Placed {
  return { ordinal, key, folded: foldTitle(key) }
}

/** Orders rows by folded title, then title, then ordinal. */
export function comparePlaced(a: Placed, b: Placed): number {
  return compareText(a.folded, b.folded) || compareText(a.key, b.key) || a.ordinal - b.ordinal
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** First index below `count` for which `isBefore` is false; it must be true for all indexes before. */
export function lowerBound(count: number, isBefore: (at: number) => boolean): number {
  let low = 0
  let high = count
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isBefore(middle)) low = middle + 1
    else high = middle
  }
  return low
}

function ordinalIn(order: GrowingBytes, at: number): number {
  return order.read(at * 4, 4).readUInt32LE(0)
}
