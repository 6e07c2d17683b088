/**
 * Rows found by path and by title: pages and files. The base file holds them in order of their ordinals with two sorted lists of
 * ordinals; rows added or changed since are in memory.
 */

import { foldTitle } from '../../core/title.ts'
import {
  BaseRows,
  type CatalogRegions,
  type CatalogRow,
  comparePlaced,
  lowerBound,
  type Placed,
  place,
  type RowFormat,
} from './base-rows.ts'
import type { BlockFile, GrowingBytes } from './bytes.ts'
import { type CatalogParts, catalogParts } from './catalog-parts.ts'
import type { HeapPlaces } from './records.ts'

export class Catalog<Row extends CatalogRow> {
  readonly #base: BaseRows<Row>
  #count: number
  /** Rows in memory: all that were added or changed since the base. */
  #over = new Map<number, Row>()
  #overPaths = new Map<string, number>()
  #overKeys = new Map<string, readonly number[]>()
  #overSorted: readonly Placed[] | null = null
  /** Ordinals whose rows changed since the last `takeChanged`. */
  #changed = new Set<number>()

  private constructor(base: BaseRows<Row>) {
    this.#base = base
    this.#count = base.count
  }

  /** Opens the rows of a base file. */
  static open<Row extends CatalogRow>(
    format: RowFormat<Row>,
    file: BlockFile | null,
    regions: CatalogRegions,
    heap: GrowingBytes,
  ): Catalog<Row> {
    return new Catalog(new BaseRows(format, file, regions, heap))
  }

