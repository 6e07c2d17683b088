/**
 * Git's index file, which stages a work tree's next commit (not to be confused with the revision index). Source: git's
 * Documentation/gitformat-index.txt, versions 2 to 4.
 */

import { createHash } from 'node:crypto'
import { type BigIntStats, existsSync, readFileSync } from 'node:fs'
import { WikiError } from '../../core/errors.ts'
import { renameFile, writeFile } from '../../files/private-files.ts'
import { fitModes } from '../repository/shared-modes.ts'

export interface StagedEntry {
  /** Bytes of the path, which need not be UTF-8. */
  readonly name: Buffer
  /** The 60 bytes before the flags: times, device, mode, owner, size, hash. */
  readonly head: Buffer
  readonly flags: number
  readonly extendedFlags: number
}

const headBytes = 12
const entryHeadBytes = 60
const fixedBytes = entryHeadBytes + 2
const checksumBytes = 20
const extendedFlag = 0x4000
const statLength = 40
const modifiedAt = 8
const deviceAt = 16
const skipWorktree = 0x4000
const intentToAdd = 0x2000
const nameMask = 0xfff
const stageMask = 0x3000

/** Reads the entries; empty if there is no index yet. Throws `wiki-bad-repository` for unsupported indexes. */
export function readStaging(path: string): StagedEntry[] {
  if (!existsSync(path)) return []
  const bytes = readFileSync(path)
  const { entries, end } = readEntries(bytes, path)
  checkExtensions(bytes, end, path)
  return entries
}

function readEntries(bytes: Buffer, path: string): { readonly entries: StagedEntry[]; readonly end: number } {
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
    last = read.entry.name
    at = read.end
  }
  return { entries, end: at }
}

/**
 * Returns the tree hash of git's index as a whole (its cache tree); null if git noted none, or if something was staged since. An
 * index that we wrote has none.
 */
export function cacheTreeOf(path: string): string | null {
  if (!existsSync(path)) return null
  const bytes = readFileSync(path)
  if (!bytes.includes('TREE')) return null
  for (const { name, start } of extensionsOf(bytes, readEntries(bytes, path).end)) {
    if (name !== 'TREE') continue
    // The root has an empty name, the number of its entries or -1, that of its folders, and its hash.
    const root = /^\0(\d+) \d+\n/.exec(bytes.toString('latin1', start, start + 40))
    return root === null ? null : bytes.toString('hex', start + root[0].length, start + root[0].length + 20)
  }
  return null
}

/** Returns true if the checksum at the end is valid, or omitted, as with `index.skipHash`. */
function isWhole(bytes: Buffer): boolean {
  const end = bytes.length - checksumBytes
  if (end < headBytes || bytes.toString('latin1', 0, 4) !== 'DIRC') return false
  const sum = bytes.subarray(end)
  return sum.every(byte => byte === 0) || createHash('sha1').update(bytes.subarray(0, end)).digest().equals(sum)
}

/** Null if the bytes end too early. */
function readEntry(
  bytes: Buffer,
  at: number,
  version: number,
  last: Buffer,
): { entry: StagedEntry; end: number } | null {
  if (at + fixedBytes > bytes.length - checksumBytes) return null
  const flags = bytes.readUInt16BE(at + entryHeadBytes)
  const isExtended = version >= 3 && (flags & extendedFlag) !== 0
  const extendedFlags = isExtended ? bytes.readUInt16BE(at + fixedBytes) : 0
  const start = at + fixedBytes + (isExtended ? 2 : 0)
  const shared = version === 4 ? readVarint(bytes, start) : null
  const nul = bytes.indexOf(0, shared?.end ?? start)
  if (nul < 0) return null
  const rest = bytes.subarray(shared?.end ?? start, nul)
  const name = shared === null ? rest : Buffer.concat([last.subarray(0, last.length - shared.value), rest])
  const end = version === 4 ? nul + 1 : at + ((nul - at + 8) & ~7)
  return { entry: { name, head: bytes.subarray(at, at + entryHeadBytes), flags, extendedFlags }, end }
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
  for (const { name } of extensionsOf(bytes, start))
    if (!/^[A-Z]/.test(name)) refuse(path, `its extension "${name}" is not known; turn off split and sparse index`)
}

function* extensionsOf(bytes: Buffer, first: number): Iterable<{ readonly name: string; readonly start: number }> {
  for (let at = first; at + 8 <= bytes.length - checksumBytes; at += 8 + bytes.readUInt32BE(at + 4))
    yield { name: bytes.toString('latin1', at, at + 4), start: at + 8 }
}

function refuse(path: string, reason: string): never {
  throw new WikiError('wiki-bad-repository', { params: [path, reason] })
}

/**
 * Writes the entries as the new index. Requires `index.lock`. `mark`, 32 bits, replaces the device in all entries: git ignores it
 * (unless it was built with USE_STDEV, and then only reads the files once more) and keeps it until it recreates an entry. It
 * identifies indexes that derive from this one.
 */
export function writeStaging(path: string, entries: readonly StagedEntry[], mark?: number): void {
  const rows = entries.toSorted((a, b) => Buffer.compare(a.name, b.name) || stageOf(a) - stageOf(b))
  const length = rows.reduce((sum, entry) => sum + entryLength(entry), headBytes)
  const bytes = Buffer.alloc(length + checksumBytes)
  bytes.write('DIRC')
  bytes.writeUInt32BE(rows.some(isExtended) ? 3 : 2, 4)
  bytes.writeUInt32BE(rows.length, 8)
  let at = headBytes
  for (const entry of rows) {
    const start = at
    at = writeEntry(bytes, start, entry)
    if (mark !== undefined && stageOf(entry) === 0) bytes.writeUInt32BE(mark, start + deviceAt)
  }
  replace(path, bytes)
}

