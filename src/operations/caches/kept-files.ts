/** On-disk cache beside the index: bounded, verified by checksums, safe to delete. */

import { existsSync } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { makeFolder, removeFile, replaceFile, setTime } from '../../files/private-files-async.ts'

export interface KeptFilesLimits {
  /** Maximum bytes of all files together. */
  readonly totalBytes: number
  /** Maximum bytes of one file. */
  readonly fileBytes: number
  /** Milliseconds after which a value expires, used or not; if omitted, the least recently used go first. */
  readonly lifetime?: number
}

export interface KeptFiles<Value> {
  readonly find: (key: string) => Promise<Value | undefined>
  /** Writes a value; false if it is too large or the folder is not writable. */
  readonly keep: (key: string, value: Value) => Promise<boolean>
}

/** Writes between two sweeps of the folder for expired or excess files. */
const writesBetweenSweeps = 50

/** Opens the folder, which need not exist. Keys are names of files without their extension. */
export function openKeptFiles<Value>(folder: string, limits: KeptFilesLimits): KeptFiles<Value> {
  const pathOf = (key: string): string => join(folder, `${key}.json`)
  let writes = 0
  return {
    find: async key => {
      // Checked synchronously: most lookups miss, and a server looks up every page.
      if (!existsSync(pathOf(key))) return undefined
      try {
        return await readValue<Value>(pathOf(key), limits)
      } catch {
        return undefined
      }
    },
    keep: async (key, value) => {
      const json = JSON.stringify(value)
      const text = `${crc32(json)}\n${json}`
      if (Buffer.byteLength(text) > limits.fileBytes) return false
      try {
        await write(folder, pathOf(key), text)
      } catch {
        return false
      }
      if (++writes % writesBetweenSweeps === 1) await sweep(folder, limits).catch(() => {})
      return true
    },
  }
}

async function readValue<Value>(path: string, { lifetime }: KeptFilesLimits): Promise<Value | undefined> {
  if (lifetime !== undefined && Date.now() - (await stat(path)).mtimeMs > lifetime) {
    await removeFile(path)
    return undefined
  }
  const value = parse<Value>(await readFile(path, 'utf8'))
  const now = new Date()
  // The file's time is that of its last use, unless values expire by age.
  if (lifetime === undefined) void setTime(path, now).catch(() => {})
  return value
}

/** A truncated or changed file counts as missing: its first line is the checksum of the rest. */
function parse<Value>(text: string): Value | undefined {
  const end = text.indexOf('\n')
  const json = text.slice(end + 1)
  return end > 0 && Number(text.slice(0, end)) === crc32(json) ? (JSON.parse(json) as Value) : undefined
}

async function write(folder: string, path: string, text: string): Promise<void> {
  await makeFolder(folder)
  await replaceFile(path, text)
}

/** Removes expired files, then the oldest until the rest fits. */
async function sweep(folder: string, { totalBytes, lifetime = Number.POSITIVE_INFINITY }: KeptFilesLimits) {
  const found = (await Promise.all((await readdir(folder)).map(name => fileAt(join(folder, name))))).flat()
  let total = found.reduce((sum, { size }) => sum + size, 0)
  const oldest = Date.now() - lifetime
  for (const { path, size, time } of found.toSorted((a, b) => a.time - b.time)) {
    if (time >= oldest && total <= totalBytes * 0.9) break
    await removeFile(path)
    total -= size
  }
}

/** Another process may have removed it. */
async function fileAt(path: string): Promise<{ path: string; size: number; time: number }[]> {
  try {
    const { size, mtimeMs } = await stat(path)
    return [{ path, size, time: mtimeMs }]
  } catch {
    return []
  }
}
