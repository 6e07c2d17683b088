/**
 * Files of pages with checksums: written once, sequentially; read in pieces, where each page is checked when it is first read.
 */

import { closeSync, fstatSync, readSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { openFile, writeAll } from '../../files/private-files.ts'
import { type ByteWriter, byteWriter } from './bytes.ts'

const pageSize = 16 * 1024

/** Footer: length of the content, checksum of the list of checksums, kind and version. */
const footerSize = 16
const magic = 0x31495347

/** Cached pages of the files of an index: 32 MB. */
const usualPages = 2_048

/** Thrown if a file is damaged. The index is derived data, so it is rebuilt. */
export class DamagedSegment extends Error {}

/** Destination of a file's bytes. */
export interface Sink {
  readonly write: (bytes: Uint8Array) => void
  readonly close: () => void
}

/** A file's bytes. */
export interface Source {
  readonly length: number
  /** Reads exactly the given number of bytes; fewer at the end of the file. */
  readonly read: (offset: number, length: number) => Buffer
  readonly close: () => void
}

/** Opens a file for writing; there must be none of that name. */
export function fileSink(path: string): Sink {
  const file = openFile(path, 'wx')
  return { write: bytes => writeAll(file, bytes), close: () => closeSync(file) }
}

/** Opens a file for reading. */
export function fileSource(path: string): Source {
  const file = openFile(path, 'r')
  return {
    length: fstatSync(file).size,
    read: (offset, length) => {
      const bytes = Buffer.allocUnsafe(length)
      return bytes.subarray(0, readSync(file, bytes, 0, length, offset))
    },
    close: () => closeSync(file),
  }
}

/** Bytes in memory as a source. The results are views of the same memory, so only a cache tied to the source may keep them. */
export function memorySource(bytes: Buffer): Source {
  return {
    length: bytes.length,
    read: (offset, length) => bytes.subarray(offset, offset + length),
    close: () => undefined,
  }
}

/** Collects the written bytes in memory. */
export function memorySink(): Sink & { readonly content: () => Buffer } {
  const chunks: Buffer[] = []
  return {
    write: bytes => void chunks.push(Buffer.from(bytes)),
    close: () => undefined,
    content: () => Buffer.concat(chunks),
  }
}

/** Writes a file from beginning to end. */
export interface CheckedWriter {
  readonly length: number
  /** Moves bytes to the file. */
  readonly write: (bytes: ByteWriter) => void
  /** Writes the buffered bytes and the checksums. */
  readonly finish: () => void
}

/** Starts a checked file. */
export function checkedWriter(sink: Sink): CheckedWriter {
  const page = byteWriter(2 * pageSize)
  const sums = byteWriter()
  let length = 0
  const flush = (all: boolean): void => {
    const pending = page.view()
    let at = 0
    for (; at + pageSize <= pending.length; at += pageSize) sums.uint32(crc32(pending.subarray(at, at + pageSize)))
    if (all && at < pending.length) sums.uint32(crc32(pending.subarray(at)))
    const end = all ? pending.length : at
    const rest = Buffer.from(pending.subarray(end))
    sink.write(pending.subarray(0, end))
    page.clear()
    page.bytes(rest)
  }
  return {
    get length() {
      return length
    },
    write: bytes => {
      length += bytes.length
      bytes.moveTo(page)
      if (page.length >= 16 * pageSize) flush(false)
    },
    finish: () => {
      flush(true)
      const footer = byteWriter(footerSize)
      for (const value of [length, length / 2 ** 32, crc32(sums.view()), magic]) footer.uint32(Math.floor(value))
      sink.write(sums.view())
      sink.write(footer.view())
      sink.close()
    },
  }
}

/** Cached parts of files; files share the cache. */
export interface PartCache<Part> {
  /** Maximum parts. */
  readonly most: number
  /** Returns a number for an opened file, which the caller keeps. */
  readonly open: () => number
  readonly find: (file: number, at: number) => Part | undefined
  readonly keep: (file: number, at: number, part: Part) => void
}

/** Pages of files. */
export type PageCache = PartCache<Buffer>

/** Returns the number of pages that fit into a cache of the given bytes. */
export function pagesOf(bytes: number): number {
  return Math.max(1, Math.floor(bytes / pageSize))
}

/** Creates a cache of the given number of pages. */
export function pageCache(most = usualPages): PageCache {
  return partCache(most)
}

/** Creates a cache of the given number of parts, which evicts the oldest. */
export function partCache<Part>(most: number): PartCache<Part> {
  const parts = new Map<number, Part>()
  let files = 0
  const keyOf = (file: number, at: number): number => file * 2 ** 28 + at
  return {
    most,
    open: () => files++,
    find: (file, at) => parts.get(keyOf(file, at)),
    keep: (file, at, part) => {
      if (parts.size >= most) parts.delete(parts.keys().next().value as number)
      parts.set(keyOf(file, at), part)
    },
  }
}

/** A checked file that is open for reading. */
export interface CheckedFile {
  /** Bytes of the content. */
  readonly length: number
  /** Reads bytes of the content. Throws `DamagedSegment`. */
  readonly read: (offset: number, length: number) => Buffer
  readonly close: () => void
}

/** Opens a checked file. Throws `DamagedSegment`. */
export function openChecked(source: Source, cache: PageCache): CheckedFile {
  const { length, sums } = readFrame(source)
  const file = cache.open()
  const check = (first: number, last: number, keep?: (page: number, content: Buffer) => void): Buffer => {
    const start = first * pageSize
    const bytes = source.read(start, Math.min(length, (last + 1) * pageSize) - start)
    for (let page = first; page <= last; page++) {
      const content = bytes.subarray((page - first) * pageSize, (page - first + 1) * pageSize)
      if (crc32(content) !== sums.readUInt32LE(page * 4)) throw new DamagedSegment(`page ${page}`)
      // A view of a larger buffer would keep the whole buffer in memory.
      keep?.(page, first === last ? content : Buffer.from(content))
    }
    return bytes
  }
  const load = (first: number, last: number): void => {
    check(first, last, (page, content) => cache.keep(file, page, content))
  }
  const pageAt = (page: number): Buffer => {
    if (cache.find(file, page) === undefined) load(page, page)
    return cache.find(file, page)!
  }
  /** A read so large that it would evict everything else is not cached. */
  const joined = (first: number, last: number): Buffer => {
    if (last - first > cache.most / 8) return check(first, last)
    loadMissing(page => cache.find(file, page) !== undefined, first, last, load)
    return Buffer.concat(Array.from({ length: last - first + 1 }, (_, at) => pageAt(first + at)))
  }
  const read = (offset: number, count: number): Buffer => {
    if (offset < 0 || count < 0 || offset + count > length) throw new DamagedSegment(`offset ${offset}`)
    if (count === 0) return Buffer.alloc(0)
    const first = Math.floor(offset / pageSize)
    const last = Math.floor((offset + count - 1) / pageSize)
    if (first === last) return pageAt(first).subarray(offset % pageSize, (offset % pageSize) + count)
    return joined(first, last).subarray(offset - first * pageSize, offset - first * pageSize + count)
  }
  return { length, read, close: source.close }
}

/** Reads the footer. */
function readFrame(source: Source): { length: number; sums: Buffer } {
  const footer = source.read(Math.max(0, source.length - footerSize), footerSize)
  if (footer.length < footerSize || footer.readUInt32LE(12) !== magic) throw new DamagedSegment('no footer')
  const length = footer.readUInt32LE(0) + footer.readUInt32LE(4) * 2 ** 32
  const sums = source.read(length, Math.ceil(length / pageSize) * 4)
  const isWhole = length + sums.length + footerSize === source.length && crc32(sums) === footer.readUInt32LE(8)
  if (!isWhole) throw new DamagedSegment('checksums')
  return { length, sums }
}

/** Reads adjacent pages at once. */
function loadMissing(
  isThere: (page: number) => boolean,
  first: number,
  last: number,
  load: (first: number, last: number) => void,
): void {
  for (let page = first; page <= last; page++) {
    if (isThere(page)) continue
    let end = page
    while (end < last && !isThere(end + 1)) end++
    load(page, end)
    page = end
  }
}
