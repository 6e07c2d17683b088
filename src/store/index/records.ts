/**
 * The fixed-size records of the index. Ordinals count from 0 in the order of numbering and never change; strings lie in a
 * heap and are named by offset and length in bytes.
 */

import type { ContentModel } from '../../core/content-models.ts'
import { type HideablePart, hideableParts } from '../../core/wiki-config.ts'
import type { GrowingBytes } from './bytes.ts'

/** Stored as the index in this list: append only. */
const modelCodes: readonly ContentModel[] = ['wikitext', 'markdown', 'json', 'css', 'javascript', 'text']

export interface HeapSlice {
  readonly offset: number
  readonly length: number
}

export const revisionBytes = 66
export const commitBytes = 44
export const authorBytes = 12
export const userBytes = 8
export const pageBytes = 48
export const fileBytes = 44

/** No revision: the page's first has no predecessor. */
const none = 0xffffffff

/** Bits of a revision's flags. `hidden`: a part of it was hidden in the wiki that it was imported from. */
export const flagBits = { reverted: 1, minor: 2, bot: 4, anonymous: 8, hidden: 16 } as const

export type RevisionFlag = keyof typeof flagBits

const flagNames = Object.keys(flagBits) as readonly RevisionFlag[]

/** Counters of a page's history up to a revision, with their offsets in its record. */
const counters = { sequence: 36, reverted: 46, minor: 50, bot: 54, anonymous: 58, hidden: 62 } as const

export type Counter = keyof typeof counters

export interface RevisionRecord {
  /** Ordinal of its page. */
  readonly page: number
  /** Ordinal of the page's preceding revision, or null. */
  readonly previous: number | null
  /** Ordinal of its commit. */
  readonly commit: number
  readonly blob: string
  /** Bytes. */
  readonly size: number
  /** Place in its page's history, from 1. */
  readonly sequence: number
  readonly model: ContentModel
  /** Sum of `flagBits`. */
  readonly flags: number
}

/** Writes a revision at an offset; `before` is the encoded preceding one, `jump` an ordinal: see `RevisionLog.reaching`. */
export function writeRevision(
  bytes: Buffer,
  at: number,
  revision: RevisionRecord,
  { before, jump }: { readonly before: Buffer | null; readonly jump: number },
): void {
  bytes.writeUInt32LE(revision.page, at)
  bytes.writeUInt32LE(revision.previous ?? none, at + 4)
  bytes.writeUInt32LE(revision.commit, at + 8)
  bytes.write(revision.blob, at + 12, 'hex')
  bytes.writeUInt32LE(revision.size, at + 32)
  bytes.writeUInt32LE(revision.sequence, at + 36)
  bytes[at + 40] = modelCodes.indexOf(revision.model)
  bytes[at + 41] = revision.flags
  bytes.writeUInt32LE(jump, at + 42)
  for (const flag of flagNames) {
    const more = Number((revision.flags & flagBits[flag]) !== 0)
    bytes.writeUInt32LE((before === null ? 0 : counterIn(before, flag)) + more, at + counters[flag])
  }
}

/** Decodes a revision. */
export function decodeRevision(bytes: Buffer): RevisionRecord {
  return {
    page: bytes.readUInt32LE(0),
    previous: previousIn(bytes),
    commit: bytes.readUInt32LE(8),
    // A getter, because most readers of many revisions use other members.
    get blob() {
      return bytes.toString('hex', 12, 32)
    },
    size: bytes.readUInt32LE(32),
    sequence: bytes.readUInt32LE(36),
    model: modelCodes[bytes[40] as number] as ContentModel,
    flags: bytes[41] as number,
  }
}

/** Blob hash of an encoded revision, as bytes. */
export function blobBytes(bytes: Buffer): Buffer {
  return bytes.subarray(12, 32)
}

/** The first four bytes of an encoded revision's blob hash, which distinguish most blobs. */
export function blobStart(bytes: Buffer): number {
  return bytes.readUInt32LE(12)
}

/** Ordinal of the preceding revision of an encoded one. */
export function previousIn(bytes: Buffer): number | null {
  const previous = bytes.readUInt32LE(4)
  return previous === none ? null : previous
}

/** Ordinal of a much earlier revision that an encoded one names: itself for the page's first. */
export function jumpIn(bytes: Buffer): number {
  return bytes.readUInt32LE(42)
}

/** Reads a counter of a page's history up to an encoded revision. */
export function counterIn(bytes: Buffer, counter: Counter): number {
  return bytes.readUInt32LE(counters[counter])
}

