/**
 * The files of a link table: the packed table, a line of JSON with its state and then its parts, and the changes since. Each
 * part has a checksum and is read alone, so that a list of a large wiki reads little.
 */

import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { type FileHandle, makeFolder, openFile, replaceFile } from '../../files/private-files-async.ts'
import { readTextLater } from '../../files/read-file.ts'
import { LinkTable, type TableChanges } from './link-table.ts'
import type { GraphParts, Segment, TableParts } from './table-parts.ts'

/** The wiki's state that a table represents. */
export interface TableState {
  /** Commit of the branch. */
  readonly tip: string | null
  /** The ids, and what could not be read: see `Store.follows`. */
  readonly lineage: string
  /** The settings that determine link targets, and the detected kind of wiki. */
  readonly rules: string
  /** Highest revision id. */
  readonly lastRevision: number
  readonly files: number
  /** Stamp of the titles of media files; null if there was none. */
  readonly filesStamp: string | null
  /** Stamp of what shows or hides pages without a revision. */
  readonly pagesStamp: string
}

/** Incremented when the meaning of the parts changes. A file of another version is rebuilt. */
const version = 12

const partTypes = {
  keyStart: Uint32Array,
  keyBytes: Uint8Array,
  page: Uint32Array,
  namespace: Int32Array,
  flags: Uint8Array,
  size: Uint32Array,
  aliases: Uint32Array,
  redirect: Uint32Array,
  outStart: Uint32Array,
  out: Uint32Array,
  through: Uint32Array,
  inStart: Uint32Array,
  into: Uint32Array,
  nodeOfPage: Uint32Array,
} as const satisfies Record<keyof GraphParts, unknown>

type PartName = keyof typeof partTypes
type Numbers = Uint8Array | Uint32Array | Int32Array

/** Parts of a list have its name after these. */
const [nodesPrefix, ranksPrefix] = ['nodes ', 'ranks ']
/** The parts that a list needs besides its own. */
const listParts: readonly string[] = ['keyStart', 'keyBytes', 'namespace', 'redirect'] satisfies PartName[]

interface Header extends TableState {
  readonly version: number
  /** Name, bytes and checksum of each part, in order. Checksums detect damage by a power failure. */
  readonly parts: readonly (readonly [name: string, length: number, sum: number])[]
}

interface ChangesHeader {
  /** Checksum of the header of the table that the changes belong to. */
  readonly table: number
  readonly state: TableState
}

/** A table and the state that it represents. */
export interface StoredTable {
  readonly table: LinkTable
  readonly state: TableState
  /** Checksum of the header of the packed table; 0 if it could not be written. */
  readonly packed: number
}

const pathsOf = (folder: string) => ({ table: join(folder, 'table'), changes: join(folder, 'changes') })
/** Bytes of the first line: length and checksum of the header. */
const firstBytes = 32

/** Writes a packed table and returns the checksum of its header. An unwritable folder costs only time. */
export async function writeTable(folder: string, parts: TableParts, state: TableState): Promise<number> {
  const pieces = [...namedParts(parts)].map(([name, numbers]) => [name, bytesOf(numbers)] as const)
  const header: Header = {
    ...{ version, ...state },
    parts: pieces.map(([name, bytes]) => [name, bytes.length, crc32(bytes)]),
  }
  const text = Buffer.from(JSON.stringify(header))
  const sum = crc32(text)
  const first = Buffer.from(`${`${text.length} ${sum}`.padEnd(firstBytes - 1)}\n`)
  try {
    await makeFolder(folder)
    await replaceFile(pathsOf(folder).table, Buffer.concat([first, text, ...pieces.map(([, bytes]) => bytes)]))
    return sum
  } catch {
    // The table is rebuilt next time.
    return 0
  }
}

function* namedParts({ lists, ...graph }: TableParts): Iterable<readonly [string, Numbers]> {
  yield* Object.entries(graph)
  for (const [name, { nodes, ranks }] of lists) {
    yield [`${nodesPrefix}${name}`, nodes]
    if (ranks !== null) yield [`${ranksPrefix}${name}`, ranks]
  }
}

function bytesOf({ buffer, byteOffset, byteLength }: Numbers): Buffer {
  return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength)
}