  /** Creates a fork that may be changed while this catalog stays the same. */
  fork(): Catalog<Row> {
    const fork = new Catalog(this.#base)
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
    return this.#over.get(ordinal) ?? this.#base.at(ordinal)
  }

  /** Ordinal of the row at a path. */
  atPath(path: string): number | undefined {
    const over = this.#overPaths.get(path)
    if (over !== undefined || this.#base.paths === 0) return over
    for (const ordinal of this.#base.withPath(path)) if (!this.#over.has(ordinal)) return ordinal
    return undefined
  }

  /** Ordinals of the rows with a key: more than one where titles collide. */
  withKey(key: string): number[] {
    const found = [...(this.#overKeys.get(key) ?? [])]
    if (this.#base.keys === 0) return found
    for (const ordinal of this.#base.withKey(key)) if (!this.#over.has(ordinal)) found.push(ordinal)
    return found
  }

  /** Rows whose folded key has the prefix, with key and ordinal only, in order of folded key, then key. */
  *withPrefix(prefix: string): Iterable<Placed> {
    const over = this.#sortedOver()
    let next = lowerBound(over.length, at => (over[at] as Placed).folded < prefix)
    for (const base of this.#base.withPrefix(prefix)) {
      if (this.#over.has(base.ordinal)) continue
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

  /** Number of different keys whose folded form has the prefix: the time grows with the changes since the base was written. */
  countTitles(prefix = ''): number {
    let count = this.#base.countTitles(prefix)
    for (const key of this.#touchedKeys()) {
      if (!foldTitle(key).startsWith(prefix)) continue
      const [wasThere] = this.#base.withKey(key)
      count += Number(this.withKey(key).length > 0) - Number(wasThere !== undefined)
    }
    return count
  }

  /** Keys of several rows, each with these rows, in order of the folded keys. */
  collisions(): (readonly [key: string, ordinals: readonly number[]])[] {
    const shared = [...this.sharedKeys()].map(([key, same]) => [place(0, key), same] as const)
    return shared.sort(([a], [b]) => comparePlaced(a, b)).map(([{ key }, same]) => [key, same])
  }

  /** As `collisions`, in no order: the time grows with the shared keys and the changes since the base was written. */
  sharedKeys(): Map<string, readonly number[]> {
    const shared = new Map<string, number[]>()
    for (const ordinal of this.#base.twins()) {
      const key = this.#base.keyOf(ordinal)
      const same = shared.get(key)
      if (same === undefined) shared.set(key, [ordinal])
      else same.push(ordinal)
    }
    for (const key of this.#touchedKeys()) shared.set(key, [...this.withKey(key)])
    for (const [key, same] of shared) if (same.length < 2) shared.delete(key)
    return shared
  }

  /** Ordinals of the rows whose paths make no legal title, in order. */
  untitled(): number[] {
    const isUntitled = ({ key, deleted }: Row) => key === '' && !deleted
    const found = [...this.#over].filter(([, row]) => isUntitled(row)).map(([ordinal]) => ordinal)
    const mayBeInBase = this.#base.keys < this.#base.paths
    for (let ordinal = 0; mayBeInBase && ordinal < this.#base.count; ordinal++)
      if (!this.#over.has(ordinal) && isUntitled(this.#base.at(ordinal))) found.push(ordinal)
    return found.sort((a, b) => a - b)
  }

  /** Keys that have come or gone since the base was written, sorted, each with the number of its rows. */
  changedTitles(): string[] {
    return [...this.#touchedKeys()].sort().map(key => `${key} ${this.withKey(key).length}`)
  }

  /** Keys that rows have, or had, since the base was written; rows whose key stayed the same are left out. */
  #touchedKeys(): Set<string> {
    const keys = new Set<string>()
    for (const [ordinal, row] of this.#over) {
      const old = ordinal < this.#base.count ? this.#base.at(ordinal) : undefined
      if (old?.key === row.key && !old.deleted && !row.deleted) continue
      if (old !== undefined && !old.deleted) keys.add(old.key)
      if (!row.deleted) keys.add(row.key)
    }
    keys.delete('')
    return keys
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
    // Forks share the lists: they are replaced, not changed.
    const same = this.#overKeys.get(row.key)
    if (!same?.includes(ordinal)) this.#overKeys.set(row.key, same === undefined ? [ordinal] : [...same, ordinal])
    this.#overSorted = null
  }

  /** Rows changed since the previous call. */
  takeChanged(): [number, Row][] {
    const changed = [...this.#changed].map(ordinal => [ordinal, this.at(ordinal)] as [number, Row])
    this.#changed = new Set()
    return changed
  }

  /** Restores rows from a frame of the log. */
  restore(rows: readonly [number, Row][]): void {
    for (const [ordinal, row] of rows) {
      this.#count = Math.max(this.#count, ordinal + 1)
      this.set(ordinal, row)
      this.#changed.delete(ordinal)
    }
  }

  /** Ordinals of all deleted rows, in order. */
  deleted(): number[] {
    const inBase = this.#base.deleted().filter(ordinal => !this.#over.has(ordinal))
    return [...inBase, ...this.deletedSince()].sort((a, b) => a - b)
  }

  /** Ordinals of rows that were deleted since the base was written, in order. */
  deletedSince(): number[] {
    const deleted = [...this.#over].filter(([, row]) => row.deleted).map(([ordinal]) => ordinal)
    return deleted.sort((a, b) => a - b)
  }

  /** Returns the parts of the next base, without the rows in `leftOut`, which must be deleted ones. See `catalogParts`. */
  parts(heap: HeapPlaces, leftOut: readonly number[] = []): CatalogParts {
    const withKey = (key: string) => this.withKey(key)
    const placed = this.#sortedOver()
    return catalogParts({ base: this.#base, count: this.#count, over: this.#over, placed, withKey, leftOut }, heap)
  }

  #sortedOver(): readonly Placed[] {
    if (this.#overSorted === null) {
      const placed = [...this.#overKeys].flatMap(([key, same]) => same.map(ordinal => place(ordinal, key)))
      this.#overSorted = placed.sort(comparePlaced)
    }
    return this.#overSorted
  }

  #unlink(ordinal: number, row: Row): void {
    if (this.#overPaths.get(row.path) === ordinal) this.#overPaths.delete(row.path)
    const same = this.#overKeys.get(row.key)
    if (!same?.includes(ordinal)) return
    this.#overSorted = null
    if (same.length === 1) this.#overKeys.delete(row.key)
    else
      this.#overKeys.set(
        row.key,
        same.filter(other => other !== ordinal),
      )
  }
}
