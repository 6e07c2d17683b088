/** The media files of a wiki. */

import type { FileListItem } from '../core/file.ts'
import { namespaceIds } from '../core/namespaces.ts'
import { findNamespace, foldTitle, foldTitlePrefix } from '../core/title.ts'
import type { FileEntry } from '../store/format/entries.ts'
import type { Store } from '../store/store.ts'
import { fileItem } from './resources/file-item.ts'
import type { Wiki } from './wiki.ts'

export interface ListFilesQuery {
  /** Maximum number of files; all if omitted. */
  readonly limit?: number | undefined
  /** Number of files to skip; 0 if omitted. */
  readonly offset?: number | undefined
}

/** Lists media files by title; `total` counts all. */
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

export interface FilesAfterQuery {
  readonly limit: number
  /** Title of the last file of the previous part, which need not exist any more; the first part if omitted. */
  readonly after?: string | undefined
  /** Prefix of the title, in any case. */
  readonly prefix?: string | undefined
}

/**
 * Lists media files in parts; `next` is the `after` of the next part, null at the end. Titles are accepted with or
 * without `File:`. Files added or deleted between two calls do not shift the list.
 */
export async function filesAfter(
  { store }: Wiki,
  { limit, after, prefix = '' }: FilesAfterQuery,
): Promise<{ files: FileListItem[]; next: string | null }> {
  await store.refresh()
  const key = after === undefined ? null : withNamespace(store, after).replaceAll(' ', '_')
  const last = key === null ? null : { key, folded: foldTitle(key) }
  const files: FileListItem[] = []
  for (const file of filesWithPrefix(store, prefix)) {
    const folded = foldTitle(file.key)
    if (last !== null && (folded < last.folded || (folded === last.folded && file.key <= last.key))) continue
    if (files.length === limit) return { files, next: files.at(-1)!.title }
    files.push(fileItem(await store.withContent(file)))
  }
  return { files, next: null }
}

/** Finds files by title prefix, in any case and with or without `File:`, sorted by title. */
export function* filesWithPrefix(store: Store, prefix: string): Iterable<FileEntry> {
  const start = foldTitlePrefix(withNamespace(store, prefix), store.titles)
  for (const file of store.files()) {
    const folded = foldTitle(file.key)
    if (folded.startsWith(start)) yield file
    else if (folded > start) return
  }
}

/** Prepends the wiki's name of the File namespace to a title that lacks it. */
function withNamespace({ titles }: Store, title: string): string {
  const colon = title.indexOf(':')
  const isNamed = colon !== -1 && findNamespace(title.slice(0, colon), titles) === namespaceIds.file
  return `${titles.namespaces.get(namespaceIds.file)?.name ?? 'File'}:${isNamed ? title.slice(colon + 1).trim() : title}`
}

/** Finds files by a prefix of their names or of a word in them. Prefixes of the whole name come first. */
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