/** Writes the changes since a table was packed. An unwritable folder costs only time. */
export async function writeChanges(folder: string, { table, state, packed }: StoredTable): Promise<void> {
  const header: ChangesHeader = { table: packed, state }
  const text = JSON.stringify([header, table.changesSince()])
  try {
    await replaceFile(pathsOf(folder).changes, `${crc32(text)}\n${text}`)
  } catch {
    // The pages are read again next time.
  }
}

/**
 * Reads a table with its changes; null if it is missing, of another version, or damaged. With the name of a list, only the
 * members of that list are read: the links are empty.
 */
export async function readTable(folder: string, list?: string): Promise<StoredTable | null> {
  try {
    const handle = await openFile(pathsOf(folder).table)
    try {
      return await readFrom(folder, handle, list)
    } finally {
      await handle.close()
    }
  } catch {
    return null
  }
}

async function readFrom(folder: string, handle: FileHandle, list: string | undefined): Promise<StoredTable | null> {
  const [length = 0, sum = 0] = (await readBytes(handle, 0, firstBytes)).toString('latin1').split(' ').map(Number)
  const text = await readBytes(handle, firstBytes, length)
  if (crc32(text) !== sum) return null
  const header = JSON.parse(text.toString()) as Header
  if (header.version !== version) return null
  const parts = await readParts(handle, { start: firstBytes + length, header, list })
  if (parts === null) return null
  const changes = await readChanges(folder, sum)
  return { table: new LinkTable(parts, changes?.[1]), state: changes?.[0].state ?? header, packed: sum }
}

interface PartsQuery {
  readonly start: number
  readonly header: Header
  readonly list: string | undefined
}

async function readParts(handle: FileHandle, { start, header, list }: PartsQuery): Promise<TableParts | null> {
  const isAsked = (name: string) =>
    list === undefined ||
    listParts.includes(name) ||
    name === `${nodesPrefix}${list}` ||
    name === `${ranksPrefix}${list}`
  const found = new Map<string, Buffer>()
  let at = start
  for (const [name, length, sum] of header.parts) {
    if (isAsked(name)) {
      const bytes = await readBytes(handle, at, length)
      if (crc32(bytes) !== sum) return null
      found.set(name, bytes)
    }
    at += length
  }
  const graph: Partial<Record<PartName, Numbers>> = {}
  for (const [name, Type] of Object.entries<NumbersType<Numbers>>(partTypes))
    graph[name as PartName] = numbersOf(Type, found.get(name))
  const lists = new Map<string, Segment>()
  for (const [name, bytes] of found) {
    if (!name.startsWith(nodesPrefix)) continue
    const ranks = found.get(name.replace(nodesPrefix, ranksPrefix))
    const segment = { nodes: numbersOf(Uint32Array, bytes), ranks: ranks ? numbersOf(Int32Array, ranks) : null }
    lists.set(name.slice(nodesPrefix.length), segment)
  }
  return { ...(graph as unknown as GraphParts), lists }
}

type NumbersType<Type> = {
  new (buffer: ArrayBuffer, offset: number, length: number): Type
  readonly BYTES_PER_ELEMENT: number
}

function numbersOf<Type>(Type: NumbersType<Type>, bytes: Buffer = Buffer.allocUnsafeSlow(0)): Type {
  return new Type(bytes.buffer as ArrayBuffer, 0, bytes.length / Type.BYTES_PER_ELEMENT)
}

/** Reads bytes into memory of their own, because numbers of four bytes need alignment. Throws if the file is shorter. */
async function readBytes(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(length)
  const { bytesRead } = await handle.read(bytes, 0, length, position)
  if (bytesRead !== length) throw new Error('The file is shorter than its header says')
  return bytes
}

/** Reads the changes of the table with this checksum; null if there are none. */
async function readChanges(folder: string, packed: number): Promise<[ChangesHeader, TableChanges] | null> {
  const text = await readTextLater(pathsOf(folder).changes).catch(() => '')
  const end = text.indexOf('\n')
  const json = text.slice(end + 1)
  if (end === -1 || crc32(json) !== Number(text.slice(0, end))) return null
  const [header, changes] = JSON.parse(json) as [ChangesHeader, TableChanges]
  return header.table === packed ? [header, changes] : null
}
