/** An on-disk cache: one file for each value, bounded by number, bytes and client, verified by checksums, safe to delete at any time. */

import { existsSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { createLruCache } from '../core/lru-cache.ts'
import { makeFolder, removeFile, replaceFile, setTime } from './private-files-async.ts'
import { readBytesLater } from './read-file.ts'

export interface DiskCacheLimits {
  /** Maximum size of all files together, in bytes. */
  readonly totalBytes: number
  /** Maximum size of one file, in bytes; `totalBytes` if omitted. */
  readonly fileBytes?: number
  /** Maximum number of files; 8,000 if omitted. */
  readonly files?: number
  /**
   * Milliseconds after which a value expires, whether used or not. If omitted, the least recently used values are
   * evicted first.
   */
  readonly lifetime?: number
}

export interface DiskCache {
  /** Returns a value; null if it is missing, expired or damaged. Names are file names. */
  get(name: string): Promise<Buffer | null>
  /**
   * Writes a value for a client, whose own values give way first once they take more than its share; "" for nobody.
   * False if it is too large or the folder is not writable.
   */
  set(name: string, bytes: Uint8Array, client?: string): Promise<boolean>
}

/** Maximum number of files of a cache: as many as can be listed in a fraction of a second. */
const mostFiles = 8000

/** Minimum milliseconds between two updates of a value's last use. */
const noteAfter = 60 * 60 * 1000

/** Bytes of the checksum at the end of each file. */
const sumBytes = 4

/** Number of files that are looked at together while the folder is listed, so that a server serves others meanwhile. */
const filesAtOnce = 64

/**
 * Opens the cache in a folder, which need not exist. What the folder holds is counted in memory: it is listed before the first
 * write, and again only after so many writes that other processes may have filled it once more.
 */
export function openDiskCache(folder: string, limits: DiskCacheLimits): DiskCache {
  const { totalBytes, fileBytes = totalBytes, files = mostFiles, lifetime } = limits
  const evicted: string[] = []
  /** Sizes of the files, to this process's knowledge. */
  const sizes = createLruCache<number>({
    total: totalBytes,
    entries: files,
    ...(lifetime !== undefined && { lifetime }),
    sizeOf: size => size,
    overheadOf: () => 0,
    onEvicted: name => void evicted.push(name),
  })
  /** Writes and bytes since the last listing, which may be in progress. */
  let [writes, bytesWritten] = [files, 0]
  let listing = Promise.resolve()
  const list = async (): Promise<void> => {
    const known = new Set(sizes.names())
    const found = await filesIn(folder)
    const names = new Set(found.map(({ name }) => name))
    for (const name of known) if (!names.has(name)) sizes.delete(name)
    // One that is larger than the cache gives way to the first value.
    for (const { name, size, time } of found)
      if (!known.has(name) && !sizes.has(name)) sizes.set(name, Math.min(size, totalBytes), { used: time })
  }
  const listIfDue = (size: number): Promise<void> => {
    bytesWritten += size
    if (writes++ < files && bytesWritten <= totalBytes) return listing
    ;[writes, bytesWritten] = [1, size]
    listing = list().catch(() => {})
    return listing
  }
  const removeEvicted = async (): Promise<void> => {
    for (const name of evicted.splice(0)) await removeFile(join(folder, name)).catch(() => {})
  }
  return {
    async get(name) {
      const path = join(folder, name)
      // Checked synchronously: most lookups miss, and a server looks up every page.
      if (!existsSync(path)) return null
      try {
        // A value that expires by its age does not stay longer for being used.
        if (lifetime === undefined) sizes.get(name)
        if (await isFresh(path, limits)) return withoutSum(await readBytesLater(path))
        sizes.delete(name)
        return null
      } catch {
        return null
      }
    },
    async set(name, bytes, client = '') {
      const size = bytes.length + sumBytes
      if (size > fileBytes) return false
      try {
        await makeFolder(folder)
        await listIfDue(size)
        sizes.set(name, size, { client })
        await removeEvicted()
        await replaceFile(join(folder, name), withSum(bytes))
        // It may have given way while it was written.
        if (!sizes.has(name)) await removeFile(join(folder, name))
        return true
      } catch {
        sizes.delete(name)
        return false
      }
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

interface FoundFile {
  readonly name: string
  readonly size: number
  /** Milliseconds since 1970. */
  readonly time: number
}

/** Lists the files of a folder, the oldest first. */
async function filesIn(folder: string): Promise<FoundFile[]> {
  const names = await readdir(folder)
  const found: FoundFile[] = []
  for (let at = 0; at < names.length; at += filesAtOnce) {
    const some = names.slice(at, at + filesAtOnce)
    found.push(...(await Promise.all(some.map(name => fileAt(folder, name)))).flat())
  }
  return found.sort((a, b) => a.time - b.time)
}

/** Another process may have removed the file. */
async function fileAt(folder: string, name: string): Promise<FoundFile[]> {
  try {
    const found = await stat(join(folder, name))
    return found.isFile() ? [{ name, size: found.size, time: found.mtimeMs }] : []
  } catch {
    return []
  }
}
