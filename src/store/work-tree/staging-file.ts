/** Git's index file: reading and writing. Source: git's Documentation/gitformat-index.txt, versions 2 to 4. */

import { createHash } from 'node:crypto'
import { type BigIntStats, closeSync, existsSync, fstatSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { WikiError } from '../../core/errors.ts'
import { contentSynced } from '../../files/durable.ts'
import { openFile, removeFile, renameOver, writeAll } from '../../files/private-files.ts'
import { largeFileCode, noFileCode, readOpen } from '../../files/read-file.ts'
import { pathBeside } from '../repository/lock-file.ts'
import { isSynced } from '../repository/sync-settings.ts'
import { bytesOfEntry, endOfEntry, headBytes, isExtendedAt, type StagedEntry } from './staging.ts'

/** An index of version 2 or 3 without extensions: its header, its entries, and room for the checksum. */
export interface IndexBytes {
  readonly bytes: Buffer
  /** Offsets of the entries. */
  readonly starts: Uint32Array
  /** Offset after the last entry. */
  readonly end: number
}

export const headerBytes = 12
const checksumBytes = 20
const minEntryBytes = 64

/** Reads an index; without entries if there is none. Throws `wiki-bad-repository` for unsupported and damaged ones. */
export function readIndexFile(path: string): IndexBytes {
  if (!existsSync(path)) return joinEntries([], 0)
  const bytes = readWhole(path)
  const { version, entries, end } = readEntries(bytes, path)
  // Those in capitals may be dropped; a split or sparse index is more than its entries.
  for (const { name } of extensionsOf(bytes, end))
    if (!/^[A-Z]/.test(name)) refuse(path, `its extension "${name}" is not known; turn off split and sparse index`)
  return version === 4 ? entries : { ...entries, bytes: bytes.subarray(0, end + checksumBytes) }
}

/** Makes an index of the bytes of entries, which are in git's order. */
export function joinEntries(pieces: readonly Uint8Array[], count: number): IndexBytes {
  const bytes = Buffer.concat([Buffer.alloc(headerBytes), ...pieces, Buffer.alloc(checksumBytes)])
  const laidOut = layOut(bytes, count)
  if (laidOut === null) throw new Error('entries of an index do not fit together')
  bytes.write('DIRC')
  bytes.writeUInt32BE(laidOut.starts.some(start => isExtendedAt(bytes, start)) ? 3 : 2, 4)
  bytes.writeUInt32BE(count, 8)
  return { bytes, ...laidOut }
}

/**
 * Returns the tree hash of git's index as a whole (its cache tree); null if git noted none, or if something was staged since. An
 * index that we wrote has none.
 */
export function cacheTreeOf(path: string): string | null {
  if (!existsSync(path) || isOurs(statSync(path, { bigint: true }))) return null
  const bytes = readWhole(path)
  if (!bytes.includes('TREE')) return null
  for (const { name, start } of extensionsOf(bytes, readEntries(bytes, path).end)) {
    if (name !== 'TREE') continue
    // The root has an empty name, the number of its entries or -1, that of its folders, and its hash.
    const root = /^\0(\d+) \d+\n/.exec(bytes.toString('latin1', start, start + 40))
    return root === null ? null : bytes.toString('hex', start + root[0].length, start + root[0].length + 20)
  }
  return null
}

/**
 * Writes an index file under another name, with its checksum; resolves to the function that replaces the file by it. Its content is
 * synced before: git refuses an empty index. Requires the file's lock.
 */
export async function prepareIndexFile(path: string, { bytes, end }: IndexBytes): Promise<() => void> {
  createHash('sha1').update(bytes.subarray(0, end)).digest().copy(bytes, end)
  const temporary = pathBeside(path, '-new')
  return removedIfRefused(temporary, async () => {
    const file = openFile(temporary, 'w')
    try {
      writeAll(file, bytes)
      if (isSynced(path, 'index')) await contentSynced(file)
    } finally {
      closeSync(file)
    }
    return () => {
      renameOver(temporary, path)
      ours = identityOf(statSync(path, { bigint: true }))
    }
  })
}

async function removedIfRefused<Result>(temporary: string, write: () => Promise<Result>): Promise<Result> {
  try {
    return await write()
  } catch (error) {
    removeFile(temporary)
    throw error
  }
}

/** Identifies the last index that this process wrote. Its checksum need not be computed again. */
let ours = ''

type Identity = Pick<BigIntStats, 'dev' | 'ino' | 'size' | 'mtimeNs' | 'ctimeNs'>

function identityOf({ dev, ino, size, mtimeNs, ctimeNs }: Identity): string {
  return `${dev} ${ino} ${size} ${mtimeNs} ${ctimeNs}`
}

function isOurs(stat: Identity): boolean {
  return identityOf(stat) === ours
}

/** Throws `wiki-bad-repository` if the checksum at the end is not valid. It is omitted with `index.skipHash`. */
function readWhole(path: string): Buffer {
  const file = openIndex(path)
  try {
    const isOwn = isOurs(fstatSync(file, { bigint: true }))
    const bytes = readOpenIndex(file, path)
    const end = bytes.length - checksumBytes
    if (end < headerBytes || bytes.toString('latin1', 0, 4) !== 'DIRC') refuse(path, damaged)
    const sum = bytes.subarray(end)
    const isWhole = () => createHash('sha1').update(bytes.subarray(0, end)).digest().equals(sum)
    if (!isOwn && !sum.every(byte => byte === 0) && !isWhole()) refuse(path, damaged)
    return bytes
  } finally {
    closeSync(file)
  }
}

function openIndex(path: string): number {
  try {
    return openFile(path, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === noFileCode) refuse(path, 'its index is a pipe')
    throw error
  }
}

function readOpenIndex(file: number, path: string): Buffer {
  try {
    return readOpen(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === largeFileCode) refuse(path, 'its index is too large')
    throw error
  }
}

interface ReadEntries {
  readonly version: number
  /** As an index of version 2 or 3. */
  readonly entries: IndexBytes
  /** Offset of the first extension. */
  readonly end: number
}

function readEntries(bytes: Buffer, path: string): ReadEntries {
  const [version, count] = [bytes.readUInt32BE(4), bytes.readUInt32BE(8)]
  if (version < 2 || version > 4) refuse(path, `version ${version} of its index is not known`)
  if (count > bytes.length) refuse(path, damaged)
  if (version === 4) return { version, ...readPacked(bytes, count, path) }
  const laidOut = layOut(bytes, count)
  if (laidOut === null) refuse(path, damaged)
  return { version, entries: { bytes, ...laidOut }, end: laidOut.end }
}

/** Finds the entries; null if they are more than the bytes. */
function layOut(bytes: Buffer, count: number): Pick<IndexBytes, 'starts' | 'end'> | null {
  const limit = bytes.length - checksumBytes
  if (count * minEntryBytes > limit) return null
  const starts = new Uint32Array(count)
  let end = headerBytes
  for (let row = 0; row < count; row++) {
    starts[row] = end
    end = endOfEntry(bytes, end, limit)
    if (end < 0) return null
  }
  return { starts, end }
}

/** Maximum expansion of an index of version 4. Entries of 62 bytes whose names share 900 bytes have less. */
const maxExpansion = 16

/** Version 4: each name has only what differs from the one before it. */
function readPacked(bytes: Buffer, count: number, path: string): Omit<ReadEntries, 'version'> {
  const entries: Buffer[] = []
  let [at, last] = [headerBytes, Buffer.alloc(0) as Buffer]
  let left = maxExpansion * bytes.length
  for (let row = 0; row < count; row++) {
    const read = readPackedEntry(bytes, at, last)
    if (read === null) refuse(path, damaged)
    const entry = bytesOfEntry(read.entry)
    left -= entry.length
    if (left < 0)
      refuse(path, 'the names in its index share too much; git update-index --index-version 2 writes them in full')
    entries.push(entry)
    last = read.entry.name
    at = read.end
  }
  return { entries: joinEntries(entries, count), end: at }
}

/** Null if the bytes end too early. */
function readPackedEntry(bytes: Buffer, at: number, last: Buffer): { entry: StagedEntry; end: number } | null {
  if (at + minEntryBytes - 1 > bytes.length - checksumBytes) return null
  const flags = bytes.readUInt16BE(at + headBytes)
  const nameAt = at + headBytes + (isExtendedAt(bytes, at) ? 4 : 2)
  const extendedFlags = isExtendedAt(bytes, at) ? bytes.readUInt16BE(nameAt - 2) : 0
  const removed = readVarint(bytes, nameAt)
  const nul = bytes.indexOf(0, removed.end)
  if (nul < 0) return null
  const name = Buffer.concat([last.subarray(0, last.length - removed.value), bytes.subarray(removed.end, nul)])
  return { entry: { name, head: bytes.subarray(at, at + headBytes), flags, extendedFlags }, end: nul + 1 }
}

function readVarint(bytes: Buffer, at: number): { value: number; end: number } {
  let byte = bytes[at] as number
  let value = byte & 127
  let end = at + 1
  while (byte & 128) {
    byte = bytes[end++] as number
    value = (value + 1) * 128 + (byte & 127)
  }
  return { value, end }
}

function* extensionsOf(bytes: Buffer, first: number): Iterable<{ readonly name: string; readonly start: number }> {
  for (let at = first; at + 8 <= bytes.length - checksumBytes; at += 8 + bytes.readUInt32BE(at + 4))
    yield { name: bytes.toString('latin1', at, at + 4), start: at + 8 }
}

const damaged = 'its index is damaged'

/** Advice for an index that git cannot read either. */
export const damagedHint =
  'Make it again from the last commit: remove the file index of the git directory, then run: git reset. The files stay as they are'

function refuse(path: string, reason: string): never {
  const hint = reason === damaged && { hint: damagedHint }
  throw new WikiError('wiki-bad-repository', { params: [dirname(path), reason], ...hint })
}
