/**
 * The folder of an index: immutable segments, and a list of the current ones. The list is replaced atomically, so a kill at
 * any moment leaves the old index or the new one. Files that no list names are leftovers and are removed.
 */

import { randomUUID } from 'node:crypto'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { makeFolder, removeFile, renameFile, writeFile } from '../../files/private-files.ts'
import { readText } from '../../files/read-file.ts'

/** A segment in the list. */
export interface ListedSegment {
  readonly name: string
  /** Ordinals of deleted documents. */
  readonly dead: readonly number[]
}

/** Statistics over all live documents. */
export interface Totals {
  readonly count: number
  /** Sum of the lengths of each field. */
  readonly lengths: readonly number[]
}

/** The list of the current segments. */
export interface Manifest {
  readonly version: number
  readonly segments: readonly ListedSegment[]
  readonly totals: Totals
  /** Note of the owner of the index: the state of the pages that it reflects. */
  readonly note: string
}

/** Incremented with every change of the list's format or of a document's terms. */
const manifestVersion = 14

const listName = 'segments.json'

/** Reads the list; null if there is no valid one. */
export function readManifest(folder: string): Manifest | null {
  try {
    const [sum, ...rest] = readText(join(folder, listName)).split('\n')
    const json = rest.join('\n')
    if (Number(sum) !== crc32(json)) return null
    const manifest = JSON.parse(json) as Manifest
    return manifest.version === manifestVersion ? manifest : null
  } catch {
    return null
  }
}

/** Returns a stamp that changes with the list, without reading it; "" if there is none. */
export function manifestStamp(folder: string): string {
  try {
    const stat = statSync(join(folder, listName), { bigint: true })
    return `${stat.ino} ${stat.mtimeNs} ${stat.size}`
  } catch {
    return ''
  }
}

/** Replaces the list, and removes the segments that it does not name. */
export function writeManifest(folder: string, manifest: Omit<Manifest, 'version'>): void {
  const json = JSON.stringify({ version: manifestVersion, ...manifest } satisfies Manifest)
  const temporary = join(folder, `${listName}.${randomUUID()}`)
  makeFolder(folder)
  writeFile(temporary, `${crc32(json)}\n${json}`)
  renameFile(temporary, join(folder, listName))
  removeUnlisted(folder, manifest.segments)
}

/** Removes files of killed processes; only the owner of the lock knows which files are listed. */
export function removeUnlisted(folder: string, segments: readonly Pick<ListedSegment, 'name'>[]): void {
  const listed = new Set([listName, ...segments.map(({ name }) => name)])
  for (const name of readdirSync(folder)) {
    if (!listed.has(name) && !name.endsWith('lock')) removeFile(join(folder, name))
  }
}

/** Removes the whole index. */
export function removeIndex(folder: string): void {
  removeFile(join(folder, listName))
}

/** A name for a new segment. */
export function segmentName(): string {
  return `${randomUUID()}.segment`
}

/** Path of a segment. */
export function segmentPath(folder: string, name: string): string {
  return join(folder, name)
}
