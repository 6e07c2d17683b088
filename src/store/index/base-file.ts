/**
 * The base file: regions, then the checksums of their blocks, then a JSON header, then a footer of fixed size. It is written
 * under a temporary name and renamed, and never changed afterwards.
 */

import { closeSync, fstatSync, mkdirSync, openSync, readSync, renameSync, rmSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { BlockFile, blockSums, type Region } from './bytes.ts'
import { checksum } from './checksum.ts'

const magic = 'WIKIIDX1'
/** Magic (8), length of the sums (4), of the header (4), checksum of both (4), length of the data (8). */
const footerBytes = 28

export interface BaseFile<Header> {
  readonly file: BlockFile
  readonly header: Header
  readonly regions: Readonly<Record<string, Region>>
}

/** Opens a base file; null where there is none or it is not whole. */
export function openBase<Header>(path: string): BaseFile<Header> | null {
  let file: number
  try {
    file = openSync(path, 'r')
  } catch {
    return null
  }
  try {
    return readEnd<Header>(path, file)
  } finally {
    closeSync(file)
  }
}

function readEnd<Header>(path: string, file: number): BaseFile<Header> | null {
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
  return { file: new BlockFile(path, dataLength, end.subarray(0, sumsLength)), header, regions }
}

function read(file: number, offset: number, length: number): Buffer | null {
  const bytes = Buffer.allocUnsafe(length)
  return readSync(file, bytes, 0, length, offset) === length ? bytes : null
}

/** Writes a base file in place of the one that is there; `header` is made of a checksum of the contents. */
export function writeBase(
  path: string,
  header: (checksum: number) => unknown,
  contents: Readonly<Record<string, Buffer>>,
): void {
  const regions: Record<string, Region> = {}
  let offset = 0
  for (const [name, bytes] of Object.entries(contents)) {
    regions[name] = { offset, length: bytes.length }
    offset += bytes.length
  }
  const data = Buffer.concat(Object.values(contents))
  const sums = blockSums(data)
  const head = Buffer.from(JSON.stringify({ header: header(checksum(sums)), regions }))
  const footer = Buffer.alloc(footerBytes)
  footer.write(magic, 0, 'latin1')
  footer.writeUInt32LE(sums.length, 8)
  footer.writeUInt32LE(head.length, 12)
  footer.writeUInt32LE(checksum(Buffer.concat([sums, head])), 16)
  footer.writeDoubleLE(data.length, 20)
  replaceFile(path, [data, sums, head, footer])
}

function replaceFile(path: string, parts: readonly Buffer[]): void {
  mkdirSync(dirname(path), { recursive: true })
  const temporary = `${path}.${process.pid}.tmp`
  const file = openSync(temporary, 'w')
  try {
    for (const part of parts) for (let at = 0; at < part.length; ) at += writeSync(file, part, at)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  } finally {
    closeSync(file)
  }
  renameSync(temporary, path)
}
