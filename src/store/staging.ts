/**
 * Git's index file, in which a work tree's next commit is staged (not to be confused with the revision index).
 * Source: git's Documentation/gitformat-index.txt, versions 2 to 4.
 */

import { createHash } from 'node:crypto'
import { type BigIntStats, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { WikiError } from '../core/errors.ts'

export interface StagedEntry {
  readonly path: string
  readonly hash: string
  /** 0, or 1 to 3 for the sides of a conflict. */
  readonly stage: number
  /** The file is meant to be absent from the work tree. */
  readonly isSkipped: boolean
  /** The 40 bytes before the hash: times, device, mode, owner, size. */
  readonly stat: Buffer
  readonly flags: number
  readonly extendedFlags: number
}

const headBytes = 12
const fixedBytes = 62
const checksumBytes = 20
const extendedFlag = 0x4000
const skipWorktree = 0x4000

/** Reads the entries; none where there is no index yet. Throws `wiki-bad-repository` for what cannot be written back. */
export function readStaging(path: string): StagedEntry[] {
  if (!existsSync(path)) return []
  const bytes = readFileSync(path)
  if (!isWhole(bytes)) refuse(path, 'its index is damaged')
  const version = bytes.readUInt32BE(4)
  if (version < 2 || version > 4) refuse(path, `version ${version} is not known`)
  const entries: StagedEntry[] = []
  let at = headBytes
  let last: Buffer = Buffer.alloc(0)
  for (let count = bytes.readUInt32BE(8); count > 0; count--) {
    const read = readEntry(bytes, at, version, last)
    if (read === null) refuse(path, 'its index is damaged')
    entries.push(read.entry)
    last = read.name
    at = read.end
  }
  checkExtensions(bytes, at, path)
  return entries
}

/** Whether the checksum at the end is right, or left out, as git does where `index.skipHash` is set. */
function isWhole(bytes: Buffer): boolean {
  const end = bytes.length - checksumBytes
  if (end < headBytes || bytes.toString('latin1', 0, 4) !== 'DIRC') return false
  const sum = bytes.subarray(end)
  return sum.every(byte => byte === 0) || createHash('sha1').update(bytes.subarray(0, end)).digest().equals(sum)
}

/** Null where the bytes end first. */
function readEntry(
  bytes: Buffer,
  at: number,
  version: number,
  last: Buffer,
): { entry: StagedEntry; name: Buffer; end: number } | null {
  if (at + fixedBytes > bytes.length - checksumBytes) return null
  const flags = bytes.readUInt16BE(at + 60)
  const isExtended = version >= 3 && (flags & extendedFlag) !== 0
  const extendedFlags = isExtended ? bytes.readUInt16BE(at + fixedBytes) : 0
  let start = at + fixedBytes + (isExtended ? 2 : 0)
  let name: Buffer = Buffer.alloc(0)
  if (version === 4) {
    const strip = readVarint(bytes, start)
    start = strip.end
    name = last.subarray(0, last.length - strip.value)
  }
  const nul = bytes.indexOf(0, start)
  if (nul < 0) return null
  name = Buffer.concat([name, bytes.subarray(start, nul)])
  const end = version === 4 ? nul + 1 : at + ((nul - at + 8) & ~7)
  const entry = {
    path: name.toString('utf8'),
    hash: bytes.toString('hex', at + 40, at + 60),
    stage: (flags >> 12) & 3,
    isSkipped: (extendedFlags & skipWorktree) !== 0,
    stat: bytes.subarray(at, at + 40),
    flags,
    extendedFlags,
  }
  return { entry, name, end }
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

/** Extensions in capitals may be dropped; a split or sparse index is more than its entries. */
function checkExtensions(bytes: Buffer, start: number, path: string): void {
  for (let at = start; at + 8 <= bytes.length - checksumBytes; at += 8 + bytes.readUInt32BE(at + 4)) {
    const name = bytes.toString('latin1', at, at + 4)
    if (!/^[A-Z]/.test(name)) refuse(path, `its extension "${name}" is not known; turn off split and sparse index`)
  }
}

function refuse(path: string, reason: string): never {
  throw new WikiError('wiki-bad-repository', { params: [path, reason] })
}

/** Writes the entries in place of the index. Only the holder of `index.lock` may. */
export function writeStaging(path: string, entries: readonly StagedEntry[]): void {
  const rows = entries.map(entry => ({ entry, name: Buffer.from(entry.path) }))
  rows.sort((a, b) => Buffer.compare(a.name, b.name) || a.entry.stage - b.entry.stage)
  const head = Buffer.alloc(headBytes)
  head.write('DIRC')
  head.writeUInt32BE(rows.some(({ entry }) => entry.extendedFlags !== 0) ? 3 : 2, 4)
  head.writeUInt32BE(rows.length, 8)
  const body = Buffer.concat([head, ...rows.map(({ entry, name }) => serializeEntry(entry, name))])
  const temporary = `${path}.lock.new`
  writeFileSync(temporary, Buffer.concat([body, createHash('sha1').update(body).digest()]))
  renameSync(temporary, path)
}

function serializeEntry(entry: StagedEntry, name: Buffer): Buffer {
  const isExtended = entry.extendedFlags !== 0
  const start = fixedBytes + (isExtended ? 2 : 0)
  const bytes = Buffer.alloc((start + name.length + 8) & ~7)
  entry.stat.copy(bytes)
  bytes.write(entry.hash, 40, 'hex')
  const flags = (entry.flags & 0xb000) | Math.min(name.length, 0xfff) | (isExtended ? extendedFlag : 0)
  bytes.writeUInt16BE(flags, 60)
  if (isExtended) bytes.writeUInt16BE(entry.extendedFlags, fixedBytes)
  name.copy(bytes, start)
  return bytes
}

/** Makes an entry for a file as it lies in the work tree; without one git compares the content at its next look. */
export function stagedEntry(path: string, hash: string, mode: number, stat: BigIntStats | null): StagedEntry {
  return { path, hash, stage: 0, isSkipped: false, stat: statBytes(mode, stat), flags: 0, extendedFlags: 0 }
}

function statBytes(mode: number, stat: BigIntStats | null): Buffer {
  const bytes = Buffer.alloc(40)
  bytes.writeUInt32BE(mode, 24)
  if (stat === null) return bytes
  const fields: [bigint, number][] = [
    [stat.ctimeNs / 1_000_000_000n, 0],
    [stat.ctimeNs % 1_000_000_000n, 4],
    [stat.mtimeNs / 1_000_000_000n, 8],
    [stat.mtimeNs % 1_000_000_000n, 12],
    [stat.dev, 16],
    [stat.ino, 20],
    [stat.uid, 28],
    [stat.gid, 32],
    [stat.size, 36],
  ]
  for (const [value, at] of fields) bytes.writeUInt32BE(Number(value & 0xffffffffn), at)
  return bytes
}

/** Mode of an entry, as in a tree. */
export function stagedMode(entry: StagedEntry): number {
  return entry.stat.readUInt32BE(24)
}
