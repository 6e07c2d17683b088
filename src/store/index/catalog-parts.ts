/** A catalog in the form of the next base: the base's rows are copied, and newer ones are inserted. */

import { comparePaths } from '../format/paths.ts'
import { type BaseRows, type CatalogRow, comparePlaced, lowerBound, type Placed, place } from './base-rows.ts'
import type { GrowingBytes, ReadBytes } from './bytes.ts'
import { type HeapPlaces, type HeapSlice, moveStrings, readSlice } from './records.ts'

/** Rows copied at a time. */
const rowsAtOnce = 64

/** Ordinals returned at a time. */
const searchedAtOnce = 16

/** Parts of the next base that a catalog contributes: to its regions, and to the heap. */
export interface CatalogParts {
  readonly rows: Iterable<Buffer>
  readonly byKey: Iterable<Buffer>
  readonly byPath: Iterable<Buffer>
  readonly twins: Iterable<Buffer>
  readonly texts: Iterable<Buffer>
}

/** Sources of the next base. */
export interface CatalogContents<Row extends CatalogRow> {
  readonly base: BaseRows<Row>
  /** Number of rows, deleted ones included. */
  readonly count: number
  /** Rows added or changed since the base. */
  readonly over: ReadonlyMap<number, Row>
  /** Those of them that have a title, in order. */
  readonly placed: readonly Placed[]
  /** Finds the rows with a title. */
  readonly withKey: (key: string) => readonly number[]
  /** Ordinals, sorted, of deleted rows that are left out. */
  readonly leftOut: readonly number[]
}

/** Ordinals missing from an order of the base, sorted, and a test whether an entry of the base precedes one of them. */
interface Merge {
  readonly added: readonly number[]
  readonly isBefore: (at: number, next: number) => boolean
}

/** Returns the parts, to be read one by one and only once, the rows before the texts. */
export function catalogParts<Row extends CatalogRow>(contents: CatalogContents<Row>, heap: HeapPlaces): CatalogParts {
  const { base, leftOut } = contents
  const left = new Set(leftOut)
  return {
    rows: rowParts(contents, heap, left),
    byKey: orderParts(contents, base.byKey, keyMerge(contents)),
    byPath: orderParts(contents, base.byPath, pathMerge(contents)),
    twins: twinParts(contents),
    texts: textParts(contents, left),
  }
}

function* rowParts<Row extends CatalogRow>(
  { base, count, over }: CatalogContents<Row>,
  heap: HeapPlaces,
  left: ReadonlySet<number>,
): Generator<Buffer> {
  const { bytes, encode, slots } = base.format
  const read = base.rows.window()
  for (let first = 0; first < count; first += rowsAtOnce) {
    const rows = Buffer.alloc(Math.min(rowsAtOnce, count - first) * bytes)
    baseRows(base, read, first).copy(rows)
    let length = 0
    for (let at = 0; at < rows.length; at += bytes) {
      const ordinal = first + at / bytes
      const row = over.get(ordinal)
      if (left.has(ordinal)) continue
      if (row === undefined) moveStrings(rows, at, slots(rows, at), heap)
      if (row !== undefined) rows.set(encode(row, heap), length)
      else if (at !== length) rows.copyWithin(length, at, at + bytes)
      length += bytes
    }
    yield rows.subarray(0, length)
  }
}

/** The strings of all rows. Those of the base are not decoded, and adjacent ones are copied together. */
function* textParts<Row extends CatalogRow>(
  { base, count, over }: CatalogContents<Row>,
  left: ReadonlySet<number>,
): Generator<Buffer> {
  const { bytes, texts } = base.format
  const [read, heap] = [base.rows.window(), base.heap.window()]
  for (let first = 0; first < count; first += rowsAtOnce) {
    const rows = baseRows(base, read, first)
    let run = { offset: 0, length: 0 }
    for (let ordinal = first; ordinal < Math.min(first + rowsAtOnce, count); ordinal++) {
      const row = over.get(ordinal)
      const strings = row === undefined ? stringsAt(base, rows, (ordinal - first) * bytes) : null
      if (strings !== null && run.offset + run.length === strings.offset) {
        run = { offset: run.offset, length: run.length + strings.length }
        continue
      }
      if (run.length > 0) yield heap(run.offset, run.length)
      run = strings ?? { offset: 0, length: 0 }
      if (row !== undefined && !left.has(ordinal)) yield Buffer.from(texts(row).join(''))
    }
    if (run.length > 0) yield heap(run.offset, run.length)
  }
}

