/** Git's object formats: loose objects, trees, commits. Source: git's Documentation/gitformat-*.txt. */

import { createHash } from 'node:crypto'
import { closeSync, existsSync, readSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { constants, createInflate, inflateSync } from 'node:zlib'
import { openFile } from '../../files/private-files.ts'
import { noFileCode, readBytes, readText, streamOpen } from '../../files/read-file.ts'
import { missingObject } from '../repository/missing-object.ts'
import { damagedFile } from '../repository/repository.ts'
import type { CommitHeader, GitObject, ObjectType } from './backend.ts'
import { readPointer } from './lfs.ts'

/** Modes of tree entries that hold a page's or file's bytes: regular and executable. Links and submodules do not. */
export const fileModes: ReadonlySet<string> = new Set(['100644', '100755', '100664'])
/** Mode of a symbolic link, whose content is the path that it leads to. */
export const linkMode = '120000'
export const treeMode = '40000'

export interface TreeEntry {
  readonly mode: string
  readonly name: string
  readonly hash: string
}

/** Returns the bytes from which an object's hash is computed: header and content. */
export function frameObject(type: ObjectType, content: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(`${type} ${content.length}\0`), content])
}

/** Hashes framed bytes. */
export function hashFrame(frame: Uint8Array): string {
  return createHash('sha1').update(frame).digest('hex')
}

/** Hashes what `git hash-object` would. */
export function hashBlob(content: Uint8Array): string {
  return hashFrame(frameObject('blob', content))
}

export function loosePath(objects: string, hash: string): string {
  return `${objects}/${hash.slice(0, 2)}/${hash.slice(2)}`
}

/**
 * Returns where a missing object may come to lie: loose, in a new pack, which changes the time of the folder, or both in a repository from which
 * git borrows. Source: gitrepository-layout(5), `objects/info/alternates`.
 */
export function placesOfObject(objects: string, hash: string): string[] {
  const alternates = `${objects}/info/alternates`
  const own = [loosePath(objects, hash), `${objects}/pack`]
  const borrowed = borrowedFrom(alternates).map(line => resolve(objects, line))
  return [...own, alternates, ...borrowed.flatMap(folder => [loosePath(folder, hash), `${folder}/pack`])]
}

/** Maximum bytes of the list. */
const longestAlternates = 64 * 1024

