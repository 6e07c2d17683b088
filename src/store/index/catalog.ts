/**
 * Rows that are found by path and by title: pages and files. The base file holds them in order of their ordinals with two
 * sorted lists of ordinals; rows added or changed since lie in memory over it.
 */

import { foldTitle } from '../../core/title.ts'
import { type BlockFile, GrowingBytes, type ReadBytes, type Region } from './bytes.ts'
import { type HeapPlaces, type HeapReader, type HeapSlice, heapReader, moveStrings, readSlice } from './records.ts'

export interface CatalogRow {
  readonly path: string
  /** Prefixed title in URL form; "" where the path makes no legal title. */
  readonly key: string
  readonly deleted?: boolean
}

export interface RowFormat<Row> {
  readonly bytes: number
  readonly encode: (row: Row, heap: HeapPlaces) => Buffer
  readonly decode: (bytes: Buffer, heap: HeapReader) => Row
  /** Strings of a row in the order in which `encode` gives them places. */
  readonly texts: (row: Row) => readonly string[]
  /** Where in an encoded row, which begins at `at`, the places of its strings stand. */
  readonly slots: (rows: Buffer, at: number) => readonly number[]
}

/** Rows that are copied at a time. */
const rowsAtOnce = 64

/** Where a catalog lies in the base file. */
export interface CatalogRegions {
  readonly rows: Region
  readonly byKey: Region
  readonly byPath: Region
}

/** What a catalog writes into the next base: parts of its regions, and of the heap. */
export interface CatalogParts {
  readonly rows: Iterable<Buffer>
  readonly byKey: Iterable<Buffer>
  readonly byPath: Iterable<Buffer>
  readonly texts: Iterable<Buffer>
}

/** Ordinals that are not in an order of the base, sorted, and whether a place of the base is before one of them. */
interface Merge {
  readonly added: readonly number[]
  readonly isBefore: (at: number, next: number) => boolean
}

interface PlacedPath {
  readonly ordinal: number
  readonly bytes: Buffer
}

/** Where a row stands in the order of titles. */
export interface Placed {
  readonly ordinal: number
  readonly folded: string
  readonly key: string
}

export class Catalog<Row extends CatalogRow> {
  readonly #format: RowFormat<Row>
  readonly #heap: GrowingBytes
  readonly #textAt: HeapReader
  readonly #rows: GrowingBytes
  readonly #byKey: GrowingBytes
  readonly #byPath: GrowingBytes
  readonly #baseCount: number
  readonly #baseKeys: number
  readonly #basePaths: number
  #count: number
  readonly #file: BlockFile | null
  readonly #regions: CatalogRegions
  /** Rows in memory: all that were added or changed since the base. */
  #over = new Map<number, Row>()
  #overPaths = new Map<string, number>()
  #overKeys = new Map<string, ReadonlySet<number>>()
  #overSorted: Placed[] | null = null
  /** Ordinals whose rows changed since the last `takeChanged`. */
  #changed = new Set<number>()

  constructor(format: RowFormat<Row>, file: BlockFile | null, regions: CatalogRegions, heap: GrowingBytes) {
    this.#format = format
    this.#heap = heap
    this.#textAt = heapReader(heap)
    this.#file = file
    this.#regions = regions
    this.#rows = new GrowingBytes(file, regions.rows)
    this.#byKey = new GrowingBytes(file, regions.byKey)
    this.#byPath = new GrowingBytes(file, regions.byPath)
    this.#baseCount = regions.rows.length / format.bytes
    this.#baseKeys = regions.byKey.length / 4
    this.#basePaths = regions.byPath.length / 4
    this.#count = this.#baseCount
  }