/** Appends the checksum, and replaces the index. */
function replace(path: string, bytes: Buffer): void {
  const length = bytes.length - checksumBytes
  createHash('sha1').update(bytes.subarray(0, length)).digest().copy(bytes, length)
  const temporary = `${path}.lock.new`
  writeFile(temporary, bytes)
  fitModes(temporary)
  renameFile(temporary, path)
}

/**
 * Sets the fields before the flags in a few entries of an index that `writeStaging` wrote, all but the mark. Writing all would
 * take longer.
 */
export function patchStaging(path: string, entries: readonly StagedEntry[]): void {
  const bytes = readFileSync(path)
  for (const { name, head } of entries) {
    const at = findEntry(bytes, name)
    const mark = bytes.readUInt32BE(at + deviceAt)
    head.copy(bytes, at)
    bytes.writeUInt32BE(mark, at + deviceAt)
  }
  replace(path, bytes)
}

function findEntry(bytes: Buffer, name: Buffer): number {
  for (let at = headBytes; at < bytes.length - checksumBytes; ) {
    const flags = bytes.readUInt16BE(at + entryHeadBytes)
    const start = at + fixedBytes + (flags & extendedFlag ? 2 : 0)
    const end = (flags & nameMask) < nameMask ? start + (flags & nameMask) : bytes.indexOf(0, start)
    if (
      (flags & stageMask) === 0 &&
      end - start === name.length &&
      bytes.compare(name, 0, name.length, start, end) === 0
    )
      return at
    at += (end - at + 8) & ~7
  }
  throw new Error(`no entry of ${name} in the index`)
}

function isExtended({ extendedFlags }: StagedEntry): boolean {
  return extendedFlags !== 0
}

function entryLength(entry: StagedEntry): number {
  return (fixedBytes + (isExtended(entry) ? 2 : 0) + entry.name.length + 8) & ~7
}

/** Returns the offset of the next entry. */
function writeEntry(bytes: Buffer, at: number, entry: StagedEntry): number {
  const { name, head, flags, extendedFlags } = entry
  const extended = isExtended(entry)
  head.copy(bytes, at)
  bytes.writeUInt16BE(
    (flags & 0xb000) | Math.min(name.length, nameMask) | (extended ? extendedFlag : 0),
    at + entryHeadBytes,
  )
  if (extended) bytes.writeUInt16BE(extendedFlags, at + fixedBytes)
  name.copy(bytes, at + fixedBytes + (extended ? 2 : 0))
  return at + entryLength(entry)
}

/** 0, or 1 to 3 for the sides of a conflict. */
export function stageOf({ flags }: StagedEntry): number {
  return (flags >> 12) & 3
}

/** Returns true if the file is meant to be absent from the work tree. */
export function isSkipped({ extendedFlags }: StagedEntry): boolean {
  return (extendedFlags & skipWorktree) !== 0
}

/** The entry of a file that is meant to be absent from the work tree. */
export function asSkipped(entry: StagedEntry): StagedEntry {
  return { ...entry, extendedFlags: entry.extendedFlags | skipWorktree }
}

/** Returns true if the entry only announces a file (`git add -N`): no content of it is staged. */
export function isAnnounced({ extendedFlags }: StagedEntry): boolean {
  return (extendedFlags & intentToAdd) !== 0
}

/** The entry's flags after a content is staged. */
export function stagedMarks({ extendedFlags }: StagedEntry): number {
  return extendedFlags & ~intentToAdd
}

/** Returns true if git, or the wiki, has found the file to match the entry. Only then does the entry hold the file's times. */
export function isSeen({ head }: StagedEntry): boolean {
  return head.readUInt32BE(modifiedAt) !== 0
}

/** Hash of an entry's blob. */
export function stagedHash({ head }: StagedEntry): string {
  return head.toString('hex', statLength)
}

/** Returns the mark in an entry's device field: see `writeStaging`. */
export function stagedMark({ head }: StagedEntry): number {
  return head.readUInt32BE(deviceAt)
}

/** Mode of an entry, as in a tree. */
export function stagedMode({ head }: StagedEntry): number {
  return head.readUInt32BE(24)
}

/** Creates an entry for a work-tree file; without a file git compares the content at its next check. */
export function stagedEntry(path: string, hash: string, mode: number, stat: BigIntStats | null): StagedEntry {
  const head = Buffer.concat([statBytes(mode, stat), Buffer.from(hash, 'hex')])
  return { name: Buffer.from(path), head, flags: 0, extendedFlags: 0 }
}

function statBytes(mode: number, stat: BigIntStats | null): Buffer {
  const bytes = Buffer.alloc(statLength)
  bytes.writeUInt32BE(mode, 24)
  if (stat === null) return bytes
  const fields: [bigint, number][] = [
    [stat.ctimeNs / 1_000_000_000n, 0],
    [stat.ctimeNs % 1_000_000_000n, 4],
    [stat.mtimeNs / 1_000_000_000n, 8],
    [stat.mtimeNs % 1_000_000_000n, 12],
    [stat.dev, deviceAt],
    [stat.ino, 20],
    [stat.uid, 28],
    [stat.gid, 32],
    [stat.size, 36],
  ]
  for (const [value, at] of fields) bytes.writeUInt32BE(Number(value & 0xffffffffn), at)
  return bytes
}