/** Sets the size of an encoded revision. */
export function writeSize(bytes: Buffer, size: number): void {
  bytes.writeUInt32LE(size, 32)
}

export interface CommitRecord {
  readonly hash: string
  /** Author time, seconds since 1970, UTC. */
  readonly time: number
  /** Ordinal of its author. */
  readonly author: number
  readonly comment: HeapSlice
  readonly minor: boolean
  readonly bot: boolean
  readonly reverts: boolean
  /** On the main line. */
  readonly onChain: boolean
  /** Parts of the revision that were hidden in the wiki that it was imported from. */
  readonly hidden: readonly HideablePart[]
}

/** Writes a commit at an offset. */
export function writeCommit(
  bytes: Buffer,
  at: number,
  commit: Omit<CommitRecord, 'comment'>,
  comment: HeapSlice,
): void {
  bytes.write(commit.hash, at, 'hex')
  bytes.writeDoubleLE(commit.time, at + 20)
  bytes.writeUInt32LE(commit.author, at + 28)
  bytes.writeUIntLE(comment.offset, at + 32, 6)
  bytes.writeUInt32LE(comment.length, at + 38)
  bytes[at + 42] =
    Number(commit.minor) | (Number(commit.bot) << 1) | (Number(commit.reverts) << 2) | (Number(commit.onChain) << 3)
  let hidden = 0
  for (const part of commit.hidden) hidden |= hiddenBit(part)
  bytes[at + 43] = hidden
}

/** Decodes a commit. */
export function decodeCommit(bytes: Buffer): CommitRecord {
  const flags = bytes[42] as number
  return {
    get hash() {
      return bytes.toString('hex', 0, 20)
    },
    time: bytes.readDoubleLE(20),
    author: bytes.readUInt32LE(28),
    comment: { offset: bytes.readUIntLE(32, 6), length: bytes.readUInt32LE(38) },
    minor: (flags & 1) !== 0,
    bot: (flags & 2) !== 0,
    reverts: (flags & 4) !== 0,
    onChain: (flags & 8) !== 0,
    hidden: hiddenIn(bytes[43] as number),
  }
}

const nothing: readonly HideablePart[] = []

function hiddenIn(bits: number): readonly HideablePart[] {
  return bits === 0 ? nothing : hideableParts.filter(part => (bits & hiddenBit(part)) !== 0)
}

function hiddenBit(part: HideablePart): number {
  return 1 << hideableParts.indexOf(part)
}

/** An author of commits: a user under one of the names they used. */
export interface AuthorRow {
  /** Ordinal of the address by first appearance, from 1; null for an anonymous edit. */
  readonly user: number | null
  readonly name: string
}

/** A page as the index holds it, also after it was deleted. */
export interface PageRow {
  readonly path: string
  /** Prefixed title in URL form; "" if the path makes no legal title. */
  readonly key: string
  readonly namespace: number
  readonly model: ContentModel
  /** Ordinals. */
  readonly first: number
  readonly latest: number
  readonly edits: number
  /** Target title of a redirect, else null. */
  readonly redirect: string | null
  readonly deleted: boolean
  /** Ordinal of the commit that deleted it; null while it exists. */
  readonly deletedBy: number | null
}

export interface FileRow {
  readonly path: string
  readonly key: string
  readonly blob: string
  /** Bytes. */
  readonly size: number
  /** Ordinal of the commit that added this content. */
  readonly commit: number
}

/** Assigns consecutive places in a heap to strings. The heap itself is written from the same strings later. */
export class HeapPlaces {
  #length = 0

  add(text: string): HeapSlice {
    return this.take(Buffer.byteLength(text))
  }

  /** Assigns a place to this many bytes. */
  take(length: number): HeapSlice {
    const offset = this.#length
    this.#length += length
    return { offset, length }
  }
}

/** Reads strings from a heap. */
export type HeapReader = (slice: HeapSlice) => string

/** Returns a reader of the strings in a heap. */
export function heapReader(heap: GrowingBytes): HeapReader {
  return ({ offset, length }) => heap.read(offset, length).toString('utf8')
}

/** Encodes an author. */
export function encodeAuthor(row: AuthorRow, heap: HeapPlaces): Buffer {
  const bytes = Buffer.alloc(authorBytes)
  bytes.writeUInt32LE(row.user ?? 0, 0)
  writeSlice(bytes, 4, heap.add(row.name))
  return bytes
}

/** User of an encoded author. */
export function userIn(bytes: Buffer): number | null {
  return bytes.readUInt32LE(0) || null
}

/** Decodes an author. */
export function decodeAuthor(bytes: Buffer, heap: HeapReader): AuthorRow {
  return { user: userIn(bytes), name: heap(readSlice(bytes, 4)) }
}