/** None if the list is a pipe, for example: git reports that. */
function borrowedFrom(alternates: string): string[] {
  if (!existsSync(alternates)) return []
  try {
    const lines = readText(alternates, 'utf8', longestAlternates).split('\n')
    return lines.filter(line => line !== '' && !line.startsWith('#'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
    return []
  }
}

/** Returns true if content has the hash. A tree stored under another name could contain itself, and a walk of it would not end. */
export function hasHash({ type, content }: GitObject, hash: string): boolean {
  return createHash('sha1').update(`${type} ${content.length}\0`).update(content).digest('hex') === hash
}

/**
 * Reads a loose object; null if there is none of this hash, it cannot be read, or its content has another hash. Throws
 * `wiki-bad-repository` for a pipe.
 */
export function readLoose(objects: string, hash: string): GitObject | null {
  const path = loosePath(objects, hash)
  // Most are in packs: creating an error for each would dominate the time.
  if (!existsSync(path)) return null
  let packed: Buffer
  try {
    packed = readBytes(path, maxLooseBytes)
  } catch (error) {
    // Git would wait for it.
    if ((error as NodeJS.ErrnoException).code === noFileCode) throw damagedFile(path, 'is a pipe')
    return null
  }
  try {
    const size = sizeInHead(packed)
    if (size === null || size > maxObjectBytes) return null
    const frame = inflateSync(packed, { maxOutputLength: size + longestHeader })
    return hashFrame(frame) === hash ? unframe(frame) : null
  } catch {
    return null
  }
}

/**
 * Maximum bytes of an object that is read whole. Larger objects, and those that expand beyond their header's size, are left to
 * git, whose errors explain the problem.
 */
export const maxObjectBytes = 128 * 1024 * 1024

/** Maximum bytes of a loose object's header: type, size, NUL. */
const longestHeader = 32

/** Maximum bytes of the file of an object that is read whole: deflate adds less than a thousandth to what it cannot compress. */
const maxLooseBytes = maxObjectBytes + (maxObjectBytes >>> 8)

/** Size in bytes from the compressed beginning of a loose object; null if it has none. */
function sizeInHead(packed: Buffer): number | null {
  const head = inflateSync(packed.subarray(0, headerBytes), {
    finishFlush: constants.Z_SYNC_FLUSH,
    maxOutputLength: maxHeadBytes,
  })
  const size = Number(head.toString('latin1', head.indexOf(0x20) + 1, head.indexOf(0)))
  return Number.isSafeInteger(size) ? size : null
}

/** Reads a loose object's content in pieces; null if there is no such file. Throws if it is damaged or has another hash. */
export function streamLoose(objects: string, hash: string): AsyncIterable<Buffer> | null {
  let file: number
  try {
    file = openFile(loosePath(objects, hash), 'r')
  } catch {
    return null
  }
  return withoutHeader(streamOpen(file), hash)
}

async function* withoutHeader(packed: Readable, hash: string): AsyncIterable<Buffer> {
  const inflate = createInflate()
  const digest = createHash('sha1')
  packed.on('error', error => inflate.destroy(error))
  let header = Buffer.alloc(0)
  let left = Number.NaN
  try {
    for await (const chunk of packed.pipe(inflate) as AsyncIterable<Buffer>) {
      digest.update(chunk)
      let content = chunk
      if (Number.isNaN(left)) {
        header = Buffer.concat([header, chunk])
        const end = header.indexOf(0)
        if (end < 0 && header.length < longestHeader) continue
        if (end < 0) break
        left = Number(header.toString('latin1', header.indexOf(0x20) + 1, end))
        content = header.subarray(end + 1)
      }
      left -= content.length
      if (left < 0) break
      yield content
    }
  } finally {
    packed.destroy()
    inflate.destroy()
  }
  if (left !== 0 || digest.digest('hex') !== hash) throw missingObject(hash)
}

/** Bytes read to obtain a loose object's header. */
const headerBytes = 256

/** Maximum expansion of that many bytes: deflate compresses a thousand into one. */
const maxHeadBytes = headerBytes * 2048

/** Size in bytes of a loose object's content, from its header alone; null if there is no such file. */
export function looseSize(objects: string, hash: string): number | null {
  const packed = Buffer.alloc(headerBytes)
  let file: number
  try {
    file = openFile(loosePath(objects, hash), 'r')
  } catch {
    return null
  }
  try {
    return sizeInHead(packed.subarray(0, readSync(file, packed, 0, headerBytes, 0)))
  } catch {
    return null
  } finally {
    closeSync(file)
  }
}

/** Size in bytes of a text without the line feed that ends it; of a pointer of Git LFS, that of its content. */
export function textSize(content: Buffer): number {
  const inLfs = readPointer(content)
  // The last byte of a content that may not be here: texts that the wiki saves end with a line feed.
  if (inLfs !== null) return Math.max(0, inLfs.size - 1)
  return content.length - Number(content.at(-1) === lineFeed)
}

/** Bytes of a text that tell whether it is a redirect, or a pointer of Git LFS. */
export const startBytes = 4096

/** A copy of a content's first bytes, which does not retain the rest. */
export function startOf(content: Buffer): Buffer {
  return Buffer.from(content.subarray(0, startBytes))
}

export const lineFeed = 0x0a

function unframe(frame: Buffer): GitObject | null {
  const end = frame.indexOf(0)
  const [type, size] = frame.toString('latin1', 0, end).split(' ')
  const content = frame.subarray(end + 1)
  return Number(size) === content.length ? { type: type as ObjectType, content } : null
}

/** Reads a tree's entries, in git's order (folders sort as if their names ended in a slash). */
export function parseTree(content: Buffer, encoding: 'utf8' | 'latin1' = 'utf8'): TreeEntry[] {
  const entries: TreeEntry[] = []
  let at = 0
  while (at < content.length) {
    const space = content.indexOf(0x20, at)
    const end = content.indexOf(0, space)
    if (space < 0 || end < 0) break
    entries.push({
      mode: content.toString('latin1', at, space),
      name: content.toString(encoding, space + 1, end),
      hash: content.toString('hex', end + 1, end + 21),
    })
    at = end + 21
  }
  return entries
}

/** Finds one entry of a tree, without decoding the others. */
export function findEntry(content: Buffer, name: string): TreeEntry | null {
  const wanted = Buffer.from(name)
  for (let at = 0; at < content.length; ) {
    const space = content.indexOf(0x20, at)
    const end = content.indexOf(0, space)
    if (space < 0 || end < 0) return null
    if (end - space - 1 === wanted.length && content.compare(wanted, 0, wanted.length, space + 1, end) === 0)
      return { mode: content.toString('latin1', at, space), name, hash: content.toString('hex', end + 1, end + 21) }
    at = end + 21
  }
  return null
}

/**
 * Reads a commit: the only reader of commits, so that all of the wiki reads the same in one. A malformed author gives empty names and
 * time 0 rather than an error: such commits exist. Like git's own commands it reads up to the first NUL.
 */
export function parseCommit(hash: string, content: Buffer): CommitHeader {
  const nul = content.indexOf(0)
  const bytes = nul < 0 ? content : content.subarray(0, nul)
  const blank = bytes.indexOf('\n\n')
  const end = blank < 0 ? bytes.length : blank
  const head = bytes.toString('utf8', 0, end)
  // Of JavaScript's line ends git knows only the line feed: a name may have the others.
  const encoding = /\nencoding ([^\n]+)/.exec(head)?.[1]
  const decode = (part: Buffer) => (encoding === undefined ? part.toString('utf8') : decodeLegacy(part, encoding))
  const headers = encoding === undefined ? head : decode(bytes.subarray(0, end))
  const author = readIdent(/\nauthor ([^\n]*)/.exec(headers)?.[1] ?? '')
  return {
    hash,
    parents: parentsIn(bytes),
    authorName: author.name,
    authorAddress: author.address,
    time: author.time,
    message: decode(messageIn(bytes, blank)),
  }
}

/** The beginning of a commit's message as it is stored, whatever its encoding. */
export function startOfMessage(content: Buffer): string {
  const nul = content.indexOf(0)
  const bytes = nul < 0 ? content : content.subarray(0, nul)
  return messageIn(bytes, bytes.indexOf('\n\n')).toString('utf8', 0, startBytes)
}

function messageIn(bytes: Buffer, blank: number): Buffer {
  return blank < 0 ? Buffer.alloc(0) : bytes.subarray(blank + 2)
}

/** Only the lines that follow that of the tree name parents. */
function parentsIn(bytes: Buffer): string[] {
  const parents: string[] = []
  for (let at = treeLine; bytes.toString('latin1', at, at + 7) === 'parent '; at += parentLine) {
    const parent = bytes.toString('latin1', at + 7, at + parentLine - 1)
    if (!/^[0-9a-f]{40}$/.test(parent) || bytes[at + parentLine - 1] !== lineFeed) break
    parents.push(parent)
  }
  return parents
}

/** Bytes of the lines of a commit that name its tree, and a parent. */
const [treeLine, parentLine] = [46, 48]

/** Seconds since 1970 of the years from 0 to 9999; other times cannot be written. */
const [firstTime, lastTime] = [-62_167_219_200, 253_402_300_799]

/** Reads an identity and its time: `Ada <ada@example.org> 1700000000 +0100`. */
function readIdent(line: string): { name: string; address: string; time: number } {
  const open = line.indexOf('<')
  const close = open === -1 ? -1 : line.indexOf('>', open)
  if (close === -1) return { name: '', address: '', time: 0 }
  // An address may hold another ">". Source: git's ident.c, `split_ident_line`.
  const [, time = '0'] = /^ ?(-?\d+)/.exec(line.slice(line.lastIndexOf('>') + 1)) ?? []
  const seconds = Number(time)
  const isWritable = seconds >= firstTime && seconds <= lastTime
  return { name: line.slice(0, open).trim(), address: line.slice(open + 1, close), time: isWritable ? seconds : 0 }
}

/** Hash of the tree of a commit. */
export function treeOfCommit(content: Buffer): string {
  return content.toString('latin1', 5, 45)
}

function decodeLegacy(bytes: Buffer, encoding: string): string {
  try {
    return new TextDecoder(encoding).decode(bytes)
  } catch {
    return bytes.toString('utf8')
  }
}
