/**
 * Entries of git's index, which stages a work tree's next commit (not to be confused with the revision index). Source: git's
 * Documentation/gitformat-index.txt.
 */

import type { BigIntStats } from 'node:fs'

export interface StagedEntry {
  /** Bytes of the path, which need not be UTF-8. */
  readonly name: Buffer
  /** The 60 bytes before the flags: times, device, mode, owner, size, hash. */
  readonly head: Buffer
  readonly flags: number
  readonly extendedFlags: number
}

/** Bytes of an entry before its flags. */
export const headBytes = 60
const fixedBytes = headBytes + 2
const statLength = 40
const modifiedAt = 8
/** Holds the wiki's mark: see `StagingTable.write`. */
const deviceAt = 16
const modeAt = 24
const extendedFlag = 0x4000
/** "Assume valid", and the stage. */
const copiedFlags = 0xb000
const nameMask = 0xfff
const skipWorktree = 0x4000
const intentToAdd = 0x2000

/** An entry of version 2 or 3 in the bytes of an index. */
export interface EntryPlace {
  readonly start: number
  readonly nameStart: number
  readonly nameEnd: number
}

/** Finds the parts of the entry that begins at `start`. */
export function placeOfEntry(bytes: Buffer, start: number): EntryPlace {
  const nameStart = start + fixedBytes + (isExtendedAt(bytes, start) ? 2 : 0)
  const length = flagsAt(bytes, start) & nameMask
  return { start, nameStart, nameEnd: length < nameMask ? nameStart + length : bytes.indexOf(0, nameStart) }
}

/** Returns the start of the next entry; -1 if the entry does not end before `limit`. It is called for every entry of an index. */
export function endOfEntry(bytes: Buffer, start: number, limit: number): number {
  if (start + fixedBytes + 2 > limit) return -1
  const nameStart = start + fixedBytes + (isExtendedAt(bytes, start) ? 2 : 0)
  const length = flagsAt(bytes, start) & nameMask
  const nameEnd = length < nameMask ? nameStart + length : bytes.indexOf(0, nameStart)
  const end = start + ((nameEnd - start + 8) & ~7)
  return nameEnd < nameStart || end > limit || bytes[nameEnd] !== 0 ? -1 : end
}

/** Returns true if the entry that begins at `start` has extended flags. */
export function isExtendedAt(bytes: Buffer, start: number): boolean {
  return (flagsAt(bytes, start) & extendedFlag) !== 0
}

/** Stage of the entry that begins at `start`. */
export function stageAt(bytes: Buffer, start: number): number {
  return ((bytes[start + headBytes] as number) >> 4) & 3
}

/** Returns the mark of the entry that begins at `start`. */
export function markIn(bytes: Buffer, start: number): number {
  return bytes.readUInt32BE(start + deviceAt)
}

/** Sets the mark of the entry that begins at `start`, unless it is a side of a conflict. It is called for every entry of an index. */
export function markAt(bytes: Buffer, start: number, mark: number): void {
  if (stageAt(bytes, start) !== 0) return
  const at = start + deviceAt
  bytes[at] = mark >>> 24
  bytes[at + 1] = mark >>> 16
  bytes[at + 2] = mark >>> 8
  bytes[at + 3] = mark
}

function flagsAt(bytes: Buffer, start: number): number {
  return ((bytes[start + headBytes] as number) << 8) | (bytes[start + headBytes + 1] as number)
}

/** Reads an entry. It keeps its values when the bytes change. */
export function entryIn(bytes: Buffer, { start, nameStart, nameEnd }: EntryPlace): StagedEntry {
  const copy = Buffer.from(bytes.subarray(start, nameEnd))
  const flags = copy.readUInt16BE(headBytes)
  const extendedFlags = flags & extendedFlag ? copy.readUInt16BE(fixedBytes) : 0
  return { name: copy.subarray(nameStart - start), head: copy.subarray(0, headBytes), flags, extendedFlags }
}

/** Returns the entry as an index of version 2 has it; of version 3, if it has extended flags. */
export function bytesOfEntry({ name, head, flags, extendedFlags }: StagedEntry): Buffer {
  const nameStart = fixedBytes + (extendedFlags === 0 ? 0 : 2)
  const bytes = Buffer.alloc((nameStart + name.length + 8) & ~7)
  head.copy(bytes)
  const writtenFlags =
    (flags & copiedFlags) | Math.min(name.length, nameMask) | (extendedFlags === 0 ? 0 : extendedFlag)
  bytes.writeUInt16BE(writtenFlags, headBytes)
  if (extendedFlags !== 0) bytes.writeUInt16BE(extendedFlags, fixedBytes)
  name.copy(bytes, nameStart)
  return bytes
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

/** The entry of a file that the work tree has again. */
export function asPresent(entry: StagedEntry): StagedEntry {
  return { ...entry, extendedFlags: entry.extendedFlags & ~skipWorktree }
}

/** Returns true if the entry only announces a file (`git add -N`): no content of it is staged. */
export function isAnnounced({ extendedFlags }: StagedEntry): boolean {
  return (extendedFlags & intentToAdd) !== 0
}

/** The entry's flags after a content is staged. */
export function flagsOnceStaged({ extendedFlags }: StagedEntry): number {
  return extendedFlags & ~intentToAdd
}

/** Returns true if git, or the wiki, has found the file to match the entry. Only then does the entry hold the file's times. */
export function isSeen({ head }: StagedEntry): boolean {
  return head.readUInt32BE(modifiedAt) !== 0
}

/** Returns true if an entry holds the times, owner and size of this file. Its device may be the wiki's mark. */
export function hasTimesOf({ head }: StagedEntry, stat: BigIntStats): boolean {
  const [noted, found] = [Buffer.from(head.subarray(0, statLength)), statBytes(0, stat)]
  for (const bytes of [noted, found]) bytes.fill(0, deviceAt, deviceAt + 4).fill(0, modeAt, modeAt + 4)
  return noted.equals(found)
}

/** Hash of an entry's blob. */
export function stagedHash({ head }: StagedEntry): string {
  return head.toString('hex', statLength)
}

/** Mode of an entry, as in a tree. */
export function stagedMode({ head }: StagedEntry): number {
  return head.readUInt32BE(modeAt)
}

/** Creates an entry for a work-tree file; without a file git compares the content at its next check. */
export function stagedEntry(path: string, hash: string, mode: number, stat: BigIntStats | null): StagedEntry {
  const head = Buffer.concat([statBytes(mode, stat), Buffer.from(hash, 'hex')])
  return { name: Buffer.from(path), head, flags: 0, extendedFlags: 0 }
}

function statBytes(mode: number, stat: BigIntStats | null): Buffer {
  const bytes = Buffer.alloc(statLength)
  bytes.writeUInt32BE(mode, modeAt)
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
