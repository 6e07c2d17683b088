/** Thumbnails that were made, kept as files of a folder: the least recently used go when they are too many. */

import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { makeFolder, removeFile, replaceFile, setTime } from '../files/private-files-async.ts'

export interface ThumbnailFolder {
  find(name: string): Promise<Buffer | null>
  keep(name: string, bytes: Uint8Array): Promise<void>
}

/** Bytes that the folder may hold, and to how much of that it is brought down. */
const byteLimit = 256 * 1024 * 1024
const shrunkTo = 0.8

/** A use is noted this long after the last one, milliseconds. */
const noteAfter = 60 * 60 * 1000

/** Creates the keeper of a folder, which need not exist. It may be deleted at any time. */
export function openThumbnailFolder(folder: string, limit = byteLimit): ThumbnailFolder {
  /** Bytes in the folder, as far as this process knows. */
  let held: number | undefined
  return {
    async find(name) {
      const path = join(folder, name)
      const bytes = withoutSum(await readFile(path).catch(() => null))
      if (bytes !== null) await noteUse(path)
      return bytes
    },
    async keep(name, bytes) {
      try {
        await writeWhole(folder, name, withSum(bytes))
        held = held === undefined ? await bytesIn(folder) : held + bytes.length + sumBytes
        if (held > limit) held = await shrink(folder, limit * shrunkTo)
      } catch {}
    },
  }
}

/** A checksum stands at the end of each file. */
const sumBytes = 4

function withSum(bytes: Uint8Array): Buffer {
  const sum = Buffer.alloc(sumBytes)
  sum.writeUInt32LE(crc32(bytes))
  return Buffer.concat([bytes, sum])
}

/** Null if the bytes are not as they were written: what a full disk leaves, or a lost power supply. */
function withoutSum(bytes: Buffer | null): Buffer | null {
  if (bytes === null || bytes.length <= sumBytes) return null
  const content = bytes.subarray(0, -sumBytes)
  return crc32(content) === bytes.readUInt32LE(content.length) ? content : null
}

async function noteUse(path: string): Promise<void> {
  try {
    const now = new Date()
    if (now.getTime() - (await stat(path)).mtimeMs > noteAfter) await setTime(path, now)
  } catch {}
}

async function writeWhole(folder: string, name: string, bytes: Uint8Array): Promise<void> {
  await makeFolder(folder)
  await replaceFile(join(folder, name), bytes)
}

interface Kept {
  readonly path: string
  readonly size: number
  readonly used: number
}

async function list(folder: string): Promise<Kept[]> {
  const kept: Kept[] = []
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    const found = await stat(path).catch(() => null)
    if (found?.isFile()) kept.push({ path, size: found.size, used: found.mtimeMs })
  }
  return kept
}

async function bytesIn(folder: string): Promise<number> {
  return (await list(folder)).reduce((sum, { size }) => sum + size, 0)
}

/** Deletes the least recently used files above the limit, files left half-written by a kill included. */
async function shrink(folder: string, limit: number): Promise<number> {
  const kept = (await list(folder)).sort((a, b) => a.used - b.used)
  let held = kept.reduce((sum, { size }) => sum + size, 0)
  for (const { path, size } of kept) {
    if (held <= limit) break
    await removeFile(path)
    held -= size
  }
  return held
}
