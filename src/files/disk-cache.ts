/** An on-disk cache: one file for each value, bounded, verified by checksums, safe to delete at any time. */

import { existsSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { makeFolder, removeFile, replaceFile, setTime } from './private-files-async.ts'
import { readBytesLater } from './read-file.ts'

export interface DiskCacheLimits {
  /** Maximum size of all files together, in bytes. */
  readonly totalBytes: number
  /** Maximum size of one file, in bytes; `totalBytes` if omitted. */
  readonly fileBytes?: number
  /**
   * Milliseconds after which a value expires, whether used or not. If omitted, the least recently used values are
   * evicted first.
   */
  readonly lifetime?: number
}

export interface DiskCache {
  /** Returns a value; null if it is missing, expired or damaged. Names are file names. */
  get(name: string): Promise<Buffer | null>
  /** Writes a value; false if it is too large or the folder is not writable. */
  set(name: string, bytes: Uint8Array): Promise<boolean>
}

/** Number of writes between two sweeps of the folder for expired files. */
const writesBetweenSweeps = 50

/** Fraction of the maximum that remains after a sweep of a full folder. */
const shrunkTo = 0.9

/** Minimum milliseconds between two updates of a value's last use. */
const noteAfter = 60 * 60 * 1000

/** Bytes of the checksum at the end of each file. */
const sumBytes = 4

/** Opens the cache in a folder, which need not exist. */
export function openDiskCache(folder: string, limits: DiskCacheLimits): DiskCache {
  /** Bytes in the folder, to this process's knowledge. */
  let held: number | undefined
  let writes = 0
  return {
    async get(name) {
      const path = join(folder, name)
      // Checked synchronously: most lookups miss, and a server looks up every page.
      if (!existsSync(path)) return null
      try {
        return (await isFresh(path, limits)) ? withoutSum(await readBytesLater(path)) : null
      } catch {
        return null
      }
    },
    async set(name, bytes) {
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

/** Returns false for an expired file, and removes it. Updates the last use of any other. */
async function isFresh(path: string, { lifetime }: DiskCacheLimits): Promise<boolean> {
  const age = Date.now() - (await stat(path)).mtimeMs
  if (lifetime !== undefined && age > lifetime) {
    await removeFile(path)
    return false
  }
  // The file's modification time records its last use, unless values expire by age.
  if (lifetime === undefined && age > noteAfter) await setTime(path, new Date()).catch(() => {})
  return true
}

function withSum(bytes: Uint8Array): Buffer {
  const sum = Buffer.alloc(sumBytes)
  sum.writeUInt32LE(crc32(bytes))
  return Buffer.concat([bytes, sum])
}

/**
 * Returns the bytes without their checksum; null if it does not match. A full disk or a power failure leaves such
 * files.
 */
function withoutSum(bytes: Buffer): Buffer | null {
  if (bytes.length <= sumBytes) return null
  const content = bytes.subarray(0, -sumBytes)
  return crc32(content) === bytes.readUInt32LE(content.length) ? content : null
}

/** Removes expired files, then the oldest until the rest fits. Returns the number of bytes left. */
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

/** Another process may have removed the file. */
async function fileAt(path: string): Promise<{ path: string; size: number; time: number }[]> {
  try {
    const found = await stat(path)
    return found.isFile() ? [{ path, size: found.size, time: found.mtimeMs }] : []
  } catch {
    return []
  }
}
