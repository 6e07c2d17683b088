/** Media files of a folder, imported with a dump: MediaWiki's `images` keeps them two folders deep. */

import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isWikiError } from '../../core/errors.ts'
import { mediaFormats } from '../../core/file.ts'
import { namespaceIds } from '../../core/namespaces.ts'
import { parseTitle, type TitleRules } from '../../core/title.ts'
import { maxFileBytes } from '../editing/limits.ts'
import { extensionOf } from '../resources/file-item.ts'

export interface MediaFile {
  readonly path: string
  /** Its file name. */
  readonly name: string
}

/** Folders of `images` that hold no current files. */
const passedOver: ReadonlySet<string> = new Set(['thumb', 'archive', 'deleted', 'temp', 'lockdir', 'transcoded'])
const maxDepth = 8

/** Lists the files, in order of their paths. */
export async function listMediaFolder(folder: string, depth = 0): Promise<MediaFile[]> {
  const found: MediaFile[] = []
  const entries = await readdir(folder, { withFileTypes: true })
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name)
    if (entry.isFile() && !entry.name.startsWith('.')) found.push({ path, name: entry.name })
    if (entry.isDirectory() && depth < maxDepth && !passedOver.has(entry.name))
      found.push(...(await listMediaFolder(path, depth + 1)))
  }
  return found
}

/** Returns the key of a file's title, or the reason why it has none. */
export function mediaTitle(name: string, rules: TitleRules): { key: string } | { reason: string } {
  if (!Object.hasOwn(mediaFormats, extensionOf(name))) return { reason: 'its ending is none of a media file' }
  try {
    const title = parseTitle(name, rules, namespaceIds.file)
    return title.namespace === namespaceIds.file ? { key: title.key } : { reason: 'its name is in another namespace' }
  } catch (error) {
    if (!isWikiError(error, 'rest-invalid-title')) throw error
    return { reason: error.message }
  }
}

/** Reads a file's bytes, or returns the reason why it is skipped. */
export async function readMedia({ path }: MediaFile): Promise<Buffer | string> {
  const { size } = await stat(path)
  if (size === 0) return 'it is empty'
  return size > maxFileBytes ? `it is larger than ${maxFileBytes} bytes` : readFile(path)
}