  /** Makes a catalog that may be changed while this one stays as it is. */
  fork(): Catalog<Row> {
    const fork = new Catalog(this.#format, this.#file, this.#regions, this.#heap)
    fork.#count = this.#count
    fork.#over = new Map(this.#over)
    fork.#overPaths = new Map(this.#overPaths)
    fork.#overKeys = new Map(this.#overKeys)
    fork.#overSorted = this.#overSorted
    fork.#changed = new Set(this.#changed)
    return fork
  }

  /** Number of rows, deleted ones included. */
  get count(): number {
    return this.#count
  }

  at(ordinal: number): Row {
    return (
      this.#over.get(ordinal) ??
      this.#format.decode(this.#rows.read(ordinal * this.#format.bytes, this.#format.bytes), this.#textAt)
    )
  }

  /** Ordinal of the row that lies at a path now. */
  atPath(path: string): number | undefined {
    const over = this.#overPaths.get(path)
    if (over !== undefined) return over
    const wanted = Buffer.from(path)
    const place = lowerBound(
      this.#basePaths,
      at => Buffer.compare(Buffer.from(this.#baseRow(this.#ordinalIn(this.#byPath, at)).path), wanted) < 0,
    )
    for (let at = place; at < this.#basePaths; at++) {
      const ordinal = this.#ordinalIn(this.#byPath, at)
      if (this.#baseRow(ordinal).path !== path) return undefined
      if (!this.#over.has(ordinal)) return ordinal
    }
    return undefined
  }

  /** Ordinals of the rows with a key: more than one where titles collide. */
  withKey(key: string): number[] {
    const found = [...(this.#overKeys.get(key) ?? [])]
    const folded = foldTitle(key)
    for (let at = this.#firstKey(folded); at < this.#baseKeys; at++) {
      const ordinal = this.#ordinalIn(this.#byKey, at)
      const row = this.#baseRow(ordinal)
      if (row.key === key && !this.#over.has(ordinal)) found.push(ordinal)
      if (row.key !== key && foldTitle(row.key) !== folded) break
    }
    return found
  }

  /** Rows whose folded key starts so, without what else they hold, in order of folded key, then key. */
  *withPrefix(prefix: string): Iterable<Placed> {
    const over = this.#sortedOver()
    let next = lowerBound(over.length, at => (over[at] as Placed).folded < prefix)
    for (const base of this.#baseWithPrefix(prefix)) {
      for (; next < over.length && comparePlaced(over[next] as Placed, base) < 0; next++) yield over[next] as Placed
      yield base
    }
    for (; over[next]?.folded.startsWith(prefix); next++) yield over[next] as Placed
  }

  /** Rows that have the same key, key by key, in order of folded key. */
  *byTitle(prefix = ''): Iterable<readonly Placed[]> {
    let same: Placed[] = []
    for (const placed of this.withPrefix(prefix)) {
      if (same.length > 0 && same[0]?.key !== placed.key) {
        yield same
        same = []
      }
      same.push(placed)
    }
    if (same.length > 0) yield same
  }

  /** Number of different keys; each row is looked at, but not for what else it holds. */
  countTitles(): number {
    let count = 0
    for (const _ of this.byTitle()) count++
    return count
  }

  push(row: Row): number {
    const ordinal = this.#count++
    this.set(ordinal, row)
    return ordinal
  }

  set(ordinal: number, row: Row): void {
    const old = this.#over.get(ordinal)
    this.#over.set(ordinal, row)
    this.#changed.add(ordinal)
    if (old !== undefined && old.path === row.path && old.key === row.key && old.deleted === row.deleted) return
    if (old !== undefined) this.#unlink(ordinal, old)
    if (row.deleted) return
    this.#overPaths.set(row.path, ordinal)
    if (row.key === '') return
    // Forks share the sets: they are replaced, not changed.
    this.#overKeys.set(row.key, new Set([...(this.#overKeys.get(row.key) ?? []), ordinal]))
    this.#overSorted = null
  }

  /** Rows changed since this was asked last. */
  takeChanged(): [number, Row][] {
    const changed = [...this.#changed].map(ordinal => [ordinal, this.at(ordinal)] as [number, Row])
    this.#changed = new Set()
    return changed
  }

  /** Puts back rows that a tail frame carries. */
  restore(rows: readonly [number, Row][]): void {
    for (const [ordinal, row] of rows) {
      this.#count = Math.max(this.#count, ordinal + 1)
      this.set(ordinal, row)
      this.#changed.delete(ordinal)
    }
  }

  /** Ordinals of rows that were deleted since the base was written, in order. */
  deletedSince(): number[] {
    const deleted = [...this.#over].filter(([, row]) => row.deleted).map(([ordinal]) => ordinal)
    return deleted.sort((a, b) => a - b)
  }

  /**
   * What the next base holds, but for rows left out; these must be deleted ones. To be read part by part, the rows before the
   * texts, and only once.
   */
  parts(heap: HeapPlaces, leftOut: readonly number[] = []): CatalogParts {
    const place = (ordinal: number) => ordinal - countBefore(leftOut, ordinal)
    return {
      rows: this.#rowParts(heap, new Set(leftOut)),
      byKey: this.#orderParts(this.#byKey, this.#keyMerge(), place),
      byPath: this.#orderParts(this.#byPath, this.#pathMerge(), place),
      texts: this.#textParts(new Set(leftOut)),
    }
  }

  *#rowParts(heap: HeapPlaces, leftOut: ReadonlySet<number>): Generator<Buffer> {
    const { bytes, encode, slots } = this.#format
    const read = this.#rows.window()
    for (let first = 0; first < this.#count; first += rowsAtOnce) {
      const rows = Buffer.alloc(Math.min(rowsAtOnce, this.#count - first) * bytes)
      this.#baseRows(read, first).copy(rows)
      let length = 0
      for (let at = 0; at < rows.length; at += bytes) {
        const ordinal = first + at / bytes
        const row = this.#over.get(ordinal)
        if (leftOut.has(ordinal)) continue
        if (row === undefined) moveStrings(rows, at, slots(rows, at), heap)
        if (row !== undefined) rows.set(encode(row, heap), length)
        else if (at !== length) rows.copyWithin(length, at, at + bytes)
        length += bytes
      }
      yield rows.subarray(0, length)
    }
  }

  /** The strings of all rows. Those of the base are not decoded, and what lies together there is taken together. */
  *#textParts(leftOut: ReadonlySet<number>): Generator<Buffer> {
    const { bytes, texts } = this.#format
    const [read, heap] = [this.#rows.window(), this.#heap.window()]
    for (let first = 0; first < this.#count; first += rowsAtOnce) {
      const rows = this.#baseRows(read, first)
      let run = { offset: 0, length: 0 }
      for (let ordinal = first; ordinal < Math.min(first + rowsAtOnce, this.#count); ordinal++) {
        const row = this.#over.get(ordinal)
        const strings = row === undefined ? this.#stringsAt(rows, (ordinal - first) * bytes) : null
        if (strings !== null && run.offset + run.length === strings.offset) {
          run = { offset: run.offset, length: run.length + strings.length }
          continue
        }
        if (run.length > 0) yield heap(run.offset, run.length)
        run = strings ?? { offset: 0, length: 0 }
        if (row !== undefined && !leftOut.has(ordinal)) for (const text of texts(row)) yield Buffer.from(text)
      }
      if (run.length > 0) yield heap(run.offset, run.length)
    }
  }

  #baseRows(read: ReadBytes, first: number): Buffer {
    const { bytes } = this.#format
    const count = Math.min(rowsAtOnce, this.#baseCount - first)
    return count > 0 ? read(first * bytes, count * bytes) : Buffer.alloc(0)
  }

  /** Where in the heap the strings of an encoded row lie: one behind the other. */
  #stringsAt(rows: Buffer, at: number): HeapSlice {
    const slots = this.#format.slots(rows, at)
    const { offset } = readSlice(rows, at + (slots[0] as number))
    return { offset, length: slots.reduce((sum, slot) => sum + readSlice(rows, at + slot).length, 0) }
  }

  /** An order of the base with what came since put in its places: they are few, and found by halving. */
  *#orderParts(order: GrowingBytes, { added, isBefore }: Merge, place: (ordinal: number) => number): Generator<Buffer> {
    const count = order.length / 4
    const read = order.window()
    let at = 0
    for (let next = 0; next <= added.length; next++) {
      const ordinal = added[next]
      const from = at
      const end = ordinal === undefined ? count : from + lowerBound(count - from, step => isBefore(from + step, next))
      for (; at < end; at = Math.min(end, at + rowsAtOnce)) {
        const known = ordinalsIn(read(at * 4, Math.min(end - at, rowsAtOnce) * 4))
        yield ordinalBytes(known.filter(other => !this.#over.has(other)).map(place))
      }
      if (ordinal !== undefined) yield ordinalBytes([place(ordinal)])
    }
  }

  #keyMerge(): Merge {
    const added = this.#sortedOver()
    return {
      added: added.map(({ ordinal }) => ordinal),
      isBefore: (at, next) => {
        const ordinal = this.#ordinalIn(this.#byKey, at)
        return comparePlaced(place(ordinal, this.#baseRow(ordinal).key), added[next] as Placed) < 0
      },
    }
  }

  #pathMerge(): Merge {
    const alive = [...this.#over].filter(([, row]) => !row.deleted)
    const added = alive.map(([ordinal, { path }]) => ({ ordinal, bytes: Buffer.from(path) })).sort(comparePaths)
    return {
      added: added.map(({ ordinal }) => ordinal),
      isBefore: (at, next) => {
        const ordinal = this.#ordinalIn(this.#byPath, at)
        const bytes = Buffer.from(this.#baseRow(ordinal).path)
        return comparePaths({ ordinal, bytes }, added[next] as PlacedPath) < 0
      },
    }
  }

  *#baseWithPrefix(prefix: string): Iterable<Placed> {
    for (let at = this.#firstKey(prefix); at < this.#baseKeys; at++) {
      const ordinal = this.#ordinalIn(this.#byKey, at)
      const placed = place(ordinal, this.#baseRow(ordinal).key)
      if (!placed.folded.startsWith(prefix)) return
      if (!this.#over.has(ordinal)) yield placed
    }
  }

  #firstKey(folded: string): number {
    return lowerBound(this.#baseKeys, at => foldTitle(this.#baseRow(this.#ordinalIn(this.#byKey, at)).key) < folded)
  }

  #baseRow(ordinal: number): Row {
    return this.#format.decode(this.#rows.read(ordinal * this.#format.bytes, this.#format.bytes), this.#textAt)
  }

  #ordinalIn(order: GrowingBytes, at: number): number {
    return order.read(at * 4, 4).readUInt32LE(0)
  }

  #sortedOver(): Placed[] {
    if (this.#overSorted === null) {
      const placed = [...this.#overKeys].flatMap(([key, same]) => [...same].map(ordinal => place(ordinal, key)))
      this.#overSorted = placed.sort(comparePlaced)
    }
    return this.#overSorted
  }

  #unlink(ordinal: number, row: Row): void {
    if (this.#overPaths.get(row.path) === ordinal) this.#overPaths.delete(row.path)
    const same = this.#overKeys.get(row.key)
    if (!same?.has(ordinal)) return
    this.#overSorted = null
    if (same.size === 1) this.#overKeys.delete(row.key)
    else this.#overKeys.set(row.key, new Set([...same].filter(other => other !== ordinal)))
  }
}

function place(ordinal: number, key: string): Placed {
  return { ordinal, key, folded: foldTitle(key) }
}

function comparePlaced(a: Placed, b: Placed): number {
  return compareText(a.folded, b.folded) || compareText(a.key, b.key) || a.ordinal - b.ordinal
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** First place of `count` for which `isBefore` is false; all before it must be true. */
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

function ordinalBytes(ordinals: readonly number[]): Buffer {
  const bytes = Buffer.allocUnsafe(ordinals.length * 4)
  for (let at = 0; at < ordinals.length; at++) bytes.writeUInt32LE(ordinals[at] as number, at * 4)
  return bytes
}

function ordinalsIn(bytes: Buffer): number[] {
  return Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readUInt32LE(at * 4))
}

function comparePaths(a: PlacedPath, b: PlacedPath): number {
  return Buffer.compare(a.bytes, b.bytes) || a.ordinal - b.ordinal
}

/** How many of the sorted numbers are less than this one. */
export function countBefore(sorted: readonly number[], number: number): number {
  return lowerBound(sorted.length, at => (sorted[at] as number) < number)
}
