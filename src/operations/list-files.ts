/** The media files of a wiki. */

import type { FileListItem } from '../core/file.ts'
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