/** Encodes a user's address. */
export function encodeUser(address: string, heap: HeapPlaces): Buffer {
  const bytes = Buffer.alloc(userBytes)
  writeSlice(bytes, 0, heap.add(address))
  return bytes
}

/** Decodes a user's address. */
export function decodeUser(bytes: Buffer, heap: HeapReader): string {
  return heap(readSlice(bytes, 0))
}

/** Encodes a page. */
export function encodePage(row: PageRow, heap: HeapPlaces): Buffer {
  const bytes = Buffer.alloc(pageBytes)
  writeSlice(bytes, 0, heap.add(row.path))
  writeSlice(bytes, 8, heap.add(row.key))
  if (row.redirect !== null) writeSlice(bytes, 16, heap.add(row.redirect))
  bytes.writeInt32LE(row.namespace, 24)
  bytes.writeUInt32LE(row.first, 28)
  bytes.writeUInt32LE(row.latest, 32)
  bytes.writeUInt32LE(row.edits, 36)
  bytes[40] = modelCodes.indexOf(row.model)
  bytes[41] = Number(row.deleted) | (Number(row.redirect !== null) << 1)
  bytes.writeUInt32LE(row.deletedBy ?? 0, 44)
  return bytes
}

/** Decodes a page. */
export function decodePage(bytes: Buffer, heap: HeapReader): PageRow {
  const flags = bytes[41] as number
  return {
    path: heap(readSlice(bytes, 0)),
    key: heap(readSlice(bytes, 8)),
    redirect: (flags & 2) !== 0 ? heap(readSlice(bytes, 16)) : null,
    namespace: bytes.readInt32LE(24),
    first: bytes.readUInt32LE(28),
    latest: bytes.readUInt32LE(32),
    edits: bytes.readUInt32LE(36),
    model: modelCodes[bytes[40] as number] as ContentModel,
    deleted: (flags & 1) !== 0,
    deletedBy: (flags & 1) !== 0 ? bytes.readUInt32LE(44) : null,
  }
}

/** Returns true for an encoded deleted page. */
export function isDeletedPage(row: Buffer): boolean {
  return ((row[41] as number) & 1) !== 0
}

/** Strings of a page in the order in which `encodePage` places them. */
export function pageTexts({ path, key, redirect }: PageRow): readonly string[] {
  return redirect === null ? [path, key] : [path, key, redirect]
}

/** Offsets of the string references in an encoded page, in the same order. */
export function pageSlots(rows: Buffer, at: number): readonly number[] {
  return ((rows[at + 41] as number) & 2) === 0 ? twoSlots : threeSlots
}

const twoSlots = [0, 8]
const threeSlots = [0, 8, 16]

/** Strings of a file in the order in which `encodeFile` places them. */
export function fileTexts({ path, key }: FileRow): readonly string[] {
  return [path, key]
}

/** Offsets of the string references in an encoded file. */
export function fileSlots(): readonly number[] {
  return twoSlots
}

/** Assigns places in another heap to the strings of an encoded row, which begins at `at`. */
export function moveStrings(rows: Buffer, at: number, slots: readonly number[], heap: HeapPlaces): void {
  for (const slot of slots) rows.writeUInt32LE(heap.take(readSlice(rows, at + slot).length).offset, at + slot)
}

/** Encodes a file. */
export function encodeFile(row: FileRow, heap: HeapPlaces): Buffer {
  const bytes = Buffer.alloc(fileBytes)
  writeSlice(bytes, 0, heap.add(row.path))
  writeSlice(bytes, 8, heap.add(row.key))
  bytes.write(row.blob, 16, 'hex')
  bytes.writeUInt32LE(row.size, 36)
  bytes.writeUInt32LE(row.commit, 40)
  return bytes
}

/** Decodes a file. */
export function decodeFile(bytes: Buffer, heap: HeapReader): FileRow {
  return {
    path: heap(readSlice(bytes, 0)),
    key: heap(readSlice(bytes, 8)),
    blob: bytes.toString('hex', 16, 36),
    size: bytes.readUInt32LE(36),
    commit: bytes.readUInt32LE(40),
  }
}

function writeSlice(bytes: Buffer, at: number, slice: HeapSlice): void {
  bytes.writeUInt32LE(slice.offset, at)
  bytes.writeUInt32LE(slice.length, at + 4)
}

/** Reads the place of a string. */
export function readSlice(bytes: Buffer, at: number): HeapSlice {
  return { offset: bytes.readUInt32LE(at), length: bytes.readUInt32LE(at + 4) }
}
