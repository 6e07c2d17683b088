/** The file of a link table: a line of JSON with its state, then its parts. */

import { crc32 } from 'node:zlib'
import { makeFolder, openFile, replaceFile } from '../../files/private-files-async.ts'
import { LinkTable, type TableParts } from './link-table.ts'

/** The wiki's state that a table represents. */
export interface TableState {
  /** Commit of the branch. */
  readonly tip: string | null
  /** The settings that determine link targets, and the detected kind of wiki. */
  readonly rules: string
  /** Highest revision id, and the commit that made the revision. */
  readonly lastRevision: number
  readonly lastCommit: string
  readonly renumbered: number
  readonly files: number
  readonly pages: number
  /** Number of deleted pages. */
  readonly deletions: number
}

/** Incremented when the meaning of the parts changes. A file of another version is rebuilt. */
const version = 7
/** Each part starts at a multiple of this, because numbers of four bytes need alignment. */
const alignment = 8

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
} as const satisfies Record<keyof TableParts, unknown>

type PartName = keyof typeof partTypes
const partNames = Object.keys(partTypes) as PartName[]

interface Header extends TableState {
  readonly version: number
  /** Bytes of each part, in the order of `partTypes`. */
  readonly lengths: readonly number[]
  /** Checksum of all bytes after the header, to detect damage by a power failure. */
  readonly sum: number
}

/** Writes a table. An unwritable folder costs only time. */
export async function writeTable(folder: string, path: string, parts: TableParts, state: TableState): Promise<void> {
  const pieces = partNames.map(name => {
    const { buffer, byteOffset, byteLength } = parts[name]
    return padded(Buffer.from(buffer, byteOffset, byteLength), 0)
  })
  const lengths = partNames.map(name => parts[name].byteLength)
  const header: Header = { version, ...state, lengths, sum: sumOf(pieces) }
  try {
    await makeFolder(folder)
    await replaceFile(path, Buffer.concat([padded(Buffer.from(`${JSON.stringify(header)}\n`), 0x20), ...pieces]))
  } catch {
    // The table is rebuilt next time.
  }
}

function sumOf(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((sum, piece) => crc32(piece, sum), 0)
}

/** A line of JSON may end in spaces. */
function padded(bytes: Buffer, filler: number): Buffer {
  const rest = -bytes.length & (alignment - 1)
  if (rest === 0) return bytes
  return filler === 0x20
    ? Buffer.concat([bytes.subarray(0, -1), Buffer.alloc(rest, filler), Buffer.from('\n')])
    : Buffer.concat([bytes, Buffer.alloc(rest)])
}

/** Reads a table; null if it is missing, of another version, or damaged. */
export async function readTable(path: string): Promise<{ table: LinkTable; state: TableState } | null> {
  try {
    const handle = await openFile(path)
    try {
      const { size } = await handle.stat()
      const bytes = new Uint8Array(new ArrayBuffer(size))
      const { bytesRead } = await handle.read(bytes, 0, size, 0)
      return bytesRead === size ? parse(bytes) : null
    } finally {
      await handle.close()
    }
  } catch {
    return null
  }
}

function parse(bytes: Uint8Array<ArrayBuffer>): { table: LinkTable; state: TableState } | null {
  const end = bytes.indexOf(0x0a) + 1
  const header = JSON.parse(Buffer.from(bytes.buffer, 0, end).toString()) as Header
  if (header.version !== version || header.sum !== sumOf([bytes.subarray(end)])) return null
  const parts: Partial<Record<PartName, Uint32Array | Int32Array | Uint8Array>> = {}
  let at = end
  for (const [index, name] of partNames.entries()) {
    const Type = partTypes[name]
    const length = header.lengths[index] as number
    parts[name] = new Type(bytes.buffer, at, length / Type.BYTES_PER_ELEMENT)
    at += length + (-length & (alignment - 1))
  }
  return at === bytes.length ? { table: new LinkTable(parts as unknown as TableParts), state: header } : null
}
