/**
 * Rows that are found by path and by title: pages and files. The base file holds them in order of their ordinals with two
 * sorted lists of ordinals; rows added or changed since lie in memory over it.
 */

import { foldTitle } from '../../core/title.ts'
import { type BlockFile, GrowingBytes, type Region } from './bytes.ts'
import type { HeapReader, HeapWriter } from './records.ts'

export interface CatalogRow {
  readonly path: string
  /** Prefixed title in URL form; "" where the path makes no legal title. */
  readonly key: string
  readonly deleted?: boolean
}

export interface RowFormat<Row> {
  readonly bytes: number
  readonly encode: (row: Row, heap: HeapWriter) => Buffer
  readonly decode: (bytes: Buffer, heap: HeapReader) => Row
}

/** Where a catalog lies in the base file. */
export interface CatalogRegions {
  readonly rows: Region
  readonly byKey: Region
  readonly byPath: Region
}

/** What a catalog writes into the next base. */
export interface CatalogBytes {
  readonly rows: Buffer
  readonly byKey: Buffer
  readonly byPath: Buffer
}

interface Placed {
  readonly ordinal: number
  readonly folded: string
  readonly key: string
}

export class Catalog<Row extends CatalogRow> {
  readonly #format: RowFormat<Row>
  readonly #heap: HeapReader
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

  constructor(format: RowFormat<Row>, file: BlockFile | null, regions: CatalogRegions, heap: HeapReader) {
    this.#format = format
    this.#heap = heap
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
      this.#format.decode(this.#rows.read(ordinal * this.#format.bytes, this.#format.bytes), this.#heap)
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

  /** Ordinals of the rows whose folded key starts so, in order of folded key, then key. */
  *withPrefix(prefix: string): Iterable<number> {
    const over = this.#sortedOver()
    let next = lowerBound(over.length, at => (over[at] as Placed).folded < prefix)
    for (const base of this.#baseWithPrefix(prefix)) {
      for (; next < over.length && comparePlaced(over[next] as Placed, base) < 0; next++)
        yield (over[next] as Placed).ordinal
      yield base.ordinal
    }
    for (; (over[next] as Placed | undefined)?.folded.startsWith(prefix); next++) yield (over[next] as Placed).ordinal
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

  /** Encodes every row and both orders for a new base. */
  serialize(heap: HeapWriter): CatalogBytes {
    const rows = Array.from({ length: this.#count }, (_, ordinal) => this.at(ordinal))
    const alive = rows.map((row, ordinal) => ({ row, ordinal })).filter(({ row }) => !row.deleted)
    const keyed = alive.filter(({ row }) => row.key !== '').map(({ row, ordinal }) => place(ordinal, row.key))
    const paths = alive.map(({ row, ordinal }) => ({ ordinal, bytes: Buffer.from(row.path) }))
    return {
      rows: Buffer.concat(rows.map(row => this.#format.encode(row, heap))),
      byKey: ordinals(keyed.sort(comparePlaced)),
      byPath: ordinals(paths.sort((a, b) => Buffer.compare(a.bytes, b.bytes))),
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
    return this.#format.decode(this.#rows.read(ordinal * this.#format.bytes, this.#format.bytes), this.#heap)
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

function ordinals(rows: readonly { readonly ordinal: number }[]): Buffer {
  const bytes = Buffer.alloc(rows.length * 4)
  rows.forEach((row, at) => {
    bytes.writeUInt32LE(row.ordinal, at * 4)
  })
  return bytes
}
