/**
 * Writes many objects as one pack with its index, faster than native git: a change of one object is stored as a delta against the
 * previous one. Source: git's Documentation/gitformat-pack.txt, version 2 of both files.
 */

import { createHash } from 'node:crypto'
import { closeSync, existsSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { crc32, deflateSync } from 'node:zlib'
import { syncContent } from '../../files/durable.ts'
import { openFile, removeFile, renameFile, writeAll, writeFile } from '../../files/private-files.ts'
import { randomName } from '../../files/random-name.ts'
import { isSynced } from '../repository/sync-settings.ts'
import type { ObjectType } from './backend.ts'
import { makeDelta } from './delta.ts'
import { HashTable } from './hash-table.ts'

const typeCodes: Readonly<Record<ObjectType, number>> = { commit: 1, tree: 2, blob: 3, tag: 4 }
const deltaCode = 6
/** Maximum length of a delta chain: reading the last one reads all. Git's own limit is 50. */
const depthLimit = 32
/** Shorter contents are stored uncompressed: compression costs more than it saves. */
const shortestPacked = 80
const packing = { level: 1 }
const bufferBytes = 1024 * 1024
const headerBytes = 12

/** An object of a pack being written, as a base for deltas. */
export interface PackedObject {
  readonly hash: string
  readonly content: Buffer
  readonly pack: PackWriter
  /** Index in the pack's table. */
  readonly entry: number
}

export class PackWriter {
  readonly #folder: string
  readonly #temporary: string
  readonly #file: number
  readonly #table = new HashTable()
  readonly #buffer = Buffer.allocUnsafe(bufferBytes)
  #buffered = 0
  #flushed = 0
  #isOpen = true

  /** Begins a pack in a folder, under a temporary name. */
  constructor(folder: string) {
    this.#folder = folder
    this.#temporary = join(folder, `tmp_pack_${randomName()}`)
    this.#file = openFile(this.#temporary, 'wx+', 0o444)
    this.#put(Buffer.alloc(headerBytes))
  }

  get count(): number {
    return this.#table.count
  }

  /** Bytes so far. */
  get size(): number {
    return this.#flushed + this.#buffered
  }

  /** Adds an object, as a delta where `base` is one of this pack of the same type. */
  add(type: ObjectType, content: Buffer, base: PackedObject | null = null): PackedObject {
    const sum = createHash('sha1').update(`${type} ${content.length}\0`).update(content).digest()
    const hash = sum.toString('hex')
    const existing = this.#table.find(sum)
    const entry = existing ?? this.#write(type, sum, content, base)
    return { hash, content, pack: this, entry }
  }

  #write(type: ObjectType, sum: Buffer, content: Buffer, base: PackedObject | null): number {
    const offset = this.size
    const depth = base === null || base.pack !== this ? depthLimit : this.#table.depth(base.entry)
    const delta = base !== null && depth < depthLimit ? makeDelta(base.content, content) : null
    const isDelta = delta !== null && delta.length < content.length
    const parts = isDelta
      ? [
          objectHeader(deltaCode, delta.length),
          distance(offset - this.#table.offset((base as PackedObject).entry)),
          pack(delta),
        ]
      : [objectHeader(typeCodes[type], content.length), pack(content)]
    let crc = 0
    for (const part of parts) {
      crc = crc32(part, crc)
      this.#put(part)
    }
    return this.#table.add(sum, { offset, crc, depth: isDelta ? depth + 1 : 0 })
  }

  #put(bytes: Uint8Array): void {
    if (this.#buffered + bytes.length > bufferBytes) this.#flush()
    if (bytes.length > bufferBytes) {
      this.#writeAll(bytes, this.#flushed)
      this.#flushed += bytes.length
      return
    }
    this.#buffer.set(bytes, this.#buffered)
    this.#buffered += bytes.length
  }

  #flush(): void {
    this.#writeAll(this.#buffer.subarray(0, this.#buffered), this.#flushed)
    this.#flushed += this.#buffered
    this.#buffered = 0
  }

  #writeAll(bytes: Uint8Array, position: number): void {
    writeAll(this.#file, bytes, position)
  }

  /**
   * Writes the end and the index, durably; returns the pack's name without extension, null if it is empty. A `keepNote` makes git
   * keep the pack from the start. If it throws, nothing is left.
   */
  finish(keepNote: string | null = null): string | null {
    if (this.count === 0) {
      this.abandon()
      return null
    }
    try {
      return this.#finish(keepNote)
    } catch (error) {
      this.abandon()
      throw error
    }
  }

  #finish(keepNote: string | null): string {
    this.#flush()
    const header = Buffer.from('PACK\0\0\0\x02\0\0\0\0', 'latin1')
    header.writeUInt32BE(this.count, 8)
    this.#writeAll(header, 0)
    const sum = this.#fileSum()
    this.#writeAll(sum, this.#flushed)
    if (isSynced(this.#temporary, 'pack')) syncContent(this.#file)
    this.#close()
    const index = this.#table.packIndex(sum)
    const name = `pack-${sum.toString('hex')}`
    writeIndex(this.#temporaryIndex, index)
    this.#publish(join(this.#folder, name), keepNote)
    return name
  }

  /** The index comes last: it makes git read the pack. */
  #publish(path: string, keepNote: string | null): void {
    const isNew = !existsSync(`${path}.idx`)
    try {
      if (keepNote !== null) writeFile(`${path}.keep`, keepNote)
      renameFile(this.#temporary, `${path}.pack`)
      renameFile(this.#temporaryIndex, `${path}.idx`)
    } catch (error) {
      if (isNew) for (const ending of ['keep', 'pack']) removeFile(`${path}.${ending}`)
      throw error
    }
  }

  get #temporaryIndex(): string {
    return `${this.#temporary}-index`
  }

  /** Removes what was written: a full disk would stay full. */
  abandon(): void {
    this.#close()
    for (const path of [this.#temporary, this.#temporaryIndex]) removeFile(path)
  }

  #close(): void {
    if (this.#isOpen) closeSync(this.#file)
    this.#isOpen = false
  }

  /** The count at the file's beginning is known only at the end, so the checksum is computed from the file. */
  #fileSum(): Buffer {
    const sum = createHash('sha1')
    for (let at = 0; at < this.#flushed; ) {
      const length = readSync(this.#file, this.#buffer, 0, bufferBytes, at)
      if (length === 0) break
      sum.update(this.#buffer.subarray(0, length))
      at += length
    }
    return sum.digest()
  }
}

function writeIndex(path: string, bytes: Buffer): void {
  const file = openFile(path, 'w', 0o444)
  try {
    writeAll(file, bytes)
    if (isSynced(path, 'pack-metadata')) syncContent(file)
  } finally {
    closeSync(file)
  }
}

function objectHeader(code: number, size: number): Buffer {
  const bytes = [(code << 4) | (size & 15)]
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
    bytes[bytes.length - 1] = (bytes.at(-1) as number) | 0x80
    bytes.push(rest & 0x7f)
  }
  return Buffer.from(bytes)
}

/** Encodes the distance from a delta back to its base. */
function distance(offset: number): Buffer {
  const bytes = [offset % 128]
  for (let rest = Math.floor(offset / 128); rest > 0; rest = Math.floor(rest / 128)) {
    rest -= 1
    bytes.unshift((rest % 128) | 0x80)
  }
  return Buffer.from(bytes)
}

function pack(content: Buffer): Buffer {
  return content.length < shortestPacked ? storedStream(content) : deflateSync(content, packing)
}

/** A zlib stream of one stored block. Source: RFC 1950, RFC 1951 3.2.4. */
function storedStream(content: Buffer): Buffer {
  const bytes = Buffer.allocUnsafe(content.length + 11)
  bytes.writeUInt16BE(0x7801, 0)
  bytes[2] = 1
  bytes.writeUInt16LE(content.length, 3)
  bytes.writeUInt16LE(content.length ^ 0xffff, 5)
  content.copy(bytes, 7)
  let [a, b] = [1, 0]
  for (const byte of content) {
    a = (a + byte) % 65521
    b = (b + a) % 65521
  }
  bytes.writeUInt32BE(b * 65536 + a, content.length + 7)
  return bytes
}
