/** The media files of a wiki. */

import type { FileListItem } from '../core/file.ts'
import type { FileEntry } from '../store/format/entries.ts'
import { fileItem } from './resources/file-item.ts'
import type { Wiki } from './wiki.ts'

export interface ListFilesQuery {
  /** At most this many; all if omitted. */
  readonly limit?: number | undefined
  /** Files to skip; 0 if omitted. */
  readonly offset?: number | undefined
}

/** Lists media files in order of their titles; `total` counts all. */
export async function listFiles(
  { store }: Wiki,
  { limit = Number.POSITIVE_INFINITY, offset = 0 }: ListFilesQuery = {},
): Promise<{ files: FileListItem[]; total: number }> {
  await store.refresh()
  const files: FileListItem[] = []
  let total = 0
  for (const file of store.files()) {
    if (total >= offset && total < offset + limit) files.push(fileItem(await store.withContent(file)))
    total++
  }
  return { files, total }
}

/** Lists media files segment by segment; `next` is the `after` of the next segment, null at the end. */
export async function filesAfter(
  { store }: Wiki,
  { limit, after }: { readonly limit: number; readonly after?: string | undefined },
): Promise<{ files: FileListItem[]; next: string | null }> {
  await store.refresh()
  const files: FileListItem[] = []
  let isPast = after === undefined
  for (const file of store.files()) {
    const item = isPast ? fileItem(await store.withContent(file)) : null
    if (item === null) {
      isPast = fileItem(file).title === after
      continue
    }
    if (files.length === limit) return { files, next: files.at(-1)!.title }
    files.push(item)
  }
  return { files, next: null }
}

/** Finds files by the beginning of their names, or of a word in them; those that begin so come first. */
export function listFileNames(
  { store }: Wiki,
  { words, limit }: { readonly words: string; readonly limit: number },
): { readonly title: string; readonly path: string }[] {
  const wanted = words.trim().replaceAll('_', ' ').toLowerCase()
  const [first, others]: [FileEntry[], FileEntry[]] = [[], []]
  for (const file of store.files()) {
    const name = fileItem(file).title.toLowerCase()
    if (name.startsWith(wanted)) first.push(file)
    else if (others.length < limit && name.includes(` ${wanted}`)) others.push(file)
    if (first.length === limit) break
  }
  return [...first, ...others].slice(0, limit).map(file => ({ title: fileItem(file).title, path: file.path }))
}
