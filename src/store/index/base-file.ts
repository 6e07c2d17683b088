/**
 * The base file: regions, then the checksums of their blocks, then a JSON header, then a footer of fixed size. It is written
 * under a temporary name and renamed, and never changed afterwards.
 */

import { closeSync, fstatSync, readSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeFolder, openFile, removeFile, writeAll } from '../../files/private-files.ts'
import { BlockFile, blockBytes, blockSums, type Region } from './bytes.ts'
import { checksum } from './checksum.ts'

const magic = 'WIKIIDX1'
/** Magic (8), length of the sums (4), of the header (4), checksum of both (4), length of the data (8). */
const footerBytes = 28

export interface BaseFile<Header> {
  readonly file: BlockFile
  readonly header: Header
  readonly regions: Readonly<Record<string, Region>>
}

/** Opens a base file, with this many bytes of block cache; null if it is missing or incomplete. */
export function openBase<Header>(path: string, memory?: number): BaseFile<Header> | null {
  let file: number
  try {
    file = openFile(path, 'r')
  } catch {
    return null
  }
  try {
    return readEnd<Header>(path, file, memory)
  } finally {
    closeSync(file)
  }
}

function readEnd<Header>(path: string, file: number, memory?: number): BaseFile<Header> | null {
  const stat = fstatSync(file)
  const size = stat.isFile() ? stat.size : 0
  const readAt = (offset: number, length: number) =>
    Number.isSafeInteger(offset) && offset >= 0 && offset + length <= size ? read(file, offset, length) : null
  const footer = readAt(size - footerBytes, footerBytes)
  if (footer === null || footer.toString('latin1', 0, 8) !== magic) return null
  const [sumsLength, headerLength] = [footer.readUInt32LE(8), footer.readUInt32LE(12)]
  const dataLength = footer.readDoubleLE(20)
  const end = readAt(dataLength, sumsLength + headerLength)
  if (end === null || checksum(end) !== footer.readUInt32LE(16)) return null
  const { header, regions } = JSON.parse(end.toString('utf8', sumsLength))
  return { file: new BlockFile(path, dataLength, end.subarray(0, sumsLength), memory), header, regions }
}

function read(file: number, offset: number, length: number): Buffer | null {
  const bytes = Buffer.allocUnsafe(length)
  return readSync(file, bytes, 0, length, offset) === length ? bytes : null
}

/** Regions in the order of the file, each read in parts when its turn comes; all parts may be views of one buffer. */
export type BaseContents = Readonly<Record<string, Iterable<Uint8Array>>>

/**
 * Writes a base file under a temporary name, in steps, between which the caller may wait. `header` is made from a checksum of the
 * contents. The partial file is removed if it throws, or if no more steps are taken (`return`).
 */
export function* writeBase(
  temporary: string,
  header: (checksum: number) => unknown,
  contents: BaseContents,
): Generator<void, void> {
  makeFolder(dirname(temporary))
  const file = openFile(temporary, 'w')
  let isWhole = false
  try {
    const { regions, sums, length } = yield* writeRegions(file, contents)
    writeAll(file, baseEnd({ header: header(checksum(sums)), regions }, sums, length))
    isWhole = true
  } finally {
    closeSync(file)
    if (!isWhole) removeFile(temporary)
  }
}

/** Bytes written at a time: whole blocks. */
const writtenBytes = 16 * blockBytes

function* writeRegions(file: number, contents: BaseContents) {
  const regions: Record<string, Region> = {}
  const sums: Buffer[] = []
  const buffer = Buffer.allocUnsafe(writtenBytes)
  let [length, filled] = [0, 0]
  const flush = () => {
    const bytes = buffer.subarray(0, filled)
    sums.push(blockSums(bytes))
    writeAll(file, bytes)
    filled = 0
  }
  for (const [name, parts] of Object.entries(contents)) {
    const offset = length
    for (const part of parts) {
      for (let at = 0; at < part.length; ) {
        const taken = Math.min(part.length - at, writtenBytes - filled)
        buffer.set(part.subarray(at, at + taken), filled)
        at += taken
        filled += taken
        if (filled === writtenBytes) flush()
      }
      length += part.length
      yield
    }
    regions[name] = { offset, length: length - offset }
  }
  flush()
  return { regions, sums: Buffer.concat(sums), length }
}

/** Builds the part after the regions: header, checksums and footer. */
function baseEnd(head: unknown, sums: Buffer, dataLength: number): Buffer {
  const headBytes = Buffer.from(JSON.stringify(head))
  const footer = Buffer.alloc(footerBytes)
  footer.write(magic, 0, 'latin1')
  footer.writeUInt32LE(sums.length, 8)
  footer.writeUInt32LE(headBytes.length, 12)
  footer.writeUInt32LE(checksum(Buffer.concat([sums, headBytes])), 16)
  footer.writeDoubleLE(dataLength, 20)
  return Buffer.concat([sums, headBytes, footer])
}
