/** An on-disk cache: one file for each value, bounded, verified by checksums, safe to delete at any time. */

import { existsSync } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { makeFolder, removeFile, replaceFile, setTime } from './private-files-async.ts'

export interface DiskCacheLimits {
  /** Maximum bytes of all files together. */
  readonly totalBytes: number
  /** Maximum bytes of one file; `totalBytes` if omitted. */
  readonly fileBytes?: number
  /** Milliseconds after which a value expires, used or not; if omitted, the least recently used values go first. */
  readonly lifetime?: number
}

export interface DiskCache {
  /** Returns a value; null if it is missing, expired or damaged. Names are file names. */
  find(name: string): Promise<Buffer | null>
  /** Writes a value; false if it is too large or the folder is not writable. */
  keep(name: string, bytes: Uint8Array): Promise<boolean>
}

/** Writes between two sweeps of the folder for expired files. */
const writesBetweenSweeps = 50

/** Share of the total to which a sweep brings a full folder down. */
const shrunkTo = 0.9

/** Milliseconds between two notes of a value's use. */
const noteAfter = 60 * 60 * 1000

/** Bytes of the checksum at the end of each file. */
const sumBytes = 4

/** Opens the cache in a folder, which need not exist. */
export function openDiskCache(folder: string, limits: DiskCacheLimits): DiskCache {
  /** Bytes in the folder, as far as this process knows. */
  let held: number | undefined
  let writes = 0
  return {
    async find(name) {
      const path = join(folder, name)
      // Checked synchronously: most lookups miss, and a server looks up every page.
      if (!existsSync(path)) return null
      try {
        return (await isFresh(path, limits)) ? withoutSum(await readFile(path)) : null
      } catch {
        return null
      }
    },
    async keep(name, bytes) {
      if (bytes.length + sumBytes > (limits.fileBytes ?? limits.totalBytes)) return false
      try {
        await makeFolder(folder)
        await replaceFile(join(folder, name), withSum(bytes))
      } catch {
        return false
      }
      if (held !== undefined) held += bytes.length + sumBytes
      const isDue = held === undefined || held > limits.totalBytes || ++writes % writesBetweenSweeps === 0
      if (isDue) held = await sweep(folder, limits).catch(() => undefined)
      return true
    },
  }
}

/** Returns false for an expired file, and removes it; notes the use of any other. */
async function isFresh(path: string, { lifetime }: DiskCacheLimits): Promise<boolean> {
  const age = Date.now() - (await stat(path)).mtimeMs
  if (lifetime !== undefined && age > lifetime) {
    await removeFile(path)
    return false
  }
  // The file's time is that of its last use, unless values expire by age.
  if (lifetime === undefined && age > noteAfter) await setTime(path, new Date()).catch(() => {})
  return true
}

function withSum(bytes: Uint8Array): Buffer {
  const sum = Buffer.alloc(sumBytes)
  sum.writeUInt32LE(crc32(bytes))
  return Buffer.concat([bytes, sum])
}

/** Null if the bytes are not those that were written: a full disk or a power failure leaves such files. */
function withoutSum(bytes: Buffer): Buffer | null {
  if (bytes.length <= sumBytes) return null
  const content = bytes.subarray(0, -sumBytes)
  return crc32(content) === bytes.readUInt32LE(content.length) ? content : null
}

/** Removes expired files, then the oldest until the rest fits; returns the bytes left. */
async function sweep(folder: string, { totalBytes, lifetime = Number.POSITIVE_INFINITY }: DiskCacheLimits) {
  const found = (await Promise.all((await readdir(folder)).map(name => fileAt(join(folder, name))))).flat()
  let total = found.reduce((sum, { size }) => sum + size, 0)
  const wanted = total > totalBytes ? totalBytes * shrunkTo : totalBytes
  const oldest = Date.now() - lifetime
  for (const { path, size, time } of found.toSorted((a, b) => a.time - b.time)) {
    if (time >= oldest && total <= wanted) break
    await removeFile(path)
    total -= size
  }
  return total
}

/** Another process may have removed it. */
async function fileAt(path: string): Promise<{ path: string; size: number; time: number }[]> {
  try {
    const found = await stat(path)
    return found.isFile() ? [{ path, size: found.size, time: found.mtimeMs }] : []
  } catch {
    return []
  }
}