function baseRows<Row extends CatalogRow>(base: BaseRows<Row>, read: ReadBytes, first: number): Buffer {
  const { bytes } = base.format
  const count = Math.min(rowsAtOnce, base.count - first)
  return count > 0 ? read(first * bytes, count * bytes) : Buffer.alloc(0)
}

/** Range in the heap of an encoded row's strings, which are contiguous. */
function stringsAt<Row extends CatalogRow>({ format }: BaseRows<Row>, rows: Buffer, at: number): HeapSlice {
  const slots = format.slots(rows, at)
  const { offset } = readSlice(rows, at + (slots[0] as number))
  return { offset, length: slots.reduce((sum, slot) => sum + readSlice(rows, at + slot).length, 0) }
}

/** An order of the base with newer ordinals inserted: they are few, and placed by binary search. */
function* orderParts<Row extends CatalogRow>(
  { over, leftOut }: CatalogContents<Row>,
  order: GrowingBytes,
  { added, isBefore }: Merge,
): Generator<Buffer> {
  const count = order.length / 4
  const read = order.window()
  const ordinals: number[] = []
  let at = 0
  for (let next = 0; next <= added.length; next++) {
    const ordinal = added[next]
    const from = at
    const end = ordinal === undefined ? count : from + lowerBound(count - from, step => isBefore(from + step, next))
    while (at < end) {
      const taken = Math.min(end - at, rowsAtOnce)
      for (const ordinal of ordinalsIn(read(at * 4, taken * 4))) if (!over.has(ordinal)) ordinals.push(ordinal)
      at += taken
      yield ordinalBytes(ordinals.splice(0), leftOut)
    }
    if (ordinal !== undefined) ordinals.push(ordinal)
    if (ordinals.length >= searchedAtOnce) yield ordinalBytes(ordinals.splice(0), leftOut)
  }
  yield ordinalBytes(ordinals, leftOut)
}

function keyMerge<Row extends CatalogRow>({ base, placed }: CatalogContents<Row>): Merge {
  return {
    added: placed.map(({ ordinal }) => ordinal),
    isBefore: (at, next) => {
      const ordinal = base.ordinalByKey(at)
      return comparePlaced(place(ordinal, base.keyOf(ordinal)), placed[next] as Placed) < 0
    },
  }
}

function pathMerge<Row extends CatalogRow>({ base, over }: CatalogContents<Row>): Merge {
  const added = [...over].filter(([, row]) => !row.deleted).map(([ordinal, { path }]) => ({ ordinal, path }))
  added.sort((a, b) => comparePaths(a.path, b.path) || a.ordinal - b.ordinal)
  return {
    added: added.map(({ ordinal }) => ordinal),
    isBefore: (at, next) => {
      const ordinal = base.ordinalByPath(at)
      const other = added[next] as { ordinal: number; path: string }
      return (comparePaths(base.pathOf(ordinal), other.path) || ordinal - other.ordinal) < 0
    },
  }
}

/** Rows that share their title: only those that shared one in the base, and newer ones, are examined. */
function* twinParts<Row extends CatalogRow>({
  base,
  over,
  placed,
  withKey,
  leftOut,
}: CatalogContents<Row>): Generator<Buffer> {
  const unchanged = base.twins().filter(ordinal => !over.has(ordinal))
  const keys = new Set([...unchanged.map(ordinal => base.keyOf(ordinal)), ...placed.map(({ key }) => key)])
  const twins: number[] = []
  for (const key of keys) {
    const same = withKey(key)
    if (same.length > 1) twins.push(...same)
    yield nothing
  }
  twins.sort((a, b) => a - b)
  yield ordinalBytes(twins, leftOut)
}

const nothing = Buffer.alloc(0)

/** Ordinals after the removal of those left out. */
function ordinalBytes(ordinals: readonly number[], leftOut: readonly number[]): Buffer {
  const bytes = Buffer.allocUnsafe(ordinals.length * 4)
  ordinals.forEach((ordinal, at) => {
    bytes.writeUInt32LE(ordinal - countBefore(leftOut, ordinal), at * 4)
  })
  return bytes
}

function ordinalsIn(bytes: Buffer): number[] {
  return Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readUInt32LE(at * 4))
}

/** Counts the numbers below this one in a sorted list. */
export function countBefore(sorted: readonly number[], number: number): number {
  return lowerBound(sorted.length, at => (sorted[at] as number) < number)
}
